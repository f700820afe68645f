# SPDX-License-Identifier: Apache-2.0
"""The page of a run: what limits it, how fast it was, where the time went, and which drive it was."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from strobe.report import blocks, charts, html, stages, units

Report = Mapping[str, Any]


def render(report: Report, source: str, plotly_file: str = "") -> str:
    """plotly_file: as html.render() has it; such a page does not contain the report, which is beside it."""
    drawn: dict[str, charts.Chart] = {}

    def add(name: str, chart: charts.Chart | None) -> str | None:
        if chart is None or not chart["data"]:
            return None
        drawn[name] = chart
        return name

    titles = charts.group_titles([report])
    if report.get("series"):
        series = charts.Series(report)
        add("bandwidth", charts.bandwidth(series))
        add("iops", charts.iops(series))
        add("latency", charts.latency(series))
        add("queue_depth", charts.queue_depth(series))
        add("amplification", charts.amplification(series))
        add("programs", charts.programs(series))
        add("groups_busy", charts.groups_over_time(series, titles, "utilisation"))
        add("groups_queue", charts.groups_over_time(series, titles, "mean_queue"))
    if report.get("latency_histograms"):
        add("distribution", charts.distribution(report))
        add("tail", charts.tail([("", report)]))
    for name, chart in stages.charts_of(report).items():
        add(name, chart)
    add("temperature", charts.temperature(report))
    add("utilisation", charts.utilisation_map(report))
    add("wear_map", charts.wear_map(report))
    add("wear_histogram", charts.wear_histogram(report))
    add("wear_history", charts.wear_history(report))
    return html.render("run.html.j2", {
        "title": report["scenario"], "report": report, "charts": drawn, "u": units, "groups": titles,
        "diagram": blocks.diagram(report), "operations": operations(report), "tiles": tiles(report),
        "changes": report.get("config_differences", {}), "config": sections(report["config"]),
        "energy": energy(report), "firmware": firmware(report), "source": source, "stages": stages.tables_of(report),
        "slowest": stages.slowest_of(report), "phases": phases(report),
    }, plotly_file)


def operations(report: Report) -> list[tuple[str, Mapping[str, Any]]]:
    """Rows of the table, in the order read, write, …, all."""
    rows = [(name, row) for name, row in report["totals"].items() if name != "all"]
    rows += [("all", report["totals"]["all"])] if len(rows) != 1 else []
    return rows


def phases(report: Report) -> list[tuple[Mapping[str, Any], bool]]:
    """Rows of the table: each phase, and the jobs that it had beside each other; whether it is such a job."""
    return [row for phase in report["phases"] for row in ((phase, False), *((job, True) for job in phase.get("jobs", ())))]


def tiles(report: Report) -> list[tuple[str, str, str]]:
    """Name, value, note."""
    totals = report["totals"]
    out = []
    for name in ("read", "write"):
        row = totals.get(name)
        if row and row["requests"]:
            out.append((f"{name} bandwidth", f"{units.number(row['megabytes_per_second'])} MB/s", f"{units.number(row['iops'])} requests/s"))
    for name in ("read", "write"):
        row = totals.get(name)
        if row and row["requests"]:
            out.append((f"{name} latency, p99", units.time(row["latency"]["p99_ps"]), f"mean {units.time(row['latency']['mean_ps'])}"))
    if totals.get("write", {}).get("requests"):
        out.append(("write amplification", units.number(report["flash"]["write_amplification"], 3), "programmed / written"))
    out.append(("energy", units.energy(report["energy"]["total_joule"]), f"{units.number(report['energy']['mean_watt'], 3)} W on average"))
    return out


def energy(report: Report) -> list[tuple[str, float, float, str]]:
    """Component, joule, share, source; largest first."""
    total = report["energy"]["total_joule"] or 1
    rows = [(row["component"], row["joule"], row["joule"] / total, row["source"]) for row in report["energy"]["components"]]
    return sorted(rows, key=lambda row: -row[1])


def firmware(report: Report) -> list[tuple[str, int, float]]:
    """Cost point, charges, share of the cycles; largest first."""
    rows = [(name, row["times"], row["share"]) for name, row in report["firmware"]["costs"].items() if row["times"]]
    return sorted(rows, key=lambda row: -row[2])


def sections(config: Mapping[str, Any]) -> list[tuple[str, list[tuple[str, str]]]]:
    """The resolved scenario: section, its parameters with dotted names; first those that belong to no section."""
    single = [(key, units.value(value)) for key, value in config.items() if not _is_section(value)]
    out = [("scenario", single)] if single else []
    out += [(key, list(_leaves(value, key))) for key, value in config.items() if _is_section(value)]
    return [row for row in out if row[1]]


def _is_section(value: Any) -> bool:
    return isinstance(value, Mapping) or (isinstance(value, list) and bool(value) and isinstance(value[0], Mapping))


def _leaves(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if not _is_section(value):
        yield path, units.value(value)
        return
    for key, inner in value.items() if isinstance(value, Mapping) else enumerate(value):
        yield from _leaves(inner, f"{path}.{key}")
