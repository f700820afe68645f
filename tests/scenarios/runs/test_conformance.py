#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The register models of NVMe and AHCI against recorded answers of QEMU's models, and `strobe serve pci`, by which they are operated."""
import os
import pathlib
import subprocess
import sys
import unittest

STROBE = os.environ["STROBE"]
ROOT = pathlib.Path(__file__).resolve().parents[3]
DATA = ROOT / "tests" / "data" / "conformance"
sys.path.insert(0, str(ROOT / "scripts" / "python"))

from strobe import conformance  # noqa: E402
from strobe.conformance.machine import qemu_is_missing  # noqa: E402
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

    def test_the_page_has_the_tables(self):
        page = (ROOT / "docs" / "conformance.md").read_text()
        self.assertEqual(page, conformance.page_with(page, self.table), "scripts/conformance --write-page")


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

    def test_a_drive_without_registers_is_refused(self):
        done = self.serve("", "workloads/one-page", "--set", "host.interface=direct")
        self.assertEqual(done.returncode, 2)
        self.assertIn("/host/interface: it has no registers", done.stderr)


if __name__ == "__main__":
    unittest.main()
