# SPDX-License-Identifier: Apache-2.0
"""Results on disk, by what they depend on: the complete scenario with its seed, the program, the firmware image and every other file
that the scenario names. A file appears complete or not at all, so that a killed process loses only what it was doing."""
from __future__ import annotations

import contextlib
import hashlib
import json
import os
import pathlib
import re
import subprocess
import time
from collections.abc import Iterator, Mapping
from typing import Any

from strobe.run import StrobeError

DAY = 86_400.0  # seconds
REST_AGE = 30 * DAY  # of an incomplete report that no run still writes, whatever its host
# What a worker lets the program write (point.py), with the letters that the program appends until the file is complete.
_INCOMPLETE = re.compile(r"\.[0-9a-f]{64}-(?P<host>.+)-(?P<process>\d+)\.json(\.\w{6})?")
_COMMENT = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)


def default_directory() -> pathlib.Path:
    base = os.environ.get("XDG_CACHE_HOME") or str(pathlib.Path.home() / ".cache")
    return pathlib.Path(base) / "strobe" / "results"


def file_hash(path: str | os.PathLike[str]) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def scenarios_directory(program: str) -> pathlib.Path:
    """Where the program looks for scenarios (platform/app/commands.cpp)."""
    if given := os.environ.get("STROBE_SCENARIOS"):
        return pathlib.Path(given)
    installed = pathlib.Path(program).resolve().parent.parent / "share" / "strobe" / "scenarios"
    return installed if installed.is_dir() else pathlib.Path(__file__).resolve().parents[4] / "scenarios"


def firmware_file(program: str, mode: str, image: str) -> pathlib.Path:
    if "/" in image:
        return pathlib.Path(image)
    path = pathlib.Path(program).resolve()
    folder = path.parent / "firmware"
    if (path.parent.parent / "share" / "strobe" / "scenarios").is_dir():
        folder = path.parent.parent / "lib" / "strobe" / "firmware"
    return folder / f"strobe_firmware_{image}{'.so' if mode == 'native' else '.elf'}"


def build_identity(program: str) -> str:
    """Of the program and its SystemC library."""
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    return hashlib.sha256((file_hash(program) + version).encode()).hexdigest()


def family(scenario: str, library: pathlib.Path) -> list[pathlib.Path]:
    """The scenario file and all that it extends: files that it names are relative to one of them."""
    found: list[pathlib.Path] = []

    def add(name: str, folder: pathlib.Path) -> None:
        for candidate in (folder / name, folder / f"{name}.json", library / name, library / f"{name}.json"):
            if candidate.is_file():
                if candidate not in found:
                    found.append(candidate)
                    for base in _extended(candidate):
                        add(base, candidate.parent)
                return

    add(scenario, pathlib.Path())
    return found


def without_comments(text: str) -> str:
    """Of a scenario, which may have them."""
    return _COMMENT.sub(lambda match: match[0] if match[0].startswith('"') else " ", text)


def _extended(file: pathlib.Path) -> list[str]:
    try:
        bases = json.loads(without_comments(file.read_text(encoding="utf-8"))).get("extends", [])
    except (ValueError, AttributeError):
        return []
    return [bases] if isinstance(bases, str) else list(bases)


def named_files(config: Any) -> Iterator[str]:
    """Values of the keys "file" and "image" that look like files."""
    if isinstance(config, Mapping):
        for key, value in config.items():
            if key in ("file", "image", "load") and isinstance(value, str) and value:
                yield value
            else:
                yield from named_files(value)
    elif isinstance(config, list):
        for value in config:
            yield from named_files(value)


def key_of(config: Mapping[str, Any], *, program: str, build: str, folders: list[pathlib.Path], image: str | None = None) -> str:
    """config: the complete scenario, with the seed. image: key of the drive image that the run starts from."""
    contents = {key: value for key, value in config.items() if key not in ("name", "description")}
    files: dict[str, str] = {}
    for name in named_files(contents):
        for folder in folders:
            if (folder / name).is_file():
                files[name] = file_hash(folder / name)
                break
    firmware = config.get("firmware", {})
    binary = firmware_file(program, firmware.get("mode", "native"), firmware.get("image", ""))
    if binary.is_file():
        files["firmware"] = file_hash(binary)
    return hashlib.sha256(json.dumps([build, contents, files, *([image] if image else [])], sort_keys=True).encode()).hexdigest()


class Cache:
    def __init__(self, directory: str | os.PathLike[str]) -> None:
        self.directory = pathlib.Path(directory)

    def prepare(self) -> None:
        """StrobeError if it cannot be written."""
        probe = self.directory / f".probe-{os.getpid()}"
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            probe.write_text("x")
            probe.unlink()
        except OSError as problem:
            raise StrobeError(f"{self.directory}: the cache of results cannot be written: {problem.strerror}; choose another "
                              "directory with --cache") from None

    def remove_rests(self) -> None:
        """Incomplete reports of runs that were killed. Other machines may use the cache, and other containers with the same name of the
        host: a file is removed if its process is not on this host and it is a day old, or if it is thirty days old."""
        host, now = os.uname().nodename, time.time()
        for file in self.directory.glob("[0-9a-f][0-9a-f]/.*.json*"):
            match = _INCOMPLETE.fullmatch(file.name)
            if match is None:
                continue
            with contextlib.suppress(OSError):  # another study has removed it, or it belongs to another user
                age = now - file.stat().st_mtime
                if age > REST_AGE or (age > DAY and match["host"] == host and not pathlib.Path("/proc", match["process"]).exists()):
                    file.unlink()

    def file(self, key: str) -> pathlib.Path:
        return self.directory / key[:2] / f"{key}.json"

    def image(self, key: str) -> pathlib.Path:
        return self.directory / "images" / f"{key}.img"

    def get(self, key: str) -> str | None:
        """The text of a report; None: not there, or not readable."""
        try:
            text = self.file(key).read_text(encoding="utf-8")
            json.loads(text)
            return text
        except (OSError, ValueError):
            return None


def write_whole(path: pathlib.Path, text: str, *, is_lasting: bool = True) -> None:
    """The file appears complete or not at all. is_lasting: also if the machine fails."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}-{os.getpid()}")
    try:
        with open(temporary, "w", encoding="utf-8") as file:
            file.write(text)
            if is_lasting:
                file.flush()
                os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as problem:
        temporary.unlink(missing_ok=True)
        problem.filename = str(path)  # a failed write names no file, and the temporary name is of no use to a reader
        problem.filename2 = None
        raise
