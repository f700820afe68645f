# SPDX-License-Identifier: Apache-2.0
"""The page that shows runs side by side: a colour per run, the first is the one that the others are compared with."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from strobe import compare
from strobe.report import charts, html, stages, units

Runs = Sequence[compare.Run]


def render(runs: Runs) -> str:
    drawn: dict[str, charts.Chart] = {}

    def add(name: str, chart: charts.Chart | None) -> None:
        if chart is not None and chart["data"]:
            drawn[name] = chart

    reports = [(run.name, run.report) for run in runs]
    with_histograms = [(name, report if report.get("latency_histograms") else {"latency_histograms": {}}) for name, report in reports]
    for operation in charts.OPERATIONS:
        add(f"tail-{operation}", charts.tail(with_histograms, operation))
        add(f"bandwidth-{operation}", over_time(runs, operation))
    add("groups", groups(runs))
    for name, chart in stages.comparison(reports).items():
        add(name, chart)
    return html.render("compare.html.j2", {
        "title": " · ".join(run.name for run in runs), "runs": runs, "charts": drawn, "u": units, "rows": list(compare.rows_of(runs)),
        "changes": compare.scenario_differences(runs), "difference": compare.difference,
        "stages": [name for name in drawn if name.startswith("stages")],
        "data": {run.name: run.report for run in runs},
    })


def over_time(runs: Runs, operation: str) -> charts.Chart | None:
    """Requests per second of an operation, over the measured time of each run."""
    lines: list[dict[str, Any]] = []
    longest = max((sum(run.report["series"]["length_ps"]) for run in runs if run.report.get("series")), default=0)
    factor, unit = units.time_axis(longest)
    for index, run in enumerate(runs):
        if not run.report.get("series") or operation not in run.report["series"]["operations"]:
            continue
        series = charts.Series(run.report)
        line = series.line(run.name, series.rate(run.report["series"]["operations"][operation]["requests"]), f"@run{index + 1}")
        line["x"] = [x * series.factor / factor for x in series.middles]
        lines.append(line)
    if not lines:
        return None
    return charts.chart(lines, {"xaxis": charts.axis(f"measured time, {unit}", rangemode="tozero"),
                                "yaxis": charts.axis("requests/s", rangemode="tozero")})


def groups(runs: Runs) -> charts.Chart:
    titles = charts.group_titles(run.report for run in runs)
    bars = []
    for index, run in enumerate(runs):
        shares = {row["group"]: row["mean_utilisation"] for row in run.report["groups"]}
        bars.append({"type": "bar", "name": run.name, "x": list(titles.values()),
                     "y": [shares.get(name) for name in titles], "marker": {"color": f"@run{index + 1}"},
                     "hovertemplate": "%{x}: %{y:.1%} busy<extra>%{fullData.name}</extra>"})
    return charts.chart(bars, {"barmode": "group", "xaxis": {}, "yaxis": charts.axis("busy, mean", tickformat=".0%", range=[0, 1])})
