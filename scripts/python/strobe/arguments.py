# SPDX-License-Identifier: Apache-2.0
"""Command lines like those of the program: the same headings, examples at the end, and after a mistake the same sentences as
platform/app/command_messages.cpp writes, with exit code 2.
"""
from __future__ import annotations

import argparse
import difflib
import re
from collections.abc import Sequence
from typing import Any, NoReturn

NUMBERS = {"int": "a whole number", "float": "a number"}


def _name(action: argparse.Action) -> str:
    return action.option_strings[-1] if action.option_strings else str(action.metavar or action.dest)


class _Help(argparse.RawDescriptionHelpFormatter):
    def add_usage(self, usage, actions, groups, prefix=None):  # type: ignore[no-untyped-def]
        super().add_usage(usage, actions, groups, "Usage: " if prefix is None else prefix)


class Parser(argparse.ArgumentParser):
    """`epilog` has the examples: "Example:\\n  strobe report …"."""

    def __init__(self, command: str, description: str, epilog: str) -> None:
        super().__init__(prog=f"strobe {command}", description=description, epilog=epilog, formatter_class=_Help,
                         allow_abbrev=False)

    def parse_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> Any:  # type: ignore[override]
        options, unknown = self.parse_known_args(args, namespace)
        if unknown:
            self.error(self._unexpected(unknown[0]))
        return options

    def error(self, message: str) -> NoReturn:
        text = self._reworded(message)
        place = "" if text.startswith("-") else f"{self.prog}: "  # else the command is the place
        self.exit(2, f"{place}{text}\n{self.prog} --help explains the command.\n")

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        try:
            return super()._get_value(action, arg_string)
        except argparse.ArgumentError as problem:
            wrong = re.match("invalid ([a-z]+) value: ", problem.message)
            what = f"must be {NUMBERS.get(wrong[1], wrong[1])}" if wrong else problem.message
            self.error(f"{_name(action)} {arg_string}: {what}")

    def _unexpected(self, argument: str) -> str:
        if len(argument) < 2 or not argument.startswith("-"):
            return f'unexpected argument "{argument}"'
        names = [name for action in self._actions for name in action.option_strings if name.startswith("--")]
        nearest = difflib.get_close_matches(argument.partition("=")[0], names, 1)
        return f"unknown option {argument}" + (f"; did you mean {nearest[0]}?" if nearest else "")

    def _reworded(self, message: str) -> str:
        """argparse's own text, with the place first and then what is allowed."""
        if missing := re.fullmatch("the following arguments are required: (.*)", message):
            return f"missing: {missing[1]}"
        found = re.fullmatch("argument ([^:]+): (.*)", message, re.DOTALL)
        if found is None:
            return message
        place, said = found[1].split("/")[-1], found[2]
        if said == "expected one argument":
            value = next((action.metavar for action in self._actions if place in action.option_strings), None)
            return f"{place}: its value is missing" + (f": {value}" if value else "")
        if wrong := re.fullmatch(r"invalid choice: '(.*)' \(choose from (.*)\)", said, re.DOTALL):
            return f"{place} {wrong[1]}: must be {wrong[2].replace(chr(39), '')}"
        return f"{place}: {said}"
