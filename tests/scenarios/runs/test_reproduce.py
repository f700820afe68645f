#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The studies of published systems: their tables have the documented form and agree with the closed forms.

Needs STROBE in the environment: the program under test.
"""
import csv
import io
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from study_pages import StudyPage

STROBE = os.environ["STROBE"]
SCENARIOS = pathlib.Path(__file__).resolve().parents[3] / "scenarios"




def strobe(*arguments):
    return subprocess.run([STROBE, *arguments], capture_output=True, text=True, check=False, timeout=1000)


class RealDrives(unittest.TestCase):
    """Two runs of the study, with jobs beside each other: published values have errors, and verdicts follow from their bars."""
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            files = [pathlib.Path(folder, name) for name in ("cells.csv", "claims.csv", "study.json")]
            cls.done = strobe("reproduce", "real-drives", "--figure", "B24", "--csv", str(files[0]), "--claims", str(files[1]),
                              "--json", str(files[2]))
            if cls.done.returncode != 0:
                raise AssertionError(cls.done.stderr)
            cls.cells, cls.claims = ([*csv.DictReader(io.StringIO(file.read_text()))] for file in files[:2])
            cls.json = json.loads(files[2].read_text())

    def of_bar(self, setting, kind):
        cells = [cell for cell in self.json["cells"] if cell["setting"] == setting and cell["quantity"].startswith(kind)]
        return max(abs(cell["measured"] / cell["paper"] - 1) / cell["bar"] for cell in cells)

    def test_every_cell_has_a_published_value_and_a_bar(self):
        self.assertTrue(all(float(cell["paper"]) > 0 for cell in self.cells))
        bars = {cell["quantity"]: cell["bar"] for cell in self.json["cells"]}
        same = {"response": 0.1, "p50": 0.1, "p99": 0.25, "p99.9": 0.4}
        self.assertEqual(bars, {"read rate": 0.1, "write throughput": 0.1,
                                **{f"{kind} {name}": bar for kind in ("read", "write") for name, bar in same.items()}})
        outside = [cell for cell in self.json["cells"] if abs(cell["error"]) > cell["bar"]]
        self.assertEqual(self.done.stdout.count("  outside\n"), len(outside))

    def test_verdicts_follow_from_the_cells(self):
        for name, setting, kind in (("24a", "250 MiB/s", "read"), ("24b", "250 MiB/s", "write"), ("25b", "any rate", "write")):
            claim = next(claim for claim in self.claims if claim["claim"] == name)
            expected = self.of_bar(setting, kind)
            self.assertAlmostEqual(float(claim["measured"]), expected, delta=0.001 * max(1, expected))
            self.assertEqual(claim["verdict"], "holds" if expected <= 1 else "does not hold")

    def test_streams_keep_to_the_rate_that_they_are_asked_for_and_go_faster_without_one(self):
        rates = {cell["setting"]: float(cell["measured"]) for cell in self.cells if cell["quantity"] == "write throughput"}
        self.assertAlmostEqual(rates["250 MiB/s"], 4 * 262.144, delta=10)
        self.assertGreater(rates["any rate"], rates["250 MiB/s"] * 1.05)

    def test_a_bar_that_is_no_percentage_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(SCENARIOS, pathlib.Path(folder, "scenarios"))
            paper = pathlib.Path(folder, "scenarios", "papers", "real-drives", "paper.json")
            paper.write_text(paper.read_text().replace('"p50": 10', '"p50": 0', 1))
            done = subprocess.run([STROBE, "reproduce", "real-drives"], capture_output=True, text=True, check=False,
                                  env={**os.environ, "STROBE_SCENARIOS": str(paper.parents[2])})
            self.assertEqual(done.returncode, 2)
            self.assertIn("/bars/p50: must be a number above 0 (per cent)", done.stderr)


class RealDrivesPage(StudyPage, unittest.TestCase):
    """Figures that take seconds: those of the others are compared by scripts/refresh-docs --check --recorded."""
    FIGURES = ("A8", "A11", "B21", "B24", "F45")

    def test_the_page_quotes_these_cells(self):
        done = strobe("reproduce", "real-drives", *(word for figure in self.FIGURES for word in ("--figure", figure)))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_quoted("real-drives.md", done.stdout, figures=tuple(f"{figure}." for figure in self.FIGURES))


class NewStudy(unittest.TestCase):
    def test_a_study_that_is_added_as_files_has_a_command_and_help(self):
        with tempfile.TemporaryDirectory() as folder:
            papers = pathlib.Path(folder, "scenarios", "papers")
            shutil.copytree(SCENARIOS, papers.parent)
            (papers / "mine").mkdir()
            figure = {"figure": "1", "title": "one page", "quantities": ["throughput"], "workloads": [{"name": "page", "scenario": "drive"}],
                      "settings": [{"name": "4 channels"}]}
            (papers / "mine" / "paper.json").write_text(json.dumps({
                "paper": "A paper.", "figures": [figure], "statements": []}))
            (papers / "mine" / "drive.json").write_text(json.dumps({"extends": "workloads/one-page"}))
            index = papers / "studies.json"
            studies = json.loads(index.read_text())
            studies["studies"].append({"name": "mine", "summary": "Mine.", "examples": ["strobe reproduce mine"]})
            index.write_text(json.dumps(studies))

            def run(*arguments):
                return subprocess.run([STROBE, "reproduce", *arguments], capture_output=True, text=True, check=False, timeout=100,
                                      env={**os.environ, "STROBE_SCENARIOS": str(papers.parent)})

            self.assertIn("Mine.", run("--help").stdout)
            self.assertIn("Only this figure or table", run("mine", "--help").stdout)
            done = run("mine", "--csv", "-")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("1,page,4 channels,throughput,", done.stdout)


class SerialWrites(unittest.TestCase):
    def test_many_writes_of_few_pages_complete_in_turn(self):
        """Writes share versions of pages: a write may be in flash before its turn has come."""
        scenario = {"extends": "papers/ddr-nand/device.json", "name": "hot", "nand": {"channels": 4, "ways": 2},
                    "workload": {"phases": [{"name": "write", "kind": "uniform", "region": {"size": "64KiB"}, "blockSize": "2KiB",
                                             "readRatio": "20%", "requests": 3000, "pacing": {"queueDepth": 32}}]}}
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "hot.json")
            file.write_text(json.dumps(scenario))
            done = subprocess.run([STROBE, "run", str(file), "--json", "-"], capture_output=True, text=True, check=False,
                                  timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual(report["totals"]["all"]["requests"], 3000)
        self.assertGreater(report["integrity"]["checked_sectors"], 1000)


class Paper(unittest.TestCase):
    """A study's data is input like any other: a mistake in it is a message with its place, before any run."""

    def reproduce(self, study, change):
        with tempfile.TemporaryDirectory() as folder:
            scenarios = pathlib.Path(folder, "scenarios")
            shutil.copytree(SCENARIOS, scenarios)
            paper = scenarios / "papers" / study / "paper.json"
            text = paper.read_text()
            changed = change(text)
            self.assertNotEqual(text, changed)
            paper.write_text(changed)
            done = subprocess.run([STROBE, "reproduce", study], capture_output=True, text=True, check=False, timeout=1000,
                                  env={**os.environ, "STROBE_SCENARIOS": str(scenarios)})
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stdout, "")
        return done.stderr

    def test_an_unknown_point_is_refused_with_the_names_that_are_allowed(self):
        said = self.reproduce("hydra", lambda text: text.replace("[virus-scan|4 x 2]", "[virus-scan|4 x 3]", 1))
        self.assertRegex(said, r"hydra/paper\.json: /statements/\d+ \(claim 11-\d\): there is no point "
                               r'\[11\|virus-scan\|4 x 3\|throughput\]: unknown setting "4 x 3"; allowed here: "1 x 1", ')

    def test_an_unknown_comparison_is_refused(self):
        said = self.reproduce("cps-sim", lambda text: text.replace('"at most"', '"no more than"', 1))
        self.assertRegex(said, r'cps-sim/paper\.json: /statements/\d+/holds/\d+: has no comparison; one of "at least", ')

    def test_a_missing_field_and_an_unknown_one_are_refused(self):
        said = self.reproduce("aging", lambda text: text.replace('"section": "II", ', "", 1))
        self.assertRegex(said, r"aging/paper\.json: /statements/\d+/section: is missing")
        said = self.reproduce("di-ssd", lambda text: text.replace('"how"', '"why"', 1))
        self.assertRegex(said, r'di-ssd/paper\.json: /statements/0/why: unknown key; allowed here: "claim", ')

    def test_an_unknown_quantity_axis_and_printed_value_are_refused(self):
        said = self.reproduce("ddr-nand", lambda text: text.replace('"quantities": ["bandwidth"]', '"quantities": ["speed"]', 1))
        self.assertIn('/figures/0/quantities/0: unknown quantity "speed"; there are "throughput"', said)
        said = self.reproduce("ddr-nand", lambda text: text.replace('"axes": ["ways", "interface"]', '"axes": ["chips"]', 1))
        self.assertIn('/figures/0/settings/axes: unknown axis "chips"; there are ', said)
        said = self.reproduce("ddr-nand", lambda text: text.replace('"value": 7.77', '"value": "7.77"', 1))
        self.assertIn("/printed/0/value: must be a number", said)
        said = self.reproduce("ddr-nand", lambda text: text.replace('"setting": "1 x 1, CONV"', '"setting": "1 x 3, CONV"', 1))
        self.assertIn('/printed/0: there is no point [3|SLC write|1 x 3, CONV|bandwidth]: unknown setting', said)


class Command(unittest.TestCase):
    def test_a_mistake_ends_before_any_run(self):
        for arguments, said in ((("--set", "nand.way=2"), "unknown key"), (("--csv", "/no/such/place.csv"), "/no/such"),
                                (("--jobs", "-1"), "--jobs"), (("--csv", ""), "must name a file")):
            done = strobe("reproduce", "ddr-nand", *arguments)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(said, done.stderr)
            self.assertEqual(done.stdout, "")

    def test_a_seed_for_all_runs_and_a_number_of_seeds_exclude_each_other(self):
        done = strobe("reproduce", "ddr-nand", "--seeds", "3", "--set", "seed=2")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--seeds: has no effect with --set seed=", done.stderr)

    def test_a_study_that_does_not_exist_is_refused(self):
        self.assertEqual(strobe("reproduce", "no-such-paper").returncode, 2)


if __name__ == "__main__":
    unittest.main()
