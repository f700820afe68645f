#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`strobe run --timeline`: the trace as Perfetto's trace processor reads it.

Needs STROBE in the environment: the program under test; and the packages of the group "test" (scripts/test installs them).
"""
import collections
import csv
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from trace_query import Trace

STROBE = os.environ["STROBE"]
NAMED = "select s.id as id, s.ts as ts, s.dur as dur, s.name as name, s.depth as depth, t.name as track from slice s join track t on t.id = s.track_id"


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

    def test_each_recorded_job_is_a_slice(self):
        trace = self.record("workloads/one-page", "--activity", self.csv)
        self.assertEqual(trace.rows("select name, value from stats where severity = 'error' and value > 0"), [])
        found = collections.Counter((row["track"].replace("bus", "channel"), row["ts"], row["dur"])
                                    for row in trace.rows(NAMED) if row["depth"] == 0 and row["track"] != "requests")
        with self.csv.open(newline="") as file:
            expected = collections.Counter(
                (row["resource"], int(row["start_ps"]) // 1000, int(row["end_ps"]) // 1000 - int(row["start_ps"]) // 1000)
                for row in csv.DictReader(file) if not row["resource"].startswith("unit"))
        for job in expected:
            self.assertEqual(found[job], expected[job], job)
        self.assertGreater(sum(expected.values()), 60)

    def test_stages_fill_their_request(self):
        trace = self.record("quickstart", "--activity-length", "3ms")
        requests = trace.rows("select r.dur as dur, sum(c.dur) as stages from slice r join track t on t.id = r.track_id "
                              "join slice c on c.parent_id = r.id where t.name = 'requests' and r.depth = 0 group by r.id")
        self.assertGreater(len(requests), 20)
        for request in requests:
            self.assertEqual(request["dur"], request["stages"])

    def arrows(self, trace):
        return {(row["a"], row["b"]) for row in trace.rows(
            "select s.name as a, d.name as b from flow f join slice s on s.id = f.slice_out join slice d on d.id = f.slice_in")}

    def test_arrows_lead_from_writes_to_the_merges_of_a_superblock(self):
        trace = self.record("quickstart", "--set", "firmware.ftl=superblock_map", "--activity-length", "300ms")
        arrows = self.arrows(trace)
        for arrow in (("write", "program: merge"), ("program: merge", "program response"), ("erase: merge", "erase request")):
            self.assertIn(arrow, arrows)

    def test_arrows_lead_from_a_request_to_its_operations(self):
        trace = self.record("workloads/one-page")
        arrows = self.arrows(trace)
        for arrow in (("write", "program: host"), ("read", "read: host"), ("read: host", "read request")):
            self.assertIn(arrow, arrows)
        array = trace.rows("select c.dur as dur, p.name as name from slice c join slice p on p.id = c.parent_id "
                           "join track t on t.id = c.track_id where c.name = 'array' and t.name like 'die %'")
        self.assertEqual(sorted(row["name"] for row in array), ["program: host", "read: host"])
        self.assertTrue(all(row["dur"] > 10_000 for row in array))

    def test_functions_of_firmware_on_the_core_lie_in_their_callers_within_the_window(self):
        trace = self.record("workloads/one-page", "--set", "firmware.mode=rv32", "--activity-from", "53ms", "--activity-length", "1ms")
        functions = trace.rows(NAMED + " where t.name = 'functions'")
        main, = (row for row in functions if row["name"] == "firmware_main")
        self.assertEqual(main["depth"], 1) # in _start
        # How deep a call lies depends on what the compiler has inlined between the two.
        callers = {row["id"]: (row["parent_id"], row["name"]) for row in trace.rows("select id, parent_id, name from slice")}
        def is_arrival(row): # the linker adds .lto_priv to the names of some functions
            return row["name"].split(".lto_priv")[0] == "command_arrived"

        arrivals = [row for row in functions if is_arrival(row)]
        self.assertEqual(len(arrivals), 2) # a write and a read
        for row in arrivals:
            caller = callers[row["id"]][0]
            while caller in callers and caller != main["id"]:
                caller = callers[caller][0]
            self.assertEqual(caller, main["id"], row)
        for row in functions:
            self.assertGreaterEqual(row["ts"] + row["dur"], 53_000_000, row)
            self.assertLess(row["ts"], 54_000_000, row)
        outside = trace.rows("select c.name from slice c join slice p on p.id = c.parent_id join track t on t.id = c.track_id "
                             "where t.name = 'functions' and (c.ts < p.ts or c.ts + c.dur > p.ts + p.dur)")
        self.assertEqual(outside, [])
        # A command arrives while its request waits for firmware.
        requests = [(row["ts"], row["ts"] + row["dur"]) for row in trace.rows(NAMED + " where t.name = 'requests' and s.name = 'firmware'")]
        for row in functions:
            if is_arrival(row):
                self.assertTrue(any(start <= row["ts"] < end for start, end in requests), (row, requests))
        self.assertEqual(trace.rows("select name, value from stats where severity = 'error' and value > 0"), [])

    def test_recording_ends_with_the_last_of_some_requests(self):
        trace = self.record("quickstart", "--activity-from", "5ms", "--activity-length", "1s", "--timeline-requests", "7")
        ends = sorted(row["ts"] + row["dur"] for row in trace.rows(NAMED + " where t.name = 'requests' and s.depth = 0")
                      if row["ts"] >= 5_000_000)
        starts = [row["ts"] for row in trace.rows(NAMED + " where t.name like 'bus %'")]
        self.assertLessEqual(max(starts), ends[6])
        self.assertGreater(max(starts), ends[0])

    def test_the_slowest_requests_are_drawn_whole(self):
        report = pathlib.Path(self.file.parent) / "report.json"
        trace = self.record("workloads/one-page", "--slowest", "1", "--json", report, "--timeline-slowest", "1")
        slowest, = json.loads(report.read_text())["stages"]["slowest"]
        request, = trace.rows(NAMED + " where t.name = 'requests' and s.depth = 0")
        self.assertEqual(request["dur"], slowest["latency_ps"] // 1000)
        self.assertEqual(len(trace.rows(NAMED + " where t.name like 'bus %'")), 2)

    def test_what_was_asked_for_and_did_not_happen_is_reported(self):
        for arguments, message in (
                (("--activity-from", "1s"), r"it is empty: the run ended at 382\.\d+ us, before --activity-from 1s"),
                (("--activity-from", "381us", "--activity-length", "1ns", "--activity-of", "die"), r"no resource was busy from 381us on for 1ns \(the run ended at 382\.\d+ us\)"),
                (("--activity-length", "100us"), "no request began and ended from 0s on within 100us; --timeline-slowest 5 draws"
                 " what happened during the slowest requests, --activity-from another window"),
                (("--timeline-requests", "3"), "--timeline-requests 3: 2 began and ended from 0s on within 1ms"),
                (("--timeline-requests", "2", "--activity-length", "300us"), "--timeline-requests 2: 1 began and ended from 0s on within 300us"),
                (("--timeline-slowest", "3"), "--timeline-slowest 3: the measured phases have only 2 requests"),
                (("--timeline-slowest", "1", "--set", "workload.phases.0.precondition=true", "--set", "workload.phases.1.precondition=true"),
                 r"it is empty: no request of a measured phase ended \(--timeline-slowest\)"),
                (("--timeline-requests", "2"), None), (("--timeline-slowest", "2"), None)):
            with self.subTest(arguments=arguments):
                done = subprocess.run([STROBE, "run", "workloads/one-page", "--quiet", "--timeline", self.file, *arguments],
                                      check=True, timeout=300, stderr=subprocess.PIPE, text=True)
                self.assertRegex(done.stderr, rf"^{self.file}: {message}\n$" if message else "^$")

    def test_resources_stand_in_groups_from_the_host_to_the_dies(self):
        trace = self.record("quickstart", "--activity-from", "20ms", "--activity-length", "300us")
        folders = [row["name"] for row in trace.rows(
            "select name, extract_arg(source_arg_set_id, 'sibling_order_rank') as place from track where parent_id is null order by place")]
        self.assertEqual(folders, ["host", "firmware", "memory", "flash units", *(f"channel {c}" for c in range(4))])
        rows = trace.rows("select t.name as name, p.name as folder from track t join track p on p.id = t.parent_id")
        for row in rows:
            if row["name"].startswith(("die", "bus", "ecc")):
                self.assertEqual(row["folder"], "channel " + row["name"].split()[-1].split(".")[0])
        self.assertGreater(len(rows), 20)

    def test_slices_of_a_track_do_not_overlap(self):
        trace = self.record("quickstart", "--activity-length", "2ms")
        self.assertEqual(trace.rows("select a.id as a, b.id as b from slice a join slice b on a.track_id = b.track_id and a.id < b.id "
                                    "where a.depth = 0 and b.depth = 0 and a.ts + a.dur > b.ts and b.ts + b.dur > a.ts and a.dur > 0 and b.dur > 0 limit 5"), [])


if __name__ == "__main__":
    unittest.main()
