#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whole drives, run as by a user: the data is verified, figures agree with closed forms, runs are repeatable.

Needs STROBE in the environment: the program under test; STROBE_SANITIZE=1 if it was built with sanitizers.
"""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

STROBE = os.environ["STROBE"]
# With sanitizers a run takes four times as long. They look for mistakes in code that runs, however often and with which figures.
SANITIZED = os.environ.get("STROBE_SANITIZE") == "1"
figures_only = unittest.skipIf(SANITIZED, "compares figures, which are the same in every build")

# A small drive whose garbage collection is reached quickly: 2 x 2 dies of 2 planes, 24 blocks of 16 pages each.
SMALL = {
    "extends": "devices/sata-mlc-4x4",
    "name": "small",
    "nand": {"channels": 2, "ways": 2, "factoryBadBlocks": 1,
             "part": {"extends": "k9gag08u0m", "blocksPerPlane": 24, "pagesPerBlock": 16, "maxBadBlocks": 2}},
    "memory": {"size": "32MiB", "bufferSize": "2MiB"},
    "firmware": {"overProvisioning": "30%", "spareBlocks": 1,
                 "pageMap": {"writeBufferPages": 64, "gc": {"lowBlocks": 2, "idleBlocks": 3}}},
}


def phase(name, kind="uniform", **more):
    return {"name": name, "kind": kind, **more}


FILL = phase("fill", "sequential", blockSize="64KiB", volume="100%", precondition=True)
MIX = phase("mix", "zipf", zipf={"theta": 0.9}, blockSize="4KiB", readRatio="60%", requests=12000)


class Run:
    """One run: exit code, text on stderr and the report."""

    def __init__(self, scenario, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "scenario.json"
            file.write_text(json.dumps(scenario))
            report = pathlib.Path(folder) / "report.json"
            done = subprocess.run([STROBE, "run", str(file), "--quiet", "--json", str(report), *arguments],
                                  capture_output=True, text=True, check=False)
            self.code, self.errors = done.returncode, done.stderr
            self.text = report.read_text() if report.exists() else ""
            self.report = json.loads(self.text) if self.text else None


def merged(base, **changes):
    result = dict(base)
    for key, value in changes.items():
        result[key] = merged(result[key], **value) if isinstance(value, dict) and isinstance(result.get(key), dict) else value
    return result


def operations(report, purpose="total"):
    flash = report["flash"]["operations"]
    return flash["total"] if purpose == "total" else flash["by_purpose"][purpose]


class Proof(unittest.TestCase):
    def run_clean(self, scenario, *arguments):
        run = Run(scenario, *arguments)
        self.assertEqual(run.code, 0, run.errors)
        self.assertEqual(run.report["integrity"]["mismatches"], 0)
        self.assertEqual(run.report["failures"], [])
        return run

    def test_data_is_verified_while_garbage_collection_runs(self):
        for policy in ("greedy", "cost-benefit"):
            for completion in ("write-back", "write-through"):
                for copy_back in (False, True):
                    with self.subTest(policy=policy, completion=completion, copyBack=copy_back):
                        scenario = merged(SMALL, workload={"phases": [FILL, MIX]},
                                          firmware={"completion": completion,
                                                    "pageMap": {"gc": {"policy": policy, "copyBack": copy_back}}})
                        report = self.run_clean(scenario).report
                        collected = operations(report, "garbage_collection")
                        self.assertGreater(collected["erases"], 10)
                        self.assertGreater(collected["copy_backs" if copy_back else "programs"], 100)
                        self.assertGreater(report["integrity"]["checked_sectors"], 10000)

    def test_a_lost_mapping_update_is_detected(self):
        run = Run(merged(SMALL, workload={"phases": [FILL, MIX]}, firmware={"image": "page_map_lossy"}))
        self.assertEqual(run.code, 1)
        self.assertGreater(run.report["integrity"]["mismatches"], 0)
        self.assertRegex(run.report["integrity"]["details"][0], r"(stale|lost)")

    def test_trims_flushes_and_odd_sizes_are_verified(self):
        phases = [FILL,
                  phase("odd", blockSize="1536B", alignment="512B", readRatio="40%", trimRatio="10%", flushEvery=7,
                        requests=6000),
                  phase("read back", "sequential", blockSize="64KiB", readRatio="100%", volume="100%")]
        report = self.run_clean(merged(SMALL, workload={"phases": phases})).report
        self.assertGreater(report["totals"]["trim"]["requests"], 100)
        self.assertGreater(report["totals"]["flush"]["requests"], 100)
        self.assertGreater(operations(report, "merge")["reads"], 100)

    def run_with_worn_blocks(self, at):
        """Block 5 of each die fails from this time on. Returns the report, and how each failure ended: (die, what)."""
        worn = [{"die": die, "block": 5, "at": at} for die in range(4)]
        run = Run(merged(SMALL, nand={"wornBlocks": worn}, report={"wearMap": True}, workload={"phases": [
            FILL, MIX, phase("read back", "sequential", blockSize="64KiB", readRatio="100%", volume="100%")]}))
        self.assertEqual(run.code, 0, run.errors)
        report = run.report
        self.assertEqual(report["integrity"]["mismatches"], 0)
        failures = {failure["kind"]: failure for failure in report["failures"]}
        self.assertEqual(list(failures), ["flash operation failed"])
        details = failures["flash operation failed"]["details"]
        self.assertEqual(failures["flash operation failed"]["count"], len(details))
        found = [re.search(r"(program|erase) of die (\d+) block 5\b", text) for text in details]
        self.assertTrue(all(found), details)
        return report, sorted((int(match[2]), match[1]) for match in found)

    def test_a_block_whose_program_fails_is_never_used_again(self):
        report, failures = self.run_with_worn_blocks("5ms")
        self.assertEqual(failures, [(die, "program") for die in range(4)])  # each block fails once, then it is retired
        for die in report["flash"]["wear"]["map"]:
            self.assertEqual(die["failed"], [5])
            self.assertEqual(die["erases"][5], 0)
        self.assertEqual(report["flash"]["wear"]["failed"], 4)

    def test_a_block_whose_erase_fails_is_never_used_again(self):
        report, failures = self.run_with_worn_blocks("80ms")  # after the fill: the blocks hold data
        self.assertGreater(len(failures), 1)
        self.assertEqual(failures, [(die, "erase") for die, _ in failures])
        self.assertEqual(len(set(failures)), len(failures))  # none fails twice
        for number, die in enumerate(report["flash"]["wear"]["map"]):
            self.assertEqual(die["failed"], [5] if (number, "erase") in failures else [])

    def test_the_same_seed_gives_the_same_bytes_and_another_seed_does_not(self):
        scenario = merged(SMALL, workload={"phases": [FILL, merged(MIX, requests=3000)]})
        first, second, other = Run(scenario), Run(scenario), Run(scenario, "--seed", "7")
        self.assertEqual(first.text, second.text)  # the whole file, to the byte
        self.assertNotEqual(first.text, other.text)

    def test_the_data_mode_changes_what_is_verified_but_no_time(self):
        scenario = merged(SMALL, workload={"phases": [FILL, merged(MIX, requests=3000)]})
        tags, real, none = (self.run_clean(scenario, "--data", mode).report for mode in ("tags", "bytes", "none"))
        self.assertEqual(tags["simulated_ps"], real["simulated_ps"])
        self.assertEqual(tags["simulated_ps"], none["simulated_ps"])
        self.assertEqual(tags["totals"], real["totals"])
        self.assertEqual(tags["totals"], none["totals"])
        self.assertEqual(tags["integrity"]["checked_sectors"], real["integrity"]["checked_sectors"])


# One channel of the SLC part; the link is faster than its bus.
CHANNEL = {
    "extends": "devices/sata-slc-4x4",
    "name": "channel",
    "nand": {"part": {"extends": "k9f1g08u0a", "blocksPerPlane": 128, "maxBadBlocks": 1}, "channels": 1, "ways": 16,
             "factoryBadBlocks": 0},
    "host": {"sata": {"generation": "6Gb/s"}},
    "memory": {"bandwidth": "3.2GB/s"},
    "cpu": {"clock": "2GHz"},
    "firmware": {"pageMap": {"gc": {"idleBlocks": 0}}},
}
PERIOD_PS = {"CONV": 19814, "SYNC_ONLY": 12000, "PROPOSED": 12000}
BYTES_PER_CYCLE = {"CONV": 1, "SYNC_ONLY": 1, "PROPOSED": 2}
PAGE, SPARE, CYCLES = 2048, 64, 6  # K9F1G08U0A: 2 commands, 4 address cycles
T_R, T_PROG = 25_000_000, 200_000_000


def page_data_ps(interface):
    return (PAGE + SPARE) * PERIOD_PS[interface] // BYTES_PER_CYCLE[interface]


class ClosedForms(unittest.TestCase):
    """Bounds that need no simulator. Waits (tCS, tWB, …) and status cycles are switched off or added by hand."""

    def drive(self, interface, ways, **more):
        return merged(CHANNEL, nand={"ways": ways}, channel={
            "interface": interface, "clock": "minimum", "tCS": "0ns", "tADL": "0ns", "tWB": "0ns", "tRR": "0ns",
            "tWHR": "0ns", "statusAfterArray": False, "statusPollDelay": "0ns"},
            firmware={"completion": "write-through"}, **more)

    def test_saturated_reads_run_at_the_rate_of_the_bus(self):
        for interface in PERIOD_PS:
            with self.subTest(interface=interface):
                phases = [merged(FILL, volume="64MiB"),
                          phase("read", "sequential", region={"size": "64MiB"}, blockSize="64KiB", readRatio="100%",
                                volume="32MiB")]
                report = Run(self.drive(interface, 16, workload={"phases": phases})).report
                bound = PAGE / ((CYCLES * PERIOD_PS[interface] + page_data_ps(interface)) * 1e-12) / 1e6
                self.assertAlmostEqual(report["totals"]["read"]["megabytes_per_second"] / bound, 1, delta=0.01)

    def test_saturated_writes_run_at_the_rate_of_the_dies(self):
        for interface in PERIOD_PS:
            with self.subTest(interface=interface):
                phases = [phase("write", "sequential", blockSize="64KiB", volume="8MiB")]
                report = Run(self.drive(interface, 1, workload={"phases": phases})).report
                page = T_PROG + CYCLES * PERIOD_PS[interface] + page_data_ps(interface)
                bound = PAGE / (page * 1e-12) / 1e6
                self.assertAlmostEqual(report["totals"]["write"]["megabytes_per_second"] / bound, 1, delta=0.01)

    def test_operations_and_bytes_are_conserved(self):
        phases = [phase("write", "sequential", blockSize="64KiB", volume="16MiB"),
                  phase("read", "sequential", blockSize="64KiB", readRatio="100%", volume="16MiB")]
        report = Run(self.drive("PROPOSED", 8, workload={"phases": phases})).report
        pages = 16 * 2**20 // PAGE
        self.assertEqual(operations(report)["programs"], pages)
        self.assertEqual(operations(report)["reads"], pages)
        self.assertEqual(operations(report)["erases"], 0)
        self.assertEqual(report["totals"]["read"]["bytes"], report["totals"]["write"]["bytes"])
        self.assertEqual(report["flash"]["write_amplification"], 1)
        self.assertEqual(report["integrity"]["checked_sectors"], 16 * 2**20 // 512)

    def test_an_unloaded_read_takes_its_flash_time_and_little_more(self):
        for interface in PERIOD_PS:
            with self.subTest(interface=interface):
                phases = [merged(FILL, volume="16MiB"),
                          phase("read", region={"size": "16MiB"}, blockSize="2KiB", readRatio="100%", requests=500,
                                pacing={"mode": "closed", "queueDepth": 1})]
                report = Run(self.drive(interface, 16, workload={"phases": phases})).report
                flash = T_R + CYCLES * PERIOD_PS[interface] + page_data_ps(interface)
                latency = report["totals"]["read"]["latency"]
                self.assertGreater(latency["min_ps"], flash)
                self.assertLess(latency["max_ps"], flash + 20_000_000)  # link, firmware, memory, ECC


class Soak(unittest.TestCase):
    """The long one: a million mixed requests on a full drive of 8 x 4 dies under garbage collection."""

    def test_a_million_requests_lose_nothing_and_repeat(self):
        first, second = Run({"extends": "workloads/soak-1m"}), Run({"extends": "workloads/soak-1m"})
        self.assertEqual(first.code, 0, first.errors)
        report = first.report
        self.assertEqual(report["totals"]["all"]["requests"], 1_000_000)
        self.assertEqual(report["integrity"]["mismatches"], 0)
        self.assertEqual(report["failures"], [])
        self.assertGreater(report["integrity"]["checked_sectors"], 5_000_000)
        self.assertGreater(operations(report, "garbage_collection")["erases"], 1000)
        self.assertEqual(first.text, second.text)


if __name__ == "__main__":
    unittest.main()
