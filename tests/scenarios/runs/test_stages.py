#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where the time of a request goes: do the stages of every request add up to its latency, to the picosecond, and does the
report name a planted problem first?

Needs STROBE in the environment: the program under test.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from test_runs import FILL, SANITIZED, SMALL, Run, merged, phase

STROBE = os.environ["STROBE"]
SCENARIOS = pathlib.Path(__file__).resolve().parents[3] / "scenarios"
MOST = 100_000  # requests listed
MIX = phase("mix", blockSize="4KiB", readRatio="60%", trimRatio="2%", flushEvery=50, requests=1500, pacing={"queueDepth": 16})


def run_short(name, *sets):
    """The report of a shipped scenario; each phase issues requests only for a short time, and a drive is overwritten functionally to
    40 % instead of twice, which suffices for garbage collection. None: it has no workload."""
    phases = json.loads(subprocess.run([STROBE, "inspect", "scenario", name], capture_output=True, text=True, check=True).stdout
                        )["workload"]["phases"]
    if not phases:
        return None
    short = [f"workload.phases.{i}.maxTime=4ms" for i, phase in enumerate(phases) if phase.get("precondition") != "functional"]
    short += [f"workload.phases.{i}.volume=40%" for i, phase in enumerate(phases) if phase.get("precondition") == "functional" and i > 0
              and phase["volume"] == "200%"]
    words = [word for value in (*short, *sets) for word in ("--set", value)]
    done = subprocess.run([STROBE, "run", name, "--slowest", str(MOST), "--json", "-", *words],
                          capture_output=True, text=True, check=False, timeout=600)
    if done.returncode != 0:
        raise AssertionError(f"{name}: {done.stderr}")
    return json.loads(done.stdout)


