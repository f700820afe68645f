#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Wear block by block and over time, and the script that draws it.

Needs STROBE in the environment: the program under test; STROBE_SANITIZE=1 if it was built with sanitizers.
"""
import csv
import json
import subprocess
import sys
import unittest
import xml.dom.minidom

from cli_support import ROOT, SMALL, Directory, strobe


class Wear(Directory):
    """Erase counts of every block, how they grew, and the script that draws them."""
    WORK = {"phases": [{"name": "w", "kind": "uniform", "region": {"size": "2MiB"}, "blockSize": "16KiB", "volume": "48MiB"}]}

    def setUp(self):
        super().setUp()
        self.scenario = self.write("s.json", {**SMALL, "workload": self.WORK, "report": {"wearEvery": "500ms"}})
        self.map, self.history, self.report = (self.dir / name for name in ("map.csv", "history.csv", "report.json"))

    def test_map_history_and_report_agree(self):
        done = strobe("run", self.scenario, "--wear-map", self.map, "--wear-history", self.history, "--json", self.report)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("points of history", done.stdout)
        wear = json.loads(self.report.read_text())["flash"]["wear"]
        blocks = list(csv.DictReader(self.map.read_text().splitlines()))
        self.assertEqual(len(blocks), 64)
        self.assertEqual(sum(int(block["erases"]) for block in blocks), wear["erases"])
        self.assertEqual(len([block for block in blocks if block["state"] == "factory bad"]), wear["factory_bad"])
        self.assertEqual([die["erases"] for die in wear["map"]],
                         [[int(b["erases"]) for b in blocks if b["position"] == die] for die in "01"])
        points = list(csv.DictReader(self.history.read_text().splitlines()))
        self.assertEqual(len(points), len(wear["history"]))
        self.assertEqual([float(point["time_us"]) for point in points[:-1]], [500000.0 * (n + 1) for n in range(len(points) - 1)])
        self.assertEqual(int(points[-1]["written_bytes"]), 48 << 20)
        self.assertGreater(int(points[-1]["erases"]), 100)
        # Blocks that hold the firmware's tables are not in the history.
        self.assertLessEqual(int(points[-1]["erases"]), wear["erases"])
        self.assertGreater(int(points[-1]["erases"]), 0.9 * wear["erases"])
        growth = [int(point["erases"]) for point in points]
        self.assertEqual(growth, sorted(growth))

    def test_recording_the_wear_changes_nothing_else(self):
        def totals(*arguments):
            done = strobe("run", self.scenario, "--json", "-", *arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
            report = json.loads(done.stdout)
            return report["totals"], report["resources"], report["simulated_ps"]
        self.assertEqual(totals(), totals("--set", "report.wearEvery=7ms", "--wear-map", self.map))

    def test_samples_that_are_due_while_there_is_no_power_are_one_sample(self):
        done = strobe("run", self.scenario, "--json", "-", "--set", "report.wearEvery=1ms", "--set", "workload.phases.0.volume=1MiB",
                      "--set", 'power={"cuts": ["5500us"], "offTime": "100ms"}')
        self.assertEqual(done.returncode, 0, done.stderr)
        times = [point["at_ps"] / 1e9 for point in json.loads(done.stdout)["flash"]["wear"]["history"]]
        self.assertEqual(times[:7], [1, 2, 3, 4, 5, 105.5, 106])

    def test_it_can_be_drawn(self):
        plot = ROOT / "scripts" / "plot-wear"
        strobe("run", self.scenario, "--set", "report.wearMap=true", "--json", self.report)
        svg = self.dir / "wear.svg"
        done = subprocess.run([sys.executable, "-B", plot, self.report, svg], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len([e for e in xml.dom.minidom.parse(str(svg)).getElementsByTagName("polyline")]), 4)
        strobe("run", self.small, "--json", self.report)
        done = subprocess.run([sys.executable, "-B", plot, self.report, svg], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("has no wear map", done.stderr)

    def test_a_history_that_the_scenario_does_not_record_is_refused(self):
        done = strobe("run", self.small, "--wear-history", self.history)
        self.assertEqual(done.returncode, 2)
        self.assertIn("report.wearEvery", done.stderr)
        self.assertFalse(self.history.exists())


if __name__ == "__main__":
    unittest.main()
