#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pages of `strobe explore` in Chromium.

Needs STROBE in the environment, the program under test, and an interpreter with the packages of the group explore.
"""
import re
import sys
import unittest

from browser import Browser as Chromium
from study_fixture import Directory, changed


class StudyBrowser(Directory):
    """The page of a study and those of its points, in Chromium."""

    def test_every_report_is_one_click_away(self):
        self.write("study.json", changed(parameters={"channels": {"key": "nand.channels", "values": [1, 2, 4]}},
                                         values={"pins": "channels * 17", "wait": "report('totals.all.latency.p99_ps')"},
                                         objectives={"pins": "min", "bandwidth": "max", "totals.read.latency.p50_ps": "min"}))
        self.explore("study.json")
        chromium = Chromium()
        drawn = chromium.run(self.dir, "--dump-dom", (self.out / "index.html").as_uri()).stdout
        excerpt = re.search(r'<div id="detail">(.*?)</div>', drawn, re.DOTALL)[1]
        for text in (r"totals\.read\.latency\.p50_ps [\d.]+ [um]s[,<]", r"wait [\d.]+ [um]s,", r"Mean use: .*host link [\d.]+ %", r"flash units [\d.]+ %"):
            self.assertRegex(excerpt, text)
        for width in (1280, 390):
            found = chromium.look(self.out / "index.html", width)
            console = [line for line in found["console"] if not re.search("WebGL|GL Driver", line)]  # parallel coordinates without a GPU
            self.assertEqual((console, found["errors"], found["requests"], found["overflow"]), ([], [], [], 0))
        links = [link for link in found["links"] if link.startswith(("reports/", "scenarios/"))]
        for number in (1, 2, 3):  # in the table; one of them also in the panel of the chosen drive
            for file in (f"reports/point-000{number}.html", f"scenarios/point-000{number}.json"):
                self.assertIn(file, links)
                self.assertTrue((self.out / file).is_file())
        self.assertEqual(len(links), 3 * 2 + 3)
        reports = self.out / "reports"
        self.assertLess((reports / "point-0001.html").stat().st_size, 1_000_000)
        found = chromium.look(reports / "point-0001.html", 1280, beside=[reports / "plotly.min.js"])
        self.assertEqual((found["console"], found["errors"], found["requests"], found["overflow"]), ([], [], [], 0))
        self.assertGreater(len(found["charts"]), 5)
        self.assertGreater(min(found["charts"].values()), 0)
        self.assertIn("point-0001.json", found["links"])
        # A page that is missing comes back, and is not made again otherwise.
        kept = (reports / "point-0002.html").stat().st_mtime_ns
        (reports / "point-0001.html").unlink()
        self.explore("study.json")
        self.assertTrue((reports / "point-0001.html").is_file())
        self.assertEqual((reports / "point-0002.html").stat().st_mtime_ns, kept)

    def test_a_phone_shows_pairs_of_parameters_without_scrolling_sideways(self):
        self.write("study.json", changed(parameters={
            "number_of_channels": {"key": "nand.channels", "values": [1, 2]}, "number_of_ways": {"key": "nand.ways", "values": [1, 2]}},
            values={"pins": "number_of_channels * (15 + 2 * number_of_ways)"}))
        self.explore("study.json")
        for is_dark in (False, True):
            found = Chromium().look(self.out / "index.html", 390, is_dark=is_dark)
            self.assertEqual((found["errors"], found["requests"], found["overflow"]), ([], [], 0))


if __name__ == "__main__":
    if sys.argv[1:] == ["StudyBrowser"] and not Chromium.is_there():
        print("chromium is missing: scripts/test installs it")
        sys.exit(77)
    unittest.main()
