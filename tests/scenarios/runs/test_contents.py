# SPDX-License-Identifier: Apache-2.0
"""Contents of a drive in a file: the next process finds all of it, to the bit, and any other file is refused."""
import json
import pathlib
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli_support import Directory, STROBE, strobe  # noqa: E402


def phase(name, **more):
    return {"name": name, "kind": "uniform", "blockSize": "4KiB", **more}


DRIVE = {
    "name": "drive",
    "nand": {"part": {"extends": "k9f1g08u0a", "blocksPerPlane": 48, "pagesPerBlock": 16, "maxBadBlocks": 3},
             "factoryBadBlocks": 2, "channels": 2, "ways": 2},
    "memory": {"size": "32MiB", "bufferSize": "1MiB"}, "firmware": {"overProvisioning": "35%"},
    "workload": {"phases": [phase("write", readRatio="20%", requests=1500, trimRatio="5%", flushEvery=100)]}}
SUPERBLOCKS = {**DRIVE, "controller": {"foreground": True, "superchip": {"bus": 2, "chip": 1}},
               "nand": {**DRIVE["nand"], "part": {**DRIVE["nand"]["part"], "blocksPerPlane": 96}},
               "firmware": {"ftl": "superblock_map", "spareBlocks": 4, "superblockMap": {"sectorBuffer": "128KiB"}}}
LOOK = {"phases": [phase("read", readRatio="100%", requests=1)]}


