# SPDX-License-Identifier: Apache-2.0
"""The smallest scenario and request sequence that still fail in the same way.

Requests are removed in halves, quarters, … down to single ones (delta debugging); keys of the scenario by section, then one by
one; then numbers and requests are made smaller. Rounds go on until nothing changes, or the tries are used up.
"""
from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from strobe.torture.case import Case
from strobe.torture.judge import Verdict, alike, judge
from strobe.torture.requests import Request

TRIES = 600
ONE_RUN = ("exit code", "wrong data", "failed requests", "no end", "counts")  # kinds that one run shows


class Shrinker:
    """`keeps`: whether a case fails in the same way; for tests. `stopped`: no more tries."""

    def __init__(self, verdict: Verdict, tries: int = TRIES, keeps: Callable[[Case], bool] | None = None,
                 stopped: Callable[[], bool] = lambda: False) -> None:
        self.verdict, self.tries, self.stopped = verdict, tries, stopped
        self.keeps = keeps or self.fails_alike

    def fails_alike(self, case: Case) -> bool:
        return alike(self.verdict, judge(case, once=self.verdict.kind.startswith(ONE_RUN)))

    def accepts(self, case: Case) -> bool:
        if self.stopped():
            self.tries = 0
        if self.tries <= 0:
            return False
        self.tries -= 1
        return self.keeps(case)

    def smallest(self, case: Case) -> Case:
        while self.tries > 0:
            smaller = self.simpler_requests(self.simpler_scenario(self.fewer_requests(case)))
            if smaller == case:
                break
            case = smaller
        return case

    def fewer_requests(self, case: Case) -> Case:
        if case.requests and self.accepts(replace(case, requests=())):
            return replace(case, requests=())
        size = len(case.requests) // 2
        while size > 0:
            begin = 0
            while begin < len(case.requests):
                fewer = replace(case, requests=case.requests[:begin] + case.requests[begin + size:])
                if fewer.requests and self.accepts(fewer):
                    case = fewer
                else:
                    begin += size
            size //= 2
        return case

    def simpler_scenario(self, case: Case) -> Case:
        """Each step changes one place; places are found anew after one that was accepted."""
        tried: set[str] = set()
        again = True
        while again and self.tries > 0:
            again = False
            for scenario in simpler(case.scenario):
                text = json.dumps(scenario)
                if text in tried:
                    continue
                tried.add(text)
                if self.accepts(replace(case, scenario=scenario)):
                    case, again = replace(case, scenario=scenario), True
                    break
        return case

    def simpler_requests(self, case: Case) -> Case:
        for number in range(len(case.requests)):
            for plainer in plainer_requests(case.requests[number]):
                changed = replace(case, requests=(*case.requests[:number], plainer, *case.requests[number + 1:]))
                if self.accepts(changed):
                    case = changed
                    break
        return case


def simpler(scenario: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The scenario with one value removed, outer ones first, then with one number halved."""
    for place in sorted(places(scenario), key=len):
        yield changed(scenario, place, None)
    for place in places(scenario):
        value = value_at(scenario, place)
        if isinstance(value, int) and not isinstance(value, bool) and value > 1:
            yield changed(scenario, place, value // 2)


def places(value: Any, above: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        yield (*above, key)
        yield from places(item, (*above, key))


def value_at(value: Any, place: tuple[str | int, ...]) -> Any:
    for step in place:
        value = value[step]
    return value


def changed(scenario: dict[str, Any], place: tuple[str | int, ...], value: Any) -> dict[str, Any]:
    """A copy; None removes the place."""
    other = copy.deepcopy(scenario)
    holder = value_at(other, place[:-1])
    if value is None:
        del holder[place[-1]]
    else:
        holder[place[-1]] = value
    return other


def plainer_requests(request: Request) -> Iterator[Request]:
    if request.fua:
        yield replace(request, fua=False)
    if request.kind != "flush":
        for plainer in (replace(request, sector=0, sectors=8), replace(request, sectors=1), replace(request, sector=0),
                        replace(request, sector=request.sector // 8 * 8, sectors=8)):
            if plainer != request:
                yield plainer
    if request.at:
        yield replace(request, at=0)
