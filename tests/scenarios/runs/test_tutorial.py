#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/tutorial.md, executed: the commands of its blocks, in one shell as for a reader, and their output.

Text must be as on the page, numbers may differ (they change a little with firmware and timing); "..." replaces lines that
are left out. The program, its images and the sources are at the places that they have in a clone.

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


def words(text):
    """Without the parts that may differ: numbers, line breaks, the directory in which an image was built, and
    what the linker appends to local names."""
    text = re.sub(r"\.lto_priv(\.\d+)?", "", text)
    text = re.sub(r"at \S*?/?(?=(?:firmware|build)/\S+:\d)", "at ", text)
    return " ".join(re.sub(r"0x[0-9a-f]+|\b[0-9a-f]{16}\b|\d[\d,.]*", "#", text).split())


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
        said = words(printed)
        for part in re.split(r"^\.\.\.$|^\(gdb\) .*$", expected, flags=re.MULTILINE):
            self.assertIn(words(part), said, f"{commands}\n{printed}")

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
