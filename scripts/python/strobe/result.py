# SPDX-License-Identifier: Apache-2.0
"""The JSON report of a run (docs/report.md): single values by path, tables as pandas data frames."""
from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas

SCHEMA_VERSION = 2  # of the reports that this module reads


class ReportError(ValueError):
    """A file that is not a report, or a path that it does not contain."""


@dataclass(frozen=True)
class Result:
    """A report. `report` is the JSON object as `strobe run --json` writes it; `source` names it in messages."""

    report: Mapping[str, Any]
    source: str = "report"

    @classmethod
    def of_text(cls, text: str, source: str = "report") -> Result:
        try:
            report = json.loads(text)
        except ValueError as problem:
            raise ReportError(f"{source}: not JSON: {problem}") from None
        if not isinstance(report, dict) or "schema_version" not in report or "totals" not in report:
            raise ReportError(f"{source}: not a report of strobe run --json")
        if report["schema_version"] > SCHEMA_VERSION:
            raise ReportError(f"{source}: schema_version {report['schema_version']} is newer than {SCHEMA_VERSION}, which this "
                              "version of Strobe reads")
        if report["schema_version"] < SCHEMA_VERSION:
            raise ReportError(f"{source}: schema_version {report['schema_version']} is older than {SCHEMA_VERSION}, which this "
                              "version of Strobe reads; run the scenario again")
        return cls(report, source)

    def value(self, path: str) -> Any:
        """The value at a JSON pointer ("/totals/all/iops") or with dots ("totals.all.iops").

        A list item is given by its number, or by its name: "phases.mix.totals.read.iops" is the phase named mix, and
        "groups.die.mean_utilisation" the group of dies.
        """
        place: Any = self.report
        done: list[str] = []
        for step in path_steps(path, self.report):
            place = self._step(place, step, done, path)
            done.append(step)
        return place

    def _step(self, place: Any, step: str, done: list[str], path: str) -> Any:
        if isinstance(place, Mapping):
            if step in place:
                return place[step]
            there = ", ".join(place)
        elif isinstance(place, list):
            if step.lstrip("-").isdigit() and -len(place) <= int(step) < len(place):
                return place[int(step)]
            for key in ("name", "group", "component"):
                for item in place:
                    if isinstance(item, Mapping) and item.get(key) == step:
                        return item
            names = [str(item.get("name", item.get("group"))) for item in place if isinstance(item, Mapping)]
            there = f"{len(place)} items" + (f": {', '.join(names[:12])}" if names else "")
        else:
            there = f"the value {json.dumps(place)}"
        raise ReportError(f"{self.source}: {path}: there is no \"{step}\" in {'.'.join(done) or 'the report'}; there is {there}")

    @property
    def errors(self) -> bool:
        """The run found errors: mismatches, failed requests, device faults."""
        return bool(self.report.get("errors"))

    @property
    def scenario(self) -> Mapping[str, Any]:
        """The complete scenario."""
        return self.report["config"]  # type: ignore[no-any-return]

    def frame(self, table: str = "resources") -> pandas.DataFrame:
        """A list of the report as a table, one row per item: "resources", "groups", "phases", "energy.components"."""
        import pandas

        rows = self.value(table)
        if isinstance(rows, Mapping):
            rows = [{"name": name, **values} if isinstance(values, Mapping) else {"name": name, "value": values}
                    for name, values in rows.items()]
        return pandas.json_normalize(rows)

    def latencies(self) -> pandas.DataFrame:
        """Latencies in microseconds, one row per phase (all: the measured phases together) and operation."""
        import pandas

        rows = []
        for phase in [{"name": "all", "totals": self.report["totals"]}, *self.report.get("phases", [])]:
            for operation, total in phase.get("totals", {}).items():
                latency = total.get("latency", {})
                rows.append({"phase": phase["name"], "operation": operation, "requests": total.get("requests"),
                             **{key.removesuffix("_ps") + "_us": number / 1e6 for key, number in latency.items()
                                if key.endswith("_ps")}})
        return pandas.DataFrame(rows)


def path_steps(path: str, report: Mapping[str, Any] | None = None) -> list[str]:
    """The steps of a path. Names with dots, as of a phase "fill.2", are kept together where the report has them."""
    if path.startswith("/"):
        return [step.replace("~1", "/").replace("~0", "~") for step in path[1:].split("/")]
    steps = path.split(".")
    joined: list[str] = []
    place: Any = report
    while steps:
        for length in range(len(steps), 0, -1):
            step = ".".join(steps[:length])
            if length == 1 or (isinstance(place, Mapping) and step in place) or _names(place, step):
                break
        joined.append(step)
        steps = steps[length:]
        place = _inside(place, step)
    return joined


def _names(place: Any, step: str) -> bool:
    return isinstance(place, list) and any(isinstance(item, Mapping) and step in (item.get("name"), item.get("group"))
                                           for item in place)


def _inside(place: Any, step: str) -> Any:
    if isinstance(place, Mapping):
        return place.get(step)
    if isinstance(place, list):
        if step.isdigit() and int(step) < len(place):
            return place[int(step)]
        return next((item for item in place if isinstance(item, Mapping) and step in (item.get("name"), item.get("group"))), None)
    return None


def load(file: str | os.PathLike[str]) -> Result:
    """Reads a report. ReportError or OSError says what is wrong with the file."""
    return Result.of_text(pathlib.Path(file).read_text(encoding="utf-8"), os.fspath(file))
