# SPDX-License-Identifier: Apache-2.0
"""Requests of a case, one by one, and how they become a trace (text of blkparse, docs/workloads.md).

Addresses are sectors of 512 bytes; the trace is folded into the region of its phase, so any address is legal. Requests overlap,
start and end at any sector, and follow each other in bursts, as recorded traffic does not.
"""
from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

KINDS = ("read", "write", "trim", "flush")
LETTERS = {"read": "R", "write": "W", "trim": "D", "flush": "FN"}
LONGEST = 600  # sectors
FORM = re.compile(rf"({'|'.join(KINDS)}) (\d+) (\d+)( fua)? (\d+)us")


@dataclass(frozen=True)
class Request:
    kind: str  # one of KINDS
    sector: int = 0
    sectors: int = 0
    fua: bool = False  # writes only
    at: int = 0  # arrival, microseconds since the start

    def text(self) -> str:
        """One line of a case file: "write 100 8 fua 20us"."""
        words = [self.kind, str(self.sector), str(self.sectors), *(["fua"] if self.fua else []), f"{self.at}us"]
        return " ".join(words)

    @classmethod
    def of_text(cls, text: str) -> Request:
        """Raises ValueError."""
        found = FORM.fullmatch(text)
        if not found:
            raise ValueError(f"\"{text}\" is no request like \"write 100 8 fua 20us\"")
        kind, sector, sectors, fua, at = found.groups()
        return cls(kind, int(sector), int(sectors), fua is not None, int(at))


def trace(requests: Sequence[Request]) -> str:
    """Issued requests as blkparse prints them."""
    lines = []
    for number, request in enumerate(requests):
        what = LETTERS[request.kind] + ("F" if request.fua else "")
        place = "" if request.kind == "flush" else f" {request.sector} + {request.sectors}"
        lines.append(f"8,0 0 {number + 1} {request.at // 1_000_000}.{request.at % 1_000_000:06}000 1 D {what}{place} [case]\n")
    return "".join(lines)


def draw(draws: random.Random) -> list[Request]:
    """A random sequence: a few places that requests return to, and anywhere else."""
    count = draws.choice([10, 40, 120, 120, 300])
    space = draws.choice([64, 1_000, 10_000, 60_000])
    places = [draws.randrange(space) for _ in range(draws.choice([1, 4, 16]))]
    sizes = draws.choice([[1], [8], [1, 7, 8, 9], [4, 8, 16, 32], [1, 3, 8, 33, 128], [8, 64, LONGEST]])
    weights = [draws.choice([0, 1, 3]), draws.choice([2, 4]), draws.choice([0, 0, 0.3, 2]), draws.choice([0, 0.1, 1, 3])]
    fua, gap = draws.choice([0, 0, 0.1, 0.5]), draws.choice([0, 1, 20, 200])
    aligned, returns = draws.random() < 0.4, draws.choice([0.2, 0.6, 0.95])
    requests, at, end = [], 0, 0
    for _ in range(count):
        at += draws.randrange(2 * gap + 1)
        kind = draws.choices(KINDS, weights)[0]
        if kind == "flush":
            requests.append(Request(kind, at=at))
            continue
        sector = draws.choice(places) if draws.random() < returns else end if draws.random() < 0.3 else draws.randrange(space)
        sectors = draws.choice(sizes)
        if aligned:
            sector, sectors = sector // 8 * 8, -(-sectors // 8) * 8
        elif draws.random() < 0.3:
            sector += draws.randrange(9)
        requests.append(Request(kind, sector, sectors, kind == "write" and draws.random() < fua, at))
        end = sector + sectors
    return requests
