#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whole drives behind each host port: is the data proven, does the port's limit show where it should?

Needs STROBE in the environment: the program under test.
"""
import unittest

from test_runs import FILL, SMALL, Run, merged, phase

MIX = phase("mix", blockSize="4KiB", readRatio="60%", trimRatio="2%", flushEvery=50, requests=3000,
            pacing={"queueDepth": 32})


class Ports(unittest.TestCase):
    def clean(self, host, *phases, **more):
        run = Run(merged(SMALL, host={"generation": None, **host}, workload={"phases": list(phases)}, **more))
        self.assertEqual(run.code, 0, run.errors)
        self.assertEqual(run.report["integrity"]["mismatches"], 0)
        self.assertGreater(run.report["integrity"]["checked_sectors"], 0)
        self.assertEqual(run.report["failures"], [])
        return run.report

    def proven(self, host):
        for data in ("tags", "bytes"):
            with self.subTest(host=host, data=data):
                self.clean(host, FILL, MIX, data=data)

    def test_data_over_parallel_ata_is_proven(self):
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


if __name__ == "__main__":
    unittest.main()
