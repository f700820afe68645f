#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Firmware on two cores: the host and the translation layer on one, the flash controller on the other. The same data and
the same work for the flash as on one core, natively and on the RV32 core.

Needs STROBE in the environment: the program under test.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from test_runs import figures_only

STROBE = os.environ["STROBE"]
IMAGES = pathlib.Path(STROBE).resolve().parent / "firmware"
MODES = ["native"] + (["rv32"] if (IMAGES / "strobe_firmware_page_map.elf").exists() else [])

PAGES = {
    "extends": "devices/sata-mlc-4x4.json",
    "nand": {"part": {"extends": "k9gag08u0m", "blocksPerPlane": 16, "maxBadBlocks": 1}, "channels": 2, "ways": 2},
    "firmware": {"overProvisioning": "25%", "spareBlocks": 1, "pageMap": {"gc": {"lowBlocks": 3, "idleBlocks": 0}}},
}
SUPERBLOCKS = {
    "extends": "papers/hydra/prototype-small.json",
    "nand": {"part": {"extends": "k9k8g08u0m", "blocksPerPlane": 48, "maxBadBlocks": 4}},
}
FILL = {"name": "fill", "kind": "sequential", "blockSize": "128KiB", "volume": "100%", "precondition": True}
ONE_BY_ONE = {"name": "one by one", "kind": "uniform", "blockSize": "4KiB", "readRatio": "50%", "requests": 200,
              "pacing": {"queueDepth": 1}}
MIXED = {"name": "mixed", "kind": "zipf", "zipf": {"theta": 0.9}, "blockSize": "8KiB", "readRatio": "20%", "trimRatio": "1%",
         "flushEvery": 100, "requests": 6000, "pacing": {"queueDepth": 16}}


def strobe(*arguments):
    return subprocess.run([STROBE, *arguments], capture_output=True, text=True, check=False, timeout=600)


