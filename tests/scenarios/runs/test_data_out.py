#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Data out with a separate clock in whole drives: calibration in firmware, and wrong calibrations that are detected.

Needs STROBE in the environment: the program under test; STROBE_RV32: whether firmware is built for the RV32 core.
"""
import os
import unittest

from test_runs import SMALL, Run, merged, phase

CHIPS = merged(SMALL, name="data out", channel={"interface": "ONFI_SDR_5", "calibration": {"enabled": True}},
               nand={"part": {"extends": "k9gag08u0m", "blocksPerPlane": 24, "pagesPerBlock": 16, "maxBadBlocks": 2,
                              "id": [79, 78, 70, 73]}},
               workload={"phases": [phase("fill", "sequential", blockSize="64KiB", volume="2MiB", precondition=True),
                                    phase("read", "uniform", region={"size": "2MiB"}, blockSize="4KiB", readRatio="100%",
                                          requests=400)]})
SUPERBLOCKS = {"firmware": {"ftl": "superblock_map", "overProvisioning": "50%"},
               "controller": {"foreground": True, "superchip": {"bus": 2, "chip": 2}, "units": 1}}


class DataOut(unittest.TestCase):
    def run_clean(self, **changes):
        run = Run(merged(CHIPS, **changes))
        self.assertEqual(run.code, 0, run.errors)
        self.assertEqual(run.report["integrity"]["mismatches"], 0)
        self.assertGreater(run.report["integrity"]["checked_sectors"], 1000)
        return run.report

    def test_each_die_gets_a_fast_clock_at_power_on_and_pages_come_faster(self):
        slow, fast = self.run_clean(channel={"calibration": None}), self.run_clean()
        self.assertNotIn("calibration", slow)
        dies = fast["calibration"]["dies"]
        self.assertEqual(len(dies), 4)
        for die in dies:
            self.assertEqual(die["cycle_ps"], 5000)
            self.assertGreater(die["sample_ps"], die["cycle_ps"])
            self.assertGreaterEqual(die["margin_ps"], 625)
            self.assertEqual(die["calibrations"], 1)
            self.assertLess(die["longest_ps"], 1e8)
        self.assertEqual(fast["calibration"]["pages_with_errors"], 0)
        self.assertGreater(fast["ready_ps"], slow["ready_ps"])
        self.assertLess(fast["totals"]["read"]["latency"]["mean_ps"], 0.7 * slow["totals"]["read"]["latency"]["mean_ps"])

    def test_the_base_clock_is_right_on_each_interface_that_can_be_calibrated(self):
        for name in ("ONFI_SDR_0", "ONFI_SDR_1", "ONFI_SDR_3"):
            self.run_clean(channel={"interface": name})

    def test_a_cpu_that_never_sleeps_still_calibrates_again(self):
        run = Run(merged(CHIPS, cpu={"clock": "10MHz"}, environment={"temperature": 0, "changes": [{"at": "100ms", "temperature": 70}]},
                         workload={"phases": [CHIPS["workload"]["phases"][0],
                                              {**CHIPS["workload"]["phases"][1], "requests": 12000, "pacing": {"queueDepth": 32}}]}))
        self.assertTrue(all(die["calibrations"] >= 2 for die in run.report["calibration"]["dies"]), run.report["calibration"])
        self.assertEqual(run.report["integrity"]["mismatches"], 0)

    def test_incompatible_settings_are_refused(self):
        for changes, words in (({"channel": {"suspend": "program"}}, "/channel/suspend: must be none with channel.calibration"),
                               ({"firmware": {"cores": 2}}, "/firmware/cores: must be 1 with channel.calibration"),
                               ({"environment": {"changes": [{"at": "5ms"}]}}, "/environment/changes/0/temperature")):
            run = Run(merged(CHIPS, **changes))
            self.assertEqual(run.code, 2, changes)
            self.assertIn(words, run.errors)

    def test_a_drift_after_the_calibration_is_found_by_ecc(self):
        run = Run(merged(CHIPS, channel={"calibration": {"drift": "3ns"}}))
        self.assertEqual(run.code, 1)
        self.assertGreater(run.report["calibration"]["pages_with_errors"], 0)
        self.assertGreater(run.report["totals"]["read"]["failed"], 0)
        self.assertEqual(run.report["integrity"]["mismatches"], 0)  # no wrong data was delivered

    def test_without_a_code_it_is_found_by_the_integrity_check(self):
        for data in ("tags", "bytes"):
            run = Run(merged(CHIPS, data=data, channel={"calibration": {"drift": "3ns"}},
                             controller={"ecc": {"correctableBits": 0}}))
            self.assertEqual(run.code, 1)
            self.assertGreater(run.report["integrity"]["mismatches"], 0)

    def test_wrong_bits_that_ecc_can_correct_change_nothing(self):
        # Late enough for the jitter to reach the end of some die's window; the code is strong enough for all of them.
        report = self.run_clean(channel={"calibration": {"drift": "1.6ns"}}, controller={"ecc": {"correctableBits": 1000}})
        self.assertGreater(report["calibration"]["pages_with_errors"], 0)
        self.assertGreater(report["flash"]["ecc"]["corrected_pages"], 0)
        self.assertEqual(report["failures"], [])

    def test_a_change_of_temperature_is_followed_by_a_calibration(self):
        changes = [{"at": "5ms", "temperature": 65}]
        report = self.run_clean(environment={"changes": changes})
        before = self.run_clean()
        for cold, hot in zip(before["calibration"]["dies"], report["calibration"]["dies"]):
            self.assertEqual(hot["calibrations"], 2)
            self.assertGreater(hot["sample_ps"], cold["sample_ps"])
        far = self.run_clean(environment={"changes": changes}, channel={"calibration": {"threshold": 50}})
        self.assertTrue(all(die["calibrations"] == 1 for die in far["calibration"]["dies"]))

    def test_superblock_mapping_calibrates_by_the_same_driver(self):
        report = self.run_clean(**SUPERBLOCKS)
        self.assertTrue(all(die["cycle_ps"] == 5000 for die in report["calibration"]["dies"]))

    @unittest.skipUnless(os.environ.get("STROBE_RV32") == "1", "no compiler for the core")
    def test_firmware_on_the_core_finds_the_same_settings(self):
        native = self.run_clean(environment={"changes": [{"at": "5ms", "temperature": 65}]})
        for layer in ({"firmware": {}}, SUPERBLOCKS):
            core = self.run_clean(**merged(layer, firmware={"mode": "rv32"}),
                                  environment={"changes": [{"at": "5ms", "temperature": 65}]})
            for a, b in zip(native["calibration"]["dies"], core["calibration"]["dies"]):
                self.assertEqual(a["cycle_ps"], b["cycle_ps"])
                self.assertLessEqual(abs(a["sample_ps"] - b["sample_ps"]), 625)  # random at the ends of the window

    def test_mistakes_say_what_is_allowed(self):
        for changes, said in (({"channel": {"interface": "PROPOSED"}}, "comes with a strobe"),
                              ({"channel": {"calibration": {"fastClock": "20ns"}}}, "is not below that of data out"),
                              ({"nand": {"part": {"extends": "k9gag08u0m", "id": []}}}, "an id of 4 bytes at least"),
                              ({"channel": {"calibration": {"enabled": False, "margin": 3}}}, "calibrated data out"),
                              ({"environment": {"changes": [{"at": "2ms", "temperature": 30}, {"at": "1ms", "temperature": 40}]}},
                               "in order of time")):
            run = Run(merged(CHIPS, **changes))
            self.assertEqual(run.code, 2, run.errors)
            self.assertIn(said, run.errors)


if __name__ == "__main__":
    unittest.main()
