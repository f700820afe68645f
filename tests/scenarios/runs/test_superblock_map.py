#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drives with superblock mapping, run as by a user: the data is verified, and the policies behave as described.

Needs STROBE in the environment: the program under test.
"""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from test_runs import figures_only

STROBE = os.environ["STROBE"]

# The prototype of the Hydra paper with chips of 8 MiB: four superchips of 4 x 2, superblocks of 1 MiB. Firmware reads.
SMALL = {
    "extends": "papers/hydra/prototype-small",
    "nand": {"part": {"extends": "k9k8g08u0m", "blocksPerPlane": 48, "maxBadBlocks": 4}},
    "controller": {"synthesizer": False},
}


def phase(name, kind="uniform", **more):
    return {"name": name, "kind": kind, **more}


FILL = phase("fill", "sequential", blockSize="64KiB", volume="100%", precondition=True)
MIX = phase("mix", "zipf", zipf={"theta": 0.9}, blockSize="4KiB", readRatio="60%", requests=1500)
READ_BACK = phase("read back", "sequential", blockSize="64KiB", readRatio="100%", volume="100%")


def merged(base, **changes):
    result = dict(base)
    for key, value in changes.items():
        result[key] = merged(result[key], **value) if isinstance(value, dict) and isinstance(result.get(key), dict) else value
    return result


class SuperblockMap(unittest.TestCase):
    def run_clean(self, scenario, is_cut=False, least=1000):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "scenario.json"
            file.write_text(json.dumps(scenario))
            report = pathlib.Path(folder) / "report.json"
            done = subprocess.run([STROBE, "run", str(file), "--quiet", "--json", str(report)],
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            result = json.loads(report.read_text())
        self.assertEqual(result["integrity"]["mismatches"], 0)
        self.assertGreater(result["integrity"]["checked_sectors"], least)
        self.assertEqual([f for f in result["failures"] if f["is_error"] or not is_cut], [])
        return result

    def test_any_number_of_background_units_has_space_for_its_records(self):
        for superchip, units in (({"bus": 1, "chip": 1}, 31), ({"bus": 1, "chip": 1}, 64), ({"bus": 2, "chip": 1}, 300)):
            report = self.run_clean(merged(
                SMALL, nand={"channels": 8, "ways": 8, "part": {"blocksPerPlane": 64}},
                controller={"units": units, "superchip": superchip},
                firmware={"superblockMap": {"superblockLimit": 128}},
                power={"meanCutInterval": "60ms", "maxCuts": 4},
                workload={"phases": [phase("write", blockSize="16KiB", readRatio="0%", requests=3000),
                                     phase("read back", blockSize="64KiB", readRatio="100%", requests=300)]}), is_cut=True)
            self.assertGreater(report["power"]["cuts"], 0)

    def test_the_data_of_the_prototype_is_verified(self):
        report = self.run_clean(merged(SMALL, workload={"phases": [FILL, MIX, READ_BACK]}))
        merges = report["flash"]["operations"]["by_purpose"]["merge"]
        self.assertGreater(merges["copy_backs"], 1000)
        self.assertGreater(merges["erases"], 8 * 20)

    def test_data_is_verified_with_every_way_to_flush(self):
        odd = phase("odd", blockSize="1536B", alignment="512B", readRatio="40%", trimRatio="10%", flushEvery=20,
                    requests=600)
        for flush in ("merge", "park", "ignore"):
            with self.subTest(flush=flush):
                self.run_clean(merged(SMALL, workload={"phases": [FILL, odd, READ_BACK]},
                                      firmware={"superblockMap": {"flush": flush}}))

    def test_data_of_synthesized_reads_is_verified(self):
        for flush in ("merge", "park"):
            with self.subTest(flush=flush):
                report = self.run_clean(merged(SMALL, workload={"phases": [FILL, MIX, READ_BACK]},
                                               controller={"synthesizer": True},
                                               firmware={"superblockMap": {"flush": flush}}))
                self.assertGreater(report["flash"]["foreground"]["synthesized_reads"], 100)
                self.assertEqual(report["flash"]["foreground"]["synthesized_reads_failed"], 0)

    def test_data_is_verified_with_other_superchips_replicated_tables_and_few_units(self):
        for changes in ({"controller": {"superchip": {"bus": 1, "chip": 1}, "units": 2}},
                        {"controller": {"superchip": {"bus": 2, "chip": 4}, "units": 1}},
                        {"firmware": {"superblockMap": {"replicateTables": True, "checkpointRecords": 5}}},
                        {"firmware": {"superblockMap": {"sectorBuffer": "64KiB", "superblockLimit": 1}}},
                        {"firmware": {"completion": "write-through", "wearThreshold": 3}}):
            with self.subTest(changes=changes):
                self.run_clean(merged(merged(SMALL, workload={"phases": [FILL, merged(MIX, requests=400), READ_BACK]}),
                                      **changes))

    # Scenarios that random drives had found: each must end, with its data as written.
    @staticmethod
    def tiny(name, blocks, page, times, controller, firmware, phases, **more):
        return {"nand": {"part": {"name": name, "source": "random", "blocksPerPlane": blocks, "pagesPerBlock": 2, "pageSize": page,
                                  "spareSize": "64B", **dict(zip(("tR", "tPROG", "tBERS"), times))}},
                "controller": {"foreground": True, **controller}, "firmware": {"ftl": "superblock_map", **firmware},
                "workload": {"phases": phases}, **more}

    def test_the_cpu_does_not_sleep_while_a_software_unit_can_take_a_step(self):
        read_back = phase("read back", readRatio="100%", volume="100%")
        self.run_clean(self.tiny("R2304", 29, "1536B", ("50us", "5us", "10us"), {"synthesizer": True, "backgroundUnits": "software"}, {},
                                 [phase("mix", requests=48, readRatio="20%", blockSize="128KiB"), read_back]))
        self.run_clean(self.tiny("R2636", 21, "2048B", ("100us", "1500us", "1500us"), {"backgroundUnits": "software"},
                                 {"superblockMap": {"flush": "park"}}, [phase("write", requests=5, flushEvery=1), read_back]), least=200)

    def test_sectors_that_were_never_written_are_zeros_after_wear_levelling_too(self):
        for units in ("hardware", "software"):
            report = self.run_clean(self.tiny(
                "R2337", 28, "8192B", ("100us", "5us", "10us"), {"superchip": {"bus": 4}, "backgroundUnits": units}, {"wearThreshold": 1},
                [phase("write", requests=396, flushEvery=1), phase("read back", readRatio="100%", volume="100%")], data="bytes"))
            self.assertGreater(report["flash"]["operations"]["by_purpose"]["wear_levelling"]["copy_backs"], 0)

    @figures_only
    def test_software_units_do_the_same_work_and_are_slower_when_the_clock_is(self):
        one_by_one = merged(MIX, requests=300, readRatio="0%", flushEvery=1, pacing={"mode": "closed", "queueDepth": 1})

        def run(units, clock, mode="native"):
            return self.run_clean(merged(SMALL, workload={"phases": [FILL, one_by_one, READ_BACK]}, cpu={"clock": clock},
                                         controller={"backgroundUnits": units}, firmware={"mode": mode}))

        def merges(report):
            return report["flash"]["operations"]["by_purpose"]["merge"]

        def rate(report): # of the fill, with all units at work
            return report["phases"][0]["totals"]["all"]["iops"]

        hardware, slow_hardware = run("hardware", "160MHz"), run("hardware", "10MHz")
        software, slow_software = run("software", "160MHz"), run("software", "10MHz")
        # One command at a time, each flushed: merges are the same with any kind of unit.
        self.assertEqual(merges(software), merges(hardware))
        self.assertEqual(merges(slow_software), merges(hardware))
        self.assertLess(rate(slow_software), 0.7 * rate(slow_hardware))
        self.assertGreater(rate(software), 0.9 * rate(hardware))
        self.assertEqual(merges(run("software", "160MHz", mode="rv32")), merges(hardware))

    def test_worn_blocks_are_replaced_without_losing_data(self):
        worn = [{"die": die, "block": 40, "at": "5ms"} for die in (0, 9, 18)]
        for units in ("hardware", "software"):
            with self.subTest(units=units), tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder) / "scenario.json"
                file.write_text(json.dumps(merged(SMALL, nand={"wornBlocks": worn}, controller={"backgroundUnits": units},
                                                  workload={"phases": [FILL, MIX, READ_BACK]})))
                report = pathlib.Path(folder) / "report.json"
                done = subprocess.run([STROBE, "run", str(file), "--quiet", "--json", str(report)],
                                      capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                result = json.loads(report.read_text())
                self.assertEqual(result["integrity"]["mismatches"], 0)
                self.assertGreater(result["failures"][0]["count"], 0)


if __name__ == "__main__":
    unittest.main()
