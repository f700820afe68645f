# SPDX-License-Identifier: Apache-2.0
"""Small drives of all kinds: firmware boots every drive that `validate` accepts; refusals name a key and a limit."""
import itertools
import json
import os
import pathlib
import random
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli_support import Directory, strobe  # noqa: E402
from test_runs import SANITIZED  # noqa: E402

LIMITED = re.compile(r"/(firmware/(capacity|overProvisioning|spareBlocks|superblockMap/\w+)|nand/part/(blocksPerPlane|pagesPerBlock)"
                     r"|nand/factoryBadBlocks): .*(must be .*(here|not \d+)|at most)")
GEOMETRIES = [(dies, planes, blocks, pages, page)
              for dies, planes, blocks, pages, page in itertools.product(
                  ((1, 1), (2, 1), (2, 2), (4, 4)), (1, 2), (4, 5, 6, 8, 9, 10, 11, 12, 14, 16, 20, 24, 32, 48, 64),
                  (2, 8, 16), ("512B", "2KiB", "16KiB"))]


class Sweep(Directory):
    def judge(self, scenario):
        """Whether the drive was accepted."""
        file = self.write("drive.json", scenario)
        checked = strobe("validate", file)
        if checked.returncode != 0:
            self.assertEqual(checked.returncode, 2, checked.stderr)
            self.assertRegex(checked.stderr, LIMITED, scenario)
            return False
        run = strobe("run", file)
        self.assertEqual((run.returncode, "panic" in run.stdout + run.stderr), (0, False), (scenario, run.stderr))
        return True

    @staticmethod
    def drive(draws, ftl):
        (channels, ways), planes, blocks, pages, page = draws.choice(GEOMETRIES)
        firmware = {"ftl": ftl, "spareBlocks": draws.choice([0, 0, 1, 2, 5, 17]),
                    "overProvisioning": draws.choice(["0%", "0.5%", "7%", "30%", "55%", "80%", "85%", "89%", "90%"])}
        if ftl == "page_map" and page == "16KiB":
            firmware["pageMap"] = {"mappingUnit": draws.choice(["4KiB", "8KiB", "16KiB"])}
        if draws.random() < 0.2:
            firmware["capacity"] = draws.choice(["1MiB", "2MiB", "5MiB"])
            del firmware["overProvisioning"]
        scenario = {
            "name": "sweep", "seed": draws.randrange(1000),
            "nand": {"part": {"extends": "k9f1g08u0a", "planes": planes, "blocksPerPlane": blocks, "pagesPerBlock": pages,
                              "pageSize": page, "maxBadBlocks": 0},
                     "channels": channels, "ways": ways, "factoryBadBlocks": draws.choice([0, 0, 1, 3])},
            "memory": {"size": "16MiB", "bufferSize": "2MiB"}, "firmware": firmware,
            "workload": {"phases": [{"name": "one", "kind": "sequential", "readRatio": "0%", "blockSize": "512B",
                                     "requests": 1}]}}
        if ftl == "superblock_map":
            scenario["controller"] = {"foreground": True, "superchip": {"bus": draws.choice([1, channels]),
                                                                        "chip": draws.choice([1, ways])}}
            firmware["superblockMap"] = {"sectorBuffer": "64KiB", "replicateTables": draws.random() < 0.5}
            if draws.random() < 0.5:
                firmware["superblockMap"].update(flush="park", parkingSuperblocks=draws.choice([2, 4, 9]))
        return scenario

    def sweep(self, ftl):
        draws = random.Random(5)
        count = int(os.environ.get("STROBE_SWEEP", "40" if SANITIZED else "150"))
        accepted = sum(self.judge(self.drive(draws, ftl)) for _ in range(count))
        self.assertGreater(accepted, count // 8)
        self.assertLess(accepted, count - count // 8)

    def test_page_mapping_boots_what_is_accepted(self):
        self.sweep("page_map")

    def test_superblock_mapping_boots_what_is_accepted(self):
        self.sweep("superblock_map")

    def test_the_capacity_is_known_before_the_run(self):
        """A region of exactly the capacity that firmware announces is valid; one sector more is not."""
        draws = random.Random(7)
        pcm = {"extends": "papers/aging/pcm", "workload": {"phases": [{"name": "one", "requests": 1}]}}
        drives = [pcm, pcm | {"firmware": {"capacity": "500KiB"}}]
        drives += [self.drive(draws, ftl) for ftl in ("page_map", "superblock_map") for _ in range(10 if SANITIZED else 25)]
        compared = 0
        for drive in drives:
            file, report = self.write("drive.json", drive), self.dir / "report.json"
            if strobe("validate", file).returncode != 0:
                continue
            self.assertEqual(strobe("run", file, "--json", report).returncode, 0, drive)
            capacity = json.loads(report.read_text())["capacity_bytes"]
            region = "workload.phases.0.region.size={}B"
            whole = strobe("validate", file, "--set", region.format(capacity))
            self.assertEqual(whole.returncode, 0, (drive, whole.stderr))
            more = strobe("validate", file, "--set", region.format(capacity + 512))
            self.assertEqual(more.returncode, 2, (drive, capacity))
            self.assertIn("ends beyond the drive's capacity of", more.stderr)
            compared += 1
        self.assertGreater(compared, len(drives) // 4)

    def test_the_named_limit_is_exact(self):
        """Over-provisioning of a die of 16 blocks, and spare blocks of one of 40: the limit holds and one step more does not."""
        base = {"nand": {"part": {"extends": "k9f1g08u0a", "blocksPerPlane": 16, "maxBadBlocks": 0}, "channels": 1, "ways": 1},
                "memory": {"size": "16MiB", "bufferSize": "2MiB"},
                "workload": {"phases": [{"name": "one", "kind": "sequential", "readRatio": "0%", "blockSize": "2KiB",
                                         "requests": 1}]}}
        least = self.limit(base | {"firmware": {"overProvisioning": "0%"}}, r"must be ([\d.]+)% to")
        tenth = round(least * 10)
        self.assertTrue(self.judge(base | {"firmware": {"overProvisioning": f"{tenth / 10}%"}}))
        self.assertFalse(self.judge(base | {"firmware": {"overProvisioning": f"{(tenth - 1) / 10}%"}}))

        base["nand"]["part"]["blocksPerPlane"] = 40
        base["controller"] = {"foreground": True}
        most = int(self.limit(base | {"firmware": {"ftl": "superblock_map", "spareBlocks": 39}}, r"must be (\d+) or less"))
        self.assertTrue(self.judge(base | {"firmware": {"ftl": "superblock_map", "spareBlocks": most}}))
        self.assertFalse(self.judge(base | {"firmware": {"ftl": "superblock_map", "spareBlocks": most + 1}}))

        size = int(self.limit(base | {"firmware": {"ftl": "superblock_map", "capacity": "1GiB"}}, r": must be (\d+)KiB or less"))
        self.assertTrue(self.judge(base | {"firmware": {"ftl": "superblock_map", "capacity": f"{size}KiB"}}))
        self.assertFalse(self.judge(base | {"firmware": {"ftl": "superblock_map", "capacity": f"{size + 1}KiB"}}))

    def limit(self, scenario, pattern):
        refused = strobe("validate", self.write("limit.json", {"name": "limit"} | scenario))
        self.assertEqual(refused.returncode, 2, refused.stdout)
        found = re.search(pattern, refused.stderr)
        self.assertIsNotNone(found, refused.stderr)
        return float(found.group(1))


class Large(Directory):
    """Drives of thousands of dies, and a buffer that open pages nearly fill."""

    def test_a_drive_of_4096_dies_keeps_its_data(self):
        phase = {"kind": "uniform", "blockSize": "4KiB", "requests": 8000, "pacing": {"queueDepth": 1024}}
        file = self.write("large.json", {
            "extends": "bench/drive", "name": "large",
            "nand": {"channels": 64, "ways": 64, "part": {"blocksPerPlane": 8, "pagesPerBlock": 8}},
            "memory": {"size": "128MiB", "bufferSize": "64MiB"}, "firmware": {"overProvisioning": "60%"},
            "host": {"queueDepth": 1024},
            "workload": {"phases": [phase | {"name": "write"}, phase | {"name": "read", "readRatio": "100%"}]}})
        report = self.dir / "large.report"
        modes = ["native"] + (["rv32"] if os.environ.get("STROBE_RV32") == "1" else [])
        for mode in modes:
            run = strobe("run", file, "--set", f"firmware.mode={mode}", "--json", report)
            self.assertEqual(run.returncode, 0, run.stderr)
            dies = [r for r in json.loads(report.read_text())["resources"] if r["group"] == "die"]
            self.assertEqual(len(dies), 4096)
            self.assertGreater(sum(die["jobs"] > 0 for die in dies), 3000, mode)

    def test_units_for_reads_of_many_dies(self):
        run = strobe("run", "bench/scale-random-read", "--set", "nand.channels=32", "--set", "nand.ways=16", "--set", "memory.size=768MiB",
                     "--set", "memory.bufferSize=288MiB", "--set", "channel.suspend=both", "--set", "nand.part.blocksPerPlane=10",
                     "--set", "nand.part.pagesPerBlock=12", "--set", "nand.slowDies=[{\"die\":511,\"factor\":2}]",
                     "--set", "firmware.overProvisioning=60%", "--set", "workload.phases.1.requests=1000")
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_reads_find_slots_in_a_small_buffer(self):
        report = self.dir / "small.report"
        run = strobe("run", "bench/scale-random-read", "--set", "workload.phases.1.requests=4000", "--json", report)
        self.assertEqual(run.returncode, 0, run.stderr)
        busy = [g["mean_utilisation"] for g in json.loads(report.read_text())["groups"] if g["group"] == "die"]
        self.assertGreater(busy[0], 0.5)


if __name__ == "__main__":
    unittest.main()
