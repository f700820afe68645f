# SPDX-License-Identifier: Apache-2.0
"""Prints a linker script that places the functions of models together that are called once or more in 20 page operations.

Argument: a folder with, for each case, CASE.json of `strobe bench` and CASE.PID of callgrind, one for each process.
"""
import collections
import json
import pathlib
import re
import sys

PAGE_OPERATIONS_PER_CALL = 20


def calls(path):
    """{function: number of calls} of a callgrind file, in which a name follows its number only once."""
    functions = {}
    count = collections.Counter()
    called = None
    for line in path.read_text().splitlines():
        key, _, value = line.partition("=")
        if key in ("fn", "cfn"):
            number, _, name = value.partition(" ")
            functions.setdefault(number, name)
            called = functions[number]
        elif key == "calls":
            count[re.sub(r"'\d+$", "", called)] += int(value.split()[0])
    return count


def in_scope(name):
    """Sorts const functions and thunks of a class among the others."""
    return re.sub(r"^_Z(Thn\d+_|Tv\d+_n\d+_)?NK?", "", name)


def main(folder):
    hot = set()
    for report in folder.glob("*.json"):
        operations = json.loads(report.read_text())[report.stem]["page_operations"]["value"]
        total = sum((calls(path) for path in folder.glob(report.stem + ".[0-9]*")), collections.Counter())
        hot |= {name for name, count in total.items() if count * PAGE_OPERATIONS_PER_CALL >= operations}
    models = [name for name in hot if "6strobe" in name and "8platform" not in name]
    sections = "\n".join(f"    *(.text.{name})" for name in sorted(models, key=lambda name: (in_scope(name), name)))
    print(f"""/* SPDX-License-Identifier: Apache-2.0 */
/* Written by scripts/order-functions: functions that page operations execute, one after the other in the program. */
SECTIONS
{{
  .text.hot_functions : ALIGN(4096)
  {{
{sections}
  }}
}}
INSERT BEFORE .text;""")


main(pathlib.Path(sys.argv[1]))
