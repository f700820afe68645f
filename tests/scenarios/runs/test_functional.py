#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Functional preconditioning: no simulated time, every sector proven, and the steady state of a drive that was filled in time.

Needs STROBE in the environment: the program under test, with STROBE_SANITIZE=1 if it was built with sanitizers.
"""
import unittest
from statistics import mean

from functional_agreement import AGE, FILL, QUANTITIES, WORKLOADS, functional, pairs, report_of, run
from functional_agreement import SLC as DRIVE
from test_runs import figures_only

# The 99th percentile of so few requests differs by 5 per cent from seed to seed, so means are compared: the ratio of two means
# of 32 seeds has a standard error of 0.9 per cent (64 seeds: 0.4 per cent apart). Draws depend on the name of the phase.
SEEDS = 32
PHASES = {"random writes": "random", "70 % reads": "mixed", "sequential overwrite": "sequential"}


class Functional(unittest.TestCase):
    def test_a_functional_phase_takes_no_simulated_time_and_its_data_is_there(self):
        for ftl in ("page_map", "superblock_map"):
            drive = {**DRIVE, "firmware": {**DRIVE["firmware"], "ftl": ftl}}
            read = {"name": "read", "kind": "sequential", "blockSize": "64KiB", "readRatio": "100%", "volume": "100%"}
            age = {**functional(AGE), "volume": "20%", "readRatio": "30%", "trimRatio": "5%", "flushEvery": 100}
            report = report_of(drive, [functional(FILL), age, read])
            fill, aged, measured = report["phases"]
            self.assertTrue(fill["functional"] and aged["functional"], ftl)
            self.assertNotIn("functional", measured)
            self.assertEqual(fill["start_ps"], aged["end_ps"], ftl)
            self.assertEqual(aged["end_ps"], measured["start_ps"], ftl)
            self.assertEqual(report["integrity"]["mismatches"], 0, ftl)
            self.assertGreater(report["integrity"]["checked_sectors"], measured["totals"]["read"]["bytes"] // 512, ftl)
            self.assertEqual(measured["totals"]["read"]["failed"], 0, ftl)

    def test_a_host_may_keep_more_commands_outstanding_than_the_drive_has_slots(self):
        read = {"name": "read", "kind": "sequential", "blockSize": "64KiB", "readRatio": "100%", "volume": "100%"}
        for interface in ("nvme", "ahci"):
            drive = {**DRIVE, "host": {"interface": interface, "queueDepth": 2}}
            report = report_of(drive, [{**functional(FILL), "volume": "20%"}, read])
            self.assertEqual((report["errors"], report["integrity"]["mismatches"]), (False, 0), interface)

    def test_a_functional_phase_begins_though_firmware_has_much_to_do(self):
        firmware = {**DRIVE["firmware"], "pageMap": {"refresh": {"ageLimit": "1ms"}}, "costs": {"recover_entry": 3000}}
        report = report_of({**DRIVE, "firmware": firmware}, [functional(FILL), {"name": "mix", "kind": "uniform", "readRatio": "50%", "requests": 200}])
        self.assertEqual((report["errors"], report["phases"][1]["totals"]["all"]["requests"]), (False, 200))

    def test_a_functional_phase_follows_reads_of_single_planes(self):
        for part, mapping in (("mlc-16k-2plane", {}), ("tlc-128l-2plane", {"pslcCache": {"mode": "static", "size": "512KiB"}})):
            chip = {"extends": part, "blocksPerPlane": 24, "pagesPerBlock": 48, "maxBadBlocks": 1, "planeIndependentReads": True}
            drive = {"name": part, "nand": {"part": chip, "channels": 1, "ways": 1}, "memory": {"size": "96MiB", "bufferSize": "4MiB"},
                     "firmware": {"overProvisioning": "60%", "pageMap": {"badBlockScan": "scan", **mapping}}}
            report = report_of(drive, [{**functional(FILL), "volume": "20%"}, {"name": "read", "kind": "sequential", "readRatio": "100%", "volume": "20%"}])
            self.assertEqual((report["errors"], report["integrity"]["mismatches"]), (False, 0), part)
            self.assertGreater(report["integrity"]["checked_sectors"], 1000, part)

    @figures_only
    def test_the_steady_state_is_that_of_a_drive_filled_in_time(self):
        for name, phase in PHASES.items():
            reports = pairs(DRIVE, {**WORKLOADS[name](1), "name": phase}, range(SEEDS))
            for what, of in QUANTITIES.items():
                timed, quick = (mean(map(of, side)) for side in zip(*reports, strict=True))
                self.assertAlmostEqual(quick / timed, 1, delta=0.02, msg=f"{name}: {what}")

    @figures_only
    def test_data_is_where_a_fill_with_one_outstanding_command_puts_it(self):
        # Reads of a row of a die and less, without read-ahead: which die has the next row depends on when programs end.
        # The drive is that for which the bars below were set: which dies a deeper queue changes depends on the time of a program,
        # on the width of a superblock, and on whether commands of a deep queue reach firmware in order.
        drive = {"extends": "papers/real-drives/zn540-1tb-read", "nand": {"part": {"tPROG": "2.26ms"}}, "host": {"nvme": {"writeCommands": "all"}},
                 "firmware": {"pageMap": {"superblock": {"dies": 16}, "readAhead": {"streams": 0}}}}
        fill = {**FILL, "blockSize": "512KiB"}
        # Until the protected buffer is written out: reads suspend its programs.
        settle = {"name": "settle", "kind": "sequential", "blockSize": "64KiB", "readRatio": "100%", "maxTime": "200ms", "precondition": True}
        for size, differs_by in (("32KiB", 0.01), ("96KiB", 0.05)):
            read = {"name": "read", "kind": "sequential", "blockSize": size, "readRatio": "100%", "requests": 2000, "pacing": {"queueDepth": 1}}
            reports = [report_of(drive, [filled, settle, read])
                       for filled in (functional(fill), {**fill, "pacing": {"queueDepth": 1}}, fill)]
            self.assertEqual([report["flash"]["operations"]["total"]["programs"] for report in reports], [0, 0, 0])
            rates = [report["totals"]["all"]["megabytes_per_second"] for report in reports]
            self.assertAlmostEqual(rates[0] / rates[1], 1, delta=0.001, msg=size)
            self.assertGreater(abs(rates[2] / rates[1] - 1), differs_by,
                               "a deeper queue makes no difference: then this test shows little")

    def test_a_drive_filled_functionally_survives_a_power_cut(self):
        drive = {**DRIVE, "power": {"cuts": ["20ms"]}}
        report = report_of(drive, [functional(FILL), {"name": "mix", "kind": "uniform", "readRatio": "50%", "requests": 5000}])
        self.assertEqual(report["power"]["cuts"], 1)
        self.assertEqual(report["integrity"]["mismatches"], 0)

    def test_what_cannot_be_functional_is_refused_with_its_place(self):
        write = {"name": "write", "kind": "uniform", "requests": 10}
        cases = (
            (DRIVE, [{**FILL, "precondition": "quick"}, write],
             '/workload/phases/0/precondition: must be true, false or "functional", not "quick"'),
            (DRIVE, [write, functional(FILL)],
             "/workload/phases/1/precondition: functional phases come first, but 'write' before this one takes time"),
            (DRIVE, [{**functional(FILL), "maxTime": "1s"}, write],
             "/workload/phases/0/maxTime: no time passes in a functional phase: must be unlimited"),
            (DRIVE, [{**functional(FILL), "pacing": {"mode": "open", "rate": "100/s"}}, write],
             "/workload/phases/0/pacing/mode: no time passes in a functional phase: must be closed, not open"),
            (DRIVE, [{**functional(FILL), "pacing": {"thinkTime": "1us"}}, write],
             "/workload/phases/0/pacing/thinkTime: no time passes in a functional phase: must be 0"),
            (DRIVE, [{**functional(FILL), "drain": False}, write],
             "/workload/phases/0/drain: simulated time begins after a functional phase, so the drive must be drained: must be true"),
            ({**DRIVE, "firmware": {"mode": "rv32"}}, [functional(FILL), write],
             "/workload/phases/0/precondition: functional preconditioning runs native firmware, but /firmware/mode is rv32"),
            ({**DRIVE, "firmware": {"cores": 2}}, [functional(FILL), write],
             "/workload/phases/0/precondition: functional preconditioning runs firmware on one core, but /firmware/cores is 2"),
        )
        for drive, phases, message in cases:
            done = run(drive, phases)
            self.assertEqual(done.returncode, 2, message)
            self.assertIn(message, done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main()
