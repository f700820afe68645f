#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`strobe explore` that ends early: killed processes, Ctrl-C, full disks. It goes on where it was.

Needs STROBE in the environment, the program under test, and an interpreter with the packages of the group explore.
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

from study_fixture import DRIVE, STROBE, Directory, changed

from strobe.explore.cache import Cache


class FullDisk(Directory):
    def file_system(self, name, size):
        place = self.dir / name
        place.mkdir()
        mount = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)], capture_output=True, text=True, check=False)
        if mount.returncode != 0:
            self.skipTest(mount.stderr)
        self.addCleanup(subprocess.run, ["umount", "--lazy", str(place)], check=True)
        return place

    @unittest.skipUnless(os.geteuid() == 0, "only root can mount a small file system")
    def test_the_study_stops_and_goes_on_when_there_is_room(self):
        cache = self.file_system("cache", "400k")
        done = self.explore("study.json", "--jobs", "1", status=2)
        self.assertEqual(len([line for line in done.stderr.splitlines() if "No space left" in line]), 1, done.stderr)
        self.assertIn("the study has stopped and nothing is lost: make room, then run the same command again", done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        before = self.points()
        self.assertTrue(all(point["status"] == "ok" for point in before))
        self.assertIn(len(before), range(1, 6))
        subprocess.run(["mount", "-o", "remount,size=20m", str(cache)], check=True)
        self.assertIn("goes on after", self.explore("study.json", "--jobs", "1").stderr)
        self.assertEqual(self.points()[:len(before)], before)
        self.assertEqual([point["status"] for point in self.points()], ["ok"] * 6)

    def test_the_message_names_the_file_for_which_there_is_no_room(self):
        self.explore("study.json", "--quiet") # now all results are in the cache
        results = self.file_system("full", "40k")
        done = self.explore("study.json", "--quiet", "-o", results, status=2)
        self.assertRegex(done.stderr, rf"^(strobe explore: )?{results}/\S+: No space left on device; ")


class Rests(Directory):
    def test_incomplete_reports_of_dead_runs_are_removed_by_the_next_study(self):
        ended = subprocess.Popen(["true"])
        ended.wait()
        host, day = os.uname().nodename, 86400
        folder = self.dir / "cache" / "ab"
        folder.mkdir(parents=True)
        for is_kept, host_name, process, age in (
                (False, host, ended.pid, 2 * day), (True, host, ended.pid, 60), (True, host, os.getpid(), 2 * day),
                (True, "elsewhere-2", ended.pid, 2 * day), (False, "elsewhere-2", os.getpid(), 31 * day)):
            with self.subTest(host=host_name, process=process, age=age):
                file = folder / f".{'ab' * 32}-{host_name}-{process}.json.x1Y2z3"
                file.write_text("")
                os.utime(file, (time.time() - age,) * 2)
                complete = folder / f"{'ab' * 32}.json"
                complete.write_text("{}")
                os.utime(complete, (0, 0))
                Cache(self.dir / "cache").remove_rests()
                self.assertEqual((file.exists(), complete.exists()), (is_kept, True))
        file.write_text("")
        os.utime(file, (0, 0))
        self.explore("study.json", "--quiet")
        self.assertFalse(file.exists())


class Kill(Directory):
    """Workers and driver killed by their process ids: no point is lost, none is simulated twice but those in flight."""

    POINTS = 16

    def setUp(self):
        super().setUp()
        slow = {**DRIVE, "workload": {"phases": [{**DRIVE["workload"]["phases"][0], "requests": 40000}]}}
        self.write("drive.json", slow)
        self.write("study.json", changed(values={}, objectives={"bandwidth": "max"},
                                         parameters={"channels": {"key": "nand.channels", "values": [1, 2]},
                                                     "clock": {"key": "cpu.clock", "from": "100MHz", "to": "170MHz", "step": "10MHz"}}))
        # The program, which notes its runs.
        self.program = self.write("program", f'#!/bin/sh\n[ "$1" != run ] || echo run >>"{self.dir}/runs"\nexec "{STROBE}" "$@"\n')
        self.program.chmod(0o755)
        self.write("runs", "")

    def command(self, *arguments):
        return [sys.executable, "-m", "strobe", "explore", *map(str, arguments)]

    def environment(self):
        return {**os.environ, "STROBE": str(self.program)}

    def wait_for(self, condition, process=None):
        while not (found := condition()):  # bounded by the time limit of the test
            if process is not None:
                self.assertIsNone(process.poll(), "the driver has ended")
            time.sleep(0.02)
        return found

    def finished(self):
        journal = self.out / "points.jsonl"
        return journal.read_text().count("\n") if journal.exists() else 0

    def simulators(self):
        """Process id -> that of its parent, of the simulations of this study."""
        found = {}
        for folder in pathlib.Path("/proc").iterdir():
            try:
                words = (folder / "cmdline").read_bytes().split(b"\0") if folder.name.isdigit() else []
                if b"run" in words and any(str(self.dir).encode() in word for word in words):
                    found[int(folder.name)] = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except OSError:
                pass  # has ended
        return found

    def family(self):
        """All processes that have this study's cache in their command line or its program in their environment."""
        found = []
        for folder in pathlib.Path("/proc").iterdir():
            try:
                if folder.name.isdigit() and f"STROBE={self.program}".encode() in (folder / "environ").read_bytes():
                    found.append(int(folder.name))
            except OSError:
                pass
        return found

    def test_no_point_is_lost(self):
        driver = subprocess.Popen(self.command("study.json", "--cache", "cache", "--jobs", "2", "--method", "grid"), cwd=self.dir,
                                  env=self.environment(), stdout=subprocess.DEVNULL)
        self.addCleanup(driver.wait)
        self.addCleanup(driver.kill)
        for done in (2, 4):
            self.wait_for(lambda done=done: self.finished() >= done, driver)
            simulator, worker = self.wait_for(lambda: next(iter(self.simulators().items()), None), driver)
            try:
                os.kill(worker, signal.SIGKILL)
            except ProcessLookupError:
                self.fail("a simulation without its worker")
            self.wait_for(lambda simulator=simulator: simulator not in self.simulators())
        self.wait_for(lambda: self.finished() >= 7, driver)
        driver.kill()
        driver.wait()
        self.wait_for(lambda: not self.family())  # no orphans
        before = self.finished()
        self.assertLess(before, self.POINTS)
        self.explore("study.json", "--jobs", "2", "--method", "grid", env=self.environment())
        points = self.points()
        self.assertEqual(len({json.dumps(point["values"]) for point in points}), self.POINTS)
        self.assertEqual(len(points), self.POINTS)
        self.assertEqual({point["status"] for point in points}, {"ok"})
        runs = len((self.dir / "runs").read_text().splitlines())
        self.assertGreaterEqual(runs, self.POINTS)
        self.assertLessEqual(runs, self.POINTS + 2 + 2)  # one per killed worker, two with the killed driver

    def test_ctrl_c_keeps_what_is_finished(self):
        driver = subprocess.Popen(self.command("study.json", "--cache", "cache", "--jobs", "2", "--method", "grid"), cwd=self.dir,
                                  env=self.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True)
        self.addCleanup(driver.kill)
        self.wait_for(lambda: self.finished() >= 2, driver)
        os.killpg(driver.pid, signal.SIGINT)  # as a terminal does: the workers receive it, too
        _, errors = driver.communicate()
        self.assertEqual(driver.returncode, 130, errors)
        self.assertNotIn("Traceback", errors)
        self.assertTrue((self.out / "index.html").exists())
        self.wait_for(lambda: not self.family())
        self.assertTrue(all(point["status"] == "ok" for point in self.points()))


if __name__ == "__main__":
    unittest.main()
