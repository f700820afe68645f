# SPDX-License-Identifier: Apache-2.0
"""A host of port 0 of an AHCI adapter: command list, tables and received FISes in memory. Offsets and names are those of AHCI 1.3.1."""
from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

from strobe.conformance.machine import Machine
from strobe.conformance.outcomes import Outcome

CAP, GHC, IS, PI, VS, CAP2, BOHC = 0x00, 0x04, 0x08, 0x0C, 0x10, 0x24, 0x28
PORT = 0x100
CLB, FB, PIS, PIE, CMD, TFD, SIG, SSTS, SCTL, SERR, SACT, CI, SNTF, FBS = (
    PORT + offset for offset in (0x00, 0x08, 0x10, 0x14, 0x18, 0x20, 0x24, 0x28, 0x2C, 0x30, 0x34, 0x38, 0x3C, 0x40))
ST, FRE, FR, CR = 1, 1 << 4, 1 << 14, 1 << 15
LIST, RECEIVED, TABLES, DATA = 0x200000, 0x201000, 0x210000, 0x400000
REGISTERS, PIO, DEVICE_BITS, DMA_SETUP = RECEIVED + 0x40, RECEIVED + 0x20, RECEIVED + 0x58, RECEIVED
ERROR_BITS = 0x7D000000  # of PxIS: what ends a command without success


class Ahci:
    """Port 0 of the adapter of a machine."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    # --- port

    def reset(self) -> None:
        """HBA reset, then the port as a driver sets it up."""
        machine = self.machine
        machine.write(GHC, machine.read(GHC) | 1)
        machine.wait_for(lambda: machine.read(GHC) & 1 == 0 or None)
        machine.write(GHC, 1 << 31)
        machine.fill(LIST, 0x2000, 0)
        machine.write(CLB, LIST)
        machine.write(CLB + 4, 0)
        machine.write(FB, RECEIVED)
        machine.write(FB + 4, 0)
        machine.write(CMD, FRE | 6)
        machine.wait_for(lambda: machine.read(TFD) & 0x88 == 0 or None)
        self.restart()

    def stop(self) -> None:
        self.machine.write(CMD, self.machine.read(CMD) & ~ST)
        self.machine.wait_for(lambda: self.machine.read(CMD) & CR == 0 or None, 50)

    def restart(self) -> None:
        """As after an error: the list is stopped, errors are cleared, the list is started."""
        self.stop()
        self.machine.write(SERR, 0xFFFFFFFF)
        self.machine.write(PIS, 0xFFFFFFFF)
        self.machine.write(IS, 0xFFFFFFFF)
        self.machine.write(CMD, self.machine.read(CMD) | FRE | ST)
        self.machine.wait_for(lambda: self.machine.read(CMD) & CR or None, 50)

    # --- commands

    def prepare(self, slot: int, opcode: int, *, lba: int = 0, count: int = 0, features: int = 0, device: int = 0x40, write: bool = False,
                regions: Sequence[tuple[int, int]] = (), control: int = 0x80, kind: int = 0x27, length: int = 5) -> None:
        """A command in memory; regions are (address, bytes)."""
        fis = struct.pack("<BBBB3sB3sBHBBI", kind, control, opcode, features & 0xFF, lba.to_bytes(6, "little")[:3], device,
                          lba.to_bytes(6, "little")[3:], features >> 8, count, 0, 0, 0)
        table = TABLES + slot * 0x1000
        self.machine.fill(table, 0x80, 0)
        self.machine.store(table, fis)
        if regions:
            self.machine.store(table + 0x80, b"".join(struct.pack("<QII", address, 0, size - 1) for address, size in regions))
        self.machine.store(LIST + 32 * slot, struct.pack("<IIQ16x", len(regions) << 16 | write << 6 | length, 0, table))

    def issue(self, slots: int, queued: int = 0, moments: int = 300) -> bool:
        """Gives the adapter prepared commands and waits until they have ended, or one has with an error."""
        machine = self.machine
        if queued:
            machine.write(SACT, queued)
        machine.write(CI, slots)

        def is_over() -> bool | None:
            if machine.read(CI) & slots == 0 and machine.read(SACT) & queued == 0:
                return True
            return True if machine.read(PIS) & ERROR_BITS else None

        return bool(machine.wait_for(is_over, moments))

    def state(self) -> Outcome:
        machine = self.machine
        return {"TFD": f"{machine.read(TFD) & 0xFFFF:#06x}", "IS": f"{machine.read(PIS):#x}", "CI": f"{machine.read(CI):#x}",
                           "SACT": f"{machine.read(SACT):#x}"}

    def command(self, opcode: int, *, slot: int = 0, queued: bool = False, moments: int = 300, **fields: Any) -> Outcome:
        """One command; its outcome, and the port ready for the next one."""
        self.machine.fill(RECEIVED, 256, 0)
        self.prepare(slot, opcode, **fields)
        over = self.issue(1 << slot, 1 << slot if queued else 0, moments)
        outcome = self.state() if over else {"TFD": "not over", **{name: value for name, value in self.state().items() if name != "TFD"}}
        self.restart()
        return outcome
