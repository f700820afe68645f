#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Joined and suspended commands in whole drives: gains of multi-plane, cache and suspend, compared with closed forms.

Needs STROBE in the environment: the program under test.
"""
import unittest

from test_runs import Run, merged, phase

PAGE = 8192

# One die of two planes; bus and link are never the bottleneck of a single die.
DRIVE = {
    "name": "more bus",
    "nand": {"part": {"extends": "mlc-8k-2plane", "blocksPerPlane": 64, "maxBadBlocks": 2}, "channels": 1, "ways": 1},
    "channel": {"interface": "NV_DDR_5"},
    "memory": {"size": "64MiB", "bufferSize": "2MiB"},
    "firmware": {"overProvisioning": "20%"},
}
WRITE = phase("write", "sequential", blockSize="64KiB", volume="64MiB", pacing={"mode": "closed", "queueDepth": 8})
READ = [phase("fill", "sequential", blockSize="64KiB", volume="32MiB", precondition=True),
        phase("read", "sequential", blockSize="64KiB", readRatio="100%", volume="32MiB",
              pacing={"mode": "closed", "queueDepth": 8})]
MIX = [phase("fill", "sequential", blockSize="64KiB", volume="50%", precondition=True),
       phase("mix", "uniform", blockSize="8KiB", readRatio="50%", requests=6000,
             pacing={"mode": "open", "rate": "2000/s"})]

# NV_DDR_5: tCS 15, tCAD 45, tADL 400, tRR 20, tWHR 80, tCCS 500 ns; a page of 8,640 bytes at 5 ns a byte, 25 ns before
# data out, 10 before and 15 after data in.
DATA_IN, DATA_OUT = 10 + 43_200 + 15, 25 + 43_200
PROGRAM_REQUEST = 15 + 7 * 45 + 400 + DATA_IN
READ_REQUEST = 15 + 7 * 45
STATUS, PLANE_STATUS = 15 + 45 + 80 + 35, 15 + 4 * 45 + 80 + 35
PLANE_DATA_OUT = 15 + 7 * 45 + 500 + DATA_OUT
T_R, T_PROG, T_DBSY, T_RCBSY = 100_000, 1_300_000, 500, 3_000


def run(test, phases, **changes):
    done = Run(merged(DRIVE, **changes, workload={"phases": phases}))
    test.assertEqual(done.code, 0, done.errors)
    return done


def rate(done):
    """Bytes per nanosecond of all requests."""
    return done.report["totals"]["all"]["megabytes_per_second"] / 1000


class MultiPlane(unittest.TestCase):
    def test_programs_of_two_planes_nearly_double_the_rate(self):
        # Data that ends in the buffer makes both rates a little higher: 2 MiB of 64 MiB.
        single = rate(run(self, [WRITE]))
        double = rate(run(self, [WRITE], controller={"multiPlane": True}))
        one = PROGRAM_REQUEST + T_PROG + STATUS
        two = 2 * PROGRAM_REQUEST + T_DBSY + T_PROG + 2 * PLANE_STATUS
        self.assertAlmostEqual(single * one / PAGE, 1, delta=0.03)
        self.assertAlmostEqual(double * two / (2 * PAGE), 1, delta=0.03)
        self.assertAlmostEqual(double / single, 2 * one / two, delta=0.03)
        self.assertGreater(double / single, 1.9)

    def test_cache_commands_do_not_keep_planes_apart(self):
        drive = {"nand": {"channels": 2, "ways": 2}}
        phases = [phase("write", "sequential", blockSize="128KiB", volume="128MiB", pacing={"mode": "closed", "queueDepth": 32})]
        planes = rate(run(self, phases, **drive, controller={"multiPlane": True}))
        both = rate(run(self, phases, **drive, controller={"multiPlane": True, "cacheOperations": True, "unitDepth": 8}))
        self.assertAlmostEqual(both / planes, 1, delta=0.02)

    def test_reads_of_two_planes_take_tr_once(self):
        two = 2 * READ_REQUEST + T_DBSY + T_R + 20 + 2 * PLANE_DATA_OUT
        self.assertAlmostEqual(rate(run(self, READ, controller={"multiPlane": True})) * two / (2 * PAGE), 1, delta=0.03)

    def test_a_part_without_multi_plane_commands_gains_nothing(self):
        part = merged(DRIVE["nand"]["part"], multiPlane="none")
        phases = [merged(WRITE, volume="8MiB")]
        done = run(self, phases, nand={"part": part}, controller={"multiPlane": True})
        self.assertLess(rate(done), 1.4 * PAGE / (PROGRAM_REQUEST + T_PROG + STATUS))

    def test_planes_go_before_caches(self):
        planes = rate(run(self, [WRITE], controller={"multiPlane": True}))
        both = rate(run(self, [WRITE], controller={"multiPlane": True, "cacheOperations": True}))
        self.assertGreater(both, 0.99 * planes)


class Cache(unittest.TestCase):
    def test_a_cache_read_hides_the_data_behind_tr(self):
        plain = READ_REQUEST + T_R + 20 + 15 + DATA_OUT
        cached = max(READ_REQUEST + T_RCBSY + 20 + 15 + DATA_OUT, T_R + T_RCBSY)
        self.assertAlmostEqual(rate(run(self, READ)) * plain / PAGE, 1, delta=0.03)
        self.assertAlmostEqual(rate(run(self, READ, controller={"cacheOperations": True})) * cached / PAGE, 1, delta=0.03)

    def test_a_cache_read_hides_tr_behind_the_data(self):
        slow = {"channel": {"interface": "ONFI_SDR_5"}}  # 20 ns a byte: 172.8 us of data
        cached = 15 + 7 * 20 + T_RCBSY + 20 + 15 + 8_640 * 20
        self.assertAlmostEqual(rate(run(self, READ, **slow, controller={"cacheOperations": True})) * cached / PAGE, 1,
                               delta=0.03)

    def test_a_cache_program_hides_the_data_behind_tprog(self):
        slow = {"channel": {"interface": "ONFI_SDR_0"}}  # 100 ns a byte: 864 us of data
        one = 70 + 7 * 100 + 400 + 864_000 + T_PROG + 70 + 100 + 120 + 100
        plain = rate(run(self, [WRITE], **slow))
        cached = rate(run(self, [WRITE], **slow, controller={"cacheOperations": True}))
        self.assertAlmostEqual(plain * one / PAGE, 1, delta=0.04)
        self.assertAlmostEqual(cached / plain, one / (T_PROG + 3_000), delta=0.04)


class CachedPlanes(unittest.TestCase):
    def test_cache_programs_of_two_planes_hide_the_data_behind_tprog(self):
        part = merged(DRIVE["nand"]["part"], multiPlaneCache=True)
        slow = {"channel": {"interface": "ONFI_SDR_0"}, "controller": {"multiPlane": True, "cacheOperations": True, "unitDepth": 8}}
        request, status = 70 + 7 * 100 + 400 + 864_000, 70 + 4 * 100 + 120 + 100
        planes = 2 * request + T_DBSY + T_PROG + 2 * status
        cached = max(2 * (request + status) + T_DBSY + 3_000, T_PROG + 3_000)
        joined = run(self, [WRITE], **slow)
        chained = run(self, [WRITE], **slow, nand={"part": part})
        self.assertAlmostEqual(rate(joined) * planes / (2 * PAGE), 1, delta=0.04)
        self.assertAlmostEqual(rate(chained) * cached / (2 * PAGE), 1, delta=0.04)


class Suspend(unittest.TestCase):
    def test_reads_do_not_wait_for_programs(self):
        drive = {"nand": {"ways": 4}}
        waiting = run(self, MIX, **drive).report["totals"]["read"]["latency"]
        suspending = run(self, MIX, **drive, channel={"suspend": "both"}).report["totals"]["read"]["latency"]
        self.assertGreater(waiting["p99_ps"], 900_000_000)  # most of a program of 1.3 ms
        # Suspend, tPSUSP, read, data, ECC, link, and another operation's page on the bus now and then.
        self.assertLess(suspending["p99_ps"], 300_000_000)
        self.assertLess(suspending["mean_ps"], 0.8 * waiting["mean_ps"])

    def test_reads_suspend_only_what_may_be_suspended(self):
        drive = {"nand": {"ways": 4}}
        erases = run(self, MIX, **drive, channel={"suspend": "erase"}).report["totals"]["read"]["latency"]
        self.assertGreater(erases["p99_ps"], 900_000_000)

    def test_programs_end_despite_any_number_of_reads(self):
        phases = [MIX[0], phase("reads", "uniform", blockSize="8KiB", readRatio="90%", requests=6000,
                                pacing={"mode": "closed", "queueDepth": 32})]
        done = run(self, phases, channel={"suspend": "both"})
        self.assertEqual(done.report["totals"]["write"]["failed"], 0)

    def test_too_few_units_for_reads_are_a_mistake(self):
        done = Run(merged(DRIVE, channel={"suspend": "both"}, controller={"units": 1}, workload={"phases": [WRITE]}))
        self.assertEqual(done.code, 2)
        self.assertIn("/controller/units: reads that suspend need separate units: 1 dies need 2 units, not 1",
                      done.errors)


class PlaneReads(unittest.TestCase):
    """Reads that the planes of a die sense independently of each other."""
    PART = {"extends": "tlc-128l-4plane", "blocksPerPlane": 32, "pagesPerBlock": 96, "maxBadBlocks": 2}
    DRIVE = {"nand": {"part": PART}, "channel": {"interface": "NV_DDR3_15"}, "controller": {"multiPlane": True},
             "firmware": {"pageMap": {"mappingUnit": "4KiB"}, "spareBlocks": 1}, "host": {"interface": "direct"},
             "memory": {"size": "64MiB", "bufferSize": "8MiB"}}
    INDEPENDENT = {"nand": {"part": {**PART, "planeIndependentReads": True}}}
    READS = [phase("fill", "sequential", blockSize="64KiB", volume="100%", precondition="functional"),
             phase("reads", "uniform", blockSize="4KiB", readRatio="100%", requests=6000,
                   pacing={"mode": "closed", "queueDepth": 32})]

    def totals(self, phases, *changes):
        drive = merged(merged({}, **self.DRIVE), **merged({}, **changes[0]) if changes else {})
        done = run(self, phases, **drive)
        self.assertEqual(done.report["integrity"]["mismatches"], 0)
        return done.report

    def test_random_reads_of_one_die_use_all_four_planes(self):
        one, four = self.totals(self.READS), self.totals(self.READS, self.INDEPENDENT)
        gain = four["totals"]["read"]["iops"] / one["totals"]["read"]["iops"]
        self.assertGreater(gain, 2.5)
        self.assertLess(gain, 4)
        planes = four["flash"]["plane_reads"]
        self.assertNotIn("plane_reads", one["flash"])
        self.assertGreater(planes["overlapped"], 0.8 * planes["reads"])
        die = next(r for r in four["resources"] if r["group"] == "die")
        self.assertLessEqual(die["utilisation"], 1)
        self.assertGreater(planes["plane_busy_ps"], 2 * die["busy_ps"])

    def test_one_read_at_a_time_takes_only_the_commands_that_name_the_plane(self):
        reads = [self.READS[0], {**self.READS[1], "requests": 200, "pacing": {"mode": "closed", "queueDepth": 1}}]
        one, four = self.totals(reads), self.totals(reads, self.INDEPENDENT)
        middle = [report["totals"]["read"]["latency"]["p50_ps"] for report in (one, four)]
        self.assertGreater(middle[1], middle[0])
        self.assertLess(middle[1], middle[0] + 1_500_000)
        self.assertEqual(four["flash"]["plane_reads"]["overlapped"], 0)

    def test_reads_of_a_section_take_its_time(self):
        reads = [self.READS[0], {**self.READS[1], "requests": 200, "pacing": {"mode": "closed", "queueDepth": 1}}]
        snap = {"nand": {"part": {**self.PART, "snapRead": {"size": "4KiB", "tR": "26us"}}}}
        page, section = self.totals(reads), self.totals(reads, snap)
        saved = [report["totals"]["read"]["latency"]["p50_ps"] for report in (page, section)]
        self.assertAlmostEqual((saved[0] - saved[1]) / 1e6, 56 - 26, delta=8)  # page types differ
        self.assertGreater(section["flash"]["snap_reads"]["reads"], 190)
        self.assertNotIn("snap_reads", page["flash"])

    def test_a_mix_with_suspension_and_collection_loses_nothing(self):
        mix = [phase("fill", "sequential", blockSize="64KiB", volume="100%", precondition="functional"),
               phase("mix", "zipf", zipf={"theta": 0.9}, blockSize="4KiB", readRatio="60%", requests=8000,
                     pacing={"mode": "closed", "queueDepth": 32})]
        for suspend in ("none", "both"):
            report = self.totals(mix, {**self.INDEPENDENT, "channel": {"suspend": suspend}})
            self.assertGreater(report["flash"]["plane_reads"]["overlapped"], 500)


class Together(unittest.TestCase):
    def test_all_of_these_commands_with_garbage_collection_lose_nothing(self):
        small = {"nand": {"channels": 2, "ways": 2, "factoryBadBlocks": 1,
                          "part": {"extends": "tlc-16k-2plane", "blocksPerPlane": 24, "pagesPerBlock": 24,
                                   "maxBadBlocks": 2}},
                 "channel": {"interface": "NV_DDR3_8", "suspend": "both"},
                 "controller": {"multiPlane": True, "cacheOperations": True},
                 "firmware": {"overProvisioning": "30%", "spareBlocks": 1}}
        phases = [phase("fill", "sequential", blockSize="64KiB", volume="100%", precondition=True),
                  phase("mix", "zipf", zipf={"theta": 0.9}, blockSize="4KiB", readRatio="60%", requests=8000)]
        done = run(self, phases, **small)
        self.assertEqual(done.report["totals"]["read"]["failed"], 0)

    def test_runs_repeat(self):
        small = {"controller": {"multiPlane": True}, "channel": {"suspend": "both"}}
        self.assertEqual(run(self, MIX, **small).text, run(self, MIX, **small).text)


if __name__ == "__main__":
    unittest.main(verbosity=2)
