# SPDX-License-Identifier: Apache-2.0
"""Drives that age: times, bit errors and their correction by ECC, and the lifetime equation compared with a run."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

STROBE = os.environ["STROBE"]

POINTS = [{"wear": 0, "bitErrorRate": 1e-6},
          {"wear": 1, "programMean": 2, "programMin": 1.5, "programMax": 3, "bitErrorRate": 1e-3},
          {"wear": 2, "programMean": 4, "programMin": 3, "programMax": 5, "bitErrorRate": 8e-3}]
DRIVE = {
    "nand": {"part": {"extends": "k9f1g08u0a", "blocksPerPlane": 32, "maxBadBlocks": 0, "endurance": 1000,
                      "wear": {"source": "chosen for the test", "points": POINTS}}, "channels": 2, "ways": 2},
    "memory": {"size": "16MiB", "bufferSize": "1MiB"},
    "firmware": {"overProvisioning": "25%"},
    "workload": {"phases": [
        {"name": "fill", "kind": "sequential", "blockSize": "64KiB", "volume": "100%", "precondition": True},
        {"name": "mix", "kind": "uniform", "readRatio": "50%", "blockSize": "4KiB", "requests": 2000}]},
}


def strobe(*arguments):
    return subprocess.run([STROBE, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=600)


def run(*sets, drive=None):
    """Exit code and report."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "drive.json")
        file.write_text(json.dumps(drive or DRIVE))
        done = strobe("run", file, "--json", "-", *[word for s in sets for word in ("--set", s)])
    return done.returncode, json.loads(done.stdout) if done.stdout else done.stderr


