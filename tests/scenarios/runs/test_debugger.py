#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sessions of the real GDB with wrong firmware: it halts where the mistake shows, and runs backwards to its cause.

Needs STROBE in the environment: the program under test; gdb-multiarch and riscv64-unknown-elf-gcc.
"""
import pathlib
import re
import shlex
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli_support import SMALL, STROBE, Directory  # noqa: E402
from debugger_session import Session, parts  # noqa: E402
from planted import ROOT, hal_image, memory_image, planted  # noqa: E402
from test_two_cores import ONE_BY_ONE, PAGES  # noqa: E402

COMPLETE = "        REGISTER(HOST_COMPLETE) = slot | execute(slot) << HOST_COMPLETE_STATUS_SHIFT;"
EXECUTE = "    if (kind < HOST_READ || kind > HOST_TRIM)"
FLUSH = "maintenance flush register-cache"
BELLS = r"""
#include "firmware/hal/cores.h"
#include "firmware/hal/hal.h"
#include "firmware/regs/strobe_regs.h"

volatile uint32_t rings, polls;

__attribute__((interrupt, aligned(4))) void ring(void)
{
    ++rings;
    reg_write(INTC_SOFTWARE, 0);
}

_Noreturn void firmware_main(void)
{
    if (hal_core() == 0) {
        reg_write(INTC_ENABLE, 1u << HAL_LINE_SOFTWARE);
        __asm__ volatile("csrw mtvec, %0\n csrsi mstatus, 8" ::"r"(ring));
        for (;;) {
            for (volatile uint32_t work = 20; work != 0;)
                --work;
            polls += reg_read(INTC_PENDING) | 1;
        }
    }
    for (uint32_t i = 0;; ++i) {
        for (volatile uint32_t wait = 200 + i * 7 % 50; wait != 0;)
            --wait;
        reg_write(INTC_SOFTWARE, INTC_SOFTWARE_SET_MASK);
    }
}
"""
LOST = ("BUFFER_MOVE = 1", "BUFFER_MOVE = 0")  # garbage collection overwrites the host's data


def phases(requests, volume=None):
    """A workload that fills a part of the small drive, then writes to it."""
    fill = {"name": "fill", "kind": "sequential", "blockSize": "64KiB", "precondition": True, **({"volume": volume} if volume else {})}
    mix = {**SMALL["workload"]["phases"][0], "requests": requests}
    return {**SMALL, "workload": {"phases": [fill, mix] if volume else [mix]}}


def plain(text):
    """Words without numbers."""
    return " ".join(re.sub(r"0x[0-9a-f]+|\b[0-9a-f]{16}\b|\d[\d.,]*", "#", text).split())


class Halts(Directory):
    def session(self, *changes, scenario=None, arguments=()):
        self.image = planted(self.dir, *changes)
        return Session(self, scenario or self.small, "--firmware", self.image, "--quiet", *arguments)

    def test_before_an_exception_is_entered_and_again_when_firmware_gives_up(self):
        session = self.session((EXECUTE, "    if (kind == HOST_WRITE)\n        *(volatile uint32_t*)0x70000000 = 1;\n" + EXECUTE))
        said = session.gdb(self.image, "continue", "echo =1=\\n", "backtrace 1", "info registers pc", "continue", "echo =2=\\n", "continue")
        self.assertRegex(said, r"store access fault \(mcause 7\) at pc 0x[0-9a-f]{8} in execute\+0x[0-9a-f]+ \(\S*tiny_ftl\.c:\d+\), mtval 0x70000000")
        self.assertIn("Program received signal SIGSEGV", said)
        self.assertRegex(parts(said)[1], r"#0 +(0x[0-9a-f]+ in )?execute \(slot=")
        self.assertIn("Program received signal SIGABRT", parts(said)[1])
        self.assertRegex(parts(said)[1], r"last exception\n +store access fault \(mcause 7\) at pc 0x[0-9a-f]{8} in execute")
        self.assertRegex(parts(said)[1], r"called from firmware_main\+0x")
        self.assertIn("exited with code 01", parts(said)[2])
        self.assertEqual(session.finish(), 1)
        self.assertRegex(session.errors, r"last exception\n +store access fault \(mcause 7\)(.*\n)* +ra [0-9a-f]{8}  +sp [0-9a-f]{8}")

    def test_when_the_drive_has_stalled(self):
        session = self.session((COMPLETE, "        (void)execute(slot);"))
        said = session.gdb(self.image, "continue", "echo =1=\\n", "monitor host", "kill")
        self.assertIn("likely mistake\n    firmware has taken all events and sleeps", said)
        self.assertIn("Program received signal SIGXCPU", said)
        self.assertRegex(parts(said)[1], r"\d+ commands at the drive\n  (read|write) of 8 sectors at \d+, for .*: all sectors are transferred, not completed")

    def test_when_the_hardware_refuses_an_order_at_the_instruction_that_gives_it(self):
        session = self.session(("    return boot->buffer_base + page", "    return boot->memory_base + page"))
        said = session.gdb(self.image, "continue", "echo =1=\\n", "backtrace 2", "kill")
        self.assertRegex(said, r"sectors at address \d+ leave the data buffer")
        self.assertIn("Program received signal SIGSYS", said)
        self.assertRegex(parts(said)[1], r"#0 .*transfer \(")

    def test_an_order_that_is_refused_halts_once_and_the_run_ends_as_without_a_debugger(self):
        """The core has run ahead: it goes back to the order, and continues from there."""
        session = self.session(("    return boot->buffer_base + page",
                                "    static int calls;\n    return (calls++ == 30 ? boot->memory_base : boot->buffer_base) + page"))
        alone = subprocess.run([STROBE, "run", self.small, "--firmware", self.image, "--quiet"], capture_output=True, text=True, check=False)
        here = ("backtrace 1", "monitor time", "echo =0=\\n")
        said = session.gdb(self.image, "continue", "echo =1=\\n", *here, "reverse-stepi 30", "stepi 30", "echo =2=\\n", *here,
                           "continue", "echo =3=\\n", *here, "continue", "echo =4=\\n", "continue")
        self.assertRegex(parts(said)[1], r"#0 .*transfer \(")
        self.assertEqual(parts(said)[1], parts(said)[3])  # halts once more, because it was before the order again
        self.assertEqual(parts(said)[1], parts(said)[2])
        self.assertIn("the drive around the CPU is", parts(said)[1])
        self.assertEqual(len(re.findall("Program received signal SIGSYS", said)), 2)
        self.assertIn("Program received signal SIGXCPU", said)
        self.assertEqual(session.finish(), alone.returncode)
        self.assertEqual(alone.returncode, 1)
        self.assertEqual(session.errors, alone.stderr)

    def test_only_at_the_chosen_events(self):
        session = self.session((EXECUTE, "    if (kind == HOST_WRITE)\n        *(volatile uint32_t*)0x70000000 = 1;\n" + EXECUTE))
        said = session.gdb(self.image, "monitor stop-on", "monitor stop-on stall,oops", "monitor stop-on none", "continue")
        self.assertIn("the debugger stops on: trap panic stall misuse mismatch power-loss\n", said)
        self.assertIn('there is no event "oops"; there are trap, panic,', said)
        self.assertIn("the debugger stops on: nothing but breakpoints\n", said)
        self.assertNotIn("SIGSEGV", said)
        self.assertIn("exited with code 01", said)

    def test_at_a_power_loss_and_after_it_with_the_same_breakpoints(self):
        session = self.session(scenario=self.write("cuts.json", {**SMALL, "power": {"cuts": ["5ms"], "readBack": False}}))
        said = session.gdb(self.image, "monitor stop-on all", "continue", "echo =1=\\n", "monitor time", "tbreak init", "continue", "echo =2=\\n",
                           "monitor time", "kill")
        self.assertIn("power is lost at 5 ms", said)
        self.assertIn("Program received signal SIGPWR", said)
        self.assertIn("simulated time 5 ms;", parts(said)[1])
        self.assertRegex(parts(said)[1], r"Temporary breakpoint 1, init \(\)")
        self.assertNotIn("simulated time 5 ms;", parts(said)[2])


class Mapping(Directory):
    """Spare records of foreign firmware, as its image describes them."""

    TABLE = "    .logical = {.word = 0, .mask = 0xFFFFFFFF},\n    .logical_offset = 1,\n"
    OTHER = (TABLE, "    .logical = {.word = 2, .mask = 0x00FFFF00},\n    .kind = {.word = 3, .mask = 0x0000FF00},\n    .kind_of_data = 0x5A,\n"
                    "    .sequence = {.word = 1, .mask = 0x0000FFFF},\n")
    SPARE = "    descriptor->spare0 = opcode == FLASH_PROGRAM ? logical_of[page] + 1 : 0;"

    def test_the_mapping_of_foreign_firmware_is_that_of_its_table(self):
        image = planted(self.dir, self.OTHER, (self.SPARE, "    static uint32_t programs;\n    descriptor->spare1 = programs += opcode == FLASH_PROGRAM;\n"
                                                           "    descriptor->spare2 = logical_of[page] << 8;\n    descriptor->spare3 = 0x5A00;\n"
                                                           "    descriptor->spare0 = 1;"))
        session = Session(self, self.write("small.json", phases(200, "10%")), "--firmware", image, "--quiet")
        place = "page / pages_per_die, page % pages_per_die / boot->pages_per_block, page % boot->pages_per_block"
        said = session.gdb(image, "break publish", "ignore 1 400", "continue", f'printf "page %u %u %u\\n", {place}', "echo =1=\\n",
                           'eval "monitor mapping %u", logical_of[page] * sectors_per_page', "echo =2=\\n",
                           f'eval "monitor page %u %u %u", {place}', "echo =3=\\n", 'eval "monitor sector %u", logical_of[page] * sectors_per_page',
                           "echo =4=\\n", "monitor nand", "monitor units", "monitor interrupts", "kill")
        die, block, page = re.search(r"^page (\d+) (\d+) (\d+)$", said, re.MULTILINE).groups()
        seen = parts(said)
        sector, = re.findall(rf"^sector (\d+) is sector 0 of logical page \d+; newest first:\n.*\n +{die} +{block} +{page} +401(?:\n|$)", seen[1])
        self.assertRegex(seen[2], rf"^die {die}, block {block}, page {page}: programmed at [\d.]+ ms, for host\n")
        self.assertRegex(seen[2], rf"\n  0 to 3 +{sector} to {int(sector) + 3} +\d+")
        self.assertRegex(seen[3], rf"^sector {sector}: a read may return version")
        self.assertRegex(seen[3], rf"program +{die} +{block} +{page} +0 +\d+  host\n")
        self.assertEqual(len(re.findall(r"^counts since [\d.]+ ms, the begin of the measured phase$", seen[4], re.MULTILINE)), 2)
        self.assertIn("\ncounts since power-on", seen[4])

    def test_without_a_table_the_answer_says_what_it_assumes(self):
        image = planted(self.dir, ("STROBE_SPARE_LAYOUT = {", "__attribute__((unused)) static const struct strobe_spare_layout other = {"))
        said = Session(self, self.small, "--firmware", image, "--quiet").gdb(image, "echo =1=\\n", "monitor mapping 0", "kill")
        self.assertTrue(parts(said)[1].startswith("the image has no table strobe_spare_layout: records are read as those of page mapping\n"), said)

    def test_a_wrong_table_is_one_message(self):
        for change, reason in (("    .version = 2,", "version 2 is not known, must be 1"),
                               ("    .version = 1, .unit_sectors = 3,", "unit_sectors is 3; a flash page has 4 sectors and 1 spare record, ")):
            image = planted(self.dir, ("    .version = STROBE_SPARE_LAYOUT_VERSION,", change))
            done = subprocess.run([STROBE, "run", self.small, "--firmware", image], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertRegex(done.stderr, rf'^firmware image ".*tiny_ftl\.elf": strobe_spare_layout: {reason}.*\n$')


class PowerCycles(Directory):
    def test_a_session_begins_at_the_drive_of_a_failing_cut_of_foreign_firmware(self):
        image = planted(self.dir)  # it recovers nothing
        flushed = self.write("flushed.json", {**SMALL, "workload": {"phases": [{**SMALL["workload"]["phases"][0], "requests": 200, "flushEvery": 20}]}})
        found = subprocess.run([STROBE, "powercut", flushed, "--firmware", image, "--cuts", "2", "--save-cuts", self.dir], capture_output=True,
                               text=True, check=False)
        self.assertEqual(found.returncode, 1, found.stderr)
        cut = re.search(r"^ERRORS: strobe run (.*)\n  data mismatch in sectors: [\d,]+; the first: .+\n  from the drive at the cut: strobe run (.*)$",
                        found.stdout, re.MULTILINE)
        quiet = subprocess.run([STROBE, "run", *shlex.split(cut[1]), "--quiet"], capture_output=True, text=True, check=False)
        self.assertRegex(quiet.stderr, r"^strobe: data mismatch in sectors: [\d,]+; the first: [^\n]+\n$")
        again = subprocess.run([STROBE, "run", *shlex.split(cut[1])], capture_output=True, text=True, check=False)
        self.assertEqual(again.returncode, 1, again.stderr)
        session = Session(self, *shlex.split(cut[2]), "--quiet")
        said = session.gdb(image, "monitor stop-on mismatch", "tbreak init", "continue", "echo =1=\\n", "print *(unsigned*)0x1000a4", "monitor nand 0 0",
                           "echo =2=\\n", "continue", "kill")
        self.assertIn("$1 = 1", parts(said)[1])  # RECOVER of the boot block
        self.assertRegex(parts(said)[1], r"die 0, block 0: erased \d+ times, [1-9]\d* of \d+ pages programmed")
        self.assertIn("data mismatch: ", parts(said)[2])
        self.assertIn("Program received signal SIGLOST", parts(said)[2])

    def test_a_run_goes_back_over_a_power_loss_and_repeats_it(self):
        image = planted(self.dir)
        session = Session(self, self.write("cuts.json", {**SMALL, "power": {"cuts": ["5ms"], "readBack": False}}), "--firmware", image, "--quiet")
        said = session.gdb(image, "break init", "continue", "echo =1=\\n", "monitor time", "monitor snapshot first", "continue", "echo =2=\\n", "monitor time", "continue",
                           "echo =3=\\n", "monitor time", "reverse-continue", "echo =4=\\n", "monitor time", "continue", "echo =5=\\n", "monitor time",
                           "continue", "echo =6=\\n", "monitor time", "delete", "reverse-stepi 1000000", "echo =7=\\n", "monitor time", "reverse-stepi",
                           "echo =8=\\n", "monitor time", "monitor restore first", "echo =9=\\n", "monitor time", "kill")
        times = {number: re.search(r"simulated time .*", piece).group() for number, piece in parts(said).items()}
        self.assertIn("simulated time 5 ms;", times[2])
        self.assertEqual(times[4], times[1])
        self.assertEqual(times[9], times[1])
        self.assertEqual(times[5], times[2])
        self.assertEqual(times[6], times[3])
        self.assertEqual(times[7], times[2])  # no step goes over the power loss
        self.assertNotEqual(times[8], times[2])
        self.assertEqual(len(re.findall("Program received signal SIGPWR", said)), 3)


class TwoCores(Directory):
    """Both cores go back together, in the order in which their instructions were executed."""

    def test_a_point_has_one_state_however_it_is_reached(self):
        drive = self.write("two.json", {**PAGES, "name": "two", "workload": {"phases": [{**ONE_BY_ONE, "requests": 20}]}})
        session = Session(self, drive, "--set", "firmware.mode=rv32", "--set", "firmware.cores=2", "--quiet")
        image = pathlib.Path(STROBE).resolve().parent / "firmware" / "strobe_firmware_page_map.elf"

        def seen(number):
            return (f"echo ={number}=\\n", "info threads", "thread 1", "info registers", "thread 2", "info registers", "monitor time", "monitor host",
                    "monitor nand", f"dump binary memory {self.dir}/{number} 0 0x20000", "echo =0=\\n")
        # Back to a breakpoint of each core; forward again; a few steps of core 1 back and forward; from the beginning; the snapshots.
        said = session.gdb(image, "break command_arrived", "break pump", "continue", *seen(1), "monitor snapshot first", "continue", *seen(2),
                           "monitor snapshot second", "continue", "reverse-continue", *seen(3), "reverse-continue", *seen(4), "continue", *seen(5),
                           "stepi 3", "reverse-stepi 3", *seen(6), "monitor reset", FLUSH, "continue", *seen(7),
                           "monitor restore second", FLUSH, *seen(8), "reverse-continue", *seen(9), "kill")
        text = {number: re.sub(r"(?m)^\[Switching.*|^\* |^  (?=\d)|^\d+\t.*", "", piece) for number, piece in parts(said).items()}
        self.assertNotEqual(text[1], text[2])
        for point, again in ((2, 3), (1, 4), (2, 5), (2, 6), (1, 7), (2, 8), (1, 9)):
            self.assertEqual(text[again], text[point], (point, again))
            self.assertEqual((self.dir / str(again)).read_bytes(), (self.dir / str(point)).read_bytes())
        self.assertEqual({re.search(r"Breakpoint \d, (\w+)", line)[1] for line in said.splitlines() if re.search(r"Breakpoint \d, \w+ \(", line)},
                         {"command_arrived", "pump"})

    def test_a_watchpoint_finds_the_writes_of_both_cores_and_steps_of_one_go_back_past_the_stop_of_the_other(self):
        image = memory_image(self.dir, "RACES")  # both cores increase shared.count
        session = Session(self, "workloads/one-page", "--firmware", image, "--set", "firmware.cores=2", "--quiet")
        here = ("thread", "backtrace 1", "print shared.count", "info registers", "monitor time", "echo =0=\\n")
        said = session.gdb(image, "tbreak semihost_call", "continue", "watch shared.count", "reverse-continue", "echo =1=\\n", *here,
                           "reverse-continue", "echo =2=\\n", *here, "continue", "continue", "delete", "echo =3=\\n", *here,
                           "reverse-stepi 100", "echo =4=\\n", *here, "stepi 100", "echo =5=\\n", *here, "kill")
        seen = {number: re.sub(r"\$\d+ = ", "count ", piece) for number, piece in parts(said).items()}
        threads = [re.search(r"Current thread is (\d)", seen[number])[1] for number in (1, 2, 3, 4)]
        self.assertEqual(threads, ["2", "1", "2", "2"])
        for number, value in ((1, 1), (2, 0), (3, 2), (4, 0)):
            self.assertIn(f"\ncount {value}\n", seen[number])
        for number in (1, 2):
            self.assertRegex(seen[number], r"#0 .*count \(")
        self.assertEqual(seen[5], seen[3])

    def test_the_way_back_leads_to_interrupts_that_one_core_causes_while_the_other_waits_with_an_access(self):
        source = self.dir / "bells.c"
        source.write_text(BELLS)
        image = hal_image(self.dir, source)
        session = Session(self, self.small, "--firmware", image, "--set", "firmware.cores=2", "--quiet")
        rounds = 14
        forth = [word for number in range(rounds) for word in ("continue", f"echo ={number}=\\n", "print rings", "monitor time", "x/i $mepc",
                                                              "echo =999=\\n")]
        back = [word for number in range(rounds) for word in ("reverse-continue", f"echo ={100 + number}=\\n", "print rings", "monitor time",
                                                             "x/i $mepc", "echo =999=\\n")]
        said = session.gdb(image, "break *ring", *forth, "continue", *back, "kill")
        seen = {number: re.sub(r"\$\d+", "", piece) for number, piece in parts(said).items()}
        for number in range(rounds):
            self.assertIn(f" = {number}\n", seen[number])
            self.assertEqual(seen[100 + rounds - 1 - number], seen[number])
        self.assertIn("<reg_read>:", "".join(seen.values()))  # before the access


class Backwards(Directory):
    """All that can be seen of the drive at a point is equal, on whatever way the point was reached."""

    def setUp(self):
        super().setUp()
        self.image = planted(self.dir)

    def seen(self, number):
        """Commands that show the state of the drive, and store its memory in files."""
        return (f"echo ={number}=\\n", "info registers", "monitor time", "monitor nand", "monitor units", "monitor interrupts", "monitor host",
                "monitor registers host", f"dump binary memory {self.dir}/sram{number} 0 0x20000",
                f"dump binary memory {self.dir}/sdram{number} 0x80000000 0x80020000", "echo =0=\\n")

    def assert_equal_states(self, said, first, *others):
        text = parts(said)
        self.assertIn("simulated time ", text[first])
        for other in others:
            self.assertEqual(text[first], text[other])
            for memory in ("sram", "sdram"):
                self.assertEqual((self.dir / f"{memory}{first}").read_bytes(), (self.dir / f"{memory}{other}").read_bytes())

    def test_a_point_has_one_state_however_it_is_reached(self):
        session = Session(self, self.small, "--firmware", self.image, "--quiet")
        said = session.gdb(
            self.image, "break program_page", "continue", "ignore 1 40", "continue", *self.seen(1), "reverse-stepi", *self.seen(2),
            "reverse-stepi 20", *self.seen(3), "stepi 20", *self.seen(4), "stepi", *self.seen(5), "continue", *self.seen(6), "reverse-continue",
            *self.seen(7), "delete", "reverse-finish", "reverse-next", *self.seen(8), "break program_page", "continue", *self.seen(9), "continue",
            *self.seen(10), "kill")
        self.assert_equal_states(said, 2, 4)
        self.assert_equal_states(said, 1, 5, 7, 9)
        self.assert_equal_states(said, 6, 10)
        self.assertNotEqual(parts(said)[1], parts(said)[3])
        self.assertNotEqual(parts(said)[1], parts(said)[8])

    def test_a_run_that_was_executed_again_from_its_beginning_ends_like_one_without_a_debugger(self):
        alone = self.dir / "alone.json"
        done = subprocess.run([STROBE, "run", self.small, "--firmware", self.image, "--json", alone], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        reports = [(done.stdout, alone.read_text())]
        for commands in (("continue",), ("break collect", "continue", "delete", "reverse-continue", "echo =1=\\n", "monitor time", "continue"),
                         ("break collect", "continue", "delete", "monitor reset", "echo =1=\\n", "monitor time", "continue")):
            session = Session(self, self.small, "--firmware", self.image, "--json", self.dir / "report.json")
            said = session.gdb(self.image, *commands)
            self.assertIn("exited normally", said)
            self.assertEqual(session.finish(), 0)
            if len(commands) > 1:
                self.assertIn("simulated time 0 ps; 0 instructions", parts(said)[1])
            reports.append((session.output, (self.dir / "report.json").read_text()))
        for output, report in reports[1:]:
            self.assertEqual(re.sub(r"time \d+\.\d+ s", "", reports[0][0]), re.sub(r"time \d+\.\d+ s", "", output))
            self.assertEqual(reports[0][1], report)

    def test_the_beginning_of_the_run_stays_when_the_debugger_changes_something(self):
        session = Session(self, self.small, "--firmware", self.image, "--quiet")
        said = session.gdb(self.image, "break program_page", "continue", "set variable next_die = 1", "monitor reset", FLUSH, "echo =1=\\n",
                           "monitor time", "monitor snapshot", "info line *$pc", "continue", "echo =2=\\n", "print next_die", "kill")
        self.assertIn("simulated time 0 ps; 0 instructions executed since power-on", parts(said)[1])
        self.assertIn("snapshots: none", parts(said)[1])
        self.assertIn("Breakpoint 1, program_page", parts(said)[1])
        self.assertIn("= 0", parts(said)[2])

    def test_a_search_begins_also_where_nothing_more_is_executed(self):
        """At a stall, and at an exception that ends the run because there is no handler."""
        no_handler = ((EXECUTE, "    static int writes;\n    if (kind == HOST_WRITE && ++writes == 5)\n        *(volatile uint32_t*)0x70000000 = 1;\n" + EXECUTE),
                      ("    init();\n", "    __asm__ volatile(\"csrw mtvec, zero\");\n    init();\n"))
        for changes, events, signal_name in ((((COMPLETE, "        (void)execute(slot);"),), "stall", "SIGXCPU"), (no_handler, "panic", "SIGABRT")):
            with self.subTest(events=events):
                image = planted(self.dir, *changes)
                session = Session(self, self.small, "--firmware", image, "--quiet")
                said = session.gdb(image, f"monitor stop-on {events}", "continue", "watch next_die", "echo =1=\\n", "reverse-continue",
                                   "backtrace 1", "delete", "echo =2=\\n", "continue", "kill")
                self.assertIn("Hardware watchpoint 1: next_die", parts(said)[1])
                self.assertIn("#0 ", parts(said)[1])
                self.assertEqual(said.count(signal_name), 2)
                self.assertIn(signal_name, parts(said)[2])

    def test_a_snapshot_is_the_same_drive_after_going_back_and_after_changes_by_the_debugger(self):
        session = Session(self, self.small, "--firmware", self.image, "--quiet")
        said = session.gdb(
            self.image, "break program_page", "continue", "continue", "monitor snapshot early", *self.seen(1), "continue", "continue",
            "monitor snapshot later", *self.seen(2), "reverse-continue", "set variable next_die = 1", "continue", "continue", "continue",
            "monitor restore later", FLUSH, *self.seen(3), "reverse-stepi", "monitor restore early", FLUSH, *self.seen(4),
            "continue", "continue", *self.seen(5), "set variable next_die = 1", "monitor restore early", FLUSH, "reverse-stepi", "stepi", *self.seen(6),
            "echo =7=\\n", "monitor snapshot", "monitor restore middle", "monitor help", "kill")
        self.assert_equal_states(said, 1, 4, 6)
        self.assert_equal_states(said, 2, 3, 5)
        self.assertNotEqual(parts(said)[1], parts(said)[2])
        self.assertRegex(said, r'snapshot "early": simulated time .*; [\d,]+ instructions executed')
        self.assertIn("write it as: monitor snapshot NAME\nsnapshots: early, later\n", parts(said)[7])
        self.assertIn('there is no snapshot "middle"\nsnapshots: early, later\n', parts(said)[7])
        self.assertIn("\nsnapshot [NAME] ", parts(said)[7])
        self.assertIn("\nrestore NAME ", parts(said)[7])

    def test_a_snapshot_at_an_event_is_the_drive_at_the_event(self):
        """It has no instruction of its own: the core sleeps."""
        image = planted(self.dir, (COMPLETE, "        (void)execute(slot);"))
        session = Session(self, self.small, "--firmware", image, "--quiet")
        said = session.gdb(image, "continue", "monitor snapshot stalled", *self.seen(1), "reverse-stepi 10", *self.seen(2),
                           "monitor restore stalled", FLUSH, *self.seen(3), "continue")
        self.assert_equal_states(said, 1, 3)
        self.assertNotEqual(parts(said)[1], parts(said)[2])
        self.assertIn("exited with code 01", said)
        self.assertEqual(session.finish(), 1)

    def test_the_write_that_changed_a_variable_is_one_command(self):
        session = Session(self, self.small, "--firmware", self.image, "--quiet")
        said = session.gdb(self.image, "break collect", "ignore 1 30", "continue", "delete", "watch next_die", "echo =1=\\n",
                           "reverse-continue", "backtrace 1", "reverse-continue", "echo =2=\\n", "backtrace 1", "kill")
        self.assertRegex(parts(said)[1], r"Hardware watchpoint 2: next_die\s+Old value = \d+\s+New value = \d+\s+")
        self.assertIn("program_page", parts(said)[2])

    def test_a_data_loss_is_traced_back_to_its_cause_as_the_page_on_the_debugger_shows(self):
        """Numbers may differ between compilers; those that the commands of the page name must not."""
        lost = planted(self.dir, LOST)
        text = (ROOT / "docs/firmware/debugger.md").read_text()
        shown = "".join(re.findall(r"```gdb\n(.*?)```", text, re.DOTALL))
        commands = re.findall(r"^\(gdb\) (.*)$", shown, re.MULTILINE)
        session = Session(self, self.write("lossy.json", phases(3000, "100%")), "--firmware", lost, "--quiet")
        said = session.gdb(lost, *commands, "kill")
        for part in re.split(r"^\.\.\.$|^\(gdb\) .*$", shown, flags=re.MULTILINE):
            self.assertIn(plain(part), plain(said))
        wrong = re.search(r"sector (\d+) at", shown).group(1)
        self.assertIn(f"data mismatch: misdirected: sector {wrong} at", shown)
        values = re.findall(r"^\$\d = (0x[0-9a-f]+)$", said, re.MULTILINE)
        self.assertEqual(len(values), 2, said)
        self.assertEqual(values[0], values[1])


if __name__ == "__main__":
    unittest.main()
