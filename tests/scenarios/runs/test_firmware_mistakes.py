#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs of firmware with a mistake: each ends, with a message that helps to find the mistake.

Needs STROBE in the environment: the program under test. Group Native needs LOOPING_IMAGE too, group Rv32 a compiler for the core.
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli_support import STROBE, Directory, strobe  # noqa: E402
from planted import ROOT, planted  # noqa: E402

WITHIN = 4 if os.environ.get("STROBE_SANITIZE") == "1" else 2  # seconds from a signal to the end: one, and a loaded machine


def words(text):
    """Without what differs between compilers and directories: numbers and paths."""
    return re.sub(r"\b0x[0-9a-f]+|\d[\d.]*", "#", re.sub(r'"?[\w./-]*(tiny_ftl\.\w+|start\.S)"?', r"\1", text)).split()


class Mistakes(Directory):
    def interrupted(self, number, after, *arguments):
        """Exit code and text on standard error of a run that gets one signal after some seconds."""
        process = subprocess.Popen([STROBE, "run", str(self.small), "--json", str(self.dir / "report.json"), *map(str, arguments)],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(after)
        self.assertIsNone(process.poll(), "the run has ended by itself")
        process.send_signal(number)
        begin = time.monotonic()
        _, err = process.communicate(timeout=120)
        self.assertLess(time.monotonic() - begin, WITHIN, err)
        return process.returncode, err


class Native(Mistakes):
    def test_one_signal_ends_a_run_whose_firmware_loops_without_calling_the_hal(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            code, err = self.interrupted(number, 1, "--set", f"firmware.image={os.environ['LOOPING_IMAGE']}")
            self.assertEqual(code, 128 + number, err)
            self.assertIn("native firmware that runs without calling the HAL", err)
            self.assertEqual(self.files(), ["endless.json", "small.json"])


COMPLETE = "        REGISTER(HOST_COMPLETE) = slot | execute(slot) << HOST_COMPLETE_STATUS_SHIFT;"
ENABLE = "    REGISTER(INTC_ENABLE) = INTC_PENDING_HOST_MASK | INTC_PENDING_FLASH_MASK;"
START = "    init();\n    for (;;) {"
LOOP = ("    if (kind < HOST_READ || kind > HOST_TRIM)", "    while (kind == HOST_READ) {\n        __asm__ volatile(\"\");\n    }\n"
        "    if (kind < HOST_READ || kind > HOST_TRIM)")
HANDLER = "_Noreturn void firmware_main(void);\n"


class Rv32(Mistakes):
    def test_a_limit_that_is_too_short_is_no_stall_of_the_projects_firmware(self):
        own = strobe("run", self.small, "--set", "firmware.stallAfter=1us")
        self.assertEqual(own.returncode, 2)
        self.assertRegex(own.stderr, r"^--set firmware.stallAfter=1us: /firmware/stallAfter: 1 us is too short for this drive: the drive has "
                                     r"not become ready for [\d.]+ us \(firmware.stallAfter\); must be longer \(10 s by default; if it stalls with that, too, this is a bug in "
                                     r"Strobe\)\n$")
        for mode, suffix in (("native", "so"), ("rv32", "elf")):
            image = pathlib.Path(STROBE).resolve().parent / "firmware" / f"strobe_firmware_page_map.{suffix}"
            foreign = strobe("run", self.small, "--set", "firmware.stallAfter=1us", "--set", f"firmware.mode={mode}", "--set",
                             f"firmware.image={image}")
            self.assertEqual(foreign.returncode, 1)
            self.assertIn(f'strobe: firmware image "{image}" has stalled at ', foreign.stderr)
            self.assertNotIn("This is a bug in Strobe", foreign.stderr)

    def test_one_signal_ends_a_run_whose_firmware_loops_on_the_core(self):
        image = planted(self.dir, LOOP)
        for number in (signal.SIGINT, signal.SIGTERM):
            code, err = self.interrupted(number, 1, "--firmware", image, "--set", "firmware.stallAfter=never")
            self.assertEqual(code, 128 + number, err)
            self.assertRegex(err, r"likely mistake\n    core 0 runs in a loop around execute\+0x[0-9a-f]+ \(\S*tiny_ftl\.c:\d+\)")
            report = json.loads((self.dir / "report.json").read_text())
            self.assertTrue(report["interrupted"])
            self.assertRegex(report["interruption"], r"; \d+ commands did not end")

    def stalled(self, *changes, after="20ms"):
        """The diagnosis of a run of an image with these changes."""
        image = planted(self.dir, *changes)
        done = strobe("run", self.small, "--firmware", image, "--set", f"firmware.stallAfter={after}")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, r'^strobe: firmware image ".*tiny_ftl\.elf" has stalled at [0-9.]+ [num]?s: ')
        self.assertNotIn("bug in Strobe", done.stderr)
        return done.stderr

    def assert_mistake(self, pattern, text):
        self.assertRegex(text, r"\n  likely mistake(\n    .*)*\n    " + pattern)

    def test_commands_that_are_never_completed(self):
        text = self.stalled((COMPLETE, "        (void)execute(slot);"))
        self.assertIn("no event is left, but requests are outstanding", text)
        self.assert_mistake(r"firmware has taken all events and sleeps, and nothing is in progress: it has not completed \(HOST\.COMPLETE\)", text)
        self.assertRegex(text, r"\n    (read|write) of 8 sectors at \d+, for .*: slot \d+: all sectors are transferred, not completed")
        self.assertRegex(text, r"\n    asleep \(waits for an interrupt\), at pc 0x[0-9a-f]{8} in firmware_main\+0x[0-9a-f]+ \(\S*tiny_ftl\.c:\d+\)")
        self.assertRegex(text, r"\n  last register accesses\n(    +[0-9.]+ [mun]s  (read |write) [A-Z]+\.[A-Z_]+.* 0x[0-9a-f]+\n?){20}$")

    def test_no_line_is_enabled(self):
        text = self.stalled((ENABLE, "    REGISTER(INTC_ENABLE) = 0;"))
        page = (ROOT / "docs/firmware/README.md").read_text()
        self.assertEqual(words(page.split("tests/scenarios/runs/test_firmware_mistakes.py -->\n```\n")[1].split("```")[0]), words(text))
        self.assert_mistake(r'INTC\.ENABLE of core 0 does not enable the line "host": nothing wakes firmware for the \d+ events in the HOST ring', text)
        self.assertIn("lines asserted: host; enabled (INTC.ENABLE 0x0): none", text)

    def test_the_external_interrupt_is_not_enabled(self):
        text = self.stalled((START, '    init();\n    __asm__ volatile("csrw mie, zero");\n    for (;;) {'))
        self.assert_mistake(r"mie of core 0 \(0x0\) does not enable the external interrupt \(bit 11\): wfi does not end", text)

    def test_a_transfer_outside_the_data_buffer(self):
        text = self.stalled(("    return boot->buffer_base + page", "    return boot->memory_base + page"))
        self.assert_mistake("the hardware has refused what firmware ordered: .*: 4 sectors at address \\d+ leave the data buffer", text)
        self.assertIn("in transfer+0x", text)
        self.assertIn("  called from execute+0x", text)

    def test_the_port_is_not_enabled(self):
        text = self.stalled(("    REGISTER(HOST_CONTROL) = HOST_CONTROL_ENABLE_MASK;\n", ""))
        self.assertIn("no event is left, but the drive has not become ready", text)
        self.assert_mistake(r"firmware has not enabled the host port \(HOST\.CONTROL\.enable\)", text)

    def test_a_capacity_of_zero(self):
        text = self.stalled(("    REGISTER(HOST_CAPACITY_LO) = exported * sectors_per_page;", "    REGISTER(HOST_CAPACITY_LO) = 0;"))
        self.assert_mistake("the hardware has refused .*: the port is enabled with a capacity of 0 sectors", text)

    def test_a_ring_whose_size_is_no_power_of_two(self):
        text = self.stalled(("    REGISTER(size) = entries;", "    REGISTER(size) = 100;"))
        self.assert_mistake(r"the HOST event ring is not set up: HOST\.RING_ENTRIES must be a power of two", text)

        text = self.stalled(("    ring_init(&flash_ring, 16, FLASH_RING_BASE, FLASH_RING_ENTRIES);",
                             "    ring_init(&flash_ring, 16, FLASH_RING_BASE, FLASH_RING_ENTRIES);\n    REGISTER(FLASH_RING_ENTRIES) = 100;"))
        self.assert_mistake(r"the FLASH event ring is not set up: FLASH\.RING_ENTRIES must be a power of two", text)

    def test_command_records_in_sram(self):
        text = self.stalled(("    commands = take(boot->host_slots, sizeof *commands);",
                             "    static struct host_command records[32];\n    commands = records;"))
        self.assert_mistake(r"the hardware has refused what firmware ordered: .*: COMMANDS: the command records are not in memory", text)

    def test_an_endless_loop(self):
        text = self.stalled(LOOP)
        self.assertIn("commands are outstanding, and none has ended for 20 ms (firmware.stallAfter)", text)
        self.assert_mistake(r"core 0 runs in a loop around execute\+0x[0-9a-f]+ \(\S*tiny_ftl\.c:\d+\)", text)
        self.assertRegex(text, r"called from firmware_main\+0x[0-9a-f]+ \(\S*tiny_ftl\.c:\d+\)")

    def test_an_endless_loop_before_the_drive_is_ready(self):
        text = self.stalled((START, "    for (volatile uint32_t i = 0;; ++i) {\n    }\n" + START))
        self.assertIn("the drive has not become ready for 20 ms (firmware.stallAfter)", text)
        self.assert_mistake(r"core 0 runs in a loop around firmware_main", text)

    def wrong_memory(self, statement, before=""):
        """What a run reports in which firmware executes the statement at the first write of its host."""
        image = planted(self.dir, ("    if (kind < HOST_READ || kind > HOST_TRIM)",
                                   "    static bool done_once;\n    if (kind == HOST_WRITE && !done_once) {\n        done_once = true;\n        "
                                   + statement + "\n    }\n    if (kind < HOST_READ || kind > HOST_TRIM)"), *before)
        done = strobe("run", self.small, "--firmware", image)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        return " ".join(done.stdout.split())

    def test_a_store_into_code(self):
        text = self.wrong_memory("volatile uint32_t* code = (volatile uint32_t*)((uintptr_t)execute & ~3u);\n        *code = *code;")
        self.assertRegex(text, r"memory misused by firmware.* store into code or constants at 0x[0-9a-f]{8} \(\S+ \(\S*tiny_ftl\.c:\d+\)\), "
                               r"pc 0x[0-9a-f]{8} in execute\+0x[0-9a-f]+ \(\S*tiny_ftl\.c:\d+\)")

    def test_a_store_through_a_null_pointer(self):
        text = self.wrong_memory("volatile uintptr_t nothing = 0;\n        *(volatile uint32_t*)(nothing + 4) = 1;")
        self.assertRegex(text, r"store through a null pointer at 0x00000004, pc 0x[0-9a-f]{8} in execute\+0x[0-9a-f]+ \(\S*tiny_ftl\.c:\d+\)")

    def test_execution_of_the_stack(self):
        text = self.wrong_memory("uint32_t code[1] = {0x00008067};\n        __asm__ volatile(\"fence.i\" : : \"r\"(code) : \"memory\");\n"
                                 "        ((void (*)(void))(uintptr_t)code)();")
        self.assertRegex(text, r"execution of the stack, pc 0x0000[0-9a-f]{4} in ")

    def test_a_write_to_a_read_only_register(self):
        text = self.wrong_memory("REGISTER(HOST_SLOTS) = 1;\n        REGISTER(FLASH_UNIT_STATUS + FLASH_UNIT_STATUS_STEP) = 0;")
        for register in (r"HOST\.SLOTS", r"FLASH\.UNIT_STATUS\[1\]"):
            self.assertRegex(text, r"memory misused by firmware.* write to the read-only register " + register +
                             r", pc 0x[0-9a-f]{8} in execute\+0x[0-9a-f]+ \(\S*tiny_ftl\.c:\d+\)")

    def test_a_change_of_the_boot_block(self):
        text = self.wrong_memory("*(volatile uint32_t*)(uintptr_t)&boot->buffer_size = 0;")
        self.assertRegex(text, r"memory misused by firmware.*: the word at 0x[0-9a-f]+ of the boot block was changed")

    def test_a_descriptor_that_is_its_own_successor(self):
        image = planted(self.dir, ("    descriptor->next = 0;", "    descriptor->next = (uint32_t)(uintptr_t)descriptor;"))
        done = strobe("run", self.small, "--firmware", image)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(" ".join(done.stdout.split()), r"malformed descriptor.* unit \d+, descriptor 0x[0-9A-F]+: list without an end")

    def test_another_capacity_after_a_power_loss(self):
        image = planted(self.dir, ("    REGISTER(HOST_CAPACITY_LO) = exported * sectors_per_page;",
                                   "    REGISTER(HOST_CAPACITY_LO) = (exported - boot->recover) * sectors_per_page;"))
        done = strobe("run", self.small, "--firmware", image, "--set", 'power.cuts=["2ms"]')
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, r'^strobe: firmware image ".*tiny_ftl\.elf": the drive has come back from a power loss with \d+ sectors, it had \d+\n$')

    def test_an_exception_names_its_cause_place_and_calls_also_without_a_handler(self):
        for handler in ((), (("    init();\n    for (;;) {", '    init();\n    __asm__ volatile("csrw mtvec, zero");\n    for (;;) {'),)):
            image = planted(self.dir, ("    if (kind < HOST_READ || kind > HOST_TRIM)",
                                       "    if (kind == HOST_WRITE)\n        *(volatile uint32_t*)0x70000000 = 1;\n"
                                       "    if (kind < HOST_READ || kind > HOST_TRIM)"), *handler)
            done = strobe("run", self.small, "--firmware", image)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertRegex(done.stderr, r"\n  last exception\n    store access fault \(mcause 7\) at pc 0x[0-9a-f]{8} in execute\+0x[0-9a-f]+ "
                                          r"\(\S*tiny_ftl\.c:\d+\), mtval 0x70000000\n      called from firmware_main\+0x")
            self.assertRegex(done.stderr, r"\n     ra [0-9a-f]{8}   sp [0-9a-f]{8}")

    def test_an_exception_while_capacitors_supply_the_drive(self):
        image = planted(self.dir, ("            transferred = true;\n", "            transferred = true;\n            if (event[0] % 256 == 4)\n"
                                   "                *(volatile uint32_t*)0x70000000 = 1;\n"))
        done = strobe("run", self.small, "--firmware", image, "--set", 'power.cuts=["2ms"]', "--set", "firmware.pageMap.writeCache=protected")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, r"store access fault \(mcause 7\) at pc 0x[0-9a-f]{8} in serve_host\+0x")

    def test_an_interrupt_storm(self):
        text = self.stalled(
            (HANDLER, HANDLER + '\n__attribute__((naked, aligned(4))) void trap(void);\n\n'
             '__attribute__((naked, aligned(4))) void trap(void)\n{\n    __asm__ volatile("mret");\n}\n'),
            (START, '    init();\n    __asm__ volatile("csrsi mstatus, 8");\n    for (;;) {'))
        self.assert_mistake(r"interrupt storm: core 0 has taken [\d,]+ interrupts, but lines have risen far less often: the handler returns "
                            r"while its line is asserted \(asserted and enabled now: host\)", text)


if __name__ == "__main__":
    unittest.main()
