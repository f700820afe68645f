# SPDX-License-Identifier: Apache-2.0
"""Mistakes of a study file, collected so that all of them are reported at once."""
from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from strobe.explore.expressions import Expression, ExpressionError, unknown

NAME = re.compile(r"[A-Za-z_]\w*")  # of a parameter or value


class Problems:
    """Collects every problem of a file."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.texts: list[str] = []

    def wrong(self, place: str, text: str) -> None:
        self.texts.append(f"{self.file}: {place}: {text}")

    def expect(self, place: str, value: Any, kinds: type | tuple[type, ...], words: str) -> bool:
        if isinstance(value, kinds) and not (isinstance(value, bool) and bool not in (kinds if isinstance(kinds, tuple) else (kinds,))):
            return True
        self.wrong(place, f"must be {words}, not {json.dumps(value)[:60]}")
        return False

    def unknown_keys(self, place: str, given: Mapping[str, Any], allowed: tuple[str, ...]) -> None:
        for key in given:
            if key not in allowed:
                self.wrong(f"{place}/{key}", unknown("unknown key", key, list(allowed)))

    def expression(self, place: str, given: Any, known: set[str]) -> Expression | None:
        if not self.expect(place, given, str, "an expression, as text"):
            return None
        try:
            return Expression.parse(given, known)
        except ExpressionError as problem:
            self.wrong(place, str(problem))
            return None
