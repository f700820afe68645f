#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The documentation: quoted output is that of the program, and links have targets.

Needs STROBE in the environment: the program under test.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

STROBE = os.environ["STROBE"]
ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
INDEX = ROOT / "docs" / "README.md"
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


def without_code(text):
    return re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)


def anchors(page):
    """The anchor of a heading on hosting sites: lower case, hyphens for spaces, other marks dropped."""
    headings = re.findall(r"^#+ (.+)$", without_code(page.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def alternatives(name):
    """die.{h,cpp} stands for two files."""
    choice = re.search(r"\{([^}]*)\}", name)
    return [name] if choice is None else [name[:choice.start()] + one + name[choice.end():] for one in choice[1].split(",")]


class Outputs(unittest.TestCase):
    def refresh(self, *arguments):
        return subprocess.run([sys.executable, "-B", ROOT / "scripts" / "refresh-docs", *arguments], capture_output=True,
                              text=True, check=False, timeout=1000)

    def test_quoted_outputs_are_those_of_this_program(self):
        done = self.refresh("--check", STROBE)
        self.assertEqual(done.returncode, 0, f"{done.stdout}{done.stderr}scripts/refresh-docs writes them anew")

    def test_an_output_that_is_out_of_date_is_named_and_written_anew(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder, "README.md")
            page.write_text("before\n<!-- output of: strobe inspect timing k9f1g08u0a CONV -->\n```\nold\n```\n"
                            "<!-- end of output -->\nbehind\n")
            done = self.refresh("--check", STROBE, "--folder", folder)
            self.assertEqual((done.returncode, "README.md" in done.stdout), (1, True), done.stderr)
            self.assertIn("old", page.read_text())
            self.assertEqual(self.refresh(STROBE, "--folder", folder).returncode, 0)
            self.assertRegex(page.read_text(), r"(?s)^before\n.* data out .* 41\.8472 us\n.*\nbehind\n$")
            self.assertNotIn("old", page.read_text())
            text = page.read_text()
            for number, is_stale in (("41.9 us", 0), ("48 us", 1)):  # differences of 0.1 or one per cent are accepted
                page.write_text(text.replace("41.8472 us", number))
                self.assertEqual(self.refresh("--check", STROBE, "--folder", folder).returncode, is_stale)

    def test_a_part_of_a_report_is_chosen_by_its_first_line(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder, "README.md")
            page.write_text("<!-- output of: strobe run workloads/one-page; sections: Result -->\n<!-- end of output -->\n")
            self.assertEqual(self.refresh(STROBE, "--folder", folder).returncode, 0)
            self.assertRegex(page.read_text(), r"-->\n```\nResult\n[^`]*```\n<!-- end")
            page.write_text(page.read_text().replace("sections: Result", "sections: Resultat"))
            done = self.refresh(STROBE, "--folder", folder)
            self.assertEqual(done.returncode, 1)
            self.assertIn("there is no section Resultat; there are", done.stderr)

    def test_a_recorded_output_is_compared_in_part_and_written_when_asked_for(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder, "README.md")
            page.write_text("<!-- recorded output of: strobe run workloads/one-page; compared: strobe run workloads/one-page; sections: Result, "
                            "Throughput -->\n<!-- end of output -->\nbehind\n")
            self.assertEqual(self.refresh("--recorded", STROBE, "--folder", folder).returncode, 0)
            text = page.read_text()
            self.assertRegex(text, r"(?s)^<!-- recorded output .*\nPhases\n.*\nbehind\n$")
            for is_stale, stale in ((0, text), (0, text.replace("\nPhases\n", "\nParts\n")), (1, text.replace("data intact", "data lost")),
                                    (1, text.replace("\nResult\n", "\nResults\n"))):
                page.write_text(stale)
                for check in (["--check"], []):
                    done = self.refresh(*check, STROBE, "--folder", folder)
                    self.assertEqual((done.returncode, page.read_text()), (is_stale, stale), done.stderr)
                    self.assertEqual("--recorded writes it anew" in done.stdout, bool(is_stale))
            page.write_text(text.replace("\nPhases\n", "\nParts\n"))
            self.assertEqual(self.refresh("--check", "--recorded", STROBE, "--folder", folder).returncode, 1)
            page.write_text("<!-- recorded output of: strobe run workloads/one-page -->\n<!-- end of output -->\n")
            done = self.refresh("--check", STROBE, "--folder", folder)
            self.assertEqual(done.returncode, 1)
            self.assertIn("a recorded output says what it is compared with", done.stderr)

    def test_a_table_that_no_command_prints_has_a_name(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder, "README.md")
            page.write_text("<!-- table of: devices -->\n<!-- end of table -->\n")
            self.assertEqual(self.refresh("--check", STROBE, "--folder", folder).returncode, 1)
            self.assertEqual(self.refresh(STROBE, "--folder", folder).returncode, 0)
            for file in (ROOT / "scenarios" / "devices").glob("*.json"):
                self.assertIn(f"| `devices/{file.stem}` |", page.read_text())
            page.write_text("<!-- table of: devises -->\n<!-- end of table -->\n")
            done = self.refresh(STROBE, "--folder", folder)
            self.assertEqual(done.returncode, 1)
            self.assertIn("devises: neither a command of strobe nor one of the tables cost points, firmware coverage, software units, separate command lines, unloaded read", done.stderr)


class Examples(unittest.TestCase):
    """Scenarios that pages show: JSON blocks with a workload and what they extend."""

    def test_they_are_valid(self):
        count = 0
        for page in PAGES:
            for block in re.findall(r"^```json\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE):
                if not re.match(r'\{.*"extends": ".*"workload"', block, re.DOTALL):
                    continue
                with tempfile.TemporaryDirectory() as folder:
                    file = pathlib.Path(folder, "example.json")
                    file.write_text(block)
                    for trace in re.findall(r'"trace": {"file": "(\w+\.log)"', block):
                        pathlib.Path(folder, trace).write_text("fio version 3 iolog\n0 d add\n0 d open\n1 d write 0 4096\n")
                    done = subprocess.run([STROBE, "validate", str(file)], capture_output=True, text=True, check=False, timeout=100,
                                          env={**os.environ, "STROBE_SCENARIOS": str(ROOT / "scenarios")})
                self.assertEqual(done.returncode, 0, f"{page}: {block}{done.stdout}{done.stderr}")
                count += 1
        self.assertGreaterEqual(count, 2)  # docs/scenarios.md: the first example, a drive of today


class Links(unittest.TestCase):
    def test_each_link_leads_to_a_file_and_a_heading(self):
        for page in PAGES:
            for target in LINK.findall(without_code(page.read_text())):
                if target.startswith("http"):
                    continue
                path, _, heading = target.partition("#")
                file = (page.parent / path).resolve() if path else page
                self.assertTrue(file.exists(), f"{page}: {target}")
                if heading:
                    self.assertIn(heading, anchors(file), f"{page}: {target}")

    def test_files_that_are_named_exist(self):
        for page in PAGES:
            for name in re.findall(r"`((?:models|platform|firmware|tests|scripts|scenarios)/[\w./{},-]+)`", page.read_text()):
                for path in alternatives(name):
                    found = (ROOT / path).exists() or (ROOT / f"{path}.h").exists()
                    self.assertTrue(found, f"{page}: {path}")

    def test_tests_that_are_named_exist(self):
        count = 0
        for page in PAGES:
            for path, name in re.findall(r'`(tests/[\w/.]+\.(?:cpp|py))`: "([^"]+)"', page.read_text()):
                source = (ROOT / path).read_text()
                self.assertTrue(f'TEST_CASE("{name}"' in source or f"    def {name}(self):" in source, f"{page}: {path}: {name}")
                count += 1
        self.assertGreater(count, 30)  # docs/firmware/your_own_ftl.md

    def linked_from(self, page):
        return {(page.parent / target.partition("#")[0]).resolve() for target in LINK.findall(page.read_text())}

    def test_each_page_can_be_reached_from_the_index(self):
        linked = self.linked_from(INDEX)
        for page in PAGES:
            if page not in (INDEX, ROOT / "README.md"):
                self.assertIn(page, linked, "docs/README.md links all pages")
        self.assertIn(INDEX, self.linked_from(ROOT / "README.md"))


class FrontPage(unittest.TestCase):
    def test_it_is_short(self):
        self.assertLessEqual(len((ROOT / "README.md").read_text().splitlines()), 80)

    def test_the_block_diagram_shows_what_exists(self):
        done = subprocess.run([sys.executable, "-B", ROOT / "scripts" / "plot-blocks", "--check"], capture_output=True,
                              text=True, check=False, timeout=100)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)


class Quotes(unittest.TestCase):
    """Blocks that look like output of the program are generated: a block without a language is between markers, or follows a
    comment that names the test that compares it."""

    def test_blocks_are_generated_or_name_their_language(self):
        generated = re.compile(r"<!-- (?:recorded )?(?:output|table) of: .*?<!-- end of (?:output|table) -->", re.DOTALL)
        compared = re.compile(r"<!-- compared with the program's output by (tests/\S+) -->\n```\n.*?^```$", re.DOTALL | re.MULTILINE)
        recorded = re.compile(r"<!-- recorded [^\n]*; compared by (tests/\S+) -->")
        for page in PAGES:
            for test in recorded.findall(page.read_text()):
                self.assertIn(page.name, (ROOT / test).read_text(), f"{page}: {test} does not read the page")
            if page.name == "tutorial.md":  # tests/scenarios/runs/test_tutorial.py executes it
                continue
            for test in compared.findall(page.read_text()):
                self.assertIn(page.name, (ROOT / test).read_text(), f"{page}: {test} does not read the page")
            fences = re.findall(r"^```(.*)$", compared.sub("", generated.sub("", page.read_text())), re.MULTILINE)
            for number, language in enumerate(fences[::2]):
                self.assertIn(language, ("sh", "json", "c", "cpp", "cmake", "text", "gdb", "python"),
                              f"{page}: block {number + 1}: give its language, or generate it (scripts/refresh-docs); "
                              "text is for drawings and formats")


if __name__ == "__main__":
    unittest.main()
