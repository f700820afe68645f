#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The program as a user meets it: commands, messages, exit codes, files, Ctrl-C.

Needs STROBE in the environment: the program under test; STROBE_SANITIZE=1 says that it has sanitizers in it.
"""
import json
import os
import pathlib
import pty
import re
import select
import signal
import stat
import subprocess
import tempfile
import time
import unittest

STROBE = os.environ["STROBE"]
ROOT = pathlib.Path(__file__).resolve().parents[3]
SCENARIOS = ROOT / "scenarios"

SMALL = {
    "name": "small drive",
    "nand": {"part": {"extends": "k9f1g08u0a", "blocksPerPlane": 32, "maxBadBlocks": 1}, "channels": 1, "ways": 2},
    "memory": {"size": "16MiB", "bufferSize": "1MiB"},
    "firmware": {"overProvisioning": "20%"},
    "workload": {"phases": [{"name": "mix", "kind": "uniform", "readRatio": "50%", "blockSize": "4KiB", "requests": 500}]},
}


def strobe(*arguments, **options):
    return subprocess.run([STROBE, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=300,
                          **options)


class Directory(unittest.TestCase):
    """Each test has a directory of its own with small.json in it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)
        self.small = self.write("small.json", SMALL)
        self.endless = self.write("endless.json", {**SMALL, "workload": {"phases": [
            {**SMALL["workload"]["phases"][0], "requests": 2000000000}]}})

    def write(self, name, content):
        file = self.dir / name
        file.write_text(content if isinstance(content, str) else json.dumps(content))
        return file

    def files(self):
        return sorted(file.name for file in self.dir.iterdir())


