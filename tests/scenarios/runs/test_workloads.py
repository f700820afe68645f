#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The workloads that come with Strobe: they issue the requests that their pages describe, and every sector is verified.

Needs STROBE in the environment: the program under test.
"""
import json
import os
import subprocess
import unittest

STROBE = os.environ["STROBE"]


def report_of(name, *sets):
    done = subprocess.run([STROBE, "run", "workloads/" + name, "--json", "-", *[word for s in sets for word in ("--set", s)]],
                          capture_output=True, text=True, check=False, timeout=600)
    if done.returncode != 0:
        raise AssertionError(f"{name}: {done.stderr}")
    return json.loads(done.stdout)


def counts(report):
    return tuple(report["totals"].get(kind, {"requests": 0})["requests"] for kind in ("read", "write", "flush", "trim"))


class Workloads(unittest.TestCase):
    def test_recorded_phases_replay_every_request(self):
        for name, recorded in (("boot", (761, 54, 7, 1)), ("appload", (1340, 50, 8, 7)), ("general", (2132, 234, 28, 24)),
                               ("scan", (15870, 24, 5, 0)), ("filewrite", (2, 270, 5, 0))):
            report = report_of("debian-" + name)
            self.assertEqual(counts(report), recorded, name)
            self.assertEqual(report["integrity"]["mismatches"], 0)

    def test_synthetic_components_have_the_published_ratios_and_volumes(self):
        for name, ratio, volume in (("xp-startup", 0.9, None), ("application-loading", 0.83, None), ("general-usage", 0.6, None),
                                    ("virus-scan", 0.995, 600e6), ("file-write", 0, 680e6)):
            report = report_of("pc05-like-" + name)
            reads, writes, flushes, _ = counts(report)
            self.assertAlmostEqual(reads / (reads + writes), ratio, delta=0.015, msg=name)
            self.assertGreater(flushes, 0, name)
            if volume:
                self.assertAlmostEqual(report["totals"]["all"]["bytes"], volume, delta=600e3, msg=name)

    def test_the_transaction_mix_has_the_published_ratio_and_size(self):
        phase = "workload.phases."
        report = report_of("tpcc-like", phase + "0.region.size=64MB", phase + "1.region.size=64MB", phase + "1.requests=20000")
        reads, writes, _, _ = counts(report)
        self.assertAlmostEqual(reads / writes, 3.36, delta=0.12)
        self.assertEqual(report["totals"]["all"]["bytes"], 20000 * 2048)

    def test_the_write_share_of_the_iometer_mix_can_be_set(self):
        report = report_of("iometer-like", "workload.phases.1.readRatio=10%", "workload.phases.1.requests=5000")
        reads, writes, _, _ = counts(report)
        self.assertAlmostEqual(reads / (reads + writes), 0.1, delta=0.02)

    def test_no_score_is_printed(self):
        done = subprocess.run([STROBE, "run", "workloads/pc05-like-xp-startup"], capture_output=True, text=True, check=True)
        self.assertNotRegex(done.stdout.lower(), "score|pcmark")


if __name__ == "__main__":
    unittest.main()
