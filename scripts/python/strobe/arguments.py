# SPDX-License-Identifier: Apache-2.0
"""Command lines like those of the program: same headings, examples at the end, exit code 2 after a mistake."""
from __future__ import annotations

import argparse
from typing import NoReturn


class _Help(argparse.RawDescriptionHelpFormatter):
    def add_usage(self, usage, actions, groups, prefix=None):  # type: ignore[no-untyped-def]
        super().add_usage(usage, actions, groups, "Usage: " if prefix is None else prefix)


class Parser(argparse.ArgumentParser):
    """`epilog` has the examples: "Example:\\n  strobe report …"."""

    def __init__(self, command: str, description: str, epilog: str) -> None:
        super().__init__(prog=f"strobe {command}", description=description, epilog=epilog, formatter_class=_Help,
                         allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\nRun with --help for more information.\n")
