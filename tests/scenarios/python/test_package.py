#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Python package without further packages: runs, reports, command line, what it says if packages are missing.

Needs STROBE in the environment: the program under test.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "scripts" / "python"
sys.path.insert(0, str(PACKAGE))
sys.dont_write_bytecode = True
import strobe  # noqa: E402
from strobe import needs  # noqa: E402
from strobe.report.charts import group_titles  # noqa: E402
from strobe.result import ReportError, Result  # noqa: E402
from strobe.run import call, setting_text  # noqa: E402

STROBE = os.environ["STROBE"]
SMALL = {"extends": "workloads/one-page", "name": "from Python"}


def command(*arguments, **environment):
    """The program with an interpreter that has no packages but the standard library."""
    return subprocess.run([STROBE, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=100,
                          env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environment})


class Run(unittest.TestCase):
    def test_a_run_returns_its_report(self):
        result = strobe.run(SMALL, {"nand.part.tR": "75us"}, seed=3)
        self.assertEqual(result.report["scenario"], "from Python")
        self.assertEqual(result.value("totals.read.requests"), 1)
        self.assertEqual(result.value("/config/nand/part/tR"), "75us")
        self.assertEqual(result.report["seed"], 3)
        self.assertFalse(result.errors)

    def test_a_mistake_is_an_error_with_the_message_of_the_program(self):
        with self.assertRaisesRegex(strobe.StrobeError, 'did you mean "ways"') as caught:
            strobe.run(SMALL, {"nand.way": 2})
        self.assertEqual(caught.exception.exit_code, 2)
        with self.assertRaisesRegex(strobe.StrobeError, "no such scenario"):
            strobe.validate("no-such-scenario")

    def test_a_run_that_takes_too_long_is_ended(self):
        with self.assertRaisesRegex(strobe.StrobeError, "no result within 0.3 s"):
            strobe.run("workloads/soak-10m", timeout=0.3)

    def test_the_complete_scenario_is_a_scenario(self):
        complete = strobe.resolved(SMALL, {"nand.ways": 2})
        self.assertEqual(complete["nand"]["ways"], 2)
        strobe.validate(complete)

    def test_texts_stay_texts(self):
        self.assertEqual([setting_text(value) for value in (8, 0.5, None, "25us", "7", "a b", [1], True)],
                         ["8", "0.5", "null", "25us", '"7"', "a b", "[1]", "true"])

    def test_a_simulation_ends_with_the_process_that_waits_for_it(self):
        script = f"import sys; sys.path.insert(0, {str(PACKAGE)!r}); import strobe; strobe.run('workloads/soak-10m')"
        waiting = subprocess.Popen([sys.executable, "-B", "-c", script])
        self.addCleanup(waiting.wait)
        self.addCleanup(waiting.kill)
        children = pathlib.Path(f"/proc/{waiting.pid}/task/{waiting.pid}/children")
        while not (pids := children.read_text().split()):
            self.assertIsNone(waiting.poll())
            time.sleep(0.02)
        child = pathlib.Path("/proc") / pids[0]
        while not (child / "cmdline").read_text().startswith(STROBE):  # not Python, setpriv or sh any more
            self.assertIsNone(waiting.poll())
            time.sleep(0.02)
        waiting.kill()
        waiting.wait()
        while child.exists() and ") Z" not in (child / "stat").read_text():
            time.sleep(0.02)  # bounded by the time limit of the test


class Reports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "report.json"
            done = call("run", "workloads/one-page", "--quiet", "--json", str(file))
            assert done.returncode == 0, done.stderr
            cls.result = strobe.load(file)

    def test_groups_of_resources_have_the_titles_of_the_program(self):
        rows = (ROOT / "models/base/resource_group.h").read_text()
        table = re.findall(r'ResourceGroup::\w+, "([\w-]+)",\s*"[^"]*",\s*"([^"]*)"', rows)
        found = group_titles([self.result.report])
        self.assertGreater(len(found), 5)
        self.assertEqual(found, {group: dict(table)[group] for group in found})
        older = [{key: value for key, value in row.items() if key != "title"} for row in self.result.report["groups"]]
        self.assertEqual(group_titles([{"groups": older}]), {group: group for group in found})

    def test_values_by_path(self):
        value = self.result.value
        report = self.result.report
        self.assertEqual(value("totals.all.latency.p99_9_ps"), report["totals"]["all"]["latency"]["p99_9_ps"])
        self.assertEqual(value("/totals/all/latency/p99_9_ps"), report["totals"]["all"]["latency"]["p99_9_ps"])
        self.assertEqual(value("groups.die.members"), 16)
        self.assertEqual(value("phases.0.name"), "write")
        self.assertEqual(value("phases.write.totals.all.requests"), 1)

    def test_a_wrong_path_says_what_there_is(self):
        for path, text in (("totals.all.iop", 'no "iop" in totals.all; there is requests, bytes, iops'),
                           ("phases.9", 'no "9" in phases; there is 2 items: write, read'),
                           ("seed.x", 'no "x" in seed; there is the value 1')):
            with self.assertRaises(ReportError) as caught:
                self.result.value(path)
            self.assertIn(text, str(caught.exception))

    def test_other_files_are_refused(self):
        for text, words in (("{", "not JSON"), ("[]", "not a report"), ('{"a": 1}', "not a report"),
                            (json.dumps({**self.result.report, "schema_version": 99}), "newer than"),
                            (json.dumps({**self.result.report, "schema_version": 1}), "older than")):
            with self.assertRaisesRegex(ReportError, f"^file: .*{words}"):
                Result.of_text(text, "file")


