# SPDX-License-Identifier: Apache-2.0
"""Strobe from Python: run scenarios, read reports, start studies.

    import strobe
    result = strobe.run("workloads/sequential-write", {"nand.channels": 8})
    result.value("totals.write.megabytes_per_second")
    result.frame("resources")                      # pandas

This module needs the standard library only; strobe.needs lists what the commands and data frames need in addition.
"""
from strobe.result import Result, load
from strobe.run import StrobeError, resolved, run, validate

__all__ = ["Result", "StrobeError", "load", "resolved", "run", "validate"]
__version__ = "0.2.0"
