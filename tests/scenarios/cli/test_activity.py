#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`strobe run --activity`: the jobs of resources, one by one.

Needs STROBE in the environment: the program under test; STROBE_SANITIZE=1 if it was built with sanitizers.
"""
import collections
import csv
import json
import unittest

from cli_support import SMALL, Directory, strobe


class Activity(Directory):
    """Which resource was busy at which time."""

    def setUp(self):
        super().setUp()
        self.file, self.json = self.dir / "activity.csv", self.dir / "report.json"

    def run_small(self, *arguments):
        done = strobe("run", self.small, "--quiet", "--json", self.json, "--activity", self.file, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        with self.file.open(newline="") as file:
            return list(csv.DictReader(file)), json.loads(self.json.read_text()), done.stderr

    def test_jobs_add_up_to_the_figures_of_their_resources_in_the_report(self):
        rows, report, _ = self.run_small("--activity-length", "1000s")
        busy = collections.Counter()
        for row in rows:
            start, end = int(row["start_ps"]), int(row["end_ps"])
            self.assertLessEqual(int(row["arrived_ps"]), start)
            self.assertLessEqual(start, end)
            if start >= report["ready_ps"]:  # start of the workload; firmware has used the flash before
                busy[row["resource"]] += end - start
        compared = 0
        for resource in report["resources"]:
            if resource["group"] in ("die", "channel", "ecc", "unit") and resource["jobs"]:
                self.assertEqual(busy[resource["name"]], resource["busy_ps"], resource["name"])
                compared += 1
        self.assertGreater(compared, 5)
        costs = collections.Counter(row["what"] for row in rows if row["resource"] == "firmware")
        self.assertEqual(costs["host_command"], report["firmware"]["costs"]["host_command"]["times"])
        starts = [int(row["start_ps"]) for row in rows]
        self.assertEqual(starts, sorted(starts))

    def test_recording_changes_nothing(self):
        _, with_activity, _ = self.run_small()
        done = strobe("run", self.small, "--quiet", "--json", "-")
        self.assertEqual(json.loads(done.stdout), with_activity)

    def test_a_window_and_names_narrow_it_down(self):
        rows, _, _ = self.run_small("--activity-from", "1ms", "--activity-length", "500us", "--activity-of", "die,cpu")
        self.assertEqual({row["resource"] for row in rows}, {"cpu", "die 0.0", "die 0.1"})
        for row in rows:
            self.assertGreater(int(row["end_ps"]), 1_000_000_000)
            self.assertLess(int(row["start_ps"]), 1_500_000_000)

    def test_activity_beyond_the_limit_is_reported(self):
        rows, _, said = self.run_small("--activity-limit", "10")
        self.assertEqual(len(rows), 10)
        self.assertRegex(said, r"[1-9]\d* more records are not in it; --activity-limit \d+ holds them")

    def test_a_window_without_any_work_is_reported(self):
        rows, _, said = self.run_small("--activity-from", "100s")
        self.assertEqual(rows, [])
        self.assertRegex(said, r"^\S+: it is empty: the run ended at [\d.]+ \w+, before --activity-from 100s\n$")

    def test_on_standard_output_it_is_a_table_and_there_is_no_report(self):
        done = strobe("run", "workloads/one-page", "--activity", "-", "--activity-of", "ecc,die")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = [line.split() for line in done.stdout.splitlines()]
        self.assertEqual(lines[0][-4:], ["resource", "what", "waited", "us"])
        self.assertEqual([line[3] for line in lines[1:]], ["ecc", "die", "die", "ecc"])
        self.assertEqual([line[4] for line in lines[1:]], ["encoder", "0.0", "0.0", "decoder"])

    def test_mistakes_are_reported_before_anything_runs(self):
        for arguments, message in (
                (("--activity", self.file, "--activity-from", "soon"), "--activity-from soon: "),
                (("--activity", self.file, "--activity-of", "dye"), 'no resource\'s name begins with "dye"; names begin with '),
                (("--activity", self.file, "--activity-length", "0s"), "--activity-length 0s: must be above zero"),
                (("--activity", "-", "--json", "-"), "--json and --activity: standard output takes one of them"),
                (("--activity", self.file, "--activity-of", ""), "--activity-of: an empty name matches all resources"),
                (("--activity-from", "1ms"), "--activity-from: narrows a recording; it needs --activity FILE or --timeline FILE")):
            done = strobe("run", self.small, *arguments)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(message, done.stderr)
            self.assertFalse(self.file.exists())


if __name__ == "__main__":
    unittest.main()
