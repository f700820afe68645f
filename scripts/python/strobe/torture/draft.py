# SPDX-License-Identifier: Apache-2.0
"""Draws legal cases: a drive, a workload, other keys from the whole space, and what `strobe validate` then refuses taken away."""
from __future__ import annotations

import pathlib
import random
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from strobe.run import StrobeError
from strobe.torture import drives, requests, space, workloads
from strobe.torture.case import Case, start

ROUNDS = 8  # of refused keys taken away
DRAFTS = 12  # of a case, of which one must be legal
PLACE = re.compile(r"^\S*: (/[^\s:]*): |^[^/\n]*?(/[^\s:]+): ")
CORE = 0.08  # share of cases on the RV32 core, which takes more time


@dataclass
class Drawer:
    """The same seed and number give the same case."""

    seed: int
    settings: tuple[str, ...] = ()
    has_core: bool = True
    parameters: Sequence[space.Parameter] = field(default_factory=space.parameters)

    def case(self, number: int) -> tuple[Case, int]:
        """The case, and how many drafts before it were refused."""
        why = ""
        for attempt in range(DRAFTS):
            draws = random.Random(f"{self.seed}/{number}/{attempt}")
            drive, sequence = drives.draw(draws), requests.draw(draws)
            phases = workloads.draw(draws)
            drives.placement(draws, drive, phases)
            drives.sharing(draws, drive, phases)
            scenario = {"name": f"case {number} of seed {self.seed}", **drive, "workload": {"phases": phases}}
            if self.has_core and draws.random() < CORE:
                scenario["firmware"]["mode"] = "rv32"
            changed = self.change(scenario, draws)
            with tempfile.TemporaryDirectory(prefix="strobe-torture-") as folder:
                case = Case(f"seed {self.seed}, case {number}", scenario, tuple(sequence), self.settings)
                why = make_legal(case, changed, pathlib.Path(folder))
            if not why:
                return case, attempt
        raise StrobeError(f"strobe torture: seed {self.seed}, case {number}: none of {DRAFTS} drafts is legal; the last one: {why}")

    def change(self, scenario: dict[str, Any], draws: random.Random) -> list[space.Path]:
        """Draws further keys; returns them."""
        changed = []
        for parameter in draws.sample(self.parameters, draws.choice([0, 1, 2, 4, 8, 16])):
            if parameter.path[:3] == ("workload", "phases", "[]"):
                phase = draws.choice(scenario["workload"]["phases"])
                put = space.put(phase, parameter.path[3:], parameter.draw(draws))
            else:
                put = space.put(scenario, parameter.path, parameter.draw(draws))
            if put:
                changed.append(parameter.path)
        return changed


def make_legal(case: Case, changed: list[space.Path], folder: pathlib.Path) -> str:
    """Takes away the keys that `strobe validate` names. Returns why the case is illegal all the same; empty: it is legal."""
    left = list(changed)
    why = ""
    for _ in range(ROUNDS):
        case.write(folder)
        done = start("validate", folder, case.settings)
        if done.status != 2:  # legal, or a crash, which is a failure of the case (judge.py)
            return ""
        why = done.err.strip()
        places = {found[1] or found[2] for line in done.err.splitlines() if (found := PLACE.search(line))}
        removed = [remove(case.scenario, place) for place in sorted(places)]
        if not any(removed):
            if not left:
                return why
            remove(case.scenario, "/" + "/".join(left.pop()))  # the message names a place that holds no single key
    return why


def remove(scenario: Any, place: str) -> bool:
    """Takes away the value at a JSON pointer ("[]": of each item); False: there is none, or it is needed."""
    steps = place.removeprefix("/").split("/")
    if steps[0] == "workload" and steps[-1] in ("phases", "name") or len(steps) < 2 or steps[-2:] == ["nand", "part"]:
        return False
    if steps[-1] in ("blocksPerPlane", "pagesPerBlock"):  # the drive would be as large as those of today
        return False
    holders = [scenario]
    for step in steps[:-1]:
        following: list[Any] = []
        for holder in holders:
            if isinstance(holder, list):
                following += holder if step == "[]" else [holder[int(step)]] if step.isdigit() and int(step) < len(holder) else []
            elif isinstance(holder, dict) and step in holder:
                following.append(holder[step])
        holders = following
    found = [holder for holder in holders if isinstance(holder, dict) and steps[-1] in holder]
    for holder in found:
        del holder[steps[-1]]
    return bool(found)
