# SPDX-License-Identifier: Apache-2.0
"""`strobe explore --sensitivity SCENARIO`: which parameters of a scenario matter most for its workload.

One at a time: every parameter is halved and doubled (or takes its other values), the rest stays. Then Morris screening (SALib) of
those with the largest effects: random paths on which one parameter after the other changes, so that interactions show.
"""
from __future__ import annotations

import json
import math
import pathlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from strobe.explore import quantity
from strobe.explore.points import Point, identity
from strobe.explore.problems import Problems
from strobe.explore.quantity import Quantity
from strobe.explore.space import Parameter, Space, Values
from strobe.explore.study import Search, Study
from strobe.explore.value_reader import ValueReader
from strobe.run import StrobeError, call, resolved

# Not parameters of the drive, or without an effect on its speed.
SKIPPED = ("name", "description", "seed", "data", "workload", "report", "energy", "power", "environment", "operations", "nand.contents",
           "firmware.costs", "firmware.image", "firmware.mode", "firmware.ftl", "host.interface", "nand.part.source", "nand.part.name",
           "nand.part.maxBadBlocks", "nand.factoryBadBlocks", "cpu.quantum")
OTHER_LAYER = {"nand.part.cell": "PCM"}  # a word that also changes the translation layer, if that is chosen automatically
FACTORS = (2.0, 1.25)  # up and down; the smaller one where the program refuses the larger one
LEVELS = 4  # of Morris screening
SHOWN = 20
SMALLEST = 0.002  # of the largest effect: smaller ones are not screened
_LINE = re.compile(r'^  (\S+)\s+("(?:[^"])*"|\S+)\s{2,}(.+)$')


@dataclass(frozen=True)
class Varied:
    """A parameter with the value of the scenario and those that replace it."""

    key: str
    base: Any
    low: Any
    high: Any
    words: tuple[Any, ...] = ()  # instead of low and high

    @property
    def values(self) -> list[Any]:
        return [value for value in (self.words or (self.low, self.high)) if value is not None and value != self.base]

    @property
    def is_binary(self) -> bool:
        """A size that is a power of two, and stays one."""
        return _is_binary(self.base)

    def at(self, share: float) -> Any:
        """share: 0 to 1."""
        if self.words:
            return self.words[min(int(share * len(self.words)), len(self.words) - 1)]
        low, high = (self.low if self.low is not None else self.base), (self.high if self.high is not None else self.base)
        return between(low, high, share)


def between(low: Any, high: Any, share: float) -> Any:
    """In equal ratios, as the values were made."""
    if isinstance(low, str):
        first, last = quantity.parse(low), quantity.parse(high)
        assert first is not None and last is not None
        if _is_binary(low) and _is_binary(high):
            powers = [parsed.count.bit_length() for parsed in (first, last)]
            return Quantity(first.kind, first.count << round(share * (powers[1] - powers[0]))).text()
        if min(first.count, last.count) <= 0:
            return Quantity(first.kind, round(first.count + share * (last.count - first.count))).text()
        return Quantity(first.kind, round(float(f"{first.count * (last.count / first.count) ** share:.3g}"))).text()
    value = low + share * (high - low) if low <= 0 else low * (high / low) ** share
    return round(value) if isinstance(low, int) and isinstance(high, int) else value


def _is_binary(value: Any) -> bool:
    """A size that is a power of two."""
    parsed = quantity.parse(value) if isinstance(value, str) else None
    return parsed is not None and parsed.kind == "size" and parsed.count.bit_count() == 1


def allowed() -> dict[str, str]:
    """Key -> kind of value with its range, in the words of `strobe inspect parameters`."""
    found = {}
    for line in call("inspect", "parameters").stdout.splitlines():
        if match := _LINE.match(line):
            found[match[1]] = match[3]
    return found


