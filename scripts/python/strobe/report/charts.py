# SPDX-License-Identifier: Apache-2.0
"""Charts of a run, as Plotly figures in JSON. A colour is a role ("@read"), which the page replaces by the colour that it has in
the light or the dark theme (templates/style.css): one meaning per colour."""
from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from strobe.report import units

Chart = dict[str, Any]
Report = Mapping[str, Any]

OPERATIONS = ("read", "write", "flush", "trim")
PURPOSES = {"host": "@purpose1", "garbage_collection": "@purpose2", "merge": "@purpose3", "wear_levelling": "@purpose4",
            "block_replacement": "@purpose5", "metadata": "@purpose6", "refresh": "@purpose7"}
PERCENTILES = (("p50_ps", "p50", "solid"), ("p99_ps", "p99", "dash"), ("p99_9_ps", "p99.9", "dot"))
WIDEST_MAP = 480  # columns of a wear map


def group_titles(reports: Iterable[Report]) -> dict[str, str]:
    """Titles of the groups of resources of some reports, in the order of a request's way. Older reports have names alone."""
    return {row["group"]: row.get("title", row["group"]) for report in reports for row in report["groups"]}


def colour(operation: str) -> str:
    return f"@{operation}" if operation in OPERATIONS else "@other"


def chart(data: list[Chart], layout: Chart, height: int = 300) -> Chart:
    return {"data": data, "layout": layout, "height": height}


def axis(title: str, **more: Any) -> Chart:
    return {"title": {"text": title}, **more}


def time_ticks(lowest_ps: float, highest_ps: float) -> Chart:
    """Ticks of a logarithmic axis of times, labelled with their units: decades, and between them if there are few."""
    steps = (1, 2, 5) if highest_ps < 50 * lowest_ps else (1,)
    ticks = [step * 10.0 ** exponent for exponent in range(0, 16) for step in steps
             if lowest_ps / 10 <= step * 10.0 ** exponent <= highest_ps * 10]
    labelled: Chart = {"type": "log", "tickvals": ticks, "ticktext": [units.time(tick) for tick in ticks]}
    if highest_ps < 4 * lowest_ps:  # nearly equal times: a range that contains a tick, and does not enlarge what is no difference
        middle = (math.log10(lowest_ps) + math.log10(highest_ps)) / 2
        labelled["range"] = [round(middle - 0.4, 3), round(middle + 0.4, 3)]
    return labelled


def temperature(report: Report) -> Chart | None:
    """Of controller and flash over the whole run, with the power on a second axis; throttled times are not marked."""
    if "thermal" not in report:
        return None
    course = report["thermal"]["course"]
    factor, unit = units.time_axis(course["time_ps"][-1] or 1)
    times = [round(time / factor, 6) for time in course["time_ps"]]

    def line(name: str, key: str, shade: str, **more: Any) -> Chart:
        return {"type": "scatter", "mode": "lines", "name": name, "x": times, "y": [significant(value) for value in course[key]],
                "line": {"color": shade, "width": 1.8}, **more}

    return chart([line("controller", "controller_celsius", "@write"), line("flash", "flash_celsius", "@read"),
                  line("power", "watt", "@other", yaxis="y2")],
                 {"xaxis": axis(f"simulated time, {unit}"), "yaxis": axis("degrees Celsius"), "showlegend": True,
                  "yaxis2": axis("W", overlaying="y", side="right", rangemode="tozero", showgrid=False)})


# --- over time ------------------------------------------------------------------------------------------------------------