class Commands(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = str(pathlib.Path(folder.name) / "file.json")
        pathlib.Path(self.file).write_text("{}")

    def test_missing_arguments_and_files_are_named_before_missing_packages(self):
        python = bare_python(self)
        for arguments, text in ((["explore"], "missing: FILE"), (["report"], "missing: REPORT"),
                                (["explore", "nowhere.json"], "nowhere.json: No such file or directory"),
                                (["report", "nowhere.json"], "nowhere.json: cannot be read: No such file")):
            done = command(*arguments, STROBE_PYTHON=python)
            self.assertEqual(done.returncode, 2)
            self.assertIn(text, done.stderr)
            self.assertNotIn("packages", done.stderr)

    def test_missing_packages_are_named_with_the_command_that_installs_them(self):
        done = command("explore", self.file, STROBE_PYTHON=bare_python(self))
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, "packages are missing: .*optuna.*\n.*scripts/strobe installs them")

    def test_missing_packages_are_requested_from_scripts_strobe(self):
        with tempfile.NamedTemporaryFile() as file:
            done = command("report", self.file, STROBE_PYTHON=bare_python(self), STROBE_NEEDS=file.name)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(pathlib.Path(file.name).read_text(), "python-report")
            done = command("explore", "study.json", HOME="/nowhere", XDG_DATA_HOME="/nowhere", PATH="/nowhere", STROBE_PYTHON="",
                           STROBE_NEEDS=file.name)
            if not (ROOT / "build" / "python").exists():
                self.assertIn("needs Python 3.11", done.stderr)
                self.assertEqual((done.returncode, pathlib.Path(file.name).read_text()), (2, "python-explore"))

    def test_an_installed_package_names_the_pip_command(self):
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder) / "python"
            shutil.copytree(PACKAGE / "strobe", place / "strobe")
            (place / "pyproject.toml").touch()
            done = subprocess.run([bare_python(self), "-B", "-m", "strobe", "explore", self.file], capture_output=True, text=True, check=False,
                                  timeout=100, env={"PYTHONPATH": str(place), "XDG_DATA_HOME": "/data", "PATH": os.environ["PATH"]})
            self.assertEqual(done.returncode, 2)
            if "venv" not in done.stderr:
                self.assertIn(f"python3 -m pip install '{place}[explore]'", done.stderr)
            else:
                self.assertIn(f"python3 -m venv /data/strobe/python\n    /data/strobe/python/bin/pip install '{place}[explore]'", done.stderr)

    def test_python_can_be_refused_or_chosen(self):
        for value, text in (("no", "which STROBE_PYTHON=no refuses"), ("/no/python", "no such program; allowed are")):
            done = command("report", "x.json", STROBE_PYTHON=value)
            self.assertEqual(done.returncode, 2)
            self.assertIn(text, done.stderr)

    def test_the_help_needs_no_packages(self):
        for name in ("report", "compare", "explore", "torture"):
            done = command(name, "--help", STROBE_PYTHON=bare_python(self))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(done.stdout, rf"(?s)^Usage: strobe {name}.*Examples?:\n  strobe {name}")

    def test_every_group_of_packages_is_in_the_project(self):
        project = tomllib.loads((PACKAGE / "pyproject.toml").read_text())["project"]
        self.assertEqual(set(project["optional-dependencies"]) - {"test"}, set(needs.MODULES))
        cmake = (ROOT / "CMakeLists.txt").read_text()
        self.assertIn(f"VERSION {project['version']} ", cmake)
        self.assertEqual(project["version"], strobe.__version__)


def bare_python(test):
    """The interpreter of this machine, which sees no installed packages."""
    folder = tempfile.TemporaryDirectory()
    test.addCleanup(folder.cleanup)
    script = pathlib.Path(folder.name) / "python3"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n')
    script.chmod(0o755)
    return str(script)


if __name__ == "__main__":
    unittest.main()
