#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`strobe explore`: mistakes in studies, results, the studies that are shipped.

Needs STROBE in the environment, the program under test, and an interpreter with the packages of the group explore.
"""
import json
import re
import resource
import shutil
import subprocess
import tempfile
import unittest

from study_fixture import DRIVE, STUDIES, STUDY, Directory, changed

import strobe
from strobe import explore
from strobe.explore import progress, quantity, study_file


class Mistakes(Directory):
    def test_each_mistake_has_one_clear_message_and_nothing_is_written(self):
        one = {"channels": {"key": "nand.channels", "values": [1, 2]}}
        for study, text in (
            ("{", "study.json: not JSON: "),
            ([], "must be an object"),
            ({}, "/scenario: is missing"),
            (DRIVE, "study.json: this is a scenario, not a study: strobe explore --sensitivity ranks its parameters; a study names it as"),
            ("// a drive\n" + json.dumps(DRIVE), "study.json: this is a scenario, not a study"),
            ({"extends": "quickstart"}, "study.json: this is a scenario, not a study"),
            (changed(parameter={}), '/parameter: unknown key; did you mean "parameters"?'),
            (changed(scenario="no-such-drive"), "no-such-drive: there is no such scenario"),
            (changed(scenario=7), "/scenario: must be the file or name of a scenario, not 7"),
            (changed(parameters={"ways": {"key": "nand.way", "values": [1]}}),
             '/parameters/ways/key: there is no parameter "nand.way" of a scenario; did you mean "nand.ways"?'),
            (changed(parameters={"a b": {"key": "nand.ways", "values": [1]}}), "/parameters/a b: a name consists of letters"),
            (changed(parameters={}), "/parameters: there is no parameter: the space is empty"),
            (changed(parameters={"ways": {"key": "nand.ways", "values": []}}), "/parameters/ways/values: there is no value: the space is empty"),
            (changed(parameters={"ways": {"key": "nand.ways", "from": 4, "to": 1}}), "the space is empty"),
            (changed(parameters={"ways": {"key": "nand.ways", "from": 1, "to": "4KiB"}}), "must have the same kind of unit"),
            (changed(parameters={"ways": {"key": "nand.ways", "values": [1, 1]}}), "a value is there twice"),
            (changed(parameters={"ways": {"key": "nand.ways"}}), 'needs "values", "choices", or "from" and "to"'),
            (changed(parameters={"ways": {"key": "nand.ways", "from": 0, "to": 4, "log": True}}), "a logarithmic range begins above 0"),
            (changed(parameters={**one, "ways": {"key": "nand.ways", "values": [1], "when": "chanels > 1"}}),
             '/parameters/ways/when: there is no parameter or value "chanels"; did you mean "channels"?'),
            (changed(parameters={"i": {"choices": {"CONV": {"channel.interfac": "CONV"}}}}), 'did you mean "channel.interface"?'),
            (changed(parameters={"ways": {"key": "nand.ways", "values": ["two"]}}, values={}, objectives={"iops": "max"}), "none of the first points is a valid scenario"),
            (changed(set={"nand.color": 1}), '/set/nand.color: there is no parameter "nand.color"'),
            (changed(objectives={}), "/objectives: there is no objective"),
            (changed(objectives={"iop": "max"}), '/objectives/iop: there is no such value'),
            (changed(objectives={"iop": "max"}), 'did you mean "iops"?'),
            (changed(objectives={"iops": "more"}), '/objectives/iops: must be "min" or "max", not "more"'),
            (changed(constraints=["pins <"]), "/constraints/pins <: not an expression"),
            (changed(constraints=["pns < 3"]), 'there is no parameter or value "pns"; did you mean "pins"?'),
            (changed(constraints=["open('x')"]), 'there is no function "open"'),
            (changed(constraints=["pins.real > 3"]), 'not allowed in an expression: "pins.real"'),
            (changed(constraints=["pins < 3", "channels <= 4"]), '/constraints: all 6 points are excluded: "pins < 3" excludes 6'),
            (changed(search={"method": "magic"}), '/search/method: there is no method "magic"'),
            (changed(search={"points": 0}), "/search/points: must be a whole number from 1"),
            (changed(parameters={"c": {"key": "cpu.clock", "from": "1MHz", "to": "9MHz"}}, values={}, objectives={"iops": "max"},
                     search={"method": "grid"}), 'a grid needs "step", "steps" or "values" of c'),
            (changed(seeds=0), "/seeds: must be the number of seeds per point"),
            (changed(stopEarly=5), '/stopEarly: must be a margin like "10%", or false'),
            (changed(timeLimit="5"), '/timeLimit: must be a time above 0, like "60s"'),
            (changed(values={"pins": "channels", "x": "1 / (ways - 1)"}), '/values/x: "1 / (ways - 1)" has no value: division by zero (channels 1, ways 1)'),
            (changed(constraints=["1 / (ways - 1) < 5"]), 'has no value: division by zero (channels 1, ways 1)'),
            (changed(images="yes"), '/images: must be true or false, not "yes"'),
            (changed(images=True), "/images: the first phase of the workload is measured, so there is no preconditioning"),
            (changed(images=True, set={"nand.contents": {"file": "x", "mode": "keep"}}), "/images: the scenario loads or saves"),
        ):
            self.write("study.json", study)
            with self.assertRaises(strobe.StrobeError) as caught:  # as the command, without starting Python each time
                explore.main([str(self.dir / "study.json"), "--check"])
            self.assertIn(text, str(caught.exception), study)
            self.assertEqual(caught.exception.exit_code, 2)
        self.assertEqual(sorted(file.name for file in self.dir.iterdir()), ["drive.json", "study.json"])

    def test_all_mistakes_of_a_file_are_listed(self):
        self.write("study.json", changed(seeds=0, objectives={"x": "max"}, extra=1))
        self.assertEqual(len(self.explore("study.json", status=2).stderr.splitlines()), 3)

    def test_a_wrong_command_line(self):
        for arguments, text in ((["study.json", "--jobs", "0"], "--jobs must be"), (["none.json"], "none.json: No such file"),
                                (["study.json", "--method", "x"], "strobe explore: --method must be auto, grid, random, sobol, tpe, nsga2 or nsga3, not x\n"),
                                (["study.json", "--method", "grid", "--points", "3"],
                                 "study.json: --points 3 does not go with a grid, which has every point of the space; choose another --method"),
                                (["study.json", "--points", "0"], "strobe explore: --points must be from 1 to 1000000, not 0\n"),
                                (["study.json", "--farm", "x"], "--farm x: must be slurm, lsf, sge, pbs\n"), ([], "strobe explore: missing: FILE\n"),
                                (["study.json", "--farm-options", "x"], "needs --farm"), (["study.json", "--metho", "x"], "unknown option --metho; did you mean --method?")):
            done = self.explore(*arguments, status=2)
            self.assertIn(text, done.stderr)
            self.assertNotIn("Traceback", done.stderr)

    def test_a_value_that_the_report_does_not_have_stops_the_study(self):
        for more, place in (({"objectives": {"totals.all.iop": "max"}}, "/objectives/totals.all.iop"),
                            ({"values": {"x": "report('totals.all.iop') / 2"}, "objectives": {"x": "max"}}, "/values/x"),
                            ({"constraints": ["report('totals.all.iop') > 5"]}, "/constraints/report('totals.all.iop') > 5")):
            self.write("study.json", changed(**more))
            for arguments in (["--check"], ["-o", "out"]):
                done = self.explore("study.json", *arguments, status=2)
                self.assertTrue(done.stderr.startswith(f"study.json: {place}: "), done.stderr)
                self.assertRegex(done.stderr, r'^[^\n]*no "iop" in totals.all; there is requests[^\n]*\n$')
                self.assertFalse((self.dir / "out").exists())

    def test_a_scenario_that_cannot_be_read_has_its_place_in_the_study(self):
        for more, message in (({"scenario": "nowhere"}, "study.json: /scenario: nowhere: there is no such scenario, "),
                              ({"set": {"nand.channels": 0}}, "study.json: /set: --set nand.channels=0: /nand/channels: must be ")):
            self.write("study.json", changed(**more))
            done = self.explore("study.json", "-o", "out", status=2)
            self.assertTrue(done.stderr.startswith(message), done.stderr)
            self.assertFalse((self.dir / "out").exists())

    def test_a_check_simulates_one_point_into_the_cache(self):
        self.assertIn("study.json: ok: a study\n  2 parameters, 6 combinations", self.explore("study.json", "--check").stdout)
        self.assertIn("study.json: the space has no more than --points 7: all of its points are simulated (method grid)\n",
                      self.explore("study.json", "--check", "--points", "7").stderr)
        self.assertFalse(self.out.exists())
        self.assertIn("5 runs simulated, 1 from the cache", self.explore("study.json").stdout)

    def test_a_check_names_an_objective_without_a_number_and_a_point_that_takes_long(self):
        self.write("study.json", changed(objectives={"scenario": "max"}, values={"scenario": "report('scenario')"}))
        self.assertIn("the first point (channels 1, ways 1) fails: scenario is no number: ", self.explore("study.json", "--check", status=2).stderr)
        self.write("study.json", changed(timeLimit="1ms"))
        self.assertIn("values of the report are not checked: channels 1, ways 1 takes longer than 0.001 s",
                      self.explore("study.json", "--check").stdout)

    def test_an_empty_space_has_one_message(self):
        for parameters in ({}, {"channels": {"key": "nand.channels", "values": []}}, {"channels": {"key": "nand.channels", "from": 4, "to": 1}},
                           {"channels": {"choices": {}}}):
            self.write("study.json", changed(parameters=parameters, values={"pins": "channels * 17"} if parameters else STUDY["values"]))
            self.assertRegex(self.explore("study.json", "--check", status=2).stderr, r"^study.json: /parameters[^\n]*the space is empty\n$")

    def test_directories_that_cannot_be_used(self):
        self.assertIn("the cache of results cannot be written: Not a directory",
                      self.explore("study.json", "--cache", "/dev/null/cache", status=2).stderr)
        self.assertEqual(self.explore("study.json", "--emit-jobs", "none/jobs", status=2).stderr, "none/jobs: cannot be written: there is no directory none\n")
        self.assertFalse((self.dir / "none").exists())
        self.assertIn("/dev/null/out: cannot be written", self.explore("study.json", "-o", "/dev/null/out", status=2).stderr)

    def test_a_full_disk_stops_the_study_and_loses_nothing(self):
        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (8000, 8000))

        done = self.explore("study.json", status=2, preexec_fn=small_files)
        self.assertRegex(done.stderr, "file too large.*nothing is lost")
        self.assertNotIn("Traceback", done.stderr)
        self.explore("study.json")
        self.assertEqual(len(self.points()), 6)

    def test_a_scheduler_that_cannot_be_reached(self):
        done = self.explore("study.json", "--scheduler", "tcp://127.0.0.1:9", status=2)
        self.assertRegex(done.stderr, "^strobe explore: the scheduler tcp://127.0.0.1:9 cannot be reached: [^\n]*\n$")

    def test_a_study_that_has_changed_is_refused(self):
        self.explore("study.json", "--method", "grid")
        before = (self.out / "points.jsonl").read_bytes()
        for study, text in ((changed(objectives={"pins": "min", "iops": "max"}), "study.json: /objectives changed"),
                            (changed(seeds=2), "/seeds changed"), (changed(set={"seed": 9}), "/set, the resolved scenario changed")):
            self.write("study.json", study)
            done = self.explore("study.json", "--method", "grid", status=2)
            self.assertIn(text, done.stderr)
            self.assertEqual((self.out / "points.jsonl").read_bytes(), before)
        self.write("study.json", STUDY)
        self.write("drive.json", {**DRIVE, "memory": {"size": "32MiB", "bufferSize": "1MiB"}})
        self.assertIn("the resolved scenario changed", self.explore("study.json", "--method", "grid", status=2).stderr)
        self.explore("study.json", "--method", "grid", "--restart")

    def test_a_constraint_that_no_result_satisfies(self):
        self.write("study.json", changed(constraints={"fast enough": "bandwidth >= 1000000"}))
        done = self.explore("study.json", status=2)
        self.assertIn('/constraints: none of 6 points satisfies all constraints; "fast enough" excludes 6', done.stderr)
        self.assertEqual(len(self.points()), 6)

    def test_a_point_that_fails_is_recorded_and_does_not_stop_the_study(self):
        self.write("study.json", changed(parameters={**STUDY["parameters"], "buffer": {
            "key": "memory.bufferSize", "values": ["1MiB", "64MiB"]}}))  # the memory has 16 MiB
        done = self.explore("study.json")
        self.assertIn("12 points (6 runs simulated, 0 from the cache, 6 failed", done.stdout)
        failed = [row for row in self.rows() if row["status"] == "failed"]
        self.assertEqual({row["buffer"] for row in failed}, {"64MiB"})
        self.assertIn("/memory/bufferSize", failed[0]["message"])


class Results(Directory):
    def test_a_small_space_is_a_grid_and_its_front_is_right(self):
        done = self.explore("study.json", jobs=None)
        points = self.points()
        self.assertEqual(len(points), 6)
        self.assertIn("6 runs simulated", done.stdout)

        def worse(point, other):
            mine, theirs = ([p["measured"][name]["mean"] for name in ("pins", "bandwidth")] for p in (point, other))
            return theirs[0] <= mine[0] and theirs[1] >= mine[1] and theirs != mine

        expected = {point["number"] for point in points if not any(worse(point, other) for other in points)}
        front = json.loads((self.out / "pareto.json").read_text())["points"]
        self.assertEqual({point["point"] for point in front}, expected)
        self.assertEqual({int(row["point"]) for row in self.rows() if row["front"] == "1"}, expected)

        # The scenario of a point, ready to run, gives the value of the point.
        best = max(front, key=lambda point: point["values"]["bandwidth"])
        result = strobe.run(self.out / best["scenario"])
        self.assertEqual(result.value("totals.all.megabytes_per_second"), best["values"]["bandwidth"])
        self.assertEqual(strobe.load(self.out / best["report"]).report["totals"], result.report["totals"])

        page = (self.out / "index.html").read_text()
        self.assertNotIn(' src="http', page)
        data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1].replace("<\\/", "</"))
        self.assertIn("flash units", data["points"][0]["excerpt"]["groups"])  # as the report calls them
        self.assertEqual([point["number"] for point in data["points"]], sorted(point["number"] for point in points))
        self.assertAlmostEqual(data["effects"]["single"]["bandwidth"]["channels"] + data["effects"]["single"]["bandwidth"]["ways"]
                               + data["effects"]["pairs"]["bandwidth"][0][2], 1)

        # Again: nothing is simulated. In another directory: the cache has everything.
        self.explore("study.json")
        self.assertIn("0 runs simulated, 6 from the cache", self.explore("study.json", "-o", "other").stdout)
        self.assertEqual((self.dir / "other" / "pareto.json").read_text(), (self.out / "pareto.json").read_text())

    def test_the_cache_distinguishes_what_results_depend_on(self):
        self.write("trace.csv", "0,0,0,4096,W\n")
        drive = {**DRIVE, "workload": {"phases": [{"name": "t", "kind": "trace", "trace": {"file": "my.trace", "format": "spc"}}]}}
        self.write("drive.json", drive)
        self.write("my.trace", "0,0,4096,w,0.0\n0,8,4096,w,0.001\n")
        self.write("study.json", changed(parameters={"ways": {"key": "nand.ways", "values": [1, 2]}}, values={}, objectives={"iops": "max"}))
        self.assertIn("2 runs simulated", self.explore("study.json").stdout)
        strobe.validate(self.out / "scenarios" / "point-0001.json")  # finds its trace
        self.assertIn("0 runs simulated", self.explore("study.json", "-o", "b").stdout)
        self.write("my.trace", "0,0,4096,w,0.0\n0,8,4096,w,0.002\n")
        self.assertIn("2 runs simulated", self.explore("study.json", "-o", "c").stdout)

    def test_conditions_choices_and_units(self):
        self.write("study.json", changed(
            parameters={"interface": {"choices": {"slow": {"channel.interface": "CONV", "channel.clock": "50MHz"},
                                                  "fast": {"channel.interface": "PROPOSED", "channel.clock": "minimum"}}},
                        "clock": {"key": "cpu.clock", "from": "50MHz", "to": "200MHz", "steps": 3, "log": True},
                        "buffer": {"key": "memory.bufferSize", "values": ["512KiB", "1MiB"], "when": "interface == 'fast'"}},
            values={"megahertz": "clock / MHz", "share": "buffer / MiB if buffer else 0"}, constraints=["clock < 150 * MHz"],
            objectives={"megahertz": "min", "share": "min", "write_p99": "min"}))
        self.explore("study.json")
        points = self.points()
        self.assertEqual(len(points), 2 + 4)
        self.assertEqual({point["values"]["clock"] for point in points}, {"50MHz", "100MHz"})
        self.assertEqual([point["values"].get("buffer") for point in points if point["values"]["interface"] == "slow"], [None, None])
        self.assertEqual({point["measured"]["share"]["mean"] for point in points}, {0, 0.5, 1})

    def test_seeds_have_intervals_and_hopeless_points_are_stopped(self):
        self.write("study.json", changed(seeds=3, objectives={"iops": "max"}, values={}, stopEarly="10%",
                                         parameters={"clock": {"key": "cpu.clock", "values": ["400MHz", "100MHz", "50MHz", "25MHz", "20MHz"]}}))
        self.explore("study.json", "--jobs", "1", "--method", "grid")
        points = {point["values"]["clock"]: point for point in self.points()}
        best = points["400MHz"]
        self.assertEqual([run["seed"] for run in best["runs"]], [1, 2, 3])
        iops = [strobe.load(self.dir / "cache" / run["key"][:2] / f"{run['key']}.json").value("totals.all.iops") for run in best["runs"]]
        self.assertAlmostEqual(best["measured"]["iops"]["mean"], sum(iops) / 3)
        mean, low, high = (best["measured"]["iops"][key] for key in ("mean", "low", "high"))
        deviation = (sum((value - mean) ** 2 for value in iops) / 2) ** 0.5
        self.assertAlmostEqual(high - mean, 4.302653 * deviation / 3 ** 0.5, places=3)
        self.assertAlmostEqual(mean - low, high - mean)
        self.assertEqual((points["20MHz"]["status"], len(points["20MHz"]["runs"])), ("stopped", 1))

    def test_optuna_searches_and_goes_on(self):
        self.write("study.json", changed(parameters={**STUDY["parameters"], "clock": {"key": "cpu.clock", "from": "50MHz", "to": "400MHz"}},
                                         constraints=["bandwidth > 1"], search={"points": 8, "population": 4}))
        self.assertIn("method nsga2, 8 points", self.explore("study.json", "--check").stdout)
        self.explore("study.json")
        first = self.points()
        self.assertEqual(len({json.dumps(point["values"]) for point in first}), 8)
        self.explore("study.json", "--points", "11")
        self.assertEqual(self.points()[:8], first)
        self.assertEqual(len({json.dumps(point["values"]) for point in self.points()}), 11)
        for method in ("tpe", "sobol"):
            self.explore("study.json", "--method", method, "-o", method, "--points", "4")
            self.assertEqual(len(self.points(self.dir / method)), 4)

    def test_jobs_can_be_run_elsewhere(self):
        done = self.explore("study.json", "--emit-jobs", "jobs.sh")
        self.assertEqual(done.stdout, "jobs.sh: 6 commands; run them all, then strobe explore study.json --cache cache\n")
        self.assertEqual(len((self.dir / "jobs.sh").read_text().splitlines()), 6)
        subprocess.run(["sh", "-e", "jobs.sh"], cwd=self.dir, check=True, timeout=100)
        self.assertEqual(self.explore("study.json", "--emit-jobs", "-").stdout, "")
        self.assertIn(": 0 commands; there is nothing to simulate; run strobe explore study.json", self.explore("study.json", "--emit-jobs", "jobs.sh").stdout)
        self.assertIn("0 runs simulated, 6 from the cache", self.explore("study.json").stdout)


class Progress(unittest.TestCase):
    def test_a_rate_and_a_remaining_time_need_some_simulated_runs(self):
        counts = progress.Counts(100, done=10)
        shown = progress.Progress(counts, quiet=True)
        shown.begin -= 2.0
        counts.done, counts.cached, counts.simulated = 34, 20, 4
        self.assertEqual(shown.words(), "20 runs from the cache")
        counts.done, counts.cached, counts.simulated = 15, 0, 5
        self.assertRegex(shown.words(), r"^2\.\d points/s, about \d+ s left$")
        counts.done, counts.simulated, counts.failed = 11, 0, 1
        self.assertEqual(shown.words(), "1 failed")


class Ranges(unittest.TestCase):
    def values(self, **given):
        made = study_file.of_text({"scenario": "nvme-mlc-8x4", "objectives": {"iops": "max"},
                                   "parameters": {"p": {"key": "memory.bufferSize", **given}}}, "study.json").space.parameters[0]
        return made.values or [made.at(share / 7) for share in range(8)]

    def test_a_size_in_binary_units_stays_one_of_whole_sectors(self):
        self.assertEqual(self.values(**{"from": "1MiB", "to": "16MiB", "log": True, "steps": 5}), ("1MiB", "2MiB", "4MiB", "8MiB", "16MiB"))
        self.assertEqual(self.values(**{"from": "4KiB", "to": "8KiB", "steps": 3}), ("4KiB", "6KiB", "8KiB"))
        for value in self.values(**{"from": "1MiB", "to": "15MiB", "log": True}):
            self.assertEqual(quantity.parse(value).count % 8192, 0, value)

    def test_other_quantities_have_three_digits(self):
        self.assertEqual(self.values(**{"from": "50MHz", "to": "200MHz", "log": True, "steps": 4}), ("50MHz", "79.4MHz", "126MHz", "200MHz"))
        self.assertEqual(self.values(**{"from": "1MB", "to": "2MB", "steps": 4}), ("1MB", "1.33MB", "1.67MB", "2MB"))

    def test_the_values_of_a_step_are_exact(self):
        sizes = self.values(**{"from": "4KiB", "to": "2MiB", "step": "4KiB"})
        self.assertEqual((len(set(sizes)), sizes[256]), (512, "1028KiB"))
        self.assertEqual(self.values(**{"from": "1000us", "to": "1003us", "step": "1us"}), ("1ms", "1.001ms", "1.002ms", "1.003ms"))


class Shipped(unittest.TestCase):
    """The studies of scenarios/studies."""

    def test_each_study_is_accepted(self):
        files = sorted(STUDIES.glob("*/study.json"))
        self.assertEqual(len(files), 6)
        with tempfile.TemporaryDirectory() as cache:
            for study in files:
                explore.main([str(study), "--check", "--cache", cache])


class PowerCap(Directory):
    """A constraint on power: the study that is shipped, with fewer points."""

    def test_drives_above_the_cap_do_not_count(self):
        study = json.loads((STUDIES / "power-cap" / "study.json").read_text())
        study["scenario"] = str(STUDIES / "power-cap" / "drive.json")
        study["set"] = {"workload.phases.0.volume": "64MiB"}
        study["parameters"] = {"channels": {"key": "nand.channels", "values": [1, 4, 8]}, "ways": {"key": "nand.ways", "values": [4]}}
        self.write("study.json", study)
        self.explore("study.json")
        fits = {row["channels"]: (float(row["power"]) <= 5, float(row["peak_power"]) <= 6) for row in self.rows()}
        self.assertEqual(fits["1"], (True, True))
        self.assertEqual(fits["8"], (False, False))
        front = json.loads((self.out / "pareto.json").read_text())
        self.assertNotIn(8, [point["parameters"]["channels"] for point in front["points"]])


if __name__ == "__main__":
    unittest.main()
