# SPDX-License-Identifier: Apache-2.0
"""A small drive, a study of it, and a directory in which `strobe explore` runs. STROBE in the environment names the program."""
import csv
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

STROBE = os.environ["STROBE"]
STUDIES = pathlib.Path(__file__).resolve().parents[3] / "scenarios" / "studies"
DRIVE = {
    "name": "small drive", "nand": {"part": {"extends": "k9f1g08u0a", "blocksPerPlane": 32, "maxBadBlocks": 1}, "channels": 1, "ways": 2},
    "memory": {"size": "16MiB", "bufferSize": "1MiB"}, "firmware": {"overProvisioning": "20%"},
    "workload": {"phases": [{"name": "mix", "kind": "uniform", "readRatio": "50%", "blockSize": "4KiB", "requests": 200}]}}
STUDY = {
    "name": "a study", "scenario": "drive.json",
    "parameters": {"channels": {"key": "nand.channels", "values": [1, 2, 4]}, "ways": {"key": "nand.ways", "from": 1, "to": 2}},
    "values": {"pins": "channels * (15 + 2 * ways)"},
    "objectives": {"pins": "min", "bandwidth": "max"}}


def changed(**more):
    return {**STUDY, **more}


class Directory(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="strobe-explore-")
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)
        self.write("drive.json", DRIVE)
        self.write("study.json", STUDY)
        self.out = self.dir / "study-results"

    def write(self, name, content):
        file = self.dir / name
        file.write_text(content if isinstance(content, str) else json.dumps(content))
        return file

    def command(self, *arguments):
        return [STROBE, "explore", *map(str, arguments)]

    def explore(self, *arguments, status=0, jobs=1, **more):
        """jobs: simulations at a time, each in a process that takes a second to start; None: as many as without --jobs."""
        more_words = [] if "--cache" in arguments else ["--cache", "cache"]
        if jobs and not {"--jobs", "--scheduler", "--farm"} & set(arguments):
            more_words += ["--jobs", str(jobs)]
        done = subprocess.run(self.command(*arguments, *more_words), cwd=self.dir, capture_output=True, text=True, check=False, timeout=300, **more)
        self.assertEqual(done.returncode, status, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done

    def points(self, out=None):
        return [json.loads(line) for line in ((out or self.out) / "points.jsonl").read_text().splitlines()]

    def rows(self):
        with open(self.out / "points.csv", encoding="utf-8") as file:
            return list(csv.DictReader(file))
