#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command line: commands, files, exit codes, Ctrl-C.

Needs STROBE in the environment: the program under test; STROBE_SANITIZE=1 if it was built with sanitizers.
"""
import json
import os
import pathlib
import pty
import select
import signal
import stat
import subprocess
import time
import unittest

from cli_support import SCENARIOS, SMALL, STROBE, Directory, strobe

FIRMWARE = pathlib.Path(STROBE).resolve().parent / "firmware"


class Help(unittest.TestCase):
    def test_help_has_examples_and_exit_codes(self):
        done = strobe("--help")
        self.assertEqual(done.returncode, 0)
        for word in ("run", "validate", "inspect", "Examples:", "strobe run", "Exit codes:", "--version"):
            self.assertIn(word, done.stdout)
        self.assertEqual(done.stderr, "")

    def test_each_command_has_help(self):
        def commands(*group):
            """The names in the list of subcommands of a group's help."""
            listed = strobe(*group, "--help").stdout.split("Subcommands:")[1].split("\n\n")[0]
            return [[*group, line.split()[0]] for line in listed.splitlines() if line.startswith("  ") and line[2] != " "]

        every = commands() + commands("inspect") + commands("reproduce") + commands("serve")
        self.assertGreater(len(every), 20)
        for command in every:
            done = strobe(*command, "--help")
            self.assertEqual(done.returncode, 0)
            self.assertIn("Usage:", done.stdout)
            self.assertLessEqual(max(len(line) for line in done.stdout.splitlines()), 100, command)
            self.assertRegex(done.stdout, r"Examples?:\n  strobe " + " ".join(command), command)
        self.assertIn("Ctrl-C", strobe("run", "--help").stdout)

    def test_examples_of_changed_drives_are_accepted(self):
        examples = [line.split() for command in ([], ["run"], ["inspect", "scenario"]) for line in strobe(*command, "--help").stdout.splitlines()
                    if line.startswith("  strobe ") and " --set " in line and "my-" not in line]
        self.assertGreaterEqual(len(examples), 3)
        for words in examples:
            sets = [word for i, word in enumerate(words) if "--set" in words[i - 1:i + 1]]
            command = ["inspect", "scenario", words[3]] if words[1] == "inspect" else ["validate", "quickstart"]
            done = strobe(*command, *sets)
            self.assertEqual(done.returncode, 0, f"{words}: {done.stderr}")

    def test_the_systemc_banner_is_not_shown(self):
        for arguments in (["--help"], ["--version"], ["inspect", "schema"]):
            done = strobe(*arguments)
            self.assertNotIn("Copyright", done.stdout + done.stderr)

    def test_version_names_strobe_and_systemc(self):
        done = strobe("--version")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"^strobe \d+\.\d+\.\d+")
        self.assertIn("SystemC", done.stdout)

    def test_version_says_how_the_program_was_built(self):
        done = strobe("--version")
        self.assertRegex(done.stdout, r"(?m)^build: (optimised|unoptimised|trained|with AddressSanitizer|counts what runs)")

    def test_without_a_command_there_is_help_and_exit_code_2(self):
        done = strobe()
        self.assertEqual(done.returncode, 2)
        self.assertIn("Usage:", done.stdout)

    def test_a_wrong_command_line_is_a_mistake_of_the_user(self):
        for arguments in (["fly"], ["run", "--speed", "9"], ["validate"], ["inspect"], ["run", "--set"]):
            done = strobe(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertNotEqual(done.stderr, "", arguments)


class Inspect(Directory):
    def test_interface_shows_how_19_81_and_12_ns_are_computed(self):
        done = strobe("inspect", "interface")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("(7.82 + 20 + 1.65 + 0.25) / (1 + 0.5) = 19.814 ns", done.stdout)
        self.assertRegex(done.stdout, r"tBYTE = 12 = 12\.000 ns")
        self.assertIn("; limit: tBYTE", done.stdout)
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
        self.assertIn("--set changes a scenario", set_too.stderr)

    def test_a_part_is_printed_with_every_parameter(self):
        done = strobe("inspect", "part", "k9f1g08u0a")
        self.assertEqual(json.loads(done.stdout)["tPROG"], "200us")
        wrong = strobe("inspect", "part", "k9f1g08u0b")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("did you mean \"k9f1g08u0a\"?", wrong.stderr)

    def test_a_resolved_scenario_can_be_loaded_again(self):
        first = strobe("inspect", "scenario", self.small, "--set", "nand.ways=4").stdout
        self.assertEqual(json.loads(first)["nand"]["ways"], 4)
        again = strobe("inspect", "scenario", self.write("again.json", first))
        self.assertEqual(again.stdout, first, again.stderr)

    def test_schema_parameters_and_memory_map_are_printed(self):
        self.assertEqual(json.loads(strobe("inspect", "schema").stdout)["title"], "Strobe scenario")
        self.assertIn("nand.ways", strobe("inspect", "parameters").stdout)
        self.assertIn("| `nand.ways` |", strobe("inspect", "parameters", "--markdown").stdout)
        self.assertIn("RING_BASE", strobe("inspect", "memory-map").stdout)
        map_of = strobe("inspect", "memory-map", "--set", "sram.size=64KiB").stdout
        self.assertIn("0x00000000  sram, 65,536 bytes", map_of)
        bases = [int(line.split()[0], 16) for line in map_of.splitlines() if line.startswith("0x")]
        self.assertEqual(bases, sorted(bases))

    def test_a_trace_is_summarised(self):
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
        self.assertEqual(done.stderr, "")  # no progress line, because stderr is not a terminal

    def test_json_goes_to_a_file_in_addition_to_the_text(self):
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

    def test_json_can_be_written_to_a_device(self):
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

    def test_an_output_that_cannot_be_written_is_reported_before_the_run(self):
        start = time.monotonic()
        for place in (self.dir / "no" / "report.json", self.dir):
            done = strobe("run", self.endless, "--json", place)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"{place}: cannot be written: ", done.stderr)
        self.assertLess(time.monotonic() - start, 60)

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

    def test_a_region_that_does_not_fit_on_the_drive_is_reported_with_its_place(self):
        for change, path, reason in (
                ({"region": {"offset": "1GiB"}}, "region/offset", "the region begins at 1 GiB, beyond the drive's capacity"),
                ({"region": {"size": "1GiB"}}, "region/size", "ends beyond the drive's capacity of"),
                ({"region": {"size": "2KiB"}}, "blockSize", "a block of 4 KiB does not fit into the region of 2 KiB")):
            phases = [*SMALL["workload"]["phases"], {"name": "late", "requests": 5, **change}]
            scenario = self.write("region.json", {**SMALL, "workload": {"phases": phases}})
            done = strobe("validate", scenario)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertTrue(done.stderr.startswith(f"{scenario}: /workload/phases/1/{path}: phase 'late': "), done.stderr)
            self.assertIn(reason, done.stderr)
            self.assertEqual(strobe("run", scenario).stderr, done.stderr)
        done = strobe("run", self.small, "--set", "workload.phases.0.region.offset=9GiB")
        self.assertTrue(done.stderr.startswith("--set workload.phases.0.region.offset=9GiB: /workload/"), done.stderr)

    def test_one_value_changes_an_alternative(self):
        scenario = self.write("both.json", {
            **SMALL, "host": {"queueDepth": 32, "sata": {"generation": "3Gb/s"}, "nvme": {"lanes": 2}, "pata": {"mode": "udma4"}},
            "firmware": {**SMALL["firmware"], "pageMap": {"gc": {"idleBlocks": 2}}, "superblockMap": {"flush": "park"}}})
        for choice in ("host.interface=nvme", "host.interface=pata", "host.interface=direct", "host.interface=ahci",
                       "firmware.ftl=superblock_map", "nand.part=aging-pcm1", "channel.interface=NV_DDR_5",
                       "workload.phases.0.kind=zipf"):
            with self.subTest(choice=choice):
                done = strobe("run", scenario, "--set", choice, "--set", "workload.phases.0.requests=100")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("data intact", done.stdout)

    def test_fewer_units_than_dies_are_shared(self):
        done = strobe("run", self.small, "--set", "controller.units=1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("data intact", done.stdout)

    def test_a_missing_firmware_image_is_a_mistake_of_the_user(self):
        done = strobe("run", self.small, "--set", "firmware.image=nowhere")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("nowhere", done.stderr)

    def test_a_missing_scenario_names_the_searched_places(self):
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

    def test_results_go_to_files_in_addition_to_the_table(self):
        csv, report = self.dir / "bench.csv", self.dir / "bench.json"
        done = strobe("bench", "--quick", "--case", "random-write-8x4", "--csv", csv, "--json", report)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("U/request", done.stdout)
        self.assertIn("random-write-8x4,requests_per_second,", csv.read_text())
        self.assertGreater(json.loads(report.read_text())["random-write-8x4"]["peak_memory"]["value"], 1)

    def test_firmware_on_two_cores_makes_a_register_access_in_some_forty_instructions(self):
        values = self.bench("--case", "rv32-two-cores")
        case = "rv32-two-cores"
        self.assertAlmostEqual(values[case, "instructions"] / values[case, "register_accesses"], 40, delta=4)
        self.assertGreater(values[case, "instructions_per_second"], 1e6)
        self.assertGreater(values[case, "cost_per_1000_instructions"], 0)
        done = strobe("bench", "--quick", "--case", "rv32-two-cores")
        self.assertIn("U/1000 instructions", done.stdout)
        self.assertNotIn("U/request", done.stdout)

    @unittest.skipUnless((FIRMWARE / "strobe_firmware_page_map.elf").exists(), "no RV32 images were built")
    def test_firmware_on_the_core_is_measured_and_compared_with_a_native_run(self):
        case = "rv32-random-read-8x4"
        values = self.bench("--case", case)
        self.assertEqual(values[case, "requests"], 60000)
        self.assertGreater(values[case, "native_ratio"], 0.05)
        self.assertLess(values[case, "native_ratio"], 1.5)

    def test_an_unknown_case_is_a_mistake_of_the_user(self):
        done = strobe("bench", "--case", "nothing")
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no such case; there are sequential-read-8x4", done.stderr)


class Interrupt(Directory):
    def interrupted(self, number):
        report = self.dir / "report.json"
        process = subprocess.Popen([STROBE, "run", str(self.endless), "--json", str(report)], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        time.sleep(2)
        process.send_signal(number)
        out, err = process.communicate(timeout=120)
        return process.returncode, out, err, json.loads(report.read_text())

    def test_ctrl_c_ends_with_a_report_marked_as_partial(self):
        code, out, err, report = self.interrupted(signal.SIGINT)
        self.assertEqual(code, 130, err)
        self.assertIn("INTERRUPTED", out)
        self.assertTrue(report["interrupted"])
        self.assertGreater(report["totals"]["all"]["requests"], 0)
        self.assertEqual(report["integrity"]["mismatches"], 0)

    def test_a_killed_child_process_ends_the_command_with_its_signal(self):
        for command in (["bench", "--case", "steady-state-8x4"], ["reproduce", "ddr-nand", "--jobs", "1"]):
            for number in (signal.SIGINT, signal.SIGTERM):
                process = subprocess.Popen([STROBE, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
                while not children.read_text():
                    self.assertIsNone(process.poll())
                    time.sleep(0.01)
                os.kill(int(children.read_text().split()[0]), number)
                out, err = process.communicate(timeout=120)
                self.assertEqual((process.returncode, out, err), (128 + number, "", "strobe: interrupted\n"))

    def test_a_request_to_terminate_does_the_same(self):
        code, _, err, report = self.interrupted(signal.SIGTERM)
        self.assertEqual(code, 143, err)
        self.assertTrue(report["interrupted"])

    def interrupted_command(self, ready, *arguments):
        """Sends Ctrl-C to the command and its children, as a terminal does, once `ready` is true for the children's process ids."""
        process = subprocess.Popen([STROBE, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   start_new_session=True)
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
        seen = set()
        while not ready(seen):
            self.assertIsNone(process.poll())
            seen.update(children.read_text().split())
            time.sleep(0.002)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 130, err)
        return out, err

    def test_an_interrupted_powercut_sums_up_the_results_so_far(self):
        for _ in range(2):
            file = self.dir / "sums.json"
            out, _ = self.interrupted_command(lambda seen: len(seen) > 6, "powercut", self.small, "--cuts", 100000, "--jobs", 1,
                                              "--json", file)
            sums = json.loads(file.read_text())
            self.assertEqual(sums["instants"], 100000)
            self.assertGreater(sums["interrupted_after"], 1)
            self.assertIn(f"INTERRUPTED: {sums['interrupted_after']} of 100000 instants", out)
            self.assertEqual(self.files(), ["endless.json", "small.json", "sums.json"])
            file.unlink()

    def test_an_interrupted_study_leaves_no_incomplete_file(self):
        out, err = self.interrupted_command(lambda seen: len(seen) > 1, "reproduce", "ddr-nand", "--jobs", 1, "--csv",
                                            self.dir / "tables.csv")
        self.assertEqual(out, "")
        self.assertRegex(err, r"interrupted with \d+ of \d+ runs still to be made")
        self.assertEqual(self.files(), ["endless.json", "small.json"])

    def test_an_interrupted_study_names_the_missing_figures(self):
        out, _ = self.interrupted_command(lambda seen: len(seen) > 2, "reproduce", "hydra", "--jobs", 1, "--figure", 11,
                                          "--figure", 21, "--json", self.dir / "hydra.json")
        self.assertIn("INTERRUPTED: no figure 11, 21", out)
        self.assertEqual(json.loads((self.dir / "hydra.json").read_text())["interrupted_without"], ["11", "21"])

    def test_the_page_of_an_interrupted_reproduction_names_the_missing_studies(self):
        page, claims = self.dir / "page.md", self.dir / "claims.csv"
        out, err = self.interrupted_command(lambda seen: len(seen) > 1, "reproduce", "all", "--jobs", 1, "--page", page,
                                            "--claims", claims, "--set", "seed=5")
        missing = "; ".join(f"{name}: interrupted" for name in subprocess.run([STROBE, "reproduce", "nothing"], capture_output=True, text=True)
                          .stderr.split("the commands are ")[1].split(", all")[0].split(", "))
        self.assertIn(f"MISSING: {missing}\n", out)
        self.assertIn(f"MISSING: {missing}\n", page.read_text())
        self.assertIn("Set for all runs: `seed=5`", page.read_text())
        self.assertEqual(claims.read_text(), "")
        self.assertEqual(self.files(), ["claims.csv", "endless.json", "page.md", "small.json"])

    def test_interrupted_operations_are_counted_so_far(self):
        scenario = self.write("mix.json", {**SMALL, "operations": {k: 1000000 for k in ("reads", "programs", "erases", "copyBacks")}, "workload": None})
        process = subprocess.Popen([STROBE, "operations", str(scenario), "--json", str(self.dir / "mix.out")],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 130, err)
        self.assertIn("INTERRUPTED", out)
        result = json.loads((self.dir / "mix.out").read_text())
        self.assertTrue(result["interrupted"])
        self.assertLess(result["operations"]["read"]["count"], 1000000)

    def test_on_a_terminal_a_progress_line_shows_rate_and_remaining_time(self):
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
