# SPDX-License-Identifier: Apache-2.0
"""`strobe report`: a run's JSON report, or the JSON of a study of a paper, as one HTML page that opens offline."""
from __future__ import annotations

import argparse
import json
import pathlib
import sys
from collections.abc import Mapping
from typing import Any

from strobe import files, needs
from strobe.arguments import Parser
from strobe.result import ReportError, Result
from strobe.run import StrobeError

DESCRIPTION = """Draws a report as one HTML file that opens without a network: what limits the drive,
bandwidth and latency over time, utilisation of every resource, block diagram, wear, energy, and
the scenario with its differences from its parent."""
EPILOG = """Examples:
  strobe report run.json                  of strobe run --json run.json
  strobe report hydra.json -o hydra.html  of strobe reproduce hydra --json hydra.json

Next: strobe run SCENARIO --report run.html does both at once; strobe compare shows several runs
side by side."""


def parser() -> argparse.ArgumentParser:
    made = Parser("report", DESCRIPTION, EPILOG)
    made.add_argument("report", metavar="REPORT", help="JSON report of strobe run or strobe reproduce; - is standard input")
    made.add_argument("-o", "--output", metavar="FILE", type=pathlib.Path,
                      help="page to write (default: the name of the report with the ending .html)")
    made.add_argument("--name", help=argparse.SUPPRESS)  # of the report, where it comes from a temporary file
    return made


def read(source: str) -> Any:
    """The JSON of a file, or of standard input."""
    try:
        text = sys.stdin.read() if source == "-" else pathlib.Path(source).read_text(encoding="utf-8")
        return json.loads(text)
    except OSError as problem:
        raise StrobeError(f"{source}: cannot be read: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise StrobeError(f"{source}: not JSON: it is not text in UTF-8") from None
    except (ValueError, RecursionError) as problem:
        raise StrobeError(f"{source}: not JSON: {problem}") from None


def is_study(data: Any) -> bool:
    return isinstance(data, dict) and (("study" in data and "cells" in data) or isinstance(data.get("studies"), list))


def result_of(data: Any, source: str) -> Result:
    """A report of a run, checked."""
    try:
        return Result.of_text(json.dumps(data), source)
    except ReportError as problem:
        raise StrobeError(str(problem)) from None


def page_of(data: Mapping[str, Any], source: str, plotly_file: str = "") -> str:
    """plotly_file: of a run, as run_page.render() has it."""
    from strobe.report import run_page, study_page

    if is_study(data):
        return study_page.render(data, source)
    report = result_of(data, source).report
    try:
        return run_page.render(report, source, plotly_file)
    except (KeyError, TypeError, IndexError, ValueError, AttributeError, ZeroDivisionError) as problem:
        raise StrobeError(f"{source}: not a complete report: {type(problem).__name__}: {problem}") from None


def main(arguments: list[str]) -> int:

    options = parser().parse_args(arguments)
    is_input = options.report == "-"
    if is_input and options.output is None:
        raise StrobeError("strobe report: a report from standard input needs -o FILE")
    output = options.output or pathlib.Path(options.report).with_suffix(".html")
    if not is_input and output.exists() and pathlib.Path(options.report).exists() and output.samefile(options.report):
        raise StrobeError(f"{output}: is the report; choose another file with -o")
    data = read(options.report)
    needs.require("report")
    files.require_writable(output)
    files.write(output, page_of(data, options.name or ("standard input" if is_input else pathlib.Path(options.report).name)))
    return 0
