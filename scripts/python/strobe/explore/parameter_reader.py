# SPDX-License-Identifier: Apache-2.0
"""Parameters of a study file, and keys of scenarios."""
from __future__ import annotations

import difflib
import json
import math
import re
from collections.abc import Mapping
from typing import Any

from strobe.explore import quantity
from strobe.explore.expressions import Expression
from strobe.explore.names import SHORT
from strobe.explore.problems import NAME, Problems
from strobe.explore.space import Parameter, Range
from strobe.run import call

MOST_VALUES = 10_000  # of one parameter


def scenario_keys() -> list[str]:
    """Every key of a scenario, list items as []."""
    done = call("inspect", "parameters")
    return [line.split()[0] for line in done.stdout.splitlines() if re.match(r"  \S", line)] if done.returncode == 0 else []


class ParameterReader:
    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.known_keys = scenario_keys()

    def read(self, name: str, given: Any, earlier: list[str]) -> Parameter | None:
        place = f"/parameters/{name}"
        if not self.problems.expect(place, given, dict, "an object"):
            return None
        self.problems.unknown_keys(place, given, ("key", "values", "choices", "from", "to", "step", "steps", "log", "when"))
        if not NAME.fullmatch(name):
            self.problems.wrong(place, "a name consists of letters, digits and _, because expressions use it; give the key of the scenario "
                                       "as \"key\"")
            return None
        if name in SHORT or name in quantity.CONSTANTS:
            self.problems.wrong(place, f"\"{name}\" is a name of Strobe's own; choose another one")
        when = self.problems.expression(f"{place}/when", given["when"], set(earlier)) if "when" in given else None
        if "choices" in given:
            return self.choices(place, name, given, when)
        keys = given.get("key")
        keys = [keys] if isinstance(keys, str) else keys
        if not keys or not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
            self.problems.wrong(f"{place}/key", "must be a key of the scenario, like \"nand.ways\", or a list of keys")
            return None
        for key in keys:
            self.scenario_key(f"{place}/key", key)
        if "values" in given:
            return self.listed(place, name, tuple(keys), given, when)
        return self.ranged(place, name, tuple(keys), given, when)

    def scenario_key(self, place: str, key: str) -> None:
        plain, known = re.sub(r"\.\d+(?=\.|$)", "[]", key), self.known_keys
        if known and plain not in known and not any(other.startswith((plain + ".", plain + "[]")) for other in known):
            close = difflib.get_close_matches(plain, known, 1, 0.6)
            hint = f"did you mean \"{close[0].replace('[]', '.0')}\"?" if close else "strobe inspect parameters lists the keys"
            self.problems.wrong(place, f"there is no parameter \"{key}\" of a scenario; {hint}")

    def choices(self, place: str, name: str, given: Mapping[str, Any], when: Expression | None) -> Parameter | None:
        choices = given["choices"]
        if not self.problems.expect(f"{place}/choices", choices, dict, "an object: name of a choice -> values by key"):
            return None
        if not choices:
            self.problems.wrong(f"{place}/choices", "there is no choice: the space is empty")
            return None
        for choice, settings in choices.items():
            if self.problems.expect(f"{place}/choices/{choice}", settings, dict, "an object: values by key"):
                for key in settings:
                    self.scenario_key(f"{place}/choices/{choice}", key)
        if any(key in given for key in ("key", "values", "from", "to", "step", "steps", "log")):
            self.problems.wrong(place, "\"choices\" have keys of their own; key, values and ranges do not go with them")
        return Parameter(name, (), tuple(choices), None, choices, when, is_ordered=False)

    def listed(self, place: str, name: str, keys: tuple[str, ...], given: Mapping[str, Any], when: Expression | None) -> Parameter | None:
        values = given["values"]
        if not self.problems.expect(f"{place}/values", values, list, "a list"):
            return None
        if not values:
            self.problems.wrong(f"{place}/values", "there is no value: the space is empty")
            return None
        if len({json.dumps(value) for value in values}) < len(values):
            self.problems.wrong(f"{place}/values", "a value is there twice")
        numbers = [quantity.number(value) for value in values]
        ordered = all(isinstance(number, int | float) and not isinstance(number, bool) for number in numbers)
        return Parameter(name, keys, tuple(values), None, {}, when, is_ordered=ordered and numbers == sorted(numbers))  # type: ignore[type-var]

    def ranged(self, place: str, name: str, keys: tuple[str, ...], given: Mapping[str, Any], when: Expression | None) -> Parameter | None:
        if "from" not in given or "to" not in given:
            self.problems.wrong(place, "needs \"values\", \"choices\", or \"from\" and \"to\"")
            return None
        bounds = [self.bound(f"{place}/{key}", given[key]) for key in ("from", "to", "step") if key in given]
        if any(bound is None for bound in bounds):
            return None
        kinds = {bound[0] for bound in bounds if bound is not None}
        kind = kinds.pop() if len(kinds) == 1 else "float" if kinds == {"int", "float"} else ""
        if not kind:
            self.problems.wrong(place, "\"from\", \"to\" and \"step\" must have the same kind of unit")
            return None
        low, high, *step = [bound[1] for bound in bounds if bound is not None]
        log = given.get("log", False)
        if low > high:
            self.problems.wrong(place, f"\"from\" {given['from']} is above \"to\" {given['to']}: the space is empty")
        elif log and low <= 0:
            self.problems.wrong(place, "a logarithmic range begins above 0")
        elif step and step[0] <= 0:
            self.problems.wrong(f"{place}/step", "must be above 0")
        elif "step" in given and ("steps" in given or log):
            self.problems.wrong(place, "\"step\" does not go with \"steps\" or \"log\"")
        else:
            span = Range(low, high, bool(log), kind)
            return Parameter(name, keys, self.points(place, span, step, given), span, {}, when)
        return None

    def points(self, place: str, span: Range, step: list[float], given: Mapping[str, Any]) -> tuple[Any, ...] | None:
        """Values of a range; None: too many to list, or all of them."""
        if "steps" in given:
            steps = given["steps"]
            if not isinstance(steps, int) or not 2 <= steps <= MOST_VALUES:
                self.problems.wrong(f"{place}/steps", f"must be a whole number from 2 to {MOST_VALUES}, the number of values")
                return None
            return tuple(dict.fromkeys(span.at(number / (steps - 1)) for number in range(steps)))
        if step or (span.kind == "int" and not span.log and span.high - span.low < MOST_VALUES):
            distance = step[0] if step else 1
            count = math.floor((span.high - span.low) / distance + 1e-9) + 1
            if count > MOST_VALUES:
                self.problems.wrong(f"{place}/step", f"gives {count} values; allowed are {MOST_VALUES}")
                return None
            return tuple(span.value(span.low + number * distance) for number in range(count))
        return None

    def bound(self, place: str, given: Any) -> tuple[str, float] | None:
        if isinstance(given, bool):
            pass
        elif isinstance(given, int):
            return "int", given
        elif isinstance(given, float):
            return "float", given
        elif isinstance(given, str) and (parsed := quantity.parse(given)) is not None:
            return parsed.kind, parsed.count
        self.problems.wrong(place, f"must be a number or a quantity with a unit, like \"8KiB\", not {json.dumps(given)}")
        return None