class Help(unittest.TestCase):
    def test_help_teaches_with_examples_and_exit_codes(self):
        done = strobe("--help")
        self.assertEqual(done.returncode, 0)
        for word in ("run", "validate", "inspect", "Examples:", "strobe run", "Exit codes:", "--version"):
            self.assertIn(word, done.stdout)
        self.assertEqual(done.stderr, "")

    def test_each_command_has_help(self):
        for command in (["run"], ["validate"], ["inspect"], ["inspect", "interface"]):
            done = strobe(*command, "--help")
            self.assertEqual(done.returncode, 0)
            self.assertIn("Usage:", done.stdout)
        self.assertIn("Ctrl-C", strobe("run", "--help").stdout)

    def test_the_systemc_banner_is_not_shown(self):
        for arguments in (["--help"], ["--version"], ["inspect", "schema"]):
            done = strobe(*arguments)
            self.assertNotIn("Copyright", done.stdout + done.stderr)

    def test_version_names_strobe_and_systemc(self):
        done = strobe("--version")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"^strobe \d+\.\d+\.\d+")
        self.assertIn("SystemC", done.stdout)

    def test_without_a_command_there_is_help_and_exit_code_2(self):
        done = strobe()
        self.assertEqual(done.returncode, 2)
        self.assertIn("Usage:", done.stdout)

    def test_a_wrong_command_line_is_a_mistake_of_the_user(self):
        for arguments in (["fly"], ["run", "--speed", "9"], ["validate"], ["inspect"], ["run", "--set"]):
            done = strobe(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertNotEqual(done.stderr, "", arguments)


class Validate(Directory):
    def test_a_good_scenario_is_summed_up(self):
        done = strobe("validate", self.small)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("ok: small drive", done.stdout)
        self.assertIn("1 channels x 2 ways x 1 LUNs of K9F1G08U0A", done.stdout)

    def test_all_mistakes_are_shown_at_once_with_file_and_path(self):
        bad = self.write("bad.json", {**SMALL, "nand": {"part": "k9f1g08u0a", "way": 3, "luns": 99}, "cpu": {"clock": 200}})
        done = strobe("validate", bad)
        self.assertEqual(done.returncode, 2)
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 3, done.stderr)
        for line in lines:
            self.assertTrue(line.startswith(f"{bad}: /"), line)
        self.assertIn("/nand/way: unknown key; did you mean \"ways\"?", done.stderr)
        self.assertIn("/nand/luns: must be a whole number (1 to 8), not 99", done.stderr)
        self.assertIn("/cpu/clock: must be a frequency in quotes with a unit", done.stderr)

    def test_one_bad_file_does_not_hide_the_good_one(self):
        done = strobe("validate", self.dir / "none.json", self.small)
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no such scenario", done.stderr)
        self.assertIn("ok: small drive", done.stdout)

    def test_a_syntax_error_has_line_and_column(self):
        bad = self.write("bad.json", '{\n  "name": "x",\n  "seed": 1,,\n}')
        done = strobe("validate", bad)
        self.assertEqual(done.returncode, 2)
        self.assertTrue(done.stderr.startswith(f"{bad}:3:13: syntax error"), done.stderr)

    def test_set_is_checked_like_a_file(self):
        done = strobe("validate", self.small, "--set", "nand.ways=many")
        self.assertEqual(done.returncode, 2)
        self.assertTrue(done.stderr.startswith("--set nand.ways=many: /nand/ways: "), done.stderr)

    def test_the_memory_size_that_is_said_to_suffice_does(self):
        for part in ("mlc-8k-2plane", "k9k8g08u0m"):
            sets = ["--set", "nand.part=" + part]
            refused = strobe("validate", "devices/sata-slc-4x4", *sets)
            self.assertEqual(refused.returncode, 2)
            wanted = re.search(r": /memory/size: .*; (\d+MiB) suffices$", refused.stderr)
            self.assertIsNotNone(wanted, refused.stderr)
            sets += ["--set", "memory.size=" + wanted[1]]
            work = {"phases": [{"name": "w", "requests": 300}]}
            done = strobe("run", "devices/sata-slc-4x4", *sets, "--set", "workload=" + json.dumps(work))
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_seed_and_data_are_blamed_by_their_own_names(self):
        done = strobe("run", self.small, "--seed", "-1")
        self.assertEqual(done.returncode, 2)
        self.assertTrue(done.stderr.startswith("--seed -1: /seed: must be a whole number, not -1"), done.stderr)

    def test_a_part_is_told_as_what_it_is(self):
        done = strobe("validate", SCENARIOS / "parts" / "k9f1g08u0a.json")
        self.assertEqual(done.returncode, 2)
        self.assertIn("this is a part, not a scenario", done.stderr)
        self.assertIn("strobe inspect part k9f1g08u0a", done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1)

    def test_shipped_scenarios_are_good_by_name_and_by_path(self):
        done = strobe("validate", "quickstart", "devices/sata-mlc-4x4", SCENARIOS / "workloads" / "soak-1m.json")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_another_scenarios_directory_can_be_named(self):
        done = strobe("validate", "small", env={**os.environ, "STROBE_SCENARIOS": str(self.dir)})
        self.assertEqual(done.returncode, 2)  # found, but its part is not there
        self.assertIn("there is no part \"k9f1g08u0a\"", done.stderr)


