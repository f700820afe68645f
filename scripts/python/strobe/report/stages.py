# SPDX-License-Identifier: Apache-2.0
"""Where the time of a request goes: the stages of its response time, for all requests of a kind and for the slowest of them."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from strobe.report import charts, units

Report = Mapping[str, Any]

# In the order of a request's way; waits for dies, by what the die does, are between flash unit and bus wait.
COLOURS = {"host_queue": "@stage1", "host_link": "@stage2", "command_fetch": "@stage3", "firmware": "@stage4", "buffer_wait": "@stage6",
           "map_wait": "@stage7", "flash_unit": "@stage5", "die_wait_read": "@stage11", "die_wait_program": "@stage10",
           "die_wait_erase": "@stage9", "die_wait_copyback": "@stage8", "bus_wait": "@stage12", "array": "@stage13",
           "transfer": "@stage14", "ecc": "@stage16", "completion": "@stage17"}
ORDER = list(COLOURS)


def kind_of(stage: str) -> str:
    """A wait for a die without its purpose: "die_wait_erase_garbage_collection" is a "die_wait_erase"."""
    return "_".join(stage.split("_")[:3]) if stage.startswith("die_wait") else stage


def colour(stage: str) -> str:
    """A wait for a die that works for the host is paler than for one that works for the firmware's own purposes."""
    base = COLOURS.get(kind_of(stage), "@other")
    return f"{base}/0.5" if stage.startswith("die_wait") and stage.endswith("_host") else base


def title(stage: str) -> str:
    if stage.startswith("die_wait_"):
        work, _, purpose = stage.removeprefix("die_wait_").partition("_")
        return f"die wait: {work}, {purpose.replace('_', ' ')}" if purpose else f"die wait: {work}"
    return "ECC" if stage == "ecc" else stage.replace("_", " ")


def class_title(name: str) -> str:
    return "all" if name == "all" else name.replace("_percent", " %").replace("slowest_", "slowest ")


def times_of(means: Mapping[str, Any]) -> dict[str, float]:
    """Stage -> mean time in ps."""
    return {key.removesuffix("_ps"): value for key, value in means.items() if key.endswith("_ps") and key != "latency_ps"}


def in_order(stages: Sequence[str]) -> list[str]:
    return sorted(dict.fromkeys(stages), key=lambda stage: (ORDER.index(kind_of(stage)) if kind_of(stage) in ORDER else len(ORDER), stage))


def kinds_of(report: Report) -> Iterator[tuple[str, Mapping[str, Any]]]:
    kinds = report.get("stages", {}).get("kinds", {})
    yield from ((name, kinds[name]) for name in charts.OPERATIONS if kinds.get(name))


def bars(rows: Sequence[tuple[str, Mapping[str, Any]]]) -> charts.Chart:
    """A bar per row, of 100 %; the mean latency is beside its name."""
    labels = [f"{name}<br>{units.time(means['latency_ps'])}" for name, means in rows]
    times = [times_of(means) for _, means in rows]
    data = []
    for stage in in_order([stage for row in times for stage in row]):
        values = [row.get(stage, 0) for row in times]
        shares = [value / (means["latency_ps"] or 1) for value, (_, means) in zip(values, rows)]
        if max(shares) < 0.001:
            continue
        data.append({"type": "bar", "orientation": "h", "name": title(stage), "y": labels, "x": [charts.significant(share) for share in shares],
                     "marker": {"color": colour(stage), "line": {"width": 0.6, "color": "@page"}},
                     "text": [f"{share:.0%}" if share >= 0.06 else "" for share in shares], "textposition": "inside",
                     "insidetextanchor": "middle", "textangle": 0,
                     "customdata": [units.time(value) for value in values],
                     "hovertemplate": "%{x:.1%}, %{customdata}<extra>%{fullData.name}</extra>"})
    layout = {"barmode": "stack", "xaxis": charts.axis("share of the mean latency", tickformat=".0%", range=[0, 1]),
              "yaxis": {"autorange": "reversed", "automargin": True, "showgrid": False}, "bargap": 0.3, "legend": {"traceorder": "normal"}}
    return charts.chart(data, layout, 150 + 46 * len(rows) + 8 * len(data))


def charts_of(report: Report) -> dict[str, charts.Chart]:
    return {f"stages-{name}": bars([(class_title(key), means) for key, means in classes.items()]) for name, classes in kinds_of(report)}


def tables_of(report: Report) -> list[dict[str, Any]]:
    """One part of the page per kind of requests."""
    return [{"title": name, "chart": f"stages-{name}", "sentences": [means["sentence"] for means in classes.values() if means.get("sentence")]}
            for name, classes in kinds_of(report)]


def slowest_of(report: Report) -> list[dict[str, Any]]:
    """The slowest requests, with the three longest stages of each."""
    rows = []
    for request in report.get("stages", {}).get("slowest", []):
        sums: dict[str, int] = {}
        for part in request["path"]:
            sums[part["stage"]] = sums.get(part["stage"], 0) + part["ps"]
        longest = sorted(sums.items(), key=lambda item: -item[1])[:3]
        rows.append({**request, "where": ", ".join(f"{units.time(time)} {title(stage)}" for stage, time in longest)})
    return rows


def comparison(reports: Sequence[tuple[str, Report]]) -> dict[str, charts.Chart]:
    """For each kind and class of requests the bars of all runs that recorded them."""
    out = {}
    for kind in charts.OPERATIONS:
        recorded = [(name, dict(kinds_of(report))[kind]) for name, report in reports if kind in dict(kinds_of(report))]
        for key in dict.fromkeys(key for _, classes in recorded for key in classes if key in ("all", "slowest_1_percent")):
            rows = [(name, classes[key]) for name, classes in recorded if key in classes]
            if len(recorded) > 1:
                out[f"stages of {kind}s, {class_title(key)}"] = bars(rows)
    return out
