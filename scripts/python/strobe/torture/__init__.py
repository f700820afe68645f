# SPDX-License-Identifier: Apache-2.0
"""`strobe torture`: random legal scenarios and requests; every run must keep its data, its counts and its word (docs/testing.md).

    space.py      the parameters, from the schema of the program     drives.py, workloads.py, requests.py   small drives, what they serve
    draft.py      legal cases of these                               case.py      a case, its file, runs of the program
    judge.py      what must hold                                     shrink.py    the smallest case that fails alike
    campaign.py   many cases at a time
"""
from __future__ import annotations

import argparse
import itertools
import json
import math
import os
import pathlib
import re
import time

from strobe import files
from strobe.arguments import Parser
from strobe.run import StrobeError, call
from strobe.torture.campaign import Campaign, Sums
from strobe.torture.case import Case, load
from strobe.torture.draft import Drawer
from strobe.torture.judge import judge

DESCRIPTION = """Runs random legal scenarios with random requests and power losses on small drives of every
kind. Each case is run twice, and once in the other data mode. No data may be lost or wrong,
each request must be answered, all counts must agree, and the reports must be the same byte
by byte. A case that fails is shrunk and written to a file. Exit code 1 if a case failed."""
EPILOG = """Examples:
  strobe torture --cases 1000 --seed 7
  strobe torture --time 8h --jobs 16 --output found
  strobe torture --set firmware.image=./my_ftl.so --cases 500   your own firmware
  strobe torture --repeat found/seed7-case57.json               a case that --output saved
  strobe torture --repeat found/seed7-case57.json --unpack .    its scenario and trace

The same seed, number and program give the same case: --seed 7 --first 57 --cases 1 is case 57."""
TIME = re.compile(r"(\d+(?:\.\d+)?) ?(s|min|h)")
SECONDS = {"s": 1, "min": 60, "h": 3600}


def duration(text: str) -> float:
    found = TIME.fullmatch(text)
    if not found:
        raise argparse.ArgumentTypeError("must be a time like 90s, 10min or 8h")
    return float(found[1]) * SECONDS[found[2]]


def count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 10**9:
        raise argparse.ArgumentTypeError(f"must be a whole number, 1 to {10**9}")
    return int(text)


def number(text: str) -> int:
    if not text.isdecimal() or int(text) >= 2**63:
        raise argparse.ArgumentTypeError(f"must be a whole number, 0 to {2**63 - 1}")
    return int(text)


def setting(text: str) -> str:
    if not re.match(r"[\w.]+=.", text):
        raise argparse.ArgumentTypeError("must be KEY=VALUE, like nand.ways=2")
    key, value = text.split("=", 1)
    return f"{key}={pathlib.Path(value).absolute()}" if key == "firmware.image" and "/" in value else text


def parser() -> argparse.ArgumentParser:
    made = Parser("torture", DESCRIPTION, EPILOG)
    made.add_argument("--cases", metavar="N", type=count, help="number of cases (1000, or no limit with --time)")
    made.add_argument("--time", metavar="TIME", type=duration, help="start no further case after this time, like 10min")
    made.add_argument("--seed", metavar="N", type=number, default=1, help="seed of the cases (1)")
    made.add_argument("--first", metavar="N", type=number, default=0, help="number of the first case (0)")
    made.add_argument("--jobs", metavar="N", type=number, default=0, help="cases at a time; 0, the default: one per processor")
    made.add_argument("--set", metavar="KEY=VALUE", dest="settings", type=setting, action="append", default=[],
                      help="a key of the scenario that all cases have; may be repeated")
    made.add_argument("--output", metavar="DIR", type=pathlib.Path, default=pathlib.Path("torture"),
                      help="directory for cases that fail (torture); created when a case fails")
    made.add_argument("--no-shrink", action="store_true", help="write cases that fail as they are")
    made.add_argument("--json", metavar="FILE", help="write the sums as JSON to a file, or with - to standard output")
    made.add_argument("--repeat", metavar="FILE", type=pathlib.Path, help="judge the case in this file")
    made.add_argument("--unpack", metavar="DIR", type=pathlib.Path, help="with --repeat: write scenario.json and requests.trace instead")
    return made


def main(arguments: list[str]) -> int:
    made = parser()
    options = made.parse_args(arguments)
    if options.unpack is not None and options.repeat is None:
        made.error("--unpack needs --repeat FILE, the case to unpack")
    if options.jobs > 256:
        made.error(f"argument --jobs: must be 0 to 256, not {options.jobs}")
    if options.repeat is not None:
        return repeat(load(options.repeat), options.unpack)
    files.require_directory(options.output)
    report = None if options.json in (None, "-") else pathlib.Path(options.json)
    if report is not None:
        files.require_writable(report)
    most = options.cases or (None if options.time else 1000)
    numbers = itertools.islice(itertools.count(options.first), most)
    drawer = Drawer(options.seed, tuple(options.settings), has_core=core_is_there())
    campaign = Campaign(drawer, options.output, options.jobs or os.cpu_count() or 1, not options.no_shrink)
    sums = campaign.run(numbers, time.monotonic() + (options.time or math.inf), most)
    if report is not None:
        files.write(report, json.dumps(sums.json(), indent=2) + "\n")
    print(json.dumps(sums.json(), indent=2) if options.json == "-" else table(sums))
    return 130 if sums.interrupted else 1 if sums.failed else 0


def core_is_there() -> bool:
    """Whether firmware can run on the RV32 core here: the images need its compiler."""
    return call("run", "workloads/one-page", "--quiet", "--set", "firmware.mode=rv32").returncode == 0


def repeat(case: Case, unpack: pathlib.Path | None) -> int:
    if unpack is not None:
        files.require_directory(unpack)
        unpack.mkdir(parents=True, exist_ok=True)
        file = case.write(unpack)
        print(" ".join(["strobe run", str(file), *(f"--set {text}" for text in case.settings)]))
        return 0
    verdict = judge(case)
    print(f"{case.name}: " + (f"FAILED: {verdict.kind}: {verdict.detail}" if verdict.kind else "ok"))
    return 1 if verdict.kind else 0


def table(sums: Sums) -> str:
    rows = [("cases", sums.cases), ("cases that failed", len(sums.failed)), ("drafts that were not legal", sums.refused),
            ("keys of scenarios that were set", len(sums.keys)), *sorted(sums.counts.items())]
    width = max(len(name) for name, _ in rows)
    lines = ["INTERRUPTED"] * sums.interrupted + [f"{name:{width}}  {value:>13,}" for name, value in rows]
    return "\n".join(lines + [f"FAILED: {failed['kind']}: strobe torture --repeat {failed['file']}" for failed in sums.failed])


__all__ = ["StrobeError", "main", "parser"]
