# SPDX-License-Identifier: Apache-2.0
"""What is checked before a study runs: its first points, and with --check also that a report has the values that the study needs."""
from __future__ import annotations

import dataclasses

from strobe.explore import cache as caches
from strobe.explore import driver as drivers
from strobe.explore import search
from strobe.explore.expressions import ExpressionError
from strobe.explore.point import make_image, simulate
from strobe.explore.names import counted
from strobe.explore.points import Point
from strobe.explore.progress import Counts, Progress
from strobe.explore.space import Values
from strobe.explore.study import Study
from strobe.run import NO_RESULT, StrobeError, call, resolved, setting_options

MOST_TRIED = 10  # points
TIME_LIMIT = 60.0  # seconds of the simulation of --check


def first_point(study: Study) -> Values:
    """The scenario itself, and one of the first points, must be accepted by the program. That point."""
    try:
        resolved(study.scenario, study.settings)
    except StrobeError as error:
        place = "/set" if str(error).startswith("--set") else "/scenario"
        raise StrobeError(f"{study.file}: {place}: {error}", error.exit_code) from None
    problem = ""
    planned = study if study.search.method in ("grid", "random", "sobol") else dataclasses.replace(
        study, search=dataclasses.replace(study.search, method="random", points=MOST_TRIED))
    for number, values in enumerate(search.plan(planned), 1):
        settings = {**study.settings, **study.space.settings(values)}
        done = call("validate", study.scenario, *setting_options(settings))
        if done.returncode == 0:
            return values
        problem = problem or f"{drivers.describe(values)}:\n{done.stderr.strip()}"
        if number == MOST_TRIED:
            break
    raise StrobeError(f"{study.file}: none of the first points is a valid scenario; the first one is {problem}" if problem else
                      f"{study.file}: /constraints: no point satisfies the constraints")


def report_of(study: Study, values: Values, cache_directory: str | None, has_images: bool) -> str:
    """Simulates a point, whose result goes into the cache. Its report must have the values that the study needs. A remark, or nothing."""
    if not study.paths:
        return ""
    cache = caches.Cache(cache_directory or caches.default_directory())
    cache.prepare()
    limit = min(study.time_limit, TIME_LIMIT)
    driver = drivers.Driver(dataclasses.replace(study, time_limit=limit), drivers.Directory(""), cache, drivers.environment_id(), [],
                            Progress(Counts(1), quiet=True), is_search=False, has_images=has_images)
    point = Point(1, values)
    job = driver.job(point, study.seeds[0])
    outcome = simulate(job)
    if outcome["status"] == "image":
        made = make_image(job, outcome["image"])
        outcome = simulate(job) if made["status"] == "ok" else made
    if outcome["status"] == "failed" and outcome["message"].startswith(NO_RESULT):
        return f"values of the report are not checked: {drivers.describe(values)} takes longer than {limit:g} s"
    if outcome["status"] == "path":
        raise StrobeError(f"{study.file}: {study.place_of(outcome['message'])}{outcome['message']}")
    problem = outcome.get("message", "")
    if outcome["status"] == "ok":
        driver.samples[point.number] = {study.seeds[0]: outcome}
        try:
            driver.evaluate(point)
        except ExpressionError as error:
            problem = str(error)
    if problem:
        raise StrobeError(f"{study.file}: the first point ({drivers.describe(values)}) fails: {problem}")
    return ""


def say(study: Study, has_images: bool, remark: str) -> None:
    size = study.space.size_limit()
    print(f"{study.file}: ok: {study.name}\n  {counted(len(study.space.parameters), 'parameter')}, "
          f"{f'{size:,.0f} combinations' if size < float('inf') else 'endless combinations'}; method {study.search.method}, "
          f"{counted(drivers.total(study), 'point')} with {counted(len(study.seeds), 'seed')} each\n  objectives: "
          f"{', '.join(f'{objective.name} ({objective.goal})' for objective in study.objectives)}"
          + ("\n  points start from drive images" if has_images else "") + (f"\n  {remark}" if remark else ""))
