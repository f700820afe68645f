#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whole drives with each host port: the data is verified, and the port limits the rate where it should.

Needs STROBE in the environment: the program under test.
"""
import unittest

from test_runs import FILL, SMALL, Run, merged, phase

MIX = phase("mix", blockSize="4KiB", readRatio="60%", trimRatio="2%", flushEvery=50, requests=3000,
            pacing={"queueDepth": 32})
# Channels and memory that never limit a slow link.
FAST = {"nand": {"channels": 4, "ways": 4}, "channel": {"interface": "NV_DDR_5"},
        "memory": {"size": "64MiB", "bandwidth": "4GB/s"}, "cpu": {"clock": "2GHz"}}


class Ports(unittest.TestCase):
    def clean(self, host, *phases, **more):
        run = Run(merged(SMALL, host=host, workload={"phases": list(phases)}, **more))
        self.assertEqual(run.code, 0, run.errors)
        self.assertEqual(run.report["integrity"]["mismatches"], 0)
        self.assertGreater(run.report["integrity"]["checked_sectors"], 0)
        self.assertEqual(run.report["failures"], [])
        return run.report

    def proven(self, host):
        for data in ("tags", "bytes"):
            with self.subTest(host=host, data=data):
                self.clean(host, FILL, MIX, data=data)

    def test_data_over_parallel_ata_is_verified(self):
        self.proven({"interface": "pata"})

    def test_the_host_limits_a_parallel_ata_drive(self):
        read = phase("read", "sequential", blockSize="128KiB", readRatio="100%", requests=200)
        reports = {rate: self.clean({"interface": "pata", "pata": {"hostBandwidth": rate}}, FILL, read)
                   for rate in ("unlimited", "30MB/s")}
        rates = {rate: report["totals"]["read"]["megabytes_per_second"]
                 for rate, report in reports.items()}
        self.assertGreater(rates["unlimited"], 50)
        self.assertLess(rates["unlimited"], 100)
        self.assertGreater(rates["30MB/s"], 25)
        self.assertLess(rates["30MB/s"], 30)

    def test_data_over_nvme_is_verified(self):
        self.proven({"interface": "nvme"})
        self.proven({"interface": "nvme", "queueDepth": 4, "nvme": {
            "generation": "gen1", "lanes": 1, "maxPayload": "128B", "queues": 3, "queueEntries": 16,
            "arbitration": "weighted", "classes": {"urgent": 1, "high": 1}, "coalesce": 4, "coalesceTime": "100us",
            "submit": "1us", "interrupt": "2us", "cpuTime": "3us", "maxTransfer": "16KiB"}})

    def test_data_over_ahci_is_verified(self):
        self.proven({"interface": "ahci"})

    def test_ahci_registers_that_take_no_time_leave_sata_as_it_is(self):
        free = dict.fromkeys(("registerWrite", "registerRead", "memoryLatency"), "0s")
        ahci, sata = (self.clean(host, FILL, MIX)
                      for host in ({"interface": "ahci", "ahci": free}, {"interface": "sata"}))
        self.assertEqual(ahci["totals"], sata["totals"])
        # One read at a time: among many, a read's wait for flash hides the registers.
        read = phase("read", "sequential", blockSize="4KiB", readRatio="100%", requests=100, pacing={"queueDepth": 1})
        slower, sata = (self.clean(host, FILL, read) for host in ({"interface": "ahci"}, {"interface": "sata"}))
        self.assertGreater(slower["totals"]["read"]["latency"]["mean_ps"], sata["totals"]["read"]["latency"]["mean_ps"])

    def test_an_nvme_link_limits_by_generation_lanes_and_payload(self):
        # The drive fills its buffer faster than the link: reads of 4 KiB from a wide drive.
        read = phase("read", "sequential", blockSize="128KiB", readRatio="100%", requests=300, pacing={"queueDepth": 32})
        for payload, share in (("128B", 128 / 152), ("256B", 256 / 280)):
            report = self.clean({"interface": "nvme", "nvme": {"generation": "gen1", "lanes": 1, "maxPayload": payload}},
                                FILL, read, **FAST)
            self.assertAlmostEqual(report["totals"]["read"]["megabytes_per_second"], 250 * share, delta=250 * share * 0.02)

    def test_commands_of_each_class_are_counted(self):
        report = self.clean({"interface": "nvme", "nvme": {"queues": 4, "arbitration": "weighted",
                                                            "classes": {"urgent": 1, "high": 1, "medium": 1}}}, FILL, MIX)
        link = report["link"]
        self.assertEqual(sum(link["commands_" + c] for c in ("urgent", "high", "medium", "low")), link["commands_fetched"])
        self.assertTrue(all(link["commands_" + c] > 0 for c in ("urgent", "high", "medium", "low")), link)


if __name__ == "__main__":
    unittest.main()
