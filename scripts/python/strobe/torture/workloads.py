# SPDX-License-Identifier: Apache-2.0
"""Workloads of cases: sometimes a drive that is filled before, requests one by one (requests.py), generators, and all read back."""
from __future__ import annotations

import random
from typing import Any

TRACE = "requests.trace"  # the file of the requests, beside the scenario
Phase = dict[str, Any]


def draw(draws: random.Random) -> list[Phase]:
    phases: list[Phase] = []
    if draws.random() < 0.35:
        phases.append({"name": "fill", "kind": "sequential", "blockSize": "256KiB", "volume": draws.choice(["20%", "100%"]),
                       "precondition": draws.choice([True, "functional"])})
    middle = [replay(draws)] if draws.random() < 0.85 else []
    if not middle or draws.random() < 0.35:
        middle.append(generator(draws))
    draws.shuffle(middle)
    back = {"name": "read back", "kind": "sequential", "readRatio": "100%", "blockSize": draws.choice(["24KiB", "64KiB", "256KiB"]), "volume": "100%"}
    return [*phases, *middle, back]


def replay(draws: random.Random) -> Phase:
    pacing = draws.choice([{"queueDepth": draws.choice([1, 2, 8, 32])}, {"mode": "open"}, {"mode": "dependent"}])
    region = draws.choice([{}, {}, {"size": "512KiB"}, {"size": "30%"}])
    return {"name": "requests", "kind": "trace", "trace": {"file": TRACE, "format": "blkparse"}, "pacing": pacing, "region": region}


def generator(draws: random.Random) -> Phase:
    size = draws.choice(["512B", "2KiB", "4KiB", "4KiB", "7KiB", "16KiB", "64KiB"])
    phase: Phase = {"name": "mix", "kind": draws.choice(["uniform", "zipf", "hot-cold", "sequential"]), "blockSize": size,
                    "alignment": draws.choice(["512B", "4KiB"]), "readRatio": draws.choice(["0%", "30%", "70%"]),
                    "requests": draws.choice([30, 100] if size == "64KiB" else [60, 300, 900]), "trimRatio": draws.choice(["0%", "5%", "30%"]),
                    "flushEvery": draws.choice([0, 1, 7, 50]), "pacing": {"queueDepth": draws.choice([1, 4, 32])}}
    if draws.random() < 0.25:
        phase["concurrentJobs"] = [{"name": "other", "kind": draws.choice(["sequential", "uniform"]), "requests": 300,
                            "blockSize": draws.choice(["4KiB", "16KiB"]), "readRatio": draws.choice(["0%", "50%", "100%"]),
                            "pacing": draws.choice([{"queueDepth": 8}, {"mode": "open", "rate": "5000/s"}])}]
    return phase
