# SPDX-License-Identifier: Apache-2.0
"""Conformance by difference: the same steps at Strobe's register models and at QEMU's; every difference is known (docs/conformance.md).

    machine.py             what operates either of them: the qtest protocol       nvme.py, ahci.py     hosts of the two kinds of device
    nvme_registers.py, nvme_admin.py, nvme_io.py, ahci_steps.py   the steps       outcomes.py          what they bring about
    table.py               differences that are known, with their reasons
"""
from __future__ import annotations

import argparse
import json
import pathlib
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from strobe.conformance import ahci_steps, nvme_admin, nvme_io, nvme_registers
from strobe.conformance.ahci import Ahci
from strobe.conformance.machine import QEMU_VERSION, Machine, QemuMachine, StrobeMachine, qemu_is_missing
from strobe.conformance.nvme import Nvme
from strobe.conformance.outcomes import Outcomes, differences
from strobe.conformance.table import Table, markdown
from strobe.run import StrobeError

SECTORS = 26212  # of the drive of the scenarios, as of QEMU's image
PAGE_BEGIN, PAGE_END = "<!-- tables of scripts/conformance -->\n", "<!-- end of tables -->\n"


class Device(NamedTuple):
    title: str
    bar: int
    qemu: tuple[str, ...]
    host: Callable[[Machine], Any]
    steps: tuple[Callable[[Any, Outcomes], None], ...]


DEVICES = {
    "nvme": Device("NVMe controller", 0, ("nvme,id=nvme,serial=1,addr=4", "nvme-ns,drive=drive,bus=nvme,nsid=1,mssrl=2048,mcl=262144,msrc=127"), Nvme,
                   (*nvme_registers.STEPS, *nvme_admin.STEPS, *nvme_io.STEPS)),
    "ahci": Device("AHCI adapter", 5, ("ich9-ahci,id=ahci,addr=4", "ide-hd,drive=drive,bus=ahci.0,serial=1"), Ahci, ahci_steps.STEPS),
}


def outcomes_of(device: Device, machine: Machine) -> Outcomes:
    out = Outcomes()
    try:
        host = device.host(machine)
        for step in device.steps:
            step(host, out)
    finally:
        machine.close()
    return out


def of_strobe(name: str, program: str, data: pathlib.Path) -> Outcomes:
    device = DEVICES[name]
    return outcomes_of(device, StrobeMachine(program, str(data / f"{name}.json"), device.bar))


def of_qemu(name: str) -> Outcomes:
    device = DEVICES[name]
    return outcomes_of(device, QemuMachine(list(device.qemu), SECTORS, device.bar))


def recording(name: str, data: pathlib.Path) -> pathlib.Path:
    return data / f"{name}.qemu-{QEMU_VERSION}.json"


def page_with(text: str, table: Table) -> str:
    """The page with the tables as they are now."""
    before, _, rest = text.partition(PAGE_BEGIN)
    after = rest.partition(PAGE_END)[2]
    return before + PAGE_BEGIN + markdown(table, {name: device.title for name, device in DEVICES.items()}) + PAGE_END + after


def main(arguments: list[str], root: pathlib.Path, program: str) -> int:
    parser = argparse.ArgumentParser(prog="scripts/conformance", description="The same steps at Strobe's models of NVMe and AHCI and at QEMU's.")
    parser.add_argument("--qemu", action="store_true", help=f"ask QEMU {QEMU_VERSION} itself, too, and compare with the recording of its answers")
    parser.add_argument("--record", action="store_true", help="record QEMU's answers anew")
    parser.add_argument("--list", action="store_true", help="print all differences, one JSON list per line, and compare nothing")
    parser.add_argument("--write-page", action="store_true", help="write the tables of docs/conformance.md")
    options = parser.parse_args(arguments)
    data, page = root / "tests" / "data" / "conformance", root / "docs" / "conformance.md"
    table = Table(data / "differences.json")
    if options.write_page:
        page.write_text(page_with(page.read_text(), table))
        return 0
    if (options.qemu or options.record) and (missing := qemu_is_missing()):
        print(f"scripts/conformance: {missing}", file=sys.stderr)
        return 2
    try:
        return compare(options, table, data, program)
    except (StrobeError, OSError) as error:
        print(f"scripts/conformance: {error}", file=sys.stderr)
        return 2


def compare(options: argparse.Namespace, table: Table, data: pathlib.Path, program: str) -> int:
    """The exit code."""
    problems = []
    for name in DEVICES:
        if options.record:
            of_qemu(name).save(recording(name, data))
        recorded = Outcomes.load(recording(name, data))
        strobe = of_strobe(name, program, data)
        if options.list:
            for each in differences(recorded, strobe):
                print(name, json.dumps(each))
            continue
        found = table.problems(name, recorded, strobe)
        if options.qemu:
            found += [f"QEMU does not answer as recorded: {each}" for each in differences(recorded, of_qemu(name))]
        print(f"{name}: {len(recorded.steps)} steps, {len(table.rows[name])} known differences, {len(table.fixed[name])} fixed ones, "
              f"{len(found)} problems")
        problems += [f"{name}: {each}" for each in found]
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0
