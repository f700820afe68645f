# SPDX-License-Identifier: Apache-2.0
"""One self-contained page: template, style, script, plotly.js once, and all data in script blocks of type application/json."""
from __future__ import annotations

import functools
import json
import pathlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import jinja2

TEMPLATES = pathlib.Path(__file__).resolve().parent / "templates"

# What would end a script block or begin another construct; equal values inside JSON texts.
UNSAFE = {ord("<"): "\\u003c", ord(">"): "\\u003e", ord("&"): "\\u0026", 0x2028: "\\u2028", 0x2029: "\\u2029"}


def script_json(data: Any) -> str:
    """JSON that can stand inside a script block."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False).translate(UNSAFE)


@functools.cache
def _environment() -> jinja2.Environment:
    import jinja2
    import markupsafe

    made = jinja2.Environment(loader=jinja2.FileSystemLoader(TEMPLATES), autoescape=True, trim_blocks=True, lstrip_blocks=True,
                              undefined=jinja2.StrictUndefined)
    made.filters["script_json"] = lambda data: markupsafe.Markup(script_json(data))
    made.globals.update({name: markupsafe.Markup((TEMPLATES / file).read_text(encoding="utf-8"))
                         for name, file in (("style", "style.css"), ("script", "page.js"))})
    return made


def render(template: str, context: Mapping[str, Any], plotly_file: str = "") -> str:
    """The page. `charts` of the context are those that the script draws, by their names. plotly_file: where many pages share plotly.js,
    its name beside them; otherwise it is in the page."""
    import markupsafe

    plotly_js = ""
    if context.get("charts") and not plotly_file:
        import plotly.offline

        plotly_js = markupsafe.Markup(plotly.offline.get_plotlyjs())
    return _environment().get_template(template).render(context, plotly_js=plotly_js, plotly_file=plotly_file)
