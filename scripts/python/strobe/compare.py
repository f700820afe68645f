# SPDX-License-Identifier: Apache-2.0
"""`strobe compare`: reports of runs side by side, as a table, and with -o as an HTML page. The table needs no packages."""
from __future__ import annotations

import argparse
import pathlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from strobe import files, needs
from strobe.arguments import Parser
from strobe.report import read, result_of, units
from strobe.report.charts import group_titles
from strobe.run import StrobeError

DESCRIPTION = """Shows reports of runs side by side: what limits each, throughput, latency, flash operations, wear
and energy, with the difference from the first, and the parameters whose values differ."""
EPILOG = """Examples:
  strobe compare four.json eight.json                    a table
  strobe compare four.json eight.json -o compared.html   a page

four.json was written by strobe run workloads/sequential-write --json four.json, eight.json by the
same with --set nand.channels=8 and --json eight.json."""

Report = Mapping[str, Any]
MISSING = object()


@dataclass(frozen=True)
class Run:
    name: str
    report: Report


@dataclass(frozen=True)
class Row:
    """A figure of all runs. `shares`: the difference of each from the first; None where it makes no sense."""

    section: str
    name: str
    texts: list[str]
    shares: list[float | None]


Figure = tuple[str, Callable[[Report], float | None], Callable[[float | None], str]]


def parser() -> argparse.ArgumentParser:
    made = Parser("compare", DESCRIPTION, EPILOG)
    made.add_argument("reports", metavar="REPORT", nargs="+", help="JSON reports of strobe run, two to eight")
    made.add_argument("-o", "--output", metavar="FILE", type=pathlib.Path, help="write an HTML page instead of the table")
    return made


def main(arguments: list[str]) -> int:
    options = parser().parse_args(arguments)
    if not 2 <= len(options.reports) <= 8:
        raise StrobeError(f"strobe compare: takes two to eight reports, not {len(options.reports)}")
    if options.output is not None:
        needs.require("report")
        if options.output.exists() and any(pathlib.Path(name).exists() and options.output.samefile(name) for name in options.reports):
            raise StrobeError(f"{options.output}: is one of the reports; choose another file with -o")
        files.require_writable(options.output)
    runs = [Run(name, result_of(read(file), file).report) for file, name in zip(options.reports, names_of(options.reports))]
    try:
        if options.output is None:
            print(text_of(runs), end="")
            return 0
        from strobe.report import compare_page

        files.write(options.output, compare_page.render(runs))
    except (KeyError, TypeError, AttributeError, IndexError) as problem:
        raise StrobeError(f"strobe compare: not complete reports: {type(problem).__name__}: {problem}") from None
    return 0


def names_of(reports: Sequence[str]) -> list[str]:
    """File names without what all have in common."""
    paths = [pathlib.Path(file) for file in reports]
    stems = [path.stem for path in paths]
    if len(set(stems)) == len(stems):
        return stems
    longer = [str(path.with_suffix("")) for path in paths]
    if len(set(longer)) == len(longer):
        return longer
    return [f"{name} ({number})" for number, name in enumerate(stems, 1)]


# --- figures ----------------------------------------------------------------------------------------------------------------


def value_at(report: Report, *keys: str) -> Any:
    """None: the report does not have it."""
    place: Any = report
    for key in keys:
        if not isinstance(place, Mapping) or key not in place:
            return None
        place = place[key]
    return place


def at(*keys: str) -> Callable[[Report], float | None]:
    return lambda report: value_at(report, *keys)


def group_share(group: str) -> Callable[[Report], float | None]:
    return lambda report: next((row["mean_utilisation"] for row in report["groups"] if row["group"] == group), None)


