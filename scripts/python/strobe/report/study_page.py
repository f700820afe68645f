# SPDX-License-Identifier: Apache-2.0
"""The page of one or more studies of papers: each figure with the paper's values beside Strobe's, and the paper's statements."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from strobe.report import charts, html, units
from strobe.run import StrobeError

Study = Mapping[str, Any]
MOST_SERIES = 8  # colours


def render(data: Mapping[str, Any], source: str) -> str:
    studies: Sequence[Study] = data["studies"] if "studies" in data else [data]
    drawn: dict[str, charts.Chart] = {}
    try:
        chapters = [chapter(study, number, drawn) for number, study in enumerate(studies)]
    except (KeyError, TypeError, AttributeError, ValueError) as problem:
        raise StrobeError(f"{source}: not the JSON of strobe reproduce: {type(problem).__name__}: {problem}") from None
    title = studies[0]["paper"] if len(studies) == 1 else "Published systems on one platform"
    return html.render("study.html.j2", {"title": title, "chapters": chapters, "charts": drawn, "u": units, "source": source,
                                         "data": data})


def chapter(study: Study, number: int, drawn: dict[str, charts.Chart]) -> dict[str, Any]:
    cells = study["cells"]
    # Of several entries of a figure the first has its name.
    headings = {row["figure"]: row for row in [*reversed(study.get("figures", [])), *study.get("headings", [])]}
    figures = []
    for figure in dict.fromkeys(cell["figure"] for cell in cells):
        rows = [cell for cell in cells if cell["figure"] == figure]
        parts = []
        for quantity in dict.fromkeys(cell["quantity"] for cell in rows):
            name = f"{number}-{figure}-{quantity}"
            points = [cell for cell in rows if cell["quantity"] == quantity]
            values = {cell[key] for cell in points for key in ("measured", "paper")} - {None}
            is_constant = len(values) == 1
            if not is_constant:
                drawn[name] = figure_chart(points)
            parts.append({"quantity": quantity, "chart": None if is_constant else name, "is_wide": is_wide(points),
                          "constant": f"{units.number(values.pop())} {points[0]['unit']}" if is_constant else ""})
        heading = headings.get(figure, {})
        figures.append({"name": heading.get("name") or (figure if figure[:1].isalpha() else f"Figure {figure}"),
                        "title": heading.get("title", ""), "parts": [part for part in parts if part["chart"]],
                        "constants": [part for part in parts if not part["chart"]],
                        "printed": sum(cell["paper"] is not None for cell in rows), "notes": notes_of(rows)})
    statements = study.get("statements", [])
    errors = [abs(cell["error"]) for cell in cells if cell["paper"] is not None]
    return {"study": study, "id": study["study"], "figures": figures, "statements": statements,
            "held": tally(statements), "printed": len(errors),
            "error": sum(errors) / len(errors) if errors else None}


def tally(statements: Sequence[Mapping[str, Any]]) -> str:
    """Of the statements that are evidence: how many hold, and how many the seeds do not decide."""
    verdicts = [row["verdict"] for row in statements if row["evidence"]]
    undecided = verdicts.count("undecided")
    return f"{verdicts.count('holds')} of {len(verdicts)}" + (f", {undecided} undecided" if undecided else "")


def is_wide(cells: Sequence[Mapping[str, Any]]) -> bool:
    """Whether half the page is not enough."""
    places = Places.of(cells)
    return places.pairs is not None or (len(cells) > 30 and not places.is_line)


def notes_of(cells: Sequence[Mapping[str, Any]]) -> list[str]:
    """Special conditions, each with the points that it holds for, unless that is all of them."""
    by_note: dict[str, list[str]] = {}
    for cell in cells:
        if cell["note"]:
            by_note.setdefault(cell["note"], []).append(" ".join(filter(None, (cell["workload"], cell["setting"]))))
    notes = []
    for note, points in by_note.items():
        points = list(dict.fromkeys(points))
        place = ", ".join(points[:4]) + (f" and {len(points) - 4} more" if len(points) > 4 else "")
        notes.append(note if len(points) == len({(cell["workload"], cell["setting"]) for cell in cells}) else f"{place}: {note}")
    return notes


def figure_chart(cells: Sequence[Mapping[str, Any]]) -> charts.Chart:
    """One quantity: a colour per workload, the settings along the axis; printed values are open diamonds."""
    places = Places.of(cells)
    by_setting = places.are_settings
    others = list(dict.fromkeys(cell["workload" if by_setting else "setting"] for cell in cells))
    is_single = len({cell["setting" if by_setting else "workload"] for cell in cells}) == len(cells)  # one value at each place
    has_values = is_single and not places.is_line and len(cells) <= 8
    data: list[charts.Chart] = []
    for index, other in enumerate(others):
        rows = {cell["setting" if by_setting else "workload"]: cell for cell in cells
                if cell["workload" if by_setting else "setting"] == other}
        shade = f"@run{index % MOST_SERIES + 1}"
        label = other or "Strobe"
        for number, names in enumerate(places.runs()):
            there = [name for name in names if name in rows]
            measured: charts.Chart = {"name": label, "legendgroup": label, "x": places.x(there),
                                      "y": [rows[name]["measured"] for name in there], "showlegend": number == 0 and len(others) > 1,
                                      "text": [name or label for name in there],
                                      "hovertemplate": "%{text}: %{y}<extra>%{fullData.name}, Strobe</extra>"}
            if places.is_line:
                measured |= {"type": "scatter", "mode": "lines+markers",
                             "line": {"color": shade, "width": 1.8, "dash": "solid" if index < MOST_SERIES else "dot"},
                             "marker": {"color": shade, "size": 6}}
            else:  # beyond the colours there are, bars are hatched
                measured |= {"type": "bar", "marker": {"color": shade, "pattern": {"shape": "" if index < MOST_SERIES else "/"}},
                             "textposition": "outside" if has_values else "none", "cliponaxis": False}
                if has_values:
                    measured["texttemplate"] = "%{y:.3~s}" if max(measured["y"], default=0) >= 1e4 else "%{y:.4~r}"
                if not is_single:
                    measured["offsetgroup"] = str(index)
            data.append(measured)
        printed = [name for name in places.names if name in rows and rows[name]["paper"] is not None]
        if printed:
            data.append({"type": "scatter", "mode": "markers", "name": f"{label}, paper" if label != "Strobe" else "paper",
                         "legendgroup": label, "x": places.x(printed), "y": [rows[name]["paper"] for name in printed],
                         **({} if places.is_line or is_single else {"offsetgroup": str(index)}), "showlegend": False,
                         "marker": {"symbol": "diamond-open", "size": 9, "color": "@ink", "line": {"width": 1.6, "color": "@ink"}},
                         "text": [f"{name}: Strobe {100 * rows[name]['error']:+.1f} %" for name in printed],
                         "hovertemplate": "%{y} printed<br>%{text}<extra>%{fullData.name}</extra>"})
    unit = cells[0]["unit"]
    values = sorted(cell["measured"] for cell in cells)
    # A few values that are far above the others would leave these on the axis.
    is_log = places.is_line and places.pairs is None and values[0] > 0 and values[-1] > 8 * values[len(values) // 2]
    layout = {"xaxis": places.axis(), "yaxis": charts.axis(f"{cells[0]['quantity']}{', ' + unit if unit else ''}",
                                                           **({"type": "log", "dtick": 1} if is_log else {"rangemode": "tozero"})),
              "bargap": 0.25,
              "barmode": "overlay" if is_single else "group", "scattermode": "overlay" if is_single or places.is_line else "group"}
    return charts.chart(data, layout, 300 + 18 * (len(others) // 5) + (40 if places.pairs else 0))


class Places:
    """Settings along an axis: numbers, pairs ("1 x 2, 40MB/s", grouped by the first of each), or words."""

    @classmethod
    def of(cls, cells: Sequence[Mapping[str, Any]]) -> Places:
        """The more numerous of settings and workloads."""
        settings, workloads = (list(dict.fromkeys(cell[key] for cell in cells)) for key in ("setting", "workload"))
        are_settings = len(settings) >= len(workloads)
        return cls(settings if are_settings else workloads, are_settings)

    def __init__(self, names: Sequence[str], are_settings: bool = True) -> None:
        self.names = list(names)
        self.are_settings = are_settings
        parts = [name.rpartition(", ")[::2] for name in names]
        firsts = list(dict.fromkeys(first for first, _ in parts))
        self.numbers = _numbers(names)
        self.pairs = dict(zip(names, parts)) if len(names) > 12 and all(first for first in firsts) and len(firsts) < len(names) else None
        self.is_line = self.numbers is not None or len(names) > 12 or (len(names) > 4 and sum(map(_is_number, names)) >= len(names) - 1)

    def runs(self) -> list[list[str]]:
        """What a line connects."""
        if self.pairs is None:
            return [self.names]
        return [[name for name in self.names if self.pairs[name][0] == first]
                for first in dict.fromkeys(first for first, _ in self.pairs.values())]

    def x(self, names: Sequence[str]) -> list[Any]:
        if self.numbers is not None:
            return [self.numbers[name] for name in names]
        if self.pairs is not None:
            return [[self.pairs[name][part] for name in names] for part in (0, 1)]
        return [name or "–" for name in names]

    def axis(self) -> charts.Chart:
        if self.numbers is not None:
            return charts.axis("")
        return {"type": "category" if self.pairs is None else "multicategory"}


def _is_number(name: str) -> bool:
    try:
        float(name)
    except ValueError:
        return False
    return True


def _numbers(names: Sequence[str]) -> dict[str, float] | None:
    """The settings, if all are numbers."""
    return {name: float(name) for name in names} if len(names) > 2 and all(map(_is_number, names)) else None
