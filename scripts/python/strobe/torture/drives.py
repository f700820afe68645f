# SPDX-License-Identifier: Apache-2.0
"""Small drives that reach rare states within a few hundred requests: full, worn, with little buffer, with each layer and port.

What a drive of such a size needs to be legal is chosen together here; space.py then changes any other key.
"""
from __future__ import annotations

import functools
import json
import random
from typing import Any

from strobe.run import StrobeError, call

Drive = dict[str, Any]
FLASH = ("k9f1g08u0a", "k9gag08u0m", "k9k8g08u0m", "mlc-16k-2plane", "mlc-64l-2plane", "mlc-8k-2plane", "qlc-144l-4plane", "qlc-92l-2plane",
         "qlc-96l-2plane", "qlc-96l-4plane", "tlc-128l-2plane", "tlc-128l-4plane", "tlc-16k-2plane", "tlc-176l-4plane", "tlc-232l-6plane",
         "tlc-238l-4plane", "tlc-96l-2plane")
WITH_ERRORS = ("states", "formula")  # models of tlc-128l-2plane
PCM = ("aging-pcm1", "aging-pcm2")


@functools.cache
def part(name: str) -> dict[str, Any]:
    """Every value of a chip that comes with the program."""
    done = call("inspect", "part", name)
    if done.returncode != 0:
        raise StrobeError(done.stderr.strip(), done.returncode)
    values: dict[str, Any] = json.loads(done.stdout)
    return values


def draw(draws: random.Random) -> Drive:
    """Without a workload."""
    maker = draws.choices((page_map, superblock_map, start_gap), (5, 4, 1))[0]
    drive = maker(draws)
    drive["host"] = {"interface": draws.choice(["sata", "nvme", "direct", "ahci", "pata", "nvme", "sata"])}
    drive["seed"] = draws.randrange(1000)
    drive["data"] = draws.choice(["tags", "bytes"])
    faults(draws, drive)
    return drive


def power(draws: random.Random, drive: Drive, share: float = 0.4) -> None:
    """Power losses at listed or random instants; short intervals reach recovery, too."""
    if draws.random() > share:
        return
    section: dict[str, Any] = {"readBack": draws.random() < 0.7, "lostCommands": draws.choice(["reissue", "reissue", "drop"])}
    if draws.random() < 0.6:
        longest = draws.choice([2_000, 20_000, 100_000])
        section["cuts"] = [f"{at}us" for at in sorted({draws.randrange(5, longest) for _ in range(draws.choice([1, 1, 2, 5]))})]
    else:
        section |= {"meanCutInterval": draws.choice(["300us", "2ms", "10ms"]), "maxCuts": draws.choice([1, 3, 6])}
    drive["power"] = section


def faults(draws: random.Random, drive: Drive, share: float = 0.35) -> None:
    """A plan for flash, link and host: one or two kinds each; what does not fit the drive is refused and taken away."""
    if draws.random() > share:
        return
    plan: dict[str, Any] = {}
    if draws.random() < 0.6:
        plan["flash"] = [flash_fault(draws) for _ in range(draws.choice([1, 1, 2, 4]))]
    interface = drive["host"]["interface"]
    if interface in ("nvme", "ahci", "sata") and draws.random() < 0.5:
        plan["link"] = {"damaged": draws.choice([0.001, 0.02, 0.3])} | ({"lost": draws.choice([0, 0.01, 0.2])} if interface == "nvme" else {})
    if interface in ("nvme", "ahci") and draws.random() < 0.6:
        plan["host"] = {"resets": [f"{at}us" for at in sorted({draws.randrange(5, 30_000) for _ in range(draws.choice([0, 1, 5]))})],
                        "meanResetInterval": draws.choice(["never", "2ms", "10ms", "50ms"])}
        if interface == "nvme":
            plan["host"]["meanAbortInterval"] = draws.choice(["never", "100us", "3ms"])
    drive["faults"] = plan


