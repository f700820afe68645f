# SPDX-License-Identifier: Apache-2.0
"""Where the simulations run: Dask workers on this machine, an existing Dask cluster, or jobs of a farm."""
from __future__ import annotations

import contextlib
import json
import logging
import os
import pathlib
import queue
import shutil
import signal
import tempfile
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from strobe.run import StrobeError

if TYPE_CHECKING:
    from distributed import Client

SUBMISSION_LIMIT = 120  # seconds, for the first job
FARMS = {"slurm": "SLURMCluster", "lsf": "LSFCluster", "sge": "SGECluster", "pbs": "PBSCluster"}


def cores() -> int:
    return len(os.sched_getaffinity(0))


def _quiet() -> None:
    import dask

    for name in ("distributed", "distributed.nanny", "distributed.worker", "distributed.scheduler", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    # A worker that dies is replaced, and its point runs again; one that kills four workers is recorded as failed.
    dask.config.set({"distributed.scheduler.allowed-failures": 3, "distributed.worker.daemon": True,
                     "distributed.comm.timeouts.connect": "10s", "distributed.admin.log-format": "%(message)s"})


@contextlib.contextmanager
def local(jobs: int) -> Iterator[Client]:
    """Worker processes on this machine, with one thread each; only this machine can reach them."""
    _quiet()
    from distributed import Client, LocalCluster

    with tempfile.TemporaryDirectory(prefix="strobe-dask-", ignore_cleanup_errors=True) as folder:
        with _without_interrupts():
            cluster = LocalCluster(n_workers=jobs, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address="127.0.0.1:0",
                                   local_directory=folder, silence_logs=logging.CRITICAL, memory_limit=0)
        with cluster, Client(cluster) as client:
            yield client


@contextlib.contextmanager
def _without_interrupts() -> Iterator[None]:
    """Processes that are started meanwhile ignore Ctrl-C, which a terminal sends to all: the main process ends them."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may set signals
        return
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # one that comes meanwhile is not lost
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


@contextlib.contextmanager
def existing(address: str, program: str) -> Iterator[Client]:
    """A cluster that somebody has started. Its workers need this package and the program at the same path."""
    _quiet()
    from distributed import Client

    try:
        client = Client(address, timeout="10s")
    except (OSError, ValueError, TypeError, TimeoutError) as problem:  # TypeError: TLS without keys
        reason = str(problem).split("\n")[0].strip() or type(problem).__name__
        raise StrobeError(f"strobe explore: the scheduler {address} cannot be reached: {reason}") from None
    with client:
        def lacks(path: str) -> str:
            import importlib.util
            import os

            if importlib.util.find_spec("strobe") is None:
                return "the Python package strobe (PYTHONPATH)"
            return "" if os.access(path, os.X_OK) else path

        missing = {worker: what for worker, what in client.run(lacks, program).items() if what}
        if missing:
            worker, what = next(iter(missing.items()))
            raise StrobeError(f"strobe explore: the worker {worker} has no {what}")
        yield client


def farm_options(file: str | None) -> dict[str, Any]:
    """Options of dask_jobqueue's cluster class: queue, account, cores, memory, walltime, …"""
    if file is None:
        return {}
    try:
        options = json.loads(pathlib.Path(file).read_text(encoding="utf-8"))
    except OSError as problem:
        raise StrobeError(f"{file}: {problem.strerror}") from None
    except ValueError as problem:
        raise StrobeError(f"{file}: not JSON: {problem}") from None
    if not isinstance(options, dict):
        raise StrobeError(f"{file}: must be an object of options of dask_jobqueue's cluster class, like queue, memory and walltime")
    return options


def seconds_of(walltime: str) -> int:
    """ "HH:MM:SS", "HH:MM" or minutes, as the schedulers write them."""
    try:
        parts = [int(part) for part in walltime.split(":")]
    except ValueError:
        raise StrobeError(f"strobe explore: walltime {walltime!r} is not a time like 02:00:00") from None
    if len(parts) == 1:
        return parts[0] * 60
    return parts[0] * 3600 + parts[1] * 60 + (parts[2] if len(parts) > 2 else 0)


def noting(job_class: Any, submissions: queue.Queue[str]) -> Any:
    """The class of dask_jobqueue; each submission of a job puts the reason why it failed, or an empty text, into the queue."""
    from distributed.core import Status

    class Job(job_class):  # type: ignore[misc]
        async def _submit_job(self, script_filename: str) -> Any:
            try:
                told = await super()._submit_job(script_filename)
            except (RuntimeError, OSError) as problem:
                said = [line.strip() for line in str(problem).rpartition("stderr:")[2].splitlines() if line.strip()]
                self.status = Status.failed  # otherwise closing the cluster fails, too
                submissions.put(said[-1] if said else " ".join(str(problem).splitlines()[:2]))
                raise
            submissions.put("")
            return told

    return Job


def farm_cluster(kind: str, options: dict[str, Any], directory: pathlib.Path) -> tuple[Any, queue.Queue[str]]:
    """A cluster object without jobs, and what its submissions of jobs tell. Connections use TLS unless the options say otherwise."""
    _quiet()
    import dask_jobqueue

    submissions: queue.Queue[str] = queue.Queue()
    job_class = noting(getattr(dask_jobqueue, FARMS[kind]).job_cls, submissions)
    # A worker ends itself before the farm ends its job; others take its points.
    lifetime = max(60, seconds_of(str(options.get("walltime", "01:00:00"))) - 120)
    shared = directory / "cluster"
    shared.mkdir(parents=True, exist_ok=True)
    defaults: dict[str, Any] = {
        "cores": 1, "processes": 1, "memory": "2GB", "walltime": "01:00:00", "security": True, "protocol": "tls://",
        "shared_temp_directory": str(shared), "log_directory": str(shared),
        "worker_extra_args": ["--lifetime", f"{lifetime}s", "--lifetime-stagger", "60s"],
        "scheduler_options": {"dashboard_address": None},
        "job_script_prologue": [f"export PYTHONPATH='{pathlib.Path(__file__).resolve().parents[2]}'"]}
    try:
        return getattr(dask_jobqueue, FARMS[kind])(**{**defaults, **options, "job_cls": job_class}), submissions
    except (TypeError, ValueError, RuntimeError) as error:
        problem = str(error).partition("\n")[0].partition(". ")[0]  # dask_jobqueue goes on with all arguments
    # Not in the handler: the exception keeps open the files that the caller is about to remove.
    raise StrobeError(f"strobe explore: --farm {kind}: {problem}")


def submit_first(kind: str, cluster: Any, submissions: queue.Queue[str]) -> None:
    """StrobeError if the farm does not take a job: dask_jobqueue would try again for ever, and in silence."""
    command = cluster.job_cls.submit_command.split()[0]
    where = f"strobe explore: --farm {kind}: no job could be submitted"
    if shutil.which(command) is None:
        raise StrobeError(f"{where}: there is no command {command} on this machine")
    cluster.scale(jobs=1)
    try:
        problem = submissions.get(timeout=SUBMISSION_LIMIT)
    except queue.Empty:
        problem = f"it has not answered within {SUBMISSION_LIMIT} s"
    if problem:
        raise StrobeError(f"{where}: {problem}")


@contextlib.contextmanager
def farm(kind: str, options: dict[str, Any], jobs: int, directory: pathlib.Path) -> Iterator[Client]:
    """Up to `jobs` jobs, started and ended as points come and go."""
    from distributed import Client

    made, submissions = farm_cluster(kind, options, directory)
    with made as cluster, Client(cluster) as client:
        submit_first(kind, cluster, submissions)
        cluster.adapt(minimum_jobs=0, maximum_jobs=jobs, target_duration="100ms")  # a job for each waiting simulation
        yield client
