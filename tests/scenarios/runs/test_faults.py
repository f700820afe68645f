#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Planned faults of whole drives: what the drive does, what the host sees, how it is counted (docs/faults.md).

Needs STROBE in the environment: the program under test.
"""
import unittest

from test_runs import FILL, SMALL, Run, merged, phase

READ_BACK = phase("read back", "sequential", blockSize="64KiB", readRatio="100%", volume="100%")
WORK = {"phases": [FILL, phase("mix", "zipf", zipf={"theta": 0.9}, blockSize="4KiB", readRatio="50%", flushEvery=50, requests=2500),
                   READ_BACK]}
PAGES = merged(SMALL, host={"interface": "nvme"}, workload=WORK)
SUPERBLOCKS = merged(PAGES, firmware={"ftl": "superblock_map"}, nand={"part": {"pagesPerBlock": 4}})


class Faults(unittest.TestCase):
    def run_it(self, scenario, code=0, **faults):
        run = Run(merged(scenario, faults=faults))
        self.assertEqual(run.code, code, run.errors + str((run.report or {}).get("failures")))
        self.assertEqual(run.report["integrity"]["mismatches"], 0, run.report["integrity"]["details"])
        self.assertGreater(run.report["integrity"]["checked_sectors"], 1000)
        return run.report

    @staticmethod
    def failed(report, kind):
        return report["totals"].get(kind, {}).get("failed", 0)


class Flash(Faults):
    def test_single_failures_are_hidden_by_spare_blocks(self):
        for drive in (merged(PAGES, firmware={"spareBlocks": 3}), merged(SUPERBLOCKS, firmware={"spareBlocks": 3})):
            for kind, key in (("program-fail", "programs_failed"), ("erase-fail", "erases_failed")):
                with self.subTest(kind=kind, ftl=drive["firmware"].get("ftl")):
                    report = self.run_it(drive, flash=[{"kind": kind, "die": die, "count": 1, "at": "20ms"} for die in (0, 2)])
                    self.assertGreaterEqual(report["faults"]["flash"][key], 2)
                    self.assertEqual(report["flash"]["wear"]["failed"], 2)

    def test_failures_at_a_rate_use_up_the_spare_blocks_and_then_writes_are_refused(self):
        report = self.run_it(PAGES, code=1, flash=[{"kind": "program-fail", "rate": 0.02, "at": "20ms"}])
        self.assertGreater(report["faults"]["flash"]["programs_failed"], 1)
        self.assertGreater(self.failed(report, "write"), 0)
        self.assertEqual(self.failed(report, "read"), 0)  # all data is still readable
        self.assertTrue(any("read-only" in line for line in report["firmware"]["log"]))

    def test_bit_errors_are_corrected_retried_or_reported(self):
        corrected = self.run_it(PAGES, flash=[{"kind": "bit-errors", "bits": 20, "rate": 0.2}])
        self.assertGreater(corrected["faults"]["flash"]["reads_with_bit_errors"], 100)
        self.assertGreater(corrected["flash"]["ecc"]["corrected_pages"], 100)
        self.assertEqual(corrected["flash"]["ecc"]["uncorrectable_pages"], 0)
        reported = self.run_it(PAGES, code=1, flash=[{"kind": "bit-errors", "bits": 500, "block": 9, "die": 1}])
        self.assertGreater(reported["flash"]["ecc"]["uncorrectable_pages"], 0)
        self.assertGreater(self.failed(reported, "read"), 0)
        self.assertLess(self.failed(reported, "read"), reported["totals"]["read"]["requests"] / 4)
        self.assertEqual(self.failed(reported, "write"), 0)

    def test_dead_flash_is_reported_and_the_rest_stays_readable(self):
        for drive in (PAGES, SUPERBLOCKS):
            for place in ({"die": 1}, {"die": 0, "plane": 1}, {"die": 2, "block": 8}):
                with self.subTest(place=place, ftl=drive["firmware"].get("ftl")):
                    run = Run(merged(drive, faults={"flash": [{"kind": "dead", "at": "200ms", **place}]}))
                    self.assertIn(run.code, (0, 1), run.errors)
                    report = run.report
                    self.assertEqual(report["integrity"]["mismatches"], 0, report["integrity"]["details"])
                    reads = report["totals"]["read"]
                    flash = report["faults"]["flash"]
                    self.assertGreater(flash["reads_of_dead_flash"] + flash["copies_of_dead_flash"], 0)
                    self.assertLess(reads["failed"], reads["requests"])
                    if "block" not in place:
                        self.assertGreater(reads["failed"], 0)
                        self.assertTrue(any("read-only" in line for line in report["firmware"]["log"]))


    def test_parity_over_the_dies_of_a_superblock_loses_nothing_of_a_dead_die(self):
        drive = merged(PAGES, firmware={"overProvisioning": "55%", "pageMap": {"superblock": {"dies": 4, "parity": True}}})
        for more in ({}, {"data": "bytes"}, {"firmware": {"cores": 2}}, {"firmware": {"pageMap": {"superblock": {"joinPlanes": True}}}}):
            with self.subTest(more=more):
                run = Run(merged(merged(drive, **more), faults={"flash": [{"kind": "dead", "at": "60ms", "die": 1}]}))
                report = run.report
                self.assertEqual((report["integrity"]["mismatches"], self.failed(report, "read")), (0, 0), run.errors)
                self.assertGreater(report["faults"]["flash"]["reads_of_dead_flash"], 0)
                self.assertGreater(report["flash"]["parity"]["reconstructed"], 100)
                self.assertEqual(report["flash"]["parity"]["lost"], 0)
        self.run_it(drive, flash=[{"kind": "bit-errors", "bits": 500, "block": 9, "die": 1}])  # the host sees nothing

    def test_parity_survives_power_losses(self):
        drive = merged(PAGES, firmware={"overProvisioning": "55%", "pageMap": {"superblock": {"dies": 4, "parity": True}}},
                       power={"meanCutInterval": "20ms", "maxCuts": 10, "readBack": True})
        report = self.run_it(drive)
        self.assertGreater(report["power"]["cuts"], 5)
        self.assertEqual((report["power"]["sectors_unreadable"], report["flash"]["parity"]["lost"]), (0, 0))

    def test_dead_flash_ends_a_sequence_of_cache_reads_without_harm_to_firmware(self):
        run = Run({"name": "dead", "nand": {"part": {"extends": "tlc-128l-2plane", "pagesPerBlock": 6}, "channels": 1, "ways": 1},
                   "controller": {"cacheOperations": True}, "faults": {"flash": [{"kind": "dead", "at": "28841us"}]},
                   "workload": {"phases": [{"name": "fill", "volume": "20%"}]}})
        self.assertEqual(run.code, 1)
        self.assertNotIn("panic", run.errors)
        self.assertGreater(run.report["faults"]["flash"]["reads_of_dead_flash"], 0)


class Links(Faults):
    def test_errors_of_the_link_are_counted_and_change_no_data(self):
        for interface, errors in (("nvme", {"damaged": 0.02, "lost": 0.01}), ("sata", {"damaged": 0.1}), ("ahci", {"damaged": 0.1})):
            with self.subTest(interface=interface):
                report = self.run_it(merged(PAGES, host={"interface": interface}), link=errors)
                self.assertGreater(report["link"]["damaged"], 30)
                self.assertEqual(report["link"]["lost"] > 0, interface == "nvme")
                self.assertGreater(report["link"]["repeats_ps"], 0)


class Hosts(Faults):
    def test_resets_under_load_lose_nothing(self):
        for interface in ("nvme", "ahci"):
            for drive in (PAGES, SUPERBLOCKS):
                with self.subTest(interface=interface, ftl=drive["firmware"].get("ftl")):
                    report = self.run_it(merged(drive, host={"interface": interface}), host={"resets": ["8ms"], "meanResetInterval": "10ms"})
                    host = report["faults"]["host"]
                    self.assertGreater(host["resets"], 3)
                    self.assertGreater(host["commands_sent_again"], 0)
                    self.assertEqual([self.failed(report, kind) for kind in ("read", "write", "flush")], [0, 0, 0])

    def test_aborted_commands_are_sent_again(self):
        work = {"phases": [FILL, phase("long", blockSize="128KiB", readRatio="50%", requests=600, pacing={"queueDepth": 16}), READ_BACK]}
        report = self.run_it(merged(PAGES, workload=work, host={"nvme": {"memoryLatency": "5us"}}),
                             host={"meanAbortInterval": "100us"})
        host = report["faults"]["host"]
        self.assertGreater(host["aborts"], 50)
        self.assertGreater(host["commands_aborted"], 0)
        self.assertEqual(host["commands_sent_again"], host["commands_aborted"])

    def test_resets_and_power_losses_at_a_rate_together(self):
        drive = merged(PAGES, power={"meanCutInterval": "15ms", "maxCuts": 12, "offTime": "100us"})
        report = self.run_it(drive, host={"meanResetInterval": "4ms"}, link={"damaged": 0.01},
                             flash=[{"kind": "program-fail", "count": 1, "die": 3}])
        self.assertEqual(report["power"]["cuts"], 12)
        self.assertEqual(report["power"]["sectors_unreadable"], 0)
        self.assertGreater(report["faults"]["host"]["resets"], 3)


if __name__ == "__main__":
    unittest.main()
