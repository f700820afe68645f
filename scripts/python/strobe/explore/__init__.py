# SPDX-License-Identifier: Apache-2.0
"""`strobe explore`: varies parameters of a scenario, simulates the points that a grid or a search selects, and shows which are
best. docs/explore.md."""
from __future__ import annotations

import contextlib
import pathlib
import shlex
import signal
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NoReturn

from strobe import files, needs
from strobe.arguments import Parser
from strobe.explore.names import METHODS, MOST_POINTS, counted
from strobe.run import StrobeError, program, resolved

if TYPE_CHECKING:
    import argparse

    from strobe.explore.cache import Cache
    from strobe.explore.driver import Driver
    from strobe.explore.points import Point
    from strobe.explore.study import Study

EXAMPLES = """Examples:
  strobe explore study.json                    search on all processors; run it again to resume
  strobe explore study.json --check            check the study, simulate one point
  strobe explore study.json --farm slurm --farm-options farm.json --jobs 40
  strobe explore study.json --scheduler tcp://node1:8786
  strobe explore --sensitivity my-drive.json   which parameters matter most for this workload
  strobe explore study.json --emit-jobs jobs.txt && parallel < jobs.txt && strobe explore study.json

Results: index.html (Pareto front, parallel coordinates, effects), points.csv, points.jsonl,
pareto.json, and for each point its report (reports/) and its scenario (scenarios/).
docs/explore.md explains the study file.

Short names of report values:
"""


def parser() -> Parser:
    from strobe.explore.names import listing

    made = Parser("explore", "Varies parameters of a scenario, simulates the points that a grid or a search selects,\n"
                             "and shows which are best.", EXAMPLES + listing())
    made.add_argument("study", metavar="FILE", help="study file; with --sensitivity a scenario")
    made.add_argument("-o", "--output", metavar="DIR", help="directory for the results; default: the name of the study file, or of the "
                                                             "directory of study.json, with -results")
    made.add_argument("--check", action="store_true", help="check the study file and the first points, simulate one of them")
    made.add_argument("--points", type=int, metavar="N", help="number of points, instead of the study's")
    made.add_argument("--method", metavar="NAME", help="auto, grid, random, sobol, tpe, nsga2 or nsga3, instead of the study's")
    made.add_argument("--jobs", type=int, metavar="N", help="simulations at a time; default: one per processor; jobs of a farm: 10")
    made.add_argument("--cache", metavar="DIR", help="directory of the results of all studies; default: ~/.cache/strobe/results")
    made.add_argument("--scheduler", metavar="ADDRESS", help="use a Dask cluster that is running, like tcp://node1:8786")
    made.add_argument("--farm", metavar="KIND", choices=("slurm", "lsf", "sge", "pbs"), help="run in jobs of slurm, lsf, sge or pbs")
    made.add_argument("--farm-options", metavar="FILE", help="JSON object: queue, account, memory, walltime and further options of "
                                                             "dask_jobqueue")
    made.add_argument("--emit-jobs", metavar="FILE", help="write one shell command per simulation (- : standard output), run nothing")
    made.add_argument("--restart", action="store_true", help="remove the results of the directory first; cached results are kept")
    made.add_argument("--sensitivity", action="store_true", help="rank the parameters of a scenario: one at a time, then Morris screening")
    made.add_argument("--objective", metavar="NAME", action="append", help="with --sensitivity: a short name or a path of the report; may "
                                                                           "be repeated; default: iops")
    made.add_argument("--paths", type=int, metavar="N", help="with --sensitivity: paths of Morris screening, each with one run more than parameters; 0: none; "
                                                             "default: 8")
    made.add_argument("--quiet", action="store_true", help="no progress, no table")
    return made


def main(arguments: list[str]) -> int:
    given = parser().parse_args(arguments)
    if given.jobs is not None and not 1 <= given.jobs <= 100_000:
        raise StrobeError(f"strobe explore: --jobs must be from 1 to 100000, not {given.jobs}")
    if given.points is not None and not 1 <= given.points <= MOST_POINTS:
        raise StrobeError(f"strobe explore: --points must be from 1 to {MOST_POINTS}, not {given.points}")
    if given.method is not None and given.method not in METHODS:
        raise StrobeError(f"strobe explore: --method must be {', '.join(METHODS[:-1])} or {METHODS[-1]}, not {given.method}")
    if given.farm and given.scheduler:
        raise StrobeError("strobe explore: --farm and --scheduler exclude each other")
    if given.farm_options and not given.farm:
        raise StrobeError("strobe explore: --farm-options needs --farm")
    if (given.objective or given.paths is not None) and not given.sensitivity:
        raise StrobeError("strobe explore: --objective and --paths need --sensitivity")
    if given.sensitivity and (given.check or given.emit_jobs or given.points is not None or given.method):
        raise StrobeError("strobe explore: --check, --emit-jobs, --points and --method do not go with --sensitivity")
    if given.paths is not None and not 0 <= given.paths <= 1000:
        raise StrobeError("strobe explore: --paths must be from 0 to 1000")
    if not given.sensitivity and not pathlib.Path(given.study).is_file():
        raise StrobeError(f"{given.study}: No such file or directory")
    if given.emit_jobs and given.emit_jobs != "-":
        files.require_writable(pathlib.Path(given.emit_jobs))
    needs.require("farm" if given.farm else "explore")
    if given.sensitivity:
        needs.require("sensitivity")
        with stopped_by_problems():
            return rank(given)
    from strobe.explore import check, images
    from strobe.explore import study_file

    study = study_file.load(given.study, points=given.points, method=given.method)
    if given.points is not None and study.search.method == "grid" and not given.quiet:
        print(f"{given.study}: the space has no more than --points {given.points}: all of its points are simulated (method grid)", file=sys.stderr)
    first = check.first_point(study)
    has_images = images.applies(study, first)
    with stopped_by_problems():
        if given.check:
            check.say(study, has_images, check.report_of(study, first, given.cache, has_images))
            return 0
        return explore(study, given, has_images)


