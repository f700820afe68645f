# SPDX-License-Identifier: Apache-2.0
"""Drives with zones: data, statuses, the costs of finish and reset, functional phases, and the RV32 core."""
import json
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli_support import Directory, strobe  # noqa: E402

MIB = 1024 * 1024
# Zones of all four dies: 2 planes x 48 pages x 16 KiB x 4 dies = 6 MiB, 8 MiB apart.
DRIVE = {
    "name": "zones",
    "nand": {"part": {"extends": "tlc-96l-2plane", "blocksPerPlane": 16, "pagesPerBlock": 48, "maxBadBlocks": 1},
             "channels": 2, "ways": 2, "factoryBadBlocks": 1},
    "controller": {"multiPlane": True},
    "memory": {"size": "64MiB", "bufferSize": "8MiB"},
    "firmware": {"ftl": "zoned", "zoned": {"openZones": 4, "activeZones": 6}},
    "host": {"interface": "nvme", "nvme": {"queues": 1}}}


def job(name, first, count=1, **more):
    return {"name": name, "kind": "sequential", "blockSize": "64KiB", "pacing": {"queueDepth": 1},
            "region": {"offset": f"{first * 6}MiB", "size": f"{count * 6}MiB"}, **more}


def write(name, first, volume="100%", **more):
    return job(name, first, volume=volume, **more)


def command(word, first, count=1, **more):
    return job(f"{word} {first}", first, count, zones={"command": word}, requests=count, **more)


def reads(count, requests=300, name="read"):
    return job(name, 0, count, kind="uniform", blockSize="4KiB", readRatio="100%", requests=requests, pacing={"queueDepth": 16})


