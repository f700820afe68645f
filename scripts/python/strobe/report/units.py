# SPDX-License-Identifier: Apache-2.0
"""Numbers for readers: three or four digits and a unit."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

TIMES = ((1e12, "s"), (1e9, "ms"), (1e6, "us"), (1e3, "ns"), (1.0, "ps"))
SIZES = ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "B"))
POWERS_OF_TEN = ((1.0, ""), (1e-3, "m"), (1e-6, "u"), (1e-9, "n"))
NOTHING = "–"


def number(value: float | None, digits: int = 4) -> str:
    """With thousands separators; a count in full, anything else with at most `digits` significant digits after the point."""
    if value is None:
        return NOTHING
    if value == 0:
        return "0"
    if isinstance(value, int):
        return f"{value:,}"
    size = abs(value)
    if size < 10 ** -digits:
        return f"< {10 ** -digits:.{digits}f}"
    if size >= 10 ** (digits - 1):
        return f"{value:,.0f}"
    return f"{value:.{digits}g}" if size >= 0.01 else f"{value:.{digits + 1}f}".rstrip("0")


def _scaled(value: float | None, scales: Iterable[tuple[float, str]]) -> str:
    if value is None:
        return NOTHING
    rows = tuple(scales)
    if value == 0:
        return "0"
    factor, unit = next((row for row in rows if abs(value) >= row[0]), rows[-1])
    return f"{number(value / factor)} {unit}"


def time(picoseconds: float | None) -> str:
    return _scaled(picoseconds, TIMES)


def size(count: float | None) -> str:
    return _scaled(count, SIZES)


def percent(share: float | None) -> str:
    return NOTHING if share is None else f"{100 * share:.{1 if abs(share) < 0.1 else 0}f} %"


def energy(joule: float | None) -> str:
    if not joule:
        return NOTHING if joule is None else "0 J"
    factor, prefix = next((row for row in POWERS_OF_TEN if abs(joule) >= row[0]), POWERS_OF_TEN[-1])
    return f"{number(joule / factor)} {prefix}J"


def time_axis(longest_ps: float) -> tuple[float, str]:
    """Factor and unit for an axis up to this time."""
    return next((row for row in TIMES if longest_ps >= 2 * row[0]), TIMES[-1])


def value(written: Any) -> str:
    """A value of a scenario, in one line."""
    if written is None:
        return NOTHING
    if isinstance(written, bool):
        return "true" if written else "false"
    if isinstance(written, list):
        return "[" + ", ".join(value(item) for item in written) + "]"
    if isinstance(written, dict):
        return "{" + ", ".join(f"{key}: {value(item)}" for key, item in written.items()) + "}"
    return str(written)
