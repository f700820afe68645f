#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Power lost at random instants of whole runs: acknowledged and flushed data survives, recovery is
reported, and a recovery with a deliberate fault is detected.

Needs STROBE in the environment: the program under test; STROBE_SANITIZE=1 if it was built with sanitizers; then a
tenth of the losses is simulated.
"""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from test_runs import SMALL, STROBE, Run, merged, phase

SHARE = 10 if os.environ.get("STROBE_SANITIZE") == "1" else 1

# Every case occurs often: small blocks, collection, trims, flushes, requests of partial pages.
DRIVE = merged(SMALL, name="power", firmware={"overProvisioning": "35%", "pageMap": {"checkpointPages": 2000}, "completion": "write-back"},
               host={"queueDepth": 16},
               power={"meanCutInterval": "20ms", "offTime": "100us"})


def work(requests, **more):
    usual = {"blockSize": "4KiB", "readRatio": "20%", "trimRatio": "5%", "flushEvery": 40, "zipf": {"theta": 0.9},
             "pacing": {"queueDepth": 16}}
    return {"phases": [phase("mix", "zipf", requests=requests, **{**usual, **more})]}


START = ('{"integrity": {}, "power": {"starts": [{"at_ps": %s, "ready_after_ps": 1, "pages_scanned": 1, "other_reads": 1, "programs": 1, '
         '"erases": 1, "sectors_read_back": 1, "read_back_ps": 1}]}}')


class Losses(unittest.TestCase):
    DRIVE = None

    def run_it(self, code=0, *arguments, **changes):
        run = Run(merged(self.DRIVE, **changes), *arguments)
        self.assertEqual(run.code, code, run.errors)
        return run

    def check(self, run, cuts):
        power = run.report["power"]
        self.assertGreaterEqual(power["cuts"], cuts)
        self.assertEqual(run.report["integrity"]["mismatches"], 0)
        self.assertEqual(power["sectors_unreadable"], 0)
        self.assertGreater(power["sectors_read_back"], 0)
        self.assertGreater(power["operations_cut"], 0)
        return power


class PowerLoss(Losses):
    DRIVE = DRIVE

    def test_a_thousand_random_instants_lose_nothing(self):
        run = self.run_it(power={"maxCuts": 1000 // SHARE}, workload=work(60000 // SHARE))
        power = self.check(run, 1000 // SHARE)
        self.assertGreater(power["cuts_in_recovery"], 0)
        self.assertGreater(power["sectors_reverted"], 0)  # otherwise no data was ever at risk
        self.assertLessEqual(power["sectors_reverted"], power["sectors_at_risk"])
        self.assertGreater(power["pages_scanned"], 0)
        self.assertEqual(power["recoveries"] + power["cuts_in_recovery"], power["cuts"])

    def test_other_modes_of_the_drive_lose_nothing_either(self):
        for name, changes in {
            "bytes": {"data": "bytes"},
            "write-through": {"firmware": {"completion": "write-through"}},
            "copy-back": {"firmware": {"pageMap": {"gc": {"lowBlocks": 4, "copyBack": True}}}},
            "no checkpoints but for the journal": {"firmware": {"pageMap": {"checkpointPages": 0}}},
            "commands dropped": {"power": {"lostCommands": "drop"}},
            "marks instead of a table": {"firmware": {"pageMap": {"badBlockScan": "scan"}}},
            "planes and cache": {"controller": {"multiPlane": True, "cacheOperations": True}},
            "planes in a cache program": {"nand": {"part": {"multiPlaneCache": True}},
                                          "controller": {"multiPlane": True, "cacheOperations": True, "unitDepth": 8}},
            "suspend": {"channel": {"suspend": "both"}},
        }.items():
            with self.subTest(name):
                changes = merged({"power": {"maxCuts": 60 // SHARE}, "workload": work(4000 // SHARE)}, **changes)
                self.check(self.run_it(**changes), 30 // SHARE)

    def test_a_block_that_wears_out_after_a_power_loss_takes_a_spare_though_there_are_factory_bad_blocks(self):
        run = Run({"nand": {"part": {"extends": "k9f1g08u0a", "blocksPerPlane": 48, "pagesPerBlock": 8, "maxBadBlocks": 4}, "channels": 1,
                            "ways": 1, "factoryBadBlocks": 3, "wornBlocks": [{"die": 0, "block": 7, "at": "100ms"}]},
                   "memory": {"size": "16MiB", "bufferSize": "256KiB"},
                   "firmware": {"overProvisioning": "50%", "spareBlocks": 3, "pageMap": {"checkpointPages": 20}},
                   "workload": {"phases": [phase("w", requests=3000, region={"size": "128KiB"}, blockSize="2KiB", flushEvery=10,
                                                 pacing={"queueDepth": 1})]},
                   "power": {"cuts": ["50ms"], "offTime": "100us"}})
        self.assertEqual(run.code, 0, run.errors)
        self.assertEqual(run.report["flash"]["wear"]["failed"], 1)

    def protected(self, **more):
        changes = {"firmware": {"pageMap": {"writeCache": "protected", "writeBufferPages": 64}},
                   "power": {"maxCuts": 60 // SHARE, "holdUp": "40ms"}, "workload": work(4000 // SHARE, flushEvery=0)}
        return merged(changes, **more)

    def test_a_protected_buffer_loses_nothing_that_was_acknowledged(self):
        for name, changes in {
            "as it is": {},
            "nvme": {"host": {"interface": "nvme"}},
            "direct": {"host": {"interface": "direct"}},
            "ahci": {"host": {"interface": "ahci"}},
            "pata": {"host": {"interface": "pata", "queueDepth": 1}},
            "two cores": {"firmware": {"cores": 2}},
            "rv32": {"firmware": {"mode": "rv32"}, "power": {"maxCuts": 10}, "workload": work(500)},
            "stages": {"report": {"stages": True}},
        }.items():
            with self.subTest(name):
                power = self.check(self.run_it(**self.protected(**changes)), 5 // SHARE)
                self.assertEqual(power["sectors_at_risk"], 0)
                self.assertEqual(power["sectors_reverted"], 0)
                self.assertEqual(power["not_saved"], 0)
                self.assertEqual(power["hold_ups"] + power["cuts_in_recovery"], power["cuts"])
                self.assertGreater(power["longest_hold_up_ps"], 100_000_000)

    def test_capacitors_that_are_empty_too_early_are_an_error(self):
        run = self.run_it(1, **self.protected(power={"holdUp": "12.8ms", "maxCuts": 20}, workload=work(
            4000, flushEvery=0, readRatio="0%", blockSize="512B", zipf={"theta": 0.2})))
        self.assertGreater(run.report["power"]["not_saved"], 0)
        self.assertGreater(run.report["integrity"]["mismatches"], 0)

    def test_capacitors_that_cannot_suffice_are_refused(self):
        run = self.run_it(2, **self.protected(power={"holdUp": "1us"}))
        self.assertIn("/power/holdUp: a hold-up time of 1 us is too short to save a write buffer of 64 pages", run.errors)
        run = self.run_it(2, power={"holdUp": "1ms"}, workload=work(500))
        self.assertIn("/power/holdUp: applies only to a protected write cache, but firmware.pageMap.writeCache is volatile",
                      run.errors)

    def test_the_command_proves_a_protected_buffer(self):
        done = self.powercut(merged(DRIVE, **self.protected()), "--cuts", "12",
                             "--json", "-")
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        self.assertEqual(json.loads(done.stdout)["violations"], 0)

    # Dies of four planes that are joined, with pSLC mode; `worn`: three blocks of each die fail from their first program on.
    def joined(self, worn, **more):
        part = {"extends": "tlc-128l-4plane", "blocksPerPlane": 40 if worn else 20, "pagesPerBlock": 24, "maxBadBlocks": 8, "endurance": 0}
        nand = {"part": part, "channels": 2, "ways": 2, "factoryBadBlocks": 0 if worn else 6,
                "wornBlocks": [{"die": die, "block": block, "at": "0s"} for die in range(4) for block in (8, 20, 36)] if worn else []}
        drive = {"name": "joined", "nand": nand, "channel": {"interface": "NV_DDR3_12"}, "controller": {"multiPlane": True},
                 "memory": {"size": "256MiB", "bufferSize": "16MiB"},
                 "firmware": {"overProvisioning": "50%", "spareBlocks": 16, "pageMap": {"pslcCache": {"mode": "dynamic"}}},
                 "host": {"interface": "nvme", "queueDepth": 32}}
        return merged(drive, **more)

    def test_a_protected_buffer_before_joined_planes_in_pslc_mode_loses_nothing(self):
        mix = phase("mix", "hot-cold", requests=15000 // SHARE, blockSize="4KiB", readRatio="10%", trimRatio="10%", pacing={"queueDepth": 32})
        fill = phase("fill", "sequential", blockSize="64KiB", volume="100%", pacing={"queueDepth": 16})
        drive = self.joined(False, firmware={"pageMap": {"writeCache": "protected", "checkpointPages": 2000}},
                            workload={"phases": [fill, mix]})
        done = self.powercut(drive, "--cuts", str(60 // SHARE), "--seed", "5", "--json", "-")
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        self.assertEqual(json.loads(done.stdout)["violations"], 0)

    def test_blocks_that_fail_from_their_first_page_on_lose_nothing_in_pslc_mode(self):
        writes = phase("w", "uniform", requests=6000, blockSize="4KiB", pacing={"queueDepth": 32})
        drive = self.joined(True, firmware={"completion": "write-through"}, workload={"phases": [writes]})
        self.assertEqual(Run(merged(drive, power={"cuts": ["3.804191893ms"]})).code, 0)
        done = self.powercut(drive, "--cuts", str(40 // SHARE), "--seed", "3", "--json", "-")
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        self.assertEqual(json.loads(done.stdout)["violations"], 0)

    # Recovery reads a first page of pSLC mode in the other mode first, which fails: its record must not be that of another page.
    def test_a_controller_without_decoding_time_loses_nothing_in_pslc_mode(self):
        fill = phase("fill", "sequential", blockSize="64KiB", volume="60%", flushEvery=8, pacing={"queueDepth": 16})
        back = phase("back", "sequential", blockSize="64KiB", volume="100%", readRatio="100%")
        ecc = {"decodeLatency": "0ps", "rate": "unlimited"}
        drive = self.joined(False, controller={"ecc": ecc}, firmware={"pageMap": {"superblock": {"joinPlanes": False}}},
                            power={"cuts": ["60ms"], "offTime": "1ms"}, workload={"phases": [fill, back]})
        self.assertEqual(Run(drive).code, 0)

    def test_a_recovery_that_prefers_the_oldest_version_is_detected(self):
        run = self.run_it(1, firmware={"image": "page_map_forgetful"}, power={"maxCuts": 20}, workload=work(3000))
        self.assertGreater(run.report["integrity"]["mismatches"], 0)

    def test_the_same_seed_gives_the_same_cuts(self):
        runs = [self.run_it(power={"maxCuts": 10}, workload=work(1500)) for _ in range(2)]
        self.assertEqual(runs[0].text, runs[1].text)

    def test_listed_cuts_happen_at_their_times(self):
        run = self.run_it(power={"meanCutInterval": "never", "cuts": ["5ms", "5.05ms", "9ms"], "offTime": "1ms"},
                          workload=work(3000))
        self.assertEqual(run.report["power"]["cuts"], 2)  # there was no power at the second one
        self.assertGreater(run.report["power"]["mean_recovery_ps"], 0)

    def test_a_recovery_that_takes_longer_than_the_watchdog_waits_has_not_stalled(self):
        run = self.run_it(power={"meanCutInterval": "never", "cuts": ["40ms"], "offTime": "1ms"}, workload=work(3000),
                          firmware={"stallAfter": "10ms"})
        self.assertGreater(run.report["power"]["longest_recovery_ps"], 10e9)

    def test_without_data_there_is_still_recovery(self):
        run = self.run_it(data="none", power={"maxCuts": 10}, workload=work(1500))
        self.assertGreaterEqual(run.report["power"]["cuts"], 5)
        self.assertEqual(run.report["failures"], [f for f in run.report["failures"] if not f["is_error"]])

    def test_the_report_of_a_run_without_cuts_has_no_power_section(self):
        run = self.run_it(power={"meanCutInterval": "never"}, workload=work(500))
        self.assertNotIn("power", run.report)

    def test_cuts_with_invalid_times_are_refused(self):
        for cuts in ["3ms", ["2ms", "1ms"], ["soon"], ["0s"]]:
            run = self.run_it(2, power={"cuts": cuts}, workload=work(500))
            self.assertIn("/power/cuts: must be a list of ascending times above 0", run.errors)

    def test_listed_cuts_after_the_end_of_the_run_are_reported(self):
        run = self.run_it(power={"meanCutInterval": "never", "cuts": ["5ms", "900s", "901s"]}, workload=work(500))
        self.assertEqual((run.report["power"]["cuts"], run.report["power"]["cuts_after_end"]), (1, 2))

    def test_cuts_that_leave_no_time_to_recover_end_the_run_with_a_message(self):
        run = self.run_it(2, power={"meanCutInterval": "10us"}, workload=work(500))
        self.assertIn("/power/meanCutInterval: with 10 us power was lost 500 times in a row before a request", run.errors)
        self.run_it(power={"meanCutInterval": "10us", "maxCuts": 600}, workload=work(500))

    def test_a_number_of_random_cuts_needs_random_cuts(self):
        run = self.run_it(2, power={"meanCutInterval": "never", "maxCuts": 3}, workload=work(500))
        self.assertIn("/power/maxCuts: applies only to random power losses", run.errors)

    def powercut(self, scenario, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "scenario.json"
            file.write_text(json.dumps(scenario))
            return subprocess.run([STROBE, "powercut", str(file), *arguments], capture_output=True, text=True,
                                  check=False)

    def test_the_command_cuts_one_run_at_many_instants(self):
        done = self.powercut(merged(DRIVE, workload=work(800)), "--cuts", "12", "--seed", "3", "--json", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr,  # the drive has random cuts
                         "powercut: the power losses of the scenario (/power) are ignored: each run has one at a random instant\n")
        sums = json.loads(done.stdout)
        self.assertEqual(sums["firmware_faults"], [])
        self.assertEqual(sums["cuts"], 12)
        self.assertEqual(sums["recoveries"], 12)
        self.assertEqual(sums["violations"], 0)
        self.assertGreater(sums["sectors_read_back"], 0)

    def test_the_command_names_the_instants_at_which_data_was_lost(self):
        scenario = merged(DRIVE, firmware={"image": "page_map_forgetful"}, workload=work(1500))
        done = self.powercut(scenario, "--cuts", "6")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stdout, r"ERRORS: strobe run .*scenario.json.* .*'power.cuts=\[\"[0-9.]+[mun]?s\"\]'")

    def test_the_printed_command_reproduces_the_loss(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "a drive.json"
            file.write_text(json.dumps(merged(DRIVE, workload=work(1500))))
            done = subprocess.run([STROBE, "powercut", str(file), "--cuts", "6", "--set", "firmware.image=page_map_forgetful"],
                                  capture_output=True, text=True, check=False)
            line = re.search(r"^ERRORS: strobe (run .*)$", done.stdout, re.MULTILINE)
            self.assertTrue(line, done.stdout)
            again = subprocess.run(f"'{STROBE}' {line[1]}", shell=True, capture_output=True, text=True, check=False)
            self.assertEqual(again.returncode, 1, again.stderr)

    def test_drives_at_failing_cuts_are_saved_and_their_recovery_fails_at_once(self):
        with tempfile.TemporaryDirectory() as folder:
            file, cuts = pathlib.Path(folder) / "a drive.json", pathlib.Path(folder) / "cuts"
            file.write_text(json.dumps(merged(DRIVE, workload=work(1500))))
            command = [STROBE, "powercut", str(file), "--cuts", "3", "--set", "firmware.image=page_map_forgetful", "--save-cuts", str(cuts)]
            wrong = subprocess.run([*command[:-1], str(file / "cuts")], capture_output=True, text=True, check=False)
            self.assertEqual(wrong.returncode, 2)
            self.assertEqual(wrong.stderr, f"--save-cuts {file / 'cuts'}: {file}: must be a directory that can be written to\n")
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 1, done.stderr)
            failed = re.findall(r"^ERRORS: .*cuts=\[\"(.*?)\"\]", done.stdout, re.MULTILINE)
            self.assertEqual(sorted(path.name for path in cuts.iterdir()), sorted(f"cut-{at}.drive" for at in failed))
            line = re.search(r"^  from the drive at the cut: strobe (run .*)$", done.stdout, re.MULTILINE)
            report = pathlib.Path(folder) / "r.json"
            again = subprocess.run(f"'{STROBE}' {line[1]} --set workload.phases.0.requests=1 --json {report}", shell=True,
                                   capture_output=True, text=True, check=False)
            self.assertEqual(again.returncode, 1, again.stderr)
            self.assertGreater(json.loads(report.read_text())["integrity"]["mismatches"], 0)

    def test_each_start_is_listed_with_what_recovery_read_apart_from_the_read_back(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "r.json"
            def run(*sets):
                report = Run(merged(DRIVE, power={"meanCutInterval": "never", "cuts": ["30ms", "60ms"]}, workload=work(800)), *sets).report
                file.write_text(json.dumps(report))
                return report["power"], report["power"]["starts"]
            power, starts = run()
            self.assertEqual(len(starts), 2)
            self.assertEqual(sum(start["pages_scanned"] for start in starts), power["pages_scanned"])
            self.assertEqual(sum(start["sectors_read_back"] for start in starts), power["sectors_read_back"])
            self.assertGreater(starts[0]["sectors_read_back"], 0)
            for start in starts:
                self.assertGreater(start["read_back_ps"], 0)
                self.assertGreater(start["pages_scanned"], 0)
                self.assertEqual(start["other_reads"], 0) # the read-back comes later
            done = subprocess.run([STROBE, "inspect", "recovery", file], capture_output=True, text=True, check=True)
            rows = [line.split() for line in done.stdout.splitlines()[3:]]
            self.assertEqual([row[4].replace(",", "") for row in rows], [str(start["pages_scanned"]) for start in starts], done.stdout)
            # Without the read-back recovery reads the same pages.
            _, silent = run("--set", "power.readBack=false")
            self.assertEqual(silent[0]["pages_scanned"], starts[0]["pages_scanned"])
            self.assertEqual(silent[0]["sectors_read_back"], 0)

    def test_a_report_without_power_losses_has_no_starts_to_inspect(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "r.json"
            for text, said in (("{}", "must be a report"), ('{"integrity": {}}', "had no power loss"), ("x", "must be a report"),
                               ('{"integrity": {}, "power": {"starts": [1]}}', "must be a report"),
                               (START % "1e300", "must be a report"), (START % "-1", "must be a report")):
                file.write_text(text)
                done = subprocess.run([STROBE, "inspect", "recovery", file], capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(said, done.stderr)

    def test_a_directory_is_no_report_to_inspect(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([STROBE, "inspect", "recovery", folder], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(f"{folder}: ", done.stderr)

    def test_data_mode_none_is_refused(self):
        done = self.powercut(merged(DRIVE, data="none", workload=work(100)), "--cuts", "2")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("/data: must be tags or bytes: with none, data that is read back is not checked", done.stderr)


# The prototype of the Hydra paper with little of everything: superblocks of 64 KiB, merges, copies of the tables and
# parked sectors occur often. Feeder and synthesizer are used as well.
SUPERBLOCKS = {
    "extends": "papers/hydra/prototype-small", "name": "power, superblocks",
    "nand": {"part": {"extends": "k9k8g08u0m", "blocksPerPlane": 48, "pagesPerBlock": 16, "maxBadBlocks": 2},
             "channels": 2, "ways": 2, "factoryBadBlocks": 1},
    "controller": {"superchip": {"bus": 2, "chip": 1}, "units": 4, "synthesizer": True},
    "firmware": {"overProvisioning": "20%", "spareBlocks": 2,
                 "superblockMap": {"sectorBuffer": "256KiB", "checkpointRecords": 40}},
    "power": {"meanCutInterval": "40ms", "offTime": "100us"}}


class SuperblockPowerLoss(Losses):
    DRIVE = SUPERBLOCKS

    def work(self, requests):
        return work(requests, region={"size": "2MiB"})

    def test_a_thousand_random_instants_lose_nothing(self):
        run = self.run_it(power={"maxCuts": 1000 // SHARE}, workload=self.work(60000 // SHARE))
        power = self.check(run, 1000 // SHARE)
        self.assertGreater(power["cuts_in_recovery"], 0)
        self.assertGreater(power["sectors_reverted"], 0)  # otherwise no data was ever at risk
        self.assertEqual(power["recoveries"] + power["cuts_in_recovery"], power["cuts"])

    def test_other_modes_of_the_drive_lose_nothing_either(self):
        for name, changes in {
            "bytes": {"data": "bytes"},
            "write-through": {"firmware": {"completion": "write-through"}},
            "parked by flushes": {"firmware": {"superblockMap": {"flush": "park"}}},
            "tables twice": {"firmware": {"superblockMap": {"flush": "park", "replicateTables": True}}},
            "levelling": {"firmware": {"wearThreshold": 3}},
            "superchips of 2 x 2": {"controller": {"superchip": {"bus": 2, "chip": 2}}},
            "superchips of 1 x 1, no synthesizer": {"controller": {"superchip": {"bus": 1, "chip": 1},
                                                                   "synthesizer": False}},
        }.items():
            with self.subTest(name):
                changes = merged({"power": {"maxCuts": 60 // SHARE}, "workload": self.work(4000 // SHARE)}, **changes)
                self.check(self.run_it(**changes), 30 // SHARE)

    def test_a_recovery_that_ignores_the_log_is_detected(self):
        run = self.run_it(1, firmware={"image": "superblock_map_forgetful"}, power={"maxCuts": 20},
                          workload=self.work(3000))
        self.assertGreater(run.report["integrity"]["mismatches"], 0)


if __name__ == "__main__":
    unittest.main()
