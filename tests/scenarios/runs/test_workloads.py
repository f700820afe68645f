#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The workloads that come with Strobe: they issue the requests that their pages describe, and every sector is verified.

Needs STROBE in the environment: the program under test.
"""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from test_runs import FILL, SANITIZED, SMALL, Run, figures_only, merged, phase

STROBE = os.environ["STROBE"]
SCENARIOS = pathlib.Path(__file__).resolve().parents[3] / "scenarios"


def report_of(name, *sets):
    done = subprocess.run([STROBE, "run", "workloads/" + name, "--json", "-", *[word for s in sets for word in ("--set", s)]],
                          capture_output=True, text=True, check=False, timeout=600)
    if done.returncode != 0:
        raise AssertionError(f"{name}: {done.stderr}")
    return json.loads(done.stdout)


def counts(report):
    return tuple(report["totals"].get(kind, {"requests": 0})["requests"] for kind in ("read", "write", "flush", "trim"))


class Shipped(unittest.TestCase):
    def test_recorded_phases_replay_every_request(self):
        for name, recorded in (("boot", (761, 54, 7, 1)), ("appload", (1340, 50, 8, 7)), ("general", (2132, 234, 28, 24)),
                               ("scan", (15870, 24, 5, 0)), ("filewrite", (2, 270, 5, 0)))[:1 if SANITIZED else None]:
            report = report_of("debian-" + name)
            self.assertEqual(counts(report), recorded, name)
            self.assertEqual(report["integrity"]["mismatches"], 0)

    @figures_only
    def test_synthetic_components_have_the_published_ratios_and_volumes(self):
        for name, ratio, volume in (("xp-startup", 0.9, None), ("application-loading", 0.83, None), ("general-usage", 0.6, None),
                                    ("virus-scan", 0.995, 600e6), ("file-write", 0, 680e6)):
            report = report_of("pc05-like-" + name)
            reads, writes, flushes, _ = counts(report)
            self.assertAlmostEqual(reads / (reads + writes), ratio, delta=0.015, msg=name)
            self.assertGreater(flushes, 0, name)
            if volume:
                self.assertAlmostEqual(report["totals"]["all"]["bytes"], volume, delta=600e3, msg=name)

    @figures_only
    def test_the_transaction_mix_has_the_published_ratio_and_size(self):
        phase = "workload.phases."
        report = report_of("tpcc-like", phase + "0.region.size=64MB", phase + "1.region.size=64MB", phase + "1.requests=20000")
        reads, writes, _, _ = counts(report)
        self.assertAlmostEqual(reads / writes, 3.36, delta=0.12)
        self.assertEqual(report["totals"]["all"]["bytes"], 20000 * 2048)

    @figures_only
    def test_the_write_share_of_the_iometer_mix_can_be_set(self):
        report = report_of("iometer-like", "workload.phases.1.readRatio=10%", "workload.phases.1.requests=5000")
        reads, writes, _, _ = counts(report)
        self.assertAlmostEqual(reads / (reads + writes), 0.1, delta=0.02)

    def test_no_score_is_printed(self):
        done = subprocess.run([STROBE, "run", "workloads/pc05-like-xp-startup"], capture_output=True, text=True, check=True)
        self.assertNotRegex(done.stdout.lower(), "score|pcmark")


BESIDE = merged(SMALL, name="concurrent", host={"queueDepth": 16}, workload={"phases": [
    FILL, phase("reader", blockSize="4KiB", readRatio="100%", requests=800, pacing={"queueDepth": 1}, concurrentJobs=[
        phase("writer", blockSize="4KiB", pacing={"queueDepth": 4}),
        phase("arrivals", "sequential", blockSize="4KiB", readRatio="50%", pacing={"mode": "open", "rate": "1000/s"})])]})


class Beside(unittest.TestCase):
    def test_jobs_beside_each_other_have_their_own_pacing_and_results(self):
        run = Run(BESIDE)
        self.assertEqual(run.code, 0, run.errors)
        fill, mixed = run.report["phases"]
        self.assertNotIn("jobs", fill)
        reader, writer, arrivals = mixed["jobs"]
        self.assertEqual([job["name"] for job in mixed["jobs"]], ["reader", "writer", "arrivals"])
        self.assertEqual(reader["totals"]["all"]["requests"], 800)  # decides the length
        self.assertEqual(set(writer["totals"]), {"all", "write"})
        self.assertGreater(writer["totals"]["write"]["requests"], 100)
        self.assertAlmostEqual(arrivals["totals"]["all"]["iops"], 1000, delta=150)
        for kind in ("read", "write"):
            parts = [job["totals"].get(kind, {"requests": 0, "bytes": 0}) for job in mixed["jobs"]]
            for figure in ("requests", "bytes"):
                self.assertEqual(sum(part[figure] for part in parts), mixed["totals"][kind][figure])
        self.assertEqual(mixed["totals"]["read"]["requests"], run.report["totals"]["read"]["requests"])
        self.assertEqual(run.report["integrity"]["mismatches"], 0)
        alone = Run(merged(BESIDE, workload={"phases": [FILL, {**BESIDE["workload"]["phases"][1], "concurrentJobs": []}]}))
        self.assertNotIn("jobs", alone.report["phases"][1])
        self.assertNotIn("concurrentJobs", alone.report["config"]["workload"]["phases"][1])
        self.assertLess(alone.report["totals"]["read"]["latency"]["mean_ps"], reader["totals"]["read"]["latency"]["mean_ps"])

    def test_a_closed_job_keeps_to_its_rate(self):
        own = BESIDE["workload"]["phases"][1]
        job = {**own["concurrentJobs"][0], "pacing": {"queueDepth": 4, "rate": "2000/s"}}
        run = Run(merged(BESIDE, workload={"phases": [FILL, {**own, "concurrentJobs": [job]}]}))
        self.assertEqual(run.code, 0, run.errors)
        writer = run.report["phases"][1]["jobs"][1]
        self.assertAlmostEqual(writer["totals"]["write"]["iops"], 2000, delta=100)
        self.assertEqual(run.report["integrity"]["mismatches"], 0)

    def test_a_job_that_waits_for_its_rate_ends_with_its_phase(self):
        region = {"size": "2MiB"}
        phases = [{"name": "fill", "kind": "sequential", "blockSize": "64KiB", "region": region, "volume": "100%", "precondition": "functional"},
                  {"name": "reader", "kind": "uniform", "blockSize": "4KiB", "readRatio": "100%", "requests": 20, "region": region,
                   "pacing": {"queueDepth": 1},
                   "concurrentJobs": [{"name": "writer", "kind": "uniform", "blockSize": "4KiB", "region": region,
                               "pacing": {"queueDepth": 16, "rate": "2000/s"}}]}]
        with tempfile.TemporaryDirectory() as folder:  # the flush before the image is saved outlasts the interval
            run = Run({"extends": str(SCENARIOS / "quickstart.json"), "workload": {"phases": phases}},
                      "--save-image", str(pathlib.Path(folder, "d.img")))
        self.assertEqual(run.code, 0, run.errors)
        own = {"name": "alone", "kind": "uniform", "blockSize": "4KiB", "region": region, "requests": 2,
               "pacing": {"queueDepth": 1, "rate": "10/s"}}
        run = Run({"extends": str(SCENARIOS / "quickstart.json"), "workload": {"phases": [own]}})
        alone = run.report["phases"][0]
        self.assertAlmostEqual(alone["end_ps"] - alone["start_ps"], 100e9, delta=20e9)  # over with its last request

    def test_jobs_beside_each_other_survive_power_losses(self):
        phases = [{**FILL, "precondition": "functional"}, BESIDE["workload"]["phases"][1]]
        for lost in ("reissue", "drop"):
            run = Run(merged(BESIDE, workload={"phases": phases}, power={"meanCutInterval": "20ms", "offTime": "100us", "maxCuts": 20, "lostCommands": lost}))
            self.assertEqual(run.code, 0, run.errors)
            self.assertGreater(run.report["power"]["cuts"], 2)
            self.assertGreater(run.report["power"]["commands_lost"], 0)
            self.assertEqual((run.report["integrity"]["mismatches"], run.report["power"]["sectors_unreadable"]), (0, 0))
            reads = run.report["phases"][1]["jobs"][0]["totals"]["read"]["requests"]
            self.assertEqual(reads == 800, lost == "reissue")

    def test_jobs_that_cannot_run_beside_others_are_refused_with_their_place(self):
        for change, message in (({"kind": "trace", "blockSize": None}, "/workload/phases/1/concurrentJobs/0/kind: trace is not allowed"),
                                ({"pacing": {"mode": "open"}}, "/workload/phases/1/concurrentJobs/0/pacing/rate: an open loop needs"),
                                ({"region": {"size": "1TiB"}}, "/workload/phases/1/concurrentJobs/0/region/size: phase 'reader/writer'"),
                                ({"concurrentJobs": []}, "/workload/phases/1/concurrentJobs/0/concurrentJobs: unknown key")):
            own = BESIDE["workload"]["phases"][1]
            job = {key: value for key, value in {**own["concurrentJobs"][0], **change}.items() if value is not None}
            run = Run(merged(BESIDE, workload={"phases": [FILL, {**own, "concurrentJobs": [job]}]}))
            self.assertEqual(run.code, 2)
            self.assertIn(message, run.errors)


if __name__ == "__main__":
    unittest.main()
