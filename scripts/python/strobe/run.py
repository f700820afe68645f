# SPDX-License-Identifier: Apache-2.0
"""Runs scenarios with the program and returns what it reports.

The program is the one named by STROBE in the environment, else `strobe` on the PATH. A scenario is a file, a name inside the
scenarios directory, or a dictionary with the same keys.
"""
from __future__ import annotations

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from strobe.result import Result

Scenario = str | os.PathLike[str] | Mapping[str, Any]
Settings = Mapping[str, Any]

# A simulation must not outlive the process that waits for it, even if that one is killed (setpriv is in util-linux, on every
# Debian). The shell looks whether that has happened before the signal was requested.
DIE_WITH_PARENT = ("setpriv", "--pdeathsig", "KILL", "--", "sh", "-c", '[ "$PPID" = "$0" ] && exec "$@"')


class StrobeError(Exception):
    """What the program, or the reader of its output, has reported. The exit codes are those of the program."""

    def __init__(self, message: str, exit_code: int = 2) -> None:
        super().__init__(message)
        self.exit_code = exit_code

NO_RESULT = "strobe: no result"  # begins the message of a run that takes too long


def program() -> str:
    """The path of the program."""
    found = os.environ.get("STROBE") or shutil.which("strobe")
    if not found or not os.access(found, os.X_OK):
        where = f"STROBE is {found}" if found else "STROBE is not set and there is no strobe on the PATH"
        raise StrobeError(f"strobe: the program is not found: {where}")
    return found


def setting_text(value: Any) -> str:
    """A value as --set reads it: JSON, or a text that is not JSON as it is."""
    if not isinstance(value, str):
        return json.dumps(value)
    try:
        json.loads(value)
    except ValueError:
        return value
    return json.dumps(value)  # "7" must stay a text


def setting_options(settings: Settings | None) -> list[str]:
    """--set options, in the order of the settings."""
    return [word for key, value in (settings or {}).items() for word in ("--set", f"{key}={setting_text(value)}")]


@contextlib.contextmanager
def scenario_file(scenario: Scenario) -> Iterator[str]:
    """The scenario as an argument of the program."""
    if not isinstance(scenario, Mapping):
        yield os.fspath(scenario)
        return
    with tempfile.NamedTemporaryFile("w", prefix="strobe-", suffix=".json") as file:
        json.dump(scenario, file)
        file.flush()
        yield file.name


def call(*arguments: str, timeout: float | None = None, own_session: bool = False) -> subprocess.CompletedProcess[str]:
    """Runs the program. Its exit code is in the result; a timeout (seconds) raises StrobeError.

    own_session: Ctrl-C of the terminal does not reach it; it ends with this process.
    """
    guard = (*DIE_WITH_PARENT, str(os.getpid())) if shutil.which(DIE_WITH_PARENT[0]) else ()
    environment = {name: value for name, value in os.environ.items() if name != "STROBE_NEEDS"}
    try:
        return subprocess.run([*guard, program(), *arguments], capture_output=True, text=True, check=False, timeout=timeout,
                              stdin=subprocess.DEVNULL, env=environment, start_new_session=own_session)
    except subprocess.TimeoutExpired:
        raise StrobeError(f"{NO_RESULT} within {timeout:g} s") from None


def run(scenario: Scenario = "quickstart", settings: Settings | None = None, *, seed: int | None = None,
        options: Sequence[str] = (), timeout: float | None = None) -> Result:
    """Simulates and returns the report.

    settings: values by key, like {"nand.ways": 8, "cpu.clock": "400MHz"}. options: further ones of `strobe run`, which name
    files. Raises StrobeError if the program refuses or fails; a run that found errors (exit code 1) returns its report with
    Result.errors.
    """
    with scenario_file(scenario) as name, tempfile.TemporaryDirectory(prefix="strobe-") as folder:
        report = pathlib.Path(folder) / "report.json"
        seeds = ["--seed", str(seed)] if seed is not None else []
        done = call("run", name, "--quiet", "--json", str(report), *setting_options(settings), *seeds, *options, timeout=timeout)
        if done.returncode not in (0, 1) or not report.exists():
            raise StrobeError(done.stderr.strip() or f"strobe: ended with {ended(done.returncode)}", done.returncode)
        return Result.of_text(report.read_text(), name)


def ended(status: int) -> str:
    """An exit status in words."""
    return f"signal {-status}" if status < 0 else f"exit code {status}"


def resolved(scenario: Scenario = "quickstart", settings: Settings | None = None) -> dict[str, Any]:
    """The complete scenario, with every parameter. StrobeError has all mistakes of the scenario."""
    with scenario_file(scenario) as name:
        done = call("inspect", "scenario", name, *setting_options(settings))
    if done.returncode != 0:
        raise StrobeError(done.stderr.strip(), done.returncode)
    complete: dict[str, Any] = json.loads(done.stdout)
    return complete


def validate(scenario: Scenario, settings: Settings | None = None) -> None:
    """Raises StrobeError with all mistakes of the scenario."""
    with scenario_file(scenario) as name:
        done = call("validate", name, *setting_options(settings))
    if done.returncode != 0:
        raise StrobeError(done.stderr.strip(), done.returncode)
