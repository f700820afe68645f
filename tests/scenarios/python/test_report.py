#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`strobe run --report`, `strobe report` and `strobe compare`: what the pages contain, and how a browser shows them.

Needs STROBE in the environment: the program under test; and the packages of the group "test" (scripts/test installs them). The
class Browser needs Chromium, too.
"""
import functools
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from browser import Browser as Chromium

STROBE = os.environ["STROBE"]
PYTHON = sys.executable
DIRECTORY = pathlib.Path(tempfile.mkdtemp(prefix="strobe-test-report-"))
unittest.addModuleCleanup(shutil.rmtree, DIRECTORY, ignore_errors=True)

# Reads and writes with garbage collection, on a drive that is small enough to fill in a second.
SMALL = {
    "extends": "devices/sata-mlc-4x4",
    "name": "a </script><b>drive</b> & more",
    "nand": {"channels": 2, "ways": 2, "part": {"blocksPerPlane": 64, "maxBadBlocks": 2}, "factoryBadBlocks": 0},
    "firmware": {"overProvisioning": "35%"},
    "report": {"wearEvery": "20ms"},
    "workload": {"phases": [
        {"name": "fill", "kind": "sequential", "readRatio": "0%", "blockSize": "256KiB", "volume": "100%", "precondition": True},
        {"name": "mix", "kind": "uniform", "readRatio": "50%", "blockSize": "8KiB", "requests": 6000, "pacing": {"queueDepth": 16}}]},
}


def strobe(*arguments, status=0, **options):
    done = subprocess.run([STROBE, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=300,
                          env={**os.environ, "STROBE_PYTHON": PYTHON, "PYTHONDONTWRITEBYTECODE": "1"}, **options)
    if done.returncode != status:
        raise AssertionError(f"exit code {done.returncode}, not {status}: {arguments}\n{done.stdout[-2000:]}\n{done.stderr[-3000:]}")
    return done


@functools.cache
def files():
    """Reports and pages that several tests look at."""
    (DIRECTORY / "small.json").write_text(json.dumps(SMALL))
    strobe("run", DIRECTORY / "small.json", "--quiet", "--json", DIRECTORY / "a.json", "--report", DIRECTORY / "a.html")
    strobe("run", DIRECTORY / "small.json", "--quiet", "--json", DIRECTORY / "b.json", "--set", "nand.ways=4",
           "--set", "description=" + "Four ways. A description is longer than what fits beside other values. " * 4)
    strobe("compare", DIRECTORY / "a.json", DIRECTORY / "b.json", "-o", DIRECTORY / "compared.html")
    (DIRECTORY / "study.json").write_text(json.dumps(study()))
    strobe("report", DIRECTORY / "study.json")
    return DIRECTORY


def study():
    """As `strobe reproduce --json` writes it."""
    cells = [{"figure": figure, "workload": workload, "setting": setting, "quantity": "throughput", "measured": measured,
              "paper": paper, "error": None if paper is None else measured / paper - 1, "unit": "MB/s", "note": "", "doubtful": False}
             for figure, workload, setting, measured, paper in (
                 ("5", "read", "1 x 1", 10.0, 10.5), ("5", "read", "1 x 2", 19.0, 20.0), ("5", "write", "1 x 1", 4.0, None),
                 ("5", "write", "1 x 2", 8.0, None), ("Sensitivity", "read", "1", 1.0, None), ("Sensitivity", "read", "2", 2.0, None),
                 ("Sensitivity", "read", "4", 3.0, None), ("6", "read", "1 x 1", 7.0, None),
                 *(("7", str(load), "DI", 10.0 if load < 6000 else 900.0, None) for load in range(1000, 7000, 1000)))]
    cells[0]["note"] = "a special case"
    headings = [{"figure": "5", "name": "Table 5", "title": "two chips"}]
    figures = [{"figure": "6", "name": "Figure 6", "title": "one chip"}, {"figure": "6", "name": "Figure 6", "title": "an experiment"}]
    return {"study": "sample", "headings": headings, "figures": figures, "paper": "A paper & its <drive>", "fitted": [{"name": "tR", "value": "25us", "meaning": "read", "from": "4.2"}],
            "cells": cells, "statements": [{"claim": "5-1", "section": "5", "statement": "reads double", "measured": 1.9, "half_width": 0,
                                            "seeds": 1, "unit": "", "verdict": "holds", "evidence": True, "reason": "exact"},
                                           {"claim": "5-2", "section": "5", "statement": "writes double", "measured": 2.1, "half_width": 0.2,
                                            "seeds": 5, "unit": "", "verdict": "undecided", "evidence": True, "reason": "near"},
                                           {"claim": "5-3", "section": "5", "statement": "tR is 25 us", "measured": 25, "half_width": 0,
                                            "seeds": 1, "unit": "us", "verdict": "holds", "evidence": False, "reason": "an input"}]}


def data_of(page, name):
    """The JSON of a block of a page."""
    return json.loads(re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', page.read_text(), re.DOTALL)[1])


class Pages(unittest.TestCase):
    def test_the_page_of_a_run_contains_its_report(self):
        page = files() / "a.html"
        self.assertEqual(data_of(page, "report"), json.loads((files() / "a.json").read_text()))
        text = page.read_text()
        self.assertEqual(text.count("plotly.js v"), 1)
        self.assertIn("a &lt;/script&gt;&lt;b&gt;drive&lt;/b&gt; &amp; more", text)
        charts = data_of(page, "charts")
        for name in ("bandwidth", "iops", "latency", "queue_depth", "amplification", "programs", "distribution", "tail", "utilisation",
                     "wear_map", "wear_history", "groups_busy", "stages-read", "stages-write"):
            self.assertIn(name, list(charts))
        self.assertIn("nand.channels", text[text.index("Differences from"):])

    def test_jobs_beside_each_other_have_rows_of_their_own(self):
        fill, mix = SMALL["workload"]["phases"]
        phases = [{**fill, "precondition": "functional"},
                  {**mix, "requests": 400, "concurrentJobs": [{"name": "scan", "kind": "sequential", "readRatio": "100%", "pacing": {"queueDepth": 2}}]}]
        (DIRECTORY / "jobs.json").write_text(json.dumps({**SMALL, "workload": {"phases": phases}}))
        strobe("run", DIRECTORY / "jobs.json", "--quiet", "--json", DIRECTORY / "jobs-report.json", "--report", DIRECTORY / "jobs.html")
        _, phase = json.loads((DIRECTORY / "jobs-report.json").read_text())["phases"]
        table = (DIRECTORY / "jobs.html").read_text().partition("<h3>Phases</h3>")[2].partition("</table>")[0]
        rows = [[re.sub("<.*?>", "", cell).strip() for cell in re.findall("<td.*?</td>", row)] for row in re.findall("<tr>.*?</tr>", table)]
        self.assertEqual([row[0].split()[0] for row in rows if row], ["fill", "mix", "mix", "scan"])
        for row, part in zip(rows[-3:], [phase, *phase["jobs"]]):
            self.assertEqual(row[3], str(part["queue_depth"]))
            self.assertEqual(row[6], f"{part['totals']['all']['requests']:,}")
        self.assertEqual(sum(int(row[6].replace(",", "")) for row in rows[-2:]), phase["totals"]["all"]["requests"])
        self.assertIn('"text job">scan', table)
        self.assertEqual(rows[-4][7:], [""] * 4)  # no time passes

    def test_a_study_has_its_own_headings_notes_and_axes(self):
        text = (files() / "study.html").read_text()
        self.assertIn('Table 5<span class="note"> · two chips', text)
        self.assertIn('Figure 6<span class="note"> · one chip', text)
        self.assertIn("<dd>1 of 2, 1 undecided</dd>", text)
        self.assertIn("<td>± 0.2</td><td>5</td><td class=\"text\">undecided</td>", text)
        self.assertIn("holds, not evidence", text)
        self.assertIn("<p class=\"hint\">read 1 x 1: a special case</p>", text)
        self.assertIn("a single value: throughput 7 MB/s", text)
        charts = data_of(files() / "study.html", "charts")
        self.assertNotIn("0-6-throughput", charts) # one number needs no chart
        self.assertEqual(charts["0-7-throughput"]["layout"]["yaxis"]["type"], "log")
        self.assertNotIn("type", charts["0-5-throughput"]["layout"]["yaxis"])

    def test_the_page_of_a_drive_with_a_temperature_shows_its_course(self):
        strobe("run", files() / "small.json", "--quiet", "--json", DIRECTORY / "hot.json", "--report", DIRECTORY / "hot.html",
               "--set", "thermal.enabled=true", "--set", "thermal.initial=80")
        course = json.loads((DIRECTORY / "hot.json").read_text())["thermal"]["course"]
        lines = {line["name"]: line for line in data_of(DIRECTORY / "hot.html", "charts")["temperature"]["data"]}
        self.assertEqual(list(lines), ["controller", "flash", "power"])
        for name, key in (("controller", "controller_celsius"), ("flash", "flash_celsius"), ("power", "watt")):
            self.assertEqual(len(lines[name]["x"]), len(course["time_ps"]))
            for shown, value in zip(lines[name]["y"], course[key]):
                self.assertAlmostEqual(shown, value, delta=0.01 * abs(value))
        self.assertEqual((lines["power"]["yaxis"], "yaxis" in lines["flash"]), ("y2", False))
        self.assertIn("Throttled lightly for", (DIRECTORY / "hot.html").read_text())
        self.assertNotIn("temperature", data_of(files() / "a.html", "charts"))

    def test_the_page_loads_nothing(self):
        for name in ("a.html", "compared.html", "study.html"):
            markup = re.sub(r"<script.*?</script>", "", (files() / name).read_text(), flags=re.DOTALL)
            self.assertEqual(re.findall(r"""(?:src|href)=["'](?!#|data:,)[^"']*""", markup), [])
            self.assertNotIn("@import", markup)
            self.assertNotIn("url(", markup)

    def test_equal_reports_give_equal_pages(self):
        again = files() / "again.html"
        strobe("report", files() / "a.json", "-o", again)
        other = files() / "other.html"
        strobe("report", files() / "a.json", "-o", other)
        self.assertEqual(again.read_bytes(), other.read_bytes())

    def test_recording_over_time_changes_no_result(self):
        with_series = json.loads((files() / "a.json").read_text())
        strobe("run", files() / "small.json", "--quiet", "--json", files() / "none.json", "--set", "report.seriesEvery=0s",
               "--set", "report.wearMap=true", "--set", "report.stages=true")
        without = json.loads((files() / "none.json").read_text())
        series = with_series.pop("series")
        self.assertNotIn("series", without)
        for report in (with_series, without):
            del report["config_differences"], report["config"]["report"]["seriesEvery"]
        self.assertEqual([key for key in with_series if with_series[key] != without[key]], [])
        for name, row in series["operations"].items():
            self.assertEqual(sum(row["requests"]), with_series["totals"][name]["requests"])
            self.assertEqual(sum(row["bytes"]), with_series["totals"][name]["bytes"])
            self.assertEqual(sum(with_series["latency_histograms"][name]["requests"]), sum(row["requests"]))
        self.assertEqual(sum(series["length_ps"]), with_series["measured_ps"])
        self.assertEqual(sum(sum(counts) for counts in series["flash_programs"].values()),
                         sum(with_series["flash"]["operations"]["total"][key] for key in ("programs", "copy_backs")))
        depth = [sum(row["queue_depth"][i] for row in series["operations"].values()) for i in range(len(series["length_ps"]))]
        self.assertGreater(depth[len(depth) // 2], 15.9)  # a closed loop of 16
        self.assertLess(max(depth), 16.1)

    def test_a_series_has_the_requested_intervals(self):
        strobe("run", files() / "small.json", "--quiet", "--json", files() / "every.json", "--set", "report.seriesEvery=10ms")
        series = json.loads((files() / "every.json").read_text())["series"]
        self.assertEqual(set(series["length_ps"][:-1]), {10**10})
        self.assertLessEqual(series["length_ps"][-1], 10**10)

    def test_the_report_has_the_platform_and_the_places_of_its_resources(self):
        report = json.loads((files() / "a.json").read_text())
        blocks = {block["name"]: block for block in report["platform"]["blocks"]}
        names = {row["name"] for row in report["resources"]}
        drawn = {name for block in blocks.values() for name in block["resources"]}
        self.assertEqual(drawn, names)
        for link in report["platform"]["links"]:
            self.assertIn(link["from"], blocks)
            self.assertIn(link["to"], blocks)
        dies = [(row["channel"], row["way"], row["lun"]) for row in report["resources"] if row["group"] == "die"]
        self.assertEqual(dies, [(0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 1, 0)])

    def test_runs_are_compared_as_a_table(self):
        text = strobe("compare", files() / "a.json", files() / "b.json").stdout
        self.assertRegex(text, r"Limits\n  a  limited by .*\n  b  limited by ")
        self.assertRegex(text, r"read, IOPS +[\d.,]+ +[\d.,]+ +\+[\d.]+ %")
        self.assertRegex(text, r"nand\.ways +2 +4\n")
        same = strobe("compare", files() / "a.json", files() / "a.json").stdout
        self.assertIn("Scenario\n  equal", same)

    def test_a_report_of_a_run_without_writes_has_a_page(self):
        strobe("run", "workloads/one-page", "--quiet", "--report", files() / "one.html")
        strobe("run", "papers/ddr-nand/read", "--quiet", "--json", files() / "read.json", "--set", "workload.phases.1.requests=10")
        strobe("report", files() / "read.json", "-o", files() / "read.html")


class PageMistakes(unittest.TestCase):
    def says(self, text, *arguments):
        done = strobe(*arguments, status=2)
        self.assertIn(text, done.stderr)
        self.assertNotIn("Traceback", done.stderr)

    def test_what_is_no_report(self):
        bad = DIRECTORY / "bad.json"
        for content, text in (("{", "bad.json: not JSON"), ("[1]", "not a report"), ('{"schema_version": 1}', "not a report"),
                              ('{"schema_version": 99, "totals": {}}', "schema_version 99"),
                              ('{"schema_version": 1, "totals": {}}', "schema_version 1 is older"),
                              ('{"schema_version": 2, "totals": {}}', "not a complete report"),
                              ('{"study": "x", "cells": [1]}', "not the JSON of strobe reproduce")):
            bad.write_text(content)
            self.says(text, "report", bad)
        bad.write_bytes(b"\xff\xfe\x00")
        self.says("not text", "report", bad)
        self.assertFalse((DIRECTORY / "bad.html").exists())
        self.says("no-such.json: cannot be read: No such file", "report", "no-such.json")
        self.says("not a report", "compare", files() / "a.json", files() / "study.json")
        self.says("two to eight reports", "compare", files() / "a.json")

    def test_where_no_page_can_be_written(self):
        report = files() / "a.json"
        self.says("there is no directory", "report", report, "-o", DIRECTORY / "none" / "x.html")
        self.says("is a directory", "report", report, "-o", DIRECTORY)
        self.says("is the report", "report", report, "-o", report)
        self.says("is one of the reports", "compare", report, files() / "b.json", "-o", files() / "b.json")
        self.says("none/x.html", "run", "workloads/one-page", "--report", DIRECTORY / "none" / "x.html")
        self.says("needs -o FILE", "report", "-")

    def test_the_report_of_a_refused_run_is_not_begun(self):
        page = DIRECTORY / "page.html"
        self.says("nand/way", "run", "workloads/one-page", "--set", "nand.way=2", "--report", page)
        self.assertFalse(page.exists())


class Browser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.chromium = Chromium()

    def looks_right(self, page, **options):
        found = self.chromium.look(files() / page, **options)
        self.assertEqual(found["console"], [])
        self.assertEqual(found["errors"], [])
        self.assertEqual(found["requests"], [])
        self.assertGreater(len(found["charts"]), 1)
        for name, marks in found["charts"].items():
            self.assertGreater(marks, 0, name)
        self.assertEqual(found["overflow"], 0)
        return found

    def test_a_run_on_a_wide_screen_light_and_dark(self):
        light = self.looks_right("a.html", width=1280)
        dark = self.looks_right("a.html", width=1280, is_dark=True)
        self.assertGreater(light["brightness"], 200)
        self.assertLess(dark["brightness"], 60)
        self.assertEqual(set(light["charts"]), set(data_of(files() / "a.html", "charts")))

    def test_a_run_on_a_phone(self):
        found = self.looks_right("a.html", width=390)
        self.assertEqual(found["width"], 390)

    def test_runs_whose_requests_take_equal_times(self):
        for name, time in (("equal", "20us"), ("slower", "25us")):
            strobe("run", "papers/hydra/random-read", "--quiet", "--json", files() / f"{name}.json", "--report", files() / f"{name}.html",
                   "--set", "workload.phases.1.requests=200", "--set", f"nand.part.tR={time}", "--set", "report.wearMap=false")
        strobe("compare", files() / "equal.json", files() / "slower.json", "-o", files() / "equals.html")
        self.looks_right("equal.html", width=1280)
        self.looks_right("equals.html", width=1280)
        charts = data_of(files() / "equal.html", "charts")
        low, high = charts["latency"]["layout"]["yaxis"]["range"]
        self.assertTrue(any(low < math.log10(tick) < high for tick in charts["latency"]["layout"]["yaxis"]["tickvals"]))
        self.assertEqual(charts["tail"]["data"][0]["y"][0], 1) # all of them take longer than the shortest

    def test_runs_side_by_side(self):
        self.assertEqual(self.looks_right("compared.html", width=1280)["scrolled"], 0) # whatever the length of a value
        self.looks_right("compared.html", width=390)

    def test_a_study(self):
        self.looks_right("study.html", width=1280)

    def test_a_run_on_paper(self):
        pdf = self.chromium.print(files() / "a.html", DIRECTORY / "a.pdf")
        self.assertTrue(pdf.startswith(b"%PDF"))
        self.assertGreater(len(re.findall(rb"/Type\s*/Page\b", pdf)), 3)


if __name__ == "__main__":
    if sys.argv[1:] == ["Browser"] and not Chromium.is_there():
        print("chromium is missing: scripts/test installs it")
        sys.exit(77)
    unittest.main()
