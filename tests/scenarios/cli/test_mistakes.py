#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mistakes in scenarios and on the command line: one message with its place, exit code 2, nothing half-written.

Needs STROBE in the environment: the program under test.
"""
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import unittest

from cli_support import SCENARIOS, SMALL, STROBE, Directory, strobe


class Validate(Directory):
    def test_a_report_is_named_as_such(self):
        report = self.write("report.json", {"schema_version": 1, "totals": {}})
        done = strobe("run", report)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, f"{report}: this is a report of strobe run; strobe report and strobe compare read it\n")

    def test_the_name_of_a_missing_base_is_cut(self):
        done = strobe("validate", self.write("bad.json", {"extends": "x" * 6000}))
        self.assertEqual(done.returncode, 2)
        self.assertIn('/extends: there is no file "' + "x" * 60 + '..." in', done.stderr)

    def test_the_resolved_mapping_unit_is_printed(self):
        done = strobe("inspect", "scenario", "workloads/one-page")
        self.assertEqual(json.loads(done.stdout)["firmware"]["pageMap"]["mappingUnit"], "2KiB")

    def test_a_valid_scenario_is_summarised(self):
        done = strobe("validate", self.small)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("ok: small drive", done.stdout)
        self.assertIn("1 channels x 2 ways of K9F1G08U0A", done.stdout)

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

    def test_the_page_quotes_these_messages(self):
        page = (SCENARIOS.parent / "docs" / "scenarios.md").read_text()
        (self.dir / "devices").mkdir()
        self.write("devices/base.json", {"extends": "devices/sata-mlc-4x4", "channel": {"interface": "CONV", "clock": "100MHz"}})
        for nand, options in (({"way": 8}, ["--set", "cpu.clock=5"]), ({"ways": 2}, [])):
            self.write("my-drive.json", {"extends": "devices/base.json", "nand": nand})
            done = strobe("validate", "my-drive.json", *options, cwd=self.dir, env={**os.environ, "STROBE_SCENARIOS": str(SCENARIOS)})
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"by tests/scenarios/cli/test_mistakes.py -->\n```\n{done.stderr}```\n", page)

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

    def test_the_memory_size_that_the_message_suggests_is_sufficient(self):
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

    def test_messages_for_seed_and_data_name_these_options(self):
        done = strobe("run", self.small, "--seed", "-1")
        self.assertEqual(done.returncode, 2)
        self.assertTrue(done.stderr.startswith("--seed -1: /seed: must be a whole number (0 to 9223372036854775807), not -1"), done.stderr)

    def test_superblocks_and_caches_that_do_not_fit_are_refused_by_their_key(self):
        drive = {"name": "large", "nand": {"part": {"extends": "tlc-128l-4plane", "blocksPerPlane": 24, "pagesPerBlock": 3072}, "channels": 8,
                                           "ways": 8}, "channel": {"interface": "NV_DDR3_12"}, "controller": {"multiPlane": True},
                 "memory": {"size": "2GiB", "bufferSize": "256MiB"}, "host": {"interface": "nvme"}}
        path = self.write("large.json", drive)
        for sets, message in (
                (["firmware.pageMap.superblock.dies=64"],
                 "/firmware/pageMap/superblock/dies: 64 dies with 1024 word lines or pages in a block are 65536: a superblock has at most 65535"),
                (["firmware.pageMap.pslcCache.mode=static", "firmware.pageMap.pslcCache.size=1TiB"],
                 "/firmware/pageMap/pslcCache/size: 1TiB in pSLC mode are more than the drive has: all its blocks hold "),
                (["firmware.pageMap.pslcCache.mode=static", "firmware.pageMap.pslcCache.size=95GiB"], "the reserved pSLC cache ")):
            done = strobe("validate", path, *[part for value in sets for part in ("--set", value)])
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
            self.assertIn(message, done.stderr)

    def test_a_part_used_as_a_scenario_is_reported(self):
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
        self.assertEqual(done.returncode, 2)  # the scenario is found, its part is not
        self.assertIn("there is no part \"k9f1g08u0a\"", done.stderr)


class Mistakes(Directory):
    """Messages for mistakes in scenarios and command lines that no other test covers."""

    SETS = (  # --set ..., expected text on standard error
        (["nand.part=7"], "/nand/part: must be the name of a part, like \"k9f1g08u0a\", or an object, not 7"),
        (["nand.part.tR=0s"], "/nand/part: tR, tPROG and tBERS must be above zero"),
        (["nand.part.maxBadBlocks=32"], "/nand/part/maxBadBlocks: must be less than the 32 blocks of a die"),
        (["nand.conventionalWays=3"], "/nand/conventionalWays: 3 ways cannot be conventional: a channel has 2"),
        (["channel.interface=PROPOSED", "channel.parameters.tBYTE=0s", "channel.parameters.tS=0s", "channel.parameters.tH=0s",
          "channel.parameters.tDIFF=0s"], "/channel/parameters: the minimum period comes out as zero; tBYTE is at fault"),
        (["firmware.spareBlocks=60"], "/firmware/spareBlocks: 60 are too many: each die has 32 blocks, 0 of them bad, for "
                                      "spare blocks, journal, checkpoints and the blocks that garbage collection needs: must be "),
        (["firmware.pageMap.serialWrites=true"], "/firmware/pageMap/serialWrites: needs completion \"write-through\""),
        (["firmware.image=nowhere"], "--set firmware.image=nowhere: /firmware/image: there is no native image \"nowhere\"; there are "),
        (["firmware.pageMap.mappingUnit=5KiB"], "/firmware/pageMap/mappingUnit: must be 512B to 16KiB, a power of two, not \"5KiB\""),
        (["operations={\"list\": [{\"op\": \"status\"}]}"],
         "/operations/list/0/op: must be \"read\", \"program\", \"erase\" or \"copyback\", not \"status\""),
        (["name=a\x1b[31mb"], "/name: must be text without control characters, not \"a\\u001b[31mb\""),
        (["workload.phases.0.name=a\nb"], "/workload/phases/0/name: must be text without control characters, not \"a\\nb\""),
        (["faults.host.aborts=[\"1ms\"]"], "/faults/host/aborts: applies only to host.interface nvme, but host.interface is sata"),
        (["memory.size=8MiB", "memory.bufferSize=100MiB"],
         "--set memory.bufferSize=100MiB: /memory/bufferSize: 100MiB leaves no memory for firmware: the memory has 8MiB"),
        (["memory.bufferSize=8MiB", "memory.size=4MiB"],
         "--set memory.size=4MiB: /memory/bufferSize: 8MiB leaves no memory for firmware: the memory has 4MiB"),
        (["memory.size=1048577B"], "/memory: size and bufferSize must be whole numbers of 512-byte sectors"),
        (["memory.size=2GiB", "nand.channels=64", "nand.ways=8", "nand.part.pagesPerBlock=65535",
          "nand.part.blocksPerPlane=1024"], "/nand: 34359214080 pages of flash are too many; less than 4294967040 are allowed"),
        (["host.queueDepth=33"], "/host/queueDepth: SATA has 32 tags: must be 1 to 32, not 33"),
        (["host.interface=pata", "host.queueDepth=2"], "/host/queueDepth: parallel ATA has one command at a time: must be 1, not 2"),
        (["host.pata.burst=1000B"], "/host/pata/burst: must be 512B to 1MiB, a multiple of 512B, not \"1000B\""),
        (["host.pata.mode=udma9"], "/host/pata/mode: must be "),
        (["host.nvme.lanes=3"], "/host/nvme/lanes: must be a whole number (1 to 16, a power of two), not 3"),
        (["host.interface=nvme", "host.nvme.maxPayload=192B"], "/host/nvme/maxPayload: must be 128B to 4KiB, a power of two, not \"192B\""),
        (["host.interface=nvme", "host.nvme.maxReadRequest=8KiB"], "/host/nvme/maxReadRequest: must be "),
        (["host.interface=nvme", "host.nvme.readCompletionBoundary=65B"], "/host/nvme/readCompletionBoundary: must be 64B to 128B, a power of two, not "),
        (["host.interface=nvme", "host.nvme.arbitration=weighted", "host.nvme.classes.high=5"],
         "/host/nvme/classes: 5 queues cannot be urgent, high or medium: there are 4"),
        (["host.interface=nvme", "host.nvme.weights.high=5"],
         "/host/nvme/weights: applies only to arbitration weighted, but arbitration is round-robin"),
        (["host.interface=nvme", "host.nvme.coalesce=4"], "/host/nvme/coalesceTime: completions that wait for others need a time"),
        (["host.interface=nvme", "host.nvme.coalesceTime=150us"], "/host/nvme/coalesceTime: must be 0s to 25.5ms, a multiple of 100us, not \"150us\""),
        (["host.interface=nvme", "host.nvme.maxTransfer=6KiB"], "/host/nvme/maxTransfer: must be 4KiB to 32MiB, a multiple of 4KiB, not \"6KiB\""),
        (["host.interface=nvme", "host.nvme.maxTransfer=128KiB"],
         "/host/nvme/maxTransfer: a request of 32 MiB becomes 256 commands, but a queue of 1024 entries has identifiers for 64 commands"),
        (["host.interface=nvme", "host.nvme.queueEntries=1"], "/host/nvme/queueEntries: must be a whole number (2 to 4096), not 1"),
        (["host.interface=ahci", "host.queueDepth=33"], "/host/queueDepth: SATA has 32 tags: must be 1 to 32, not 33"),
        (["host.ahci.submits=1us"], "/host/ahci/submits: unknown key; did you mean \"submit\"?"),
        (["host.generation=3Gb/s"], "/host/generation: host.generation is now host.sata.generation"),
        (["workload.phases.0.name="], "/workload/phases/0/name: a phase needs a name"),
        (["workload.phases.0.drain=false"], "/workload/phases/0/drain: false has no effect: no phase follows"),
        (["workload.phases.0.maxTime=0s"], "/workload/phases/0/maxTime: a time above zero is needed"),
        (["workload.phases.0.blockSize=4097B"], "/workload/phases/0/blockSize: must be a multiple of 512B, at most 32MiB, not 4097B"),
        (["workload.phases.0.volume=200000000%"], "/workload/phases/0/volume: 2000000 times the region is not allowed; up to "),
        (["workload.phases.0.region.size=200%"], "/workload/phases/0/region/size: 2 is not allowed; 0 to 1 is"),
        (["workload.phases.1.name=x"], "there is no item 1 in workload.phases, which has 1; items are numbered from 0"),
        (["workload.phases.0=null"], "items of a list cannot be removed one by one"),
        (["nand.contents.file=-"], "/nand/contents/file: \"-\" is not a file name that another run can find"),
        (["name.x=1"], "name is \"small drive\": nothing can be set inside it"),
        (["nand=null"], "--set nand=null: /nand: is missing and has no default"),
        (["seed=99999999999999999999999"], "/seed: must be a whole number (0 to 9223372036854775807), not "),
        (["nonsense"], "--set nonsense: write it as key.key=value, like --set nand.ways=8"),
    )
    START_GAP = (  # a drive of PCM
        (["nand.part.blocksPerPlane=8", "firmware.capacity=1049088B"],
         "/firmware/capacity: must be a whole number of pages of 4KiB with start_gap, not 1049088B"),
        (["nand.part.blocksPerPlane=1024", "memory.size=1056KiB"], "/memory/size: 1056KiB less the buffer of 1MiB is too small"),
        (["firmware.capacity=1MiB"], "/firmware/capacity: 1MiB is too large: two pages are reserved, the gap and one of zeros: must be "),
    )
    COMMANDS = (  # arguments, expected text on standard error
        (["run", "nowhere"], "nowhere: there is no such scenario, neither here nor in "),
        (["run", "workloads/one-pagee"], "; did you mean workloads/one-page?"),
        (["run", "nowhere"], "; give the path of a file, or a name like workloads/one-page"),
        (["run", "--sett", "x=1"], "strobe run: unknown option --sett; did you mean --set?\nstrobe run --help explains the command."),
        (["run", "--zzzzzz"], "strobe run: unknown option --zzzzzz\n"),
        (["run", "--set"], "--set: its value is missing: KEY=VALUE\n"),
        (["run", "--gdb", "abc"], "--gdb abc: must be a whole number, 0 to 65535\n"),
        (["run", "--gdb", "65536"], "--gdb 65536: must be a whole number, 0 to 65535\n"),
        (["run", "--gdb", "5000"], "--gdb: needs firmware on the RV32 core; add --set firmware.mode=rv32"),
        (["run", "--check-memory", "--profile", "x"], "--profile, --check-memory: needs firmware on the RV32 core"),
        (["run", "--vcd", "x.vcd", "--vcd-limit", "0"], "--vcd-limit 0: must be a whole number, 1 to 100000\n"),
        (["run", "--vcd", "x.vcd", "--vcd-channel", "abc"], "--vcd-channel abc: must be a whole number\n"),
        (["run", "--host-time"], "--host-time requires --json\n"),
        (["run", "--activity", "x", "--activity-of", "foo"], "no resource's name begins with \"foo\"; names begin with "),
        (["operations", "--bars", "abc"], "--bars abc: must be a whole number, 1 to 10000\n"),
        (["validate"], "strobe validate: missing: files\nstrobe validate --help explains the command."),
        (["inspect", "waveform"], "strobe inspect waveform: missing: operation\n"),
        (["run", "/"], "/: is a directory; a scenario is a file"),
        (["validate", "quickstart", "--set", "nand.part=tlc-232l-6plane"],
         "million pages; no allowed memory (up to 2GiB) is enough; use fewer or smaller blocks (nand.part.blocksPerPlane)\n"),
        (["run", ""], "the name of the scenario is empty; give the path of a file, or a name like workloads/one-page"),
        (["run", str(SCENARIOS / "studies" / "firmware-cpu" / "study.json")], "study.json: this is a study of strobe explore; "),
        (["run", str(SCENARIOS / "papers" / "aging" / "paper.json")], "paper.json: this is the study of a paper; strobe reproduce "),
        (["run", "workloads/one-page", "--set", "firmware.stallAfter=1us"],
         "--set firmware.stallAfter=1us: /firmware/stallAfter: 1 us is too short for this drive: the drive has not become ready for "),
        (["reproduce", "ddr-nand", "--seeds", "3"], "--seeds: no figure of this run has random choices; omit it"),
        (["powercut", "papers/aging/pcm", "--cuts", "2"],
         "papers/aging/pcm: start_gap keeps its registers in memory: power cannot be cut"),
        (["inspect", "timing", "k9f1g08u0a"], "k9f1g08u0a is a part: name the interface, like strobe inspect timing "),
        (["inspect", "nothing"], "strobe inspect: unknown command nothing; the commands are interface, "),
        (["reproduce", "nothing"], "strobe reproduce: unknown command nothing; the commands are ddr-nand"),
        (["reproduce"], "strobe reproduce: a command is missing; the commands are ddr-nand"),
        (["reproduce", "hydra", "--figure", "99"], "--figure 99: the study has no such figure; there are 0, 1, 3, 5, 7, 11, "),
        (["reproduce", "hydra", "--figure", "abc"], "--figure abc: the study has no such figure; there are 0, 1, 3, 5, 7, 11, "),
        (["powercut", "quickstart", "--seed", "-1"], "--seed -1: must be a whole number, 0 to "),
        (["nothing"], "strobe: unknown command nothing; the commands are run, "),
        (["rnu"], "strobe: unknown command rnu; did you mean run? The commands are run, "),
        (["--verison"], "strobe: unknown option --verison; did you mean --version? The commands are run, "),
        (["inspect", "paramters"], "strobe inspect: unknown command paramters; did you mean parameters? The commands are interface, "),
        (["run", "--firmware", "/missing.elf"],
         '--firmware /missing.elf: /firmware/image: firmware image "/missing.elf": cannot be read: No such file or directory\n'),
        (["validate", "quickstart", "--set", "firmware.image=/"],
         '--set firmware.image=/: /firmware/image: firmware image "/": cannot be read: Is a directory\n'),
        (["inspect", "firmware-trace", "/dev/null", "--firmware", "/"],
         '--firmware /: firmware image "/": cannot be read: Is a directory\n'),
        (["inspect", "part", "a", "b"], "strobe inspect part: unexpected argument \"b\"\n"),
        (["inspect", "part", "nowhere"], "there is no part \"nowhere\"; known parts: "),
        (["inspect", "trace", "/"], "/: expected a trace file, found a directory"),
        (["inspect", "trace", "/dev/null"], "/dev/null: expected a trace, found an empty file"),
        (["compare", "a.json", "--outpu", "x"],
         "strobe compare: unknown option --outpu; did you mean --output?\nstrobe compare --help explains the command.\n"),
        (["compare", "a.json", "--zzzzzz"], "strobe compare: unknown option --zzzzzz\n"),
        (["compare", "a.json", "-o"], "--output: its value is missing: FILE\nstrobe compare --help explains the command.\n"),
        (["compare"], "strobe compare: missing: REPORT\nstrobe compare --help explains the command.\n"),
        (["torture", "extra"], "strobe torture: unexpected argument \"extra\"\n"),
        (["torture", "--seed", "abc"], "--seed abc: must be a whole number, 0 to "),
        (["bench", "--case", "none"], "--case none: there is no such case; there are "),
    )

    def test_scenarios(self):
        rows = [(self.small, *row) for row in self.SETS] + [("papers/aging/pcm", *row) for row in self.START_GAP]
        for scenario, sets, wanted in rows:
            with self.subTest(sets=sets):
                done = strobe("validate", scenario, *[word for s in sets for word in ("--set", s)])
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(wanted, done.stderr)

    def test_commands(self):
        for arguments, wanted in self.COMMANDS:
            with self.subTest(arguments=arguments):
                done = strobe(*arguments)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(wanted, done.stderr)

    def test_outputs_that_would_overwrite_each_other(self):
        here, link = self.dir / "out", self.dir / "link"
        link.symlink_to(here)
        for arguments, options in (
                (("run", self.small, "--json", here, "--vcd", self.dir / "." / "out"), "--json and --vcd"),
                (("run", self.small, "--wear-map", here, "--activity", link), "--activity and --wear-map"),
                (("run", self.small, "--console", "-", "--json", "-"), "--json and --console"),
                (("operations", self.small, "--json", "-", "--timeline", "-"), "--json and --timeline"),
                (("reproduce", "cps-sim", "--csv", here, "--claims", here), "--csv and --claims"),
                (("reproduce", "hydra", "--csv", "-", "--json", "-"), "--csv and --json"),
                (("reproduce", "all", "--page", here, "--claims", here), "--page and --claims"),
                (("bench", "--csv", here, "--json", here), "--csv and --json")):
            with self.subTest(arguments=arguments):
                done = strobe(*arguments)
                self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
                self.assertTrue(done.stderr.startswith(options + ": "), done.stderr)
                self.assertFalse(here.exists())

    def test_outputs_do_not_overwrite_what_is_read(self):
        trace, image, part = self.write("t.log", "fio version 3 iolog\n0 d read 0 4096\n"), self.dir / "drive.img", self.dir / "mine.json"
        shutil.copy(SCENARIOS / "parts/k9f1g08u0a.json", part)
        child = self.write("child.json", {"extends": "small.json", "nand": {"part": "mine"}, "workload": {"phases": [
            {"name": "replay", "kind": "trace", "trace": {"file": "t.log"}}]}})
        firmware = self.dir / "mine.so"
        firmware.symlink_to(pathlib.Path(STROBE).parent / "firmware/strobe_firmware_page_map.so")
        self.assertEqual(strobe("run", self.small, "--save-image", image).returncode, 0)
        link = self.dir / "link"
        link.hardlink_to(part)
        scenarios = self.dir / "scenarios"
        shutil.copytree(SCENARIOS, scenarios)
        quickstart = scenarios / "quickstart.json"
        files = (self.small, trace, image, part, child, quickstart)
        before = [file.read_bytes() for file in files]
        for arguments, option, file in (
                (("run", self.small, "--json", self.small), "--json", self.small),
                (("run", self.small, "--vcd", self.small), "--vcd", self.small),
                (("run", self.small, "--set", f"nand.contents.file={self.small}"), "nand.contents.file", self.small),
                (("operations", self.small, "--timeline", self.small), "--timeline", self.small),
                (("run", child, "--console", self.small), "--console", self.small),
                (("run", child, "--wear-map", trace), "--wear-map", trace),
                (("run", child, "--activity", part), "--activity", part),
                (("run", child, "--report", link), "--report", link),
                (("run", self.small, "--image", image, "--save-image", image), "--save-image", image),
                (("run", self.small, "--firmware", firmware, "--json", firmware), "--json", firmware),
                (("inspect", "image", image, "--json", image), "--json", image),
                (("bench", "--json", quickstart), "--json", quickstart),
                (("reproduce", "ddr-nand", "--csv", quickstart), "--csv", quickstart)):
            with self.subTest(arguments=arguments):
                done = strobe(*arguments, env={**os.environ, "STROBE_SCENARIOS": str(scenarios)})
                self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
                self.assertEqual(done.stderr, f"{option}: {file} is read by this command; name another file\n")
                self.assertEqual([file.read_bytes() for file in files], before)

    def test_a_directory_given_as_a_contents_file_is_refused_by_key(self):
        done = strobe("run", self.small, "--set", f"nand.contents.file={self.dir}", "--set", "nand.contents.mode=save")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(f"/nand/contents/file: {self.dir}: cannot be written: Is a directory", done.stderr)

    def test_a_study_whose_data_comes_back_wrong_is_refused(self):
        done = strobe("reproduce", "ddr-nand", "--set", "firmware.image=page_map_lossy")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("found wrong data with this setting", done.stderr)

    def test_the_meaning_of_wait_lines_is_refused_for_formats_without_them(self):
        self.write("t.log", "fio version 3 iolog\n0 d read 0 4096\n")
        scenario = self.write("replay.json", {**SMALL, "workload": {"phases": [
            {"name": "replay", "kind": "trace", "trace": {"file": "t.log", "waitMeaning": "us-relative"}}]}})
        done = strobe("validate", scenario)
        self.assertEqual(done.returncode, 2)
        self.assertIn("/workload/phases/0/trace/waitMeaning: has no effect: the trace is in the format fio-iolog-v3",
                      done.stderr)

    @unittest.skipUnless(os.path.exists("/dev/full"), "no device that is always full")
    def test_a_failed_write_to_standard_output_is_reported(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([STROBE, "run", self.small, "--json", "-"], stdout=full, stderr=subprocess.PIPE, text=True,
                                  check=False, timeout=300)
        self.assertEqual(done.returncode, 2)
        self.assertTrue(done.stderr.startswith("standard output: "), done.stderr)
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([STROBE, "inspect", "schema"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, 2, done.stderr)

    def test_without_images_for_the_core_the_message_names_the_packages_that_build_them(self):
        program = self.dir / "strobe"  # without the folder of firmware images, as if there were no compiler for the core
        shutil.copy(STROBE, program)
        done = subprocess.run([program, "run", self.small, "--set", "firmware.mode=rv32"], capture_output=True, text=True,
                              check=False, env={**os.environ, "STROBE_SCENARIOS": str(SCENARIOS)}, timeout=300)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, '--set firmware.mode=rv32: /firmware/image: there is no RV32 image "page_map". No image is built: '
                                      "install gcc-riscv64-unknown-elf and picolibc-riscv64-unknown-elf and configure again, or give "
                                      "the path of an ELF file\n")

    @unittest.skipIf(os.environ.get("STROBE_SANITIZE") == "1", "sanitizers reserve more than any limit")
    def test_too_little_memory_of_the_machine_is_reported(self):
        reserving = "memory: cannot reserve 1073741824 bytes of host address space ("
        for scenario, mebibytes, wanted in ((self.small, 600, reserving), (self.small, 100, reserving),
                                            ("quickstart", 40, "strobe: out of memory; raise the limit (ulimit -v)")):
            limit = mebibytes << 20
            done = strobe("run", scenario, "--set", "memory.size=1GiB", "--data", "none",
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertTrue(done.stderr.startswith(wanted), done.stderr)


if __name__ == "__main__":
    unittest.main()