class Series:
    """The time series of a report, with the axis of its intervals."""

    def __init__(self, report: Report) -> None:
        self.data = report["series"]
        lengths: list[int] = self.data["length_ps"]
        ends = []
        end = 0
        for length in lengths:
            end += length
            ends.append(end)
        self.factor, self.unit = units.time_axis(end)
        self.seconds = [length / 1e12 for length in lengths]
        self.middles = [round((end - length / 2) / self.factor, 6) for end, length in zip(ends, lengths)]
        self.operations = [(name, self.data["operations"][name]) for name in sorted(
            self.data["operations"], key=lambda name: OPERATIONS.index(name) if name in OPERATIONS else len(OPERATIONS))]

    def x_axis(self) -> Chart:
        return axis(f"measured time, {self.unit}", rangemode="tozero")

    def rate(self, counts: Sequence[float], per: float = 1.0) -> list[float]:
        return [significant(count / seconds / per) for count, seconds in zip(counts, self.seconds)]

    def line(self, name: str, values: Sequence[float | None], shade: str, dash: str = "solid", **more: Any) -> Chart:
        is_sparse = sum(value is not None for value in values) < 0.7 * len(values) or len(values) == 1
        return {"type": "scatter", "mode": "lines+markers" if is_sparse else "lines", "name": name,
                "x": self.middles, "y": list(values),
                "line": {"color": shade, "dash": dash, "width": 1.8}, "marker": {"color": shade, "size": 4}, **more}


def significant(value: float | None) -> Any:
    return None if value is None else float(f"{value:.5g}")


def bandwidth(series: Series) -> Chart:
    lines = [series.line(name, series.rate(row["bytes"], 1e6), colour(name)) for name, row in series.operations if any(row["bytes"])]
    return chart(lines, {"xaxis": series.x_axis(), "yaxis": axis("MB/s", rangemode="tozero"), "showlegend": True})


def iops(series: Series) -> Chart:
    lines = [series.line(name, series.rate(row["requests"]), colour(name)) for name, row in series.operations]
    return chart(lines, {"xaxis": series.x_axis(), "yaxis": axis("requests/s", rangemode="tozero"), "showlegend": True})


def latency(series: Series) -> Chart:
    lines = []
    seen: list[float] = []
    for name, row in series.operations:
        for key, label, dash in PERCENTILES:
            seen += [value for value in row[key] if value]
            lines.append(series.line(f"{name} {label}", [None if value is None else value for value in row[key]], colour(name), dash,
                                     connectgaps=False, legendgroup=name,
                                     text=[units.time(value) for value in row[key]],
                                     hovertemplate="%{text}<extra>%{fullData.name}</extra>"))
    if not seen:
        return chart([], {})
    return chart(lines, {"xaxis": series.x_axis(), "yaxis": axis("response time", **time_ticks(min(seen), max(seen)))}, 340)


def queue_depth(series: Series) -> Chart:
    lines = [series.line(name, row["queue_depth"], colour(name)) for name, row in series.operations]
    return chart(lines, {"xaxis": series.x_axis(), "yaxis": axis("requests outstanding", rangemode="tozero"), "showlegend": True})


def amplification(series: Series) -> Chart | None:
    values = series.data["write_amplification"]
    if not any(value is not None for value in values):
        return None
    line = series.line("write amplification", [significant(value) for value in values], "@ink", showlegend=False)
    return chart([line], {"xaxis": series.x_axis(), "yaxis": axis("programmed / written", rangemode="tozero")}, 260)


def programs(series: Series) -> Chart | None:
    rows = series.data["flash_programs"]
    if not rows:
        return None
    areas = [series.line(purpose.replace("_", " "), series.rate(counts), PURPOSES.get(purpose, "@other"), stackgroup="programs",
                         fillcolor=PURPOSES.get(purpose, "@other")) for purpose, counts in rows.items()]
    return chart(areas, {"xaxis": series.x_axis(), "yaxis": axis("pages programmed /s", rangemode="tozero")})


def groups_over_time(series: Series, titles: Mapping[str, str], key: str) -> Chart:
    """One row per group, in the order of a request's way."""
    names = list(series.data["groups"])
    is_share = key == "utilisation"
    values = [[min(value, 1.0) if is_share else value for value in series.data["groups"][name][key]] for name in names]
    labels = [titles.get(name, name) for name in names]
    grid = {"type": "heatmap", "x": series.middles, "y": labels, "z": values, "colorscale": "@use", "zmin": 0,
            "hovertemplate": ("%{y}: %{z:.0%} busy" if is_share else "%{y}: %{z:.3g} waiting") + "<extra></extra>",
            "colorbar": {"tickformat": ".0%" if is_share else "", "thickness": 12, "outlinewidth": 0}}
    if is_share or not any(map(any, values)):  # without any queue the scale would be around 0
        grid["zmax"] = 1
    return chart([grid], {"xaxis": axis(f"measured time, {series.unit}"), "yaxis": {"autorange": "reversed", "automargin": True}},
                 90 + 26 * len(names))


