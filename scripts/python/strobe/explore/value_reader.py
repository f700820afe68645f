# SPDX-License-Identifier: Apache-2.0
"""Values, objectives and constraints of a study file."""
from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from strobe.explore import quantity
from strobe.explore.expressions import Expression, unknown
from strobe.explore.names import SHORT
from strobe.explore.problems import NAME, Problems
from strobe.explore.study import Constraint, Objective, Value

UNITS = {"ps": "ps", "bytes": "B", "watt": "W", "joule": "J"}  # by the end of a name in the report


def unit_of_path(path: str) -> str:
    """Of a value of the report, whose name ends with it; empty: none."""
    return UNITS.get(re.split(r"[./_]", path)[-1], "") if "_" in path else ""


def unit_of(name: str, expression: Expression) -> str:
    """Of a short name, or of an expression that is a value of the report."""
    if name in SHORT:
        return SHORT[name][1]
    alone = re.fullmatch(r"report\(['\"]([^'\"]*)['\"]\)", expression.text.strip())
    return unit_of_path(alone[1]) if alone else ""


class ValueReader:
    def __init__(self, problems: Problems, parameters: set[str]) -> None:
        self.problems = problems
        self.parameters = parameters
        self.values: dict[str, Value] = {}  # in the order of their evaluation

    def read_values(self, text: Mapping[str, Any]) -> None:
        given = text.get("values", {})
        if self.problems.expect("/values", given, dict, "an object: name -> expression"):
            for name, expression in given.items():
                if not NAME.fullmatch(name) or name in self.parameters or name in SHORT or name in quantity.CONSTANTS:
                    self.problems.wrong(f"/values/{name}", "a name consists of letters, digits and _, and is not that of a parameter, "
                                                           "a unit or a value of Strobe's own")
                    continue
                self.used_shorts(expression)
                self.value(f"/values/{name}", name, expression)

    def read_objectives(self, text: Mapping[str, Any]) -> tuple[Objective, ...]:
        objectives = []
        given = text.get("objectives", {})
        if self.problems.expect("/objectives", given, dict, "an object: name -> \"min\" or \"max\""):
            if not given and "objectives" in text:
                self.problems.wrong("/objectives", "there is no objective")
            for name, goal in given.items():
                if not self.use(name):
                    self.problems.wrong(f"/objectives/{name}", self.no_value(name))
                if goal not in ("min", "max"):
                    self.problems.wrong(f"/objectives/{name}", f"must be \"min\" or \"max\", not {json.dumps(goal)}")
                objectives.append(Objective(name, goal))
        return tuple(objectives)

    def read_constraints(self, text: Mapping[str, Any]) -> tuple[Constraint, ...]:
        constraints = []
        given = text.get("constraints", {})
        if isinstance(given, list):
            given = {str(expression): expression for expression in given}
        if self.problems.expect("/constraints", given, dict, "a list of expressions, or an object: name -> expression"):
            for name, expression in given.items():
                self.used_shorts(expression)
                parsed = self.problems.expression(f"/constraints/{name}", expression, self.parameters | set(self.values))
                if parsed is not None:
                    constraints.append(Constraint(name, parsed, self.needs_report(parsed)))
        return tuple(constraints)

    def value(self, place: str, name: str, given: Any) -> None:
        if isinstance(given, str) and given.startswith("/"):
            given = f"report({given!r})"
        expression = self.problems.expression(place, given, self.parameters | set(self.values))
        if expression is not None:
            self.values[name] = Value(name, expression, self.needs_report(expression), unit_of(name, expression))

    def use(self, name: str) -> bool:
        """Makes a short name or a path of the report a value. False: neither."""
        if name in self.values or name in self.parameters:
            return True
        if name in SHORT:
            self.value("", name, SHORT[name][0])
            return True
        if "." in name or name.startswith("/"):
            self.values[name] = Value(name, Expression(f"report({name!r})", frozenset(), frozenset({name})), True, unit_of_path(name))
            return True
        return False

    def no_value(self, name: str) -> str:
        """Why it is not an objective."""
        return unknown("there is no such value, and it is not a path of the report like totals.all.iops", name,
                       [*self.parameters, *self.values, *SHORT])

    def needs_report(self, expression: Expression) -> bool:
        return bool(expression.paths) or any(self.values[name].needs_report for name in expression.names if name in self.values)

    def used_shorts(self, text: Any) -> None:
        """Short names in an expression become values."""
        for name in re.findall(r"[A-Za-z_]\w*", text) if isinstance(text, str) else []:
            if name in SHORT and name not in self.parameters:
                self.use(name)