class Zones(Directory):
    def run_it(self, *phases, sets=(), code=0, **changes):
        file = self.write("scenario.json", {**DRIVE, **changes, "workload": {"phases": list(phases)}})
        done = strobe("run", file, "--json", "-", *(word for s in sets for word in ("--set", s)))
        self.assertEqual(done.returncode, code, done.stderr + done.stdout[-2000:])
        return done.stderr if code == 2 else json.loads(done.stdout)

    def assert_intact(self, report):
        self.assertGreater(report["integrity"]["checked_sectors"], 0)
        self.assertEqual((report["integrity"]["mismatches"], report["integrity"]["details"]), (0, []))
        self.assertEqual([kind for kind, totals in report["totals"].items() if totals.get("failed")], [])

    def mean(self, report, number, kind): # us
        return report["phases"][number]["totals"][kind]["latency"]["mean_ps"] / 1e6

    def test_zones_are_written_at_the_same_time_read_reset_and_written_again(self):
        for more in ({}, {"sets": ["firmware.zoned.diesPerZone=1"]}, {"sets": ["firmware.zoned.erase=when-opened"]},
                     {"sets": ["host.interface=direct"]}, {"sets": ["data=bytes"]}):
            zones = 12 if "firmware.zoned.diesPerZone=1" in more.get("sets", ()) else 3
            zoned = {**write("write", 0), "concurrentJobs": [
                {**write("second", 1), "blockSize": "12KiB"},
                {**write("append", 2), "blockSize": "4KiB", "zones": {"writes": "append"}, "pacing": {"queueDepth": 4}}]}
            report = self.run_it(zoned, reads(3), {**command("reset", 0, 3), "requests": zones},
                                 reads(3, 50, "read zeros"), write("again", 0), reads(1, name="read again"), **more)
            self.assert_intact(report)
            self.assertGreater(report["totals"]["append"]["requests"], 10)

    def test_a_zone_may_be_smaller_than_its_blocks(self):
        one, both = {"region": {"size": "4608KiB"}}, {"region": {"size": "9MiB"}}
        phases = [{**write("write", 0), **both}, {**reads(2), **both}, {**command("reset", 0), **one}, {**write("again", 0), **one},
                  {**reads(2, name="read again"), **both}]
        capacity = "firmware.zoned.capacity=4800KiB" # half a word line is left out
        report = self.run_it(*phases, sets=[capacity])
        self.assert_intact(report)
        pages = 12 * 3 * 4 * 2 # of a zone: word lines, their pages, dies, planes
        self.assertEqual(report["flash"]["operations"]["total"]["programs"], 3 * pages)
        cut = self.run_it(*phases, sets=[capacity, "power.meanCutInterval=4ms", "power.maxCuts=5", "power.readBack=true"])
        self.assert_intact(cut)
        self.assertEqual(cut["power"]["cuts"], 5)

    def test_what_the_specification_refuses_fails_and_the_data_stays(self):
        twice = [write("once", 0), write("twice", 0, requests=3, volume="unlimited"), reads(1, 50)]
        report = self.run_it(*twice, code=1)
        self.assertEqual(report["phases"][1]["totals"]["write"]["failed"], 3)
        self.assertEqual(report["integrity"]["mismatches"], 0)

    def test_finish_takes_as_long_as_writing_the_rest_and_an_empty_reset_takes_no_erase(self):
        def idle(name): # while buffers are programmed
            return {**reads(5, 5, name), "pacing": {"mode": "open", "rate": "100/s"}}
        report = self.run_it(command("finish", 0), write("half", 1, "50%"), idle("half idle"), command("finish", 1),
                             write("little", 2, "12KiB"), command("finish", 2), command("reset", 3), write("full", 4), idle("full idle"),
                             command("reset", 4), reads(3))
        self.assert_intact(report)
        untouched, half, little = (self.mean(report, n, "finish-zone") for n in (0, 3, 5))
        self.assertLess(untouched, 50)
        self.assertAlmostEqual(little / half, 2, delta=0.4)
        empty, full = (self.mean(report, n, "reset-zone") for n in (6, 9))
        self.assertLess(empty, 50)
        self.assertGreater(full, 3500)  # tBERS

    def test_a_functional_fill_leaves_the_same_drive(self):
        fill = {**job("fill", 0, 4), "volume": "100%", "precondition": "functional", "pacing": {"queueDepth": 8}}
        report = self.run_it(fill, reads(4), command("reset", 0), write("again", 0), reads(4, name="read again"))
        self.assert_intact(report)

    def test_native_and_rv32_firmware_agree_within_three_percent(self):
        if os.environ.get("STROBE_RV32") != "1":
            self.skipTest("no compiler for RV32")
        phases = [write("write", 0), {**write("append", 1), "blockSize": "16KiB", "zones": {"writes": "append"}}, reads(2)]
        native, rv32 = (self.run_it(*phases, sets=[f"firmware.mode={mode}"]) for mode in ("native", "rv32"))
        self.assert_intact(rv32)
        for number, kind in enumerate(("write", "append", "read")):
            self.assertAlmostEqual(self.mean(rv32, number, kind) / self.mean(native, number, kind), 1, delta=0.03)

    def with_cuts(self, image="zoned", zones=1, code=0, sets=()):
        phases = [{**write("write", 0), "concurrentJobs": [
                      {**write("second", 1), "blockSize": "12KiB", "pacing": {"queueDepth": 4}},
                      {**write("append", 2), "blockSize": "4KiB", "zones": {"writes": "append"}, "pacing": {"queueDepth": 4}}]},
                  {**command("reset", 0), "requests": zones}, command("finish", 3), write("again", 0, "50%"), reads(3, 200)]
        return self.run_it(*phases, seed=3, power={"meanCutInterval": "15ms", "maxCuts": 12},
                           sets=[f"firmware.image={image}", *sets], code=code)

    def test_power_losses_lose_nothing_that_was_acknowledged(self):
        for zones, sets in ((1, []), (4, ["firmware.zoned.diesPerZone=1", "firmware.zoned.erase=when-opened"]), (1, ["data=bytes"]), (1, ["firmware.cores=2"])):
            report = self.with_cuts(zones=zones, sets=sets)
            self.assert_intact(report)
            self.assertGreaterEqual(report["power"]["cuts"], 6)
            self.assertEqual((report["power"]["sectors_unreadable"], report["power"]["not_saved"]), (0, 0))
            self.assertGreater(report["power"]["sectors_read_back"], 1000)

    def test_firmware_that_forgets_its_buffer_at_power_on_is_detected(self):
        report = self.with_cuts(image="zoned_forgetful", code=1)
        self.assertGreater(report["integrity"]["mismatches"] + report["power"]["sectors_unreadable"], 0)

    def test_a_failed_program_ends_the_writes_of_its_zone_and_no_others(self):
        deep = {**write("deep", 0, count=5), "blockSize": "1MiB", "pacing": {"queueDepth": 64}}
        report = self.run_it(deep, write("another", 6), reads(7, 400), code=1, sets=["firmware.zoned.writeBufferPages=60"],
                             faults={"flash": [{"kind": "program-fail", "die": 0, "at": "3ms", "count": 1}]})
        failed = report["phases"][0]["totals"]["write"]["failed"]
        self.assertGreater(failed, 0)
        self.assertLessEqual(failed, 12)  # two zones may be written at the time of the fault
        self.assertEqual(report["phases"][1]["totals"]["write"].get("failed", 0), 0)
        self.assertEqual(report["phases"][2]["totals"]["read"].get("failed", 0), 0)
        self.assertEqual(report["integrity"]["mismatches"], 0)

    def test_a_drive_continues_from_what_an_earlier_run_has_left(self):
        nand = {**DRIVE["nand"], "contents": {"file": str(self.dir / "drive.nand"), "mode": "keep"}}
        self.assert_intact(self.run_it(write("write", 0, "70%"), reads(1, 50), nand=nand))
        self.assert_intact(self.run_it(reads(1), nand=nand))
        self.assertEqual(self.run_it(write("write", 0, requests=1), nand=nand, code=1)["totals"]["write"]["failed"], 1) # not at the pointer

    def test_what_zones_cannot_be_combined_with_is_refused(self):
        for sets, problem in (
                (["host.interface=sata"], "/host/interface: sata has no commands for zones"),
                (["firmware.zoned.diesPerZone=3"], "/firmware/zoned/diesPerZone: must divide the 4 dies, not 3"),
                (["firmware.zoned.capacity=9MiB"], "/firmware/zoned/capacity: 9MiB does not fit the blocks of a zone: must be from 384KiB, "
                 "what its dies program at a time, to 6MiB"),
                (["firmware.zoned.capacity=64KiB"], "/firmware/zoned/capacity: 64KiB does not fit the blocks of a zone"),
                (["firmware.zoned.activeZones=2"], "/firmware/zoned/activeZones: must be at least the 4 open zones, not 2"),
                (["firmware.zoned.writeBufferPages=8"], "/firmware/zoned/writeBufferPages: 8 pages are too few")):
            self.assertIn(problem, self.run_it(reads(1), sets=sets, code=2))


if __name__ == "__main__":
    unittest.main()