# --- latency --------------------------------------------------------------------------------------------------------------


def _histograms(report: Report) -> list[tuple[str, list[float], list[int]]]:
    rows = [(name, row["edges_ps"], row["requests"]) for name, row in report["latency_histograms"].items() if row["requests"]]
    return sorted(rows, key=lambda row: OPERATIONS.index(row[0]) if row[0] in OPERATIONS else len(OPERATIONS))


def distribution(report: Report) -> Chart | None:
    """Share of the requests of an operation by response time."""
    rows = _histograms(report)
    if not rows:
        return None
    lines = []
    for name, edges, counts in rows:
        total = sum(counts)
        lower = max(edges[0], edges[1] / 1.1)
        lines.append({"type": "scatter", "mode": "lines", "name": name, "line": {"color": colour(name), "shape": "vh", "width": 1.6},
                      "fill": "tozeroy", "fillcolor": colour(name) + "/0.12",
                      "x": [lower, *edges[1:], edges[-1]], "y": [0, *[significant(count / total) for count in counts], 0],
                      "text": [units.time(edge) for edge in [lower, *edges[1:], edges[-1]]],
                      "hovertemplate": "up to %{text}: %{y:.2%}<extra>%{fullData.name}</extra>"})
    low, high = min(edges[1] for _, edges, _ in rows), max(edges[-1] for _, edges, _ in rows)
    return chart(lines, {"xaxis": axis("response time", **time_ticks(low, high)),
                         "yaxis": axis("share of requests", tickformat=".0%", rangemode="tozero"), "showlegend": True})


def tail(reports: Sequence[tuple[str, Report]], operation: str | None = None) -> Chart | None:
    """Share of requests that take longer, both axes logarithmic. Several runs: one operation, a colour per run."""
    lines = []
    low, high, least = 1e15, 0.0, 1.0
    for index, (label, report) in enumerate(reports):
        for name, edges, counts in _histograms(report):
            if operation not in (None, name):
                continue
            total = left = sum(counts)
            x: list[float] = [max(edges[0], edges[1] / 1.1)]
            y: list[float | None] = [1.0]
            for edge, count in zip(edges[1:], counts):
                left -= count
                x.append(edge)
                y.append(significant(left / total) if left else None)
            if y[-1] is None:  # down to one request
                y[-1] = significant(1 / (2 * total))
            low, high = min(low, edges[1]), max(high, edges[-1])
            least = min(least, *(value for value in y if value))
            lines.append({"type": "scatter", "mode": "lines", "name": name if operation is None else label, "x": x, "y": y,
                          "line": {"color": colour(name) if operation is None else f"@run{index % 8 + 1}", "width": 1.8},
                          "text": [units.time(edge) for edge in x],
                          "hovertemplate": "%{y:.3%} take longer than %{text}<extra>%{fullData.name}</extra>"})
    if not lines:
        return None
    shares = [10.0 ** -power for power in range(0, 10) if 10.0 ** -power >= least / 2]
    return chart(lines, {"xaxis": axis("response time", **time_ticks(low, high)),
                         "yaxis": axis("share that takes longer", type="log", tickvals=shares,
                                       ticktext=[f"{100 * share:.10g} %" for share in shares]), "showlegend": True})


# --- resources ------------------------------------------------------------------------------------------------------------


