# SPDX-License-Identifier: Apache-2.0
"""Drive images: a drive is saved after its preconditioning, and later runs start from it. Is everything there, is every
other file refused, and is nothing left half-written?"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli_support import Directory, STROBE, strobe  # noqa: E402

FILL = {"name": "fill", "kind": "sequential", "blockSize": "64KiB", "volume": "100%", "precondition": True}
AGE = {"name": "age", "kind": "uniform", "blockSize": "4KiB", "requests": 1500, "trimRatio": "5%", "precondition": True}
READ = {"name": "read", "kind": "sequential", "blockSize": "64KiB", "readRatio": "100%", "volume": "100%"}
MIX = {"name": "mix", "kind": "uniform", "blockSize": "4KiB", "readRatio": "50%", "requests": 1000}
DRIVE = {
    "name": "drive",
    "nand": {"part": {"extends": "k9f1g08u0a", "blocksPerPlane": 48, "pagesPerBlock": 16, "maxBadBlocks": 3},
             "factoryBadBlocks": 2, "channels": 2, "ways": 2},
    "memory": {"size": "32MiB", "bufferSize": "1MiB"}, "firmware": {"overProvisioning": "35%"},
    "workload": {"phases": [FILL, AGE, READ, MIX]}}
SUPERBLOCKS = {**DRIVE, "controller": {"foreground": True, "superchip": {"bus": 2, "chip": 1}},
               "nand": {**DRIVE["nand"], "part": {**DRIVE["nand"]["part"], "blocksPerPlane": 96}},
               "firmware": {"ftl": "superblock_map", "spareBlocks": 4, "superblockMap": {"sectorBuffer": "128KiB"}}}
SKIP = ("--until-measured",)


def sets_of(sets):
    return [word for s in sets for word in ("--set", s)]


class Images(Directory):
    def setUp(self):
        super().setUp()
        self.image = self.dir / "drive.img"
        self.scenario = self.write("drive.json", DRIVE)

    def run_it(self, *arguments, scenario=None, code=0):
        done = strobe("run", scenario or self.scenario, "--json", "-", *arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        return json.loads(done.stdout) if code == 0 else done.stderr

    def save(self, *arguments, **more):
        return self.run_it("--save-image", self.image, *arguments, **more)

    def load(self, *arguments, **more):
        return self.run_it("--image", self.image, *arguments, **more)

    def test_a_preconditioned_drive_is_read_back_intact_and_only_measured_phases_run(self):
        for name, drive in (("page", DRIVE), ("superblock", SUPERBLOCKS)):
            for data in ("tags", "bytes", "none"):
                with self.subTest(name=name, data=data):
                    self.write("drive.json", {**drive, "data": data})
                    made = self.save(*SKIP)
                    self.assertEqual([p["name"] for p in made["phases"]], ["fill", "age"])
                    loaded = self.load()
                    self.assertEqual([p["name"] for p in loaded["phases"]], ["read", "mix"])
                    if data != "none":
                        written = made["capacity_bytes"] // 512
                        self.assertGreater(loaded["integrity"]["checked_sectors"], 0.9 * written)
                        self.assertEqual(loaded["integrity"]["mismatches"], 0)
                    self.assertGreaterEqual(loaded["flash"]["wear"]["erases"], made["flash"]["wear"]["erases"])

    def test_measured_phases_issue_the_same_requests_as_without_an_image(self):
        self.save(*SKIP)
        through, loaded = self.run_it(), self.load()
        by_name = {p["name"]: p for p in through["phases"]}
        for phase in loaded["phases"]:
            totals = by_name[phase["name"]]["totals"]
            self.assertEqual(phase["totals"].keys(), totals.keys())
            for kind, row in phase["totals"].items():
                self.assertEqual((row["requests"], row["bytes"]), (totals[kind]["requests"], totals[kind]["bytes"]))

    def test_the_same_drive_gives_the_same_bytes_and_loading_changes_nothing(self):
        self.save(*SKIP)
        first = self.image.read_bytes()
        self.save(*SKIP)
        self.assertEqual(self.image.read_bytes(), first)
        reports = [self.load() for _ in range(2)]
        self.assertEqual(reports[0], reports[1])
        self.assertEqual(self.image.read_bytes(), first)

    def test_the_drive_goes_on_where_it_was_switched_off_but_not_after_a_power_loss(self):
        self.save(*SKIP)
        about = json.loads(strobe("inspect", "image", self.image, "--json", "-").stdout)
        self.assertEqual(about["power"], "switched off")
        flush = sets_of(["workload.phases.2.requests=1", "workload.phases.3.requests=1"])
        loaded = self.load(*flush)
        self.assertEqual(loaded["flash"]["wear"]["erases"], about["flash"]["erases"])  # no blank block is erased again
        again = self.dir / "again.img"
        self.load("--save-image", again, *flush, *sets_of(['power.cuts=["1ms"]']))
        about = json.loads(strobe("inspect", "image", again, "--json", "-").stdout)
        self.assertEqual(about["power"], "lost")
        self.image = again
        self.assertGreater(self.load(*flush)["flash"]["wear"]["erases"], about["flash"]["erases"])

    def test_an_image_of_an_image_after_the_whole_workload_with_cuts(self):
        self.save(*SKIP)
        again = self.dir / "again.img"
        self.load("--save-image", again, *sets_of(["power.meanCutInterval=20ms", "power.maxCuts=3"]))
        self.image = again
        self.assertEqual(self.load()["integrity"]["mismatches"], 0)

    def test_other_firmware_recovers_and_firmware_that_loses_data_is_found_out(self):
        self.save(*SKIP)
        policies = self.load(*sets_of(["firmware.pageMap.gc.policy=cost-benefit", "channel.interface=PROPOSED", "seed=9"]))
        self.assertEqual(policies["integrity"]["mismatches"], 0)
        done = strobe("run", self.scenario, "--image", self.image, "--json", "-", "--set", "firmware.image=page_map_forgetful")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertGreater(json.loads(done.stdout)["integrity"]["mismatches"], 0)

    @unittest.skipUnless(os.environ.get("STROBE_RV32") == "1", "no RV32 compiler")
    def test_native_firmware_prepares_the_drive_of_the_core(self):
        self.save(*SKIP)
        loaded = self.load(*sets_of(["firmware.mode=rv32", "workload.phases.3.requests=50"]))
        self.assertEqual(loaded["integrity"]["mismatches"], 0)

    def test_functional_phases_that_the_image_replaces_do_not_restrict_firmware(self):
        functional = sets_of([f"workload.phases.{i}.precondition=functional" for i in (0, 1)])
        self.save(*SKIP, *functional)
        loaded = self.load(*functional, "--set", "firmware.cores=2")
        self.assertEqual(loaded["integrity"]["mismatches"], 0)
        self.assertIn("runs firmware on one core", self.run_it(*functional, "--set", "firmware.cores=2", code=2))

    def test_an_image_of_another_drive_is_refused_with_both_values(self):
        self.save(*SKIP)
        for sets, said in (
                (["nand.ways=1"], "nand.ways is 2 there and 1 here"),
                (["nand.part.pagesPerBlock=32"], "nand.part.pagesPerBlock is 16 there and 32 here"),
                (["nand.part.pageSize=4KiB"], "nand.part.pageSize in bytes is 2048 there and 4096 here"),
                (["nand.factoryBadBlocks=0"], "nand.factoryBadBlocks is 2 there and 0 here"),
                (["data=bytes"], 'data is "tags" there and "bytes" here'),
                (["firmware.overProvisioning=36%"], "firmware.overProvisioning in per mille is 350 there and 360 here"),
                (["firmware.spareBlocks=1"], "firmware.spareBlocks is 0 there and 1 here")):
            with self.subTest(sets=sets):
                error = self.load(*sets_of(sets), code=2)
                self.assertIn("it is the image of another drive: ", error)
                self.assertIn(said, error)

    def test_a_file_that_is_no_image_is_refused(self):
        self.save(*SKIP)
        good = self.image.read_bytes()
        flipped = bytearray(good)
        flipped[len(good) // 2] ^= 1
        for content, said in ((b"", ": is not a drive image"), (b"GIF89a" * 100, ": is not a drive image"),
                              (good[:11], "it ends too early"), (good[:-1], "it ends too early"),
                              (good + b"x", "it continues after its end"), (bytes(flipped), "a section is damaged"),
                              (good[:8] + b"\x01" + good[9:],
                               f"it has version 1 of the format; {good[8]} can be read")):
            self.image.write_bytes(content)
            self.assertIn(said, self.load(code=2))
            inspected = strobe("inspect", "image", self.image)
            self.assertEqual((inspected.returncode, inspected.stdout), (2, ""))
            self.assertIn(said, inspected.stderr)
        self.image.unlink()
        self.assertIn("cannot be read: No such file", self.load(code=2))
        self.image.mkdir()
        self.assertIn("cannot be read: Is a directory", self.load(code=2))

    def test_a_place_that_takes_no_file(self):
        self.assertIn("cannot be written", self.run_it("--save-image", self.dir / "nowhere" / "x.img", code=2))
        if os.path.exists("/dev/full"):
            self.assertIn("/dev/full: cannot be written: No space left", self.run_it("--save-image", "/dev/full", *SKIP, code=2))
        self.assertIn(f"--save-image: {self.scenario} is read by this command", self.run_it("--save-image", self.scenario, code=2))
        self.assertEqual(self.files(), ["drive.json", "endless.json", "small.json"])

    def test_an_interrupted_run_leaves_no_image(self):
        process = subprocess.Popen([STROBE, "run", str(self.endless), "--quiet", "--save-image", str(self.image)],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        error = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 130, error)
        self.assertIn("drive.img: not written, because the run was interrupted", error)
        self.assertFalse(self.image.exists())

    def test_a_run_that_found_errors_leaves_no_image(self):
        done = strobe("run", self.scenario, "--quiet", "--save-image", self.image, "--set", "firmware.image=page_map_lossy")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("not written, because the run found errors", done.stderr)
        self.assertFalse(self.image.exists())

    def test_what_cannot_make_or_use_an_image_says_so(self):
        self.write("measured.json", {**DRIVE, "workload": {"phases": [MIX]}})
        error = self.run_it(*SKIP, scenario=self.dir / "measured.json", code=2)
        self.assertIn("--until-measured: the first phase of the workload is measured already", error)
        self.write("filled.json", {**DRIVE, "workload": {"phases": [FILL]}})
        self.save(scenario=self.dir / "filled.json")
        error = self.load(scenario=self.dir / "filled.json", code=2)
        self.assertIn("/workload/phases: a drive image replaces preconditioning phases, and there is no other phase", error)
        error = self.save(*sets_of([f"nand.contents.file={self.dir}/other"]), code=2)
        self.assertIn("--save-image: the scenario saves the drive to nand.contents.file already", error)
        error = self.save(scenario="papers/aging/pcm", code=2)
        self.assertIn("--save-image: start_gap keeps its registers in memory", error)
        ignoring = {**SUPERBLOCKS, "firmware": {**SUPERBLOCKS["firmware"], "superblockMap": {
            **SUPERBLOCKS["firmware"]["superblockMap"], "flush": "ignore"}}}
        error = self.save(scenario=self.write("ignore.json", ignoring), code=2)
        self.assertIn("--save-image: the drive ignores flushes", error)

    def test_inspect_image_tells_drive_wear_and_data(self):
        made = self.save(*SKIP)
        about = json.loads(strobe("inspect", "image", self.image, "--json", "-").stdout)
        self.assertEqual(about["drive"]["nand.ways"], 2)
        self.assertEqual(about["firmware"]["mode"], "native")
        self.assertEqual(about["flash"]["erases"], made["flash"]["wear"]["erases"])
        self.assertEqual(about["file"]["bytes"], self.image.stat().st_size)
        self.assertGreater(about["host"]["written_bytes"], 0.9 * about["host"]["capacity_bytes"])
        text = strobe("inspect", "image", self.image).stdout
        self.assertRegex(text, r"programmed_pages +[\d,]+\n")

    def key(self, *sets, scenario=None, code=0):
        done = strobe("inspect", "image-key", scenario or self.scenario, *sets_of(sets))
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout.strip() if code == 0 else done.stderr

    def test_the_key_of_an_image_follows_what_determines_it_and_nothing_else(self):
        key = self.key()
        self.assertTrue(re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", key), key)
        for sets in (["name=other"], ["workload.phases.3.requests=5"], ["report.failureDetails=1"],
                     ["nand.contents.file=x", "nand.contents.mode=image"]):
            self.assertEqual(self.key(*sets), key, sets)
        others = [self.key(*sets) for sets in (["seed=2"], ["nand.ways=3"], ["workload.phases.1.requests=5"],
                                               ["firmware.image=page_map_lossy"], ["firmware.pageMap.gc.policy=cost-benefit"])]
        self.assertEqual(len({key, *others}), 6)
        self.write("measured.json", {**DRIVE, "workload": {"phases": [MIX]}})
        self.assertIn("/workload/phases: there is no phase before the first measured one",
                      self.key(scenario=self.dir / "measured.json", code=2))

    def test_the_key_follows_the_contents_of_a_trace(self):
        trace = {"name": "replay", "kind": "trace", "trace": {"file": "t.log"}, "precondition": True}
        scenario = self.write("replay.json", {**DRIVE, "workload": {"phases": [trace, MIX]}})
        keys = []
        for size in (4096, 8192, 4096):
            self.write("t.log", f"fio version 3 iolog\n0 d add\n1 d write 0 {size}\n")
            keys.append(self.key(scenario=scenario))
        self.assertEqual(keys[0], keys[2])
        self.assertNotEqual(keys[0], keys[1])


if __name__ == "__main__":
    unittest.main()
