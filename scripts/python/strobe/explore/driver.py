# SPDX-License-Identifier: Apache-2.0
"""Runs a study: asks the search, gives simulations to the workers, records every finished point.

What survives a kill: results in the cache, finished points in points.jsonl, the search's own journal. Running again goes on.
"""
from __future__ import annotations

import fcntl
import hashlib
import itertools
import json
import math
import os
import pathlib
import shutil
import uuid
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from strobe.explore import cache as caches
from strobe.explore import images
from strobe.explore import search as searches
from strobe.explore.expressions import ExpressionError
from strobe.explore.point import Job, Outcome, make_image, simulate
from strobe.explore.points import Journal, Point, identity, is_hopeless, measure
from strobe.explore.progress import Counts, Progress
from strobe.explore.results import name_of
from strobe.explore.space import Values
from strobe.explore.study import Study
from strobe.run import StrobeError, program, resolved

if TYPE_CHECKING:
    from distributed import Client, Future

FAILURES_AT_FIRST = 20  # so many failed points and none that succeeded: the study is wrong
OWN_FILES = ("points.jsonl", "points.csv", "pareto.json", "index.html", "search.log", "search.log.lock", "study.json",
             "sensitivity.json", "reports", "scenarios", "images", "cluster")


class Directory:
    """Where a study keeps its results; used by one driver at a time."""

    def __init__(self, path: str) -> None:
        self.path = pathlib.Path(path)
        self.journal = Journal(self.path / "points.jsonl")

    @contextmanager
    def locked(self) -> Iterator[None]:
        """A study that is refused before its first point leaves no new directory."""
        is_new = not self.path.exists()
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            lock = open(self.path / ".lock", "w", encoding="utf-8")
        except OSError as problem:
            raise StrobeError(f"{self.path}: cannot be written: {problem.strerror}") from None
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise StrobeError(f"{self.path}: another strobe explore is using it; choose another directory with -o") from None
            try:
                yield
            except StrobeError:
                if is_new and not self.journal.file.exists():
                    self.remove()
                raise

    def remove(self) -> None:
        self.clear()
        (self.path / ".lock").unlink()
        with suppress(OSError):  # something else is in it
            self.path.rmdir()

    def clear(self) -> None:
        """Removes what a study has written there; the cache keeps its results."""
        for name in OWN_FILES:
            path = self.path / name
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)

    def begin(self, study: Study, build: str) -> list[Point]:
        """Points of an earlier start. StrobeError if it was another study."""
        file = self.path / "study.json"
        base = hashlib.sha256(json.dumps(resolved(study.scenario, study.settings), sort_keys=True).encode()).hexdigest()[:16]
        mine = {**study.identity(), "the resolved scenario": base, "the program": build[:16]}
        if file.exists():
            try:
                theirs = json.loads(file.read_text(encoding="utf-8"))["identity"]
            except (ValueError, KeyError):
                raise StrobeError(f"{file}: is not of strobe explore; choose another directory with -o") from None
            changed = [name for name in mine if mine[name] != theirs.get(name)]
            if changed:
                what = ", ".join(name if name.startswith("the ") else f"/{name}" for name in changed)
                raise StrobeError(f"{study.file}: {what} changed since the results in {self.path} were begun; nothing was run. "
                                  "Choose another directory with -o, or begin again with --restart; simulations that stay the same are "
                                  "not repeated")
            points = self.journal.read()
            self.journal.restore(points)
            return points
        caches.write_whole(file, json.dumps({"identity": mine, "study": study.text}, indent=1) + "\n")
        return []