class TwoCores(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def scenario(self, drive, phases, **changes):
        path = pathlib.Path(self.folder.name, "scenario.json")
        path.write_text(json.dumps({**drive, **changes, "name": "t", "workload": {"phases": phases}}))
        return str(path)

    def run_on(self, cores, scenario, mode, *arguments):
        done = strobe("run", scenario, "--json", "-", "--set", f"firmware.mode={mode}", "--set",
                      f"firmware.cores={cores}", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual(report["integrity"]["mismatches"], 0)
        return report

    def cpus(self, report):
        return {r["name"]: r["utilisation"] for r in report["resources"] if r["group"] == "cpu"}

    def test_one_request_at_a_time_gives_the_same_flash_operations_on_one_core_and_on_two(self):
        # Nothing overlaps: with an early completion, the CPU's time would decide which writes share a page.
        write_through = {**PAGES, "firmware": {**PAGES["firmware"], "completion": "write-through"}}
        for drive in (write_through, SUPERBLOCKS):
            scenario = self.scenario(drive, [ONE_BY_ONE])
            for mode in MODES:
                one, two = (self.run_on(cores, scenario, mode) for cores in (1, 2))
                for key in ("requests", "bytes"):
                    self.assertEqual(one["totals"]["all"][key], two["totals"]["all"][key])
                self.assertEqual(one["integrity"], two["integrity"])
                self.assertEqual(one["flash"]["operations"]["by_purpose"]["host"],
                                 two["flash"]["operations"]["by_purpose"]["host"])

    def test_data_survives_collection_trims_and_flushes_on_two_cores(self):
        scenario = self.scenario(PAGES, [FILL, MIXED])
        for mode in MODES:
            report = self.run_on(2, scenario, mode)
            self.assertEqual(report["totals"]["all"]["requests"], 6000)
            self.assertGreater(report["flash"]["operations"]["total"]["erases"], 10)
            self.assertGreater(report["integrity"]["checked_sectors"], 1000)

    @figures_only
    def test_merges_in_software_run_on_the_second_core_and_make_the_drive_faster(self):
        scenario = self.scenario(SUPERBLOCKS, [{**FILL, "volume": "60%", "precondition": False}])
        for mode in MODES:
            one, two = (self.run_on(cores, scenario, mode, "--set", "controller.backgroundUnits=software", "--set",
                                    "cpu.clock=20MHz") for cores in (1, 2))
            self.assertEqual(list(self.cpus(one)), ["cpu"])
            self.assertEqual(list(self.cpus(two)), ["cpu", "cpu 1"])
            self.assertGreater(self.cpus(two)["cpu 1"], 0.3)
            self.assertLess(self.cpus(two)["cpu"], self.cpus(one)["cpu"])
            self.assertGreater(two["totals"]["all"]["megabytes_per_second"],
                               1.1 * one["totals"]["all"]["megabytes_per_second"])
            merges = [r["flash"]["operations"]["by_purpose"]["merge"]["programs"] for r in (one, two)]
            self.assertAlmostEqual(merges[0], merges[1], delta=0.05 * merges[0])

    def test_flushed_data_survives_power_losses_on_two_cores(self):
        for drive in (PAGES, SUPERBLOCKS):
            scenario = self.scenario(drive, [{**MIXED, "flushEvery": 20, "trimRatio": "0%"}],
                                     power={"meanCutInterval": "20ms", "maxCuts": 4})
            for mode in MODES:
                report = self.run_on(2, scenario, mode)
                self.assertGreater(report["power"]["cuts"], 0)

    def test_the_same_run_twice_gives_the_same_report(self):
        scenario = self.scenario(PAGES, [ONE_BY_ONE])
        for mode in MODES:
            one, two = (self.run_on(2, scenario, mode) for _ in range(2))
            for report in (one, two):
                report.pop("host_time", None)
            self.assertEqual(one["totals"], two["totals"])
            self.assertEqual(one["resources"], two["resources"])

    def test_more_cores_than_two_are_refused(self):
        done = strobe("run", "quickstart", "--set", "firmware.cores=3")
        self.assertEqual(done.returncode, 2)
        self.assertIn("/firmware/cores", done.stderr)

    def test_the_memory_map_shows_the_second_core(self):
        text = strobe("inspect", "memory-map", "--set", "firmware.cores=2").stdout
        self.assertIn("0x02100000  interrupt controller 1", text)
        self.assertIn("0x02110000  timer 1", text)
        self.assertNotIn("timer 1", strobe("inspect", "memory-map").stdout)

    @unittest.skipUnless("rv32" in MODES, "no RV32 images were built")
    def test_a_profile_has_the_functions_of_both_cores(self):
        stacks = pathlib.Path(self.folder.name, "stacks")
        done = strobe("run", self.scenario(PAGES, [ONE_BY_ONE]), "--set", "firmware.mode=rv32", "--set",
                      "firmware.cores=2", "--profile", str(stacks))
        self.assertEqual(done.returncode, 0, done.stderr)
        cores = {line.split(";")[0] for line in stacks.read_text().splitlines()}
        self.assertEqual(cores, {"core 0", "core 1"})

    @unittest.skipUnless("rv32" in MODES, "no RV32 images were built")
    def test_an_image_whose_start_up_code_is_for_one_core_is_refused(self):
        done = strobe("run", "quickstart", "--firmware", str(IMAGES / "example_tiny_ftl.elf"), "--set", "firmware.cores=2")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, "^--set firmware.cores=2: /firmware/cores: the start-up code of ")

    @unittest.skipUnless("rv32" in MODES and shutil.which("gdb-multiarch"), "no RV32 images or no gdb-multiarch")
    def test_a_debugger_sees_both_cores_and_stops_in_each(self):
        run = subprocess.Popen([STROBE, "run", self.scenario(PAGES, [ONE_BY_ONE]), "--set", "firmware.mode=rv32",
                                "--set", "firmware.cores=2", "--gdb", "0"], stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
        self.addCleanup(run.stderr.close)
        self.addCleanup(run.kill)
        port = run.stderr.readline().rsplit(":", 1)[1].split("'")[0]
        commands = [f"target remote 127.0.0.1:{port}", "info threads", "break pump", "continue",
                    "thread", "delete", "break command_arrived", "continue", "thread", "kill"]
        arguments = [word for command in commands for word in ("-ex", command)]
        done = subprocess.run(["gdb-multiarch", "-q", "-batch", "-nx", str(IMAGES / "strobe_firmware_page_map.elf"),
                               *arguments], capture_output=True, text=True, check=False, timeout=120)
        self.assertRegex(done.stdout, r"Thread 1 .*cpu")
        self.assertRegex(done.stdout, r"Thread 2 .*cpu_1")
        self.assertEqual(re.findall(r"Current thread is (\d)", done.stdout), ["2", "1"], done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
