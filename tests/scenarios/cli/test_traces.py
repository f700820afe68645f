#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Traces on the command line: every format is detected from its content, inspected and replayed; errors name the place.

Needs STROBE in the environment: the program under test.
"""
import gzip
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

STROBE = os.environ["STROBE"]
ROOT = pathlib.Path(__file__).resolve().parents[3]
SAMPLES = ROOT / "tests" / "data" / "traces"

# format, reads, writes, flushes, trims of each sample
EXPECTED = {
    "sample.iolog2": ("fio-iolog-v2", 2, 1, 2, 1),
    "sample.iolog3": ("fio-iolog-v3", 2, 2, 2, 1),
    "sample.blkparse": ("blkparse", 1, 3, 2, 1),
    "sample.blktrace.0": ("blktrace", 1, 2, 1, 1),
    "sample-msr.csv": ("msr-cambridge", 2, 2, 0, 0),
    "sample-systor17.csv": ("systor17", 2, 1, 0, 0),
    "sample.spc": ("spc", 2, 2, 0, 0),
    "sample-alibaba.csv": ("alibaba", 2, 1, 0, 0),
    "sample-tencent.csv": ("tencent", 4, 2, 0, 0),
    "sample.mqsim": ("mqsim-ssdsim", 2, 2, 0, 0),
    "sample.disksim": ("disksim", 2, 2, 0, 0),
    "sample.vscsi1": ("vscsi1", 2, 2, 1, 0),
    "sample.arc": ("arc", 3, 0, 0, 0),
}

DRIVE = {
    "name": "small drive",
    "nand": {"part": {"extends": "k9f1g08u0a", "blocksPerPlane": 32, "maxBadBlocks": 1}, "channels": 1, "ways": 2},
    "memory": {"size": "16MiB", "bufferSize": "1MiB"},
    "firmware": {"overProvisioning": "20%"},
}


def strobe(*arguments):
    return subprocess.run([STROBE, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=300)


class Traces(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)

    def write(self, name, content):
        file = self.dir / name
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    def replay(self, trace, pacing, **keys):
        phase = {"name": "replay", "kind": "trace", "trace": {"file": str(trace), **keys}, "pacing": pacing}
        scenario = self.write("replay.json", json.dumps({**DRIVE, "workload": {"phases": [phase]}}))
        done = strobe("run", scenario, "--json", "-")
        return done, json.loads(done.stdout) if done.returncode == 0 else None


class Inspect(Traces):
    def test_each_sample_is_detected_by_its_content_not_by_its_name(self):
        for number, (sample, expected) in enumerate(EXPECTED.items()):
            with self.subTest(sample):
                content = (SAMPLES / sample).read_bytes()
                file = SAMPLES / sample if "blktrace" in sample else self.write(f"{number}.bin", gzip.compress(content))
                done = strobe("inspect", "trace", file, "--json", "-")
                self.assertEqual(done.returncode, 0, done.stderr)
                found = json.loads(done.stdout)
                kinds = found["kinds"]
                self.assertEqual((found["format"], *(kinds[kind]["requests"] for kind in ("read", "write", "flush", "trim"))),
                                 expected)

    def test_the_table_says_what_is_in_the_trace(self):
        done = strobe("inspect", "trace", SAMPLES / "sample.blkparse")
        self.assertEqual(done.returncode, 0, done.stderr)
        for part in ("sample.blkparse (blkparse)", "median", "99 %", "25.0 % of reads and writes are reads",
                     "81.92 kB read or written, in 2 files or disks (160 sectors)", "ends at 4.325 MB",
                     "1.100 ms from the first arrival to the last", "7 in the busiest second",
                     "recorded for 4 requests, 300.0 us on average", "17 of 24 records", "9 other event"):
            self.assertIn(part, done.stdout)

    def test_json_goes_to_a_file_in_addition_to_the_table(self):
        out = self.dir / "out.json"
        done = strobe("inspect", "trace", SAMPLES / "sample-systor17.csv", "--json", out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("systor17", done.stdout)
        found = json.loads(out.read_text())
        self.assertEqual(found["duration_ps"], 1_000_000_000)
        self.assertEqual(found["peak_per_second"], 3)
        self.assertEqual(found["reordered"], 1)
        self.assertEqual(found["skipped_because"], {"header": 1, "other command": 1, "zero length": 1})
        self.assertEqual(found["files"], 2)
        self.assertEqual(found["footprint_bytes"], 512 + 4096 + 16384)
        self.assertEqual(found["kinds"]["read"]["size_bytes"],
                         {"minimum": 4096, "median": 4096, "mean": 10240.0, "p99": 16384, "maximum": 16384})

    def test_a_trace_without_times_is_marked_so(self):
        done = strobe("inspect", "trace", SAMPLES / "sample.arc")
        self.assertIn("none: only a closed loop can replay it", done.stdout)
        found = json.loads(strobe("inspect", "trace", SAMPLES / "sample.arc", "--json", "-").stdout)
        self.assertIsNone(found["duration_ps"])

    def test_an_ambiguous_trace_is_refused_until_its_format_is_given(self):
        trace = self.write("five", "0 0 8 8 1\n500 0 16 8 0\n")
        done = strobe("inspect", "trace", trace)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stdout, "")
        for part in (str(trace), "mqsim-ssdsim or disksim", "give its format", "--format: "):
            self.assertIn(part, done.stderr)
        durations = {}
        for name in ("mqsim-ssdsim", "disksim"):
            done = strobe("inspect", "trace", trace, "--format", name, "--json", "-")
            self.assertEqual(done.returncode, 0, done.stderr)
            durations[name] = json.loads(done.stdout)["duration_ps"]
        self.assertEqual(durations, {"mqsim-ssdsim": 500_000, "disksim": 500_000_000_000})

    def test_mistakes_name_their_place_and_what_is_allowed(self):
        for content, arguments, message in (
                ("hello\n", [], "expected a trace in one of the formats fio-iolog-v2,"),
                ("a.csv" + 252 * "\0" + "ustar", [], "this is a tar archive: unpack it and name one of its files"),
                ("", [], "expected a trace, found an empty file"),
                ("fio version 2 iolog\n", [], "expected a trace, found a file that has no requests"),
                ("0,1,512,r,0\n0,1,512,x,1\n", [], ":2:9: expected the opcode, r or w, found 'x'"),
                ("0,1,512,r,0\n", ["--format", "spk"], "--format: must be \"auto\", \"fio-iolog-v2\""),
                ("0,1,512,r,0\n", ["--format", "vscsi1"], "byte 0: expected a record of 32 bytes, found the last 12")):
            with self.subTest(message):
                done = strobe("inspect", "trace", self.write("bad", content), *arguments)
                self.assertEqual(done.returncode, 2)
                self.assertEqual(done.stdout, "")
                self.assertIn(message, done.stderr)

    def test_help_lists_the_formats(self):
        done = strobe("inspect", "trace", "--help")
        for name, *_ in EXPECTED.values():
            self.assertIn(f"\n  {name} ", done.stdout)


class Replay(Traces):
    def test_each_sample_is_replayed_in_each_pacing_that_it_allows(self):
        for sample, (name, *counts) in EXPECTED.items():
            for mode in ("closed", "open", "dependent"):
                with self.subTest(sample=sample, mode=mode):
                    done, report = self.replay(SAMPLES / sample, {"mode": mode})
                    if name == "arc" and mode != "closed":
                        self.assertEqual(done.returncode, 2)
                        self.assertIn("a trace in the format arc has no times", done.stderr)
                        continue
                    self.assertEqual(done.returncode, 0, done.stderr)
                    phase = report["phases"][0]
                    self.assertEqual(phase["pacing"], mode)
                    self.assertIn(f"({name})", phase["workload"])
                    source = phase["source"]
                    self.assertEqual(source["requests"], sum(counts) + source["split"])

    def test_dependent_replay_waits_where_the_recorded_program_waited(self):
        # Each read begins 10 us after the one before was complete; recorded on a drive of 20 us.
        lines = [f"{10000 + 300 * i},h,0,Read,{4096 * i},4096,200" for i in range(200)]
        trace = self.write("trace", "\n".join(lines) + "\n")
        ends = {}
        for mode in ("open", "dependent"):
            done, report = self.replay(trace, {"mode": mode})
            self.assertEqual(done.returncode, 0, done.stderr)
            phase = report["phases"][0]
            ends[mode] = phase["end_ps"] - phase["start_ps"]
            latency = phase["totals"]["all"]["latency"]
            mean = latency["mean_ps"]
            if mode == "dependent":
                self.assertAlmostEqual(ends[mode], 200 * mean + 199 * 10_000_000, delta=1000)
        self.assertGreaterEqual(ends["open"], 199 * 30_000_000)

    def test_the_format_of_a_scenario_decides_what_is_ambiguous(self):
        trace = self.write("five", "0 0 8 8 1\n500 0 16 8 0\n")
        done, _ = self.replay(trace, {"mode": "open"})
        self.assertEqual(done.returncode, 2)
        self.assertIn("/workload/phases/0/trace/format: ", done.stderr)
        self.assertIn("mqsim-ssdsim or disksim", done.stderr)
        done, report = self.replay(trace, {"mode": "open"}, format="disksim")
        self.assertEqual(done.returncode, 0, done.stderr)
        phase = report["phases"][0]
        self.assertGreater(phase["end_ps"] - phase["start_ps"], 500_000_000_000)

    def test_only_traces_are_dependent(self):
        scenario = self.write("x.json", json.dumps({**DRIVE, "workload": {"phases": [
            {"name": "mix", "kind": "uniform", "requests": 5, "pacing": {"mode": "dependent"}}]}}))
        done = strobe("validate", scenario)
        self.assertEqual(done.returncode, 2)
        self.assertIn("only a trace has dependent requests", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