class Driver:
    def __init__(self, study: Study, directory: Directory, cache: caches.Cache, build: str, points: list[Point],
                 progress: Progress, *, is_search: bool = True, has_images: bool = False) -> None:
        """is_search: false if the caller sets `search` to a list of points, some of which may be refused. has_images: runs start from
        drive images."""
        self.study = study
        self.is_search = is_search
        self.directory = directory
        self.cache = cache
        self.build = build
        self.points = points  # finished
        self.progress = progress
        self.known = {identity(point.values): point for point in points}
        self.search: searches.Search = searches.make(study, directory.path) if is_search else searches.Nothing()
        self.numbers = itertools.count(max((point.number for point in points), default=0) + 1)
        self.waiting: dict[int, list[Any]] = {}  # number of a point in flight -> handles of the search
        self.in_flight: dict[str, Point] = {}  # by identity
        self.samples: dict[int, dict[int | None, Outcome]] = {}  # number of a point -> outcomes by seed
        self.ready: deque[tuple[Point, int | None]] = deque()  # runs to submit
        self.has_images = has_images
        self.images = images.Waiting()
        self.futures: dict[str, images.Run | str] = {}  # by key: a run, or the image that is made
        library = caches.scenarios_directory(program())
        family = caches.family(study.scenario, library)
        self.folders = [str(folder.resolve()) for folder in dict.fromkeys([*(file.parent for file in family), library])]
        self.repeats = 0

    # --- what runs next -----------------------------------------------------------------------------------------------

    def job(self, point: Point, seed: int | None) -> Job:
        page = self.directory.path / "reports" / f"{name_of(point)}.html" if self.is_search and seed == self.study.seeds[0] else None
        return Job(program=program(), build=self.build, scenario=self.study.scenario,
                   settings={**self.study.settings, **self.study.space.settings(point.values)}, seed=seed,
                   cache=str(self.cache.directory.resolve()), paths=self.study.paths, limit=self.study.time_limit, folders=self.folders,
                   images=self.has_images, page=str(page.resolve()) if page else "")

    def propose(self) -> bool:
        """Puts the runs of a new point into `ready`. False: the search has no more."""
        most_repeats = 20 * self.study.search.points + 1000
        while self.repeats < most_repeats:
            if self.study.search.method not in ("grid", "sensitivity") and len(self.points) + len(self.in_flight) >= self.study.search.points:
                return False
            proposed = self.search.next()
            if proposed is None:
                return False
            values, handle = proposed
            name = identity(values)
            if name in self.known:
                self.search.tell(handle, self.known[name])
                self.repeats += 1
            elif name in self.in_flight:
                self.waiting[self.in_flight[name].number].append(handle)
                self.repeats += 1
                if self.repeats % 50 == 0:  # a sampler that waits for results
                    return False
            else:
                self.start(values, handle)
                return True
        return False

    def start(self, values: Values, handle: Any) -> None:
        point = Point(next(self.numbers), values)
        self.in_flight[identity(values)] = point
        self.waiting[point.number] = [handle]
        self.samples[point.number] = {}
        seeds = self.study.seeds if self.study.stop_early is None else self.study.seeds[:1]
        self.ready.extend((point, seed) for seed in seeds)

    # --- what has ended -----------------------------------------------------------------------------------------------

    def ended(self, point: Point, seed: int | None, outcome: Outcome) -> None:
        if point.status != "running":
            return  # another seed has failed
        if outcome["status"] == "storage":
            raise StrobeError(f"{outcome['message']}; the study has stopped and nothing is lost: make room, then run the same command "
                              "again")
        if outcome["status"] == "image":
            if problem := self.images.needed(outcome["image"], (point, seed)):
                self.finish(point, "failed", problem)
            return
        if outcome["status"] == "path" and not any(other.has_values for other in self.points):
            raise StrobeError(f"{self.study.file}: {self.study.place_of(outcome['message'])}{outcome['message']}")
        if outcome["status"] != "ok":
            self.finish(point, "failed", outcome["message"])
            return
        self.progress.counts.simulated += outcome["is_new"]
        self.progress.counts.cached += not outcome["is_new"]
        done = self.samples[point.number]
        done[seed] = outcome
        try:
            self.evaluate(point)
        except ExpressionError as problem:
            self.finish(point, "failed", str(problem))
            return
        if len(done) == len(self.study.seeds):
            self.finish(point, "ok", "")
        elif len(done) == 1 and self.study.stop_early is not None:
            if is_hopeless(point, self.points, self.study):
                self.finish(point, "stopped", "without hope after the first seed")
            else:
                self.ready.extendleft((point, other) for other in reversed(self.study.seeds[1:]))

    def image_ended(self, key: str, outcome: Outcome) -> None:
        """Runs that waited for the image go on, or end as it did."""
        runs = [run for run in self.images.ended(key, outcome) if run[0].status == "running"]
        if outcome["status"] == "ok":
            self.ready.extendleft(reversed(runs))
        else:
            for point, seed in runs:
                self.ended(point, seed, outcome)

    def evaluate(self, point: Point) -> None:
        """Means over the seeds so far, and the constraints at these means."""
        done = self.samples[point.number]
        outcomes = [done[seed] for seed in self.study.seeds if seed in done]
        names = [self.study.after(point.values, outcome["values"]) for outcome in outcomes]
        wanted = {*self.study.values, *(objective.name for objective in self.study.objectives)}
        point.measured = {}
        for name in names[0]:
            samples = [each[name] for each in names]
            if name in wanted and all(isinstance(sample, int | float) and math.isfinite(sample) for sample in samples):
                point.measured[name] = measure([float(sample) for sample in samples])
        for objective in self.study.objectives:
            if objective.name not in point.measured:
                raise ExpressionError(f"{objective.name} is no number: {names[0].get(objective.name)}")
        means = {name: point.measured[name].mean if name in point.measured else value for name, value in names[0].items()}
        paths = {path: _mean([outcome["values"][path] for outcome in outcomes]) for path in self.study.paths}
        point.violations = {constraint.name: constraint.expression.violation(means, paths) for constraint in self.study.constraints}

    def finish(self, point: Point, status: str, message: str) -> None:
        point.status, point.message = status, message
        done = self.samples.pop(point.number)
        kept = ("key", "seconds", "is_new", "note", "image")
        point.runs = [{"seed": seed, **{key: value for key, value in outcome.items() if key in kept}} for seed, outcome in done.items()]
        self.directory.journal.add(point)
        self.points.append(point)
        del self.in_flight[identity(point.values)]
        self.known[identity(point.values)] = point
        self.ready = deque(run for run in self.ready if run[0] is not point)
        for handle in self.waiting.pop(point.number):
            self.search.tell(handle, point)
        counts = self.progress.counts
        counts.done += 1
        counts.failed += status == "failed"
        if status == "failed" and self.is_search:
            self.progress.say(f"point {point.number} failed ({describe(point.values)}): {message.splitlines()[0] if message else ''}")
            if len(self.points) >= FAILURES_AT_FIRST and all(other.status == "failed" for other in self.points):
                raise StrobeError(f"{self.study.file}: the first {len(self.points)} points have all failed, the last one with: {message}")

    # --- the loop -----------------------------------------------------------------------------------------------------

    def run(self, client: Client, slots: int) -> None:
        """slots: how many runs are with the workers at a time."""
        from distributed import as_completed

        completed = as_completed(with_results=False)
        self.fill(client, completed, slots)
        while self.futures:  # futures are not kept: a result is needed once, and the cache has it
            future = next(completed)
            task, outcome = self.futures.pop(future.key), outcome_of(future)
            if isinstance(task, str):
                self.image_ended(task, outcome)
            else:
                self.ended(*task, outcome)
            future.release()
            self.fill(client, completed, slots)
            self.progress.update()

    def fill(self, client: Client, completed: Any, slots: int) -> None:
        while len(self.futures) < slots:
            if self.images.to_make:
                image = self.images.to_make.popleft()
                key = f"image-{image}-{uuid.uuid4()}"
                self.futures[key] = image
                arguments: list[Any] = [make_image, self.job(*self.images.images[image].run), image]
            elif self.ready or (self.images.count < 2 * slots and self.propose()):
                run = self.ready.popleft()
                key = f"point-{run[0].number}-{run[1]}-{uuid.uuid4()}"
                self.futures[key] = run
                arguments = [simulate, self.job(*run)]
            else:
                return
            completed.add(client.submit(*arguments, key=key, retries=2, pure=False))


def outcome_of(future: Future[Outcome]) -> Outcome:
    try:
        outcome: Outcome = future.result()
        return outcome
    except Exception as problem:  # whatever happens on a worker is recorded with the point
        if type(problem).__name__ == "KilledWorker":
            return {"status": "failed", "message": "the worker processes that ran this point ended without a result, four times"}
        return {"status": "failed", "message": f"{type(problem).__name__}: {problem}"}


def _mean(values: list[Any]) -> Any:
    numbers = [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
    return math.fsum(numbers) / len(numbers) if numbers and len(numbers) == len(values) else values[0]


def describe(values: Values) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())


def total(study: Study) -> int:
    """Points that the search will ask for."""
    if study.search.method in ("grid", "random", "sobol"):
        return sum(1 for _ in searches.plan(study))
    return study.search.points


def counts_of(study: Study, points: list[Point]) -> Counts:
    return Counts(total(study), len(points), sum(point.status == "failed" for point in points))


def environment_id() -> str:
    return caches.build_identity(os.fspath(program()))