def utilisation_map(report: Report) -> Chart | None:
    """Channels side by side; from the top: ECC, bus, and the dies of the channel."""
    placed = [row for row in report["resources"] if "channel" in row]
    if not placed:
        return None
    dies = sorted({(row["way"], row.get("lun", 0)) for row in placed if "way" in row})
    has_luns = any(lun for _, lun in dies)

    def label(row: Mapping[str, Any]) -> str:
        if "way" in row:
            return f"way {row['way']}" + (f", LUN {row['lun']}" if has_luns else "")
        return str(row["name"]).rsplit(" ", 1)[0].replace("channel", "bus")

    others = list(dict.fromkeys(label(row) for row in placed if "way" not in row))
    labels = others + [f"way {way}" + (f", LUN {lun}" if has_luns else "") for way, lun in dies]
    channels = sorted({row["channel"] for row in placed})
    shares: list[list[float | None]] = [[None] * len(channels) for _ in labels]
    texts = [[""] * len(channels) for _ in labels]
    for row in placed:
        y, x = labels.index(label(row)), channels.index(row["channel"])
        shares[y][x] = row["utilisation"]
        texts[y][x] = (f"{row['name']}: {units.percent(row['utilisation'])} busy, {units.number(row['jobs'])} jobs,<br>"
                       f"mean wait {units.time(row['mean_wait_ps'])}, longest {units.time(row['max_wait_ps'])}")
    is_roomy = len(channels) <= 16
    grid = {"type": "heatmap", "x": [f"ch {channel}" for channel in channels], "y": labels, "z": shares, "customdata": texts,
            "colorscale": "@use", "zmin": 0, "zmax": 1, "xgap": 2, "ygap": 2, "hovertemplate": "%{customdata}<extra></extra>",
            "colorbar": {"tickformat": ".0%", "thickness": 12, "outlinewidth": 0}}
    if is_roomy:
        grid["texttemplate"] = "%{z:.0%}"
        grid["textfont"] = {"size": 11}
    return chart([grid], {"xaxis": {"side": "top", "showgrid": False}, "yaxis": {"autorange": "reversed", "automargin": True,
                                                                                   "showgrid": False}}, 70 + 28 * len(labels))


def wear_map(report: Report) -> Chart | None:
    dies = report["flash"]["wear"].get("map")
    if not dies:
        return None
    blocks = max(len(die["erases"]) for die in dies)
    step = -(-blocks // WIDEST_MAP)
    rows = []
    for die in dies:
        bad = {*die["factory_bad"], *die["failed"]}
        row: list[float | None] = []
        for first in range(0, len(die["erases"]), step):
            good = [die["erases"][block] for block in range(first, min(first + step, len(die["erases"]))) if block not in bad]
            row.append(significant(sum(good) / len(good)) if good else None)
        rows.append(row)
    what = "block" if step == 1 else f"block (mean of {step})"
    grid = {"type": "heatmap", "x0": 0, "dx": step, "y": [f"die {die['channel']}.{die['position']}" for die in dies], "z": rows,
            "colorscale": "@use", "zmin": 0, "zmax": max([1, *(value or 0 for row in rows for value in row)]),
            "hovertemplate": "%{y}, block %{x}: %{z} erases<extra></extra>",
            "colorbar": {"thickness": 12, "outlinewidth": 0, "title": {"text": "erases", "side": "right"}}}
    return chart([grid], {"xaxis": axis(what, showgrid=False), "yaxis": {"autorange": "reversed", "automargin": True, "showgrid": False}},
                 min(90 + 14 * len(dies) + 40, 900))


def wear_histogram(report: Report) -> Chart | None:
    counts = report["flash"]["wear"]["histogram"]
    if not any(counts[1:]):
        return None
    bars = {"type": "bar", "x": list(range(len(counts))), "y": counts, "marker": {"color": "@busy"},
            "hovertemplate": "%{y} blocks erased %{x} times<extra></extra>"}
    return chart([bars], {"xaxis": axis("erases", **({"dtick": 1} if len(counts) <= 12 else {})), "yaxis": axis("good blocks"), "bargap": 0.1}, 240)


def wear_history(report: Report) -> Chart | None:
    history = report["flash"]["wear"].get("history")
    if not history:
        return None
    factor, unit = units.time_axis(history[-1]["at_ps"])
    x = [row["at_ps"] / factor for row in history]
    lines = [{"type": "scatter", "mode": "lines", "name": name, "x": x, "y": [row[key] for row in history],
              "line": {"color": "@ink", "dash": dash, "width": 1.8}}
             for key, name, dash in (("max_erases", "most worn block", "solid"), ("min_erases", "least worn block", "dot"))]
    return chart(lines, {"xaxis": axis(f"simulated time, {unit}"), "yaxis": axis("erases", rangemode="tozero")}, 260)
