#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs of firmware with a mistake: each ends, with a message that helps to find the mistake.

Needs STROBE in the environment: the program under test. Group Native needs LOOPING_IMAGE too, group Rv32 a compiler for the core.
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli_support import STROBE, Directory  # noqa: E402
from planted import planted  # noqa: E402

WITHIN = 4 if os.environ.get("STROBE_SANITIZE") == "1" else 2  # seconds from a signal to the end: one, and a loaded machine


class Mistakes(Directory):
    def interrupted(self, number, after, *arguments):
        """Exit code and text on standard error of a run that gets one signal after some seconds."""
        process = subprocess.Popen([STROBE, "run", str(self.small), "--json", str(self.dir / "report.json"), *map(str, arguments)],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(after)
        self.assertIsNone(process.poll(), "the run has ended by itself")
        process.send_signal(number)
        begin = time.monotonic()
        _, err = process.communicate(timeout=120)
        self.assertLess(time.monotonic() - begin, WITHIN, err)
        return process.returncode, err


class Native(Mistakes):
    def test_one_signal_ends_a_run_whose_firmware_loops_without_calling_the_hal(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            code, err = self.interrupted(number, 1, "--set", f"firmware.image={os.environ['LOOPING_IMAGE']}")
            self.assertEqual(code, 128 + number, err)
            self.assertIn("native firmware that runs without calling the HAL", err)
            self.assertEqual(self.files(), ["endless.json", "small.json"])


class Rv32(Mistakes):
    LOOP = ("    if (kind < HOST_READ || kind > HOST_TRIM)", "    while (kind == HOST_READ) {\n        __asm__ volatile(\"\");\n    }\n"
            "    if (kind < HOST_READ || kind > HOST_TRIM)")

    def test_one_signal_ends_a_run_whose_firmware_loops_on_the_core(self):
        image = planted(self.dir, self.LOOP)
        for number in (signal.SIGINT, signal.SIGTERM):
            code, err = self.interrupted(number, 1, "--firmware", image)
            self.assertEqual(code, 128 + number, err)
            report = json.loads((self.dir / "report.json").read_text())
            self.assertTrue(report["interrupted"])
            self.assertRegex(report["interruption"], r"; \d+ commands did not end")


if __name__ == "__main__":
    unittest.main()
