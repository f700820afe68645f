#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a source that compiles several test files together: tests_together.py OUTPUT TEST…

Most of the time that a test file takes to compile goes into headers and templates, which several files share. The headers that
the files begin with come first, outside of any namespace. Each file then gets a namespace of its own, so that its names are
its own, as if it were compiled alone. The output is left alone if it would not change: its time decides what is compiled.
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r"\s*#\s*include\s")
QUOTED = re.compile(r'#\s*include\s+"([^"]+)"')
SKIPPED = re.compile(r"\s*($|//|using namespace )")


def headers(file):
    """The includes at the beginning of a file."""
    found = []
    for line in file.read_text().splitlines():
        if INCLUDE.match(line):
            beside = QUOTED.match(line)
            is_beside = beside and (file.parent / beside[1]).exists()
            found.append(f'#include "{file.parent / beside[1]}"' if is_beside else line)
        elif not SKIPPED.match(line):
            break
    return found


def together(files):
    lines = list(dict.fromkeys(line for file in files for line in headers(file)))
    for file in files:
        lines += [f"namespace {file.stem} {{", f'#include "{file}"', "}"]
    return "".join(line + "\n" for line in lines)


def main(output, *tests):
    output = pathlib.Path(output)
    text = together([pathlib.Path(test) for test in tests])
    if not output.exists() or output.read_text() != text:
        output.write_text(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
