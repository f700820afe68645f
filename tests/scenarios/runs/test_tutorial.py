#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/tutorial.md, executed: the commands of its blocks, in one shell as for a reader, and their output.

Text must be as on the page. Numbers may differ by one per cent or by one in the last printed place; addresses are not
compared. "..." replaces lines that are left out. The program, its images and the sources are at the places that they have in a clone.

Needs STROBE in the environment: the program under test; riscv64-unknown-elf-gcc, gdb-multiarch and git.
"""
import os
import pathlib
import re
import shutil
import socket
import subprocess
import tempfile
import unittest

STROBE = pathlib.Path(os.environ["STROBE"]).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "tutorial.md"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


NUMBER = re.compile(r"0x[0-9a-f]+|\b[0-9a-f]{16}\b|\d[\d,.]*")
MARK = "\N{BULLET}"  # in the place of a number


def words(text):
    """Without the parts that may differ: numbers, line breaks, the directory in which an image was built, and
    what the linker appends to local names. And the numbers."""
    text = re.sub(r"\.lto_priv(\.\d+)?", "", text)
    text = re.sub(r"at \S*?/?(?=(?:firmware|build)/\S+:\d)", "at ", text)
    return " ".join(NUMBER.sub(MARK, text).split()), NUMBER.findall(text)


def is_near(quoted, number):
    if quoted.startswith("0x") or len(quoted) == 16:
        return True
    quoted, number = quoted.replace(",", "").rstrip("."), number.replace(",", "").rstrip(".")
    if quoted.count(".") > 1:  # an address of a host
        return quoted == number
    if "." not in quoted and float(quoted) < 100:
        return float(quoted) == float(number)
    place = 10.0 ** -len(quoted.partition(".")[2])
    return abs(float(quoted) - float(number)) <= max(0.01 * float(quoted), place * 1.000001)


def finds(quoted, printed):
    """None: the text was not printed. Otherwise the numbers that differ, where they differ least."""
    (text, numbers), (all_text, all_numbers) = words(quoted), words(printed)
    best, at = None, all_text.find(text)
    while at >= 0:
        first = all_text.count(MARK, 0, at)
        wrong = [f"{mine} is {other}" for mine, other in zip(numbers, all_numbers[first:]) if not is_near(mine, other)]
        best = wrong if best is None or len(wrong) < len(best) else best
        at = all_text.find(text, at + 1)
    return best


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Tutorial(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "scripts").mkdir()
        command = self.root / "scripts" / "strobe"
        command.write_text(f'#!/bin/sh\nexec "{STROBE}" "$@"\n')
        command.chmod(0o755)
        (self.root / "build" / "release").mkdir(parents=True)
        (self.root / "build" / "release" / "firmware").symlink_to(STROBE.parent / "firmware")
        shutil.copytree(ROOT / "firmware", self.root / "firmware")
        self.shell = subprocess.Popen(["bash"], cwd=self.root, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, text=True, bufsize=1,
                                      env={**os.environ, "GIT_CEILING_DIRECTORIES": folder.name})
        self.addCleanup(self.shell.stdout.close)
        self.addCleanup(self.shell.wait)
        self.addCleanup(self.shell.kill)
        self.addCleanup(self.shell.stdin.close)
        self.shell.stdin.write("set -e\n")  # a command that fails ends the shell

    def until(self, mark):
        text = ""
        for line in self.shell.stdout:
            text += line
            if mark in line:
                return text
        raise AssertionError(f"the shell has ended: {text}")

    def execute(self, commands, debugger):
        """The output of the commands; a debugger gets its commands as input."""
        if debugger:
            commands = commands.rstrip("\n") + f" <<'DEBUGGER' 2>&1\nset pagination off\n{debugger}\nDEBUGGER\n"
        self.shell.stdin.write(commands + "\n")
        if "--gdb" in commands:
            return self.until("waiting for a debugger")
        self.shell.stdin.write('echo "status $?."\n')
        text = self.until("status ")
        self.assertRegex(text, r"status 0\.\n\Z", commands)
        return text

    def assert_printed(self, expected, printed, commands):
        for part in re.split(r"^\.\.\.$|^\(gdb\) .*$", expected, flags=re.MULTILINE):
            wrong = finds(part, printed)
            self.assertIsNotNone(wrong, f"{commands}\nquoted: {part}\n{printed}")
            with self.subTest(quoted=part):
                self.assertEqual(wrong, [], commands)

    def test_a_number_that_is_out_of_date_is_found(self):
        printed = "first: 5 of 7\nin 0x80001000: 22,541,456 instructions, 3.629 million\nfirst: 60 of 7\n"
        self.assertEqual(finds("in 0x20000000: 22,510,921 instructions, 3.63 million", printed), [])
        self.assertEqual(finds("18,357,908 instructions", printed), ["18,357,908 is 22,541,456"])
        self.assertEqual(finds("first: 60 of 7", printed), [])
        self.assertEqual(finds("first: 90 of 7", printed), ["90 is 5"])
        self.assertIsNone(finds("second: 5", printed))

    def test_each_command_gives_the_output_of_the_page(self):
        port = str(free_port())
        blocks = [(kind, text.replace("3333", port)) for kind, text in BLOCK.findall(PAGE.read_text())]
        self.assertGreater(len(blocks), 20)
        while blocks:
            kind, commands = blocks.pop(0)
            self.assertEqual(kind, "sh", commands)
            expected = []
            while blocks and blocks[0][0] != "sh":
                expected.append(blocks.pop(0))
            debugger = [line for kind, text in expected if kind == "gdb"
                        for line in re.findall(r"^\(gdb\) (.*)$", text, re.MULTILINE)]
            self.assertEqual(bool(debugger), commands.startswith("gdb-multiarch"))
            printed = self.execute(commands, "\n".join(debugger))
            for _, text in expected:
                self.assert_printed(text, printed, commands)


if __name__ == "__main__":
    unittest.main()
