# SPDX-License-Identifier: Apache-2.0
"""What must hold for each case, and what a run did.

The program itself checks every sector that a run reads, and after a power loss what was acknowledged, flushed and trimmed
(docs/power_loss.md). On top of that: the run ends, its counts agree with each other and with the requests, a second run writes
the same report byte by byte, and the other data mode gives the same report except for what it stores.
"""
from __future__ import annotations

import json
import pathlib
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from strobe.torture.case import Case, Ended, start
from strobe.torture.requests import KINDS

Report = Mapping[str, Any]
SECONDS = 120  # of processor time, after which a run does not end
OF_DATA_MODE = ("config", "config_differences", "data", "memory")  # keys of a report in which data modes may differ


@dataclass
class Verdict:
    """`kind` is empty for a case that passed; a case that fails in the same way has the same kind."""

    kind: str = ""
    detail: str = ""
    counts: Counter[str] = field(default_factory=Counter)


def judge(case: Case, *, once: bool = False, seconds: int = SECONDS) -> Verdict:
    """once: without the second run and the other data mode."""
    with tempfile.TemporaryDirectory(prefix="strobe-torture-") as name:
        folder = pathlib.Path(name)
        case.write(folder)
        validated = start("validate", folder, case.settings, seconds=seconds)
        if validated.status not in (0, 2):
            return Verdict(f"exit code {validated.status} of validate", words(validated))
        first = start("run", folder, case.settings, "--quiet", "--json", "-", seconds=seconds)
        verdict = of_run(case, first)
        if once or (verdict.kind and verdict.kind != "counts"):
            return verdict
        second = start("run", folder, case.settings, "--quiet", "--json", "-", seconds=2 * seconds)
        if (second.status, second.out) != (first.status, first.out):
            return Verdict("not repeated", f"the second run differs: {difference(first.out, second.out)}")
        other = "bytes" if json.loads(first.out)["data"] == "tags" else "tags"
        third = start("run", folder, (*case.settings, f"data={other}"), "--quiet", "--json", "-", seconds=4 * seconds)
        if third.status != first.status:
            return Verdict("data modes", f"data {other}: ended with {third.status}: {words(third)}")
        if text := difference(comparable(first.out), comparable(third.out)):
            return Verdict("data modes", f"data {other}: {text}")
        return verdict


def of_run(case: Case, run: Ended) -> Verdict:
    if run.status in (-9, -24, 128 + 9, 128 + 24) and not run.out:
        return Verdict("no end", f"the run has not ended after {SECONDS} s of processor time")
    if run.status not in (0, 1) or not run.out:
        return Verdict(f"exit code {run.status}", words(run))
    try:
        report = json.loads(run.out)
    except ValueError:  # firmware in a shared library can print, too
        return Verdict("no report", f"standard output has something besides the report: {run.out[:200]}")
    verdict = Verdict(counts=counted(report))
    excuses = failures_asked_for(report)
    if report["integrity"]["mismatches"] and "capacitors" not in excuses:
        verdict.kind, verdict.detail = "wrong data", json.dumps(report["integrity"]["details"][:1])
    elif run.status == 1 and not excuses:
        found = [kind for kind in report.get("failures", []) if kind["is_error"]]
        verdict.kind, verdict.detail = "failed requests", json.dumps(found)[:1000]
    elif bool(report["errors"]) != (run.status == 1):
        verdict.kind, verdict.detail = "exit code", f"errors {report['errors']} with exit code {run.status}"
    elif problem := next(unequal(case, report), None):
        verdict.kind, verdict.detail = "counts", problem
    verdict.counts["failures that the scenario asks for"] = int(run.status == 1 and not verdict.kind)
    return verdict


def words(run: Ended) -> str:
    return run.err.strip()[-2000:] or f"no message, exit code {run.status}"


# Superblock mapping keeps its tables and its log in superblocks of their own, for which spare blocks are no replacement: two of each
# kind are needed, and two more are there (TABLE_SUPERBLOCKS_MORE in firmware/ftl/superblock_map/policy.h).
JOURNAL_MORE = 2
JOURNAL_FULL = "no superblock is left for the journal"
# Page mapping that joins the planes of a die retires a block of each plane when one fails, so a failure takes as many spare blocks.
SPARES_GONE = "no spare block is left"


