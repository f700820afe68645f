# SPDX-License-Identifier: Apache-2.0
"""Mapping units smaller than a page, and word lines: whole drives, with garbage collection, power cuts, images and the RV32 core."""
import json
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli_support import Directory, strobe  # noqa: E402
from test_runs import figures_only  # noqa: E402


def phase(name, **more):
    return {"name": name, "kind": "uniform", "blockSize": "4KiB", "readRatio": "0%", "pacing": {"queueDepth": 32}, **more}


FILL = phase("fill", kind="sequential", blockSize="128KiB", volume="100%", precondition=True, pacing={"queueDepth": 8})
PART = {"extends": "tlc-16k-2plane", "blocksPerPlane": 24, "pagesPerBlock": 48, "maxBadBlocks": 1}
DRIVE = {
    "name": "drive",
    "nand": {"part": PART, "channels": 2, "ways": 2, "factoryBadBlocks": 1},
    "channel": {"interface": "NV_DDR_5"}, "controller": {"multiPlane": True},
    "memory": {"size": "64MiB", "bufferSize": "8MiB"},
    "host": {"interface": "nvme"},
    "firmware": {"overProvisioning": "35%", "spareBlocks": 1}, # units of 4 KiB by default
    "workload": {"phases": [FILL, phase("write", requests=20000)]}}


class Fixture(Directory):
    def run_it(self, *sets, code=0, **changes):
        file = self.write("scenario.json", {**DRIVE, **changes})
        done = strobe("run", file, "--json", "-", *(word for s in sets for word in ("--set", s)))
        self.assertEqual(done.returncode, code, done.stderr + done.stdout[-2000:])
        return json.loads(done.stdout) if code == 0 else done.stderr

    def assert_intact(self, report):
        self.assertGreater(report["integrity"]["checked_sectors"], 0)
        self.assertEqual((report["integrity"]["mismatches"], report["integrity"]["details"]), (0, []))


