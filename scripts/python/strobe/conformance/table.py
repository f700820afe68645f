# SPDX-License-Identifier: Apache-2.0
"""The differences that are known, each with a reason: tests/data/conformance/differences.json, and the page that shows them.

A reason has a verdict: `justified` by the section of a specification, or `open`, a limit of the model. What was fixed is listed
apart: these steps must agree now.
"""
from __future__ import annotations

import itertools
import json
import pathlib
from typing import NamedTuple

from strobe.conformance.outcomes import Difference, Outcomes, Value, differences


class Reason(NamedTuple):
    verdict: str
    section: str
    text: str


class Row(NamedTuple):
    """A known difference."""

    difference: Difference
    reason: str


class Fixed(NamedTuple):
    """A step whose field differed."""

    step: str
    field: str
    qemu: Value
    before: Value
    section: str


class Table:
    """Of all devices."""

    def __init__(self, path: pathlib.Path) -> None:
        content = json.loads(path.read_text())
        self.reasons = {name: Reason(**reason) for name, reason in content["reasons"].items()}
        self.rows = {device: [Row(Difference(*row[:4]), row[4]) for row in rows] for device, rows in content["differences"].items()}
        self.fixed = {device: [Fixed(*row) for row in rows] for device, rows in content["fixed"].items()}

    def problems(self, device: str, qemu: Outcomes, strobe: Outcomes) -> list[str]:
        """What does not agree with the table."""
        found = list(differences(qemu, strobe))
        known = {row.difference for row in self.rows[device]}
        lines = [f"new difference: {describe(each)}" for each in found if each not in known]
        lines += [f"listed, but not there: {describe(row.difference)}" for row in self.rows[device] if row.difference not in set(found)]
        lines += [f"its reason is unknown: {describe(row.difference)}: {row.reason}" for row in self.rows[device] if row.reason not in self.reasons]
        for each in self.fixed[device]:
            now = strobe.steps.get(each.step, {}).get(each.field)
            if now != each.qemu:
                lines.append(f"was fixed, and differs again: {each.step}, {each.field}: QEMU {shown(each.qemu)}, Strobe {shown(now)}")
        return lines


def shown(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "-" if value is None else str(value)


def describe(difference: Difference) -> str:
    return f"{difference.step}, {difference.field}: QEMU {shown(difference.qemu)}, Strobe {shown(difference.strobe)}"


def cell(text: str) -> str:
    return text.replace("|", "\\|")


def steps_of(differences_of_group: list[Difference]) -> str:
    """The steps, with the group that they have in common once."""
    parts = []
    for group, members in itertools.groupby(differences_of_group, key=lambda each: each.step.partition(": ")[0]):
        names = [each.step.partition(": ")[2] for each in members]
        parts.append(group + (": " + "; ".join(names) if any(names) else ""))
    return ". ".join(parts)


def markdown(table: Table, titles: dict[str, str]) -> str:
    """The tables of the page."""
    lines = []
    for device, title in titles.items():
        rows = table.rows[device]
        lines += [f"## {title}", "", "### Fixed", "", "| step | field | QEMU, and Strobe now | Strobe before | section |", "|---|---|---|---|---|"]
        lines += [f"| {cell(each.step)} | {each.field} | {cell(shown(each.qemu))} | {cell(shown(each.before))} | {each.section} |" for each in table.fixed[device]]
        for verdict, heading in (("justified", "Justified"), ("open", "Open: limits of the model")):
            used = {name: [row.difference for row in rows if row.reason == name] for name, reason in table.reasons.items() if reason.verdict == verdict}
            if any(used.values()):
                lines += ["", f"### {heading}", ""]
            for name, of_reason in used.items():
                if not of_reason:
                    continue
                reason = table.reasons[name]
                lines += [f"**{reason.section}**: {reason.text}", "", "| step | field | QEMU | Strobe |", "|---|---|---|---|"]
                groups: dict[tuple[str, Value, Value], list[Difference]] = {}
                for each in of_reason:
                    groups.setdefault((each.field, each.qemu, each.strobe), []).append(each)
                lines += [f"| {cell(steps_of(members))} | {field} | {cell(shown(qemu))} | {cell(shown(strobe))} |"
                          for (field, qemu, strobe), members in groups.items()]
                lines.append("")
        lines.append("")
    return "\n".join(lines).replace("\n\n\n", "\n\n").strip() + "\n"
