#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`strobe explore` on Dask clusters and farms.

Needs STROBE in the environment, the program under test, and an interpreter with the packages of the group explore.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import unittest

from study_fixture import Directory

import strobe
from strobe.explore import cluster


class Farms(Directory):
    def cluster(self, protocol, **more):
        """Address of a scheduler with a worker, and their environment."""
        file = self.dir / "scheduler.json"
        environment = {**os.environ, "PYTHONPATH": str(pathlib.Path(strobe.__file__).parent.parent), **more}
        for words in (["scheduler", "--host", "127.0.0.1", "--port", "0", "--protocol", protocol, "--no-dashboard"],
                      ["worker", "--nthreads", "1", "--no-dashboard"]):
            helper = subprocess.Popen([sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:], "--scheduler-file", str(file)],
                                      env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.dir)
            self.addCleanup(helper.wait)
            self.addCleanup(helper.terminate)
            while not (file.exists() and file.read_text()):
                self.assertIsNone(helper.poll())
                time.sleep(0.05)
        return json.loads(file.read_text())["address"], environment

    def test_a_cluster_that_is_running(self):
        address, _ = self.cluster("tcp")
        self.assertIn("6 runs simulated", self.explore("study.json", "--scheduler", address).stdout)

    def test_a_cluster_with_tls(self):
        from distributed.security import Security

        keys = Security.temporary()
        self.write("key.pem", keys.tls_client_key)
        self.write("cert.pem", keys.tls_client_cert)
        files = {"DASK_DISTRIBUTED__COMM__TLS__CA_FILE": str(self.dir / "cert.pem")}
        for role in ("SCHEDULER", "WORKER", "CLIENT"):
            files[f"DASK_DISTRIBUTED__COMM__TLS__{role}__CERT"] = str(self.dir / "cert.pem")
            files[f"DASK_DISTRIBUTED__COMM__TLS__{role}__KEY"] = str(self.dir / "key.pem")
        address, environment = self.cluster("tls", **files)
        self.assertRegex(address, "^tls://")
        self.assertIn("cannot be reached", self.explore("study.json", "--scheduler", address, status=2).stderr)  # without the keys
        self.assertIn("6 runs simulated", self.explore("study.json", "--scheduler", address, env=environment).stdout)

    def test_the_script_of_a_job(self):
        for kind, option in (("slurm", "#SBATCH -p short"), ("lsf", "#BSUB -q short"), ("sge", "#$ -q short"), ("pbs", "#PBS -q short")):
            with cluster.farm_cluster(kind, {"queue": "short", "walltime": "00:30:00"}, self.dir / kind)[0] as made:
                script = made.job_script()
            self.assertIn(option, script)
            self.assertIn(f"export PYTHONPATH='{pathlib.Path(strobe.__file__).parent.parent}'", script)
            self.assertRegex(script, rf"{re.escape(sys.executable)} -m distributed.cli.dask_worker tls://")
            self.assertIn("--lifetime 1680s", script)  # two minutes less than the time of the job
            self.assertRegex(script, rf"--tls-key {re.escape(str(self.dir / kind))}/cluster/\S+")

    def test_a_farm_that_takes_no_job(self):
        """No such command; a command that fails, as sbatch does if no controller answers. The command has to end by itself."""
        commands = self.dir / "bin"
        commands.mkdir()
        environment = {**os.environ, "PATH": f"{commands}:/usr/bin:/bin"}
        done = self.explore("study.json", "--farm", "lsf", status=2, env=environment)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn("--farm lsf: no job could be submitted: there is no command bsub on this machine", done.stderr)
        self.assertFalse(self.out.exists())
        submit = commands / "sbatch"
        submit.write_text("#!/bin/sh\necho 'sbatch: error: Unable to contact slurm controller (connect failure)' >&2\nexit 1\n")
        submit.chmod(0o755)
        done = self.explore("study.json", "--farm", "slurm", status=2, env=environment)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn("--farm slurm: no job could be submitted: sbatch: error: Unable to contact slurm controller", done.stderr)
        self.assertFalse(self.out.exists())

    def test_mistakes_of_options(self):
        for options, text in (("[]", "must be an object"), ('{"walltime": "soon"}', "walltime 'soon' is not a time"),
                              ('{"colour": 1}', "unexpected keyword argument 'colour'")):
            self.write("farm.json", options)
            done = self.explore("study.json", "--farm", "slurm", "--farm-options", "farm.json", status=2)
            self.assertIn(text, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertFalse(self.out.exists())


if __name__ == "__main__":
    unittest.main()