@contextlib.contextmanager
def stopped_by_problems() -> Iterator[None]:
    """Of files: one message."""
    try:
        with ended_by_signal():
            yield
    except OSError as problem:
        place = f"{problem.filename}: " if problem.filename else ""
        raise StrobeError(f"strobe explore: {place}{problem.strerror}; nothing is lost: run the same command again") from None


@contextlib.contextmanager
def ended_by_signal() -> Iterator[None]:
    """SIGTERM ends a study like Ctrl-C."""
    def end(*_: object) -> NoReturn:
        raise StrobeError("strobe explore: terminated; run the same command again to go on", 143)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def explore(study: Study, given: argparse.Namespace, has_images: bool) -> int:
    from strobe.explore import cache as caches
    from strobe.explore import driver as drivers
    from strobe.explore import progress as progresses

    directory = drivers.Directory(given.output or f"{short_name(study.file)}-results")
    cache = caches.Cache(given.cache or caches.default_directory())
    cache.prepare()
    build = drivers.environment_id()
    if given.emit_jobs:
        return emit(study, cache, build, given, has_images)
    with directory.locked():
        cache.remove_rests()
        if given.restart:
            directory.clear()
        points = directory.begin(study, build)
        counts = drivers.counts_of(study, points)
        with progresses.Progress(counts, given.quiet) as progress:
            if points:
                progress.say(f"strobe explore: goes on after {counted(len(points), 'point')}")
            driver = drivers.Driver(study, directory, cache, build, points, progress, has_images=has_images)
            try:
                run(driver, given)
            except BaseException:
                with contextlib.suppress(OSError):
                    show(driver)
                raise
            show(driver)
        return conclude(driver, given.quiet)


def emit(study: Study, cache: Cache, build: str, given: argparse.Namespace, has_images: bool) -> int:
    """--emit-jobs."""
    from strobe.explore import jobs

    lines = jobs.commands(study, cache, build, has_images)
    if given.emit_jobs == "-":
        sys.stdout.write("".join(lines))
        return 0
    files.write(pathlib.Path(given.emit_jobs), "".join(lines))
    if not given.quiet:
        options = [(name, getattr(given, name)) for name in ("output", "points", "method", "cache")]
        after = shlex.join(["strobe", "explore", given.study, *(word for name, value in options if value is not None
                                                                for word in (f"--{name}", str(value)))])
        first = f"run them all, then {after}" if lines else f"there is nothing to simulate; run {after}"
        print(f"{given.emit_jobs}: {counted(len(lines), 'command')}; {first}")
    return 0


def short_name(file: str) -> str:
    """Of the file, or of its directory if the file is just study.json."""
    path = pathlib.Path(file)
    return path.parent.name if path.name == "study.json" and path.parent.name else path.stem


def run(driver: Driver, given: argparse.Namespace) -> None:
    """Unless everything is there already."""
    from strobe.explore import cluster

    if not driver.ready and not driver.propose():
        return
    if given.scheduler:
        with cluster.existing(given.scheduler, program()) as client:
            driver.run(client, given.jobs or max(1, sum(client.nthreads().values())) + 2)
    elif given.farm:
        jobs = given.jobs or 10
        with cluster.farm(given.farm, cluster.farm_options(given.farm_options), jobs, driver.directory.path) as client:
            driver.run(client, jobs + 2)
    else:
        jobs = given.jobs or cluster.cores()
        with cluster.local(jobs) as client:
            driver.run(client, jobs + 1)  # one more than workers: none of them waits for the driver


def show(driver: Driver) -> list[Point]:
    """Writes everything but points.jsonl."""
    from strobe.explore import cache as caches
    from strobe.explore import page, results

    study, path = driver.study, driver.directory.path
    best = results.front(study, driver.points)
    results.write_runs(study, driver.points, driver.cache, path, driver.folders)
    caches.write_whole(path / "points.csv", results.csv_text(study, driver.points, best))
    caches.write_whole(path / "pareto.json", results.pareto_text(study, best))
    caches.write_whole(path / "index.html", page.html(study, driver.points, best, path))
    return best


