# SPDX-License-Identifier: Apache-2.0
"""Progress on standard error: one live line on a terminal, a line now and then elsewhere."""
from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from typing import Any

from strobe.explore.names import counted


@dataclass
class Counts:
    total: int  # points; those that the search has left out are not counted
    done: int = 0
    failed: int = 0
    simulated: int = 0  # runs
    cached: int = 0  # runs


class Progress:
    """Used with `with`."""

    EVERY = 10.0  # seconds between lines in a log
    LEAST = 5  # simulated runs before there are a rate and a remaining time

    def __init__(self, counts: Counts, quiet: bool) -> None:
        self.counts = counts
        self.quiet = quiet
        self.begin = self.shown = time.monotonic()
        self.begun_at = counts.done
        self.bar: Any = None
        self.task: Any = None

    def __enter__(self) -> Progress:
        if not self.quiet and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
            from rich.progress import Progress as Bar

            self.bar = Bar(TextColumn("points"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[words]}"),
                           console=Console(stderr=True), transient=True)
            self.bar.start()
            self.task = self.bar.add_task("points", total=self.counts.total, completed=self.counts.done, words="")
        return self

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.stop()

    def words(self) -> str:
        counts = self.counts
        elapsed = time.monotonic() - self.begin
        is_known = counts.simulated >= self.LEAST and elapsed > 0
        rate = (counts.done - self.begun_at) / elapsed if is_known else 0.0
        left = f", about {duration((counts.total - counts.done) / rate)} left" if rate > 0 and counts.done < counts.total else ""
        known = f", {counted(counts.cached, 'run')} from the cache" if counts.cached else ""
        failed = f", {counts.failed} failed" if counts.failed else ""
        speed = f", {rate:.2g} points/s" if rate > 0 else ""
        return f"{speed}{failed}{known}{left}".removeprefix(", ")

    def update(self) -> None:
        if self.bar is not None:
            self.bar.update(self.task, completed=self.counts.done, words=self.words())
        elif not self.quiet and time.monotonic() - self.shown >= self.EVERY:
            self.shown = time.monotonic()
            words = self.words()
            print(f"strobe explore: {self.counts.done} of {self.counts.total} points{words and f', {words}'}", file=sys.stderr, flush=True)

    def say(self, text: str) -> None:
        """A line that stays."""
        if self.bar is not None:
            self.bar.console.print(text, markup=False, highlight=False)
        elif not self.quiet:
            print(text, file=sys.stderr, flush=True)


def duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
