# SPDX-License-Identifier: Apache-2.0
"""`python3 -m strobe --options`: the options of the commands as JSON, for `strobe completion` (platform/app/completion.cpp).

By command: `argument`, what its arguments are called in its help; `options`, each with `names`, `value` (what its help calls its
value; null: it takes none) and `words` (its possible values, if they are listed).
"""
from __future__ import annotations

import argparse
import importlib
import json
from typing import Any

# Values that the command checks itself, with a message of its own: command, option -> module and name.
WORDS = {("explore", "--method"): ("strobe.explore.names", "METHODS"), ("explore", "--objective"): ("strobe.explore.names", "SHORT")}


def words_of(command: str, action: argparse.Action) -> list[str]:
    if action.choices is not None:
        return [str(choice) for choice in action.choices]
    listed = next((WORDS[command, name] for name in action.option_strings if (command, name) in WORDS), None)
    return [] if listed is None else list(getattr(importlib.import_module(listed[0]), listed[1]))


def described(command: str, parser: argparse.ArgumentParser) -> dict[str, Any]:
    actions = [action for action in parser._actions if action.help != argparse.SUPPRESS]
    return {
        "argument": next((str(action.metavar) for action in actions if not action.option_strings), ""),
        "options": [{"names": action.option_strings, "value": None if action.nargs == 0 else str(action.metavar),
                     "words": words_of(command, action)} for action in actions if action.option_strings],
    }


def text(commands: list[str]) -> str:
    return json.dumps({command: described(command, importlib.import_module(f"strobe.{command}").parser()) for command in commands})
