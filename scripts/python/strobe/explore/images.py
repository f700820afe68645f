# SPDX-License-Identifier: Apache-2.0
"""Drive images of a study: whether its points start from them, and which points wait for which image (docs/drive_images.md)."""
from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from strobe.run import StrobeError, call, resolved, setting_options

if TYPE_CHECKING:
    from strobe.explore.point import Outcome
    from strobe.explore.points import Point
    from strobe.explore.space import Parameter, Values
    from strobe.explore.study import Study

OUTSIDE = ("workload.", "energy.", "report.")  # sections with values that an image does not depend on
TRIES = 10  # an image that is made and is not there: the workers do not share the cache
WITHOUT = "\"images\": false in the study runs every point from the beginning"

Run = tuple["Point", int | None]  # with its seed


def key_of(scenario: str, settings: dict[str, Any]) -> str | None:
    """Name of the image that the scenario's preconditioning makes; None: it makes none."""
    done = call("inspect", "image-key", scenario, *setting_options(settings), own_session=True)
    return done.stdout.strip() if done.returncode == 0 else None


def refusal(study: Study, settings: dict[str, Any]) -> str:
    """Why a drive of the study has no image; empty: it has one. StrobeError if the scenario is wrong."""
    config = resolved(study.scenario, settings)
    if config["nand"].get("contents", {}).get("file"):
        return "the scenario loads or saves the contents of the dies itself (nand.contents)"
    if config["firmware"].get("superblockMap", {}).get("flush") == "ignore":
        return "the drive ignores flushes (firmware.superblockMap.flush)"
    done = call("validate", study.scenario, *setting_options({**settings, "nand.contents": {"file": "image", "mode": "image"}}))
    if done.returncode != 0:
        return done.stderr.strip()
    return "" if key_of(study.scenario, settings) else "the first phase of the workload is measured, so there is no preconditioning"


def applies(study: Study, first: Values) -> bool:
    """Whether points start from images. By default, if a parameter leaves the drive at the beginning of the measurement as it is, so
    that points share an image. first: a point that the program accepts."""
    if study.images is False:
        return False
    settings = {**study.settings, **study.space.settings(first)}
    if study.images:
        if problem := refusal(study, settings):
            raise StrobeError(f"{study.file}: /images: {problem}")
        return True
    candidates = [parameter for parameter in study.space.parameters if parameter.name in first and _may_share(parameter)]
    if not candidates or refusal(study, settings):
        return False
    base = key_of(study.scenario, settings)

    def shares(parameter: Parameter) -> bool:
        others = [value for value in (parameter.at(0.0), parameter.at(0.999)) if value != first[parameter.name]]
        return any(key_of(study.scenario, {**settings, **parameter.settings_of(value)}) == base for value in others)

    return any(shares(parameter) for parameter in candidates)


def _may_share(parameter: Parameter) -> bool:
    keys = [*parameter.keys, *(key for settings in parameter.settings.values() for key in settings)]
    return all(key.startswith(OUTSIDE) for key in keys)


@dataclass
class _Image:
    run: Run  # one that needs it
    waiting: list[Run] = field(default_factory=list)
    tries: int = 0
    problem: str = ""  # it cannot be made


class Waiting:
    """Runs that wait for images. Each image is made once, by a worker, when the first run asks for it."""

    def __init__(self) -> None:
        self.images: dict[str, _Image] = {}
        self.to_make: deque[str] = deque()
        self.made = 0

    @property
    def count(self) -> int:
        return sum(len(image.waiting) for image in self.images.values())

    def needed(self, key: str, run: Run) -> str:
        """A run cannot go on without the image. Not empty: it never will, for this reason."""
        image = self.images.setdefault(key, _Image(run))
        if not image.problem and not image.waiting:  # no process makes it
            if image.tries == TRIES:
                image.problem = "the image was made, and is not there: all workers must see the same directory of the cache"
            else:
                image.tries += 1
                self.to_make.append(key)
        if not image.problem:
            image.waiting.append(run)
        return image.problem

    def ended(self, key: str, outcome: Outcome) -> list[Run]:
        """Returns the runs that waited."""
        image = self.images[key]
        if outcome["status"] == "ok":
            self.made += outcome["is_new"]
        else:
            image.problem = outcome["message"]
        runs, image.waiting = image.waiting, []
        return runs
