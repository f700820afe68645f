# SPDX-License-Identifier: Apache-2.0
"""The page of each point: as `strobe report` draws it, but all pages of a study share one plotly.js beside them."""
from __future__ import annotations

import json
import pathlib

from strobe.explore.cache import write_whole
from strobe.run import StrobeError

PLOTLY = "plotly.min.js"


def write(report: str, page: pathlib.Path) -> None:
    """report: its text. Without a page if it cannot be drawn, because an older program has written it."""
    from strobe.report import page_of

    try:
        text = page_of(json.loads(report), page.with_suffix(".json").name, PLOTLY)
    except StrobeError:
        return
    write_whole(page, text, is_lasting=False)


def share_plotly(folder: pathlib.Path) -> None:
    """Writes what all pages need, once."""
    from plotly.offline import get_plotlyjs

    if not (folder / PLOTLY).exists():
        write_whole(folder / PLOTLY, get_plotlyjs())
