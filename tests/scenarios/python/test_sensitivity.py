#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`strobe explore --sensitivity`.

Needs STROBE in the environment, the program under test, and an interpreter with the packages of the group explore.
"""
import html
import json
import math
import pathlib
import re
import types
import unittest

from browser import Browser
from study_fixture import DRIVE, Directory

from strobe.explore import points, sensitivity

# The names at the points of the chart of Morris screening, and how many pairs of them cover each other.
NAMES = """<script>
setTimeout(() => {
    const texts = [...document.querySelectorAll(".textpoint text")].filter((text) => text.textContent !== "");
    const boxes = texts.map((text) => text.getBoundingClientRect());
    const covers = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    const pairs = boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => covers(a, b)));
    document.documentElement.setAttribute("data-found", JSON.stringify({names: texts.map((text) => text.textContent), covered: pairs.length}));
}, 1500);
</script>"""


class Sensitivity(Directory):
    def test_the_parameter_that_decides_is_ranked_first(self):
        self.write("drive.json", {**DRIVE, "cpu": {"clock": "10MHz"}, "workload": {"phases": [
            {**DRIVE["workload"]["phases"][0], "requests": 60}]}})
        done = self.explore("--sensitivity", "drive.json", "--paths", "2", "-o", "out")
        ranking = json.loads((self.dir / "out" / "sensitivity.json").read_text())["iops"]
        self.assertEqual(ranking[0]["parameter"], "cpu.clock")
        self.assertGreater(ranking[0]["changes"]["20MHz"], 0.3)
        self.assertLess(ranking[0]["changes"]["5MHz"], -0.3)
        self.assertGreater(len(ranking), 40)
        self.assertRegex(done.stdout, r"cpu\.clock +10MHz +.*5MHz: -\d+")
        self.assertIn("cpu.clock", (self.dir / "out" / "index.html").read_text())
        self.assertIn("0 runs simulated", self.explore("--sensitivity", "drive.json", "--paths", "2", "-o", "out").stdout)

    def test_morris_screening_finds_size_and_interaction(self):
        items = [sensitivity.Varied("alone", 10, 5, 20), sensitivity.Varied("paired", "10us", "5us", "20us"),
                 sensitivity.Varied("switch", False, None, None, (False, True)), sensitivity.Varied("useless", 1.0, 0.5, 2.0)]
        morris = sensitivity.Morris(items, 10)

        def point(values):
            switch = values.get("switch", False)
            value = 100 + 8 * math.log2(values.get("alone", 10)) + switch * float(values.get("paired", "10us").removesuffix("us"))
            return points.Point(1, values, "ok", "", {"iops": points.Measured(value, value, value)})

        known = {points.identity(values): point(values) for values in [{}, *morris.points]}
        effects = [sensitivity.Effect(item.key, item.base, {}) for item in items]
        self.assertEqual(morris.analyse(known, "iops", effects), 10)
        alone, paired, switch, useless = effects
        self.assertEqual(useless.mu_star, 0)
        self.assertAlmostEqual(alone.mu_star * point({}).measured["iops"].mean, 16, delta=4)  # 8 log2(20 / 5), values are whole
        self.assertGreater(switch.sigma, alone.sigma)
        self.assertGreater(paired.sigma, alone.sigma)
        self.assertIn("switch = false", sensitivity.charts({"iops": effects})[0]["keys"])  # as a scenario writes it
        del known[points.identity(morris.points[0])]
        self.assertLess(morris.analyse(known, "iops", effects), 10)

    @unittest.skipUnless(Browser.is_there(), "needs chromium")
    def test_names_at_the_points_of_the_chart_do_not_cover_each_other(self):
        sizes = [0.9, 0.7, 0.3, *(0.01 - 0.001 * i for i in range(9))]  # nine of them at one place
        effects = [sensitivity.Effect(f"group.parameter{i}", i, {}, size, size / 2) for i, size in enumerate(sizes)]
        study = types.SimpleNamespace(name="sensitivity", description="", scenario="drive.json")
        page = sensitivity.html(study, {"iops": effects}).replace("</body>", NAMES + "</body>")
        self.write("page.html", page)
        done = Browser().run(self.dir, "--window-size=1280,1000", "--dump-dom", pathlib.Path(self.dir, "page.html").as_uri())
        found = json.loads(html.unescape(re.search(r'data-found="([^"]*)"', done.stdout)[1]))
        self.assertEqual(found["covered"], 0)
        self.assertEqual(found["names"], [f"group.parameter{i}" for i in (3, 2, 1, 0)])  # of those at one place the largest effect

    def test_mistakes(self):
        for arguments, text in ((["drive.json", "--objective", "iop"], 'did you mean "iops"?'),
                                (["drive.json", "--objective", "foo"], "strobe explore: --objective foo: there is no such value, and it is not a path of "
                                                                       "the report like totals.all.iops; there are iops, bandwidth, "),
                                (["drive.json", "--objective", "seed"], "strobe explore: --objective seed: there is no such value"),
                                (["drive.json", "--objective", "totals.all.iop"], "drive.json: --objective totals.all.iop: "),
                                (["none.json"], "there is no such scenario"),
                                (["drive.json", "--paths", "-1"], "--paths must be"), (["drive.json", "--check"], "do not go with")):
            self.assertIn(text, self.explore("--sensitivity", *arguments, status=2).stderr)
        self.assertIn("need --sensitivity", self.explore("study.json", "--objective", "iops", status=2).stderr)


if __name__ == "__main__":
    unittest.main()