def sections(runs: Sequence[Run]) -> list[tuple[str, list[Figure]]]:
    present = [name for name in ("read", "write", "flush", "trim") if any(name in run.report["totals"] for run in runs)]
    throughput: list[Figure] = []
    latency: list[Figure] = []
    for name in present:
        total = ("totals", name)
        if name in ("read", "write"):
            throughput.append((f"{name}, MB/s", at(*total, "megabytes_per_second"), units.number))
        throughput.append((f"{name}, IOPS", at(*total, "iops"), units.number))
        latency += [(f"{name}, {label}", at(*total, "latency", key), units.time)
                    for key, label in (("mean_ps", "mean"), ("p50_ps", "p50"), ("p99_ps", "p99"), ("p99_9_ps", "p99.9"), ("max_ps", "longest"))]
    groups = group_titles(run.report for run in runs)
    operations = ("flash", "operations", "total")
    return [("throughput", throughput), ("latency", latency),
            ("busy, mean of the members", [(title, group_share(group), units.percent) for group, title in groups.items()]),
            ("flash", [("write amplification", at("flash", "write_amplification"), units.number),
                       *[(name.replace("_", "-"), at(*operations, name), lambda v: units.number(v, 9))
                         for name in ("reads", "programs", "copy_backs", "erases")]]),
            ("energy", [("energy", at("energy", "total_joule"), units.energy),
                        ("mean power, W", at("energy", "mean_watt"), units.number),
                        ("energy per byte", at("energy", "joule_per_byte"), units.energy)]),
            ("run", [("measured time", at("measured_ps"), units.time), ("seed", at("seed"), lambda v: units.number(v, 12))])]


def rows_of(runs: Sequence[Run]) -> Iterator[Row]:
    for section, figures in sections(runs):
        for name, figure, text in figures:
            values = [figure(run.report) for run in runs]
            if all(value in (None, 0) for value in values):
                continue
            first = values[0]
            shares = [None if not first or value is None or name == "seed" else value / first - 1 for value in values]
            yield Row(section, name, [text(value) for value in values], shares)


# --- what differs in the scenarios ------------------------------------------------------------------------------------------


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Dotted names and values of a resolved scenario."""
    if isinstance(value, Mapping) and value:
        for key, inner in value.items():
            yield from leaves(inner, f"{path}.{key}" if path else key)
    elif isinstance(value, list) and value and isinstance(value[0], Mapping):
        for number, inner in enumerate(value):
            yield from leaves(inner, f"{path}.{number}")
    else:
        yield path, value


def scenario_differences(runs: Sequence[Run]) -> list[tuple[str, list[str]]]:
    """Parameters whose values differ, with the value in each run."""
    flat = [dict(leaves(run.report["config"])) for run in runs]
    keys = dict.fromkeys(key for values in flat for key in values)
    rows = []
    for key in keys:
        values = [values.get(key, MISSING) for values in flat]
        if any(value != values[0] for value in values[1:]):
            rows.append((key, [units.NOTHING if value is MISSING else units.value(value) for value in values]))
    return rows


# --- text -------------------------------------------------------------------------------------------------------------------


def difference(share: float | None) -> str:
    if share is None:
        return ""
    if abs(share) < 0.0005:
        return "="
    return f"x {share + 1:.3g}" if share >= 1 else f"{100 * share:+.1f} %"


def table(rows: Sequence[Sequence[str]], texts: int = 1) -> str:
    """Columns of text; the first `texts` to the left, the others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [cell.ljust(width) if column < texts else cell.rjust(width) for column, (cell, width) in enumerate(zip(row, widths))]
        lines.append(("  " + "  ".join(cells)).rstrip())
    return "\n".join(lines) + "\n"


def text_of(runs: Sequence[Run]) -> str:
    parts = ["Limits\n" + table([(run.name, run.report["limiting"]["sentence"]) for run in runs], 2)]
    head = [""]
    for number, run in enumerate(runs):
        head += [run.name] if number == 0 else [run.name, ""]
    rows: list[list[str]] = []
    for row in rows_of(runs):
        cells = [f"{row.section}: {row.name}" if row.section.startswith("busy") else row.name]
        for number, (text, share) in enumerate(zip(row.texts, row.shares)):
            cells += [text] if number == 0 else [text, difference(share)]
        rows.append(cells)
    rows = [[cell.replace("busy, mean of the members", "busy") for cell in cells] for cells in rows]
    parts.append("Figures\n" + table([head, *rows]))
    changed = scenario_differences(runs)
    if changed:
        parts.append("Scenario\n" + table([["", *[run.name for run in runs]], *[[key, *values] for key, values in changed]]))
    else:
        parts.append("Scenario\n  equal\n")
    return "\n".join(parts)
