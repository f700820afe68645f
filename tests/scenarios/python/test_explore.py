#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`strobe explore`: mistakes in studies, results, going on after kills.

Needs STROBE in the environment, the program under test, and an interpreter with the packages of the group explore.
"""
import csv
import json
import math
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from browser import Browser as Chromium

import strobe
from strobe import explore
from strobe.explore import cluster, points, sensitivity

STROBE = os.environ["STROBE"]
STUDIES = pathlib.Path(__file__).resolve().parents[3] / "scenarios" / "studies"
DRIVE = {
    "name": "small drive", "nand": {"part": {"extends": "k9f1g08u0a", "blocksPerPlane": 32, "maxBadBlocks": 1}, "channels": 1, "ways": 2},
    "memory": {"size": "16MiB", "bufferSize": "1MiB"}, "firmware": {"overProvisioning": "20%"},
    "workload": {"phases": [{"name": "mix", "kind": "uniform", "readRatio": "50%", "blockSize": "4KiB", "requests": 200}]}}
STUDY = {
    "name": "a study", "scenario": "drive.json",
    "parameters": {"channels": {"key": "nand.channels", "values": [1, 2, 4]}, "ways": {"key": "nand.ways", "from": 1, "to": 2}},
    "values": {"pins": "channels * (15 + 2 * ways)"},
    "objectives": {"pins": "min", "bandwidth": "max"}}


def changed(**more):
    return {**STUDY, **more}


class Directory(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="strobe-explore-")
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)
        self.write("drive.json", DRIVE)
        self.write("study.json", STUDY)
        self.out = self.dir / "study-results"

    def write(self, name, content):
        file = self.dir / name
        file.write_text(content if isinstance(content, str) else json.dumps(content))
        return file

    def command(self, *arguments):
        return [STROBE, "explore", *map(str, arguments)]

    def explore(self, *arguments, status=0, **more):
        cache = [] if "--cache" in arguments else ["--cache", "cache"]
        done = subprocess.run(self.command(*arguments, *cache), cwd=self.dir, capture_output=True, text=True, check=False, timeout=300, **more)
        self.assertEqual(done.returncode, status, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done

    def points(self, out=None):
        return [json.loads(line) for line in ((out or self.out) / "points.jsonl").read_text().splitlines()]

    def rows(self):
        with open(self.out / "points.csv", encoding="utf-8") as file:
            return list(csv.DictReader(file))


class Mistakes(Directory):
    def test_each_mistake_has_one_clear_message_and_nothing_is_written(self):
        one = {"channels": {"key": "nand.channels", "values": [1, 2]}}
        for study, text in (
            ("{", "study.json: not JSON: "),
            ([], "must be an object"),
            ({}, "/scenario: is missing"),
            (changed(parameter={}), '/parameter: unknown key; did you mean "parameters"?'),
            (changed(scenario="no-such-drive"), "no-such-drive: there is no such scenario"),
            (changed(scenario=7), "/scenario: must be the file or name of a scenario, not 7"),
            (changed(parameters={"ways": {"key": "nand.way", "values": [1]}}),
             '/parameters/ways/key: there is no parameter "nand.way" of a scenario; did you mean "nand.ways"?'),
            (changed(parameters={"a b": {"key": "nand.ways", "values": [1]}}), "/parameters/a b: a name consists of letters"),
            (changed(parameters={}), "/parameters: there is no parameter: the space is empty"),
            (changed(parameters={"ways": {"key": "nand.ways", "values": []}}), "/parameters/ways/values: there is no value: the space is empty"),
            (changed(parameters={"ways": {"key": "nand.ways", "from": 4, "to": 1}}), "the space is empty"),
            (changed(parameters={"ways": {"key": "nand.ways", "from": 1, "to": "4KiB"}}), "must have the same kind of unit"),
            (changed(parameters={"ways": {"key": "nand.ways", "values": [1, 1]}}), "a value is there twice"),
            (changed(parameters={"ways": {"key": "nand.ways"}}), 'needs "values", "choices", or "from" and "to"'),
            (changed(parameters={"ways": {"key": "nand.ways", "from": 0, "to": 4, "log": True}}), "a logarithmic range begins above 0"),
            (changed(parameters={**one, "ways": {"key": "nand.ways", "values": [1], "when": "chanels > 1"}}),
             '/parameters/ways/when: there is no parameter or value "chanels"; did you mean "channels"?'),
            (changed(parameters={"i": {"choices": {"CONV": {"channel.interfac": "CONV"}}}}), 'did you mean "channel.interface"?'),
            (changed(parameters={"ways": {"key": "nand.ways", "values": ["two"]}}, values={}, objectives={"iops": "max"}), "none of the first points is a valid scenario"),
            (changed(set={"nand.color": 1}), '/set/nand.color: there is no parameter "nand.color"'),
            (changed(objectives={}), "/objectives: there is no objective"),
            (changed(objectives={"iop": "max"}), '/objectives/iop: there is no such value'),
            (changed(objectives={"iop": "max"}), 'did you mean "iops"?'),
            (changed(objectives={"iops": "more"}), '/objectives/iops: must be "min" or "max", not "more"'),
            (changed(constraints=["pins <"]), "/constraints/pins <: not an expression"),
            (changed(constraints=["pns < 3"]), 'there is no parameter or value "pns"; did you mean "pins"?'),
            (changed(constraints=["open('x')"]), 'there is no function "open"'),
            (changed(constraints=["pins.real > 3"]), 'not allowed in an expression: "pins.real"'),
            (changed(constraints=["pins < 3", "channels <= 4"]), '/constraints: all 6 points are excluded: "pins < 3" excludes 6'),
            (changed(search={"method": "magic"}), '/search/method: there is no method "magic"'),
            (changed(search={"points": 0}), "/search/points: must be a whole number from 1"),
            (changed(parameters={"c": {"key": "cpu.clock", "from": "1MHz", "to": "9MHz"}}, values={}, objectives={"iops": "max"},
                     search={"method": "grid"}), 'a grid needs "step", "steps" or "values" of c'),
            (changed(seeds=0), "/seeds: must be the number of seeds per point"),
            (changed(stopEarly=5), '/stopEarly: must be a margin like "10%", or false'),
            (changed(timeLimit="5"), '/timeLimit: must be a time above 0, like "60s"'),
            (changed(images="yes"), '/images: must be true or false, not "yes"'),
            (changed(images=True), "/images: the first phase of the workload is measured, so there is no preconditioning"),
            (changed(images=True, set={"nand.contents": {"file": "x", "mode": "keep"}}), "/images: the scenario loads or saves"),
        ):
            self.write("study.json", study)
            with self.assertRaises(strobe.StrobeError) as caught:  # as the command, without starting Python each time
                explore.main([str(self.dir / "study.json"), "--check"])
            self.assertIn(text, str(caught.exception), study)
            self.assertEqual(caught.exception.exit_code, 2)
        self.assertEqual(sorted(file.name for file in self.dir.iterdir()), ["drive.json", "study.json"])

    def test_all_mistakes_of_a_file_are_listed(self):
        self.write("study.json", changed(seeds=0, objectives={"x": "max"}, extra=1))
        self.assertEqual(len(self.explore("study.json", status=2).stderr.splitlines()), 3)

    def test_a_wrong_command_line(self):
        for arguments, text in ((["study.json", "--jobs", "0"], "--jobs must be"), (["none.json"], "none.json: No such file"),
                                (["study.json", "--farm", "x"], "invalid choice"), ([], "required: FILE"),
                                (["study.json", "--farm-options", "x"], "needs --farm"), (["study.json", "--metho", "x"], "unrecognized")):
            done = self.explore(*arguments, status=2)
            self.assertIn(text, done.stderr)
            self.assertNotIn("Traceback", done.stderr)

    def test_a_value_that_the_report_does_not_have_stops_the_study(self):
        for more in ({"objectives": {"totals.all.iop": "max"}}, {"values": {"x": "report('totals.all.iop') / 2"}, "objectives": {"x": "max"}},
                     {"constraints": ["report('totals.all.iop') > 5"]}):
            self.write("study.json", changed(**more))
            for arguments in (["--check"], ["-o", "out"]):
                done = self.explore("study.json", *arguments, status=2)
                self.assertRegex(done.stderr, r'^study.json: [^\n]*no "iop" in totals.all; there is requests[^\n]*\n$')
                self.assertEqual((self.dir / "out").exists(), "-o" in arguments)
            shutil.rmtree(self.dir / "out")

    def test_a_check_simulates_one_point_into_the_cache(self):
        self.assertIn("study.json: ok: a study\n  2 parameters, 6 combinations", self.explore("study.json", "--check").stdout)
        self.assertFalse(self.out.exists())
        self.assertIn("5 runs simulated, 1 from the cache", self.explore("study.json").stdout)

    def test_a_check_names_an_objective_without_a_number_and_a_point_that_takes_long(self):
        self.write("study.json", changed(objectives={"scenario": "max"}, values={"scenario": "report('scenario')"}))
        self.assertIn("the first point (channels 1, ways 1) fails: scenario is no number: ", self.explore("study.json", "--check", status=2).stderr)
        self.write("study.json", changed(timeLimit="1ms"))
        self.assertIn("values of the report are not checked: channels 1, ways 1 takes longer than 0.001 s",
                      self.explore("study.json", "--check").stdout)

    def test_an_empty_space_has_one_message(self):
        for parameters in ({}, {"channels": {"key": "nand.channels", "values": []}}, {"channels": {"key": "nand.channels", "from": 4, "to": 1}},
                           {"channels": {"choices": {}}}):
            self.write("study.json", changed(parameters=parameters, values={"pins": "channels * 17"} if parameters else STUDY["values"]))
            self.assertRegex(self.explore("study.json", "--check", status=2).stderr, r"^study.json: /parameters[^\n]*the space is empty\n$")

    def test_directories_that_cannot_be_used(self):
        self.assertIn("the cache of results cannot be written: Not a directory",
                      self.explore("study.json", "--cache", "/dev/null/cache", status=2).stderr)
        self.assertIn("/dev/null/out: cannot be written", self.explore("study.json", "-o", "/dev/null/out", status=2).stderr)

    def test_a_full_disk_stops_the_study_and_loses_nothing(self):
        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (8000, 8000))

        done = self.explore("study.json", status=2, preexec_fn=small_files)
        self.assertRegex(done.stderr, "file too large.*nothing is lost")
        self.assertNotIn("Traceback", done.stderr)
        self.explore("study.json")
        self.assertEqual(len(self.points()), 6)

    def test_a_scheduler_that_cannot_be_reached(self):
        done = self.explore("study.json", "--scheduler", "tcp://127.0.0.1:9", status=2)
        self.assertRegex(done.stderr, "^strobe explore: the scheduler tcp://127.0.0.1:9 cannot be reached: [^\n]*\n$")

    def test_a_study_that_has_changed_is_refused(self):
        self.explore("study.json", "--method", "grid")
        before = (self.out / "points.jsonl").read_bytes()
        for study, text in ((changed(objectives={"pins": "min", "iops": "max"}), "study.json: /objectives changed"),
                            (changed(seeds=2), "/seeds changed"), (changed(set={"seed": 9}), "/set, the resolved scenario changed")):
            self.write("study.json", study)
            done = self.explore("study.json", "--method", "grid", status=2)
            self.assertIn(text, done.stderr)
            self.assertEqual((self.out / "points.jsonl").read_bytes(), before)
        self.write("study.json", STUDY)
        self.write("drive.json", {**DRIVE, "memory": {"size": "32MiB", "bufferSize": "1MiB"}})
        self.assertIn("the resolved scenario changed", self.explore("study.json", "--method", "grid", status=2).stderr)
        self.explore("study.json", "--method", "grid", "--restart")

    def test_a_constraint_that_no_result_satisfies(self):
        self.write("study.json", changed(constraints={"fast enough": "bandwidth >= 1000000"}))
        done = self.explore("study.json", status=2)
        self.assertIn('/constraints: none of 6 points satisfies all constraints; "fast enough" excludes 6', done.stderr)
        self.assertEqual(len(self.points()), 6)

    def test_a_point_that_fails_is_recorded_and_does_not_stop_the_study(self):
        self.write("study.json", changed(parameters={**STUDY["parameters"], "buffer": {
            "key": "memory.bufferSize", "values": ["1MiB", "64MiB"]}}))  # the memory has 16 MiB
        done = self.explore("study.json")
        self.assertIn("12 points (6 runs simulated, 0 from the cache, 6 failed", done.stdout)
        failed = [row for row in self.rows() if row["status"] == "failed"]
        self.assertEqual({row["buffer"] for row in failed}, {"64MiB"})
        self.assertIn("/memory/bufferSize", failed[0]["message"])


class Results(Directory):
    def test_a_small_space_is_a_grid_and_its_front_is_right(self):
        done = self.explore("study.json")
        points = self.points()
        self.assertEqual(len(points), 6)
        self.assertIn("6 runs simulated", done.stdout)

        def worse(point, other):
            mine, theirs = ([p["measured"][name]["mean"] for name in ("pins", "bandwidth")] for p in (point, other))
            return theirs[0] <= mine[0] and theirs[1] >= mine[1] and theirs != mine

        expected = {point["number"] for point in points if not any(worse(point, other) for other in points)}
        front = json.loads((self.out / "pareto.json").read_text())["points"]
        self.assertEqual({point["point"] for point in front}, expected)
        self.assertEqual({int(row["point"]) for row in self.rows() if row["front"] == "1"}, expected)

        # The scenario of a point, ready to run, gives the value of the point.
        best = max(front, key=lambda point: point["values"]["bandwidth"])
        result = strobe.run(self.out / best["scenario"])
        self.assertEqual(result.value("totals.all.megabytes_per_second"), best["values"]["bandwidth"])
        self.assertEqual(strobe.load(self.out / best["report"]).report["totals"], result.report["totals"])

        page = (self.out / "index.html").read_text()
        self.assertNotIn(' src="http', page)
        data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1].replace("<\\/", "</"))
        self.assertEqual([point["number"] for point in data["points"]], sorted(point["number"] for point in points))
        self.assertAlmostEqual(data["effects"]["single"]["bandwidth"]["channels"] + data["effects"]["single"]["bandwidth"]["ways"]
                               + data["effects"]["pairs"]["bandwidth"][0][2], 1)

        # Again: nothing is simulated. In another directory: the cache has everything.
        self.explore("study.json")
        self.assertIn("0 runs simulated, 6 from the cache", self.explore("study.json", "-o", "other").stdout)
        self.assertEqual((self.dir / "other" / "pareto.json").read_text(), (self.out / "pareto.json").read_text())

    def test_the_cache_distinguishes_what_results_depend_on(self):
        self.write("trace.csv", "0,0,0,4096,W\n")
        drive = {**DRIVE, "workload": {"phases": [{"name": "t", "kind": "trace", "trace": {"file": "my.trace", "format": "spc"}}]}}
        self.write("drive.json", drive)
        self.write("my.trace", "0,0,4096,w,0.0\n0,8,4096,w,0.001\n")
        self.write("study.json", changed(parameters={"ways": {"key": "nand.ways", "values": [1, 2]}}, values={}, objectives={"iops": "max"}))
        self.assertIn("2 runs simulated", self.explore("study.json").stdout)
        strobe.validate(self.out / "scenarios" / "point-0001.json")  # finds its trace
        self.assertIn("0 runs simulated", self.explore("study.json", "-o", "b").stdout)
        self.write("my.trace", "0,0,4096,w,0.0\n0,8,4096,w,0.002\n")
        self.assertIn("2 runs simulated", self.explore("study.json", "-o", "c").stdout)

    def test_conditions_choices_and_units(self):
        self.write("study.json", changed(
            parameters={"interface": {"choices": {"slow": {"channel.interface": "CONV", "channel.clock": "50MHz"},
                                                  "fast": {"channel.interface": "PROPOSED", "channel.clock": "minimum"}}},
                        "clock": {"key": "cpu.clock", "from": "50MHz", "to": "200MHz", "steps": 3, "log": True},
                        "buffer": {"key": "memory.bufferSize", "values": ["512KiB", "1MiB"], "when": "interface == 'fast'"}},
            values={"megahertz": "clock / MHz", "share": "buffer / MiB if buffer else 0"}, constraints=["clock < 150 * MHz"],
            objectives={"megahertz": "min", "share": "min", "write_p99": "min"}))
        self.explore("study.json")
        points = self.points()
        self.assertEqual(len(points), 2 + 4)
        self.assertEqual({point["values"]["clock"] for point in points}, {"50MHz", "100MHz"})
        self.assertEqual([point["values"].get("buffer") for point in points if point["values"]["interface"] == "slow"], [None, None])
        self.assertEqual({point["measured"]["share"]["mean"] for point in points}, {0, 0.5, 1})

    def test_seeds_have_intervals_and_hopeless_points_are_stopped(self):
        self.write("study.json", changed(seeds=3, objectives={"iops": "max"}, values={}, stopEarly="10%",
                                         parameters={"clock": {"key": "cpu.clock", "values": ["400MHz", "100MHz", "50MHz", "25MHz", "20MHz"]}}))
        self.explore("study.json", "--jobs", "1", "--method", "grid")
        points = {point["values"]["clock"]: point for point in self.points()}
        best = points["400MHz"]
        self.assertEqual([run["seed"] for run in best["runs"]], [1, 2, 3])
        iops = [strobe.load(self.dir / "cache" / run["key"][:2] / f"{run['key']}.json").value("totals.all.iops") for run in best["runs"]]
        self.assertAlmostEqual(best["measured"]["iops"]["mean"], sum(iops) / 3)
        mean, low, high = (best["measured"]["iops"][key] for key in ("mean", "low", "high"))
        deviation = (sum((value - mean) ** 2 for value in iops) / 2) ** 0.5
        self.assertAlmostEqual(high - mean, 4.302653 * deviation / 3 ** 0.5, places=3)
        self.assertAlmostEqual(mean - low, high - mean)
        self.assertEqual((points["20MHz"]["status"], len(points["20MHz"]["runs"])), ("stopped", 1))

    def test_optuna_searches_and_goes_on(self):
        self.write("study.json", changed(parameters={**STUDY["parameters"], "clock": {"key": "cpu.clock", "from": "50MHz", "to": "400MHz"}},
                                         constraints=["bandwidth > 1"], search={"points": 8, "population": 4}))
        self.assertIn("method nsga2, 8 points", self.explore("study.json", "--check").stdout)
        self.explore("study.json")
        first = self.points()
        self.assertEqual(len({json.dumps(point["values"]) for point in first}), 8)
        self.explore("study.json", "--points", "11")
        self.assertEqual(self.points()[:8], first)
        self.assertEqual(len({json.dumps(point["values"]) for point in self.points()}), 11)
        for method in ("tpe", "sobol"):
            self.explore("study.json", "--method", method, "-o", method, "--points", "4")
            self.assertEqual(len(self.points(self.dir / method)), 4)

    def test_jobs_can_be_run_elsewhere(self):
        self.explore("study.json", "--emit-jobs", "jobs.sh")
        self.assertEqual(len((self.dir / "jobs.sh").read_text().splitlines()), 6)
        subprocess.run(["sh", "-e", "jobs.sh"], cwd=self.dir, check=True, timeout=100)
        self.assertEqual(self.explore("study.json", "--emit-jobs", "-").stdout, "")
        self.assertIn("0 runs simulated, 6 from the cache", self.explore("study.json").stdout)

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
            while not file.exists():
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
            with cluster.farm_cluster(kind, {"queue": "short", "walltime": "00:30:00"}, self.dir / kind) as made:
                script = made.job_script()
            self.assertIn(option, script)
            self.assertIn(f"export PYTHONPATH='{pathlib.Path(strobe.__file__).parent.parent}'", script)
            self.assertRegex(script, rf"{re.escape(sys.executable)} -m distributed.cli.dask_worker tls://")
            self.assertIn("--lifetime 1680s", script)  # two minutes less than the time of the job
            self.assertRegex(script, rf"--tls-key {re.escape(str(self.dir / kind))}/cluster/\S+")

    def test_mistakes_of_options(self):
        for options, text in (("[]", "must be an object"), ('{"walltime": "soon"}', "walltime 'soon' is not a time"),
                              ('{"colour": 1}', "unexpected keyword argument 'colour'")):
            self.write("farm.json", options)
            done = self.explore("study.json", "--farm", "slurm", "--farm-options", "farm.json", status=2)
            self.assertIn(text, done.stderr)
            self.assertNotIn("Traceback", done.stderr)


class FullDisk(Directory):
    def file_system(self, name, size):
        place = self.dir / name
        place.mkdir()
        mount = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)], capture_output=True, text=True, check=False)
        if mount.returncode != 0:
            self.skipTest(mount.stderr)
        self.addCleanup(subprocess.run, ["umount", "--lazy", str(place)], check=True)
        return place

    @unittest.skipUnless(os.geteuid() == 0, "only root can mount a small file system")
    def test_the_study_stops_and_goes_on_when_there_is_room(self):
        cache = self.file_system("cache", "400k")
        done = self.explore("study.json", "--jobs", "1", status=2)
        self.assertEqual(len([line for line in done.stderr.splitlines() if "No space left" in line]), 1, done.stderr)
        self.assertIn("the study has stopped and nothing is lost: make room, then run the same command again", done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        before = self.points()
        self.assertTrue(all(point["status"] == "ok" for point in before))
        self.assertIn(len(before), range(1, 6))
        subprocess.run(["mount", "-o", "remount,size=20m", str(cache)], check=True)
        self.assertIn("goes on after", self.explore("study.json", "--jobs", "1").stderr)
        self.assertEqual(self.points()[:len(before)], before)
        self.assertEqual([point["status"] for point in self.points()], ["ok"] * 6)

    def test_the_message_names_the_file_for_which_there_is_no_room(self):
        self.explore("study.json", "--quiet") # now all results are in the cache
        results = self.file_system("full", "40k")
        done = self.explore("study.json", "--quiet", "-o", results, status=2)
        self.assertRegex(done.stderr, rf"^(strobe explore: )?{results}/\S+: No space left on device; ")


class Images(Directory):
    """Points that share an image of the drive: it is made once."""

    def setUp(self):
        super().setUp()
        phases = [{"name": "fill", "kind": "sequential", "blockSize": "64KiB", "volume": "100%", "precondition": True},
                  *DRIVE["workload"]["phases"]]
        self.write("drive.json", {**DRIVE, "workload": {"phases": phases}})
        self.ratio = {"key": "workload.phases.1.readRatio", "values": ["0%", "30%", "60%", "90%"]}
        self.study(ways={"key": "nand.ways", "values": [1, 2]})
        # The program, which notes its runs. Images wait while there is a file "slow", and fail while there is one "broken".
        self.program = self.write("program", f"""#!/bin/sh
