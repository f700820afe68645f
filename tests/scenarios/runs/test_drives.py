# SPDX-License-Identifier: Apache-2.0
"""Random drives: every one that `validate` accepts ends with its data intact, and the same seed gives the same report.

    test_drives.py                  200 drives, 30 under sanitizers
    test_drives.py --drives 5000    as many as that, from the seed in --seed
"""
import argparse
import json
import pathlib
import random
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli_support import Directory, strobe  # noqa: E402
from test_runs import SANITIZED  # noqa: E402

DRIVES = 30 if SANITIZED else 200
SEED = 1
PARTS = pathlib.Path(__file__).resolve().parents[3] / "scenarios" / "parts"
LIMITED = re.compile(r"^\S+: /\S+: .+$|^--set .+$|^.*\.json: .+$")


def part(draws):
    """A part with few and small blocks, and whether it has word lines."""
    name = draws.choice(sorted(path.stem for path in PARTS.glob("*.json") if "pcm" not in path.stem))
    pages = json.loads(re.sub(r"^\s*//.*$", "", (PARTS / f"{name}.json").read_text(), flags=re.MULTILINE)).get("pagesPerProgram", 1)
    return {"extends": name, "blocksPerPlane": draws.choice([24, 32, 48]), "maxBadBlocks": draws.choice([0, 1, 2]),
            "pagesPerBlock": pages * draws.choice([8, 16, 24])}, pages > 1


def page_map(draws, has_word_lines):
    mapping = {"mappingUnit": draws.choice(["4KiB", "4KiB", "8KiB", "16KiB"]),
               "gc": {"policy": draws.choice(["greedy", "cost-benefit"]), "lowBlocks": draws.choice([2, 3, 8]),
                      "idleBlocks": draws.choice([0, 0, 10]), "erase": draws.choice(["at-once", "when-idle"]),
                      "copyBack": not has_word_lines and draws.random() < 0.4},
               "commandPlacement": draws.choice(["striped", "striped", "channel"]),
               "checkpointPages": draws.choice([0, 200, 4000])}
    if draws.random() < 0.5:
        mapping["superblock"] = {"joinPlanes": draws.choice([True, False]), "dies": draws.choice([1, 1, 2, 4])}
        mapping["commandPlacement"] = "striped"
        mapping["gc"]["copyBack"] = False
    if has_word_lines and draws.random() < 0.5:
        mapping["slcCache"] = {"mode": draws.choice(["static", "dynamic"]), "size": draws.choice(["512KiB", "2MiB", "6MiB"]),
                               "resume": draws.choice(["0%", "50%", "90%"]), "foldWhileIdle": draws.random() < 0.5}
    order = ["channel", "way", "lun", "plane"]
    draws.shuffle(order)
    return {**mapping, "allocation": order}


def reliability(draws, scenario):
    """Another part, with an error model, worn and stored; the soft read corrects what all options of its table do not."""
    kind = draws.choice(["states", "formula"])
    nand = scenario["nand"]
    nand["part"] |= {"extends": f"tlc-128l-2plane-{kind}", "pagesPerBlock": 3 * draws.choice([8, 16, 24])}
    nand["preAgedCycles"] = draws.choice([0, 1000, 3000])
    nand["age"] = {"retention": draws.choice(["0s", "7d", "30d", "90d"] + ["1y"] * (kind == "states")), "temperature": draws.choice([25, 30]),
                   "readsPerBlock": draws.choice([0, 20000])}
    scenario["controller"]["ecc"] = {"correctableBits": draws.choice([20, 40, 60] if kind == "states" else [60, 90]), "softGain": 1.5,
                                     "decodeLatency": "2us", "softTime": draws.choice(["0s", "10us"])}
    scenario["firmware"]["pageMap"]["readRetry"] = draws.random() < 0.8
    scenario["firmware"]["pageMap"]["softSenses"] = 7
    if draws.random() < 0.3:
        scenario["firmware"]["cores"] = 2


def care(draws, scenario):
    """Limits that are reached within the run."""
    if draws.random() < 0.4:
        scrub = {"interval": "100us"} if draws.random() < 0.7 else {}
        scenario["firmware"]["pageMap"]["care"] = {"readLimit": draws.choice([0, 50, 500]), "ageLimit": draws.choice(["0s", "5ms", "40ms"]),
                                                   "scrub": scrub}


