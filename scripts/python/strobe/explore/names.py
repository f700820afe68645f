# SPDX-License-Identifier: Apache-2.0
"""Names of search methods, and short names of report values: what they are computed from, in handy units."""
from __future__ import annotations

MOST_POINTS = 1_000_000
METHODS = ("auto", "grid", "random", "sobol", "tpe", "nsga2", "nsga3")

SHORT: dict[str, tuple[str, str, str]] = {  # name: (expression, unit, meaning)
    "iops": ("report('totals.all.iops')", "1/s", "requests per second"),
    "bandwidth": ("report('totals.all.megabytes_per_second')", "MB/s", "data of all requests"),
    "read_bandwidth": ("report('totals.read.megabytes_per_second')", "MB/s", "data of reads"),
    "write_bandwidth": ("report('totals.write.megabytes_per_second')", "MB/s", "data of writes"),
    "write_amplification": ("report('flash.write_amplification')", "", "bytes programmed per byte written by the host"),
    "power": ("report('energy.mean_watt')", "W", "mean power"),
    "peak_power": ("report('thermal.peak_watt')", "W", "highest mean power of one thermal.interval (with thermal.enabled)"),
    "temperature": ("max(report('thermal.controller_max_celsius'), report('thermal.flash_max_celsius'))", "degC",
                    "highest temperature (with thermal.enabled)"),
    "energy_per_byte": ("report('energy.joule_per_byte') * 1e9", "nJ/B", "energy per byte of host data"),
    "capacity": ("report('capacity_bytes') / 1e9", "GB", "capacity that the host sees"),
    **{f"{operation}_{short}": (f"report('totals.{operation}.latency.{key}_ps') / 1e6", "us", f"{words} of {operation}s")
       for operation in ("read", "write")
       for short, key, words in (("mean", "mean", "mean latency"), ("p50", "p50", "median latency"), ("p90", "p90", "90 % latency"),
                                 ("p99", "p99", "99 % latency"), ("p999", "p99_9", "99.9 % latency"), ("max", "max", "longest latency"))},
}


def counted(number: int, what: str) -> str:
    """1 point, 2 points."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def listing() -> str:
    """For --help."""
    return "\n".join(f"  {name:<20} {unit:<5} {meaning}" for name, (_, unit, meaning) in SHORT.items())