case "$*" in
*--save-image*) echo image >>"{self.dir}/runs"
    while [ -e "{self.dir}/slow" ]; do sleep 0.05; done
    case "$*" in *nand.ways=2*) [ ! -e "{self.dir}/broken" ] || {{ echo "no image today" >&2; exit 1; }} ;; esac ;;
run*) echo run >>"{self.dir}/runs" ;;
esac
exec "{STROBE}" "$@"
""")
        self.program.chmod(0o755)
        self.write("runs", "")

    def command(self, *arguments):
        return [sys.executable, "-m", "strobe", "explore", *map(str, arguments)]

    def study(self, **more):
        self.write("study.json", changed(values={}, objectives={"iops": "max"}, parameters={"ratio": self.ratio, **more}))

    def explore(self, *arguments, **more):
        return super().explore(*arguments, env={**os.environ, "STROBE": str(self.program)}, **more)

    def counted(self):
        """Images that were made, measured runs."""
        lines = (self.dir / "runs").read_text().split()
        return lines.count("image"), lines.count("run")

    def test_each_image_is_made_once_for_all_points_and_starts(self):
        self.assertIn("points start from drive images", self.explore("study.json", "--check").stdout)
        self.assertIn("2 drive images made", self.explore("study.json", "--method", "sobol", "--points", "5").stdout)
        self.assertEqual(self.counted(), (2, 5))
        self.assertIn("0 drive images made", self.explore("study.json", "--method", "sobol", "--points", "8").stdout)
        self.assertEqual(self.counted(), (2, 8))
        points = self.points()
        self.assertEqual({point["status"] for point in points}, {"ok"})
        self.assertEqual(len({(point["values"]["ways"], point["runs"][0]["image"]) for point in points}), 2)
        # A point has the values of a run from the image; its scenario is ready to run.
        for point in points:
            direct = strobe.run(self.out / "scenarios" / f"point-{point['number']:04d}.json")
            self.assertEqual(direct.value("totals.all.iops"), point["measured"]["iops"]["mean"])
        # Without images nothing of this comes from the cache.
        self.write("study.json", {**json.loads((self.dir / "study.json").read_text()), "images": False})
        self.assertIn("8 runs simulated, 0 from the cache)", self.explore("study.json", "-o", "without").stdout)
        self.assertEqual(self.counted(), (2, 16))

    def test_an_image_that_cannot_be_made_fails_its_points_only(self):
        self.write("broken", "")
        self.assertIn("4 failed", self.explore("study.json").stdout)
        self.assertEqual(self.counted(), (2, 4))
        failed = {row["ways"]: row["message"] for row in self.rows() if row["status"] == "failed"}
        self.assertEqual(list(failed), ["2"])
        self.assertEqual(failed["2"], 'the image of the drive could not be made: no image today; "images": false in the study runs every '
                                      'point from the beginning')

    def test_a_driver_that_is_killed_while_an_image_is_made(self):
        self.study()
        self.write("slow", "")
        driver = subprocess.Popen(self.command("study.json", "--cache", "cache"), cwd=self.dir, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, env={**os.environ, "STROBE": str(self.program)})
        self.addCleanup(driver.kill)
        while self.counted() != (1, 0):  # bounded by the time limit of the test
            self.assertIsNone(driver.poll())
            time.sleep(0.02)
        driver.kill()
        driver.wait()
        (self.dir / "slow").unlink()
        self.explore("study.json")
        self.assertEqual(self.counted(), (2, 4))
        self.assertEqual([file.suffix for file in sorted((self.dir / "cache" / "images").iterdir())], [".img", ".lock"])

    def test_jobs_make_the_image_that_they_share(self):
        self.explore("study.json", "--emit-jobs", "jobs.sh")
        jobs = [subprocess.Popen(["sh", "-c", job], cwd=self.dir) for job in (self.dir / "jobs.sh").read_text().splitlines()]
        self.assertEqual([job.wait() for job in jobs], [0] * 8)
        self.assertEqual(self.counted(), (2, 8))
        self.assertIn("0 runs simulated, 8 from the cache", self.explore("study.json").stdout)

    def test_parameters_that_change_the_drive_before_measuring_share_nothing(self):
        self.write("study.json", STUDY)
        self.assertNotIn("images", self.explore("study.json", "--check").stdout)


class Sensitivity(Directory):
    def test_the_parameter_that_decides_is_ranked_first(self):
        self.write("drive.json", {**DRIVE, "cpu": {"clock": "10MHz"}, "workload": {"phases": [
            {**DRIVE["workload"]["phases"][0], "requests": 60}]}})
        done = self.explore("--sensitivity", "drive.json", "--paths", "2", "-o", "out")
        ranking = json.loads((self.dir / "out" / "sensitivity.json").read_text())["iops"]
        self.assertEqual(ranking[0]["parameter"], "cpu.clock")
        self.assertGreater(ranking[0]["changes"]["20MHz"], 0.3)
        self.assertLess(ranking[0]["changes"]["5MHz"], -0.3)
        self.assertGreater(len(ranking), 40)
        self.assertRegex(done.stdout, r"cpu\.clock +10MHz +.*5MHz: -\d+")
        self.assertIn("cpu.clock", (self.dir / "out" / "index.html").read_text())
        self.assertIn("0 runs simulated", self.explore("--sensitivity", "drive.json", "--paths", "2", "-o", "out").stdout)

    def test_morris_screening_finds_size_and_interaction(self):
        items = [sensitivity.Varied("alone", 10, 5, 20), sensitivity.Varied("paired", "10us", "5us", "20us"),
                 sensitivity.Varied("switch", False, None, None, (False, True)), sensitivity.Varied("useless", 1.0, 0.5, 2.0)]
        morris = sensitivity.Morris(items, 10)

        def point(values):
            switch = values.get("switch", False)
            value = 100 + 8 * math.log2(values.get("alone", 10)) + switch * float(values.get("paired", "10us").removesuffix("us"))
            return points.Point(1, values, "ok", "", {"iops": points.Measured(value, value, value)})

        known = {points.identity(values): point(values) for values in [{}, *morris.points]}
        effects = [sensitivity.Effect(item.key, item.base, {}) for item in items]
        self.assertEqual(morris.analyse(known, "iops", effects), 10)
        alone, paired, switch, useless = effects
        self.assertEqual(useless.mu_star, 0)
        self.assertAlmostEqual(alone.mu_star * point({}).measured["iops"].mean, 16, delta=4)  # 8 log2(20 / 5), values are whole
        self.assertGreater(switch.sigma, alone.sigma)
        self.assertGreater(paired.sigma, alone.sigma)
        del known[points.identity(morris.points[0])]
        self.assertLess(morris.analyse(known, "iops", effects), 10)

    def test_mistakes(self):
        for arguments, text in ((["drive.json", "--objective", "iop"], 'did you mean "iops"?'), (["none.json"], "there is no such scenario"),
                                (["drive.json", "--paths", "-1"], "--paths must be"), (["drive.json", "--check"], "do not go with")):
            self.assertIn(text, self.explore("--sensitivity", *arguments, status=2).stderr)
        self.assertIn("need --sensitivity", self.explore("study.json", "--objective", "iops", status=2).stderr)


class Shipped(unittest.TestCase):
    """The studies of scenarios/studies."""

    def test_each_study_is_accepted(self):
        files = sorted(STUDIES.glob("*/study.json"))
        self.assertEqual(len(files), 4)
        with tempfile.TemporaryDirectory() as cache:
            for study in files:
                explore.main([str(study), "--check", "--cache", cache])


class StudyBrowser(Directory):
    """The page of a study and those of its points, in Chromium."""

    def test_every_report_is_one_click_away(self):
        self.write("study.json", changed(parameters={"channels": {"key": "nand.channels", "values": [1, 2, 4]}},
                                         values={"pins": "channels * 17"}))
        self.explore("study.json")
        chromium = Chromium()
        for width in (1280, 390):
            found = chromium.look(self.out / "index.html", width)
            console = [line for line in found["console"] if not re.search("WebGL|GL Driver", line)]  # parallel coordinates without a GPU
            self.assertEqual((console, found["errors"], found["requests"], found["overflow"]), ([], [], [], 0))
        links = [link for link in found["links"] if link.startswith(("reports/", "scenarios/"))]
        for number in (1, 2, 3):  # in the table; one of them also in the panel of the chosen drive
            for file in (f"reports/point-000{number}.html", f"scenarios/point-000{number}.json"):
                self.assertIn(file, links)
                self.assertTrue((self.out / file).is_file())
        self.assertEqual(len(links), 3 * 2 + 3)
        reports = self.out / "reports"
        self.assertLess((reports / "point-0001.html").stat().st_size, 1_000_000)
        found = chromium.look(reports / "point-0001.html", 1280, beside=[reports / "plotly.min.js"])
        self.assertEqual((found["console"], found["errors"], found["requests"], found["overflow"]), ([], [], [], 0))
        self.assertGreater(len(found["charts"]), 5)
        self.assertGreater(min(found["charts"].values()), 0)
        self.assertIn("point-0001.json", found["links"])
        # A page that is missing comes back, and is not made again otherwise.
        kept = (reports / "point-0002.html").stat().st_mtime_ns
        (reports / "point-0001.html").unlink()
        self.explore("study.json")
        self.assertTrue((reports / "point-0001.html").is_file())
        self.assertEqual((reports / "point-0002.html").stat().st_mtime_ns, kept)


class Kill(Directory):
    """Workers and driver killed by their process ids: no point is lost, none is simulated twice but those in flight."""

    POINTS = 16

    def setUp(self):
        super().setUp()
        slow = {**DRIVE, "workload": {"phases": [{**DRIVE["workload"]["phases"][0], "requests": 40000}]}}
        self.write("drive.json", slow)
        self.write("study.json", changed(values={}, objectives={"bandwidth": "max"},
                                         parameters={"channels": {"key": "nand.channels", "values": [1, 2]},
                                                     "clock": {"key": "cpu.clock", "from": "100MHz", "to": "170MHz", "step": "10MHz"}}))
        # The program, which notes its runs.
        self.program = self.write("program", f'#!/bin/sh\n[ "$1" != run ] || echo run >>"{self.dir}/runs"\nexec "{STROBE}" "$@"\n')
        self.program.chmod(0o755)
        self.write("runs", "")

    def command(self, *arguments):
        return [sys.executable, "-m", "strobe", "explore", *map(str, arguments)]

    def environment(self):
        return {**os.environ, "STROBE": str(self.program)}

    def wait_for(self, condition, process=None):
        while not (found := condition()):  # bounded by the time limit of the test
            if process is not None:
                self.assertIsNone(process.poll(), "the driver has ended")
            time.sleep(0.02)
        return found

    def finished(self):
        journal = self.out / "points.jsonl"
        return journal.read_text().count("\n") if journal.exists() else 0

    def simulators(self):
        """Process id -> that of its parent, of the simulations of this study."""
        found = {}
        for folder in pathlib.Path("/proc").iterdir():
            try:
                words = (folder / "cmdline").read_bytes().split(b"\0") if folder.name.isdigit() else []
                if b"run" in words and any(str(self.dir).encode() in word for word in words):
                    found[int(folder.name)] = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except OSError:
                pass  # has ended
        return found

    def family(self):
        """All processes that have this study's cache in their command line or its program in their environment."""
        found = []
        for folder in pathlib.Path("/proc").iterdir():
            try:
                if folder.name.isdigit() and f"STROBE={self.program}".encode() in (folder / "environ").read_bytes():
                    found.append(int(folder.name))
            except OSError:
                pass
        return found

    def test_no_point_is_lost(self):
        driver = subprocess.Popen(self.command("study.json", "--cache", "cache", "--jobs", "2", "--method", "grid"), cwd=self.dir,
                                  env=self.environment(), stdout=subprocess.DEVNULL)
        self.addCleanup(driver.wait)
        self.addCleanup(driver.kill)
        for done in (2, 4):
            self.wait_for(lambda done=done: self.finished() >= done, driver)
            simulator, worker = self.wait_for(lambda: next(iter(self.simulators().items()), None), driver)
            try:
                os.kill(worker, signal.SIGKILL)
            except ProcessLookupError:
                self.fail("a simulation without its worker")
            self.wait_for(lambda simulator=simulator: simulator not in self.simulators())
        self.wait_for(lambda: self.finished() >= 7, driver)
        driver.kill()
        driver.wait()
        self.wait_for(lambda: not self.family())  # no orphans
        before = self.finished()
        self.assertLess(before, self.POINTS)
        self.explore("study.json", "--jobs", "2", "--method", "grid", env=self.environment())
        points = self.points()
        self.assertEqual(len({json.dumps(point["values"]) for point in points}), self.POINTS)
        self.assertEqual(len(points), self.POINTS)
        self.assertEqual({point["status"] for point in points}, {"ok"})
        runs = len((self.dir / "runs").read_text().splitlines())
        self.assertGreaterEqual(runs, self.POINTS)
        self.assertLessEqual(runs, self.POINTS + 2 + 2)  # one per killed worker, two with the killed driver

    def test_ctrl_c_keeps_what_is_finished(self):
        driver = subprocess.Popen(self.command("study.json", "--cache", "cache", "--jobs", "2", "--method", "grid"), cwd=self.dir,
                                  env=self.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(driver.kill)
        self.wait_for(lambda: self.finished() >= 2, driver)
        driver.send_signal(signal.SIGINT)
        _, errors = driver.communicate()
        self.assertEqual(driver.returncode, 130, errors)
        self.assertNotIn("Traceback", errors)
        self.assertTrue((self.out / "index.html").exists())
        self.wait_for(lambda: not self.family())
        self.assertTrue(all(point["status"] == "ok" for point in self.points()))


if __name__ == "__main__":
    if sys.argv[1:] == ["StudyBrowser"] and not Chromium.is_there():
        print("chromium is missing: scripts/test installs it")
        sys.exit(77)
    unittest.main()
