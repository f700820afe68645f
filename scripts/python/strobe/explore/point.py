# SPDX-License-Identifier: Apache-2.0
"""One simulation of a study, or one drive image, as a Dask worker makes it. In a module of its own, because workers import it."""
from __future__ import annotations

import fcntl
import json
import os
import pathlib
import signal
import subprocess
import time
from collections.abc import Callable
from typing import Any, TypedDict

from strobe.explore import cache as caches
from strobe.explore import images, pages
from strobe.result import ReportError, Result
from strobe.run import StrobeError, call, ended, setting_options


class Job(TypedDict):
    program: str
    build: str
    scenario: str
    settings: dict[str, Any]
    seed: int | None
    cache: str
    paths: list[str]  # of the report, that are returned
    limit: float  # seconds
    folders: list[str]  # where files that the scenario names may be
    images: bool  # the run starts from a drive image
    page: str  # file for the page of the report; empty: none


class Outcome(TypedDict, total=False):
    # "ok", "failed", "path" (a path that the report does not have), "storage" (the cache cannot be written), "image" (the image is
    # not there)
    status: str
    message: str
    values: dict[str, Any]  # by path
    key: str
    is_new: bool  # simulated now
    seconds: float
    note: str  # the run found errors
    image: str  # key of the drive image


def all_settings(job: Job) -> dict[str, Any]:
    return {**job["settings"], **({} if job["seed"] is None else {"seed": job["seed"]})}


def simulate(job: Job) -> Outcome:
    """Returns what the cache has, or simulates and puts the report there. Every problem is an outcome, not an exception."""
    return _caught(_simulate, job)


def make_image(job: Job, key: str) -> Outcome:
    """Puts the image that the run needs into the cache, unless it is there."""
    return _caught(lambda job: _make_image(job, key), job)


def _caught(work: Callable[[Job], Outcome], job: Job) -> Outcome:
    os.environ["STROBE"] = job["program"]
    try:
        return work(job)
    except StrobeError as problem:
        return {"status": "failed", "message": str(problem)}
    except ReportError as problem:
        return {"status": "path", "message": str(problem)}
    except OSError as problem:
        return {"status": "storage", "message": f"{problem.filename or job['cache']}: {problem.strerror}"}


def _simulate(job: Job) -> Outcome:
    begin = time.monotonic()
    options = setting_options(all_settings(job))
    done = call("inspect", "scenario", job["scenario"], *options, timeout=job["limit"], own_session=True)
    if done.returncode != 0:
        raise StrobeError(done.stderr.strip() or f"strobe inspect scenario: {ended(done.returncode)}", done.returncode)
    cache = caches.Cache(job["cache"])
    image = images.key_of(job["scenario"], all_settings(job)) if job["images"] else None
    key = caches.key_of(json.loads(done.stdout), program=job["program"], build=job["build"],
                        folders=[pathlib.Path(folder) for folder in job["folders"]], image=image)
    text = cache.get(key)
    is_new = text is None
    if text is None:
        if image is not None:
            if not cache.image(image).exists():
                return {"status": "image", "image": image}
            options += ["--image", str(cache.image(image))]
        file = cache.file(key)
        file.parent.mkdir(parents=True, exist_ok=True)
        fresh = file.with_name(f".{key}-{os.uname().nodename}-{os.getpid()}.json")
        try:
            done = call("run", job["scenario"], "--quiet", "--json", str(fresh), *options, timeout=job["limit"], own_session=True)
            if done.returncode not in (0, 1) or not fresh.exists():
                if is_full(done):
                    return {"status": "storage", "message": done.stderr.strip() or f"{fresh}: file too large"}
                raise StrobeError(done.stderr.strip() or f"strobe run: {ended(done.returncode)}", done.returncode)
            text = fresh.read_text(encoding="utf-8")
            os.replace(fresh, file)
        finally:
            fresh.unlink(missing_ok=True)
    if job["page"]:
        pages.write(text, pathlib.Path(job["page"]))
    result = Result.of_text(text, job["scenario"])
    values = {path: result.value(path) for path in job["paths"]}
    outcome: Outcome = {"status": "ok", "values": values, "key": key, "is_new": is_new, "seconds": time.monotonic() - begin}
    if image is not None:
        outcome["image"] = image
    if result.errors:
        outcome["note"] = "the run found errors (exit code 1); its report has them"
    return outcome


def _make_image(job: Job, key: str) -> Outcome:
    begin = time.monotonic()
    file = caches.Cache(job["cache"]).image(key)
    file.parent.mkdir(parents=True, exist_ok=True)
    with open(file.with_suffix(".lock"), "w", encoding="utf-8") as lock:  # another study may need the same one
        fcntl.flock(lock, fcntl.LOCK_EX)
        is_new = not file.exists()
        if is_new:
            for rest in file.parent.glob(f"{key}.img.*"):  # of a program that was killed
                rest.unlink(missing_ok=True)
            done = call("run", job["scenario"], "--quiet", "--until-measured", "--save-image", str(file), *setting_options(all_settings(job)),
                        timeout=job["limit"], own_session=True)
            if is_full(done):
                return {"status": "storage", "message": done.stderr.strip() or f"{file}: file too large"}
            if done.returncode != 0 or not file.exists():
                problem = done.stderr.strip() or f"strobe run --save-image: {ended(done.returncode)}"
                raise StrobeError(f"the image of the drive could not be made: {problem}; {images.WITHOUT}", done.returncode)
    return {"status": "ok", "is_new": is_new, "seconds": time.monotonic() - begin}


def is_full(done: subprocess.CompletedProcess[str]) -> bool:
    """The program has ended because its file could not be written."""
    return done.returncode != 0 and (done.returncode == -signal.SIGXFSZ or "No space left" in done.stderr or "File too large" in done.stderr)
