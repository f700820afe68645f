# SPDX-License-Identifier: Apache-2.0
"""Which point comes next. Grid, random and Sobol sequences are known beforehand; TPE and NSGA are Optuna's, asked and told."""
from __future__ import annotations

import contextlib
import dataclasses
import math
import pathlib
import warnings
from collections.abc import Iterator
from typing import Any, Protocol

from strobe.explore import quantity
from strobe.explore.points import Point, identity
from strobe.explore.space import Parameter, Values
from strobe.explore.study import Study
from strobe.run import StrobeError


class Search(Protocol):
    def next(self) -> tuple[Values, Any] | None:
        """The next point and the search's handle of it; None: there is none. Points may repeat."""

    def tell(self, handle: Any, point: Point) -> None:
        """The point is finished."""


def make(study: Study, directory: pathlib.Path) -> Search:
    if study.search.method in ("tpe", "nsga2", "nsga3"):
        return Adaptive(study, directory / "search.log")
    return Planned(study)


class Nothing:
    """No points."""

    def next(self) -> tuple[Values, Any] | None:
        return None

    def tell(self, handle: Any, point: Point) -> None:
        pass


class Planned:
    """Points that satisfy the constraints known beforehand, in a fixed order."""

    def __init__(self, study: Study) -> None:
        self.points = plan(study)

    def next(self) -> tuple[Values, Any] | None:
        values = next(self.points, None)
        return None if values is None else (values, None)

    def tell(self, handle: Any, point: Point) -> None:
        pass


def plan(study: Study) -> Iterator[Values]:
    """At most as many different points as the study asks for; all of them with a grid."""
    seen: set[str] = set()
    candidates = study.space.grid() if study.search.method == "grid" else _sequence(study)
    for values in candidates:
        if study.search.method != "grid" and len(seen) >= study.search.points:
            return
        if identity(values) not in seen and study.refused_by(values) is None:
            seen.add(identity(values))
            yield values


def _sequence(study: Study) -> Iterator[Values]:
    """Random or Sobol points; it ends when it finds hardly anything new."""
    import numpy

    dimensions = len(study.space.parameters)
    block = 256
    limit = max(100 * study.search.points, 10_000)
    if study.search.method == "sobol":
        from scipy.stats import qmc

        sobol = qmc.Sobol(dimensions, seed=study.search.seed)
        draw = sobol.random
    else:
        generator = numpy.random.default_rng(study.search.seed)

        def draw(count: int) -> Any:
            return generator.random((count, dimensions))
    for _ in range(math.ceil(limit / block)):
        for shares in draw(block):
            yield study.space.at([float(share) for share in shares])


