# SPDX-License-Identifier: Apache-2.0
"""The study file: read, checked completely before anything runs. docs/explore.md describes it."""
from __future__ import annotations

import contextlib
import json
import math
import pathlib
from collections.abc import Mapping
from typing import Any

from strobe.explore import quantity
from strobe.explore.cache import without_comments
from strobe.explore.expressions import unknown
from strobe.explore.names import METHODS, MOST_POINTS
from strobe.explore.parameter_reader import ParameterReader, scenario_keys
from strobe.explore.problems import Problems
from strobe.explore.space import Parameter, Space
from strobe.explore.study import KEYS, Search, Study
from strobe.explore.value_reader import ValueReader
from strobe.run import StrobeError

MOST_CHECKED = 100_000  # points of a space whose constraints are checked beforehand


def load(file: str, *, points: int | None = None, method: str | None = None) -> Study:
    """Reads and checks a study file. points, method: instead of those in the file. StrobeError has every problem."""
    path = pathlib.Path(file)
    content = ""
    try:
        content = path.read_text(encoding="utf-8")
        text = json.loads(content)
    except OSError as problem:
        raise StrobeError(f"{file}: {problem.strerror}") from None
    except ValueError as problem:
        with contextlib.suppress(ValueError):
            _refuse_scenario(json.loads(without_comments(content)), file)
        raise StrobeError(f"{file}: not JSON: {problem}") from None
    return of_text(text, file, points=points, method=method)


def of_text(text: Any, file: str, *, points: int | None = None, method: str | None = None) -> Study:
    problems = Problems(file)
    _refuse_scenario(text, file)
    if not isinstance(text, dict):
        raise StrobeError(f"{file}: must be an object with scenario, parameters and objectives")
    problems.unknown_keys("", text, KEYS)
    for key in ("scenario", "parameters", "objectives"):
        if key not in text:
            problems.wrong(f"/{key}", "is missing")
    parameter_reader = ParameterReader(problems)
    settings = text.get("set", {})
    if problems.expect("/set", settings, dict, "an object: values by key"):
        for key in settings:
            parameter_reader.scenario_key(f"/set/{key}", key)
    parameters: list[Parameter] = []
    given = text.get("parameters", {})
    if problems.expect("/parameters", given, dict, "an object: name -> values or range"):
        if not given and "parameters" in text:
            problems.wrong("/parameters", "there is no parameter: the space is empty")
            raise StrobeError("\n".join(problems.texts))  # the names in expressions would be unknown
        for name, description in given.items():
            parameter = parameter_reader.read(name, description, [other.name for other in parameters])
            if parameter is not None:
                parameters.append(parameter)
    names = set(given) if isinstance(given, dict) else set()
    value_reader = ValueReader(problems, names)
    value_reader.read_values(text)
    objectives = value_reader.read_objectives(text)
    constraints = value_reader.read_constraints(text)
    search = _search(problems, text, points, method)
    seeds = _seeds(problems, text)
    stop_early = _stop_early(problems, text)
    limit = quantity.parse(text["timeLimit"]) if isinstance(text.get("timeLimit"), str) else None
    if "timeLimit" in text and (limit is None or limit.kind != "time" or limit.count <= 0):
        problems.wrong("/timeLimit", "must be a time above 0, like \"60s\"")
    if "images" in text and not isinstance(text["images"], bool):
        problems.wrong("/images", f"must be true or false, not {json.dumps(text['images'])[:60]}")
    scenario = text.get("scenario", "")
    if "scenario" in text and problems.expect("/scenario", scenario, str, "the file or name of a scenario"):
        scenario = _scenario(file, scenario)
    if problems.texts:
        raise StrobeError("\n".join(problems.texts))
    space = Space(tuple(parameters))
    if search.method == "auto":
        small = space.size_limit() <= MOST_CHECKED and sum(1 for _ in space.grid()) <= search.points
        adaptive = "nsga3" if len(objectives) > 3 else "nsga2" if len(objectives) > 1 else "tpe"
        search = Search("grid" if small else adaptive, search.points, search.seed, search.population)
    elif search.method == "grid" and points is not None:
        raise StrobeError(f"{file}: --points {points} does not go with a grid, which has every point of the space; choose another --method, "
                          "like sobol, or omit --points")
    elif search.method == "grid" and space.size_limit() == math.inf:
        endless = [parameter.name for parameter in parameters if parameter.values is None]
        raise StrobeError(f"{file}: /search/method: a grid needs \"step\", \"steps\" or \"values\" of {', '.join(endless)}")
    study = Study(file, str(text.get("name", pathlib.Path(file).stem)), str(text.get("description", "")), scenario, settings, space,
                  value_reader.values, constraints, objectives, search, seeds, stop_early, limit.number if limit else 3600.0, text,
                  text.get("images"))
    _check_space(study)
    return study


