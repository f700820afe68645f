# SPDX-License-Identifier: Apache-2.0
"""`strobe report`, `compare`, `explore` and `torture`: the program starts `python3 -m strobe COMMAND …` with its own path in STROBE.

Each command is a module with main(arguments) -> exit code, imported when it is chosen: Dask alone takes a second.
"""
from __future__ import annotations

import importlib
import os
import sys

from strobe import needs, options
from strobe.run import StrobeError

COMMANDS = ("report", "compare", "explore", "torture")  # each checks its arguments, then requires the packages that it needs
USAGE = "usage: python3 -m strobe {report,compare,explore,torture} …\n       python3 -m strobe --check GROUP\n       python3 -m strobe --options\n"


def check(group: str) -> int:
    """Exit code 0 if the packages of the group are there."""
    if group not in needs.MODULES:
        print(f"strobe: there is no group \"{group}\"; there are {', '.join(needs.MODULES)}", file=sys.stderr)
        return 2
    needs.require(group)
    return 0


def main(arguments: list[str]) -> int:
    if len(arguments) == 2 and arguments[0] == "--check":
        return check(arguments[1])
    if arguments == ["--options"]:
        print(options.text(list(COMMANDS)))
        return 0
    if not arguments or arguments[0] not in COMMANDS:
        print(USAGE, end="", file=sys.stdout if arguments[:1] in (["--help"], ["-h"]) else sys.stderr)
        return 0 if arguments[:1] in (["--help"], ["-h"]) else 2
    return int(importlib.import_module(f"strobe.{arguments[0]}").main(arguments[1:]))


def run_main() -> int:
    if sys.version_info < (3, 11):
        print("strobe: Python 3.11 or newer is needed, this is " + sys.version.split()[0], file=sys.stderr)
        return 2
    try:
        status = main(sys.argv[1:])
        sys.stdout.flush()
        return status
    except needs.MissingPackages as problem:
        print(f"strobe: {problem}", file=sys.stderr)
        return 2
    except StrobeError as problem:
        print(problem, file=sys.stderr)
        return problem.exit_code
    except KeyboardInterrupt:
        print("strobe: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of the output has ended
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2


if __name__ == "__main__":
    sys.exit(run_main())