class Units(Fixture):
    @figures_only
    def test_read_ahead_hides_the_flash_from_sequential_reads(self):
        def rate(streams, **more):
            reads = phase("read", kind="sequential", readRatio="100%", requests=3000, pacing={"queueDepth": 1}, **more)
            report = self.run_it(*([f"firmware.pageMap.readAhead.streams={streams}"] if streams else []),
                                 workload={"phases": [FILL, reads]})
            self.assert_intact(report)
            return report["totals"]["read"]["megabytes_per_second"], report["flash"].get("read_ahead")
        plain, none = rate(0)
        ahead, counts = rate(2)
        self.assertIsNone(none)
        self.assertGreater(ahead, 3 * plain)
        self.assertGreater(counts["hits"], 2990)
        self.assertLess(counts["misses"] + counts["units_wasted"], 10)

    def test_data_that_was_read_ahead_and_then_written_or_trimmed_is_not_returned(self):
        mix = phase("mix", kind="sequential", readRatio="70%", trimRatio="5%", blockSize="4KiB", requests=20000,
                    region={"size": "2MiB"}, pacing={"queueDepth": 4})
        for mode in ("native", "rv32"):
            report = self.run_it("firmware.pageMap.readAhead.streams=4", "firmware.pageMap.readAhead.window=16",
                                 f"firmware.mode={mode}", workload={"phases": [FILL, {**mix, "requests": 20000 if mode == "native" else 2000}]})
            self.assert_intact(report)
            self.assertGreater(report["flash"]["read_ahead"]["hits"], 100)

    def test_a_window_without_streams_is_refused(self):
        errors = self.run_it("firmware.pageMap.readAhead.window=16", code=2)
        self.assertIn("/firmware/pageMap/readAhead/window: applies only to streams above 0, but streams is 0", errors)

    @figures_only
    def test_writes_of_units_cost_a_fraction_of_the_programs_and_no_merges(self):
        units = self.run_it()
        pages = self.run_it("firmware.pageMap.mappingUnit=16KiB")
        self.assertEqual(units["flash"]["operations"]["by_purpose"]["merge"]["reads"], 0)
        self.assertGreater(pages["flash"]["operations"]["by_purpose"]["merge"]["reads"], 10000)
        self.assertLess(units["flash"]["write_amplification"], 0.5 * pages["flash"]["write_amplification"])
        self.assertGreater(units["flash"]["wear"]["erases"], 20)
        self.assertGreater(units["totals"]["write"]["iops"], 2 * pages["totals"]["write"]["iops"])

    def test_every_request_of_a_mixed_workload_is_checked_with_units_of_each_size(self):
        mixed = {"phases": [{**FILL, "precondition": "functional"},
                            phase("mixed", readRatio="40%", blockSize="7KiB", alignment="512B", requests=6000, trimRatio="5%",
                                  flushEvery=200)]}
        for unit in ("4KiB", "8KiB", "16KiB"):
            report = self.run_it(f"firmware.pageMap.mappingUnit={unit}", workload=mixed)
            self.assert_intact(report)

    def test_power_cuts_lose_nothing_that_was_durable(self):
        cuts = {"cuts": ["30ms", "90ms", "130ms"], "readBack": True}
        workload = {"phases": [phase("write", readRatio="20%", requests=25000, flushEvery=100, trimRatio="3%")]}
        report = self.run_it(workload=workload, power=cuts)
        self.assert_intact(report)
        self.assertEqual((report["power"]["cuts"], report["power"]["sectors_unreadable"]), (3, 0))
        self.assertGreater(report["power"]["sectors_read_back"], 0)

    def test_the_next_process_finds_the_contents(self):
        contents = {**DRIVE["nand"], "contents": {"file": str(self.dir / "drive.nand"), "mode": "keep"}}
        self.run_it(nand=contents)
        report = self.run_it(nand=contents, workload={"phases": [phase("read", readRatio="100%", requests=3000)]})
        self.assert_intact(report)

    @figures_only
    @unittest.skipUnless(os.environ.get("STROBE_RV32") == "1", "needs the RV32 images")
    def test_native_and_rv32_firmware_agree_within_three_percent(self):
        workload = {"phases": [{**FILL, "volume": "40%"}, phase("write", requests=6000),
                               phase("read", readRatio="100%", requests=6000)]}
        native = self.run_it(workload=workload)
        core = self.run_it("firmware.mode=rv32", workload=workload)
        for kind in ("read", "write"):
            ratio = core["totals"][kind]["iops"] / native["totals"][kind]["iops"]
            self.assertAlmostEqual(ratio, 1, delta=0.03, msg=kind)

    def test_pages_without_room_for_the_records_are_mapped_whole(self):
        report = self.run_it(nand={**DRIVE["nand"], "part": {**PART, "spareSize": "32B"}},
                             workload={"phases": [phase("write", requests=2000)]})
        self.assertGreater(report["flash"]["operations"]["by_purpose"]["merge"]["reads"], 0)

    def test_units_that_no_page_has_are_refused_with_the_rule(self):
        for unit, rule in (("6KiB", "must be 512B to 16KiB, a power of two"), ("12KiB", "a power of two"),
                           ("2KiB", "must divide it and be a multiple of 4KiB")):
            said = self.run_it(f"firmware.pageMap.mappingUnit={unit}", code=2)
            self.assertIn("/firmware/pageMap/mappingUnit", said)
            self.assertIn(rule, said)
        said = self.run_it(code=2, nand={**DRIVE["nand"], "part": {"extends": "tlc-176l-4plane", "spareSize": "32B"}})
        self.assertIn("spare record of 16 bytes for each", said)
        said = self.run_it("nand.part.pagesPerBlock=20000", code=2)
        self.assertIn("/nand/part/pagesPerBlock: 20000 pages of 16KiB are 80000 mapping units of 4KiB", said)
        said = self.run_it("memory.bufferSize=128KiB", code=2)
        self.assertIn("mapping units of 4KiB", said)


class WordLines(Units):
    """The same on dies whose programs write the three pages of a word line on four planes."""
    LINES = {"extends": "tlc-176l-4plane", "blocksPerPlane": 24, "pagesPerBlock": 48, "maxBadBlocks": 1}
    NAND = {**DRIVE["nand"], "part": LINES, "channels": 2, "ways": 1}

    def run_it(self, *sets, code=0, **changes):
        return super().run_it("firmware.overProvisioning=45%", *sets, code=code,
                              **{"nand": self.NAND, "channel": {"interface": "NV_DDR3_15"}, **changes})

    def test_writes_of_units_cost_a_fraction_of_the_programs_and_no_merges(self):
        report = self.run_it()
        self.assertEqual(report["flash"]["operations"]["by_purpose"]["merge"]["reads"], 0)
        self.assertGreater(report["flash"]["wear"]["erases"], 5)

    def test_the_next_process_finds_the_contents(self):
        contents = {**self.NAND, "contents": {"file": str(self.dir / "drive.nand"), "mode": "keep"}}
        self.run_it(nand=contents)
        self.assert_intact(self.run_it(nand=contents, workload={"phases": [phase("read", readRatio="100%", requests=3000)]}))

    @figures_only
    def test_a_stream_programs_all_planes_together(self):
        stream = {"phases": [phase("write", kind="sequential", blockSize="128KiB", requests=1500)]}
        together = self.run_it(workload=stream)
        apart = self.run_it("controller.multiPlane=false", workload=stream)
        self.assertGreater(together["totals"]["write"]["megabytes_per_second"],
                           3 * apart["totals"]["write"]["megabytes_per_second"])

    def test_contents_of_another_mapping_unit_are_refused(self):
        contents = {**self.NAND, "contents": {"file": str(self.dir / "drive.nand"), "mode": "keep"}}
        self.run_it(nand=contents)
        said = self.run_it("firmware.pageMap.mappingUnit=16KiB", nand=contents, code=2)
        self.assertIn("mappingUnit", said)

    def test_combinations_that_no_hardware_has_are_refused_with_the_rule(self):
        for key, value, rule in (("controller.interleaving", "coarse", "word lines"),
                                 ("firmware.pageMap.gc.copyBack", "true", "word lines"),
                                 ("nand.part.pagesPerProgram", "2", "must be 1 or 3"),
                                 ("nand.part.pagesPerBlock", "2", "does not divide"),
                                 ("controller.unitDepth", "2", "must be 7 or more")):
            said = self.run_it(f"{key}={value}", code=2)
            self.assertIn(rule, said, key)
            self.assertEqual(len(said.strip().splitlines()), 1, said)

    def test_pages_without_room_for_the_records_are_mapped_whole(self):
        said = self.run_it(nand={**self.NAND, "part": {**self.LINES, "spareSize": "32B"}}, code=2)
        self.assertIn("spare record of 16 bytes for each", said)

    test_units_that_no_page_has_are_refused_with_the_rule = None


