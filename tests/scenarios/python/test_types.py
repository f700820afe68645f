#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The types of the Python package, as [tool.mypy] of its pyproject.toml has them checked."""
import importlib.util
import pathlib
import subprocess
import sys
import tempfile
import unittest


class Types(unittest.TestCase):
    def test_mypy_finds_nothing(self):
        with tempfile.TemporaryDirectory() as cache:
            done = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", cache], capture_output=True, text=True, check=False,
                                  cwd=pathlib.Path(__file__).resolve().parents[3] / "scripts" / "python", timeout=500)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    if importlib.util.find_spec("mypy") is None:
        print("mypy is missing: scripts/test installs it")
        sys.exit(77)
    unittest.main()
