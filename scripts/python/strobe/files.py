# SPDX-License-Identifier: Apache-2.0
"""Files that commands write. StrobeError if they cannot be written."""
from __future__ import annotations

import os
import pathlib
import tempfile

from strobe.run import StrobeError


def write(path: pathlib.Path, text: str) -> None:
    """Whole or not at all."""
    if path.is_dir():
        raise StrobeError(f"{path}: is a directory, not a file")
    try:
        if path.exists() and not path.is_file():  # a pipe, /dev/stdout
            path.write_text(text, encoding="utf-8")
            return
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
            try:
                file.write(text)
                file.flush()
                os.chmod(file.name, path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask())
                os.replace(file.name, path)
            except BaseException:
                os.unlink(file.name)
                raise
    except OSError as problem:
        raise StrobeError(f"{path}: cannot be written: {problem.strerror}") from None


def require_writable(path: pathlib.Path) -> None:
    """Found out before work is done."""
    if path.is_dir():
        raise StrobeError(f"{path}: is a directory, not a file")
    place = path if path.exists() else path.parent
    if not place.exists():
        raise StrobeError(f"{path}: cannot be written: there is no directory {path.parent}")
    if not os.access(place, os.W_OK):
        raise StrobeError(f"{path}: cannot be written: permission denied")


def require_directory(path: pathlib.Path) -> None:
    """The same of a directory that is made when a file in it is written."""
    place = next(there for there in (path, *path.absolute().parents) if there.exists())
    if not place.is_dir():
        raise StrobeError(f"{path}: cannot be made: {place} is not a directory")
    if not os.access(place, os.W_OK):
        raise StrobeError(f"{path}: cannot be written: permission denied")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