def flash_fault(draws: random.Random) -> dict[str, Any]:
    kind = draws.choice(["program-fail", "program-fail", "erase-fail", "bit-errors", "dead"])
    fault: dict[str, Any] = {"kind": kind, "at": f"{draws.choice([0, draws.randrange(60_000)])}us"}
    for key, most in draws.sample([("die", 4), ("plane", 2), ("block", 24), ("page", 8)], draws.choice([0, 1, 1, 2])):
        fault[key] = draws.randrange(most)
    if draws.random() < 0.3:
        fault["until"] = f"{60_000 + draws.randrange(60_000)}us"
    if kind != "dead":
        fault |= {"rate": draws.choice([1, 0.3, 0.02, 0.002]), "count": draws.choice([0, 1, 1, 3])}
    if kind == "bit-errors":
        fault["bits"] = draws.choice([1, 5, 30, 60, 1000])
    return fault


# --- page mapping -------------------------------------------------------------------------------------------------------------


def page_map(draws: random.Random) -> Drive:
    name = draws.choice(FLASH)
    pages = part(name).get("pagesPerProgram", 1)
    chip = {"extends": name, "blocksPerPlane": draws.choice([24, 32, 48]), "maxBadBlocks": draws.choice([0, 1, 2]),
            "pagesPerBlock": pages * draws.choice([4, 8, 16, 24])}
    through = draws.random() < 0.3
    mapping = {**mapped(draws, pages > 1), "serialWrites": through and draws.random() < 0.3}
    drive: Drive = {
        "nand": {"part": chip, "channels": draws.choice([1, 2, 4]), "ways": draws.choice([1, 2]), "luns": draws.choice([1, 1, 2]),
                 "factoryBadBlocks": draws.choice([0, 1])},
        "channel": {"interface": draws.choice(["CONV", "PROPOSED", "ONFI_SDR_5", "NV_DDR_5", "NV_DDR3_15"])},
        "controller": {"multiPlane": draws.random() < 0.5, "cacheOperations": draws.random() < 0.3},
        "memory": {"size": draws.choice(["96MiB", "96MiB", "2GiB"]), "bufferSize": draws.choice(["1MiB", "4MiB", "16MiB"])},
        "firmware": {"overProvisioning": draws.choice(["40%", "60%"]), "spareBlocks": draws.choice([0, 2, 5]),
                     "wearThreshold": draws.choice([0, 0, 4]), "completion": "write-through" if through else "write-back", "pageMap": mapping}}
    if pages > 1 and draws.random() < 0.4:
        errors(draws, drive)
    plane_reads(draws, drive)
    if draws.random() < 0.4:
        mapping["refresh"] = {"readLimit": draws.choice([0, 50, 500]), "ageLimit": draws.choice(["0s", "5ms", "40ms"]),
                           "scrub": {"interval": "100us"} if draws.random() < 0.7 else {}}
    if not through and draws.random() < 0.15:
        mapping["writeCache"] = "protected"
    if draws.random() < 0.4:
        mapping["gc"]["pacing"] = "free-space"
    if draws.random() < 0.4:
        mapping["hostStreams"] = "hot-cold"
    plane_cache(draws, drive, pages)
    power(draws, drive)
    return drive


def placement(draws: random.Random, drive: Drive, phases: list[Drive]) -> None:
    """Placement handles for some drives that can have them; they need superblocks of all dies and planes."""
    mapping = drive["firmware"].get("pageMap")
    if mapping is None or drive["host"]["interface"] not in ("nvme", "direct") or draws.random() < 0.7:
        return
    nand = drive["nand"]
    for excluded in ("hostStreams", "pslcCache"):
        mapping.pop(excluded, None)
    mapping["gc"] |= {"pacing": "none", "copyBack": False}
    mapping |= {"serialWrites": False, "commandPlacement": "striped"}
    dies = nand["channels"] * nand["ways"] * nand["luns"]
    mapping["superblock"] = {"joinPlanes": True, "dies": dies, "parity": dies > 1 and draws.random() < 0.2}
    handles = draws.choice([1, 2, 4, 8])
    mapping["placement"] = {"handles": handles, "isolation": draws.choice(["initially-isolated", "persistently-isolated"])}
    for job in (job for phase in phases for job in (phase, *phase.get("concurrentJobs", ()))):
        job["placement"] = draws.choice(["none", draws.randrange(handles)])