def workload(draws):
    size = draws.choice(["512B", "2KiB", "4KiB", "4KiB", "7KiB", "16KiB", "64KiB"])
    mix = {"name": "mix", "kind": draws.choice(["uniform", "zipf", "hot-cold"]), "blockSize": size, "alignment": "512B",
           "readRatio": draws.choice(["0%", "30%", "70%"]), "requests": 150 if size == "64KiB" else 900,
           "trimRatio": draws.choice(["0%", "5%"]), "flushEvery": draws.choice([0, 20, 100]),
           "pacing": {"queueDepth": draws.choice([1, 4, 32])}}
    fill = {"name": "fill", "kind": "sequential", "blockSize": "64KiB", "volume": draws.choice(["20%", "100%"]),
            "precondition": draws.choice([True, "functional"])}
    if draws.random() < 0.3:
        mix["beside"] = [{"name": "beside", "kind": draws.choice(["sequential", "uniform"]), "requests": 600,
                          "blockSize": draws.choice(["4KiB", "16KiB"]), "readRatio": draws.choice(["0%", "50%", "100%"]),
                          "pacing": draws.choice([{"queueDepth": 8}, {"mode": "open", "rate": "5000/s"}])}]
    return {"phases": draws.choice([[mix], [fill, mix]])}


def drive(draws):
    array, has_word_lines = part(draws)
    through = draws.random() < 0.3
    host = draws.choice([{"interface": "sata"}, {"interface": "nvme", "generation": None}, {"interface": "direct"}])
    scenario = {
        "name": "drive", "seed": draws.randrange(1000),
        "nand": {"part": array, "channels": draws.choice([1, 2, 4]), "ways": draws.choice([1, 2]),
                 "luns": draws.choice([1, 1, 2]), "factoryBadBlocks": draws.choice([0, 1])},
        "channel": {"interface": draws.choice(["CONV", "PROPOSED", "ONFI_SDR_5", "NV_DDR_5", "NV_DDR3_15"])},
        "controller": {"multiPlane": draws.random() < 0.5, "cacheOperations": draws.random() < 0.3},
        "memory": {"size": "96MiB", "bufferSize": draws.choice(["4MiB", "16MiB"])},
        "firmware": {"overProvisioning": draws.choice(["40%", "60%"]), "spareBlocks": draws.choice([0, 2, 5]),
                     "wearThreshold": draws.choice([0, 0, 4]), "completion": "write-through" if through else "write-back",
                     "pageMap": {**page_map(draws, has_word_lines), "serialWrites": through and draws.random() < 0.3}},
        "host": {key: value for key, value in host.items() if value is not None}, "workload": workload(draws)}
    if draws.random() < 0.3:
        scenario["power"] = {"cuts": [f"{draws.randrange(5, 80)}ms"], "readBack": True}
    if has_word_lines and draws.random() < 0.4:
        reliability(draws, scenario)
    plane_reads(scenario)
    care(random.Random(scenario["seed"]), scenario)
    return scenario


