# SPDX-License-Identifier: Apache-2.0
"""What a study leaves in its directory besides points.jsonl: points.csv, pareto.json, reports/, scenarios/, index.html."""
from __future__ import annotations

import csv
import io
import json
import os
import pathlib
import shutil
from typing import Any

from strobe.explore import pages
from strobe.explore.cache import Cache, named_files, write_whole
from strobe.explore.points import Point
from strobe.explore.study import Study


def front(study: Study, points: list[Point]) -> list[Point]:
    """Points that satisfy the constraints and that no other such point beats in every objective; the best first in the first one."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    feasible = [point for point in points if point.is_feasible]
    if not feasible:
        return []
    directions: Any = ["minimize" if objective.goal == "min" else "maximize" for objective in study.objectives]
    search = optuna.create_study(directions=directions)
    search.add_trials([optuna.trial.create_trial(values=point.objectives(study)) for point in feasible])
    best = [feasible[trial.number] for trial in search.best_trials] if len(directions) > 1 else [
        min(feasible, key=lambda point: study.objectives[0].sign * point.objectives(study)[0])]
    return sorted(best, key=lambda point: [objective.sign * value
                                           for objective, value in zip(study.objectives, point.objectives(study), strict=True)])


def name_of(point: Point) -> str:
    return f"point-{point.number:04d}"


def csv_text(study: Study, points: list[Point], best: list[Point]) -> str:
    """One row per point: parameters, means with their intervals, constraints."""
    on_front = {point.number for point in best}
    parameters = [parameter.name for parameter in study.space.parameters]
    measured = list(dict.fromkeys(name for point in points for name in point.measured if name not in parameters))
    columns = ["point", "status", "feasible", "front", *parameters]
    for name in measured:
        columns += [name, f"{name} low", f"{name} high"] if len(study.seeds) > 1 else [name]
    columns += [f"violation of {constraint.name}" for constraint in study.constraints] + ["runs", "message"]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    for point in sorted(points, key=lambda each: each.number):
        row: list[Any] = [point.number, point.status, int(point.is_feasible), int(point.number in on_front)]
        row += [point.values.get(name, "") for name in parameters]
        for name in measured:
            value = point.measured.get(name)
            cells = ["", "", ""] if value is None else [value.mean, value.low, value.high]
            row += cells if len(study.seeds) > 1 else cells[:1]
        row += [point.violations.get(constraint.name, "") for constraint in study.constraints]
        writer.writerow([*row, len(point.runs), point.message.replace("\n", " ")])
    return out.getvalue()


def pareto_text(study: Study, best: list[Point]) -> str:
    return json.dumps({"study": study.name, "objectives": {objective.name: objective.goal for objective in study.objectives},
                       "points": [{"point": point.number, "parameters": point.values,
                                   "values": {name: measured.mean for name, measured in point.measured.items()},
                                   "scenario": f"scenarios/{name_of(point)}.json", "report": f"reports/{name_of(point)}.json"}
                                  for point in best]}, indent=1) + "\n"


def write_runs(study: Study, points: list[Point], cache: Cache, directory: pathlib.Path, folders: list[str]) -> None:
    """The report of each point (of its first seed) with its page, and its scenario, ready to run."""
    for point in points:
        if not point.runs or "key" not in point.runs[0]:
            continue
        report = directory / "reports" / f"{name_of(point)}.json"
        scenario = directory / "scenarios" / f"{name_of(point)}.json"
        page = report.with_suffix(".html")
        if report.exists() and scenario.exists() and page.exists():
            continue
        source = cache.file(point.runs[0]["key"])
        if not source.exists():
            continue
        _link(source, report)
        text = source.read_text(encoding="utf-8")
        if not page.exists():
            pages.write(text, page)
        config = json.loads(text)["config"]
        for file in set(named_files(config)):
            _locate(config, file, folders)
        if (key := point.runs[0].get("image")) and cache.image(key).exists():
            image = directory / "images" / f"{key}.img"
            _link(cache.image(key), image)
            config["nand"]["contents"]["file"] = str(image.resolve())
        config["name"] = f"{study.name}, point {point.number}"
        write_whole(scenario, json.dumps(config, indent=1) + "\n", is_lasting=False)
    if (directory / "reports").exists():
        pages.share_plotly(directory / "reports")


def _link(source: pathlib.Path, target: pathlib.Path) -> None:
    """The same file, unless it is on another file system."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def _locate(config: Any, file: str, folders: list[str]) -> None:
    """Makes a file relative to the original scenario absolute; those of the scenarios directory (the last) are found by name."""
    place = next((pathlib.Path(folder) / file for folder in folders[:-1] if (pathlib.Path(folder) / file).is_file()), None)
    if place is None or os.path.isabs(file) or (pathlib.Path(folders[-1]) / file).is_file():
        return
    items = config.items() if isinstance(config, dict) else enumerate(config) if isinstance(config, list) else ()
    for key, value in items:
        if value == file and key == "file":
            config[key] = str(place)
        else:
            _locate(value, file, folders)


def summary(study: Study, points: list[Point], best: list[Point], width: int = 12) -> str:
    """The front as a table for the terminal."""
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    names = [parameter.name for parameter in study.space.parameters]
    table.add_column("point", justify="right")
    for objective in study.objectives:
        table.add_column(f"{objective.name} ({objective.goal})", justify="right")
    for name in names:
        table.add_column(name, justify="right")
    for point in best[:40]:
        cells = [f"{value:.4g}" for value in point.objectives(study)] + [str(point.values.get(name, "-")) for name in names]
        table.add_row(str(point.number), *cells)
    out = io.StringIO()
    Console(file=out, width=max(100, width * (len(names) + len(study.objectives) + 1)), color_system=None).print(table)
    more = f"… and {len(best) - 40} more\n" if len(best) > 40 else ""
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n" + more