class Contents(Directory):
    def setUp(self):
        super().setUp()
        self.file = self.dir / "drive.nand"

    def run_it(self, scenario, *sets, code=0, mode="keep"):
        file = self.write("scenario.json", {**scenario, "nand": {**scenario["nand"],
                                                                 "contents": {"file": str(self.file), "mode": mode}}})
        done = strobe("run", file, "--json", "-", "--wear-map", self.dir / "wear.csv",
                      *(word for s in sets for word in ("--set", s)))
        self.assertEqual(done.returncode, code, done.stderr)
        return json.loads(done.stdout) if code == 0 else done.stderr

    def test_a_second_process_reads_what_the_first_has_written(self):
        for drive in (DRIVE, SUPERBLOCKS):
            for data in ("tags", "bytes"):
                for completion in ("write-back", "write-through"):
                    with self.subTest(data=data, completion=completion, ftl=drive["firmware"].get("ftl")):
                        self.file.unlink(missing_ok=True)
                        sets = (f"data={data}", f"firmware.completion={completion}")
                        first = self.run_it(drive, *sets)
                        self.assertTrue(self.file.exists())
                        second = self.run_it({**drive, "workload": LOOK}, *sets)
                        written = first["totals"]["write"]["requests"]
                        self.assertGreater(written, 1000)
                        # everything is read back before the workload begins
                        self.assertGreater(second["integrity"]["checked_sectors"], written)
                        self.assertEqual(second["integrity"]["mismatches"], 0)
                        third = self.run_it(drive, *sets)
                        self.assertEqual(third["integrity"]["mismatches"], 0)
                        self.assertGreater(third["flash"]["wear"]["erases"], first["flash"]["wear"]["erases"])

    def test_a_run_that_is_ended_before_the_drive_is_ready_keeps_the_record_of_the_host(self):
        self.run_it(DRIVE)
        for delay in (0.03, 0.06, 0.1, 0.2):
            process = subprocess.Popen([STROBE, "run", str(self.dir / "scenario.json"), "--quiet"], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            time.sleep(delay)
            process.send_signal(signal.SIGINT)
            self.assertIn(process.wait(60), (0, 130, -signal.SIGINT))
            looked = self.run_it({**DRIVE, "workload": LOOK}, mode="load")
            self.assertGreater(looked["integrity"]["checked_sectors"], 1000)
            self.assertEqual(looked["integrity"]["mismatches"], 0)

    def test_without_reading_back_the_first_reads_are_still_checked(self):
        self.run_it(DRIVE)
        report = self.run_it({**DRIVE, "workload": {"phases": [phase("read", readRatio="100%", requests=2000)]}},
                             "power.readBack=false")
        self.assertEqual(report["integrity"]["checked_sectors"], 2000 * 8)
        self.assertEqual(report["integrity"]["mismatches"], 0)

    def test_firmware_that_restores_old_versions_is_detected(self):
        drive = {**DRIVE, "firmware": {**DRIVE["firmware"], "image": "page_map_forgetful"}}
        self.run_it(drive)
        self.assertGreater(json.loads(strobe("run", self.dir / "scenario.json", "--json", "-").stdout)
                           ["integrity"]["mismatches"], 0)

    def test_loading_does_not_change_the_file_and_gives_the_same_run_each_time(self):
        self.run_it(DRIVE)
        before = self.file.read_bytes()
        reports = [self.run_it(DRIVE, mode="load") for _ in range(2)]
        self.assertEqual(reports[0], reports[1])
        self.assertEqual(self.file.read_bytes(), before)
        wear = (self.dir / "wear.csv").read_text()
        self.run_it({**DRIVE, "workload": LOOK}, mode="save")  # starts as a new drive
        self.assertNotEqual((self.dir / "wear.csv").read_text(), wear)

    def test_power_cuts_and_a_reload_lose_nothing(self):
        for seed in range(4):
            self.run_it(DRIVE, "power.meanCutInterval=20ms", "power.maxCuts=5", f"workload.phases.0.requests={900 + seed}")
        report = self.run_it({**DRIVE, "workload": LOOK})
        self.assertEqual(report["integrity"]["mismatches"], 0)

    def test_any_other_file_is_refused_and_stays_as_it_is(self):
        self.run_it(DRIVE)
        good = self.file.read_bytes()
        for sets, said in (
                (["nand.ways=1"], "it is the image of another drive: nand.ways is 2 there and 1 here"),
                (["data=bytes"], 'data is "tags" there and "bytes" here')):
            self.assertIn(said, self.run_it(DRIVE, *sets, code=2))
        for content, said in ((good[:-1], "it ends too early"), (good + b"x", "it continues after its end"),
                              (b"", ": is not a drive image")):
            self.file.write_bytes(content)
            self.assertIn(said, self.run_it(DRIVE, code=2))
            self.assertEqual(self.file.read_bytes(), content)
        self.file.unlink()
        self.assertIn("cannot be read: No such file", self.run_it(DRIVE, code=2, mode="load"))
        self.assertEqual(self.files(), ["endless.json", "scenario.json", "small.json", "wear.csv"])

    def test_a_file_that_cannot_be_written_is_reported_before_the_run(self):
        self.file = self.dir / "nowhere" / "drive.nand"
        self.assertIn("cannot be written", self.run_it(DRIVE, code=2))

    def test_commands_with_many_drives_write_no_contents_file(self):
        scenario = self.write("many.json", {**DRIVE, "nand": {**DRIVE["nand"], "contents": {"file": str(self.file)}}})
        done = strobe("powercut", scenario, "--cuts", 2)
        self.assertEqual(done.returncode, 2)
        self.assertIn("/nand/contents/mode: only `strobe run` and `strobe operations` write such a file; must be load", done.stderr)
        self.run_it(DRIVE)
        done = strobe("powercut", scenario, "--cuts", 4, "--set", "nand.contents.mode=load")
        self.assertEqual(done.returncode, 0, done.stderr)

    def operations(self, mode, *list_, code=0, sets=()):
        """Executes the operations on a channel of two dies; returns JSON, or the output."""
        scenario = self.write("list.json", {
            "name": "list", "nand": {"part": {"extends": "k9f1g08u0a", "blocksPerPlane": 48, "pagesPerBlock": 4}, "channels": 1,
                                     "ways": 2, "factoryBadBlocks": 0, "contents": {"file": str(self.file), "mode": mode}},
            "operations": {"preparedBlocks": 0, "list": list_}})
        done = strobe("operations", scenario, "--json", "-", *[word for s in sets for word in ("--set", s)])
        self.assertEqual(done.returncode, code, done.stderr)
        return json.loads(done.stdout) if code == 0 else done.stderr

    def test_operations_find_what_an_earlier_run_has_programmed(self):
        def op(name, page, die=1, **more):
            where = {} if name == "erase" else {"page": page}
            return {"op": name, "die": die, "block": 2, **where, **more}
        self.operations("keep", op("program", 0), op("program", 1), op("erase", 0, die=0))
        first = self.file.read_bytes()
        found = self.operations("load", op("read", 0), op("read", 1), op("read", 2), op("program", 2), op("read", 2))
        self.assertEqual(found["mismatches"], 0, found)
        self.assertEqual(self.file.read_bytes(), first)
        self.operations("load", op("program", 1), code=1)  # refused by the die: it is programmed
        self.operations("keep", op("erase", 0), op("program", 0))
        self.operations("load", op("read", 0), op("read", 1))
        self.operations("keep", op("read", 0))  # nothing has changed, down to the byte
        second = self.file.read_bytes()
        self.operations("keep", op("read", 1))
        self.assertEqual(self.file.read_bytes(), second)
        other = self.operations("load", op("read", 0), code=2, sets=["nand.ways=3"])
        self.assertIn("it is the image of another drive: nand.ways is 2 there and 3 here", other)

    def test_a_drive_with_firmware_takes_no_file_of_operations(self):
        self.operations("save", {"op": "program", "die": 0, "block": 0, "page": 0})
        part = {"extends": "k9f1g08u0a", "blocksPerPlane": 48, "pagesPerBlock": 4}
        said = self.run_it({**DRIVE, "nand": {"part": part, "channels": 1, "ways": 2, "factoryBadBlocks": 0}}, code=2, mode="load")
        self.assertIn('user is "strobe operations" there and "strobe run" here', said)


if __name__ == "__main__":
    unittest.main()
