# SPDX-License-Identifier: Apache-2.0
"""`strobe compare`: several JSON reports side by side."""
from __future__ import annotations

from strobe.arguments import Parser
from strobe.run import StrobeError


def main(arguments: list[str]) -> int:
    parser = Parser("compare", "Shows several JSON reports side by side, as one HTML page.",
                    "Example:\n  strobe compare a.json b.json -o compare.html")
    parser.add_argument("results", nargs="+", help="reports of strobe run --json")
    parser.add_argument("-o", "--output", metavar="FILE", help="HTML file; default: compare.html")
    parser.parse_args(arguments)
    raise StrobeError("strobe compare: this version has no page yet")
