#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Traces of firmware on the RV32 core: text, the binary form and its reader, what is chosen, mistakes, a run that ends with a fault.

Needs STROBE in the environment: the program under test; riscv64-unknown-elf-gcc.
"""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

STROBE = os.environ["STROBE"]
IMAGE = pathlib.Path(STROBE).resolve().parent / "firmware" / "strobe_firmware_page_map.elf"
SMALL = ["run", "workloads/one-page", "--quiet", "--set", "firmware.mode=rv32", "--set", "workload.phases.0.region.size=20KiB",
         "--set", "workload.phases.0.requests=10", "--set", "nand.channels=1", "--set", "nand.ways=1"]

# A timer interrupt after 1 us, then an exception for which there is no handler.
TIMER = """
.globl _start, vector_table
.option norvc
.balign 256
vector_table:
    lui t0, 0x2010
    sw zero, 16(t0)
    mret
_start:
    la t1, vector_table
    csrw mtvec, t1
    lui t0, 0x2010
    li t1, 1000
    sw t1, 8(t0)
    sw zero, 12(t0)
    li t1, 1
    sw t1, 16(t0)
    li t1, 0x80
    csrw mie, t1
    csrsi mstatus, 8
    wfi
    csrw mtvec, zero
    .word 0
"""


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)

    def strobe(self, *arguments, code=0):
        done = subprocess.run([STROBE, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=120, cwd=self.dir)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def trace(self, *options, name="t"):
        self.strobe(*SMALL, "--trace-firmware", name, *options)
        return (self.dir / name).read_text()

    def timer_image(self):
        (self.dir / "timer.S").write_text(TIMER)
        subprocess.run(["riscv64-unknown-elf-gcc", "-march=rv32imac_zicsr", "-mabi=ilp32", "-g", "-nostdlib", "-Wl,-Ttext=0x2000", "timer.S",
                        "-o", "timer.elf"], check=True, cwd=self.dir)
        return "timer.elf"


class Trace(Case):
    def test_the_binary_form_reads_as_the_text_and_is_a_fraction_of_it(self):
        for cores in ("1", "2"):
            options = ["--set", f"firmware.cores={cores}", "--trace-to", "1ms"]
            text = self.trace(*options)
            self.strobe(*SMALL, *options, "--trace-firmware", "b", "--trace-form", "binary")
            read = self.strobe("inspect", "firmware-trace", "b", "--firmware", IMAGE).stdout
            self.assertTrue(read == text)
            self.assertIn("core 0, _start (" if cores == "2" else "_start (", text)
            self.assertLess(20 * (self.dir / "b").stat().st_size, len(text))
            entries = re.findall(r"(?m)^(?:([01]) )? +(\d+\.\d{3}) +\d+ [0-9a-f]{8} ", text)
            self.assertGreater(len(entries), 100_000)
            self.assertEqual({core for core, _ in entries}, {"0", "1"} if cores == "2" else {""})
            for core in ("0", "1") if cores == "2" else ("",):
                times = [float(time) for own, time in entries if own == core]
                self.assertEqual(times, sorted(times))

    def test_what_is_chosen_by_kind_time_and_address_is_chosen_alike_by_run_and_reader(self):
        everything = "--trace-limit", "10000000"
        self.strobe(*SMALL, *everything, "--trace-firmware", "b", "--trace-form", "binary")
        chosen = {("--kinds", "registers"): r"(write|read ) [A-Z]+\.",
                  ("--kinds", "registers,interrupts", "--range", "0x03000000-0x03000fff"): r"(write|read ) HOST\.",
                  ("--kinds", "registers", "--range", "0x03000010"): r"write HOST\.COMMANDS = ",
                  ("--from", "20us", "--to", "21us"): r"",
                  ("--range", "order_run", "--kinds", "instructions"): r""}
        for options, expected in chosen.items():
            run = self.trace(*everything, *(option.replace("--", "--trace-") for option in options))
            read = self.strobe("inspect", "firmware-trace", "b", "--firmware", IMAGE, *options).stdout
            self.assertTrue(run == read, options)
            lines = re.findall(r"(?m)^ +(\d+\.\d{3}) +\d+ [0-9a-f]{8} (.*)", run)
            self.assertTrue(lines, options)
            for time, what in lines:
                self.assertRegex(what, "^" + expected)
                if options[0] == "--from":
                    self.assertTrue(20_000 <= float(time) < 21_000)
            if "order_run" in options:
                self.assertEqual({line.split("+")[0].split(" ")[0] for line in run.splitlines() if line.endswith("):")}, {"order_run"})
            elif options[0] == "--from":
                self.assertEqual(len(lines), 200) # instructions of 5 ns

    def test_a_trace_that_is_empty_or_ends_early_says_so(self):
        done = self.strobe(*SMALL, "--trace-firmware", "t", "--trace-from", "900s")
        self.assertIn("t: it has no entry: firmware did nothing that was chosen\n", done.stderr)
        self.assertEqual((self.dir / "t").read_text(), "")
        done = self.strobe(*SMALL, "--trace-firmware", "t", "--trace-kinds", "registers", "--trace-limit", "5")
        more, limit = re.search(r"t: ([\d,]+) more entries are not in it; --trace-limit (\d+) holds them", done.stderr).groups()
        self.assertEqual(int(more.replace(",", "")) + 5, int(limit))
        whole = self.trace("--trace-kinds", "registers", "--trace-limit", limit)
        self.assertEqual(self.strobe(*SMALL, "--trace-firmware", "/dev/stdout", "--trace-kinds", "registers").stdout, whole) # a pipe
        self.assertEqual(len(re.findall(r"(?m)^ ", whole)), int(limit))

    def test_interrupts_have_their_time_and_a_run_that_ends_with_a_fault_writes_its_trace_profile_and_coverage(self):
        image = self.timer_image()
        options = ["run", "workloads/one-page", "--firmware", image, "--profile", "p", "--flame-graph", "f", "--profile-phases", "all",
                   "--coverage", "c", "--trace-firmware", "t", "--trace-kinds", "interrupts"]
        done = self.strobe(*options, code=1)
        self.assertIn("traps without end", done.stderr)
        lines = (self.dir / "t").read_text().splitlines()
        self.assertRegex(lines[0], r"^_start\+0x..? \(.*timer\.S:\d+\):$")
        self.assertRegex(lines[1], r"^ {8}1000\.000 +\d+ [0-9a-f]{8} interrupt 7 \(timer\), goes on at 00002000$")
        self.assertRegex(lines[2], r"^vector_table\+0x8 \(.*timer\.S:8\):$")
        self.assertRegex(lines[3], r" 00002008 returns to [0-9a-f]{8}$")
        self.assertRegex(lines[5], r" exception 2, mtval 00000000, goes on at 00000000$")
        self.assertRegex((self.dir / "p").read_text(), r"(?m)^_start;vector_table 3$")
        self.assertIn("vector_table", (self.dir / "f").read_text())
        self.assertRegex((self.dir / "c").read_text(), r"(?s)SF:.*timer\.S\n.*DA:8,1\n")
        self.assertRegex(done.stdout, r"(?s)Firmware: [\d,]+ cycles of instructions in the whole run.*vector_table.*lines \d+ of ")


class Mistakes(Case):
    def refused(self, message, *arguments):
        before = sorted(path.name for path in self.dir.iterdir())
        done = self.strobe(*arguments, code=2)
        self.assertIn(message, done.stderr)
        lines = [line for line in done.stderr.splitlines() if not line.endswith(" --help explains the command.")]
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertEqual(sorted(path.name for path in self.dir.iterdir()), before)

    def test_mistakes_in_the_choice_end_with_one_message(self):
        for option, message in (
                (["from", "3ms", "to", "2ms"], "to 2ms: must be after --trace-from 3ms"),
                (["from", "3ms", "to", "3ms"], "to 3ms: must be after --trace-from 3ms"),
                (["from", "3"], "from 3: "),
                (["to", "0s"], "to 0s: must be after --trace-from 0s"),
                (["kinds", "instructions,reads"], 'kinds: "reads" must be "instructions", "registers" or "interrupts"'),
                (["form", "csv"], 'form: "csv" must be "text" or "binary"'),
                (["range", "0x2000-0x1000"], "range 0x2000-0x1000: its first address must not be above its last"),
                (["range", "order_rum"], 'range: "order_rum" must be an address like 0x40000000, two of them like 0x1000-0x1fff, or '
                                         'a symbol of the firmware image; did you mean order_run?'),
                (["range", "0x100000000"], 'range: "0x100000000" must be an address'),
                (["range", ""], "range"),
                (["limit", "0"], "limit")):
            arguments = [("--trace-" if i % 2 == 0 else "") + text for i, text in enumerate(option)]
            self.refused("--trace-" + message, *SMALL, "--trace-firmware", "t", *arguments)
        self.refused("--trace-from requires --trace-firmware", *SMALL, "--trace-from", "1ms")

    def test_outputs_that_cannot_be_written_or_are_read_by_the_run_are_refused(self):
        image = self.timer_image()
        self.refused("timer.elf is read by this command; name another file", *SMALL, "--firmware", image, "--trace-firmware", image)
        self.refused("both name t; each needs a separate file", *SMALL, "--trace-firmware", "t", "--profile", "t")
        self.refused("nowhere/t: cannot be written: No such file or directory", *SMALL, "--trace-firmware", "nowhere/t")
        for form in ("text", "binary"):
            self.refused("/dev/full: cannot be written: No space left on device", *SMALL, "--trace-firmware", "/dev/full", "--trace-form", form,
                         "--trace-limit", "1000", "--trace-to", "5us")

    def test_the_reader_refuses_files_that_are_damaged_foreign_or_of_another_image(self):
        image = self.timer_image()
        self.strobe(*SMALL, "--trace-firmware", "b", "--trace-form", "binary", "--trace-to", "50us")
        whole = (self.dir / "b").read_bytes()
        read = "inspect", "firmware-trace"
        for name, contents, message in (
                ("empty", b"", "empty: is not a trace of firmware in binary form"),
                ("text", b"_start (rv32/start.S:47):\n", "text: is not a trace of firmware in binary form"),
                ("head", whole[:10], "head: it ends too early"),
                ("cut", whole[:-1], "cut: it ends too early"),
                ("more", whole + b"x", "more: it continues after its end"),
                ("version", whole[:8] + b"\x09" + whole[9:], "version: it has version 9 of the format; 1 can be read"),
                ("bit", whole[:-5] + bytes([whole[-5] ^ 4]) + whole[-4:], "bit: a section is damaged")):
            (self.dir / name).write_bytes(contents)
            self.refused(message, *read, name)
        self.refused("none: cannot be read: No such file or directory", *read, "none")
        self.refused("timer.elf is not the image that b was recorded with, strobe_firmware_page_map.elf", *read, "b", "--firmware", image)
        self.refused("--to 1ms: must be after --from 2ms", *read, "b", "--from", "2ms", "--to", "1ms")
        self.refused("with --firmware FILE a symbol of that image", *read, "b", "--range", "order_run")


if __name__ == "__main__":
    unittest.main()
