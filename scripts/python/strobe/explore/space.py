# SPDX-License-Identifier: Apache-2.0
"""Parameters of a study: what values they take and how a value changes the scenario."""
from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from strobe.explore import quantity
from strobe.explore.expressions import Expression
from strobe.explore.quantity import Quantity

Values = dict[str, Any]  # parameter -> value (of a choice: its name); parameters whose condition does not hold are absent


@dataclass(frozen=True)
class Range:
    """Whole numbers, floating-point numbers or a quantity between two bounds."""

    low: float
    high: float
    log: bool
    kind: str  # "int", "float", or a kind of quantity, whose bounds are in its smallest unit

    def value(self, number: float) -> Any:
        """The number itself, as far as the kind allows it."""
        if self.kind == "float":
            return float(number)
        whole = int(min(max(round(number), self.low), self.high))
        return whole if self.kind == "int" else Quantity(self.kind, whole).text()

    def rounded(self, number: float) -> float:
        """A computed quantity, to three digits. A size between bounds of whole sectors to eight binary digits, and to whole sectors."""
        if self.kind in ("int", "float"):
            return number
        if self.kind == "size" and self.low % 512 == 0 and self.high % 512 == 0:
            unit = max(512, 2 ** (math.frexp(number)[1] - 8))
            return float(unit * round(number / unit))
        return float(f"{number:.3g}")

    def at(self, share: float) -> Any:
        """share: 0 to 1."""
        if self.log:
            return self.value(self.rounded(math.exp(math.log(self.low) + share * (math.log(self.high) - math.log(self.low)))))
        return self.value(self.rounded(self.low + share * (self.high - self.low)))


@dataclass(frozen=True)
class Parameter:
    name: str
    keys: tuple[str, ...]  # of the scenario; empty for choices
    values: tuple[Any, ...] | None  # in order; None: all of the range
    range: Range | None
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # of each choice
    when: Expression | None = None
    is_ordered: bool = True  # false: values are names without an order

    def at(self, share: float) -> Any:
        """share: 0 to less than 1."""
        if self.values is not None:
            return self.values[min(int(share * len(self.values)), len(self.values) - 1)]
        assert self.range is not None
        return self.range.at(share)

    def settings_of(self, value: Any) -> dict[str, Any]:
        if self.settings:
            return dict(self.settings[value])
        return {key: value for key in self.keys}

    def number(self, value: Any) -> float | None:
        """Position on a numeric axis; None: a name."""
        as_number = quantity.number(value)
        return float(as_number) if isinstance(as_number, int | float) and not isinstance(as_number, bool) else None


@dataclass(frozen=True)
class Space:
    parameters: tuple[Parameter, ...]

    def is_active(self, parameter: Parameter, values: Values) -> bool:
        return parameter.when is None or bool(parameter.when.value(self.names(values)))

    def names(self, values: Values) -> dict[str, Any]:
        """Parameters in expressions; None: its condition does not hold."""
        return {parameter.name: quantity.number(values[parameter.name]) if parameter.name in values else None
                for parameter in self.parameters}

    def settings(self, values: Values) -> dict[str, Any]:
        """Changes of the scenario, in the order of the parameters."""
        return {key: change for parameter in self.parameters if parameter.name in values
                for key, change in parameter.settings_of(values[parameter.name]).items()}

    def at(self, shares: list[float]) -> Values:
        """A point of the unit cube."""
        values: Values = {}
        for parameter, share in zip(self.parameters, shares, strict=True):
            if self.is_active(parameter, values):
                values[parameter.name] = parameter.at(share)
        return values

    def size_limit(self) -> float:
        """Number of points if every condition holds; infinite with a range."""
        return math.prod(len(p.values) if p.values is not None else math.inf for p in self.parameters)

    def grid(self) -> Iterator[Values]:
        """Every point of a finite space."""
        def extend(values: Values, rest: tuple[Parameter, ...]) -> Iterator[Values]:
            if not rest:
                yield values
            elif not self.is_active(rest[0], values):
                yield from extend(values, rest[1:])
            else:
                for value in rest[0].values or ():
                    yield from extend({**values, rest[0].name: value}, rest[1:])
        if all(parameter.when is None for parameter in self.parameters):
            names = [parameter.name for parameter in self.parameters]
            for combination in itertools.product(*(parameter.values or () for parameter in self.parameters)):
                yield dict(zip(names, combination, strict=True))
        else:
            yield from extend({}, self.parameters)
