#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Effects of a scenario's flash unit settings: interleaving, the foreground unit, superchip degrees.

Needs STROBE in the environment: the program under test.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

STROBE = os.environ["STROBE"]


def run(*sets, expected=0):
    """The report of a small drive with reads at queue depth 16; stderr if the run is expected to fail."""
    scenario = {
        "extends": "devices/sata-mlc-4x4", "name": "units",
        "nand": {"channels": 2, "ways": 2, "factoryBadBlocks": 1,
                 "part": {"extends": "k9gag08u0m", "blocksPerPlane": 24, "pagesPerBlock": 16, "maxBadBlocks": 2}},
        "memory": {"size": "32MiB", "bufferSize": "2MiB"},
        "firmware": {"overProvisioning": "30%", "pageMap": {"writeBufferPages": 64}, "spareBlocks": 1},
        "workload": {"phases": [{"name": "fill", "kind": "sequential", "blockSize": "64KiB", "volume": "50%",
                                 "precondition": True},
                                {"name": "mix", "kind": "uniform", "blockSize": "4KiB", "readRatio": "50%",
                                 "region": {"size": "4MiB"}, "requests": 1500,
                                 "pacing": {"mode": "closed", "queueDepth": 16}}]}}
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "scenario.json"
        file.write_text(json.dumps(scenario))
        report = pathlib.Path(folder) / "report.json"
        arguments = [argument for text in sets for argument in ("--set", text)]
        done = subprocess.run([STROBE, "run", str(file), "--json", str(report), *arguments], capture_output=True,
                              text=True, check=False)
        assert done.returncode == expected, f"exit code {done.returncode}: {done.stderr}"
        return (json.loads(report.read_text()), done.stdout) if expected == 0 else done.stderr


def names(report):
    return [resource["name"] for resource in report["resources"]]


class Units(unittest.TestCase):
    def test_coarse_interleaving_reads_the_same_data_in_more_time(self):
        fine, _ = run()
        coarse, _ = run("controller.interleaving=coarse")
        for report in (fine, coarse):
            self.assertEqual(report["integrity"]["mismatches"], 0)
        self.assertGreater(coarse["measured_ps"], 1.3 * fine["measured_ps"])

    def test_an_unused_foreground_unit_is_reported_and_changes_nothing(self):
        without, _ = run()
        beside, text = run("controller.foreground=true")
        self.assertNotIn("foreground unit", names(without))
        self.assertIn("foreground unit", names(beside))
        self.assertNotIn("foreground", without["flash"])
        self.assertEqual(beside["flash"]["foreground"]["operations_with_priority"], 0)
        self.assertIn("operations with priority", text)
        self.assertEqual(without["measured_ps"], beside["measured_ps"])

    def test_page_mapping_refuses_superchips(self):
        self.assertIn("superchips of 1 x 1 only", run("controller.superchip.bus=2", expected=2))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
