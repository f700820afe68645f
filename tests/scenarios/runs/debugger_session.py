# SPDX-License-Identifier: Apache-2.0
"""A session of the real GDB with a run of the program."""
import os
import re
import subprocess

STROBE = os.environ["STROBE"]


class Session:
    """A run that waits for its debugger. `output` and `errors` after finish()."""

    def __init__(self, test, *arguments):
        self.run = subprocess.Popen([STROBE, "run", *map(str, arguments), "--gdb", "0"], stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE, text=True)
        test.addCleanup(self.run.stdout.close)
        test.addCleanup(self.run.stderr.close)
        test.addCleanup(self.run.wait)
        test.addCleanup(self.run.kill)  # first: without a debugger the program waits for ever
        line = self.run.stderr.readline()
        port = re.search(r"target remote 127\.0\.0\.1:(\d+)", line)
        test.assertTrue(port, line)
        self.port = port.group(1)

    def gdb(self, image, *commands):
        """What GDB prints when it executes the commands."""
        words = [word for command in ("set pagination off", "set width 0", f"target remote 127.0.0.1:{self.port}", *commands)
                 for word in ("-ex", command)]
        done = subprocess.run(["gdb-multiarch", "-q", "-batch", "-nx", *words, str(image)], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False, timeout=300)
        return done.stdout

    def finish(self):
        """Exit code of the run."""
        self.output, self.errors = self.run.communicate(timeout=120)
        return self.run.returncode


def parts(text):
    """What was printed between the lines "=1=", "=2=" (command: echo =1=\\n), by number."""
    pieces = re.split(r"^=(\d+)=$", text, flags=re.MULTILINE)
    return {int(number): piece.strip() for number, piece in zip(pieces[1::2], pieces[2::2])}