class Wear(unittest.TestCase):
    def test_a_worn_drive_writes_more_slowly_and_needs_more_of_its_ecc(self):
        (code, fresh), (worn_code, worn) = run(), run("nand.preAged=1")
        self.assertEqual((code, worn_code), (0, 0))
        self.assertLess(worn["totals"]["write"]["iops"], 0.7 * fresh["totals"]["write"]["iops"])
        self.assertGreater(worn["flash"]["ecc"]["corrected_bits"], 10 * fresh["flash"]["ecc"]["corrected_bits"])
        self.assertGreater(worn["flash"]["ecc"]["mean_iterations"], fresh["flash"]["ecc"]["mean_iterations"])
        self.assertAlmostEqual(worn["flash"]["wear"]["mean_life_used"], 1 + worn["flash"]["wear"]["mean_erases"] / 1000)
        self.assertEqual(worn["integrity"]["mismatches"], 0)

    def test_cycles_and_normalised_wear_say_the_same(self):
        self.assertEqual(run("nand.preAged=0.5")[1]["totals"], run("nand.preAgedCycles=500")[1]["totals"])

    def test_mistakes_name_their_place(self):
        for sets, words in ((("nand.preAged=1", "nand.preAgedCycles=7"), "/nand/preAgedCycles: sets the same quantity as preAged"),
                            (("nand.preAged=1", "nand.part.wear.points=[]"), "/nand/preAged: needs a part that ages"),
                            (("nand.part.endurance=0",), "/nand/part/endurance: a part that ages"),
                            (("nand.part.wear.points=[{\"wear\":1},{\"wear\":1}]",), "points/1/wear: must be more than"),
                            (("nand.part.wear.points=[{\"wear\":1,\"programMin\":2}]",), "must ascend"),
                            (("channel.wholeClocks=true",), "/channel/wholeClocks: must be false with a part that ages"),
                            (("nand.part.accessSize=64B",), "/nand/part/accessSize: only pages of PCM"),
                            (("nand.part.cell=PCM", "firmware.ftl=page_map"), "/nand/part/cell: PCM has no erase"),
                            (("firmware.ftl=start_gap",), "/firmware/ftl: start_gap overwrites pages in place"),
                            (("controller.ecc.codeword=700B",), "/controller/ecc/codeword: must be a whole number")):
            code, said = run(*sets)
            self.assertEqual(code, 2, sets)
            self.assertIn(words, said)

    def test_the_lifetime_equation_says_when_a_run_will_have_used_up_its_cycles(self):
        """The host's writes, times write amplification, equal the erases of the run."""
        drive = {**DRIVE, "workload": {"phases": [
            DRIVE["workload"]["phases"][0],
            {"name": "age", "kind": "uniform", "blockSize": "4KiB", "volume": "300%", "precondition": True},
            {"name": "write", "kind": "uniform", "blockSize": "4KiB", "volume": "400%"}]}}
        code, report = run(drive=drive)
        self.assertEqual(code, 0)
        flash, seconds = report["flash"], report["measured_ps"] * 1e-12
        rate = report["totals"]["write"]["bytes"] / seconds
        capacity = 2 * 2 * 32 * 64 * 2048
        done = strobe("inspect", "lifetime", "--capacity", f"{capacity}B", "--endurance", 1000, "--write-rate",
                      f"{round(rate)}B/s", "--amplification", flash["write_amplification"], "--json", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        lifetime = json.loads(done.stdout)["lifetime_seconds"]
        erases = flash["operations"]["total"]["erases"]
        by_erases = 1000 * 2 * 2 * 32 * seconds / erases  # if all blocks are erased as often
        self.assertLess(abs(lifetime / by_erases - 1), 0.03, (lifetime, by_erases))


class Errors(unittest.TestCase):
    def test_more_errors_than_the_code_corrects_are_uncorrectable_and_not_delivered(self):
        code, report = run("nand.preAged=1", "controller.ecc.correctableBits=14")
        self.assertEqual(code, 1)  # requests failed
        self.assertGreater(report["flash"]["ecc"]["uncorrectable_pages"], 0)
        self.assertGreater(report["totals"]["read"]["failed"], 0)
        self.assertEqual(report["integrity"]["mismatches"], 0)

    def test_without_a_code_wrong_data_is_detected_in_bytes_and_in_tags(self):
        for data in ("bytes", "tags"):
            code, report = run("nand.preAged=1", "controller.ecc.correctableBits=0", f"data={data}")
            self.assertEqual(code, 1)
            self.assertGreater(report["flash"]["ecc"]["undetected_pages"], 0)
            self.assertGreater(report["integrity"]["mismatches"], 0)

    def test_a_miscorrection_is_found_by_the_integrity_check(self):
        code, report = run("nand.preAged=1", "controller.ecc.correctableBits=10", "controller.ecc.miscorrection=1")
        self.assertEqual(code, 1)
        self.assertEqual(report["flash"]["ecc"]["uncorrectable_pages"], 0)
        self.assertGreater(report["integrity"]["mismatches"], 0)

    def test_firmware_recovers_although_pages_of_its_tables_need_a_second_read(self):
        code, report = run("nand.preAged=1", "controller.ecc.correctableBits=18", "power.cuts=[\"30ms\",\"120ms\"]",
                           "firmware.pageMap.checkpointPages=200")
        self.assertEqual(report["power"]["recoveries"], 2, code)
        self.assertEqual(report["integrity"]["mismatches"], 0)


    def test_pages_that_recovery_cannot_correct_are_errors_to_the_host_and_not_old_versions(self):
        for seed in (1, 2, 3):
            code, report = run("nand.preAged=1", "controller.ecc.correctableBits=15", "power.cuts=[\"30ms\",\"80ms\",\"120ms\"]",
                               f"seed={seed}")
            self.assertGreater(report["flash"]["ecc"]["uncorrectable_pages"], 0, code)
            self.assertEqual(report["power"]["recoveries"], 3)
            self.assertEqual(report["integrity"]["mismatches"], 0)

    def test_bad_block_marks_are_read_on_worn_drives(self):
        code, report = run("nand.preAged=1", "controller.ecc.correctableBits=2", "firmware.pageMap.badBlockScan=scan",
                           "nand.factoryBadBlocks=3", "power.cuts=[\"60ms\"]")
        self.assertEqual(report["power"]["recoveries"], 1, code)
        self.assertEqual(report["integrity"]["mismatches"], 0)


PCM = {
    "nand": {"part": {"extends": "aging-pcm2", "blocksPerPlane": 4, "pagesPerBlock": 16}, "channels": 2, "ways": 2},
    "memory": {"size": "16MiB", "bufferSize": "1MiB"},
    "firmware": {"ftl": "start_gap", "startGap": {"interval": 10}},
    "workload": {"phases": [
        {"name": "mix", "kind": "uniform", "readRatio": "40%", "trimRatio": "5%", "blockSize": "4KiB", "requests": 3000},
        {"name": "parts", "kind": "uniform", "readRatio": "50%", "blockSize": "1KiB", "requests": 3000},
        {"name": "long", "kind": "uniform", "readRatio": "50%", "blockSize": "10KiB", "requests": 1000}]},
}


class StartGap(unittest.TestCase):
    def test_parts_of_pages_trims_and_long_requests_stay_intact_while_the_gap_moves(self):
        for data in ("bytes", "tags"):
            code, report = run(f"data={data}", drive=PCM)
            self.assertEqual(code, 0, report)
            self.assertGreater(report["integrity"]["checked_sectors"], 10_000)
            self.assertGreater(report["flash"]["operations"]["by_purpose"]["wear_levelling"]["programs"], 100)
            self.assertEqual(report["flash"]["operations"]["total"]["erases"], 0)

    def test_one_page_is_moved_per_interval_of_writes(self):
        drive = {**PCM, "workload": {"phases": [
            {"name": "fill", "kind": "sequential", "blockSize": "4KiB", "volume": "100%", "precondition": True},
            {"name": "write", "kind": "uniform", "blockSize": "4KiB", "requests": 5000}]}}
        for interval in (10, 50):
            code, report = run(f"firmware.startGap.interval={interval}", drive=drive)
            self.assertEqual(code, 0)
            self.assertAlmostEqual(report["flash"]["write_amplification"], 1 + 1 / interval, delta=0.001)

    def test_writes_to_a_few_pages_wear_all_pages_over_time(self):
        hot = {**PCM, "workload": {"phases": [
            {"name": "hot", "kind": "uniform", "blockSize": "4KiB", "region": {"size": "16KiB"}, "requests": 40000}]}}
        most = {}
        for interval in (0, 1):
            code, report = run(f"firmware.startGap.interval={interval}", "data=none", drive=hot)
            self.assertEqual(code, 0)
            most[interval] = report["flash"]["wear"]["overwrites"]["max"]
        self.assertGreater(most[0], 9_000)
        self.assertLess(most[1], most[0] / 10)

    def test_errors_beyond_the_code_are_reported_and_never_delivered(self):
        points = json.dumps([{"wear": 0, "bitErrorRate": 2e-3}])
        code, report = run(f"nand.part.wear.points={points}", "controller.ecc.correctableBits=25", drive=PCM)
        self.assertEqual(code, 1)
        self.assertGreater(report["totals"]["read"]["failed"], 0)
        self.assertEqual(report["integrity"]["mismatches"], 0)

    def test_native_and_core_agree(self):
        native = run(drive=PCM)[1]
        code, core = run("firmware.mode=rv32", drive=PCM)
        if code == 2:
            self.skipTest("no image for the core")
        self.assertEqual(core["integrity"]["mismatches"], 0)
        self.assertLess(abs(core["totals"]["all"]["iops"] / native["totals"]["all"]["iops"] - 1), 0.02)

    def test_incompatible_settings_are_refused(self):
        for sets, words in ((("power.cuts=[\"1ms\"]",), "/power: start_gap keeps its registers in memory"),
                            (("controller.multiPlane=true",), "/controller/multiPlane: PCM has no multi-plane commands"),
                            (("channel.suspend=reads",), "/channel/suspend"),
                            (("nand.contents.file=pcm.nand",), "/nand/contents/file: must be empty: start_gap keeps its registers in memory"),
                            (("nand.factoryBadBlocks=1",), "/nand/factoryBadBlocks: must be 0: start_gap does not handle bad blocks"),
                            (("firmware.spareBlocks=4",), "/firmware/spareBlocks: applies only to ftl page_map, superblock_map and zoned"),
                            (("firmware.completion=write-through",), "/firmware/completion: applies only to ftl page_map and superblock_map"),
                            (("firmware.capacity=10MiB",), "/firmware/capacity: 10MiB is too large: two pages are reserved"),
                            (("controller.superchip.bus=2",), "/controller/superchip: start_gap works with superchips of 1 x 1")):
            code, said = run(*sets, drive=PCM)
            self.assertEqual(code, 2, sets)
            self.assertIn(words, said)


if __name__ == "__main__":
    unittest.main()
