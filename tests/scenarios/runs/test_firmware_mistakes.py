#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs of firmware with a mistake: each ends, with a message that helps to find the mistake.

Needs STROBE in the environment: the program under test. Group Native needs LOOPING_IMAGE too, group Rv32 a compiler for the core.
"""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli_support import STROBE, Directory, strobe  # noqa: E402
from planted import ROOT, planted  # noqa: E402

WITHIN = 4 if os.environ.get("STROBE_SANITIZE") == "1" else 2  # seconds from a signal to the end: one, and a loaded machine


def documented():
    """The table of docs/firmware/README.md: the message of each mistake, as a regular expression for text without line breaks."""
    page = (ROOT / "docs/firmware/README.md").read_text().split("| mistake | message |\n|---|---|\n")[1]
    rows = [line.strip("| ").split(" | ") for line in page[:page.index("\n\n")].splitlines()]
    return {mistake.replace("`", ""): ".*?".join(map(re.escape, re.split(" ?… ?", message))) for mistake, message in rows}


DOCUMENTED = documented()


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
EXECUTE = "    if (kind < HOST_READ || kind > HOST_TRIM)"
LOOP = (EXECUTE, "    while (kind == HOST_READ) {\n        __asm__ volatile(\"\");\n    }\n" + EXECUTE)
HANDLER = "_Noreturn void firmware_main(void);\n"
HEAD = "    REGISTER(FLASH_UNIT_HEAD + FLASH_UNIT_HEAD_STEP * (die % boot->units)) = (uint32_t)(uintptr_t)descriptor;\n"
CAPACITY = "    REGISTER(HOST_CAPACITY_LO) = exported * sectors_per_page;"


def once(statement):
    """A change: firmware executes the statement at the first write of its host."""
    return (EXECUTE, "    static bool done_once;\n    if (kind == HOST_WRITE && !done_once) {\n        done_once = true;\n        "
            + statement + "\n    }\n" + EXECUTE)


# Changes of the tiny translation layer, by mistake as the table of the page names it.
STALLS = {
    "commands are never completed": [(COMPLETE, "        (void)execute(slot);")],
    "INTC.ENABLE is 0": [(ENABLE, "    REGISTER(INTC_ENABLE) = 0;")],
    "mie is 0": [(START, '    init();\n    __asm__ volatile("csrw mie, zero");\n    for (;;) {')],
    "a transfer outside the data buffer": [("    return boot->buffer_base + page", "    return boot->memory_base + page")],
    "the port is not enabled": [("    REGISTER(HOST_CONTROL) = HOST_CONTROL_ENABLE_MASK;\n", "")],
    "the capacity is 0": [(CAPACITY, "    REGISTER(HOST_CAPACITY_LO) = 0;")],
    "HOST.RING_ENTRIES is 100": [("    REGISTER(size) = entries;", "    REGISTER(size) = 100;")],
    "FLASH.RING_ENTRIES is 100": [("    ring_init(&flash_ring, 16, FLASH_RING_BASE, FLASH_RING_ENTRIES);",
                                   "    ring_init(&flash_ring, 16, FLASH_RING_BASE, FLASH_RING_ENTRIES);\n    REGISTER(FLASH_RING_ENTRIES) = 100;")],
    "command records in the SRAM": [("    commands = take(boot->host_slots, sizeof *commands);",
                                     "    static struct host_command records[32];\n    commands = records;")],
    "an endless loop": [LOOP],
    "an endless loop before the port is enabled": [(START, "    for (volatile uint32_t i = 0;; ++i) {\n    }\n" + START)],
    "a handler that does not serve its line": [
        (HANDLER, HANDLER + '\n__attribute__((naked, aligned(4))) void trap(void);\n\n'
         '__attribute__((naked, aligned(4))) void trap(void)\n{\n    __asm__ volatile("mret");\n}\n'),
        (START, '    init();\n    __asm__ volatile("csrsi mstatus, 8");\n    for (;;) {')],
}
OTHERS = {
    "a command is completed twice": [(COMPLETE, COMPLETE + "\n        REGISTER(HOST_COMPLETE) = slot;")],
    "a write is completed without its data": [(EXECUTE, "    if (kind == HOST_WRITE)\n        return HOST_OK;\n" + EXECUTE)],
    "more events are taken than there were": [("    REGISTER(HOST_COMMANDS) =", "    REGISTER(FLASH_RING_CONSUMER) = 7;\n    REGISTER(HOST_COMMANDS) =")],
    "a store where no memory is": [once("*(volatile uint32_t*)0x70000000 = 1;")],
    "a call of a null function pointer": [once("void (*volatile nothing)(void) = 0;\n        nothing();")],
    "a stack overflow": [once('__asm__ volatile("1: addi sp, sp, -16\\n sw zero, 0(sp)\\n j 1b");')],
    "a store into code": [once("volatile uint32_t* code = (volatile uint32_t*)((uintptr_t)execute & ~3u);\n        *code = *code;")],
    "a store through a null pointer": [once("volatile uintptr_t nothing = 0;\n        *(volatile uint32_t*)(nothing + 4) = 1;")],
    "execution of the stack": [once("uint32_t code[1] = {0x00008067};\n        __asm__ volatile(\"fence.i\" : : \"r\"(code) : \"memory\");\n"
                                    "        ((void (*)(void))(uintptr_t)code)();")],
    "a write to a read-only register": [once("REGISTER(HOST_SLOTS) = 1;\n        REGISTER(FLASH_UNIT_STATUS + FLASH_UNIT_STATUS_STEP) = 0;")],
    "a change of the boot block": [once("*(volatile uint32_t*)(uintptr_t)&boot->buffer_size = 0;")],
    "bytes for the UART while its queue is full": [once("for (int i = 0; i < 100; ++i)\n            REGISTER(UART_DATA) = '.';")],
    "a descriptor whose NEXT is itself": [("    descriptor->next = 0;", "    descriptor->next = (uint32_t)(uintptr_t)descriptor;")],
    "a descriptor that is queued twice": [(HEAD, HEAD + HEAD)],
    "a descriptor that is changed while the unit executes it": [
        (HEAD, HEAD + "    for (volatile uint32_t i = 0; i < 100; ++i) {\n    }\n    (void)REGISTER(FLASH_UNITS); /* the descriptor has been "
         "fetched */\n    descriptor->start_sector ^= 4;\n")],
    "a descriptor that is not at a multiple of 64": [("    descriptor = take(1, sizeof *descriptor);",
                                                      "    descriptor = (void*)((uintptr_t)take(2, sizeof *descriptor) + 32);")],
    "a buffer that is not at a multiple of 512": [("    descriptor->buffer = address;", "    descriptor->buffer = address + 256;")],
    "more lists than UNIT_DEPTH": [(HEAD, 10 * HEAD)],
    "a page is programmed twice": [("        publish(page);\n        return true;\n    }\n    return false;",
                                    "        (void)flash(FLASH_PROGRAM, page, 0, sectors_per_page, buffer_address(buffer, 0));\n"
                                    "        publish(page);\n        return true;\n    }\n    return false;")],
}


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

    def test_a_signal_before_the_drive_is_ready_shows_where_firmware_is(self):
        image = planted(self.dir, *STALLS["an endless loop before the port is enabled"])
        code, err = self.interrupted(signal.SIGINT, 1, "--firmware", image, "--set", "firmware.stallAfter=never")
        self.assertEqual(code, 128 + signal.SIGINT, err)
        self.assertIn("the run was interrupted before the drive had become ready", err)
        self.assertRegex(err, r"core 0 runs in a loop around firmware_main\+0x[0-9a-f]+")

    def assert_documented(self, mistake, text):
        self.assertRegex(" ".join(text.split()), DOCUMENTED[mistake])

    def stalled(self, mistake):
        """The diagnosis of a run of an image with this mistake."""
        done = strobe("run", self.small, "--firmware", planted(self.dir, *STALLS[mistake]), "--set", "firmware.stallAfter=20ms")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, r'^strobe: firmware image ".*tiny_ftl\.elf" has stalled at [0-9.]+ [num]?s: ')
        self.assertNotIn("bug in Strobe", done.stderr)
        likely = re.search(r"\n  likely mistake\n((    .*\n)*)", done.stderr)
        self.assertTrue(likely, done.stderr)
        self.assert_documented(mistake, likely[1])
        self.assertNotRegex(done.stderr, r"\d{1,3}(,\d{3}){4,} traps taken")
        return done.stderr

    def test_the_table_of_the_page_has_each_planted_mistake_and_no_other(self):
        self.assertEqual(sorted(DOCUMENTED), sorted([*STALLS, *OTHERS, "another capacity after a power loss"]))
        self.assertGreaterEqual(len(DOCUMENTED), 25)

    def test_each_mistake_that_stalls_the_drive_is_named(self):
        for mistake in STALLS:
            with self.subTest(mistake):
                self.stalled(mistake)

    def test_each_other_mistake_is_named(self):
        for mistake, changes in OTHERS.items():
            with self.subTest(mistake):
                done = strobe("run", self.small, "--firmware", planted(self.dir, *changes), "--set", "firmware.stallAfter=20ms")
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertNotIn("bug in Strobe", done.stderr)
                self.assert_documented(mistake, done.stdout + done.stderr)

    def test_a_diagnosis_shows_commands_cores_and_register_accesses(self):
        text = self.stalled("commands are never completed")
        self.assertIn("no event is left, but requests are outstanding", text)
        self.assertRegex(text, r"\n    (read|write) of 8 sectors at \d+, for .*: slot \d+: all sectors are transferred, not completed")
        self.assertRegex(text, r"\n    asleep \(waits for an interrupt\), at pc 0x[0-9a-f]{8} in firmware_main\+0x[0-9a-f]+ \(\S*tiny_ftl\.c:\d+\)")
        self.assertRegex(text, r"\n  last register accesses\n(    +[0-9.]+ [mun]s  (read |write) [A-Z]+\.[A-Z_]+.* 0x[0-9a-f]+\n?){20}$")

    def test_a_stall_is_found_although_the_temperature_is_sampled(self):
        image = planted(self.dir, *STALLS["commands are never completed"])
        for more in ([], ["thermal.throttle.enabled=false"]): # tiny_ftl does not read the sensor
            sets = ["firmware.stallAfter=never", "thermal.enabled=true", *more]
            done = strobe("run", self.small, "--firmware", image, *(part for each in sets for part in ("--set", each)))
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("no event is left, but requests are outstanding", done.stderr)

    def test_the_diagnosis_of_the_page_is_that_of_the_program(self):
        text = self.stalled("INTC.ENABLE is 0")
        page = (ROOT / "docs/firmware/README.md").read_text()
        self.assertEqual(words(page.split("tests/scenarios/runs/test_firmware_mistakes.py -->\n```\n")[1].split("```")[0]), words(text))
        self.assertIn("lines asserted: host; enabled (INTC.ENABLE 0x0): none", text)

    def test_a_diagnosis_shows_where_the_order_was_given_and_where_the_loop_is(self):
        text = self.stalled("a transfer outside the data buffer")
        self.assertIn("in transfer+0x", text)
        self.assertIn("  called from execute+0x", text)
        text = self.stalled("an endless loop")
        self.assertIn("commands are outstanding, and none has ended for 20 ms (firmware.stallAfter)", text)
        self.assertRegex(text, r"called from firmware_main\+0x[0-9a-f]+ \(\S*tiny_ftl\.c:\d+\)")

    def test_a_stall_of_the_projects_own_image_is_a_bug_of_strobe(self):
        """A program whose image of page mapping, by name, is one that completes no command."""
        folder = self.dir / "program"
        (folder / "firmware").mkdir(parents=True)
        try:
            os.link(pathlib.Path(STROBE).resolve(), folder / "strobe")
        except OSError:  # on another file system
            shutil.copy(STROBE, folder / "strobe")
        planted(self.dir, *STALLS["commands are never completed"]).rename(folder / "firmware" / "strobe_firmware_page_map.elf")
        own = subprocess.run([folder / "strobe", "run", self.small, "--set", "firmware.mode=rv32"], capture_output=True, text=True, check=False)
        self.assertEqual(own.returncode, 3, own.stdout + own.stderr)
        self.assertRegex(own.stderr, r"^strobe: internal error: .*has stalled at ")
        self.assertIn("This is a bug in Strobe, not a mistake in your scenario.", own.stderr)
        self.assertIn("likely mistake\n    firmware has taken all events and sleeps", own.stderr)

    def test_all_read_only_registers_are_known(self):
        done = strobe("run", self.small, "--firmware", planted(self.dir, *OTHERS["a write to a read-only register"]))
        self.assertRegex(" ".join(done.stdout.split()), r"write to the read-only register FLASH\.UNIT_STATUS\[1\], pc 0x[0-9a-f]{8} in execute")

    def test_another_capacity_after_a_power_loss(self):
        image = planted(self.dir, ("    REGISTER(HOST_CAPACITY_LO) = exported * sectors_per_page;",
                                   "    REGISTER(HOST_CAPACITY_LO) = (exported - boot->recover) * sectors_per_page;"))
        done = strobe("run", self.small, "--firmware", image, "--set", 'power.cuts=["2ms"]')
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, r'^strobe: firmware image ".*tiny_ftl\.elf": the drive has come back from a power loss with \d+ sectors, it had \d+\n$')
        self.assert_documented("another capacity after a power loss", done.stderr)

    def test_an_exception_names_its_cause_place_and_calls_also_without_a_handler(self):
        for handler in ((), (("    init();\n    for (;;) {", '    init();\n    __asm__ volatile("csrw mtvec, zero");\n    for (;;) {'),)):
            image = planted(self.dir, *OTHERS["a store where no memory is"], *handler)
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


if __name__ == "__main__":
    unittest.main()
