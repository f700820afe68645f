# SPDX-License-Identifier: Apache-2.0
"""Many cases, several at a time; sums of what they reached, and a file for each that failed."""
from __future__ import annotations

import pathlib
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any

from strobe.torture.case import Case, save
from strobe.torture.draft import Drawer
from strobe.torture.judge import Verdict, judge
from strobe.torture.shrink import Shrinker


@dataclass
class Sums:
    cases: int = 0
    refused: int = 0  # drafts
    counts: Counter[str] = field(default_factory=Counter)
    keys: set[str] = field(default_factory=set)  # that a case has set
    failed: list[dict[str, str]] = field(default_factory=list)
    interrupted: bool = False

    def add(self, case: Case, verdict: Verdict, refused: int) -> None:
        self.cases += 1
        self.refused += refused
        self.counts += verdict.counts
        self.keys.update(keys_of(case.scenario))

    def json(self) -> dict[str, Any]:
        return {"cases": self.cases, "failed": self.failed, "interrupted": self.interrupted, "drafts_refused": self.refused,
                "keys": len(self.keys), "counts": dict(sorted(self.counts.items()))}


def keys_of(value: Any, above: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from keys_of(inner, f"{above}.{name}".lstrip("."))
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for inner in value:
            yield from keys_of(inner, above + "[]")
    else:
        yield above


class Campaign:
    def __init__(self, drawer: Drawer, output: pathlib.Path, jobs: int, shrinks: bool = True, judged: Callable[[Case], Verdict] = judge) -> None:
        self.drawer, self.output, self.jobs, self.shrinks, self.judged = drawer, output, jobs, shrinks, judged
        self.stopped = threading.Event()  # cases that run are ended early

    def run(self, numbers: Iterator[int], ends_at: float, total: int | None) -> Sums:
        """Until the numbers or the time (of time.monotonic()) are over, or Ctrl-C."""
        sums, progress = Sums(), Progress(total)
        waiting: set[Future[tuple[Case, Verdict, int]]] = set()
        with ThreadPoolExecutor(self.jobs) as pool:
            try:
                while True:
                    while len(waiting) < self.jobs and time.monotonic() < ends_at and (number := next(numbers, None)) is not None:
                        waiting.add(pool.submit(self.case, number))
                    if not waiting:
                        break
                    done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                    for future in done:
                        self.take(sums, *future.result())
                    progress.show(sums)
            except KeyboardInterrupt:
                sums.interrupted = True
                self.stopped.set()
                for future in [future for future in waiting if not future.cancel()]:
                    self.take(sums, *future.result())
        progress.end()
        return sums

    def case(self, number: int) -> tuple[Case, Verdict, int]:
        case, refused = self.drawer.case(number)
        verdict = self.judged(case)
        if verdict.kind:
            self.output.mkdir(parents=True, exist_ok=True)
            file = self.file(case)
            save(case, file, verdict.kind, verdict.detail)  # before it is shrunk, which may take long
            if self.shrinks:
                save(Shrinker(verdict, stopped=self.stopped.is_set).smallest(case), file, verdict.kind, verdict.detail)
        return case, verdict, refused

    def file(self, case: Case) -> pathlib.Path:
        return self.output / (case.name.replace(", ", "-").replace(" ", "") + ".json")

    def take(self, sums: Sums, case: Case, verdict: Verdict, refused: int) -> None:
        sums.add(case, verdict, refused)
        if verdict.kind:
            print(f"FAILED {case.name}: {verdict.kind}: {verdict.detail.splitlines()[0] if verdict.detail else ''}\n"
                  f"  strobe torture --repeat {self.file(case)}", file=sys.stderr)
            sums.failed.append({"case": case.name, "kind": verdict.kind, "detail": verdict.detail, "file": str(self.file(case))})


class Progress:
    """One live line on a terminal; a line each minute elsewhere."""

    def __init__(self, total: int | None) -> None:
        self.total, self.live = total, sys.stderr.isatty()
        self.begin = self.shown = time.monotonic()

    def show(self, sums: Sums) -> None:
        now = time.monotonic()
        if now - self.shown < (0.2 if self.live else 60):
            return
        self.shown = now
        of = f" of {self.total}" if self.total else ""
        text = f"{sums.cases}{of} cases, {len(sums.failed)} failed, {sums.cases / (now - self.begin):.1f}/s"
        print(f"\r\033[K{text}" if self.live else text, end="" if self.live else "\n", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self.live:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