class Client(Fixture):
    """devices/nvme-tlc-pslc-4x2 with few and small blocks: a superblock is 32 blocks, on eight dies of four planes."""

    def test_the_cache_is_written_first_and_folded_superblock_by_superblock(self):
        file = self.write("scenario.json", {
            "extends": "devices/nvme-tlc-pslc-4x2", "name": "small",
            "nand": {"part": {"extends": "tlc-176l-4plane", "blocksPerPlane": 32, "pagesPerBlock": 48, "maxBadBlocks": 1},
                     "factoryBadBlocks": 2},
            "firmware": {"overProvisioning": "45%", "pageMap": {"pslcCache": {"size": "60MB"}}},
            "workload": {"phases": [{**FILL, "precondition": False}, phase("write", requests=60000),
                                    phase("read", readRatio="100%", requests=3000)]}})
        done = strobe("run", file, "--json", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assert_intact(report)
        self.assertGreater(report["flash"]["pslc"]["programs"], 1000)
        self.assertGreaterEqual(report["flash"]["pslc"]["erases"], 32)


class Streams(Fixture):
    """Paced collection, and hot and cold host data."""
    PACED = "firmware.pageMap.gc.pacing=free-space"
    HOT = "firmware.pageMap.hostStreams=hot-cold"
    WIDE = "firmware.pageMap.superblock.dies=4"
    READS = "workload.phases.1.readRatio=10%"

    def test_pacing_ends_the_stops_of_a_drive_of_one_superblock_at_a_time(self):
        longest = {}
        for sets in ((), (self.PACED,)):
            report = self.run_it(self.READS, self.WIDE, *sets)
            self.assert_intact(report)
            longest[sets] = report["totals"]["write"]["latency"]["max_ps"]
        self.assertLess(2 * longest[(self.PACED,)], longest[()])

    def test_hot_data_of_its_own_blocks_lowers_the_write_amplification_of_skewed_writes(self):
        amplification = {}
        for sets in ((), (self.HOT,)):
            report = self.run_it("workload.phases.1.kind=zipf", "workload.phases.1.zipf.theta=1", "workload.phases.1.requests=100000",
                                 "firmware.pageMap.writeBufferPages=16", "workload.phases.1.readRatio=5%", *sets)
            self.assert_intact(report)
            self.assertGreater(report["flash"]["operations"]["total"]["erases"], 500) # by collection
            amplification[sets] = report["flash"]["write_amplification"]
        self.assertLess(amplification[(self.HOT,)], 0.97 * amplification[()])

    def test_power_cuts_and_the_rv32_core_lose_nothing(self):
        cuts = ("power.meanCutInterval=20ms", "power.maxCuts=8", "power.readBack=true", "workload.phases.1.requests=6000")
        for sets in ((self.PACED, self.WIDE), (self.HOT,), (self.HOT, self.PACED, "firmware.pageMap.writeCache=protected")):
            with self.subTest(sets=sets):
                self.assert_intact(self.run_it(*sets, *cuts))
        self.assert_intact(self.run_it(self.READS, self.HOT, self.PACED, "firmware.mode=rv32", "workload.phases.1.requests=3000"))

    def test_two_streams_beside_a_pslc_cache_are_refused(self):
        said = self.run_it(self.HOT, "nand.part.extends=tlc-128l-2plane", "firmware.pageMap.pslcCache.mode=dynamic", code=2)
        self.assertIn("/firmware/pageMap/hostStreams: must be one with a pSLC cache, which takes all new data, not hot-cold", said)


if __name__ == "__main__":
    unittest.main()
