#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`strobe operations`: NAND operations without host and firmware, their figures and their timelines.

Needs STROBE in the environment: the program under test.
"""
import csv
import json
import unittest

from cli_support import SMALL, Directory, strobe


class Operations(Directory):
    def setUp(self):
        super().setUp()
        device = {key: value for key, value in SMALL.items() if key != "workload"}
        self.device = {**device, "channel": {"interface": "CONV", "statusAfterArray": False}}
        self.scenario = self.write("mix.json", {**self.device, "operations": {
            "reads": 61, "programs": 26, "erases": 8, "copyBacks": 4, "dies": "random"}})

    def refused(self, *arguments):
        done = strobe("operations", *arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        return done.stderr

    def test_a_mix_is_executed_completely_and_is_the_same_each_time(self):
        done = strobe("operations", self.scenario, "--json", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual({kind: row["count"] for kind, row in report["operations"].items()},
                         {"read": 61, "program": 26, "erase": 8, "copyback": 4})
        self.assertFalse(report["errors"])
        self.assertGreater(report["elapsed_ps"], 8 * 2_000_000_000 / 2)
        self.assertEqual(strobe("operations", self.scenario, "--json", "-").stdout, done.stdout)
        other = strobe("operations", self.scenario, "--json", "-", "--set", "seed=2").stdout
        self.assertNotEqual(json.loads(other)["elapsed_ps"], report["elapsed_ps"])

    def test_a_timeline_has_each_state_of_each_chip_without_gaps(self):
        lines = self.dir / "lines.csv"
        done = strobe("operations", self.scenario, "--timeline", lines, "--limit", 20, "--bars", 5)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("chip 1", done.stdout)
        self.assertIn("bus 0", done.stdout)
        rows = list(csv.DictReader(lines.read_text().splitlines()))
        self.assertEqual(len({row["operation"] for row in rows}), 20)
        for number in range(20):
            states = [row for row in rows if row["operation"] == str(number)]
            self.assertEqual(states[0]["state"], "cmd1 ready")
            self.assertEqual([row["end_ps"] for row in states[:-1]], [row["start_ps"] for row in states[1:]])
        held = sorted((int(row["start_ps"]), int(row["end_ps"])) for row in rows if row["bus"] == "1")
        for (_, end), (start, _) in zip(held, held[1:]):
            self.assertLessEqual(end, start)  # one chip at a time

    def test_a_list_is_executed_in_order_and_a_rejected_operation_is_an_error(self):
        listed = [{"op": "program", "die": 1, "block": 9, "page": 0}, {"op": "read", "die": 1, "block": 9, "page": 0}]
        fine = self.write("list.json", {**self.device, "operations": {"list": listed}})
        done = strobe("operations", fine, "--timeline", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([row["op"] for row in csv.DictReader(done.stdout.splitlines()) if row["state"] == "operating"],
                         ["program", "read"])
        twice = self.write("twice.json", {**self.device, "operations": {"list": [listed[0], listed[0]]}})
        done = strobe("operations", twice)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("1 operations failed, were refused", done.stdout)

    def test_times_are_whole_clocks_on_request(self):
        def latency(*sets):
            done = strobe("operations", self.scenario, "--json", "-", "--set", "channel.clock=30ns",
                          "--set", "operations.queueDepth=1", *sets)
            return json.loads(done.stdout)["operations"]["erase"]["latency_min_ps"]
        # 2 ms are 66,666.67 clocks of 30 ns; tCS of 20 ns is one, and command and address are four
        self.assertEqual(latency(), 20_000 + 4 * 30_000 + 2_000_000_000)
        self.assertEqual(latency("--set", "channel.wholeClocks=true"), (1 + 4 + 66_667) * 30_000)

    def test_one_two_or_all_planes_of_a_chip_work_at_a_time(self):
        part = {**SMALL["nand"]["part"], "planes": 4}
        scenario = self.write("planes.json", {**self.device, "nand": {**SMALL["nand"], "part": part, "ways": 1},
                                              "controller": {"multiPlane": True, "unitDepth": 16}, "operations": {"erases": 12}})

        def elapsed(*sets):
            done = strobe("operations", scenario, "--json", "-", *sets)
            self.assertEqual(done.returncode, 0, done.stderr)
            return json.loads(done.stdout)["elapsed_ps"] / 2_000_000_000  # of tBERS
        for sets, erases in (((), 3), (("--set", "controller.planesAtOnce=2"), 6), (("--set", "controller.multiPlane=false"), 12)):
            self.assertAlmostEqual(elapsed(*sets), erases, delta=0.01)
        self.assertIn("/controller/planesAtOnce: must be the 4 planes", self.refused(scenario, "--set", "controller.planesAtOnce=5"))
        self.assertIn("planes work one at a time", self.refused(scenario, "--set", "controller.multiPlane=false", "--set",
                                                                "controller.planesAtOnce=2"))

    def test_keys_of_firmware_need_not_suit_the_drive(self):
        expected = strobe("operations", self.scenario, "--json", "-")
        self.assertEqual(expected.returncode, 0, expected.stderr)
        for setting in ("firmware.spareBlocks=30", "firmware.overProvisioning=0%", "memory.size=1MiB"):
            self.assertEqual(strobe("validate", self.scenario, "--set", setting).returncode, 2, setting)
            done = strobe("operations", self.scenario, "--json", "-", "--set", setting)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout)["elapsed_ps"], json.loads(expected.stdout)["elapsed_ps"])

    def test_mistakes_are_reported_with_their_place(self):
        self.assertIn("/operations: there are no operations", self.refused(self.small))
        mix = ("--set", "operations.reads=1")
        one = {"op": "read", "die": 0, "block": 0, "page": 0}
        for item, said in (({**one, "die": 2}, "/operations/list/0/die: must be 0 to 1, not 2"),
                           ({**one, "block": 32}, "/operations/list/0/block: must be 0 to 31"),
                           ({**one, "page": 64}, "/operations/list/0/page: must be 0 to 63"),
                           ({**one, "op": "copyback", "sourceBlock": 99}, "/operations/list/0/sourceBlock: must be"),
                           ({**one, "op": "erase"}, "/operations/list/0/page: applies only to an op other than erase"),
                           ({**one, "sourcePage": 1}, "/operations/list/0/sourcePage: applies only to op copyback"),
                           ({**one, "op": "reset"}, "/operations/list/0/op: must be \"read\", \"program\", \"erase\" or \"copyback\", not \"reset\""),
                           ({"die": 0}, "/operations/list/0/op")):
            scenario = self.write("wrong.json", {**self.device, "operations": {"list": [item]}})
            self.assertIn(said, self.refused(scenario))
        both = self.write("both.json", {**self.device, "operations": {"list": [one]}})
        self.assertIn("/operations/list: there is a mix", self.refused(both, *mix))
        self.assertIn("must be less than the 32 blocks", self.refused(self.scenario, "--set", "operations.preparedBlocks=32"))
        self.assertIn("must be 1 or more: a mix needs pages to read", self.refused(self.scenario, "--set", "operations.preparedBlocks=0"))
        self.assertRegex(self.refused(self.scenario, "--set", "operations.programs=9000"),
                         r"/operations: die \d+ has no erased block left")
        self.assertIn("--limit", self.refused(self.scenario, "--limit", 5))
        self.assertIn("/no/such", self.refused(self.scenario, "--json", "/no/such/place.json"))


if __name__ == "__main__":
    unittest.main()
