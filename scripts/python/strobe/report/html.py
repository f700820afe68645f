# SPDX-License-Identifier: Apache-2.0
"""One self-contained page: template, style, script, plotly.js once, and all data in script blocks of type application/json."""
from __future__ import annotations

import json
import os
import pathlib
import tempfile
from collections.abc import Mapping
from typing import Any

from strobe.run import StrobeError

TEMPLATES = pathlib.Path(__file__).resolve().parent / "templates"

# What would end a script block or begin another construct; equal values inside JSON texts.
UNSAFE = {ord("<"): "\\u003c", ord(">"): "\\u003e", ord("&"): "\\u0026", 0x2028: "\\u2028", 0x2029: "\\u2029"}


def script_json(data: Any) -> str:
    """JSON that can stand inside a script block."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False).translate(UNSAFE)


def render(template: str, context: Mapping[str, Any]) -> str:
    """The page. `charts` of the context are those that the script draws, by their names."""
    import jinja2
    import plotly.offline

    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(TEMPLATES), autoescape=True, trim_blocks=True,
                                     lstrip_blocks=True, undefined=jinja2.StrictUndefined)
    environment.filters["script_json"] = lambda data: jinja2.utils.markupsafe.Markup(script_json(data))
    source = {name: jinja2.utils.markupsafe.Markup((TEMPLATES / name).read_text(encoding="utf-8"))
              for name in ("style.css", "page.js")}
    has_charts = bool(context.get("charts"))
    plotly_js = jinja2.utils.markupsafe.Markup(plotly.offline.get_plotlyjs() if has_charts else "")
    return environment.get_template(template).render(context, style=source["style.css"], script=source["page.js"],
                                                     plotly_js=plotly_js)


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


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
