# SPDX-License-Identifier: Apache-2.0
"""The parameter space: every key of a scenario with values to draw, from the schema that the program prints.

The schema is made from the description that also reads scenarios (platform/config/fields.h), so a new parameter is drawn without
a change here. RANGES has what the schema allows and a case cannot use: values with which a run lasts minutes or needs gigabytes,
and tables of numbers that belong together. Rules that span parameters are not repeated here: `strobe validate` checks them
(draft.py).
"""
from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from strobe.run import StrobeError, call

Path = tuple[str, ...]  # keys; "[]": each item of a list
Draw = Callable[[random.Random], Any]

# Not drawn: names, files, values without effect on a run with a host, the chip's tables, and what drives.py and workloads.py choose.
LEFT_OUT = re.compile(
    r"(\$schema|extends|name|description|data|seed)$|nand\.(contents|part\.(extends|name|source|cell|id|wear|errors|energy|pslc|pageTypes|"
    r"pagesPerProgram|columnCycles|rowCycles|accessSize))\b|operations\b|energy\b|power\.(cuts|meanCutInterval|maxCuts)|report\.seriesEvery|"
    r"firmware\.(image|mode|ftl|stallAfter)|faults\b|firmware\.pageMap\.placement\b|host\.nvme\.(namespaces|writeCommands)\b|"
    r"workload\.phases\.\[\]\.(name|kind|concurrentJobs|desktop|trace|precondition|requests|volume|blockSize|placement|queues|namespace)\b")

# Key -> what is drawn instead of all that the schema allows: a list of values.
RANGES: dict[str, list[Any]] = {
    "nand.channels": [1, 2, 3, 4, 8], "nand.ways": [1, 2, 3, 4], "nand.luns": [1, 2, 3], "nand.conventionalWays": [0, 1, 2],
    "nand.part.planes": [1, 2, 3, 4], "nand.part.blocksPerPlane": [21, 24, 32, 48, 64], "nand.part.pagesPerBlock": [2, 3, 4, 8, 16, 24, 48],
    "nand.part.pageSize": ["512B", "1536B", "2KiB", "4KiB", "8KiB", "16KiB"], "nand.part.maxBadBlocks": [0, 1, 2, 4],
    "nand.part.spareSize": ["0B", "16B", "64B", "256B", "2KiB"], "nand.factoryBadBlocks": [0, 1, 2, "part max"],
    "nand.preAged": [0, 0.1, 0.5, 1], "nand.preAgedCycles": [0, 10, 1000, "preAged"], "nand.age.readsPerBlock": [0, 1, 1000],
    "nand.age.retention": ["0s", "1h", "7d"], "nand.wornBlocks.[].die": [0, 0, 1], "nand.wornBlocks.[].block": [0, 1, 7, 20],
    "nand.slowDies.[].die": [0, 1], "nand.slowDies.[].factor": [1, 1.5, 20], "controller.ecc.slowChannels.[].channel": [0, 1],
    "controller.ecc.slowChannels.[].factor": [1, 3, 50], "controller.ecc.miscorrection": [0],
    "channel.clock": ["minimum", "50ns", "200ns"], "channel.readClock": ["clock", "50ns", "300ns"],
    "controller.units": ["per-die", 1, 2, 8, 33], "controller.superchip.bus": [1, 2, 4], "controller.superchip.chip": [1, 2, 4],
    "controller.ecc.codeword": ["512B", "1KiB", "2KiB"], "memory.size": ["16MiB", "32MiB", "96MiB", "2GiB"], "memory.bufferSize":
    ["128KiB", "256KiB", "1MiB", "4MiB", "8MiB"], "sram.size": ["64KiB", "1MiB"], "cpu.clock": ["10MHz", "50MHz", "333MHz", "2GHz"],
    "cpu.quantum": ["1ns", "100ns", "10us", "1ms"], "firmware.capacity": ["auto", "1MiB", "2MiB", "4MiB"],
    "firmware.overProvisioning": ["10%", "30%", "50%", "80%"], "firmware.pageMap.gc.lowBlocks": [2, 3, 5, 9],
    "firmware.pageMap.gc.idleBlocks": [0, 1, 5, 30], "firmware.pageMap.pslcCache.size": ["auto", "64KiB", "1MiB", "4MiB"],
    "firmware.pageMap.readAhead.window": [1, 2, 8, 64], "firmware.pageMap.refresh.ageLimit": ["0s", "1ms", "20ms"],
    "firmware.pageMap.refresh.readLimit": [0, 20, 300], "firmware.pageMap.refresh.scrub.interval": ["0s", "50us", "1ms"],
    "firmware.superblockMap.sectorBuffer": ["auto", "32KiB", "64KiB", "100KiB"], "firmware.superblockMap.checkpointRecords": [1, 2, 10, 100],
    "firmware.wearThreshold": [0, 1, 2, 10], "firmware.spareBlocks": [0, 1, 3, 5], "firmware.superblockMap.flush": ["merge", "park"],
    "host.queueDepth": ["auto", 1, 2, 8, 32, 256], "power.offTime": ["1ps", "1us", "10ms", "1s"], "power.holdUp": ["auto", "100ms"],
    "report.slowest": [0, 3], "report.wearEvery": ["0s", "10ms"], "environment.supply": ["90%", "100%", "110%"],
    "workload.phases.[].region.offset": ["start", "4KiB", "512B", "10%"], "workload.phases.[].region.size": ["rest", "64KiB", "512KiB", "30%"],
    "workload.phases.[].alignment": ["0B", "512B", "4KiB", "1536B"], "workload.phases.[].pacing.queueDepth": [1, 2, 3, 8, 32, 300],
    "workload.phases.[].pacing.timeScale": [0.01, 0.5, 1, 3], "workload.phases.[].pacing.rate": ["none", "200/s", "5000/s", "90000/s"],
    "workload.phases.[].pacing.thinkTime": ["0s", "1us", "3ms"], "workload.phases.[].maxTime": ["unlimited", "5ms", "200ms"],
    "workload.phases.[].flushEvery": [0, 1, 2, 9, 50], "workload.phases.[].drain": [True, True, False],
}
COST = re.compile(r"firmware\.costs\.")
COSTS = [0, 1, 200, 3000]
UNITS = {"time": ["ps", "ns", "us", "ms"], "size": ["B", "KiB", "MiB"], "frequency": ["kHz", "MHz"], "rate": ["kB/s", "MB/s", "GB/s"],
         "energy": ["nJ"], "power": ["mW"], "percentage": ["%"]}