def leaves(config: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in config.items():
        name = prefix + key
        if name in SKIPPED:
            continue
        if isinstance(value, Mapping):
            yield from leaves(value, name + ".")
        elif not isinstance(value, list):
            yield name, value


def varied(config: Mapping[str, Any], factor: float = FACTORS[0]) -> list[Varied]:
    """Every parameter of a complete scenario that can be changed alone."""
    kinds = allowed()
    made = []
    for key, base in leaves(config):
        kind = kinds.get(key, "")
        if isinstance(base, bool):
            made.append(Varied(key, base, None, None, (False, True)))
        elif isinstance(base, int | float) or (isinstance(base, str) and quantity.parse(base) is not None):
            low, high = limited(scaled(base, 1 / factor), kind), limited(scaled(base, factor), kind)
            item = Varied(key, base, low, high)
            if item.values:
                made.append(item)
        elif isinstance(base, str) and kind.startswith("word, "):
            words = tuple(word for word in re.split(r", | or ", kind.removeprefix("word, ")) if word != OTHER_LAYER.get(key))
            if base in words and 1 < len(words) <= 6:
                made.append(Varied(key, base, None, None, words))
    return made


def accepted(item: Varied, smaller: Varied | None, failed: list[Any]) -> Varied:
    """The parameter without the values that the program refused: with smaller changes, or, a power of two, without these values. The
    parameter itself if nothing remains."""
    if not failed or item.words:
        return item
    if not item.is_binary:
        return smaller or item
    rest = replace(item, low=None if item.low in failed else item.low, high=None if item.high in failed else item.high)
    return rest if rest.values else item


def scaled(value: Any, factor: float) -> Any:
    if isinstance(value, str):
        parsed = quantity.parse(value)
        assert parsed is not None
        return Quantity(parsed.kind, max(1, round(parsed.count * factor)) if parsed.count else 0).text()
    return value * factor if isinstance(value, float) else max(1, round(value * factor)) if value else 0


def limited(value: Any, kind: str) -> Any:
    """Within "…, LOW to HIGH"."""
    match = re.search(r"(\S+) to (\S+?)(?:,|;|$|\s)", kind)
    if match is None:
        return value
    bounds = [quantity.parse(text) if isinstance(value, str) else _number(text) for text in match.groups()]
    if isinstance(value, str):
        parsed = quantity.parse(value)
        if parsed is None or any(bound is None or bound.kind != parsed.kind for bound in bounds):  # type: ignore[union-attr]
            return value
        return Quantity(parsed.kind, min(max(parsed.count, bounds[0].count), bounds[1].count)).text()  # type: ignore[union-attr]
    if any(bound is None for bound in bounds):
        return value
    return type(value)(min(max(value, bounds[0]), bounds[1]))


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def study_of(scenario: str, objectives: list[str], points: int, limit: float, settings: dict[str, Any]) -> Study:
    """A study without a space: its points come from this module."""
    from strobe.explore import study_file

    reader = ValueReader(Problems(scenario), set())
    for name in objectives:
        if not reader.use(name):
            raise StrobeError(f"strobe explore: --objective {name}: {ValueReader(Problems(scenario), set()).no_value(name)}")
    goal = {name: "max" for name in objectives}
    text = {"scenario": scenario, "set": settings, "parameters": {"seed": {"key": "seed", "values": [1]}}, "objectives": goal,
            "search": {"method": "grid"}}
    made = study_file.of_text(text, scenario)
    config = resolved(scenario, settings)
    parameters = tuple(Parameter(item.key, (item.key,), None, None) for item in varied(config))
    return Study(scenario, f"sensitivity of {config['name']}", str(config.get("description", "")), made.scenario, settings, Space(parameters),
                 made.values, (), made.objectives, Search("sensitivity", points, 1), (None,), None, limit, text, False)


class Listed:
    """A search that proposes given points."""

    def __init__(self, points: list[Values]) -> None:
        unique = {identity(values): values for values in points}
        self.points = iter(unique.values())
        self.count = len(unique)

    def next(self) -> tuple[Values, Any] | None:
        values = next(self.points, None)
        return None if values is None else (values, None)

    def tell(self, handle: Any, point: Point) -> None:
        pass


@dataclass
class Effect:
    """Of one parameter on one objective; one at a time: relative changes by value."""

    key: str
    base: Any
    changes: dict[str, float]
    mu_star: float | None = None  # Morris: mean of the absolute effects over the whole range, relative
    sigma: float | None = None  # their standard deviation: interactions, or no straight line
    refused: str = ""

    @property
    def size(self) -> float:
        return max((abs(change) for change in self.changes.values()), default=0.0)


def one_at_a_time(items: list[Varied], known: Mapping[str, Point], objective: str) -> list[Effect]:
    base = value_of(known, {}, objective)
    effects = []
    for item in items:
        changes, refused = {}, ""
        for value in item.values:
            point = known.get(identity({item.key: value}))
            if point is None:
                continue
            if point.has_values:
                changes[_as_written(value)] = (point.measured[objective].mean - base) / base if base else 0.0
            else:
                refused = point.message.splitlines()[0] if point.message else ""
        effects.append(Effect(item.key, item.base, changes, refused=refused))
    return sorted(effects, key=lambda effect: -effect.size)


def value_of(known: Mapping[str, Point], values: Values, objective: str) -> float:
    point = known.get(identity(values))
    return point.measured[objective].mean if point is not None and point.has_values else math.nan


class Morris:
    """Paths over the chosen parameters."""

    def __init__(self, items: list[Varied], paths: int) -> None:
        from SALib.sample import morris

        self.items = items
        self.problem = {"num_vars": len(items), "names": [item.key for item in items], "bounds": [[0.0, 1.0]] * len(items)}
        self.sample = morris.sample(self.problem, paths, num_levels=LEVELS, seed=1)
        self.points = [self.values(row) for row in self.sample]

    def values(self, row: Any) -> Values:
        made = {item.key: item.at(float(share)) for item, share in zip(self.items, row, strict=True)}
        return {item.key: made[item.key] for item in self.items if made[item.key] != item.base}

    def analyse(self, known: Mapping[str, Point], objective: str, effects: list[Effect]) -> int:
        """Enters the result into the effects; returns how many paths were complete."""
        import numpy
        from SALib.analyze import morris

        length = len(self.items) + 1
        results = numpy.array([value_of(known, values, objective) for values in self.points])
        complete = [start for start in range(0, len(results), length) if not numpy.isnan(results[start:start + length]).any()]
        base = value_of(known, {}, objective)
        if len(complete) < 2 or not base:
            return len(complete)
        rows = numpy.concatenate([numpy.arange(start, start + length) for start in complete])
        found = morris.analyze(self.problem, self.sample[rows], results[rows], num_levels=LEVELS, seed=1)
        by_key = {effect.key: effect for effect in effects}
        for number, item in enumerate(self.items):
            by_key[item.key].mu_star = float(found["mu_star"][number]) / abs(base)
            by_key[item.key].sigma = float(found["sigma"][number]) / abs(base)
        return len(complete)


def ranked(effects: list[Effect]) -> list[Effect]:
    """The largest first: by Morris where it was done, then by one at a time."""
    return sorted(effects, key=lambda effect: (effect.mu_star is None, -(effect.mu_star or 0.0), -effect.size))


def text_of(results: Mapping[str, list[Effect]]) -> str:
    return json.dumps({objective: [{"parameter": effect.key, "value": effect.base, "changes": effect.changes, "mu_star": effect.mu_star,
                                    "sigma": effect.sigma, "refused": effect.refused} for effect in effects]
                       for objective, effects in results.items()}, indent=1) + "\n"


def table(objective: str, effects: list[Effect]) -> str:
    """For the terminal."""
    import io

    from rich.console import Console
    from rich.table import Table

    made = Table(box=None, pad_edge=False)
    for name in ("parameter", "value", f"{objective}: one at a time", "Morris mu*", "sigma"):
        made.add_column(name, justify="left" if name == "parameter" else "right")
    for effect in effects[:SHOWN]:
        changes = ", ".join(f"{value}: {100 * change:+.1f} %" for value, change in effect.changes.items())
        made.add_row(effect.key, _as_written(effect.base), changes, *("" if number is None else f"{100 * number:.1f} %"
                                                              for number in (effect.mu_star, effect.sigma)))
    out = io.StringIO()
    Console(file=out, width=150, color_system=None).print(made)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def charts(results: Mapping[str, list[Effect]]) -> list[dict[str, Any]]:
    """A tornado chart and, with Morris, its scatter, per objective."""
    made = []
    for objective, effects in results.items():
        shown = [effect for effect in effects[:SHOWN] if effect.changes or effect.mu_star is not None][::-1]
        made.append({"objective": objective, "keys": [f"{effect.key} = {_as_written(effect.base)}" for effect in shown],
                     "low": [100 * min([0.0, *effect.changes.values()]) for effect in shown],
                     "high": [100 * max([0.0, *effect.changes.values()]) for effect in shown],
                     "lowText": [_extreme(effect, min) for effect in shown], "highText": [_extreme(effect, max) for effect in shown],
                     "mu": [None if effect.mu_star is None else 100 * effect.mu_star for effect in shown],
                     "sigma": [None if effect.sigma is None else 100 * effect.sigma for effect in shown]})
    return made


def _as_written(value: Any) -> str:
    """As in a scenario."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _extreme(effect: Effect, pick: Any) -> str:
    """The value with the most negative or most positive change; empty if there is no such change."""
    changes = {"": 0.0, **effect.changes}
    return str(pick(changes, key=lambda value: changes[value]))


def html(study: Study, results: Mapping[str, list[Effect]]) -> str:
    import jinja2
    import markupsafe
    from plotly.offline import get_plotlyjs

    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    template = environment.from_string(pathlib.Path(__file__).with_name("sensitivity.html").read_text(encoding="utf-8"))
    return template.render(study=study, data=markupsafe.Markup(json.dumps(charts(results)).replace("</", "<\\/")),
                           plotly=markupsafe.Markup(get_plotlyjs()))
