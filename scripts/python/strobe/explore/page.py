# SPDX-License-Identifier: Apache-2.0
"""index.html: one file with Plotly in it, which opens offline."""
from __future__ import annotations

import json
import pathlib
from typing import Any

from strobe.explore import quantity
from strobe.explore.points import Point
from strobe.explore.results import name_of
from strobe.explore.space import Parameter
from strobe.explore.study import Study

MOST_BINS = 8  # of a parameter with a range, in the effects


def excerpt(report: pathlib.Path) -> dict[str, Any]:
    """What the page shows of a report; the link leads to all of it."""
    try:
        content = json.loads(report.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    totals = {name: {key: total.get(key) for key in ("requests", "iops", "megabytes_per_second")} | {
        key: round(total["latency"][f"{key}_ps"] / 1e6, 3) for key in ("mean", "p50", "p99", "p99_9", "max")
        if f"{key}_ps" in total.get("latency", {})} for name, total in content.get("totals", {}).items()}
    return {"limit": content.get("limiting", {}).get("sentence", ""), "totals": totals,
            "groups": {group.get("title", group["group"]): round(group["mean_utilisation"], 4) for group in content.get("groups", [])},
            "errors": content.get("errors", False)}


def rows(study: Study, points: list[Point], best: list[Point], directory: pathlib.Path) -> list[dict[str, Any]]:
    on_front = {point.number for point in best}
    made = []
    for point in sorted(points, key=lambda each: each.number):
        name = name_of(point)
        report = directory / "reports" / f"{name}.json"
        made.append({
            "number": point.number, "status": point.status, "feasible": point.is_feasible, "front": point.number in on_front,
            "message": point.message, "values": point.values, "order": _order(study, point),
            "measured": {key: [value.mean, value.low, value.high] for key, value in point.measured.items()},
            "violated": [key for key, value in point.violations.items() if value > 0],
            "report": f"reports/{name}.json" if report.exists() else "",
            "page": f"reports/{name}.html" if report.with_suffix(".html").exists() else "", "scenario": f"scenarios/{name}.json",
            "excerpt": excerpt(report) if report.exists() else {}})
    return made


def _order(study: Study, point: Point) -> dict[str, float]:
    """Numbers by which values that are texts are sorted."""
    numbers = {parameter.name: parameter.number(point.values[parameter.name]) for parameter in study.space.parameters
               if parameter.name in point.values}
    return {name: number for name, number in numbers.items() if number is not None}


def bins(study: Study, points: list[Point]) -> dict[str, dict[int, str]]:
    """Parameter -> number of a point -> the value, or the part of the range, that it belongs to."""
    import pandas

    made: dict[str, dict[int, str]] = {}
    for parameter in study.space.parameters:
        having = [point for point in points if parameter.name in point.values]
        if parameter.values is not None or not having:
            made[parameter.name] = {point.number: str(point.values[parameter.name]) for point in having}
            continue
        numbers = pandas.Series({point.number: parameter.number(point.values[parameter.name]) for point in having}, dtype=float)
        parts = pandas.qcut(numbers, min(MOST_BINS, max(1, len(having) // 4)), duplicates="drop")
        made[parameter.name] = {number: _text_of(parameter, float(part.mid)) for number, part in parts.items()}  # type: ignore[misc]
    return made


def _text_of(parameter: Parameter, number: float) -> str:
    """A number of a range as a value of it, in three digits."""
    assert parameter.range is not None
    if parameter.range.kind in ("int", "float"):
        return f"{number:.3g}"
    smallest = quantity.Quantity(parameter.range.kind, 1).number
    return str(parameter.range.value(parameter.range.rounded(number / smallest)))


def effects(study: Study, points: list[Point]) -> dict[str, Any]:
    """For each value: how much of its variance a parameter explains alone, and a pair beyond both (sums of squares)."""
    import pandas

    useful = [point for point in points if point.has_values]
    if len(useful) < 3:
        return {"single": {}, "pairs": {}}
    frame = pandas.DataFrame(bins(study, useful)).reindex([point.number for point in useful]).fillna("-")
    varied = [name for name in frame.columns if frame[name].nunique() > 1]
    single: dict[str, dict[str, float]] = {}
    pairs: dict[str, list[tuple[str, str, float]]] = {}
    for objective in study.objectives:
        values = pandas.Series({point.number: point.measured[objective.name].mean for point in useful})
        total = float(((values - values.mean()) ** 2).sum())
        if total <= 0:
            continue

        def share(names: list[str], values: Any = values, total: float = total) -> float:
            means = values.groupby([frame[name] for name in names]).transform("mean")
            return float(((means - values.mean()) ** 2).sum()) / total

        alone = {name: share([name]) for name in varied}
        single[objective.name] = alone
        both = [(first, second, max(0.0, share([first, second]) - alone[first] - alone[second]))
                for number, first in enumerate(varied) for second in varied[number + 1:]]
        pairs[objective.name] = sorted(both, key=lambda pair: -pair[2])[:10]
    return {"single": single, "pairs": pairs}


def axes(study: Study) -> list[dict[str, Any]]:
    """Parameters as the page draws them: on a numeric axis, or as names in their order."""
    made = []
    for parameter in study.space.parameters:
        names = [str(value) for value in parameter.values] if parameter.values is not None else None
        made.append({"name": parameter.name, "values": names, "ordered": parameter.is_ordered, "keys": list(parameter.keys)})
    return made


def html(study: Study, points: list[Point], best: list[Point], directory: pathlib.Path) -> str:
    import jinja2
    import markupsafe
    from plotly.offline import get_plotlyjs

    useful = [point for point in points if point.has_values]
    data = {"study": {"name": study.name, "description": study.description, "scenario": study.scenario, "method": study.search.method,
                      "seeds": len(study.seeds)},
            "objectives": [{"name": objective.name, "goal": objective.goal, "unit": _unit(study, objective.name)}
                           for objective in study.objectives],
            "values": [{"name": name, "unit": value.unit, "measured": value.needs_report} for name, value in study.values.items()],
            "constraints": [{"name": constraint.name, "text": constraint.expression.text} for constraint in study.constraints],
            "axes": axes(study), "points": rows(study, points, best, directory), "bins": bins(study, useful),
            "effects": effects(study, points)}
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    template = environment.from_string(pathlib.Path(__file__).with_name("page.html").read_text(encoding="utf-8"))
    return template.render(study=study, data=markupsafe.Markup(json.dumps(data).replace("</", "<\\/")),
                           plotly=markupsafe.Markup(get_plotlyjs()), counts=_counts(points, best))


def _unit(study: Study, name: str) -> str:
    return study.values[name].unit if name in study.values else ""


def _counts(points: list[Point], best: list[Point]) -> dict[str, int]:
    return {"points": len(points), "front": len(best), "failed": sum(point.status == "failed" for point in points),
            "stopped": sum(point.status == "stopped" for point in points), "feasible": sum(point.is_feasible for point in points)}
