# SPDX-License-Identifier: Apache-2.0
"""A study: what varies, what is wanted, how it is searched. study_file.py reads it from a file."""
from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from strobe.explore.expressions import Expression, ExpressionError
from strobe.explore.space import Space
from strobe.run import StrobeError

KEYS = ("$schema", "name", "description", "scenario", "set", "parameters", "values", "constraints", "objectives", "search", "seeds",
        "stopEarly", "timeLimit", "images")


@dataclass(frozen=True)
class Value:
    """A named number of a point."""

    name: str
    expression: Expression
    needs_report: bool
    unit: str = ""


@dataclass(frozen=True)
class Constraint:
    name: str
    expression: Expression
    needs_report: bool


@dataclass(frozen=True)
class Objective:
    name: str
    goal: str  # "min" or "max"

    @property
    def sign(self) -> float:
        return 1.0 if self.goal == "min" else -1.0


@dataclass(frozen=True)
class Search:
    method: str
    points: int
    seed: int
    population: int | None = None


@dataclass(frozen=True)
class Study:
    file: str
    name: str
    description: str
    scenario: str
    settings: dict[str, Any]
    space: Space
    values: dict[str, Value]  # in the order of their evaluation
    constraints: tuple[Constraint, ...]
    objectives: tuple[Objective, ...]
    search: Search
    seeds: tuple[int | None, ...]  # None: the seed of the scenario
    stop_early: float | None  # margin
    time_limit: float  # seconds of one simulation
    text: dict[str, Any]  # the file
    images: bool | None = None  # whether points start from drive images; None: if points share them

    @property
    def paths(self) -> list[str]:
        """Report values that the study needs."""
        expressions = [value.expression for value in self.values.values()] + [constraint.expression for constraint in self.constraints]
        return sorted({path for expression in expressions for path in expression.paths})

    def place_of(self, message: str) -> str:
        """What names the report value of a ReportError, a key of the file or an option: "/values/x: "; empty if nothing does."""
        path = next((path for path in self.paths if f": {path}: " in message), None)
        if self.search.method == "sensitivity":
            return f"--objective {path}: " if path in self.text["objectives"] else ""
        for section in ("values", "objectives", "constraints"):
            given = self.text.get(section, {})
            entries = given.items() if isinstance(given, dict) else ((text, text) for text in given)
            for name, text in entries:
                if path is not None and path in (name, *re.findall(r"report\(['\"]([^'\"]*)", str(text))):
                    return f"/{section}/{name}: "
        return ""

    def identity(self) -> dict[str, str]:
        """What must not change between resumes: part of the file -> fingerprint. More points may be asked for."""
        parts = {key: self.text.get(key) for key in KEYS if key not in ("$schema", "name", "description", "search", "timeLimit")}
        search = {"method": self.search.method, "seed": self.search.seed, "population": self.search.population}
        return {key: hashlib.sha256(json.dumps(part, sort_keys=False).encode()).hexdigest()[:16]
                for key, part in {**parts, "search": search}.items()}

    def before(self, values: dict[str, Any]) -> dict[str, Any]:
        """Names that are known before the simulation."""
        names = self.space.names(values)
        for value in self.values.values():
            if not value.needs_report:
                try:
                    names[value.name] = value.expression.value(names)
                except ExpressionError as problem:
                    raise self.without_value(f"values/{value.name}", problem, values) from None
        return names

    def without_value(self, place: str, problem: ExpressionError, values: dict[str, Any]) -> StrobeError:
        """Of an expression over parameters: a point cannot be chosen without it."""
        point = ", ".join(f"{name} {value}" for name, value in values.items())
        return StrobeError(f"{self.file}: /{place}: {problem} ({point})")

    def after(self, values: dict[str, Any], paths: Mapping[str, Any]) -> dict[str, Any]:
        """All names. paths: values of the report."""
        names = self.space.names(values)
        for value in self.values.values():
            names[value.name] = value.expression.value(names, paths)
        return names

    def refused_by(self, values: dict[str, Any]) -> str | None:
        """The constraint that forbids a point before its simulation."""
        names = self.before(values)
        for constraint in self.constraints:
            if constraint.needs_report:
                continue
            try:
                if constraint.expression.violation(names) > 0:
                    return constraint.name
            except ExpressionError as problem:
                raise self.without_value(f"constraints ({constraint.name})", problem, values) from None
        return None
