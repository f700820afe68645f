#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Separate command and address lines in whole drives: rates against closed forms, integrity, pins, and refusals.

Needs STROBE in the environment: the program under test.
"""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from test_runs import Run, merged, phase

STROBE = os.environ["STROBE"]
LINES = {"channel": {"separateCommandAddress": True}}
PART = {"extends": "tlc-128l-4plane", "blocksPerPlane": 32, "pagesPerBlock": 96, "maxBadBlocks": 2}
DRIVE = {"name": "separate lines", "nand": {"part": PART, "channels": 1, "ways": 2}, "channel": {"interface": "NV_DDR3_15"},
         "firmware": {"pageMap": {"mappingUnit": "4KiB"}, "spareBlocks": 1, "overProvisioning": "28%"}, "host": {"interface": "direct"},
         "memory": {"size": "64MiB", "bufferSize": "8MiB"}}
MIX = [phase("fill", "sequential", blockSize="64KiB", volume="100%", precondition="functional"),
       phase("mix", "zipf", zipf={"theta": 0.9}, blockSize="4KiB", readRatio="60%", requests=6000,
             pacing={"mode": "closed", "queueDepth": 32})]
# Reads of 4 KiB by 16 dies that sense in 2 us: the lines are the limit. No spare bytes.
DEVICE = {"name": "bus", "channel": {"interface": "NV_LPDDR4_19"},
          "nand": {"part": {"extends": "mlc-8k-2plane", "pageSize": "4KiB", "spareSize": "0B", "planes": 1, "tR": "2us",
                            "blocksPerPlane": 16, "maxBadBlocks": 0}, "channels": 1, "ways": 16},
          "operations": {"reads": 8000, "preparedBlocks": 4, "dies": "random", "queueDepth": 64}}
# tCS 20, tADL 400, tWHR 80, tCCS 300 ns; data strobes: 30 ns before data out. A packet takes 15 ns (CA_CLK 5 ns).
T_CS, T_CCS, DATA_OUT = 20, 300, 30 + 4096 * 0.833 / 2


def operations(**changes):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "s.json")
        file.write_text(json.dumps(merged(DEVICE, **changes)))
        done = subprocess.run([STROBE, "operations", str(file), "--json", "-"], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


class Rates(unittest.TestCase):
    def test_data_follows_data_and_a_shared_bus_adds_the_commands_of_each_read(self):
        shared, separate = operations(), operations(**LINES)
        per_read = [report["elapsed_ps"] / 8000 / 1000 for report in (shared, separate)]
        commands = T_CS + 7 * 25 + T_CS
        self.assertAlmostEqual(per_read[0] / (commands + DATA_OUT), 1, delta=0.01)
        self.assertAlmostEqual(per_read[1] / DATA_OUT, 1, delta=0.01)
        self.assertGreater(separate["bus_share"], 0.99)
        on_lines = (T_CS + 7 * 15) + (T_CS + 4 * 15) + 2 * (T_CS + 15)
        self.assertAlmostEqual(separate["command_lines_busy_ps"][0] / 8000 / 1000, on_lines, delta=0.5)
        self.assertNotIn("command_lines_share", shared)

    def test_a_slow_command_clock_is_the_limit(self):
        slow = operations(channel={"separateCommandAddress": True, "commandClock": "100ns"})
        on_lines = (T_CS + 7 * 300) + (T_CS + 4 * 300) + 2 * (T_CS + 300)
        per_read = slow["elapsed_ps"] / 8000 / 1000
        self.assertGreater(per_read / on_lines, 0.99)
        self.assertGreater(slow["command_lines_share"], 1.5 * slow["bus_share"])

    def test_one_read_alone_takes_the_selection_of_its_column_and_its_packets(self):
        one = [MIX[0],
               phase("read", "uniform", blockSize="4KiB", readRatio="100%", requests=100, pacing={"mode": "closed", "queueDepth": 1})]
        latencies = []
        for change in ({}, LINES):
            done = Run(merged(merged(DRIVE, **change), workload={"phases": one}))
            self.assertEqual(done.code, 0, done.errors)
            latencies.append(done.report["totals"]["read"]["latency"]["mean_ps"] / 1000)
        # Seven packets of 15 ns instead of cycles of 25, then four of 05h-E0h, tCCS, SCE and SCT.
        self.assertAlmostEqual(latencies[1] - latencies[0], -7 * 10 + 4 * 15 + T_CCS + 2 * (T_CS + 15), delta=40)


class Drives(unittest.TestCase):
    def test_a_mix_with_planes_caches_and_suspension_loses_nothing(self):
        for part in (PART, {**PART, "planeIndependentReads": True}):
            for controller in ({"multiPlane": True}, {"cacheOperations": True, "unitDepth": 8}):
                for suspend in ("none", "both"):
                    drive = merged(merged(DRIVE, **LINES), nand={"part": part}, controller=controller, channel={"suspend": suspend})
                    done = Run(merged(drive, workload={"phases": MIX}))
                    self.assertEqual(done.code, 0, done.errors)
                    self.assertEqual(done.report["integrity"]["mismatches"], 0)
                    groups = {row["group"]: row for row in done.report["groups"]}
                    for group in ("channel", "command-lines"):
                        self.assertGreater(groups[group]["mean_utilisation"], 0)
                        self.assertLessEqual(groups[group]["max_utilisation"], 1)

    def test_a_report_has_command_lines_only_with_the_option(self):
        done = Run(merged(DRIVE, workload={"phases": [merged(MIX[1], requests=100, readRatio="0%")]}))
        self.assertNotIn("command-lines", {row["group"] for row in done.report["groups"]})

    def test_the_stages_of_a_request_add_up_to_its_latency(self):
        done = Run(merged(merged(DRIVE, **LINES), workload={"phases": MIX}, report={"stages": True}))
        self.assertEqual(done.code, 0, done.errors)


class Pins(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def strobe(self, *arguments, drive=None):
        file = self.folder / "s.json"
        file.write_text(json.dumps(drive or merged(merged(DRIVE, **LINES), workload={"phases": MIX})))
        return subprocess.run([STROBE, *(str(file) if word == "SCENARIO" else str(word) for word in arguments)],
                              capture_output=True, text=True, check=False)

    def test_a_run_is_drawn_with_the_lengths_that_it_had(self):
        vcd = self.folder / "run.vcd"
        done = self.strobe("run", "SCENARIO", "--quiet", "--vcd", vcd, "--vcd-limit", 60)
        self.assertEqual(done.returncode, 0, done.stderr)
        text = vcd.read_text()
        for pin in ("CA_CE_n0", "CA0", "CA1", "CA_CLK", "RE_n", "DQS", "DQ"):
            self.assertRegex(text, rf"\$var wire \d+ \S+ {pin}( \[7:0\])? \$end")
        self.assertNotRegex(text, r"\$var wire \d+ \S+ (CLE|ALE|WE_n) ")

    def test_timing_and_waveform_show_which_lines_are_taken(self):
        timing = self.strobe("inspect", "timing", "SCENARIO")
        self.assertEqual(timing.returncode, 0, timing.stderr)
        self.assertIn("at 15 ns per command packet", timing.stdout)
        self.assertRegex(timing.stdout, r"read, \w+ page: unloaded \S+ us, of which CA is held for \d+ ns and DQ for \S+ us")
        self.assertRegex(timing.stdout, r"(?m)^  SCE +CA ")
        self.assertRegex(timing.stdout, r"(?m)^  data out +DQ ")
        waveform = self.strobe("inspect", "waveform", "read", "SCENARIO", "--bytes", 4)
        self.assertEqual(waveform.returncode, 0, waveform.stderr)
        self.assertRegex(waveform.stdout, r"(?m)^  CA_CLK +\S")
        self.assertRegex(waveform.stdout, r"(?m)^  SCT +bus")

    def test_interfaces_and_chips_without_such_lines_are_refused(self):
        for changes, message in (
                ({"channel": {"interface": "ONFI_SDR_5"}}, "ONFI_SDR_5 has no separate command and address lines; NV-DDR3 and NV-LPDDR4 have them"),
                ({"channel": {"interface": "NV_DDR2_10"}}, "NV_DDR2_10 has no separate command and address lines"),
                ({"nand": {"conventionalWays": 1}}, "only chips with a data strobe understand packets on separate command lines; "
                                                    "nand.conventionalWays is 1"),
                ({"channel": {"commandClock": "1ns"}}, "/channel/commandClock")):
            done = self.strobe("run", "SCENARIO", drive=merged(merged(merged(DRIVE, **LINES), workload={"phases": MIX}), **changes))
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(message, done.stderr)


if __name__ == "__main__":
    unittest.main()