def sharing(draws: random.Random, drive: Drive, phases: list[Drive]) -> None:
    """Namespaces, queues that jobs choose, and a limit of the writes in the drive, for some drives with NVMe."""
    if drive["host"]["interface"] != "nvme" or draws.random() < 0.5:
        return
    jobs = [job for phase in phases for job in (phase, *phase.get("concurrentJobs", ()))]
    port = drive["host"].setdefault("nvme", {})
    if draws.random() < 0.5:
        port["namespaces"] = draws.choice([[{"size": "50%"}, {"size": "rest"}], [{"size": "1MiB"}, {"size": "20%"}, {"size": "rest"}]])
        for job in jobs:
            job["namespace"] = 1 + draws.randrange(len(port["namespaces"]))
    if draws.random() < 0.7:
        port |= {"queues": 4, "queueEntries": draws.choice([2, 5, 1024]), "burst": draws.choice([0, 3, 7])}
        port |= draws.choice([{}, {"arbitration": "weighted", "classes": {"urgent": 1, "high": 1, "medium": 1}}])
        if drive["host"].get("queueDepth") != 1:
            port |= draws.choice([{}, {"writeCommands": 1}])
        for phase in phases:
            for job in (phase, *phase.get("concurrentJobs", ())):
                if phase.get("precondition") != "functional":
                    job["queues"] = draws.choice(["any", "1", "2-3", "4", *(["urgent", "high", "low"] if "classes" in port else [])])


def mapped(draws: random.Random, has_word_lines: bool) -> Drive:
    mapping: Drive = {
        "mappingUnit": draws.choice(["4KiB", "4KiB", "8KiB", "16KiB"]),
        "gc": {"policy": draws.choice(["greedy", "cost-benefit"]), "lowBlocks": draws.choice([2, 3, 8]), "idleBlocks": draws.choice([0, 0, 10]),
               "erase": draws.choice(["at-once", "when-idle"]), "copyBack": not has_word_lines and draws.random() < 0.4},
        "commandPlacement": draws.choice(["striped", "striped", "channel"]), "checkpointPages": draws.choice([0, 200, 4000])}
    if draws.random() < 0.5:
        mapping["superblock"] = {"joinPlanes": draws.choice([True, False]), "dies": draws.choice([1, 1, 2, 4])}
        if mapping["superblock"]["dies"] > 1 and draws.random() < 0.4:
            mapping["superblock"]["parity"] = True
        mapping["commandPlacement"] = "striped"
        mapping["gc"]["copyBack"] = False
    if has_word_lines and draws.random() < 0.5:
        mapping["pslcCache"] = {"mode": draws.choice(["static", "dynamic"]), "size": draws.choice(["512KiB", "2MiB", "6MiB"]),
                               "resume": draws.choice(["0%", "50%", "90%"]), "foldWhileIdle": draws.random() < 0.5}
    if draws.random() < 0.2:
        mapping["readAhead"] = {"streams": draws.choice([1, 4]), "window": draws.choice([2, 16])}
    return {**mapping, "allocation": draws.sample(["channel", "way", "lun", "plane"], 4)}