SCALE = {"ps": 1, "ns": 10**3, "us": 10**6, "ms": 10**9, "s": 10**12, "B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40,
         "Hz": 1, "kHz": 10**3, "MHz": 10**6, "GHz": 10**9, "B/s": 1, "kB/s": 10**3, "MB/s": 10**6, "GB/s": 10**9, "nJ": 10**6, "mW": 10**6,
         "%": 10}
MOST = {"time": 10**8, "size": 2**20, "frequency": 2 * 10**9, "rate": 10**10, "energy": 10**9, "power": 10**10, "percentage": 10**4}
LEAST = {"rate": 10**6, "frequency": 10**6}
ALLOWED = re.compile(r"Allowed: ([\d.]+) ?([A-Za-z%/]*) (?:to ([\d.]+) ?([A-Za-z%/]*)|or more)")


@dataclass(frozen=True)
class Parameter:
    path: Path
    draw: Draw

    @property
    def key(self) -> str:
        return ".".join(self.path)


def parameters(schema: Mapping[str, Any] | None = None) -> list[Parameter]:
    """All that can be drawn, in the order of the schema."""
    if schema is None:
        done = call("inspect", "schema")
        if done.returncode != 0:
            raise StrobeError(done.stderr.strip(), done.returncode)
        schema = json.loads(done.stdout)
    found = []
    for path, node in leaves(schema, ()):
        key = ".".join(path)
        if LEFT_OUT.match(key):
            continue
        values = COSTS if COST.match(key) else RANGES.get(key)
        draw = chosen(values) if values is not None else drawn(node)
        if draw is None:
            raise StrobeError(f"strobe torture: the schema describes {key} in a way that space.py cannot draw: {json.dumps(node)}", 3)
        found.append(Parameter(path, draw))
    unknown = set(RANGES) - {".".join(path) for path, _ in leaves(schema, ())}
    if unknown:
        raise StrobeError(f"strobe torture: space.py has ranges of keys that are no more: {', '.join(sorted(unknown))}", 3)
    return found