def conclude(driver: Driver, quiet: bool) -> int:
    from strobe.explore import results

    study, points = driver.study, driver.points
    best = results.front(study, points)
    counts = driver.progress.counts
    page = driver.directory.path / "index.html"
    failed = f", {counts.failed} failed" if counts.failed else ""
    images = f", {counted(driver.images.made, 'drive image')} made" if driver.has_images else ""
    stopped = sum(point.status == "stopped" for point in points)
    early = f", {stopped} stopped early" if stopped else ""
    feasible = sum(point.is_feasible for point in points)
    limits = f", {feasible} satisfy the constraints" if study.constraints else ""
    if not quiet:
        if best:
            print(results.summary(study, points, best))
        print(f"{study.name}: {counted(len(points), 'point')} ({counted(counts.simulated, 'run')} simulated, {counts.cached} from the cache{images}{failed}"
              f"{early}{limits})"
              f"\n{page}")
    if best:
        return 0
    if all(point.status == "failed" for point in points):
        raise StrobeError(f"{study.file}: every point has failed, the last one with: {points[-1].message if points else 'no point'}")
    worst = {constraint.name: sum(point.violations.get(constraint.name, 0) > 0 for point in points) for constraint in study.constraints}
    name = max(worst, key=lambda key: worst[key], default="")
    raise StrobeError(f"{study.file}: /constraints: none of {len(points)} points satisfies all constraints; \"{name}\" excludes "
                      f"{worst.get(name, 0)}; {page} has all points")


def rank(given: argparse.Namespace) -> int:
    """--sensitivity."""
    from strobe.explore import cache as caches
    from strobe.explore import driver as drivers
    from strobe.explore import progress as progresses
    from strobe.explore import sensitivity
    from strobe.explore.points import identity

    objectives = given.objective or ["iops"]
    study = sensitivity.study_of(given.study, objectives, 1, 3600.0, {})
    directory = drivers.Directory(given.output or f"{pathlib.Path(study.file).stem}-sensitivity")
    cache = caches.Cache(given.cache or caches.default_directory())
    cache.prepare()
    build = drivers.environment_id()
    items = sensitivity.varied(resolved(study.scenario))
    with directory.locked():
        cache.remove_rests()
        if given.restart:
            directory.clear()
        points = directory.begin(study, build)
        with progresses.Progress(progresses.Counts(0), given.quiet) as progress:
            driver = drivers.Driver(study, directory, cache, build, points, progress, is_search=False)

            def simulate(wanted: list[dict[str, Any]]) -> None:
                driver.search = sensitivity.Listed([values for values in wanted if identity(values) not in driver.known])
                progress.counts.total += driver.search.count
                run(driver, given)

            simulate([{}])
            if not driver.known[identity({})].has_values:
                raise StrobeError(f"{study.file}: {driver.known[identity({})].message}")
            simulate([{item.key: value} for item in items for value in item.values])
            smaller = {item.key: item for item in sensitivity.varied(resolved(study.scenario), sensitivity.FACTORS[1])}
            items = [sensitivity.accepted(item, smaller.get(item.key), [
                value for value in item.values if driver.known[identity({item.key: value})].status == "failed"]) for item in items]
            simulate([{item.key: value} for item in items for value in item.values])
            results = {name: sensitivity.one_at_a_time(items, driver.known, name) for name in objectives}
            screen(driver, given, items, results, simulate)
        return tell_ranking(driver, {name: sensitivity.ranked(effects) for name, effects in results.items()}, given.quiet)


def screen(driver: Driver, given: argparse.Namespace, items: Any, results: dict[str, Any], simulate: Any) -> None:
    """Morris screening of the parameters with the largest effects on any objective."""
    from strobe.explore import sensitivity

    paths = 8 if given.paths is None else given.paths
    best = list(dict.fromkeys(effect.key for rank in zip(*results.values(), strict=True) for effect, effects in
                              zip(rank, results.values(), strict=True)
                              if effect.size > sensitivity.SMALLEST * effects[0].size and not effect.refused))
    chosen = [item for key in best[:sensitivity.SHOWN] for item in items if item.key == key]
    if paths == 0 or len(chosen) < 2:
        return
    morris = sensitivity.Morris(chosen, paths)
    simulate(morris.points)
    complete = min(morris.analyse(driver.known, name, effects) for name, effects in results.items())  # the same for all
    if complete < paths:
        driver.progress.say(f"strobe explore: {paths - complete} of {paths} paths contain a drive that is refused and are left out")


def tell_ranking(driver: Driver, results: dict[str, Any], quiet: bool) -> int:
    from strobe.explore import cache as caches
    from strobe.explore import sensitivity

    path = driver.directory.path
    caches.write_whole(path / "sensitivity.json", sensitivity.text_of(results))
    caches.write_whole(path / "index.html", sensitivity.html(driver.study, results))
    if not quiet:
        for name, effects in results.items():
            print(sensitivity.table(name, effects))
        counts = driver.progress.counts
        print(f"{driver.study.name}: {counted(len(driver.points), 'point')} ({counted(counts.simulated, 'run')} simulated, {counts.cached} from the cache, "
              f"{counts.failed} refused)\n{path / 'index.html'}")
    return 0
