# SPDX-License-Identifier: Apache-2.0
"""Packages that the commands need, and what happens if they are missing.

A group is an extra of pyproject.toml. scripts/strobe gives the name of a file in STROBE_NEEDS: the missing group is named there,
scripts/strobe installs it into build/python and starts the program again. Without scripts/strobe, a message has the commands.
"""
from __future__ import annotations

import importlib.util
import os
import pathlib
import sys

REPORT = ("plotly", "jinja2")
FRAMES = ("pandas",)
EXPLORE = (*REPORT, *FRAMES, "dask", "distributed", "optuna", "scipy", "simpleeval", "rich")
MODULES: dict[str, tuple[str, ...]] = {
    "report": REPORT,
    "frames": FRAMES,
    "explore": EXPLORE,
    "sensitivity": (*EXPLORE, "SALib"),
    "farm": (*EXPLORE, "dask_jobqueue", "cryptography"),
}
PACKAGE = pathlib.Path(__file__).resolve().parent.parent  # the directory of pyproject.toml, unless installed by pip


class MissingPackages(Exception):
    """A message for the user; the exit code is 2."""


def missing(group: str) -> list[str]:
    """The modules of the group that cannot be imported."""
    return [name for name in MODULES[group] if importlib.util.find_spec(name) is None]


def require(group: str) -> None:
    """Raises MissingPackages unless all modules of the group can be imported."""
    absent = missing(group)
    if not absent:
        return
    requested = os.environ.get("STROBE_NEEDS")
    if requested:
        pathlib.Path(requested).write_text(f"python-{group}")
    raise MissingPackages(f"these Python packages are missing: {', '.join(absent)}\n{advice(group)}")


def advice(group: str) -> str:
    """How to install the group."""
    start = PACKAGE.parent / "strobe"
    if start.is_file():
        return f"{start} installs them when it starts the command (unless STROBE_PYTHON=no)"
    source = PACKAGE if (PACKAGE / "pyproject.toml").is_file() else "strobe"
    lines = [f"    python3 -m pip install '{source}[{group}]'"]
    if sys.prefix == sys.base_prefix:  # Debian's Python installs into environments only
        home = own_environment()
        lines = [f"    python3 -m venv {home}", f"    {home}/bin/pip install '{source}[{group}]'"]
        return "\n".join(["install them with (the first line needs the package python3-venv):", *lines])
    return "\n".join(["install them with:", *lines])


def own_environment() -> pathlib.Path:
    """The environment that an installed program looks for (platform/app/python.cpp)."""
    data = os.environ.get("XDG_DATA_HOME") or str(pathlib.Path.home() / ".local" / "share")
    return pathlib.Path(data) / "strobe" / "python"