def spare_sets(config: Report) -> int:
    """How many failures the spare blocks of a die replace (share_of_plane in firmware/ftl/page_map/capacity.h)."""
    spare = int(config["firmware"].get("spareBlocks", 0))
    joins = (config["firmware"].get("pageMap") or {}).get("superblock", {}).get("joinPlanes")
    return -(-spare // config["nand"]["part"]["planes"]) if joins else spare


def failures_asked_for(report: Report) -> set[str]:
    """Why requests of this run may fail, and say so; wrong data is never asked for, except by capacitors that are too small."""
    power, flash = report.get("power") or {}, report["flash"]
    spare = report["config"]["firmware"].get("spareBlocks", 0)
    log = report["firmware"]["log"]
    dead = (report.get("faults") or {}).get("flash") or {}
    reasons = {"capacitors": power.get("not_saved"), "more bit errors than the code corrects": flash["ecc"]["uncorrectable_pages"],
               "more failed blocks than spare ones": flash["wear"]["failed"] > spare,
               "more failed blocks than spare ones of joined planes": flash["wear"]["failed"] > spare_sets(report["config"]) and any(
                   SPARES_GONE in line for line in log),
               "more failed blocks than the journal has": flash["wear"]["failed"] > JOURNAL_MORE and any(
                   JOURNAL_FULL in line for line in log),
               "dead flash": dead.get("reads_of_dead_flash", 0) + dead.get("copies_of_dead_flash", 0)}
    return {reason for reason, holds in reasons.items() if holds}


# --- counts ---------------------------------------------------------------------------------------------------------------------


def unequal(case: Case, report: Report) -> Iterator[str]:
    """Counts of the report that must be equal, and are not."""
    measured = [phase for phase in report["phases"] if phase["measured"]]
    for kind, total in report["totals"].items():
        for key in ("requests", "bytes"):
            parts = sum(phase["totals"].get(kind, {}).get(key, 0) for phase in measured)
            if parts != total[key]:
                yield f"{kind} {key}: {total[key]} in all, {parts} in the measured phases"
        histogram = report["latency_histograms"].get(kind)
        if histogram and sum(histogram["requests"]) != total["requests"]:
            yield f"{kind}: {total['requests']} requests, {sum(histogram['requests'])} in the histogram of latencies"
    for phase in report["phases"]:
        yield from unequal_in_phase(case, report, phase)
    operations = report["flash"]["operations"]
    for kind, total in operations["total"].items():
        parts = sum(purpose[kind] for purpose in operations["by_purpose"].values())
        if parts != total:
            yield f"flash {kind}: {total} in all, {parts} by purpose"
    wear = report["flash"]["wear"]
    if sum(wear["histogram"]) + wear["factory_bad"] not in (wear["blocks"], wear["blocks"] + wear["factory_bad"]):
        yield f"wear: {wear['blocks']} blocks, {sum(wear['histogram'])} in the histogram"


def unequal_in_phase(case: Case, report: Report, phase: Report) -> Iterator[str]:
    name, totals, source = phase["name"], phase["totals"], phase["source"]
    done = sum(total["requests"] for kind, total in totals.items() if kind != "all")
    if done != totals["all"]["requests"]:
        yield f"phase {name}: {totals['all']['requests']} requests, {done} by kind"
    dropped = (report.get("power") or {}).get("commands_lost", 0) if report["config"].get("power", {}).get("lostCommands") == "drop" else 0
    config = next(item for item in report["config"]["workload"]["phases"] if item["name"] == name)
    own = int(not phase["measured"] and config.get("flush", True))  # the flush that ends a phase of preconditioning
    # Of a source with times of its own the first request after the limit is read, and not sent.
    late = int(config.get("maxTime", "unlimited") != "unlimited" and config.get("pacing", {}).get("mode") in ("open", "dependent"))
    if not phase.get("jobs") and not 0 <= source["requests"] + own - done <= dropped + late:
        yield f"phase {name}: {source['requests']} requests and {own} flush issued, {done} completed, {dropped} commands lost"
    if config["kind"] != "trace":
        return
    if source["requests"] > source["records"] - source["skipped"] + source["split"]:
        yield f"phase {name}: {source['requests']} requests of {source['records']} records, {source['split']} of them split"
    has_limit = config.get("requests") or config.get("volume", "unlimited") != "unlimited" or config.get("maxTime", "unlimited") != "unlimited"
    if not has_limit and not report["interrupted"]:
        if source["records"] != len(case.requests):
            yield f"phase {name}: {source['records']} records of {len(case.requests)} requests"
        for kind in KINDS:
            wanted = sum(request.sectors for request in case.requests if request.kind == kind) * 512
            served, failed = (totals.get(kind, {}).get(key, 0) for key in ("bytes", "failed"))
            if not (dropped or failed or phase.get("jobs")) and served != wanted:
                yield f"phase {name}: {kind} of {served} bytes, {wanted} were requested"


def counted(report: Report) -> Counter[str]:
    """What a run has reached, for the sums of a campaign."""
    flash, config, power = report["flash"], report["config"], report.get("power") or {}
    purposes = flash["operations"]["by_purpose"]
    counts = Counter({
        "requests": sum(phase["totals"]["all"]["requests"] for phase in report["phases"]),
        "sectors checked": report["integrity"]["checked_sectors"],
        "power losses": power.get("cuts", 0), "power losses during recovery": power.get("cuts_in_recovery", 0),
        "commands lost by power losses": power.get("commands_lost", 0), "operations cut by power losses": power.get("operations_cut", 0),
        "flash operations": sum(flash["operations"]["total"].values()),
        "pages with bit errors": flash["ecc"]["pages_with_errors"], "blocks failed": flash["wear"]["failed"],
        f"cases with {config['firmware']['mode']} firmware": 1, f"cases with {layer(config)}": 1,
        f"cases with host.interface {config['host']['interface']}": 1, f"cases with data {report['data']}": 1,
        "cases with power losses": int(power.get("cuts", 0) > 0)})
    for place, sums in (report.get("faults") or {}).items():
        for name, number in sums.items():
            if not name.endswith("_ps"):
                counts[f"faults of the {place}: {name.replace('_', ' ')}"] = number
    for name in ("damaged", "lost"):
        counts[f"faults of the link: {name}"] = report["link"].get(name, 0)
    for purpose, sums in purposes.items():
        counts[f"cases with flash operations for {purpose.replace('_', ' ')}"] = int(sum(sums.values()) > 0)
    counts["planes that read at the same time"] = flash.get("plane_reads", {}).get("overlapped", 0)
    counts["blocks moved because they were due"] = sum(flash.get("refresh", {}).get(f"blocks_for_{why}", 0) for why in ("reads", "age", "errors"))
    counts["cases with repeated reads"] = int(flash.get("reliability", {}).get("mean_retries", 0) > 0)
    return +counts


def layer(config: Report) -> str:
    return str(next((name for name, key in (("page_map", "pageMap"), ("superblock_map", "superblockMap"), ("start_gap", "startGap"))
                     if key in config["firmware"]), "another layer"))


# --- comparison -----------------------------------------------------------------------------------------------------------------


def comparable(text: str) -> str:
    return json.dumps({key: value for key, value in json.loads(text).items() if key not in OF_DATA_MODE}, indent=1)


def difference(one: str, other: str) -> str:
    """The first line that differs; empty: none does."""
    ones, others = one.splitlines(), other.splitlines()
    for number, (a, b) in enumerate(zip(ones, others)):
        if a != b:
            above = [line.strip() for line in ones[max(0, number - 3):number]]
            return f"line {number + 1} of the report (after {' '.join(above)}): {a.strip()} and {b.strip()}"
    return "" if len(ones) == len(others) else f"{len(ones)} and {len(others)} lines"


def alike(one: Verdict, other: Verdict) -> bool:
    """Whether both fail in the same way: messages may differ in numbers and paths."""
    def form(text: str) -> str:
        return re.sub(r"[\d.]+|0x[0-9A-Fa-f]+|/\S+", "#", text.split("\n")[0])[:60]

    if one.kind != other.kind or not one.kind:
        return False
    return not one.kind.startswith(("exit code", "counts")) or form(one.detail) == form(other.detail)
