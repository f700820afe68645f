#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The studies of published systems: do their tables come out, in the promised form, and as the closed forms say?

Needs STROBE in the environment: the program under test.
"""
import csv
import io
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

STROBE = os.environ["STROBE"]


def strobe(*arguments):
    return subprocess.run([STROBE, *arguments], capture_output=True, text=True, check=False, timeout=1000)


class DdrNand(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            cls.csv_file, cls.json_file = pathlib.Path(folder, "t.csv"), pathlib.Path(folder, "t.json")
            cls.done = strobe("reproduce", "ddr-nand", "--csv", str(cls.csv_file), "--json", str(cls.json_file))
            cls.csv_text = cls.csv_file.read_text()
            cls.json = json.loads(cls.json_file.read_text())
        cls.rows = list(csv.DictReader(io.StringIO(cls.csv_text)))

    def cells(self, **wanted):
        return [row for row in self.rows if all(row[key] == str(value) for key, value in wanted.items())]

    def mean_error(self, rows):
        errors = [abs(float(row["measured"]) / float(row["paper"]) - 1) for row in rows if row["paper"]]
        return sum(errors) / len(errors)

    def test_every_cell_of_the_three_tables_is_there_once_in_the_promised_columns(self):
        self.assertEqual(self.done.returncode, 0, self.done.stderr)
        self.assertEqual(self.csv_text.split("\n")[0], "table,cell,op,channels,ways,interface,measured,paper,unit")
        places = [tuple(row[key] for key in ("table", "cell", "op", "channels", "ways", "interface")) for row in self.rows]
        self.assertEqual(len(places), len(set(places)))
        self.assertEqual([len(self.cells(table=table)) for table in (3, 4, 5)], [60, 36, 30])
        self.assertEqual(len([row for row in self.cells(table=3) if row["paper"]]), 30)
        self.assertEqual({row["unit"] for row in self.cells(table=5)}, {"nJ/B"})
        self.assertEqual(len(self.json["cells"]), len(self.rows))

    def test_slc_bandwidths_agree_with_table_3_with_four_fitted_constants(self):
        printed = self.cells(table=3, cell="SLC")
        named = self.cells(table=3, cell="SLC", op="read", interface="PROPOSED", ways=2)
        self.assertLessEqual(self.mean_error(printed), 0.02)
        self.assertLessEqual(self.mean_error([row for row in printed if row not in named]), 0.01)
        self.assertEqual(len(self.json["fitted"]), 4)
        self.assertEqual([cell["doubtful"] for cell in self.json["cells"]].count(True), 1)

    def test_periods_are_those_of_the_equations(self):
        self.assertEqual(self.json["minimum_period_ns"], {"eq6_CONV": 19.814, "eq9_SYNC_ONLY_PROPOSED": 12.0})

    def test_energy_of_writes_agrees_with_table_5_in_each_cell(self):
        for row in self.cells(table=5, op="write"):
            self.assertLess(abs(float(row["measured"]) / float(row["paper"]) - 1), 0.02, row)

    def test_the_cells_that_the_link_limits_are_shown_with_and_without_it(self):
        self.assertEqual([(cell["cell"], cell["op"], cell["channels"], cell["interface"]) for cell in self.json["link_limited"]],
                         [("SLC", "read", 4, "PROPOSED"), ("MLC", "read", 4, "PROPOSED")])
        for cell in self.json["link_limited"]:
            self.assertLess(cell["measured"] * 1048576, 300e6)
            self.assertGreater(cell["without_link"] * 1048576, 300e6)

    def test_single_channel_bandwidths_follow_the_closed_forms(self):
        command = self.unloaded_read() + 85  # and the fitted latency, microseconds
        for row in self.cells(table=3):
            page, tr, tprog = (2048, 25, 200) if row["cell"] == "SLC" else (4096, 60, 800)
            period, per_cycle = {"CONV": (0.019814, 1), "SYNC_ONLY": (0.012, 1), "PROPOSED": (0.012, 2)}[row["interface"]]
            x = (7 + page * 33 / 32 / per_cycle) * period
            ways = int(row["ways"])
            r = 65536 // page / ways
            if r < 1:
                ways, r = 65536 // page, 1
            if row["op"] == "write":
                busy = tprog + 10.5
                time = (r - 1) * max(busy + x, ways * x) + ways * x + busy
            else:
                time = command + tr + (r - 1) * max(tr + x, ways * x) + ways * x
            self.assertLess(abs(65536 / 1.048576 / time / float(row["measured"]) - 1), 0.01, row)

    def unloaded_read(self):
        """What a read of one page takes besides array and bus: link, firmware, memory."""
        done = strobe("run", "papers/ddr-nand/read", "--json", "-", "--set", "workload.phases.0.volume=64KiB",
                      "--set", "workload.phases.1.blockSize=2KiB", "--set", "workload.phases.1.volume=64KiB")
        self.assertEqual(done.returncode, 0, done.stderr)
        latency = json.loads(done.stdout)["totals"]["read"]["latency"]["mean_ps"] / 1e6
        return latency - 25 - (7 + 2112) * 0.019814


class SerialWrites(unittest.TestCase):
    def test_many_writes_of_few_pages_take_turns_to_the_end(self):
        """Writes share versions of pages: a write may be in flash before its turn has come."""
        scenario = {"extends": "papers/ddr-nand/device.json", "name": "hot", "nand": {"channels": 4, "ways": 2},
                    "workload": {"phases": [{"name": "write", "kind": "uniform", "region": {"size": "64KiB"}, "blockSize": "2KiB",
                                             "readRatio": "20%", "requests": 3000, "pacing": {"queueDepth": 32}}]}}
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "hot.json")
            file.write_text(json.dumps(scenario))
            done = subprocess.run([STROBE, "run", str(file), "--json", "-"], capture_output=True, text=True, check=False,
                                  timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual(report["totals"]["all"]["requests"], 3000)
        self.assertGreater(report["integrity"]["checked_sectors"], 1000)


class Command(unittest.TestCase):
    def test_a_mistake_ends_before_any_run(self):
        for arguments, said in ((("--set", "nand.way=2"), "unknown key"), (("--csv", "/no/such/place.csv"), "/no/such"),
                                (("--jobs", "-1"), "--jobs"), (("--csv", ""), "must name a file")):
            done = strobe("reproduce", "ddr-nand", *arguments)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(said, done.stderr)
            self.assertEqual(done.stdout, "")

    def test_a_study_that_does_not_exist_is_refused(self):
        self.assertEqual(strobe("reproduce", "no-such-paper").returncode, 2)


if __name__ == "__main__":
    unittest.main()
