# SPDX-License-Identifier: Apache-2.0
"""Quantities of scenarios ("25us", "8KiB", "7%") as exact whole numbers of a smallest unit, and back; as numbers in expressions."""
from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

# Kind -> unit -> how many smallest units. The first unit is the smallest; ratio: its value in expressions.
_KINDS: dict[str, tuple[dict[str, int], Fraction]] = {
    "time": ({"ps": 1, "ns": 10**3, "us": 10**6, "ms": 10**9, "s": 10**12}, Fraction(1, 10**12)),
    "size": ({"B": 1, "kB": 10**3, "KiB": 2**10, "MB": 10**6, "MiB": 2**20, "GB": 10**9, "GiB": 2**30, "TB": 10**12, "TiB": 2**40},
             Fraction(1)),
    "frequency": ({"Hz": 1, "kHz": 10**3, "MHz": 10**6, "GHz": 10**9}, Fraction(1)),
    "rate": ({"B/s": 1, "kB/s": 10**3, "KiB/s": 2**10, "MB/s": 10**6, "MiB/s": 2**20, "GB/s": 10**9, "GiB/s": 2**30}, Fraction(1)),
    "power": ({"nW": 1, "uW": 10**3, "mW": 10**6, "W": 10**9}, Fraction(1, 10**9)),
    "energy": ({"fJ": 1, "pJ": 10**3, "nJ": 10**6, "uJ": 10**9, "mJ": 10**12, "J": 10**15}, Fraction(1, 10**15)),
    "percentage": ({"%": 10}, Fraction(1, 1000)),  # tenths of a percent
}
_TEXT = re.compile(r"(-?\d+(?:\.\d+)?)\s*([A-Za-z%]+(?:/s)?)")
# Constants of expressions: bytes, seconds, hertz, watts, joules.
CONSTANTS: dict[str, float] = {
    name: float(count * ratio) for kind in ("time", "size", "frequency", "power", "energy") for units, ratio in [_KINDS[kind]]
    for name, count in units.items() if len(name) > 1}


@dataclass(frozen=True)
class Quantity:
    kind: str
    count: int  # of the smallest unit

    @property
    def number(self) -> float:
        """Seconds, bytes, hertz, bytes per second, watts, joules, or a share of 1."""
        return float(self.count * _KINDS[self.kind][1])

    def text(self) -> str:
        """In the largest unit in which it is at least 1 and needs six digits at most."""
        units = _KINDS[self.kind][0]
        if self.kind == "percentage":
            return f"{self.count / 10:g}%"
        for name, size in sorted(units.items(), key=lambda unit: -unit[1]):
            text = f"{self.count / size:.6g}"
            if abs(self.count) >= size and "e" not in text and Fraction(text) * size == self.count:
                return text + name
        return f"{self.count}{next(iter(units))}"


def parse(text: str) -> Quantity | None:
    """None: not a quantity."""
    match = _TEXT.fullmatch(text.strip())
    if not match:
        return None
    for kind, (units, _) in _KINDS.items():
        if match[2] in units:
            count = Fraction(match[1]) * units[match[2]]
            return Quantity(kind, int(count)) if count.denominator == 1 else None
    return None


def number(value: object) -> object:
    """A value as expressions see it: quantities as numbers, everything else as it is."""
    if isinstance(value, str) and (quantity := parse(value)) is not None:
        return quantity.number
    return value
