# SPDX-License-Identifier: Apache-2.0
"""Common parts of command-line tests: the program under test (STROBE in the environment), a small drive, a directory."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

STROBE = os.environ["STROBE"]
ROOT = pathlib.Path(__file__).resolve().parents[3]
SCENARIOS = ROOT / "scenarios"

SMALL = {
    "name": "small drive",
    "nand": {"part": {"extends": "k9f1g08u0a", "blocksPerPlane": 32, "maxBadBlocks": 1}, "channels": 1, "ways": 2},
    "memory": {"size": "16MiB", "bufferSize": "1MiB"},
    "firmware": {"overProvisioning": "20%"},
    "workload": {"phases": [{"name": "mix", "kind": "uniform", "readRatio": "50%", "blockSize": "4KiB", "requests": 500}]},
}


def strobe(*arguments, **options):
    return subprocess.run([STROBE, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=300,
                          **options)


class Directory(unittest.TestCase):
    """Each test has its own directory with small.json in it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)
        self.small = self.write("small.json", SMALL)
        self.endless = self.write("endless.json", {**SMALL, "workload": {"phases": [
            {**SMALL["workload"]["phases"][0], "requests": 2000000000}]}})

    def write(self, name, content):
        file = self.dir / name
        file.write_text(content if isinstance(content, str) else json.dumps(content))
        return file

    def files(self):
        return sorted(file.name for file in self.dir.iterdir())