class Adaptive:
    """Optuna's samplers with their journal on disk. What a killed driver had asked is asked first after a restart.

    NSGA is used for far fewer points than its authors do, so it is made to learn quickly: repeated proposals are no individuals, and
    NSGA-II has small generations, whose parents are those of the whole front so far that together dominate most.
    """

    TRIES = 1000  # asked points in succession that the constraints exclude
    REPEATS = {"tpe": 10, "nsga2": 50, "nsga3": 50}  # proposals that are known: then a point of an even cover is next

    def __init__(self, study: Study, journal: pathlib.Path) -> None:
        import optuna
        from optuna.storages.journal import JournalFileBackend, JournalStorage

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        warnings.filterwarnings("ignore", category=optuna.exceptions.ExperimentalWarning)
        warnings.filterwarnings("ignore", category=UserWarning, module="optuna")
        warnings.filterwarnings("ignore", category=FutureWarning, module="optuna")
        self.study = study
        self.states = optuna.trial.TrialState
        storage = JournalStorage(JournalFileBackend(str(journal)))
        directions: Any = ["minimize" if objective.goal == "min" else "maximize" for objective in study.objectives]
        self.optuna = optuna.create_study(storage=storage, study_name="explore", directions=directions, load_if_exists=True)
        trials = self.optuna.get_trials(deepcopy=False)
        self.optuna.sampler = self._sampler(optuna, len(trials))
        self.asked = self._identities(trials, self.states.COMPLETE, self.states.FAIL) - self._identities(trials, self.states.RUNNING)
        if not trials and study.search.method != "tpe":
            for values in self._cover(min(50, max(10, study.search.points // 6))):  # the first generation
                self.optuna.enqueue_trial(self._params(values))
        for trial in trials:
            if trial.state == self.states.RUNNING:
                self.optuna.tell(trial.number, state=self.states.FAIL)
                self.optuna.enqueue_trial(trial.params)

    def _sampler(self, optuna: Any, asked: int) -> Any:
        samplers = optuna.samplers
        search = self.study.search
        options: dict[str, Any] = {"seed": search.seed + asked}
        if self.study.constraints:
            options["constraints_func"] = lambda trial: trial.user_attrs.get("violations", [0.0] * len(self.study.constraints))
        if search.method == "tpe":
            return samplers.TPESampler(multivariate=True, group=True, **options)
        options["mutation"] = neighbour_mutation()
        population = search.population or min(50, max(4, search.points // 16))
        if search.method == "nsga3":
            return samplers.NSGAIIISampler(population_size=population, **options)
        return samplers.NSGAIISampler(population_size=max(2, population // 2),
                                      elite_population_selection_strategy=parents(population), **options)

    def _cover(self, points: int) -> Iterator[Values]:
        """Different points that cover the space evenly."""
        return plan(dataclasses.replace(self.study, search=dataclasses.replace(self.study.search, method="sobol", points=points)))

    def _params(self, values: Values) -> dict[str, Any]:
        """As suggest() asks for them."""
        made = {}
        for parameter in self.study.space.parameters:
            if parameter.name in values:
                value = values[parameter.name]
                measured = quantity.parse(value) if isinstance(value, str) and parameter.values is None else None
                made[parameter.name] = parameter.values.index(value) if parameter.values is not None else measured.count if measured else value
        return made

    def _identities(self, trials: list[Any], *states: Any) -> set[str]:
        from optuna.trial import FixedTrial

        found = set()
        for trial in trials:
            with contextlib.suppress(ValueError):  # the driver was killed while it asked
                if trial.state in states:
                    found.add(identity(self._values(FixedTrial(trial.params))))
        return found

    def _values(self, trial: Any) -> Values:
        """What the sampler suggests; trial: also one with fixed parameters."""
        values: Values = {}
        for parameter in self.study.space.parameters:
            if self.study.space.is_active(parameter, values):
                values[parameter.name] = suggest(trial, parameter)
        return values

    def next(self) -> tuple[Values, Any] | None:
        repeats = 0
        for _ in range(self.TRIES):
            trial = self.optuna.ask()
            values = self._values(trial)
            is_known = identity(values) in self.asked
            self.asked.add(identity(values))
            if not is_known and self.study.refused_by(values) is None:
                return values, trial.number
            self.optuna.tell(trial, state=self.states.FAIL)
            repeats += is_known
            if repeats == self.REPEATS[self.study.search.method]:
                repeats = 0
                fresh = next((other for other in self._cover(len(self.asked) + 1) if identity(other) not in self.asked), None)
                if fresh is None:
                    return None
                self.optuna.enqueue_trial(self._params(fresh))
        return None

    def tell(self, handle: Any, point: Point) -> None:
        if not point.has_values:
            self.optuna.tell(handle, state=self.states.FAIL)
            return
        if self.study.constraints:
            trial = self.optuna.get_trials(deepcopy=False)[handle]
            self.optuna._storage.set_trial_user_attr(
                trial._trial_id, "violations", [point.violations.get(constraint.name, 0.0) for constraint in self.study.constraints])
        self.optuna.tell(handle, point.objectives(self.study))


def parents(count: int) -> Any:
    """Of the front of all points: those that together dominate the largest volume. NSGA-II's own choice, those that are farthest apart,
    always has the ends of the front, where a cheap and slow drive passes on what no other drive can use. It is used as long as the front
    is small."""
    import numpy
    import optuna
    from optuna.study import StudyDirection
    try:  # not part of Optuna's interface: pyproject.toml limits the version
        from optuna._hypervolume.hssp import _solve_hssp
        from optuna.samplers.nsgaii._elite_population_selection_strategy import NSGAIIElitePopulationSelectionStrategy
    except ImportError as error:
        raise StrobeError(f"Optuna {optuna.__version__} does not have what the search nsga2 needs; install 'optuna >=5,<6', or choose another "
                          "search.method") from error

    farthest = NSGAIIElitePopulationSelectionStrategy(population_size=count)

    def choose(study: Any, trials: list[Any]) -> list[Any]:
        signs = numpy.array([1.0 if direction == StudyDirection.MINIMIZE else -1.0 for direction in study.directions])
        front = list({tuple(trial.values): trial for trial in study.best_trials}.values())
        if len(front) <= count:
            return farthest(study, list({trial.number: trial for trial in [*trials, *front]}.values()))
        everything = numpy.array([trial.values for trial in study.get_trials(deepcopy=False) if trial.values is not None]) * signs
        span = everything.max(axis=0) - everything.min(axis=0)
        reference = everything.max(axis=0) + 0.1 * numpy.where(span > 0, span, 1.0)  # an objective may be the same everywhere
        losses = numpy.array([trial.values for trial in front]) * signs
        order = numpy.lexsort(losses.T[::-1])
        return [front[number] for number in _solve_hssp(losses[order], order, count, reference)]

    return choose


def neighbour_mutation() -> Any:
    """To values nearby, and of whole numbers to another one: in a short list Optuna's mutation mostly rounds to the same value."""
    from optuna.samplers.nsgaii import PolynomialMutation

    class Neighbour(PolynomialMutation):
        def mutation(self, param: float, rng: Any, study: Any, search_space_bounds: Any) -> float:
            moved = float(super().mutation(param, rng, study, search_space_bounds))
            is_whole = all(bound % 1 == 0.5 for bound in search_space_bounds)
            return param + math.copysign(1, moved - param) if is_whole and round(moved) == round(param) else moved

    return Neighbour(eta=5.0)


def suggest(trial: Any, parameter: Parameter) -> Any:
    """An ordered list is a whole number for the sampler: the place in the list."""
    if parameter.values is not None:
        last = len(parameter.values) - 1
        place = trial.suggest_int(parameter.name, 0, last) if parameter.is_ordered else \
            trial.suggest_categorical(parameter.name, list(range(last + 1)))
        return parameter.values[place]
    span = parameter.range
    assert span is not None
    if span.kind == "float":
        return trial.suggest_float(parameter.name, span.low, span.high, log=span.log)
    return span.value(span.rounded(trial.suggest_int(parameter.name, int(span.low), int(span.high), log=span.log)))
