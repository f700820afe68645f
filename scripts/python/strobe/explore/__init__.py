# SPDX-License-Identifier: Apache-2.0
"""`strobe explore`: a study over the parameters of a scenario."""
from __future__ import annotations

from strobe.arguments import Parser
from strobe.run import StrobeError


def main(arguments: list[str]) -> int:
    parser = Parser("explore", "Varies parameters of a scenario, runs every point, and shows the best.",
                    "Example:\n  strobe explore study.json")
    parser.add_argument("study", help="study file")
    parser.parse_args(arguments)
    raise StrobeError("strobe explore: this version has no studies yet")