class Inspect(Directory):
    def test_interface_shows_the_working_of_19_81_and_12_ns(self):
        done = strobe("inspect", "interface")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("(7.82 + 20 + 1.65 + 0.25) / (1 + 0.5) = 19.814 ns", done.stdout)
        self.assertRegex(done.stdout, r"tBYTE = 12 = 12\.000 ns")
        self.assertIn("tBYTE decides", done.stdout)
        for name in ("CONV", "SYNC_ONLY", "PROPOSED", "ONFI_SDR_5", "NV_DDR_5", "NV_DDR2_10", "NV_DDR3_15"):
            self.assertIn(name, done.stdout)
        self.assertIn("Not confirmed: ", done.stdout)

    def test_timing_adds_up_for_a_page_read(self):
        done = strobe("inspect", "timing", self.small)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"tR +die +25 us")

    def test_timing_of_a_part_on_an_interface_needs_no_drive(self):
        done = strobe("inspect", "timing", "tlc-16k-2plane", "NV_DDR3_8")
        self.assertEqual(done.returncode, 0, done.stderr)
        for line in (r"read, MSB page: unloaded ", r"program, LSB page: ", r"2-plane program, CSB page",
                     r"11h +bus +1 +25 ns", r"tDBSY +die +500 ns", r"cache read in the middle, LSB page",
                     r"31h +bus", r"tPROG +die +5\.734 ms", r"erase suspend: ", r"tESUSP +die +700 us"):
            self.assertRegex(done.stdout, line)
        wrong = strobe("inspect", "timing", "tlc-16k-2plane", "NV_DDR_6")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("did you mean NV_DDR_", wrong.stderr)
        set_too = strobe("inspect", "timing", "k9f1g08u0a", "CONV", "--set", "nand.ways=2")
        self.assertEqual(set_too.returncode, 2)
        self.assertIn("--set changes scenarios", set_too.stderr)

    def test_part_is_spelled_out(self):
        done = strobe("inspect", "part", "k9f1g08u0a")
        self.assertEqual(json.loads(done.stdout)["tPROG"], "200us")
        wrong = strobe("inspect", "part", "k9f1g08u0b")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("did you mean \"k9f1g08u0a\"?", wrong.stderr)

    def test_a_resolved_scenario_is_a_scenario_again(self):
        first = strobe("inspect", "scenario", self.small, "--set", "nand.ways=4").stdout
        self.assertEqual(json.loads(first)["nand"]["ways"], 4)
        again = strobe("inspect", "scenario", self.write("again.json", first))
        self.assertEqual(again.stdout, first, again.stderr)

    def test_schema_parameters_and_memory_map_are_printed(self):
        self.assertEqual(json.loads(strobe("inspect", "schema").stdout)["title"], "Strobe scenario")
        self.assertIn("nand.ways", strobe("inspect", "parameters").stdout)
        self.assertIn("| `nand.ways` |", strobe("inspect", "parameters", "--markdown").stdout)
        self.assertIn("RING_BASE", strobe("inspect", "memory-map").stdout)

    def test_trace_is_summed_up(self):
        done = strobe("inspect", "trace", SCENARIOS / "traces" / "debian-appload.iolog3.xz")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"read +1,340 +112\.3 MB")
        missing = strobe("inspect", "trace", self.dir / "none.xz")
        self.assertEqual(missing.returncode, 2)
        self.assertIn("none.xz", missing.stderr)


