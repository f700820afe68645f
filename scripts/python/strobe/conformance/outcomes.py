# SPDX-License-Identifier: Apache-2.0
"""What the steps of a script have brought about: by step, by field, a number, a text or a flag."""
from __future__ import annotations

import json
import pathlib
from collections.abc import Iterator
from typing import NamedTuple

Value = int | str | bool | None
Outcome = dict[str, Value]


class Difference(NamedTuple):
    """Of one field of one step. None where a model has no such step or field."""

    step: str
    field: str
    qemu: Value
    strobe: Value


class Outcomes:
    """Of one model, in the order of the steps."""

    def __init__(self, steps: dict[str, Outcome] | None = None) -> None:
        self.steps: dict[str, Outcome] = steps if steps is not None else {}

    def add(self, step: str, /, **fields: Value) -> None:
        if step in self.steps:
            raise KeyError(f"the step {step} exists already")
        self.steps[step] = dict(fields)

    def save(self, path: pathlib.Path) -> None:
        lines = [f"{json.dumps(step)}: {json.dumps(outcome)}" for step, outcome in self.steps.items()]
        path.write_text("{\n" + ",\n".join(lines) + "\n}\n")

    @classmethod
    def load(cls, path: pathlib.Path) -> Outcomes:
        return cls(json.loads(path.read_text()))


def differences(qemu: Outcomes, strobe: Outcomes) -> Iterator[Difference]:
    """By step and field; where the status of a command differs, its other fields follow from that and are left out."""
    for step in dict.fromkeys([*qemu.steps, *strobe.steps]):
        ours, theirs = strobe.steps.get(step, {}), qemu.steps.get(step, {})
        fields = [field for field in dict.fromkeys([*theirs, *ours]) if theirs.get(field) != ours.get(field)]
        for field in ["status"] if "status" in fields else fields:
            yield Difference(step, field, theirs.get(field), ours.get(field))
