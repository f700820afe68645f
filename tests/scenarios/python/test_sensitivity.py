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

from strobe import explore
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
    def test_the_parameter_that_decides_has_the_largest_change(self):
        self.write("drive.json", {**DRIVE, "cpu": {"clock": "10MHz"}, "workload": {"phases": [
            {**DRIVE["workload"]["phases"][0], "requests": 60}]}})
        done = self.explore("--sensitivity", "drive.json", "--paths", "2", "-o", "out")
        ranking = json.loads((self.dir / "out" / "sensitivity.json").read_text())["iops"]
        decides = max(ranking, key=lambda effect: max(map(abs, effect["changes"].values()), default=0))
        self.assertEqual(decides["parameter"], "cpu.clock")
        self.assertGreater(decides["changes"]["20MHz"], 0.3)
        self.assertLess(decides["changes"]["5MHz"], -0.3)
        self.assertGreater(decides["mu_star"], 0)  # paths without a refused drive
        self.assertGreater(len(ranking), 40)
        self.assertRegex(done.stdout, r"cpu\.clock +10MHz +.*5MHz: -\d+")
        self.assertIn("cpu.clock", (self.dir / "out" / "index.html").read_text())
        self.assertIn("0 runs simulated", self.explore("--sensitivity", "drive.json", "--paths", "2", "-o", "out").stdout)

    def test_what_is_varied(self):
        def found(part, factor=2.0):
            items = sensitivity.varied({"nand": {"part": part}, "firmware": {"ftl": "auto"}}, factor)
            return {item.key.removeprefix("nand.part."): item for item in items}

        self.assertEqual(found({"cell": "TLC"})["cell"].words, ("SLC", "MLC", "TLC", "QLC"))  # PCM has another translation layer
        self.assertEqual(found({"cell": "PCM"}), {})
        page = found({"pageSize": "4KiB"})["pageSize"]
        self.assertEqual([page.at(share / 3) for share in range(4)], ["2KiB", "4KiB", "4KiB", "8KiB"])
        smaller = found({"pageSize": "4KiB"}, 1.25)["pageSize"]
        self.assertEqual(sensitivity.accepted(page, smaller, ["8KiB"]).values, ["2KiB"])  # not 5KiB
        self.assertEqual(sensitivity.accepted(page, smaller, ["2KiB", "8KiB"]), page)
        spare, smaller = found({"spareSize": "448B"})["spareSize"], found({"spareSize": "448B"}, 1.25)["spareSize"]
        self.assertEqual(sensitivity.accepted(spare, smaller, ["224B"]).values, ["358B", "560B"])
        self.assertEqual(sensitivity.accepted(spare, smaller, []), spare)

    def test_paths_that_are_left_out_are_reported_once(self):
        items = [sensitivity.Varied("a", 10, 5, 20), sensitivity.Varied("b", 10, 5, 20)]
        said = []
        driver = types.SimpleNamespace(known={}, progress=types.SimpleNamespace(say=said.append))
        results = {name: [sensitivity.Effect(item.key, 10, {"20": 0.5}) for item in items] for name in ("iops", "power")}
        explore.screen(driver, types.SimpleNamespace(paths=3), items, results, lambda points: None)
        self.assertEqual(said, ["strobe explore: 3 of 3 paths contain a drive that is refused and are left out"])

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
