#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the searches of `strobe explore` find, replayed with recorded results of the first shipped study.

Needs STROBE in the environment, and an interpreter with the packages of the group explore.
"""
import dataclasses
import pathlib
import statistics
import tempfile
import unittest
import unittest.mock

import optuna
from replay import MEMORY, Grid

from strobe.explore import points, search, study_file
from strobe.explore.study import Search as Settings
from strobe.run import StrobeError

ROOT = pathlib.Path(__file__).resolve().parents[3]
STUDY = "channels-ways-interface"


class Search(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.grid = Grid(ROOT / "scenarios" / "studies" / STUDY / "study.json", ROOT / "tests" / "data" / "studies" / f"{STUDY}.jsonl")

    def test_the_recorded_grid_has_every_point_of_the_study(self):
        planned = {points.identity(values) for values in search.plan(self.grid.study)}
        self.assertEqual(planned, set(self.grid.points))
        self.assertEqual((len(planned), len(self.grid.front)), (263, 35))

    def test_nsga2_finds_most_of_the_volume_with_a_quarter_of_the_points(self):
        shares = []
        for seed in range(1, 9):
            found = self.grid.searched("nsga2", seed, 65)
            self.assertEqual(len({points.identity(point.values) for point in found}), 65)  # nothing is proposed twice
            shares.append(self.grid.share(found))
        self.assertGreaterEqual(min(shares), 0.95, shares)
        self.assertGreaterEqual(statistics.mean(shares), 0.97, shares)

    def test_tpe_finds_most_of_the_volume_with_a_quarter_of_the_points(self):
        found = self.grid.searched("tpe", 1, 65)
        self.assertEqual(len({points.identity(point.values) for point in found}), 65)
        self.assertGreaterEqual(self.grid.share(found), 0.95)

    def test_a_space_that_is_exhausted_ends_the_search(self):
        channels = dataclasses.replace(self.grid.study.space.parameters[0], values=(2,))
        space = dataclasses.replace(self.grid.study.space, parameters=(channels, *self.grid.study.space.parameters[1:]))  # 24 points
        for method in ("nsga2", "tpe"):
            study = dataclasses.replace(self.grid.study, space=space, search=Settings(method, 100, 1))
            with tempfile.TemporaryDirectory(dir=MEMORY if pathlib.Path(MEMORY).is_dir() else None) as folder:
                chosen = search.make(study, pathlib.Path(folder))
                seen = set()
                while (proposed := chosen.next()) is not None:
                    values, handle = proposed
                    seen.add(points.identity(values))
                    chosen.tell(handle, self.grid.points[points.identity(values)])
            self.assertEqual(len(seen), 24)

    def test_parameters_with_conditions(self):
        study = study_file.of_text({
            "scenario": "nvme-mlc-8x4", "parameters": {
                "policy": {"key": "firmware.pageMap.gc.policy", "values": ["greedy", "cost-benefit"]},
                "ways": {"key": "nand.ways", "from": 1, "to": 8, "when": "policy == 'greedy'"},
                "clock": {"key": "cpu.clock", "from": "100MHz", "to": "800MHz"}},
            "values": {"cost": "clock / MHz", "gain": "clock / MHz * (ways if ways else 3)"},
            "objectives": {"cost": "min", "gain": "max"}}, "conditions.json")
        for method in ("nsga2", "nsga3", "tpe"):
            chosen_study = dataclasses.replace(study, search=Settings(method, 40, 1))
            with tempfile.TemporaryDirectory() as folder:
                chosen, seen = search.make(chosen_study, pathlib.Path(folder)), set()
                for number in range(40):
                    values, handle = chosen.next()
                    self.assertEqual("ways" in values, values["policy"] == "greedy")
                    seen.add(points.identity(values))
                    names = study.before(values)
                    chosen.tell(handle, points.Point(number, values, "ok", "", {
                        name: points.Measured(names[name], names[name], names[name]) for name in ("cost", "gain")}))
            self.assertEqual(len(seen), 40, method)

    def test_an_objective_that_is_the_same_everywhere_does_not_decide_who_is_a_parent(self):
        study = optuna.create_study(directions=["minimize"] * 3)
        for cost in range(20):
            study.add_trial(optuna.trial.create_trial(values=[cost, 19 - cost, 0]))
        costs = sorted(trial.values[0] for trial in search.parents(5)(study, study.get_trials()))
        self.assertEqual(len(set(costs)), 5)
        self.assertGreater(costs[-1] - costs[0], 10)

    def test_another_optuna_has_one_message(self):
        with unittest.mock.patch.dict("sys.modules", {"optuna._hypervolume.hssp": None}):
            with self.assertRaisesRegex(StrobeError, "install 'optuna >=5,<6'"):
                search.parents(5)


if __name__ == "__main__":
    unittest.main()