class Exact(unittest.TestCase):
    def prove(self, report):
        """Every measured request is listed, and its stages are its latency. Returns how many there are."""
        listed = report["stages"].get("slowest", [])
        totals = {kind: row for kind, row in report["totals"].items() if kind != "all" and row["requests"]}
        self.assertEqual(len(listed), sum(row["requests"] for row in totals.values()))
        self.assertLess(len(listed), MOST)
        for request in listed:
            self.assertEqual(sum(segment["ps"] for segment in request["path"]), request["latency_ps"], request)
            self.assertTrue(all(segment["ps"] > 0 for segment in request["path"]), request)
        for kind, row in totals.items():
            latencies = [request["latency_ps"] for request in listed if request["kind"] == kind]
            self.assertEqual(len(latencies), row["requests"])
            self.assertEqual(sum(latencies) // len(latencies), row["latency"]["mean_ps"])
            self.assertEqual(max(latencies), row["latency"]["max_ps"])
            self.assertEqual(min(latencies), row["latency"]["min_ps"])
            for name, means in report["stages"]["kinds"][kind].items():
                stages = [value for key, value in means.items() if key.endswith("_ps") and key != "latency_ps"]
                self.assertAlmostEqual(sum(stages), means["latency_ps"], delta=len(stages), msg=f"{kind}, {name}")
        return len(listed)

    def test_of_every_request_of_every_shipped_workload(self):
        count = 0
        files = [file for file in sorted(SCENARIOS.rglob("*.json")) if file.parent.name not in ("parts", "phases", "devices")
                 and file.name not in ("paper.json", "studies.json", "study.json", "energy.json", "scenario.schema.json")]
        for file in files[::8 if SANITIZED else 1]:
            with self.subTest(scenario=str(file.relative_to(SCENARIOS))):
                report = run_short(str(file))
                count += self.prove(report) if report else 0
        self.assertGreater(count, 1000 if SANITIZED else 10_000)

    def clean(self, *arguments, code=0, **changes):
        run = Run(merged(SMALL, workload={"phases": [FILL, MIX]}, **changes), "--slowest", str(MOST), *arguments)
        self.assertEqual(run.code, code, run.errors)
        return run.report

    def test_behind_each_host_port(self):
        for port in ("sata", "ahci", "pata", "nvme", "direct"):
            with self.subTest(port=port):
                host = {"interface": port} if port == "sata" else {"interface": port, "generation": None}
                self.assertEqual(self.prove(self.clean(host=host)), 1500)

    def test_with_joined_and_suspended_operations(self):
        for changes in ({"controller": {"multiPlane": True}}, {"controller": {"cacheOperations": True}},
                        {"channel": {"suspend": "both"}}, {"controller": {"interleaving": "coarse"}},
                        {"firmware": {"completion": "write-through"}}, {"firmware": {"pageMap": {"gc": {"copyBack": True}}}},
                        {"firmware": {"cores": 2}}):
            with self.subTest(changes=changes):
                self.prove(self.clean(**changes))

    def test_when_power_is_lost(self):
        report = self.clean(power={"cuts": ["40ms", "60ms"], "offTime": "1ms"}, firmware={"completion": "write-through"})
        self.assertGreater(report["power"]["recoveries"], 0)
        self.prove(report)

    def test_nothing_else_in_the_report_changes(self):
        scenario = merged(SMALL, workload={"phases": [FILL, MIX]})
        plain, traced = Run(scenario), Run(scenario, "--slowest", "5")
        self.assertEqual(len(traced.report["stages"]["slowest"]), 5)
        for report in (plain.report, traced.report):
            report.pop("stages", None)
            del report["config"]["report"], report["config_differences"]
        self.assertEqual(plain.report, traced.report)


# A drive on which nothing waits for long: the base of the planted problems.
QUICK = merged(SMALL, nand={"channels": 4, "ways": 2}, cpu={"clock": "1GHz"}, host={"interface": "direct", "generation": None},
               memory={"bandwidth": "4GB/s"})
READS = phase("reads", blockSize="4KiB", readRatio="100%", requests=4000, pacing={"queueDepth": 8})
BURSTS = phase("bursts", blockSize="4KiB", readRatio="0%", requests=2000, pacing={"queueDepth": 16, "thinkTime": "20ms"})
WRITTEN = [merged(FILL, flush=True), merged(READS, name="settle", precondition=True)]  # no program in progress


class Planted(unittest.TestCase):
    def sentence(self, kind, share, workload, **changes):
        run = Run(merged(QUICK, workload={"phases": workload}, **changes), "--stages")
        self.assertEqual(run.code, 0, run.errors)
        return run.report["stages"]["kinds"][kind][share]["sentence"]

    def test_slow_error_correction_on_one_channel(self):
        said = self.sentence("read", "slowest_10_percent", [*WRITTEN, READS],
                             controller={"ecc": {"slowChannels": [{"channel": 2, "factor": 30}]}})
        self.assertRegex(said, r"^slowest 10 % of reads: \S+ % ecc.*on channel 2$")

    def test_a_die_that_has_become_slow(self):
        with tempfile.TemporaryDirectory() as folder:
            file = str(pathlib.Path(folder) / "contents")
            contents = {"file": file, "mode": "save"}
            self.assertEqual(Run(merged(QUICK, nand={"contents": contents}, workload={"phases": [merged(FILL, precondition=False)]})
                                 ).code, 0)
            said = self.sentence("read", "slowest_10_percent", [READS],
                                 nand={"contents": {**contents, "mode": "load"}, "slowDies": [{"die": 5, "factor": 10}]})
        self.assertRegex(said, r"^slowest 10 % of reads: \S+ % (array|waiting for a die that is reading).* on die 2\.1$")

    def test_a_starved_processor(self):
        said = self.sentence("read", "all", [*WRITTEN, READS], cpu={"clock": "10MHz"})
        self.assertRegex(said, r"^all reads: \S+ % firmware")

    def test_a_buffer_that_is_too_small(self):
        for pages, first in ((4, r"buffer wait \(cause: "), (64, "firmware")):
            said = self.sentence("write", "all", [*WRITTEN, BURSTS], firmware={"pageMap": {"writeBufferPages": pages}})
            self.assertRegex(said, r"^all writes: \S+ % " + first)


class Units(unittest.TestCase):
    """A drive whose mapping units are smaller than its pages: a read gathers units by a table."""

    def test_a_read_of_several_units_waits_for_their_page(self):
        scenario = {"extends": str(SCENARIOS / "bench" / "tlc-drive.json"),
                    "nand": {"part": {"extends": "tlc-176l-4plane", "blocksPerPlane": 30, "pagesPerBlock": 48, "maxBadBlocks": 0},
                             "channels": 2, "ways": 2},
                    "workload": {"phases": [phase("fill", kind="sequential", blockSize="128KiB", volume="50%", precondition=True, flush=True),
                                            phase("reads", kind="sequential", blockSize="64KiB", readRatio="100%", requests=200,
                                                  pacing={"queueDepth": 1})]}}
        run = Run(scenario, "--stages")
        self.assertEqual(run.code, 0, run.errors)
        means = run.report["stages"]["kinds"]["read"]["all"]
        self.assertLess(means.get("buffer_wait_ps", 0), means["latency_ps"] / 100, means["sentence"])
        self.assertGreater(means["array_ps"], means["latency_ps"] / 10, means["sentence"])


class Mistakes(unittest.TestCase):
    def test_each_is_one_message_with_its_place(self):
        for arguments, message in (
                (("--slowest", "0"), "--slowest"),
                (("--set", "report.slowest=3"), "/report/slowest"),
                (("--set", 'nand.slowDies=[{"die":8}]'), "/nand/slowDies/0/die: must be 0 to 7, not 8"),
                (("--set", 'nand.slowDies=[{"die":1,"factor":0.5}]'), "/nand/slowDies/0/factor"),
                (("--set", 'controller.ecc.slowChannels=[{"channel":4}]'),
                 "/controller/ecc/slowChannels/0/channel: must be 0 to 3, not 4")):
            with self.subTest(arguments=arguments):
                run = Run(merged(QUICK, workload={"phases": [READS]}), *arguments)
                self.assertEqual(run.code, 2)
                self.assertIn(message, run.errors)
                self.assertEqual(run.text, "")


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
