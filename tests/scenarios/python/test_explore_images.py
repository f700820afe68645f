#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`strobe explore` with points that start from drive images.

Needs STROBE in the environment, the program under test, and an interpreter with the packages of the group explore.
"""
import json
import os
import subprocess
import sys
import time
import unittest

from study_fixture import DRIVE, STROBE, STUDY, Directory, changed

import strobe


class Images(Directory):
    """Points that share an image of the drive: it is made once."""

    def setUp(self):
        super().setUp()
        phases = [{"name": "fill", "kind": "sequential", "blockSize": "64KiB", "volume": "100%", "precondition": True},
                  *DRIVE["workload"]["phases"]]
        self.write("drive.json", {**DRIVE, "workload": {"phases": phases}})
        self.ratio = {"key": "workload.phases.1.readRatio", "values": ["0%", "30%", "60%", "90%"]}
        self.study(ways={"key": "nand.ways", "values": [1, 2]})
        # The program, which notes its runs. Images wait while there is a file "slow", and fail while there is one "broken".
        self.program = self.write("program", f"""#!/bin/sh
case "$*" in
*--save-image*) echo image >>"{self.dir}/runs"
    while [ -e "{self.dir}/slow" ]; do sleep 0.05; done
    case "$*" in *nand.ways=2*) [ ! -e "{self.dir}/broken" ] || {{ echo "no image today" >&2; exit 1; }} ;; esac ;;
run*) echo run >>"{self.dir}/runs" ;;
esac
exec "{STROBE}" "$@"
""")
        self.program.chmod(0o755)
        self.write("runs", "")

    def command(self, *arguments):
        return [sys.executable, "-m", "strobe", "explore", *map(str, arguments)]

    def study(self, **more):
        self.write("study.json", changed(values={}, objectives={"iops": "max"}, parameters={"ratio": self.ratio, **more}))

    def explore(self, *arguments, **more):
        return super().explore(*arguments, env={**os.environ, "STROBE": str(self.program)}, **more)

    def counted(self):
        """Images that were made, measured runs."""
        lines = (self.dir / "runs").read_text().split()
        return lines.count("image"), lines.count("run")

    def test_each_image_is_made_once_for_all_points_and_starts(self):
        self.assertIn("points start from drive images", self.explore("study.json", "--check", "--cache", "other").stdout)
        self.assertEqual(self.counted(), (1, 1))
        self.write("runs", "")
        self.assertIn("2 drive images made", self.explore("study.json", "--method", "sobol", "--points", "5").stdout)
        self.assertEqual(self.counted(), (2, 5))
        self.assertIn("0 drive images made", self.explore("study.json", "--method", "sobol", "--points", "8").stdout)
        self.assertEqual(self.counted(), (2, 8))
        points = self.points()
        self.assertEqual({point["status"] for point in points}, {"ok"})
        self.assertEqual(len({(point["values"]["ways"], point["runs"][0]["image"]) for point in points}), 2)
        # A point has the values of a run from the image; its scenario is ready to run.
        for point in points:
            direct = strobe.run(self.out / "scenarios" / f"point-{point['number']:04d}.json")
            self.assertEqual(direct.value("totals.all.iops"), point["measured"]["iops"]["mean"])
        # Without images nothing of this comes from the cache.
        self.write("study.json", {**json.loads((self.dir / "study.json").read_text()), "images": False})
        self.assertIn("8 runs simulated, 0 from the cache)", self.explore("study.json", "-o", "without").stdout)
        self.assertEqual(self.counted(), (2, 16))

    def test_an_image_that_cannot_be_made_fails_its_points_only(self):
        self.write("broken", "")
        self.assertIn("4 failed", self.explore("study.json").stdout)
        self.assertEqual(self.counted(), (2, 4))
        failed = {row["ways"]: row["message"] for row in self.rows() if row["status"] == "failed"}
        self.assertEqual(list(failed), ["2"])
        self.assertEqual(failed["2"], 'the image of the drive could not be made: no image today; "images": false in the study runs every '
                                      'point from the beginning')

    def test_a_driver_that_is_killed_while_an_image_is_made(self):
        self.study()
        self.write("slow", "")
        driver = subprocess.Popen(self.command("study.json", "--cache", "cache"), cwd=self.dir, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, env={**os.environ, "STROBE": str(self.program)})
        self.addCleanup(driver.kill)
        while self.counted() != (1, 0):  # bounded by the time limit of the test
            self.assertIsNone(driver.poll())
            time.sleep(0.02)
        driver.kill()
        driver.wait()
        (self.dir / "slow").unlink()
        self.explore("study.json")
        self.assertEqual(self.counted(), (2, 4))
        self.assertEqual([file.suffix for file in sorted((self.dir / "cache" / "images").iterdir())], [".img", ".lock"])

    def test_jobs_make_the_image_that_they_share(self):
        self.explore("study.json", "--emit-jobs", "jobs.sh")
        jobs = [subprocess.Popen(["sh", "-c", job], cwd=self.dir) for job in (self.dir / "jobs.sh").read_text().splitlines()]
        self.assertEqual([job.wait() for job in jobs], [0] * 8)
        self.assertEqual(self.counted(), (2, 8))
        self.assertIn("0 runs simulated, 8 from the cache", self.explore("study.json").stdout)

    def test_parameters_that_change_the_drive_before_measuring_share_nothing(self):
        self.write("study.json", STUDY)
        self.assertNotIn("images", self.explore("study.json", "--check").stdout)


if __name__ == "__main__":
    unittest.main()