def superblock_drive(draws):
    """Superblock mapping on few and small superblocks, with everything that the units of the controller may be."""
    part = {"name": "small", "source": "random", "blocksPerPlane": draws.choice([21, 26, 32, 40]), "planes": draws.choice([1, 1, 2]),
            "pagesPerBlock": draws.choice([2, 2, 4, 8]), "pageSize": draws.choice(["1536B", "2KiB", "4KiB", "8KiB"]), "spareSize": "64B",
            "tR": draws.choice(["5us", "50us"]), "tPROG": draws.choice(["5us", "200us", "1500us"]), "tBERS": draws.choice(["10us", "1500us"]),
            "maxBadBlocks": 2}
    size = draws.choice(["512B", "2KiB", "4KiB", "7KiB", "16KiB", "64KiB"])
    mix = {"name": "mix", "kind": draws.choice(["uniform", "zipf", "hot-cold"]), "blockSize": size, "alignment": draws.choice(["512B", "4KiB"]),
           "readRatio": draws.choice(["0%", "30%", "70%"]), "requests": 60 if size == "64KiB" else 400,
           "trimRatio": draws.choice(["0%", "5%", "30%"]), "flushEvery": draws.choice([0, 1, 7, 50]),
           "pacing": {"queueDepth": draws.choice([1, 4, 32])}}
    read_back = {"name": "read back", "kind": "sequential", "readRatio": "100%", "blockSize": "4KiB", "volume": "100%"}
    channels, ways = draws.choice([1, 2, 4]), draws.choice([1, 2, 4])
    scenario = {
        "name": "drive", "seed": draws.randrange(1000), "data": draws.choice(["tags", "bytes"]),
        "nand": {"part": part, "channels": channels, "ways": ways, "factoryBadBlocks": draws.choice([0, 0, 2])},
        "controller": {"superchip": {"bus": draws.choice([1, channels]), "chip": draws.choice([1, ways])}, "foreground": True,
                       "synthesizer": draws.random() < 0.5, "backgroundUnits": draws.choice(["hardware", "software"])},
        "firmware": {"ftl": "superblock_map", "wearThreshold": draws.choice([0, 0, 1, 4]), "spareBlocks": draws.choice([0, 2, 5]),
                     "completion": draws.choice(["write-back", "write-back", "write-through"]),
                     "superblockMap": {"flush": draws.choice(["merge", "park", "park"]), "superblockLimit": draws.choice([1, 4, 64]),
                                       "replicateTables": draws.random() < 0.3}},
        "workload": {"phases": [mix, read_back]}}
    if draws.random() < 0.3:
        scenario["controller"]["units"] = draws.choice([1, 2, 8])
    if draws.random() < 0.3:
        scenario["firmware"]["superblockMap"]["sectorBuffer"] = draws.choice(["32KiB", "64KiB", "100KiB"])
    if draws.random() < 0.2:
        scenario["firmware"]["cores"] = 2
    if draws.random() < 0.3:
        scenario["power"] = {"cuts": [f"{draws.randrange(500, 40000)}us"], "readBack": True}
    return scenario


def plane_reads(scenario):
    """Every other part of several planes, from draws of its own, so that all else stays as it was."""
    source = json.loads(re.sub(r"^\s*//.*$", "", (PARTS / f"{scenario['nand']['part']['extends']}.json").read_text(), flags=re.MULTILINE))
    draws = random.Random(json.dumps(scenario))
    if source.get("planes", 1) > 1 and draws.random() < 0.5:
        scenario["nand"]["part"]["planeIndependentReads"] = True
        scenario["channel"]["suspend"] = draws.choice(["none", "both"])


class Drives(Directory):
    def judge(self, scenario, twice):
        """Whether the drive was accepted."""
        file = self.write("drive.json", scenario)
        checked = strobe("validate", file)
        if checked.returncode != 0:
            self.assertEqual(checked.returncode, 2, (scenario, checked.stderr))
            for line in checked.stderr.strip().splitlines():
                self.assertRegex(line, LIMITED, scenario)
            return False
        run = strobe("run", file, "--json", "-")
        self.assertEqual(run.returncode, 0, (json.dumps(scenario), run.stderr))
        report = json.loads(run.stdout)
        self.assertEqual((report["integrity"]["mismatches"], report["errors"]), (0, 0), json.dumps(scenario))
        self.overlapped += report["flash"].get("plane_reads", {}).get("overlapped", 0)
        self.moved += sum(report["flash"].get("care", {}).get(f"blocks_for_{why}", 0) for why in ("reads", "age", "errors"))
        self.retries += report["flash"].get("reliability", {}).get("mean_retries", 0)
        if twice:
            self.assertEqual(strobe("run", file, "--json", "-").stdout, run.stdout, json.dumps(scenario))
        return True

    def judge_many(self, draw):
        draws = random.Random(SEED)
        accepted = refused = self.retries = self.overlapped = self.moved = 0
        while accepted < DRIVES:
            if self.judge(draw(draws), twice=accepted % 10 == 0):
                accepted += 1
            else:
                refused += 1
        self.assertLess(refused, DRIVES, "most random drives are refused: this test shows little")

    def test_random_drives_keep_their_data_and_repeat_their_reports(self):
        self.judge_many(drive)
        self.assertGreater(self.retries, 0, "no drive has read again")
        self.assertGreater(self.overlapped, 0, "no planes have read at the same time")
        self.assertGreater(self.moved, DRIVES / 2, "hardly any data was moved because it was due")

    def test_random_drives_with_superblock_mapping_do_so_too(self):
        self.judge_many(superblock_drive)


if __name__ == "__main__":
    options = argparse.ArgumentParser()
    options.add_argument("--drives", type=int, default=DRIVES)
    options.add_argument("--seed", type=int, default=SEED)
    given, rest = options.parse_known_args()
    DRIVES, SEED = given.drives, given.seed
    unittest.main(argv=[sys.argv[0], *rest])
