# SPDX-License-Identifier: Apache-2.0
"""A case: a scenario and its requests, and the one file that holds both."""
from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from strobe.run import StrobeError, program
from strobe.torture import requests as sequences
from strobe.torture.requests import Request
from strobe.torture.workloads import TRACE

FORMAT = 1  # of case files


@dataclass(frozen=True)
class Case:
    name: str  # "seed 1, case 57"
    scenario: dict[str, Any]
    requests: tuple[Request, ...] = ()
    settings: tuple[str, ...] = ()  # of --set, KEY=VALUE

    def write(self, folder: pathlib.Path) -> pathlib.Path:
        """The scenario and the trace as files for `strobe run`; returns the scenario."""
        file = folder / "scenario.json"
        file.write_text(json.dumps(self.scenario, indent=2) + "\n")
        (folder / TRACE).write_text(sequences.trace(self.requests))
        return file


@dataclass(frozen=True)
class Ended:
    """What the program left: exit code (negative: signal) and output."""

    status: int
    out: str
    err: str


def start(command: str, folder: pathlib.Path, settings: Sequence[str], *options: str, seconds: int = 0) -> Ended:
    """Runs the program on the scenario of the folder, with at most so many seconds of processor time (0: no limit)."""
    sets = [word for setting in settings for word in ("--set", setting)]
    limit = f"ulimit -t {seconds}; " if seconds else ""
    words = ["sh", "-c", f'{limit}exec "$@"', "sh", program(), command, "scenario.json", *sets, *options]
    if shutil.which("setpriv"):  # a simulation must not outlive the campaign
        words = ["setpriv", "--pdeathsig", "KILL", "--", *words]
    environment = {name: value for name, value in os.environ.items() if name != "STROBE_NEEDS"}
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, env=environment,
                          errors="replace", start_new_session=True)
    return Ended(done.returncode, done.stdout, done.stderr)


def save(case: Case, file: pathlib.Path, kind: str, detail: str) -> None:
    words = {"torture": FORMAT, "found": case.name, "failure": {"kind": kind, "detail": detail},
             "repeat": f"strobe torture --repeat {file.name}", "settings": list(case.settings), "scenario": case.scenario,
             "requests": [request.text() for request in case.requests]}
    fresh = file.with_name(file.name + ".new")
    fresh.write_text(json.dumps(words, indent=2) + "\n")
    fresh.replace(file)


def load(file: pathlib.Path) -> Case:
    try:
        words = json.loads(file.read_text(encoding="utf-8"))
        if not isinstance(words, dict) or words.get("torture") != FORMAT:
            raise ValueError(f"no case of strobe torture: \"torture\" must be {FORMAT}")
        if not isinstance(words.get("scenario"), dict):
            raise ValueError("\"scenario\" must be an object")
        for key in ("requests", "settings"):
            if not isinstance(words.get(key, []), list):
                raise ValueError(f"\"{key}\" must be a list of texts")
        return Case(str(words.get("found", file.name)), words["scenario"],
                    tuple(Request.of_text(str(text)) for text in words.get("requests", [])),
                    tuple(str(setting) for setting in words.get("settings", [])))
    except (OSError, ValueError) as problem:
        raise StrobeError(f"{file}: {problem}") from None