def errors(draws: random.Random, drive: Drive) -> None:
    """A part with an error model, worn and stored; the soft read corrects what all options of its table do not.

    Few correctable bits make reads repeat: the pages of these small drives have 4 to 40 errors.
    """
    kind = draws.choice(WITH_ERRORS)
    nand, firmware = drive["nand"], drive["firmware"]
    nand["part"] |= {"extends": f"tlc-128l-2plane-{kind}", "pagesPerBlock": 3 * draws.choice([8, 16, 24])}
    nand["preAgedCycles"] = draws.choice([0, 1000, 3000])
    nand["age"] = {"retention": draws.choice(["0s", "7d", "30d", "90d"] + ["1y"] * (kind == "states")), "temperature": draws.choice([25, 30]),
                   "readsPerBlock": draws.choice([0, 20000])}
    drive["controller"]["ecc"] = {"correctableBits": draws.choice([5, 5, 10, 40] if kind == "states" else [40, 90]), "softGain": 1.5,
                                  "decodeLatency": "2us", "softTime": draws.choice(["0s", "10us"])}
    firmware["pageMap"] |= {"readRetry": draws.random() < 0.8, "softSenses": 7}
    if draws.random() < 0.3:
        firmware["cores"] = 2


def plane_reads(draws: random.Random, drive: Drive) -> None:
    chip = drive["nand"]["part"]
    if part(chip["extends"]).get("planes", 1) > 1 and draws.random() < 0.5:
        chip["planeIndependentReads"] = True
        drive["channel"]["suspend"] = draws.choice(["none", "both"])


def plane_cache(draws: random.Random, drive: Drive, pages_per_program: int) -> None:
    """Cache programs of all planes; not of word lines."""
    chip = drive["nand"]["part"]
    if pages_per_program == 1 and part(chip["extends"]).get("planes", 1) > 1 and draws.random() < 0.5:
        chip["multiPlaneCache"] = True
        drive["controller"] |= {"multiPlane": True, "cacheOperations": True}


# --- the other layers ---------------------------------------------------------------------------------------------------------


def superblock_map(draws: random.Random) -> Drive:
    """Few and small superblocks, with everything that the units of the controller may be."""
    chip = {"name": "small", "source": "random", "blocksPerPlane": draws.choice([21, 26, 32, 40]), "planes": draws.choice([1, 1, 2]),
            "pagesPerBlock": draws.choice([2, 2, 4, 8]), "pageSize": draws.choice(["1536B", "2KiB", "4KiB", "8KiB"]), "spareSize": "64B",
            "tR": draws.choice(["5us", "50us"]), "tPROG": draws.choice(["5us", "200us", "1500us"]),
            "tBERS": draws.choice(["10us", "1500us"]), "maxBadBlocks": 2}
    channels, ways = draws.choice([1, 2, 4]), draws.choice([1, 2, 4])
    drive: Drive = {
        "nand": {"part": chip, "channels": channels, "ways": ways, "factoryBadBlocks": draws.choice([0, 0, 2])},
        "controller": {"superchip": {"bus": draws.choice([1, channels]), "chip": draws.choice([1, ways])}, "foreground": True,
                       "synthesizer": draws.random() < 0.5, "backgroundUnits": draws.choice(["hardware", "software"])},
        "firmware": {"ftl": "superblock_map", "wearThreshold": draws.choice([0, 0, 1, 4]), "spareBlocks": draws.choice([0, 2, 5]),
                     "completion": draws.choice(["write-back", "write-back", "write-through"]),
                     "superblockMap": {"flush": draws.choice(["merge", "park", "park"]), "superblockLimit": draws.choice([1, 4, 64]),
                                       "replicateTables": draws.random() < 0.3}}}
    if draws.random() < 0.3:
        drive["controller"]["units"] = draws.choice([1, 2, 8])
    if draws.random() < 0.3:
        drive["firmware"]["superblockMap"]["sectorBuffer"] = draws.choice(["32KiB", "64KiB", "100KiB"])
    if draws.random() < 0.2:
        drive["firmware"]["cores"] = 2
    power(draws, drive)
    return drive


def start_gap(draws: random.Random) -> Drive:
    chip = {"extends": draws.choice(PCM), "blocksPerPlane": draws.choice([2, 5, 16]), "pagesPerBlock": draws.choice([8, 32, 64])}
    return {"nand": {"part": chip, "channels": draws.choice([1, 2, 3]), "ways": draws.choice([1, 2])},
            "firmware": {"startGap": {"interval": draws.choice([0, 1, 7, 100])}}}
