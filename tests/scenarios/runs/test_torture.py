#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`strobe torture`: random cases pass, a planted bug is found and shrunk, and a case repeats.

Needs STROBE in the environment: the program under test, with STROBE_RV32=1 if it has a core, STROBE_SANITIZE=1 if it was
built with sanitizers.

    test_torture.py Random             100 cases, 15 under sanitizers
    test_torture.py Random --cases 30  as many as that
"""
import json
import math
import os
import pathlib
import random
import signal
import subprocess
import sys
import threading
import unittest
import unittest.mock

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "scripts" / "python"), str(pathlib.Path(__file__).resolve().parents[1] / "cli")]
from cli_support import STROBE, Directory, strobe  # noqa: E402
from strobe.torture import drives, space  # noqa: E402
from strobe.torture.campaign import Campaign  # noqa: E402
from strobe.torture.case import Case, Ended, load, save  # noqa: E402
from strobe.torture.draft import Drawer, remove  # noqa: E402
from strobe.torture.judge import Verdict, failures_asked_for, judge, of_run, unequal  # noqa: E402
from strobe.torture.requests import Request, trace  # noqa: E402
from strobe.torture.shrink import Shrinker  # noqa: E402

CASES = 15 if os.environ.get("STROBE_SANITIZE") == "1" else 100
if "--cases" in sys.argv:
    CASES = int(sys.argv.pop(sys.argv.index("--cases") + 1))
    sys.argv.remove("--cases")
RV32 = os.environ.get("STROBE_RV32") == "1"
SMALL = {"name": "small", "nand": {"part": {"extends": "k9f1g08u0a", "blocksPerPlane": 24, "pagesPerBlock": 8}, "channels": 1, "ways": 1},
         "firmware": {"overProvisioning": "60%"}, "memory": {"size": "16MiB", "bufferSize": "1MiB"},
         "workload": {"phases": [{"name": "requests", "kind": "trace", "trace": {"file": "requests.trace", "format": "blkparse"}}]}}


class Random(Directory):
    def test_random_cases_keep_their_data_and_repeat_their_reports(self):
        done = subprocess.run([STROBE, "torture", "--cases", str(CASES), "--jobs", "2", "--no-shrink", "--output", self.dir / "failed",
                               "--json", "-"], capture_output=True, text=True, check=False, timeout=1100)
        self.assertEqual(done.returncode, 0, done.stderr)
        sums = json.loads(done.stdout)
        self.assertEqual((sums["cases"], sums["failed"]), (CASES, []))
        self.assertLess(sums["drafts_refused"], CASES, "most random drives are refused: this test shows little")
        reached = sums["counts"]
        self.assertLess(reached.get("failures that the scenario asks for", 0), CASES / 5)
        if CASES < 100:
            return  # too few for every state
        wanted = ["power losses during recovery", "operations cut by power losses", "pages with bit errors", "blocks moved because they were due",
                  "planes that read at the same time", "cases with repeated reads", *[f"cases with {what}" for what in (
                      "page_map", "superblock_map", "start_gap", "data tags", "data bytes", "native firmware", "power losses",
                      *(f"host.interface {port}" for port in ("sata", "ahci", "nvme", "pata", "direct")),
                      *(f"flash operations for {why}" for why in ("merge", "garbage collection", "wear levelling", "metadata")))]]
        if RV32:
            wanted.append("cases with rv32 firmware")
        self.assertEqual([what for what in wanted if not reached.get(what)], [], reached)


class Parts(Directory):
    def test_every_parameter_of_the_schema_is_drawn_or_left_out_by_name(self):
        schema = json.loads(strobe("inspect", "schema").stdout)
        drawn = {parameter.key for parameter in space.parameters(schema)}
        every = {".".join(path) for path, _ in space.leaves(schema, ())}
        self.assertEqual({key for key in every - drawn if not space.LEFT_OUT.match(key)}, set())
        self.assertGreater(len(drawn), 250)
        with self.assertRaisesRegex(Exception, "in a way that space.py cannot draw"):
            space.parameters({"properties": {"nand": {"properties": {"new": {"type": "object"}}}}})

    def test_values_are_of_the_unit_and_range_of_the_schema(self):
        draws = random.Random(1)
        sizes = space.drawn({"$ref": "#/definitions/size", "description": "A size. Allowed: 128B to 4KiB."})
        scale = {"B": 1, "KiB": 1024}
        for _ in range(200):
            text = sizes(draws)
            unit = "KiB" if text.endswith("KiB") else "B"
            self.assertTrue(128 <= int(text.removesuffix(unit)) * scale[unit] <= 4096, text)

    def test_the_same_seed_and_number_give_the_same_case(self):
        drawer = Drawer(7)
        self.assertEqual([drawer.case(number) for number in range(3)], [Drawer(7).case(number) for number in range(3)])
        self.assertNotEqual(drawer.case(0)[0].scenario, Drawer(8).case(0)[0].scenario)

    def test_refused_keys_are_taken_away(self):
        scenario = {"nand": {"ways": 2, "part": {"pagesPerBlock": 8}}, "workload": {"phases": [{"name": "a", "drain": False}]}}
        self.assertTrue(remove(scenario, "/workload/phases/0/drain"))
        self.assertTrue(remove(scenario, "/nand/ways"))
        self.assertFalse(remove(scenario, "/nand/part"), "a drive needs a part")
        self.assertFalse(remove(scenario, "/nand/ways"))
        self.assertFalse(remove(scenario, "/nand/part/pagesPerBlock"), "the drive would be as large as those of today")
        self.assertEqual(scenario, {"nand": {"part": {"pagesPerBlock": 8}}, "workload": {"phases": [{"name": "a"}]}})

    def test_requests_become_a_trace_that_the_program_reads(self):
        requests = [Request("write", 3, 8, True, 7), Request("read", 5, 1, False, 9), Request("trim", 3, 2, False, 1_000_009), Request("flush")]
        self.assertEqual([Request.of_text(request.text()) for request in requests], requests)
        self.assertEqual(trace(requests[:1]), "8,0 0 1 0.000007000 1 D WF 3 + 8 [case]\n")
        Case("", SMALL, tuple(requests)).write(self.dir)
        report = json.loads(strobe("run", self.dir / "scenario.json", "--json", "-").stdout)
        self.assertEqual({kind: (total["requests"], total["bytes"]) for kind, total in report["totals"].items() if kind != "all"},
                         {"read": (1, 512), "write": (1, 4096), "trim": (1, 1024), "flush": (1, 0)})

    def test_a_case_shrinks_to_what_it_needs_to_fail(self):
        scenario = {"name": "x", "nand": {"part": {}, "ways": 12, "luns": 2}, "workload": {"phases": [{"name": "a"}, {"name": "b"}]}}
        requests = tuple(Request("write", number, 8, True, number) for number in range(50))

        def keeps(case):
            return (case.scenario.get("nand", {}).get("ways", 1) >= 3 and any(request.sector == 33 for request in case.requests)
                    and any(request.kind == "write" and request.sectors > 5 for request in case.requests))

        smallest = Shrinker(Verdict("x"), keeps=keeps).smallest(Case("x", scenario, requests))
        self.assertEqual(smallest.scenario, {"nand": {"ways": 3}})
        self.assertEqual(smallest.requests, (Request("write", 33, 8),))

    def test_ctrl_c_ends_a_campaign_without_further_shrinking_and_keeps_what_was_found(self):
        def judged(case):
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
            campaign.stopped.wait(60)
            return Verdict("wrong data", "made up")

        campaign = Campaign(Drawer(1), self.dir / "failed", 1, judged=judged)
        sums = campaign.run(iter(range(9)), math.inf, 9)
        self.assertTrue(sums.interrupted)
        self.assertEqual([(case["kind"], load(pathlib.Path(case["file"]))) for case in sums.failed], [("wrong data", Drawer(1).case(0)[0])])

    def test_a_crash_of_validate_is_a_failure_of_the_case_and_the_campaign_goes_on(self):
        crashing = self.write("strobe.sh", f'#!/bin/sh\n[ "$1" != validate ] || kill -SEGV $$\nexec "{STROBE}" "$@"\n')
        crashing.chmod(0o755)
        drawer = Drawer(1)
        with unittest.mock.patch.dict(os.environ, STROBE=str(crashing)):
            sums = Campaign(drawer, self.dir / "found", 2, shrinks=False).run(iter(range(3)), math.inf, None)
        self.assertEqual((sums.cases, [case["kind"] for case in sums.failed]), (3, ["exit code -11 of validate"] * 3))

    def test_output_that_is_no_report_is_a_failure_of_the_case(self):
        self.assertEqual(of_run(Case("x", {}), Ended(0, "hello\n{}", "")).kind, "no report")

    def test_a_case_file_repeats_the_case(self):
        file = self.dir / "case.json"
        case = Case("seed 1, case 2", SMALL, (Request("write", 1, 2), Request("read", 1, 2)))
        save(case, file, "wrong data", "made up")
        self.assertEqual(load(file), case)
        done = strobe("torture", "--repeat", file)
        self.assertEqual((done.returncode, done.stdout), (0, "seed 1, case 2: ok\n"))
        done = strobe("torture", "--repeat", file, "--unpack", self.dir / "parts")
        self.assertEqual(done.stdout, f"strobe run {self.dir}/parts/scenario.json\n")
        self.assertEqual(strobe("run", self.dir / "parts/scenario.json").returncode, 0)

    def test_a_journal_without_superblocks_is_a_reason_only_if_as_many_blocks_have_failed(self):
        drive = {**SMALL, "nand": {"part": {"name": "small", "source": "random", "blocksPerPlane": 20, "pagesPerBlock": 4, "pageSize": "1536B",
                                            "spareSize": "64B", "tR": "5us", "tPROG": "200us", "tBERS": "1500us"}},
                 "controller": {"superchip": {"chip": 2}}, "firmware": {"ftl": "superblock_map", "spareBlocks": 5}, "memory": {},
                 "faults": {"flash": [{"kind": "program-fail"}]}}
        case = Case("x", drive, (Request("write", 37560, 8, fua=True),))
        verdict = judge(case)
        self.assertEqual((verdict.kind, verdict.counts["failures that the scenario asks for"]), ("", 1), verdict.detail)
        case.write(self.dir)
        report = json.loads(strobe("run", self.dir / "scenario.json", "--json", "-").stdout)
        self.assertLessEqual(report["flash"]["wear"]["failed"], 5)
        self.assertEqual(failures_asked_for(report), {"more failed blocks than the journal has"})
        worn = {**report["flash"]["wear"], "failed": 2}
        for other in ({**report, "flash": {**report["flash"], "wear": worn}}, {**report, "firmware": {**report["firmware"], "log": []}}):
            self.assertEqual(failures_asked_for(other), set())

    def test_joined_planes_take_a_spare_block_each(self):
        drive = {**SMALL, "nand": {"part": {"extends": "qlc-96l-2plane", "blocksPerPlane": 24, "pagesPerBlock": 16, "maxBadBlocks": 0}, "channels": 1, "ways": 1},
                 "controller": {"multiPlane": True}, "memory": {"size": "96MiB", "bufferSize": "4MiB"},
                 "firmware": {"overProvisioning": "60%", "spareBlocks": 2, "pageMap": {"superblock": {"joinPlanes": True}}},
                 "faults": {"flash": [{"kind": "program-fail", "plane": 0}]}}
        case = Case("x", drive, tuple(Request("write", 0, 8, fua=True) for _ in range(4)))
        verdict = judge(case)
        self.assertEqual((verdict.kind, verdict.counts["failures that the scenario asks for"]), ("", 1), verdict.detail)
        case.write(self.dir)
        report = json.loads(strobe("run", self.dir / "scenario.json", "--json", "-").stdout)
        self.assertEqual(report["flash"]["wear"]["failed"], 2)
        self.assertEqual(failures_asked_for(report), {"more failed blocks than spare ones of joined planes"})
        report["config"]["firmware"]["pageMap"]["superblock"]["joinPlanes"] = False
        self.assertEqual(failures_asked_for(report), set())

    def test_every_part_is_drawn_or_left_out_by_name(self):
        parts = {path.stem for path in (ROOT / "scenarios" / "parts").glob("*.json")}
        left_out = {"aging-slc", "aging-cmlc"}  # of a study, like other parts of SLC and MLC
        modelled = {f"tlc-128l-2plane-{kind}" for kind in drives.WITH_ERRORS}
        self.assertEqual(parts, {*drives.FLASH, *drives.PCM} | modelled | left_out)

    def test_counts_that_do_not_agree_are_found(self):
        case = Case("x", {**SMALL, "workload": {"phases": [{**SMALL["workload"]["phases"][0]}]}}, (Request("write", 1, 2),))
        self.assertEqual(judge(case).kind, "")
        case.write(self.dir)
        report = json.loads(strobe("run", self.dir / "scenario.json", "--json", "-").stdout)
        self.assertEqual(list(unequal(case, report)), [])
        report["flash"]["operations"]["total"]["programs"] += 1
        report["phases"][0]["totals"]["write"]["requests"] += 1
        self.assertEqual(len(list(unequal(case, report))), 4)

    def test_only_a_source_with_times_of_its_own_reads_one_request_past_the_limit(self):
        case = Case("x", {**SMALL, "workload": {"phases": [{**SMALL["workload"]["phases"][0]}]}}, (Request("write", 1, 2),))
        case.write(self.dir)
        report = json.loads(strobe("run", self.dir / "scenario.json", "--json", "-").stdout)
        phase, config = report["phases"][0], report["config"]["workload"]["phases"][0]
        before, config["maxTime"] = phase["source"]["requests"], "5ms"
        for mode, past, problems in (("closed", 0, 0), ("closed", 1, 1), ("open", 1, 0), ("dependent", 1, 0), ("open", 2, 1)):
            phase["source"]["requests"], config["pacing"] = before + past, {"mode": mode}
            issued = [text for text in unequal(case, report) if "issued" in text]
            self.assertEqual(len(issued), problems, (mode, past, issued))

    def test_mistakes_of_the_command_line(self):
        broken = self.write("broken.json", {"torture": 1, "scenario": {}, "requests": ["wrte 1 2 0us"]})
        no_list = self.write("no_list.json", {"torture": 1, "scenario": {}, "requests": 5})
        short = self.write("short.json", {"torture": 1, "scenario": {}, "requests": ["write 1"]})
        below_file = self.small / "there"
        sound = self.write("sound.json", {"torture": 1, "scenario": {}})
        for arguments, words in ((["--cases", "0"], "--cases 0: must be a whole number, 1 to "), (["--time", "5"], "--time 5: must be a time like 90s, 10min or 8h"),
                                 (["--set", "x"], "must be KEY=VALUE"), (["--unpack", "x"], "needs --repeat"), (["--jobs", "999"], "0 to 256"),
                                 (["--repeat", self.small], "no case of strobe torture"), (["--repeat", self.dir / "no.json"], "No such file"),
                                 (["--repeat", broken], '"wrte 1 2 0us" is no request'),
                                 (["--repeat", short], '"write 1" is no request'), (["--repeat", no_list], '"requests" must be a list of texts'),
                                 (["--cases", "1", "--json", self.dir / "no" / "x.json"], "there is no directory"),
                                 (["--cases", "1", "--output", below_file], "is not a directory"),
                                 (["--repeat", sound, "--unpack", below_file], "is not a directory"),
                                 (["--set", "nand.way=2", "--cases", "1"], 'did you mean "ways"')):
            done = strobe("torture", *arguments)
            self.assertEqual(done.returncode, 2, (arguments, done.stderr))
            self.assertIn(words, done.stderr)


class Planted(Directory):
    """Firmware with a mistake (firmware/CMakeLists.txt) is found, and a case that shows it is shrunk."""

    def found(self, layer, image, cases, seed=1):
        done = strobe("torture", "--cases", cases, "--seed", seed, "--set", f"firmware.image={image}", "--set", f"firmware.ftl={layer}", "--set",
                      "firmware.mode=native", "--set", "host.interface=direct", "--no-shrink", "--output", self.dir / image, "--json", "-")
        self.assertEqual(done.returncode, 1, (image, done.stderr))
        failed = json.loads(done.stdout)["failed"]
        self.assertEqual({case["kind"] for case in failed}, {"wrong data"}, (image, failed))
        return pathlib.Path(failed[0]["file"])

    def test_a_map_that_loses_updates_is_found_and_the_case_is_shrunk(self):
        file = self.found("page_map", "page_map_lossy", 4)
        case = load(file)
        verdict = judge(case, once=True)
        smaller = Shrinker(verdict, tries=40).smallest(case)
        self.assertLess(len(json.dumps(smaller.scenario)), len(json.dumps(case.scenario)) / 1.2)
        save(smaller, file, verdict.kind, verdict.detail)
        again = strobe("torture", "--repeat", file)
        self.assertEqual((again.returncode, "FAILED: wrong data" in again.stdout), (1, True))

    def test_recovery_that_takes_the_oldest_version_is_found(self):
        self.found("page_map", "page_map_forgetful", 6, seed=7)


if __name__ == "__main__":
    unittest.main()
