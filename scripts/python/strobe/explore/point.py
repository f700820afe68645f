# SPDX-License-Identifier: Apache-2.0
"""One simulation of a study, as a Dask worker executes it. The function is in a module of its own, because workers import it."""
from __future__ import annotations

import json
import os
import pathlib
import signal
import time
from typing import Any, TypedDict

from strobe.explore import cache as caches
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


class Outcome(TypedDict, total=False):
    status: str  # "ok", "failed", "path" (a path that the report does not have), "storage" (the cache cannot be written)
    message: str
    values: dict[str, Any]  # by path
    key: str
    is_new: bool  # simulated now
    seconds: float
    note: str  # the run found errors


def all_settings(job: Job) -> dict[str, Any]:
    return {**job["settings"], **({} if job["seed"] is None else {"seed": job["seed"]})}


def simulate(job: Job) -> Outcome:
    """Returns what the cache has, or simulates and puts the report there. Every problem is an outcome, not an exception."""
    os.environ["STROBE"] = job["program"]
    try:
        return _simulate(job)
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
    key = caches.key_of(json.loads(done.stdout), program=job["program"], build=job["build"],
                        folders=[pathlib.Path(folder) for folder in job["folders"]])
    text = cache.get(key)
    is_new = text is None
    if text is None:
        file = cache.file(key)
        file.parent.mkdir(parents=True, exist_ok=True)
        fresh = file.with_name(f".{key}-{os.uname().nodename}-{os.getpid()}.json")
        try:
            done = call("run", job["scenario"], "--quiet", "--json", str(fresh), *options, timeout=job["limit"], own_session=True)
            if done.returncode not in (0, 1) or not fresh.exists():
                if done.returncode == -signal.SIGXFSZ or "No space left" in done.stderr:
                    return {"status": "storage", "message": done.stderr.strip() or f"{fresh}: file too large"}
                raise StrobeError(done.stderr.strip() or f"strobe run: {ended(done.returncode)}", done.returncode)
            text = fresh.read_text(encoding="utf-8")
            os.replace(fresh, file)
        finally:
            fresh.unlink(missing_ok=True)
    result = Result.of_text(text, job["scenario"])
    values = {path: result.value(path) for path in job["paths"]}
    outcome: Outcome = {"status": "ok", "values": values, "key": key, "is_new": is_new, "seconds": time.monotonic() - begin}
    if result.errors:
        outcome["note"] = "the run found errors (exit code 1); its report has them"
    return outcome
