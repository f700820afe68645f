#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The register models of NVMe and AHCI against recorded answers of QEMU's models, and `strobe serve pci`, by which they are operated.

Needs STROBE in the environment, group Served ENDING_IMAGE too: firmware that returns from its entry.
"""
import os
import pathlib
import random
import subprocess
import sys
import unittest

STROBE = os.environ["STROBE"]
ROOT = pathlib.Path(__file__).resolve().parents[3]
DATA = ROOT / "tests" / "data" / "conformance"
sys.path.insert(0, str(ROOT / "scripts" / "python"))

from strobe import conformance  # noqa: E402
from strobe.conformance import ahci  # noqa: E402
from strobe.conformance.machine import StrobeMachine, qemu_is_missing  # noqa: E402
from strobe.conformance.outcomes import Outcomes  # noqa: E402
from strobe.conformance.table import Table  # noqa: E402


def recorded(name):
    return Outcomes.load(conformance.recording(name, DATA))


class Recorded(unittest.TestCase):
    def setUp(self):
        self.table = Table(DATA / "differences.json")

    def test_each_difference_of_the_nvme_controller_is_known(self):
        self.assertEqual(self.table.problems("nvme", recorded("nvme"), conformance.of_strobe("nvme", STROBE, DATA)), [])

    def test_each_difference_of_the_ahci_adapter_is_known(self):
        self.assertEqual(self.table.problems("ahci", recorded("ahci"), conformance.of_strobe("ahci", STROBE, DATA)), [])

    def test_new_differences_and_those_that_have_gone_are_problems(self):
        for name in conformance.DEVICES:
            qemu = recorded(name)
            row, fixed = self.table.rows[name][0].difference, self.table.fixed[name][0]
            strobe = Outcomes({step: dict(outcome) for step, outcome in qemu.steps.items()})
            for each in self.table.rows[name]:
                strobe.steps[each.difference.step][each.difference.field] = each.difference.strobe
            self.assertEqual(self.table.problems(name, qemu, strobe), [])
            strobe.steps[row.step][row.field] = row.qemu
            strobe.steps[fixed.step][fixed.field] = fixed.before
            found = self.table.problems(name, qemu, strobe)
            self.assertEqual([line.partition(":")[0] for line in found], ["new difference", "listed, but not there", "was fixed, and differs again"])

    def test_a_program_that_cannot_be_operated_is_one_message(self):
        for program, message in (("/nonexistent", "[Errno 2] No such file or directory: '/nonexistent'"), ("/bin/false", "/bin/false: outl 0xcf8 0x80002010: ")):
            done = subprocess.run([ROOT / "scripts" / "conformance"], env={**os.environ, "STROBE": program}, capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", f"scripts/conformance: {message}\n"))

    def test_the_page_has_the_tables(self):
        page = (ROOT / "docs" / "conformance.md").read_text()
        self.assertEqual(page, conformance.page_with(page, self.table), "scripts/conformance --write-page")


class Reset(unittest.TestCase):
    """Of the SATA drive, while it has commands: what a driver sees."""

    def test_a_command_after_a_comreset_under_load_is_executed_when_the_drive_is_ready(self):
        device = conformance.DEVICES["ahci"]
        machine = StrobeMachine(STROBE, str(DATA / "ahci.json"), device.bar)
        self.addCleanup(machine.close)
        host = ahci.Ahci(machine)
        host.reset()
        for slot in range(8):
            host.prepare(slot, 0x61, lba=1024 * slot, features=1024, count=slot << 3, write=True, regions=[(ahci.DATA, 1 << 19)])
        machine.write(ahci.SACT, 0xFF)
        machine.write(ahci.CI, 0xFF)
        machine.pass_time()
        machine.write(ahci.CMD, ahci.FRE)
        machine.write(ahci.SCTL, 0x301)
        machine.write(ahci.SCTL, 0x300)
        machine.write(ahci.CMD, ahci.FRE | ahci.ST)
        self.assertEqual((machine.read(ahci.TFD), machine.read(ahci.SIG)), (0x80, 0xFFFFFFFF))
        host.prepare(0, 0xEC, regions=[(ahci.DATA, 512)])
        machine.store(ahci.DATA, b"\xEE" * 512)
        machine.write(ahci.CI, 1)
        machine.pass_time()
        self.assertEqual((machine.read(ahci.TFD), machine.read(ahci.CI)), (0x80, 1))
        machine.wait_for(lambda: machine.read(ahci.CI) == 0 or None)
        self.assertEqual((machine.read(ahci.TFD), machine.read(ahci.SIG), machine.read(ahci.CI)), (0x50, 0x101, 0))
        self.assertEqual(machine.load(ahci.DATA + 54, 10), b"tSorebS DS")  # the model, bytes of words swapped


class Live(unittest.TestCase):
    def test_qemu_answers_as_recorded(self):
        if missing := qemu_is_missing():
            self.skipTest(missing)
        for name in conformance.DEVICES:
            self.assertEqual(conformance.of_qemu(name).steps, recorded(name).steps)


class Served(unittest.TestCase):
    def serve(self, lines, scenario=DATA / "nvme.json", *arguments):
        return subprocess.run([STROBE, "serve", "pci", str(scenario), *arguments], input=lines, capture_output=True, text=True, check=False, timeout=60)

    def test_configuration_space_bar_memory_and_clock(self):
        done = self.serve("outl 0xcf8 0x80002008\ninl 0xcfc\ninw 0xcfe\noutl 0xcf8 0x80002010\noutl 0xcfc 0xe0000000\noutl 0xcf8 0x80002004\n"
                          "outl 0xcfc 2\nreadl 0xe0000008\nwriteq 0x1000 0x1122334455667788\nreadw 0x1002\nread 0x1000 4\nmemset 0x1000 2 0xee\n"
                          "read 0x0fff 4\nclock_step 5000\nreadl 0xd0000000\noutl 0xcf8 0x80002800\ninl 0xcfc\n")
        answers = done.stdout.splitlines()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(answers[1:3] + answers[7:8], ["OK 0x1080201", "OK 0x0108", "OK 0x0000000000010400"])
        self.assertEqual(answers[8:13], ["OK", "OK 0x0000000000005566", "OK 0x88776655", "OK", "OK 0x00eeee66"])
        self.assertRegex(answers[13], r"^OK \d+$")
        self.assertEqual(answers[14:], ["OK 0x00000000ffffffff", "OK", "OK 0xffffffff"])  # nothing is there

    def test_a_malformed_line_ends_it_with_one_message(self):
        done = self.serve("readl 0x10\nreadl here\nreadl 0x10\n")
        self.assertEqual((done.returncode, done.stdout.splitlines()),
                         (2, ["OK 0x0000000000000000", 'FAIL address: "here" is not a number up to 18446744073709551615']))
        self.assertEqual(done.stderr, 'strobe serve pci: line 2: address: "here" is not a number up to 18446744073709551615\n')
        done = self.serve("x" * 3_000_000)
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1))
        self.assertEqual(self.serve("").returncode, 0)

    def test_input_that_does_not_end_with_a_line_or_cannot_be_read_is_an_error(self):
        done = self.serve("readl 0x10\nreadl 0x14")
        self.assertEqual((done.returncode, done.stdout.splitlines()), (2, ["OK 0x0000000000000000", "FAIL the input ends within the line"]))
        self.assertEqual(done.stderr, "strobe serve pci: line 2: the input ends within the line\n")
        directory = os.open(DATA, os.O_RDONLY)
        try:
            done = subprocess.run([STROBE, "serve", "pci", str(DATA / "nvme.json")], stdin=directory, capture_output=True, text=True, check=False)
        finally:
            os.close(directory)
        self.assertEqual((done.returncode, done.stderr), (2, "strobe serve pci: line 1: the input cannot be read: Is a directory\n"))

    def test_an_answer_that_cannot_be_written_is_an_error(self):
        command = [STROBE, "serve", "pci", str(DATA / "nvme.json")]
        with open("/dev/full", "w", encoding="ascii") as full:
            done = subprocess.run(command, input="readl 0x10\n", stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (2, "strobe serve pci: line 1: its answer cannot be written: No space left on device\n"))
        reader, writer = os.pipe()
        os.close(reader)
        try:
            done = subprocess.run(command, input="readl 0x10\n", stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
        finally:
            os.close(writer)
        self.assertEqual((done.returncode, done.stderr), (2, "strobe serve pci: line 1: its answer cannot be written: Broken pipe\n"))

    def test_streams_that_are_closed_are_refused(self):
        for closed, name in (("<&-", "input"), (">&-", "output")):
            done = subprocess.run(["sh", "-c", f'exec "$@" {closed}', "sh", STROBE, "serve", "pci", str(DATA / "nvme.json")], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (2, f"strobe serve pci: standard {name} is closed\n"))

    def test_a_fault_of_firmware_is_answered_with_one_line(self):
        done = self.serve("readl 0x10\nclock_step 1000\n", DATA / "nvme.json", "--set", f"firmware.image={os.environ['ENDING_IMAGE']}")
        answers = done.stdout.splitlines()
        self.assertEqual((done.returncode, len(answers), answers[0]), (1, 2, "OK 0x0000000000000000"))
        self.assertRegex(answers[1], "^FAIL .*returned from its entry")
        self.assertIn(answers[1].removeprefix("FAIL "), done.stderr)

    def test_time_ends_after_100_days_for_steps_and_for_reads(self):
        step = "clock_step 1000000000000\n"
        done = self.serve(step * 8641)
        self.assertEqual((done.returncode, len(done.stdout.splitlines())), (2, 8641))
        self.assertEqual(done.stdout.splitlines()[-2:], ["OK 8640000000000000", "FAIL simulated time ends at 8640000000000000 ns; it is 8640000000000000 ns now"])
        self.assertEqual(done.stderr, "strobe serve pci: line 8641: simulated time ends at 8640000000000000 ns; it is 8640000000000000 ns now\n")
        done = self.serve("outl 0xcf8 0x80002010\noutl 0xcfc 0xe0000000\noutl 0xcf8 0x80002004\noutl 0xcfc 2\n" + step * 8640 + "readl 0xe0000008\n")
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (2, "FAIL simulated time ends at 8640000000000000 ns; it is 8640000000000000 ns now"))

    def test_random_accesses_are_answered(self):
        draws = random.Random(1)
        for name, bar in (("nvme", 0), ("ahci", 5)):
            lines = [f"outl 0xcf8 {0x80002010 + 4 * bar:#x}", "outl 0xcfc 0xe0000000", "outl 0xcf8 0x80002004", "outl 0xcfc 6"]
            for _ in range(3000):
                width = draws.choice("bwlq")
                bits = 8 << "bwlq".index(width)
                space = draws.choice((0xE0000000, 0xE0000000, 0, (64 << 20) - 4, draws.getrandbits(64)))
                address = (space + draws.randrange(0x1200)) % 2 ** 64
                lines.append(draws.choice((f"read{width} {address:#x}", f"write{width} {address:#x} {draws.getrandbits(bits):#x}",
                                           f"outl 0xcf8 {0x80000000 | draws.getrandbits(16):#x}", f"inl {0xCFC + draws.randrange(4):#x}",
                                           f"memset {address:#x} {draws.randrange(5000)} {draws.getrandbits(8)}", "clock_step 1000")))
            done = self.serve("\n".join(lines) + "\n", DATA / f"{name}.json")
            self.assertEqual((done.returncode, done.stderr, len(done.stdout.splitlines())), (0, "", len(lines)))
            self.assertTrue(all(line.startswith("OK") for line in done.stdout.splitlines()))

    def test_a_drive_without_registers_is_refused(self):
        done = self.serve("", "workloads/one-page", "--set", "host.interface=direct")
        self.assertEqual(done.returncode, 2)
        self.assertIn("/host/interface: it has no registers", done.stderr)


if __name__ == "__main__":
    unittest.main()
