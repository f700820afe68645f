#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`strobe run --timeline`: the trace as Perfetto's trace processor reads it.

Needs STROBE in the environment: the program under test; and the packages of the group "test" (scripts/test installs them).
"""
import csv
import os
import pathlib
import subprocess
import tempfile
import unittest

from trace_query import Trace

STROBE = os.environ["STROBE"]
NAMED = "select s.ts as ts, s.dur as dur, s.name as name, t.name as track, p.name as folder from slice s join track t on t.id = s.track_id " \
        "join track p on p.id = t.parent_id"


class Timeline(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "run.pftrace"
        self.csv = pathlib.Path(folder.name) / "run.csv"

    def record(self, *arguments):
        subprocess.run([STROBE, "run", *arguments, "--quiet", "--timeline", self.file], check=True, timeout=300)
        trace = Trace(self.file)
        self.addCleanup(trace.close)
        return trace

    def test_each_recorded_job_is_a_slice_of_its_resource(self):
        trace = self.record("workloads/one-page", "--activity", self.csv)
        self.assertEqual(trace.rows("select name, value from stats where severity = 'error' and value > 0"), [])
        with self.csv.open(newline="") as file:
            expected = sorted((int(row["start_ps"]) // 1000, int(row["end_ps"]) // 1000 - int(row["start_ps"]) // 1000,
                               row["what"] or row["resource"], row["resource"]) for row in csv.DictReader(file))
        found = sorted((row["ts"], row["dur"], row["name"], row["track"]) for row in trace.rows(NAMED))
        self.assertEqual(found, expected)
        self.assertGreater(len(found), 60)

    def test_resources_stand_in_groups_from_the_host_to_the_dies(self):
        trace = self.record("quickstart", "--activity-from", "20ms", "--activity-length", "300us")
        folders = [row["name"] for row in trace.rows(
            "select name, extract_arg(source_arg_set_id, 'sibling_order_rank') as place from track where parent_id is null order by place")]
        self.assertEqual(folders, ["host", "firmware", "memory", "flash units", *(f"channel {c}" for c in range(4))])
        rows = trace.rows("select t.name as name, p.name as folder from track t join track p on p.id = t.parent_id")
        for row in rows:
            if row["name"].startswith(("die", "channel", "ecc")):
                self.assertEqual(row["folder"], "channel " + row["name"].split()[-1].split(".")[0])
        self.assertGreater(len(rows), 20)

    def test_slices_of_a_track_do_not_overlap(self):
        trace = self.record("quickstart", "--activity-length", "2ms")
        self.assertEqual(trace.rows("select a.id as a, b.id as b from slice a join slice b on a.track_id = b.track_id and a.id < b.id "
                                    "where a.ts + a.dur > b.ts and b.ts + b.dur > a.ts and a.dur > 0 and b.dur > 0 limit 5"), [])


if __name__ == "__main__":
    unittest.main()
