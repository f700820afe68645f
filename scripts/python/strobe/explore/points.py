# SPDX-License-Identifier: Apache-2.0
"""Points of a study: what was measured there, and the file that keeps them."""
from __future__ import annotations

import json
import math
import os
import pathlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from strobe.explore.space import Values
from strobe.explore.study import Study


@dataclass
class Measured:
    """Mean over the seeds with its 95 % confidence interval (Student's t); the interval is the mean itself with one seed."""

    mean: float
    low: float
    high: float


@dataclass
class Point:
    number: int
    values: Values
    status: str = "running"  # "ok", "stopped" (after the first seed, without hope), "failed"
    message: str = ""
    measured: dict[str, Measured] = field(default_factory=dict)
    violations: dict[str, float] = field(default_factory=dict)  # of constraints; at most 0: it holds
    runs: list[dict[str, Any]] = field(default_factory=list)  # seed, key, seconds, is_new, note

    @property
    def is_feasible(self) -> bool:
        return self.status == "ok" and all(violation <= 0 for violation in self.violations.values())

    @property
    def has_values(self) -> bool:
        return self.status in ("ok", "stopped")

    def objectives(self, study: Study) -> list[float]:
        return [self.measured[objective.name].mean for objective in study.objectives]


def identity(values: Mapping[str, Any]) -> str:
    return json.dumps(values, sort_keys=True)


def measure(samples: list[float]) -> Measured:
    mean = math.fsum(samples) / len(samples)
    if len(samples) < 2:
        return Measured(mean, mean, mean)
    from scipy import stats

    deviation = math.sqrt(math.fsum((sample - mean) ** 2 for sample in samples) / (len(samples) - 1))
    half = float(stats.t.ppf(0.975, len(samples) - 1)) * deviation / math.sqrt(len(samples))
    return Measured(mean, mean - half, mean + half)


def is_hopeless(point: Point, others: list[Point], study: Study) -> bool:
    """After its first seed: a constraint is violated, or a point that satisfies all is better in every objective, by more than the
    margin. Objectives that the seed cannot change need no margin."""
    margin = study.stop_early
    if margin is None:
        return False
    if any(violation > margin for violation in point.violations.values()):
        return True
    mine = point.objectives(study)
    is_noisy = [objective.name in study.values and study.values[objective.name].needs_report for objective in study.objectives]

    def beats(other: Point) -> bool:
        theirs = other.objectives(study)
        return all(objective.sign * (own - their) > margin * abs(their) if noisy else objective.sign * (own - their) >= 0
                   for objective, own, their, noisy in zip(study.objectives, mine, theirs, is_noisy, strict=True))

    return any(is_noisy) and any(beats(other) for other in others if other.is_feasible)


class Journal:
    """points.jsonl: one line per finished point, on disk before the search gets it."""

    def __init__(self, file: pathlib.Path) -> None:
        self.file = file

    def read(self) -> list[Point]:
        if not self.file.exists():
            return []
        points = []
        for line in self.file.read_text(encoding="utf-8").splitlines(keepends=True):
            try:
                content = json.loads(line)
            except ValueError:
                break  # the driver was killed while it wrote this line, which is the last one
            content["measured"] = {name: Measured(**measured) for name, measured in content["measured"].items()}
            points.append(Point(**content))
        return points

    def restore(self, points: list[Point]) -> None:
        """Leaves out an incomplete last line."""
        from strobe.explore.cache import write_whole

        if self.file.exists():
            write_whole(self.file, "".join(line_of(point) for point in points))

    def add(self, point: Point) -> None:
        with open(self.file, "a", encoding="utf-8") as file:
            file.write(line_of(point))
            file.flush()
            os.fsync(file.fileno())


def line_of(point: Point) -> str:
    return json.dumps(asdict(point)) + "\n"