class Run(Directory):
    def test_the_report_is_plain_text_of_at_most_100_columns(self):
        done = strobe("run", self.small)
        self.assertEqual(done.returncode, 0, done.stderr)
        for heading in ("Throughput", "Latency", "Phases", "Resources", "Flash", "Result"):
            self.assertIn(f"\n{heading}\n", done.stdout)
        self.assertIn("limited by", done.stdout)
        self.assertIn("data intact", done.stdout)
        self.assertNotIn("\033", done.stdout)
        self.assertLessEqual(max(map(len, done.stdout.splitlines())), 100)
        self.assertEqual(done.stderr, "")  # no progress line: stderr is no terminal

    def test_json_goes_to_a_file_beside_the_text(self):
        report = self.dir / "report.json"
        done = strobe("run", self.small, "--json", report)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Throughput", done.stdout)
        content = json.loads(report.read_text())
        self.assertEqual(content["scenario"], "small drive")
        self.assertEqual(content["totals"]["all"]["requests"], 500)
        self.assertEqual(content["config"]["nand"]["ways"], 2)
        self.assertNotIn("host", content)
        self.assertEqual(self.files(), ["endless.json", "report.json", "small.json"])

    def test_json_to_standard_output_is_nothing_but_json(self):
        done = strobe("run", self.small, "--json", "-")
        self.assertEqual(json.loads(done.stdout)["scenario"], "small drive")

    def test_json_to_a_device_leaves_the_device(self):
        done = strobe("run", self.small, "--quiet", "--json", "/dev/null")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))

    def test_quiet_prints_nothing(self):
        done = strobe("run", self.small, "--quiet")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_host_time_is_reported_when_asked_for(self):
        content = json.loads(strobe("run", self.small, "--host-time", "--json", "-").stdout)
        self.assertGreater(content["host"]["run_seconds"], 0)

    def test_seed_and_data_mode_are_taken_from_the_command_line(self):
        content = json.loads(strobe("run", self.small, "--seed", 99, "--data", "none", "--json", "-").stdout)
        self.assertEqual(content["seed"], 99)
        self.assertEqual(content["config"]["seed"], 99)
        self.assertFalse(content["integrity"]["enabled"])
        wrong = strobe("run", self.small, "--data", "some")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("must be \"tags\", \"bytes\" or \"none\", not \"some\"", wrong.stderr)

    def test_a_place_that_cannot_be_written_shows_before_the_run(self):
        start = time.monotonic()
        for place in (self.dir / "no" / "report.json", self.dir):
            done = strobe("run", self.endless, "--json", place)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"{place}: cannot be written: ", done.stderr)
        self.assertLess(time.monotonic() - start, 60)

    # During sc_start AddressSanitizer has wrong bounds of the main stack once SystemC has switched coroutines
    # (models/tlm/sanitizer_stack.h), and takes an exception thrown in an SC_METHOD for an overflow.
    @unittest.skipIf(os.environ.get("STROBE_SANITIZE") == "1", "an exception in an SC_METHOD after coroutines")
    def test_a_broken_trace_line_ends_the_run_with_its_place_and_leaves_the_old_report(self):
        trace = self.write("broken.log", "fio version 3 iolog\n0 d read 0 4096\n10 d raed 0 4096\n")
        scenario = self.write("replay.json", {**SMALL, "workload": {"phases": [
            {"name": "replay", "kind": "trace", "trace": {"file": "broken.log"}, "pacing": {"mode": "open"}}]}})
        report = self.write("report.json", "old")
        done = strobe("run", scenario, "--json", report)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(f"{trace}:3:", done.stderr)
        self.assertIn("raed", done.stderr)
        self.assertEqual(report.read_text(), "old")
        self.assertEqual(self.files(), ["broken.log", "endless.json", "replay.json", "report.json", "small.json"])

    @unittest.skipIf(os.environ.get("STROBE_SANITIZE") == "1", "an exception in an SC_METHOD after coroutines")
    def test_a_region_that_does_not_fit_on_the_drive_is_told_with_its_place(self):
        for change, path, reason in (
                ({"region": {"offset": "1GiB"}}, "region/offset", "the region begins at 1 GiB, beyond the drive's capacity"),
                ({"region": {"size": "1GiB"}}, "region/size", "ends beyond the drive's capacity of"),
                ({"region": {"size": "2KiB"}}, "blockSize", "a block of 4 KiB does not fit into the region of 2 KiB")):
            phases = [*SMALL["workload"]["phases"], {"name": "late", "requests": 5, **change}]
            scenario = self.write("region.json", {**SMALL, "workload": {"phases": phases}})
            done = strobe("run", scenario)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertTrue(done.stderr.startswith(f"{scenario}: /workload/phases/1/{path}: phase 'late': "), done.stderr)
            self.assertIn(reason, done.stderr)
        done = strobe("run", self.small, "--set", "workload.phases.0.region.offset=9GiB")
        self.assertTrue(done.stderr.startswith("--set workload.phases.0.region.offset=9GiB: /workload/"), done.stderr)

    def test_fewer_units_than_dies_are_shared(self):
        done = strobe("run", self.small, "--set", "controller.units=1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("data intact", done.stdout)

    def test_a_missing_firmware_image_is_a_mistake_of_the_user(self):
        done = strobe("run", self.small, "--set", "firmware.image=nowhere")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("nowhere", done.stderr)

    def test_a_missing_scenario_says_where_was_looked(self):
        done = strobe("run", "nowhere")
        self.assertEqual(done.returncode, 2)
        self.assertIn("nowhere: there is no such scenario", done.stderr)


class Bench(Directory):
    def bench(self, *arguments):
        done = strobe("bench", "--quick", "--csv", "-", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [line.split(",") for line in done.stdout.splitlines()]
        self.assertEqual(rows[0], ["case", "metric", "value", "unit"])
        return {(case, metric): float(value) for case, metric, value, _ in rows[1:]}

    def test_saturated_streams_reach_the_bound_of_the_dies(self):
        cases = ("sequential-read-8x4", "sequential-write-8x4")
        values = self.bench("--case", cases[0], "--case", cases[1])
        for case in cases:
            self.assertAlmostEqual(values[case, "bound_ratio"], 1, delta=0.01)
            self.assertAlmostEqual(values[case, "page_operations"] / values[case, "requests"], 16, delta=0.16)
            self.assertGreater(values[case, "unit"], 0)
            self.assertAlmostEqual(values[case, "cost_per_request"] * values[case, "unit"],
                                   values[case, "time_per_request"], delta=0.01 * values[case, "time_per_request"])
            self.assertGreater(values[case, "peak_memory"], 1)
        self.assertGreaterEqual(values[cases[0], "checked_sectors"], 128 * values[cases[0], "requests"])

    def test_results_go_to_files_beside_the_table(self):
        csv, report = self.dir / "bench.csv", self.dir / "bench.json"
        done = strobe("bench", "--quick", "--case", "random-write-8x4", "--csv", csv, "--json", report)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("U/request", done.stdout)
        self.assertIn("random-write-8x4,requests_per_second,", csv.read_text())
        self.assertGreater(json.loads(report.read_text())["random-write-8x4"]["peak_memory"]["value"], 1)

    def test_an_unknown_case_is_a_mistake_of_the_user(self):
        done = strobe("bench", "--case", "nothing")
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no such case; there are sequential-read-8x4", done.stderr)


class Report(Directory):
    """What a whole run says of itself."""

    def report(self, *sets, **changes):
        scenario = self.write("s.json", {**SMALL, **changes})
        done = strobe("run", scenario, "--json", "-", *[word for s in sets for word in ("--set", s)])
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_every_resource_has_utilisation_waits_and_queue(self):
        report = self.report()
        groups = {group["group"] for group in report["groups"]}
        self.assertEqual(groups, {"link", "cpu", "fabric", "sdram", "sdram-port", "write-buffer", "unit", "ecc", "channel",
                                  "die"})
        for resource in report["resources"]:
            for key in ("utilisation", "mean_wait_ps", "max_wait_ps", "mean_queue", "max_queue"):
                self.assertIn(key, resource)
            little = resource["waited_ps"] / report["measured_ps"]
            self.assertAlmostEqual(resource["mean_queue"], little, delta=1e-6 + little * 1e-6)
            self.assertLessEqual(resource["mean_queue"], resource["max_queue"], resource)
        named = {resource["name"]: resource for resource in report["resources"]}
        self.assertGreater(named["cpu"]["mean_wait_ps"], 0)
        self.assertEqual({name for name in named if name.startswith("sdram port")},
                         {"sdram port host", "sdram port flash", "sdram port cpu"})
        ports = sum(named[name]["jobs"] for name in named if name.startswith("sdram port"))
        self.assertEqual(ports, named["sdram"]["jobs"])

    def test_a_run_that_waits_for_a_tiny_write_buffer_says_so(self):
        work = {"phases": [{"name": "w", "kind": "uniform", "blockSize": "2KiB", "requests": 2000}]}
        nand = {**SMALL["nand"], "channels": 4, "ways": 4}
        tiny = self.report("firmware.writeBufferPages=2", workload=work, nand=nand)
        self.assertEqual(tiny["limiting"]["group"], "write-buffer", tiny["limiting"])
        self.assertIn("one of its 2 pages", tiny["limiting"]["sentence"])
        buffer = next(resource for resource in tiny["resources"] if resource["group"] == "write-buffer")
        self.assertEqual(buffer["places"], 2)
        self.assertGreater(buffer["utilisation"], 0.9)
        self.assertLessEqual(buffer["utilisation"], 1.0)
        self.assertLessEqual(buffer["exhausted_ps"], tiny["measured_ps"])
        self.assertEqual(buffer["max_queue"], 32)
        ample = self.report("firmware.writeBufferPages=200", workload=work, nand=nand)
        self.assertNotEqual(ample["limiting"]["group"], "write-buffer", ample["limiting"])
        self.assertLess(ample["measured_ps"], tiny["measured_ps"])

    def test_erase_counts_are_compared_with_the_rating_of_the_part(self):
        wear = self.report()["flash"]["wear"]
        self.assertEqual(wear["rated_endurance"], 100000)
        self.assertAlmostEqual(wear["max_life_used"], wear["max_erases"] / 100000)


class Mistakes(Directory):
    """The message of each mistake that a scenario or a command line can make and no other test shows."""

    SETS = (  # --set ..., what standard error has
        (["nand.part=7"], "/nand/part: must be the name of a part, like \"k9f1g08u0a\", or an object, not 7"),
        (["nand.part.tR=0s"], "/nand/part: tR, tPROG and tBERS must be above zero"),
        (["nand.part.maxBadBlocks=32"], "/nand/part/maxBadBlocks: must be less than the 32 blocks of a die"),
        (["nand.conventionalWays=3"], "/nand/conventionalWays: 3 ways cannot be conventional: a channel has 2"),
        (["channel.interface=PROPOSED", "channel.parameters.tBYTE=0s", "channel.parameters.tS=0s", "channel.parameters.tH=0s",
          "channel.parameters.tDIFF=0s"], "/channel/parameters: the minimum period comes out as zero; tBYTE is at fault"),
        (["firmware.spareBlocks=60"], "/firmware/spareBlocks: 0 bad and 60 spare blocks and the 3 that firmware works with "
                                      "leave nothing of the 32 blocks of a die"),
        (["firmware.serialWrites=true"], "/firmware/serialWrites: needs completion \"write-through\""),
        (["firmware.image=nowhere"], "/firmware/image: there is no native image \"nowhere\"; there are "),
        (["memory.size=1048577B"], "/memory: size and bufferSize must be whole numbers of 512-byte sectors"),
        (["memory.size=3GiB", "nand.channels=64", "nand.ways=8", "nand.part.pagesPerBlock=65535",
          "nand.part.blocksPerPlane=1024"], "/nand: 34359214080 pages of flash are too many; less than 4294967040 are allowed"),
        (["host.queueDepth=33"], "/host/queueDepth: SATA has 32 tags: must be 1 to 32, not 33"),
        (["host.interface=pata", "host.queueDepth=2"], "/host/queueDepth: parallel ATA has one command at a time: must be 1, not 2"),
        (["host.interface=pata", "host.pata.burst=1000B"], "/host/pata/burst: 1kB is not a whole number of 512-byte sectors"),
        (["host.pata.mode=udma4"], "/host/pata: applies only to interface pata, but interface is sata"),
        (["workload.phases.0.name="], "/workload/phases/0/name: a phase needs a name"),
        (["workload.phases.0.drain=false"], "/workload/phases/0/drain: false has no effect: no phase follows"),
        (["workload.phases.0.maxTime=0s"], "/workload/phases/0/maxTime: a time above zero is needed"),
        (["workload.phases.0.blockSize=4097B"], "/workload/phases/0/blockSize: 4097 bytes are not allowed; multiples of 512"),
        (["workload.phases.0.volume=200000000%"], "/workload/phases/0/volume: 2000000 times the region is not allowed; up to "),
        (["workload.phases.0.region.size=200%"], "/workload/phases/0/region/size: 2 is not allowed; 0 to 1 is"),
        (["workload.phases.1.name=x"], "there is no item 1 in workload.phases, which has 1; items are numbered from 0"),
        (["workload.phases.0=null"], "items of a list cannot be removed one by one"),
        (["name.x=1"], "name is \"small drive\": nothing can be set inside it"),
        (["nonsense"], "--set nonsense: write it as key.key=value, like --set nand.ways=8"),
    )
    COMMANDS = (  # arguments, what standard error has
        (["run", "nowhere"], "nowhere: there is no such scenario, neither here nor in "),
        (["inspect", "part", "nowhere"], "there is no part \"nowhere\"; known parts: "),
        (["inspect", "trace", "/"], "/: expected a trace file, found a directory"),
        (["inspect", "trace", "/dev/null"], "/dev/null: expected a trace, found an empty file"),
        (["bench", "--case", "none"], "--case none: there is no such case; there are "),
    )

    def test_scenarios(self):
        for sets, wanted in self.SETS:
            with self.subTest(sets=sets):
                done = strobe("validate", self.small, *[word for s in sets for word in ("--set", s)])
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(wanted, done.stderr)

    def test_commands(self):
        for arguments, wanted in self.COMMANDS:
            with self.subTest(arguments=arguments):
                done = strobe(*arguments)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(wanted, done.stderr)

    def test_wait_lines_are_meant_for_the_format_that_has_them(self):
        self.write("t.log", "fio version 3 iolog\n0 d read 0 4096\n")
        scenario = self.write("replay.json", {**SMALL, "workload": {"phases": [
            {"name": "replay", "kind": "trace", "trace": {"file": "t.log", "waitMeaning": "us-relative"}}]}})
        done = strobe("validate", scenario)
        self.assertEqual(done.returncode, 2)
        self.assertIn("/workload/phases/0/trace/waitMeaning: has no effect: the trace is in the format fio-iolog-v3",
                      done.stderr)

    @unittest.skipUnless(os.path.exists("/dev/full"), "no device that is always full")
    def test_a_report_that_standard_output_does_not_take_is_told(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([STROBE, "run", self.small, "--json", "-"], stdout=full, stderr=subprocess.PIPE, text=True,
                                  check=False, timeout=300)
        self.assertEqual(done.returncode, 2)
        self.assertTrue(done.stderr.startswith("standard output: "), done.stderr)
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([STROBE, "inspect", "schema"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, 2, done.stderr)


class Interrupt(Directory):
    def interrupted(self, number):
        report = self.dir / "report.json"
        process = subprocess.Popen([STROBE, "run", str(self.endless), "--json", str(report)], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        time.sleep(2)
        process.send_signal(number)
        out, err = process.communicate(timeout=120)
        return process.returncode, out, err, json.loads(report.read_text())

    def test_ctrl_c_ends_with_a_partial_report_that_says_so(self):
        code, out, err, report = self.interrupted(signal.SIGINT)
        self.assertEqual(code, 130, err)
        self.assertIn("INTERRUPTED", out)
        self.assertTrue(report["interrupted"])
        self.assertGreater(report["totals"]["all"]["requests"], 0)
        self.assertEqual(report["integrity"]["mismatches"], 0)

    def test_a_request_to_terminate_does_the_same(self):
        code, _, err, report = self.interrupted(signal.SIGTERM)
        self.assertEqual(code, 143, err)
        self.assertTrue(report["interrupted"])

    def test_a_terminal_sees_a_progress_line_with_rate_and_remaining_time(self):
        try:
            master, slave = pty.openpty()
        except OSError as error:
            self.skipTest(f"no pseudo-terminal on this machine: {error}")
        process = subprocess.Popen([STROBE, "run", str(self.endless), "--set", "workload.phases.0.requests=100000000"],
                                   stdout=subprocess.DEVNULL, stderr=slave)
        os.close(slave)
        seen = ""
        deadline = time.monotonic() + 60
        while " left" not in seen and time.monotonic() < deadline:
            if select.select([master], [], [], 1)[0]:
                seen += os.read(master, 65536).decode()
        process.send_signal(signal.SIGINT)
        process.wait(timeout=120)
        os.close(master)
        self.assertRegex(seen, r"\[1/1\] mix: [\d,]+ of 100,000,000 \(\d+ %\), simulated .*, [\d,]+ requests/s, [\d:]+ left")


if __name__ == "__main__":
    unittest.main()
