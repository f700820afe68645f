#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`strobe run --check-memory`: stacks of cores and tasks, heap, reads of memory that was never written, races of two cores.

Needs STROBE in the environment: the program under test; a compiler for the RV32 core.
"""
import json
import pathlib
import subprocess
import tempfile
import unittest

from planted import ROOT, STROBE, memory_image
from test_two_cores import MIXED, PAGES, SUPERBLOCKS

SOURCE = ROOT / "tests/scenarios/runs/memory_image.c"


def line_of(text):
    """The line of the image's source that has this text."""
    line, = [number for number, line in enumerate(SOURCE.read_text().splitlines(), 1) if line.strip() == text]
    return f"memory_image.c:{line})"


class Memory(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)

    def check(self, *options, cores=1, defines=()):
        image = memory_image(self.dir, *defines)
        done = subprocess.run([STROBE, "run", "workloads/one-page", "--firmware", image, "--set", f"firmware.cores={cores}",
                               "--check-memory", "--json", self.dir / "r.json", *options], capture_output=True, text=True, check=False,
                              timeout=60)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return done.stdout, json.loads((self.dir / "r.json").read_text())["firmware"]["memory"]

    def test_stacks_of_tasks_and_heap(self):
        text, memory = self.check()
        stacks = {stack["name"]: stack for stack in memory["stacks"]}
        self.assertEqual(list(stacks), ["core 0", "task_stacks", "task_stacks+0x400"])
        self.assertEqual(stacks["core 0"]["size_bytes"], 8192)
        self.assertEqual([stacks[name]["size_bytes"] for name in list(stacks)[1:]], [1024, 1024])
        self.assertTrue(32 * 4 + 64 < stacks["task_stacks"]["deepest_bytes"] < 400, stacks)
        self.assertTrue(128 * 4 + 64 < stacks["task_stacks+0x400"]["deepest_bytes"] < 800, stacks)
        self.assertRegex(text, r"\n  task_stacks\+0x400 +\d+  1,024\n")
        self.assertEqual(memory["unwritten_reads"], [])
        heap = memory["heap"]
        self.assertEqual((heap["allocated_bytes"], heap["blocks"], heap["most_allocated_bytes"], heap["refused"]), (3200, 2, 3200, 1))
        self.assertTrue(3200 <= heap["given_bytes"] < 4000 < heap["size_bytes"], heap)
        self.assertIn(f"Heap: at most 3,200 bytes allocated at a time, {heap['given_bytes']:,} given by sbrk()", text)
        freed, = memory["bad_frees"] # the second time
        self.assertIn("firmware_main", freed)
        self.assertIn("Free of memory that is not allocated: 0x", text)
        self.assertNotIn("races", memory)

    def test_a_message_with_fences_is_no_race(self):
        text, memory = self.check(cores=2)
        self.assertEqual(memory["races"], [])
        self.assertIn("No race between the cores.", text)
        self.assertEqual([stack["name"] for stack in memory["stacks"]][:2], ["core 0", "core 1"])

    def test_a_race_is_reported_with_both_places(self):
        text, memory = self.check(cores=2, defines=["RACES"])
        self.assertTrue(memory["races"])
        for race in memory["races"]:
            self.assertRegex(race, r"^the word at 0x[0-9a-f]{8} is (read|written) by core [01] in .*, and (read|written) by core [01] in ")
            self.assertEqual(race.count(line_of("++shared.count;")), 2, race)
        self.assertIn("Race between the cores: the word at ", text)

    def test_a_message_without_fence_is_a_race_of_its_data(self):
        _, memory = self.check(cores=2, defines=["WITHOUT_FENCE"])
        self.assertTrue([race for race in memory["races"] if line_of("shared.question = 41;") in race], memory["races"])
        self.assertTrue([race for race in memory["races"] if line_of("shared.is_asked = 1;") in race], memory["races"])


class NoFalseAlarm(unittest.TestCase):
    """The project's firmware on two cores has neither races nor reads of memory that was never written."""

    def run_on(self, drive, *options):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "t.json")
            path.write_text(json.dumps({**drive, "name": "t", "workload": {"phases": [{**MIXED, "requests": 300, "trimRatio": "0%"}]}}))
            done = subprocess.run([STROBE, "run", path, "--set", "firmware.mode=rv32", "--set", "firmware.cores=2", "--check-memory",
                                   "--json", "-", *options], capture_output=True, text=True, check=True, timeout=120)
        memory = json.loads(done.stdout)["firmware"]["memory"]
        self.assertEqual((memory["races"], memory["unwritten_reads"]), ([], []))
        self.assertEqual([stack["name"] for stack in memory["stacks"]], ["core 0", "core 1"])
        for stack in memory["stacks"]:
            self.assertTrue(300 < stack["deepest_bytes"] < stack["size_bytes"], stack)

    def test_page_mapping_also_after_power_losses(self):
        self.run_on(PAGES, "--set", "power.meanCutInterval=20ms", "--set", "power.maxCuts=3")

    def test_software_units(self):
        self.run_on(SUPERBLOCKS, "--set", "controller.backgroundUnits=software")


if __name__ == "__main__":
    unittest.main()