def _refuse_scenario(text: Any, file: str) -> None:
    """A file with a section of a scenario, and without all that every study has."""
    if not isinstance(text, dict) or any(key in text for key in ("scenario", "parameters", "objectives")):
        return
    sections = {key.partition(".")[0].removesuffix("[]") for key in scenario_keys()} | {"extends"}
    if any(key in sections for key in text if key not in KEYS):
        raise StrobeError(f"{file}: this is a scenario, not a study: strobe explore --sensitivity ranks its parameters; a study names it as "
                          "\"scenario\"")


def _scenario(file: str, name: str) -> str:
    """Relative to the study file, else as the program finds it."""
    for candidate in (pathlib.Path(file).parent / name, pathlib.Path(file).parent / f"{name}.json"):
        if candidate.is_file():
            return str(candidate.resolve())
    return name


def _search(problems: Problems, text: Mapping[str, Any], points: int | None, method: str | None) -> Search:
    given = text.get("search", {})
    if not problems.expect("/search", given, dict, "an object"):
        return Search("auto", 1, 1)
    problems.unknown_keys("/search", given, ("method", "points", "seed", "population"))
    chosen = method or given.get("method", "auto")
    if chosen not in METHODS:
        problems.wrong("/search/method", unknown(f"there is no method {json.dumps(chosen)}", str(chosen), list(METHODS)))
    budget = points if points is not None else given.get("points", 200)
    numbers = {"points": (budget, 1, MOST_POINTS), "seed": (given.get("seed", 1), 0, 2**31),
               "population": (given.get("population", 2), 2, 10_000)}
    for key, (number, low, high) in numbers.items():
        if not isinstance(number, int) or isinstance(number, bool) or not low <= number <= high:
            problems.wrong(f"/search/{key}", f"must be a whole number from {low} to {high}, not {json.dumps(number)}")
    return Search(chosen, budget, given.get("seed", 1), given.get("population"))


def _seeds(problems: Problems, text: Mapping[str, Any]) -> tuple[int | None, ...]:
    seeds = text.get("seeds")
    if seeds is None:
        return (None,)
    if isinstance(seeds, int) and not isinstance(seeds, bool) and 1 <= seeds <= 1000:
        return tuple(range(1, seeds + 1))
    if isinstance(seeds, list) and seeds and all(isinstance(s, int) and not isinstance(s, bool) and s >= 0 for s in seeds) \
            and len(set(seeds)) == len(seeds):
        return tuple(seeds)
    problems.wrong("/seeds", "must be the number of seeds per point, from 1 to 1000, or a list of different seeds")
    return (None,)


def _stop_early(problems: Problems, text: Mapping[str, Any]) -> float | None:
    given = text.get("stopEarly", "10%")
    if given is False:
        return None
    parsed = quantity.parse(given) if isinstance(given, str) else None
    if parsed is None or parsed.kind != "percentage" or parsed.count < 0:
        problems.wrong("/stopEarly", "must be a margin like \"10%\", or false")
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
        name = study.refused_by(values)
        if name is None:
            return
        refused[name] += 1
    if count == 0:
        raise StrobeError(f"{study.file}: /parameters: the space is empty")
    which = "; ".join(f"\"{name}\" excludes {number}" for name, number in refused.items() if number)
    what = f"all {count} points" if complete else f"all of {count} points spread over the space"
    raise StrobeError(f"{study.file}: /constraints: {what} are excluded: {which}")