def leaves(node: Mapping[str, Any], path: Path) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    for alternative in (node, *node.get("anyOf", [])):
        if "properties" in alternative:
            for name, inner in alternative["properties"].items():
                yield from leaves(inner, (*path, name))
            return
    if "properties" in node.get("items", {}):
        yield from leaves(node["items"], (*path, "[]"))
    else:
        yield path, node


def chosen(values: list[Any]) -> Draw:
    return lambda draws: draws.choice(values)


def either(ways: list[Draw]) -> Draw:
    return lambda draws: draws.choice(ways)(draws)


def drawn(node: Mapping[str, Any], text: str = "") -> Draw | None:
    """How a value of this part of the schema is drawn; None: it is of an unknown form."""
    text = node.get("description", text)
    if "enum" in node:
        return chosen(list(node["enum"]))
    if "const" in node:
        return chosen([node["const"]])
    for group in ("anyOf", "allOf"):
        if group in node:
            ways = [drawn(alternative, text) for alternative in node[group]]
            return None if None in ways else either([way for way in ways if way is not None])
    if "$ref" in node:
        return quantity(str(node["$ref"]).rsplit("/", 1)[-1], text)
    kind = node.get("type")
    if kind == "boolean":
        return chosen([True, False])
    if kind == "integer":
        return whole(int(node.get("minimum", 0)), int(node.get("maximum", 10**6)))
    if kind == "number":
        return fraction(float(node["minimum"]), float(node["maximum"]))
    if kind == "array" and "enum" in node.get("items", {}):
        return lambda draws: draws.sample(node["items"]["enum"], len(node["items"]["enum"]))
    return None


def logarithmic(draws: random.Random, low: float, high: float) -> float:
    """Between the two, small values as often as large ones; the ends are likely."""
    if draws.random() < 0.2:
        return draws.choice([low, high])
    start = max(low, min(1.0, high))
    return max(low, min(high, start * (high / start) ** draws.random())) if start > 0 else low


def whole(low: int, high: int) -> Draw:
    return lambda draws: round(logarithmic(draws, low, high))


def fraction(low: float, high: float) -> Draw:
    return lambda draws: round(low + (high - low) * draws.random(), 3)


def quantity(kind: str, text: str) -> Draw:
    low, high = LEAST.get(kind, 0), MOST[kind]
    if found := ALLOWED.search(text):
        low = max(low, round(float(found[1]) * SCALE.get(found[2], 1)))
        if found[3]:
            high = max(low, min(high, round(float(found[3]) * SCALE.get(found[4], 1))))

    def draw(draws: random.Random) -> str:
        count = round(logarithmic(draws, low, high))
        if kind == "size" and draws.random() < 0.7:  # many must be a power of two
            count = 1 << (max(count, 1).bit_length() - 1)
        if kind == "percentage":
            return f"{count // 10}.{count % 10}%"
        units = [unit for unit in UNITS[kind] if SCALE[unit] <= max(count, 1)] or UNITS[kind][:1]
        unit = units[-1]
        return f"{max(-(-low // SCALE[unit]), count // SCALE[unit])}{unit}"

    return draw


def put(scenario: dict[str, Any], path: Path, value: Any) -> bool:
    """Sets a value; lists of objects get one item. False: something else is in its place."""
    place: Any = scenario
    for step, following in zip(path, path[1:]):
        empty: Any = [] if following == "[]" else {}
        if step == "[]":
            if not place:
                place.append({})
            place = place[-1]
        elif isinstance(place, dict):
            place = place.setdefault(step, empty)
        if not isinstance(place, dict | list):
            return False
    if not isinstance(place, dict):
        return False
    place[path[-1]] = value
    return True
