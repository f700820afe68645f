#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/check-structure: what it accepts and what it reports, on a copy of the tree."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]


class Structure(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name in ("firmware", "models", "platform"):
            shutil.copytree(ROOT / name, self.root / name)
        for name in ("domain", "firmware", "modules", "scenarios", "tools"):
            shutil.copytree(ROOT / "tests" / name, self.root / "tests" / name)
        shutil.copy(ROOT / "tests" / "CMakeLists.txt", self.root / "tests")
        (self.root / "scripts").mkdir()
        shutil.copy(ROOT / "scripts" / "check-structure", self.root / "scripts")

    def check(self):
        return subprocess.run([sys.executable, "-B", self.root / "scripts" / "check-structure"], capture_output=True, text=True,
                              check=False, timeout=300)

    def append(self, name, text):
        path = self.root / name
        path.write_text(path.read_text() + text)

    def test_the_tree_is_accepted(self):
        done = self.check()
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)

    # The check takes six seconds, most of them for the calls of firmware: mistakes that do not hide each other share a tree.
    def test_what_breaks_the_layers_is_reported(self):
        """Files of firmware that call each other, classes of tests that no list names, an include from below, SystemC below the seam."""
        self.append("firmware/drivers/arena.c", "\nvoid host_if_upward(void);\nvoid arena_upward(void);\n"
                    "void arena_upward(void)\n{\n    host_if_upward();\n}\n")
        self.append("firmware/drivers/host_if.c", "\nvoid arena_upward(void);\nvoid host_if_upward(void);\n"
                    "void host_if_upward(void)\n{\n    arena_upward();\n}\n")
        for name in ("runs/test_stages.py", "runs/test_firmware_mistakes.py", "install/test_install.py"):
            self.append(f"tests/scenarios/{name}", "\n\nclass Forgotten(unittest.TestCase):\n    def test_it(self):\n        pass\n")
        self.append("firmware/hal/text.h", '\n#include "firmware/drivers/boot.h"\n')
        self.append("models/base/rng.h", '\n#include "platform/report/report.h"\n')
        self.append("platform/config/units.h", '\n#include "platform/app/bench.h"\n')
        self.append("models/nand/geometry.h", "\n#include <systemc>\n")
        done = self.check()
        self.assertEqual(done.returncode, 1)
        calls, = [line for line in done.stdout.splitlines() if line.startswith("files call each other")]
        self.assertIn("arena_upward -> host_if_upward", calls)
        self.assertEqual(done.stdout.count("does not name the class Forgotten"), 3, done.stdout)
        for problem in ("firmware/hal must not include firmware/drivers", "models/base must not include platform/report",
                        "platform/config must not include platform/app", "models/nand/geometry.h: a domain file must not reach SystemC"):
            self.assertIn(problem, done.stdout)

    def test_other_mistakes_are_reported_and_nothing_else(self):
        """Unit tests that do not mirror the sources, a call without the header of the function, a name with two meanings."""
        tests = self.root / "tests"
        (tests / "domain/host/pcie").rename(tests / "domain/pcie")
        (tests / "firmware/ftl/start_gap").rename(tests / "firmware/ftl/levelling")
        (tests / "firmware/ftl/page_map/test_victim.cpp").unlink()
        (tests / "firmware/app/test_main.cpp").write_text("")
        builds = tests / "firmware/ftl/page_map/CMakeLists.txt"
        builds.write_text(builds.read_text().replace("test_collector.cpp", ""))
        (self.root / "firmware/hal/native/entry.c").unlink()
        path = self.root / "platform/assembly/lasting_state.cpp"
        path.write_text(path.read_text().replace('#include "platform/assembly/collect.h"\n', ""))
        self.append("platform/config/scenario.h", "\nnamespace strobe::platform {\nstruct DieQueue : Scenario {};\n// struct Geometry {\n"
                    "struct Uses { struct ArrayGeometry {}; };\n}\n")
        done = self.check()
        self.assertEqual(done.returncode, 1)
        *others, meanings = done.stdout.splitlines()
        self.assertRegex(meanings, r"^DieQueue has several meanings in platform/\S+: strobe::channel \(models/channel/die_queue.h\), "
                                   r"strobe::platform \(platform/config/scenario.h\)$")
        self.assertEqual(others, [
            "tests/domain/pcie: there is no source folder models/pcie or platform/pcie",
            "tests/firmware/ftl/levelling: there is no source folder firmware/ftl/levelling",
            "tests/domain/pcie: tests/CMakeLists.txt does not name it, so its tests are not built",
            "tests/firmware/ftl/levelling: tests/CMakeLists.txt does not name it, so its tests are not built",
            "firmware/app/main.c is in UNMIRRORED of scripts/check-structure, but there is tests/firmware/app/test_main.cpp",
            "tests/firmware/ftl/page_map/test_collector.cpp is not named in the CMakeLists.txt of its folder or of the one above",
            "firmware/ftl/page_map/victim.c: there is no tests/firmware/ftl/page_map/test_victim.cpp",
            *(f"firmware/ftl/start_gap/{name}.c: there is no tests/firmware/ftl/start_gap/test_{name}.cpp"
              for name in ("footprint", "moves", "pieces", "request")),
            "firmware/hal/native/entry.c is in UNMIRRORED of scripts/check-structure, but does not exist",
            *(f"models/host/pcie/{name}.cpp: there is no test_{name}.cpp, and TESTED_BY of scripts/check-structure names no other"
              for name in ("host_memory", "pci_config", "pcie_link")),
            "platform/assembly/lasting_state.cpp: calls diesOf() without including platform/assembly/collect.h"])


if __name__ == "__main__":
    unittest.main()
