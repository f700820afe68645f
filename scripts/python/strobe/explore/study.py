# SPDX-License-Identifier: Apache-2.0
"""The study file: read, checked completely before anything runs. docs/explore.md describes it."""
from __future__ import annotations

import difflib
import hashlib
import json
import math
import pathlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from strobe.explore import quantity
from strobe.explore.expressions import Expression, ExpressionError, unknown
from strobe.explore.names import METHODS, SHORT
from strobe.explore.space import Parameter, Range, Space
from strobe.run import StrobeError, call

KEYS = ("$schema", "name", "description", "scenario", "set", "parameters", "values", "constraints", "objectives", "search", "seeds",
        "stopEarly", "timeLimit", "images")
NAME = re.compile(r"[A-Za-z_]\w*")
MOST_VALUES = 10_000  # of one parameter
MOST_CHECKED = 100_000  # points of a space whose constraints are checked beforehand


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
                names[value.name] = value.expression.value(names)
        return names

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
            if not constraint.needs_report and constraint.expression.violation(names) > 0:
                return constraint.name
        return None


class _Reader:
    """Collects every problem of a file."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[str] = []

    def wrong(self, place: str, text: str) -> None:
        self.problems.append(f"{self.file}: {place}: {text}")

    def expect(self, place: str, value: Any, kinds: type | tuple[type, ...], words: str) -> bool:
        if isinstance(value, kinds) and not (isinstance(value, bool) and bool not in (kinds if isinstance(kinds, tuple) else (kinds,))):
            return True
        self.wrong(place, f"must be {words}, not {json.dumps(value)[:60]}")
        return False

    def unknown_keys(self, place: str, given: Mapping[str, Any], allowed: tuple[str, ...]) -> None:
        for key in given:
            if key not in allowed:
                self.wrong(f"{place}/{key}", unknown("unknown key", key, list(allowed)))

    # --- parameters ---------------------------------------------------------------------------------------------------

    def parameter(self, name: str, given: Any, earlier: list[str], known_keys: list[str]) -> Parameter | None:
        place = f"/parameters/{name}"
        if not self.expect(place, given, dict, "an object"):
            return None
        self.unknown_keys(place, given, ("key", "values", "choices", "from", "to", "step", "steps", "log", "when"))
        if not NAME.fullmatch(name):
            self.wrong(place, "a name consists of letters, digits and _, because expressions use it; give the key of the scenario as "
                              "\"key\"")
            return None
        if name in SHORT or name in quantity.CONSTANTS:
            self.wrong(place, f"\"{name}\" is a name of Strobe's own; choose another one")
        when = self.expression(f"{place}/when", given["when"], set(earlier)) if "when" in given else None
        if "choices" in given:
            return self.choices(place, name, given, when, known_keys)
        keys = given.get("key")
        keys = [keys] if isinstance(keys, str) else keys
        if not keys or not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
            self.wrong(f"{place}/key", "must be a key of the scenario, like \"nand.ways\", or a list of keys")
            return None
        for key in keys:
            self.scenario_key(f"{place}/key", key, known_keys)
        if "values" in given:
            return self.listed(place, name, tuple(keys), given, when)
        return self.ranged(place, name, tuple(keys), given, when)

    def scenario_key(self, place: str, key: str, known: list[str]) -> None:
        plain = re.sub(r"\.\d+(?=\.|$)", "[]", key)
        if known and plain not in known and not any(other.startswith((plain + ".", plain + "[]")) for other in known):
            close = difflib.get_close_matches(plain, known, 1, 0.6)
            hint = f"did you mean \"{close[0].replace('[]', '.0')}\"?" if close else "strobe inspect parameters lists the keys"
            self.wrong(place, f"there is no parameter \"{key}\" of a scenario; {hint}")

    def choices(self, place: str, name: str, given: Mapping[str, Any], when: Expression | None, known_keys: list[str]) -> Parameter | None:
        choices = given["choices"]
        if not self.expect(f"{place}/choices", choices, dict, "an object: name of a choice -> values by key"):
            return None
        if not choices:
            self.wrong(f"{place}/choices", "there is no choice: the space is empty")
            return None
        for choice, settings in choices.items():
            if self.expect(f"{place}/choices/{choice}", settings, dict, "an object: values by key"):
                for key in settings:
                    self.scenario_key(f"{place}/choices/{choice}", key, known_keys)
        if any(key in given for key in ("key", "values", "from", "to", "step", "steps", "log")):
            self.wrong(place, "\"choices\" have keys of their own; key, values and ranges do not go with them")
        return Parameter(name, (), tuple(choices), None, choices, when, is_ordered=False)

    def listed(self, place: str, name: str, keys: tuple[str, ...], given: Mapping[str, Any], when: Expression | None) -> Parameter | None:
        values = given["values"]
        if not self.expect(f"{place}/values", values, list, "a list"):
            return None
        if not values:
            self.wrong(f"{place}/values", "there is no value: the space is empty")
            return None
        if len({json.dumps(value) for value in values}) < len(values):
            self.wrong(f"{place}/values", "a value is there twice")
        numbers = [quantity.number(value) for value in values]
        ordered = all(isinstance(number, int | float) and not isinstance(number, bool) for number in numbers)
        return Parameter(name, keys, tuple(values), None, {}, when, is_ordered=ordered and numbers == sorted(numbers))  # type: ignore[type-var]

    def ranged(self, place: str, name: str, keys: tuple[str, ...], given: Mapping[str, Any], when: Expression | None) -> Parameter | None:
        if "from" not in given or "to" not in given:
            self.wrong(place, "needs \"values\", \"choices\", or \"from\" and \"to\"")
            return None
        bounds = [self.bound(f"{place}/{key}", given[key]) for key in ("from", "to", "step") if key in given]
        if any(bound is None for bound in bounds):
            return None
        kinds = {bound[0] for bound in bounds if bound is not None}
        kind = kinds.pop() if len(kinds) == 1 else "float" if kinds == {"int", "float"} else ""
        if not kind:
            self.wrong(place, "\"from\", \"to\" and \"step\" must have the same kind of unit")
            return None
        low, high, *step = [bound[1] for bound in bounds if bound is not None]
        log = given.get("log", False)
        if low > high:
            self.wrong(place, f"\"from\" {given['from']} is above \"to\" {given['to']}: the space is empty")
        elif log and low <= 0:
            self.wrong(place, "a logarithmic range begins above 0")
        elif step and step[0] <= 0:
            self.wrong(f"{place}/step", "must be above 0")
        elif "step" in given and ("steps" in given or log):
            self.wrong(place, "\"step\" does not go with \"steps\" or \"log\"")
        else:
            span = Range(low, high, bool(log), kind)
            return Parameter(name, keys, self.points(place, span, step, given), span, {}, when)
        return None

    def points(self, place: str, span: Range, step: list[float], given: Mapping[str, Any]) -> tuple[Any, ...] | None:
        """Values of a range; None: too many to list, or all of them."""
        if "steps" in given:
            steps = given["steps"]
            if not isinstance(steps, int) or not 2 <= steps <= MOST_VALUES:
                self.wrong(f"{place}/steps", f"must be a whole number from 2 to {MOST_VALUES}, the number of values")
                return None
            return tuple(dict.fromkeys(span.at(number / (steps - 1)) for number in range(steps)))
        if step or (span.kind == "int" and not span.log and span.high - span.low < MOST_VALUES):
            distance = step[0] if step else 1
            count = math.floor((span.high - span.low) / distance + 1e-9) + 1
            if count > MOST_VALUES:
                self.wrong(f"{place}/step", f"gives {count} values; allowed are {MOST_VALUES}")
                return None
            return tuple(span.value(span.low + number * distance) for number in range(count))
        return None

    def bound(self, place: str, given: Any) -> tuple[str, float] | None:
        if isinstance(given, bool):
            pass
        elif isinstance(given, int):
            return "int", given
        elif isinstance(given, float):
            return "float", given
        elif isinstance(given, str) and (parsed := quantity.parse(given)) is not None:
            return parsed.kind, parsed.count
        self.wrong(place, f"must be a number or a quantity with a unit, like \"8KiB\", not {json.dumps(given)}")
        return None

    # --- expressions --------------------------------------------------------------------------------------------------

    def expression(self, place: str, given: Any, known: set[str]) -> Expression | None:
        if not self.expect(place, given, str, "an expression, as text"):
            return None
        try:
            return Expression.parse(given, known)
        except ExpressionError as problem:
            self.wrong(place, str(problem))
            return None

    def value(self, place: str, name: str, given: Any, parameters: set[str], values: dict[str, Value]) -> None:
        if isinstance(given, str) and given.startswith("/"):
            given = f"report({given!r})"
        expression = self.expression(place, given, parameters | set(values))
        if expression is not None:
            values[name] = Value(name, expression, self.needs_report(expression, values), SHORT[name][1] if name in SHORT else "")

    def use(self, name: str, parameters: set[str], values: dict[str, Value]) -> bool:
        """Makes a short name or a path of the report a value. False: neither."""
        if name in values:
            return True
        if name in parameters:
            return True
        if name in SHORT:
            self.value("", name, SHORT[name][0], parameters, values)
            return True
        if "." in name or name.startswith("/"):
            values[name] = Value(name, Expression(f"report({name!r})", frozenset(), frozenset({name})), True)
            return True
        return False

    @staticmethod
    def needs_report(expression: Expression, values: dict[str, Value]) -> bool:
        return bool(expression.paths) or any(values[name].needs_report for name in expression.names if name in values)

    def used_shorts(self, text: Any, parameters: set[str], values: dict[str, Value]) -> None:
        """Short names in an expression become values."""
        for name in re.findall(r"[A-Za-z_]\w*", text) if isinstance(text, str) else []:
            if name in SHORT and name not in parameters:
                self.use(name, parameters, values)


def known_scenario_keys() -> list[str]:
    """Every key of a scenario, list items as []."""
    done = call("inspect", "parameters")
    return [line.split()[0] for line in done.stdout.splitlines() if re.match(r"  \S", line)] if done.returncode == 0 else []


def load(file: str, *, points: int | None = None, method: str | None = None) -> Study:
    """Reads and checks a study file. points, method: instead of those in the file. StrobeError has every problem."""
    path = pathlib.Path(file)
    try:
        text = json.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise StrobeError(f"{file}: {problem.strerror}") from None
    except ValueError as problem:
        raise StrobeError(f"{file}: not JSON: {problem}") from None
    return of_text(text, file, points=points, method=method)


def of_text(text: Any, file: str, *, points: int | None = None, method: str | None = None) -> Study:
    reader = _Reader(file)
    if not isinstance(text, dict):
        raise StrobeError(f"{file}: must be an object with scenario, parameters and objectives")
    reader.unknown_keys("", text, KEYS)
    for key in ("scenario", "parameters", "objectives"):
        if key not in text:
            reader.wrong(f"/{key}", "is missing")
    known_keys = known_scenario_keys()
    settings = text.get("set", {})
    if reader.expect("/set", settings, dict, "an object: values by key"):
        for key in settings:
            reader.scenario_key(f"/set/{key}", key, known_keys)
    parameters: list[Parameter] = []
    given = text.get("parameters", {})
    if reader.expect("/parameters", given, dict, "an object: name -> values or range"):
        if not given and "parameters" in text:
            reader.wrong("/parameters", "there is no parameter: the space is empty")
            raise StrobeError("\n".join(reader.problems))  # the names in expressions would be unknown
        for name, description in given.items():
            parameter = reader.parameter(name, description, [other.name for other in parameters], known_keys)
            if parameter is not None:
                parameters.append(parameter)
    names = set(given) if isinstance(given, dict) else set()
    values = _values(reader, text, names)
    objectives = _objectives(reader, text, names, values)
    constraints = _constraints(reader, text, names, values)
    search = _search(reader, text, points, method)
    seeds = _seeds(reader, text)
    stop_early = _stop_early(reader, text)
    limit = quantity.parse(text["timeLimit"]) if isinstance(text.get("timeLimit"), str) else None
    if "timeLimit" in text and (limit is None or limit.kind != "time" or limit.count <= 0):
        reader.wrong("/timeLimit", "must be a time above 0, like \"60s\"")
    if "images" in text and not isinstance(text["images"], bool):
        reader.wrong("/images", f"must be true or false, not {json.dumps(text['images'])[:60]}")
    scenario = text.get("scenario", "")
    if "scenario" in text and reader.expect("/scenario", scenario, str, "the file or name of a scenario"):
        scenario = _scenario(file, scenario)
    if reader.problems:
        raise StrobeError("\n".join(reader.problems))
    space = Space(tuple(parameters))
    if search.method == "auto":
        small = space.size_limit() <= MOST_CHECKED and sum(1 for _ in space.grid()) <= search.points
        adaptive = "nsga3" if len(objectives) > 3 else "nsga2" if len(objectives) > 1 else "tpe"
        search = Search("grid" if small else adaptive, search.points, search.seed, search.population)
    elif search.method == "grid" and space.size_limit() == math.inf:
        endless = [parameter.name for parameter in parameters if parameter.values is None]
        raise StrobeError(f"{file}: /search/method: a grid needs \"step\", \"steps\" or \"values\" of {', '.join(endless)}")
    study = Study(file, str(text.get("name", pathlib.Path(file).stem)), str(text.get("description", "")), scenario, settings, space, values,
                  constraints, objectives, search, seeds, stop_early, limit.number if limit else 3600.0, text, text.get("images"))
    _check_space(study)
    return study


def _scenario(file: str, name: str) -> str:
    """Relative to the study file, else as the program finds it."""
    for candidate in (pathlib.Path(file).parent / name, pathlib.Path(file).parent / f"{name}.json"):
        if candidate.is_file():
            return str(candidate.resolve())
    return name


def _values(reader: _Reader, text: Mapping[str, Any], names: set[str]) -> dict[str, Value]:
    values: dict[str, Value] = {}
    given = text.get("values", {})
    if reader.expect("/values", given, dict, "an object: name -> expression"):
        for name, expression in given.items():
            if not NAME.fullmatch(name) or name in names or name in SHORT or name in quantity.CONSTANTS:
                reader.wrong(f"/values/{name}", "a name consists of letters, digits and _, and is not that of a parameter, a unit or a "
                                                "value of Strobe's own")
                continue
            reader.used_shorts(expression, names, values)
            reader.value(f"/values/{name}", name, expression, names, values)
    return values


def _objectives(reader: _Reader, text: Mapping[str, Any], names: set[str], values: dict[str, Value]) -> tuple[Objective, ...]:
    objectives = []
    given = text.get("objectives", {})
    if reader.expect("/objectives", given, dict, "an object: name -> \"min\" or \"max\""):
        if not given and "objectives" in text:
            reader.wrong("/objectives", "there is no objective")
        for name, goal in given.items():
            if not reader.use(name, names, values):
                reader.wrong(f"/objectives/{name}", unknown("there is no such value, and it is not a path of the report like "
                                                            "totals.all.iops", name, [*names, *values, *SHORT]))
            if goal not in ("min", "max"):
                reader.wrong(f"/objectives/{name}", f"must be \"min\" or \"max\", not {json.dumps(goal)}")
            objectives.append(Objective(name, goal))
    return tuple(objectives)


def _constraints(reader: _Reader, text: Mapping[str, Any], names: set[str], values: dict[str, Value]) -> tuple[Constraint, ...]:
    constraints = []
    given = text.get("constraints", {})
    if isinstance(given, list):
        given = {str(expression): expression for expression in given}
    if reader.expect("/constraints", given, dict, "a list of expressions, or an object: name -> expression"):
        for name, expression in given.items():
            reader.used_shorts(expression, names, values)
            parsed = reader.expression(f"/constraints/{name}", expression, names | set(values))
            if parsed is not None:
                constraints.append(Constraint(name, parsed, reader.needs_report(parsed, values)))
    return tuple(constraints)


def _search(reader: _Reader, text: Mapping[str, Any], points: int | None, method: str | None) -> Search:
    given = text.get("search", {})
    if not reader.expect("/search", given, dict, "an object"):
        return Search("auto", 1, 1)
    reader.unknown_keys("/search", given, ("method", "points", "seed", "population"))
    chosen = method or given.get("method", "auto")
    if chosen not in METHODS:
        reader.wrong("/search/method", unknown(f"there is no method {json.dumps(chosen)}", str(chosen), list(METHODS)))
    budget = points if points is not None else given.get("points", 200)
    numbers = {"points": (budget, 1, 1_000_000), "seed": (given.get("seed", 1), 0, 2**31),
               "population": (given.get("population", 2), 2, 10_000)}
    for key, (number, low, high) in numbers.items():
        if not isinstance(number, int) or isinstance(number, bool) or not low <= number <= high:
            reader.wrong(f"/search/{key}", f"must be a whole number from {low} to {high}, not {json.dumps(number)}")
    return Search(chosen, budget, given.get("seed", 1), given.get("population"))


def _seeds(reader: _Reader, text: Mapping[str, Any]) -> tuple[int | None, ...]:
    seeds = text.get("seeds")
    if seeds is None:
        return (None,)
    if isinstance(seeds, int) and not isinstance(seeds, bool) and 1 <= seeds <= 1000:
        return tuple(range(1, seeds + 1))
    if isinstance(seeds, list) and seeds and all(isinstance(s, int) and not isinstance(s, bool) and s >= 0 for s in seeds) \
            and len(set(seeds)) == len(seeds):
        return tuple(seeds)
    reader.wrong("/seeds", "must be the number of seeds per point, from 1 to 1000, or a list of different seeds")
    return (None,)


def _stop_early(reader: _Reader, text: Mapping[str, Any]) -> float | None:
    given = text.get("stopEarly", "10%")
    if given is False:
        return None
    parsed = quantity.parse(given) if isinstance(given, str) else None
    if parsed is None or parsed.kind != "percentage" or parsed.count < 0:
        reader.wrong("/stopEarly", "must be a margin like \"10%\", or false")
        return None
    return parsed.number


def _check_space(study: Study) -> None:
    """Some point must satisfy the constraints that are known before a simulation."""
    early = [constraint for constraint in study.constraints if not constraint.needs_report]
    if not early:
        return
    complete = study.space.size_limit() <= MOST_CHECKED
    if complete:
        points = study.space.grid()
    else:
        from scipy.stats import qmc

        sequence = qmc.Sobol(len(study.space.parameters), seed=1).random(4096)
        points = iter([study.space.at(list(shares)) for shares in sequence])
    refused = {constraint.name: 0 for constraint in early}
    count = 0
    for values in points:
        count += 1
        try:
            name = study.refused_by(values)
        except ExpressionError as problem:
            raise StrobeError(f"{study.file}: {problem} for {values}") from None
        if name is None:
            return
        refused[name] += 1
    if count == 0:
        raise StrobeError(f"{study.file}: /parameters: the space is empty")
    which = "; ".join(f"\"{name}\" excludes {number}" for name, number in refused.items() if number)
    what = f"all {count} points" if complete else f"all of {count} points spread over the space"
    raise StrobeError(f"{study.file}: /constraints: {what} are excluded: {which}")
