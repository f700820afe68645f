# SPDX-License-Identifier: Apache-2.0
"""A host of an NVMe controller: queues in memory, doorbells, commands one at a time. Offsets and names are those of NVM Express 1.4."""
from __future__ import annotations

import struct
from typing import Any, NamedTuple

from strobe.conformance.machine import Machine
from strobe.conformance.outcomes import Outcome

CAP, VS, INTMS, INTMC, CC, CSTS, NSSR, AQA, ASQ, ACQ = 0x00, 0x08, 0x0C, 0x10, 0x14, 0x1C, 0x20, 0x24, 0x28, 0x30
DOORBELLS = 0x1000
ENABLED = 6 << 16 | 4 << 20 | 1  # CC with queue entries of 64 and 16 bytes
PAGE = 4096
DATA = 0x400000  # for data
LISTS = 0xC00000  # for PRP lists
QUEUES = 0x200000  # four pages for each queue: an SQ at an even number, its CQ at the next
ADMIN_ENTRIES = 64
ALL = 0xFFFFFFFF  # namespaces


class Completion(NamedTuple):
    """An entry of a completion queue."""

    result: int
    head: int
    queue: int
    command: int
    status: int  # code type in bits 10:8, code in bits 7:0
    do_not_retry: bool


class Queue:
    """A submission queue and the completion queue of the same number."""

    def __init__(self, number: int, entries: int) -> None:
        self.number, self.entries = number, entries
        self.tail = self.head = 0
        self.phase = 1
        self.sq, self.cq = QUEUES + number * 8 * PAGE, QUEUES + number * 8 * PAGE + 4 * PAGE


class Nvme:
    """The controller of a machine."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.stride = 4 << (machine.read(CAP, 8) >> 32 & 15)
        self.queues: dict[int, Queue] = {}
        self.identifier = 0

    # --- controller

    def configure(self, value: int) -> str:
        """Writes CC and waits for what it asks for; the state of CSTS then."""
        wanted = value & 1
        self.machine.write(CC, value)

        def is_there() -> int | None:
            status = self.machine.read(CSTS)
            return status if status & 1 == wanted or status & 2 else None

        self.machine.wait_for(is_there, 100)
        return self.state()

    def state(self) -> str:
        status = self.machine.read(CSTS)
        return " ".join([("not ready", "ready")[status & 1], *(["fatal"] if status & 2 else []),
                         *([f"shutdown {('', 'in progress', 'complete', '?')[status >> 2 & 3]}"] if status >> 2 & 3 else [])])

    def disable(self) -> str:
        return self.configure(0)

    def set_admin_queues(self) -> Queue:
        admin = Queue(0, ADMIN_ENTRIES)
        self.machine.fill(admin.sq, 8 * PAGE, 0)
        self.machine.write(AQA, (ADMIN_ENTRIES - 1) << 16 | (ADMIN_ENTRIES - 1))
        self.machine.write(ASQ, admin.sq, 8)
        self.machine.write(ACQ, admin.cq, 8)
        self.queues = {0: admin}
        return admin

    def start(self, control: int = ENABLED) -> str:
        """A controller that was reset, with an admin queue."""
        self.disable()
        self.set_admin_queues()
        return self.configure(control)

    def add_queue(self, number: int, entries: int = 16, flags: int = 1) -> Queue:
        """A queue pair as the host sees it."""
        queue = self.queues[number] = Queue(number, entries)
        self.machine.fill(queue.sq, 8 * PAGE, 0)
        return queue

    def start_io(self, entries: int = 16) -> str:
        """With the queue pair 1."""
        state = self.start()
        queue = self.add_queue(1, entries)
        self.admin(0x05, prp1=queue.cq, cdw10=(entries - 1) << 16 | 1, cdw11=1)
        self.admin(0x01, prp1=queue.sq, cdw10=(entries - 1) << 16 | 1, cdw11=1 << 16 | 1)
        return state

    # --- commands

    def doorbell(self, queue: int, value: int, completion: bool = False, width: int = 4) -> None:
        self.machine.write(DOORBELLS + (2 * queue + completion) * self.stride, value, width)

    def put(self, queue: int, opcode: int, *, nsid: int = 0, flags: int = 0, prp1: int = 0, prp2: int = 0, cdw2: int = 0, cdw10: int = 0,
            cdw11: int = 0, cdw12: int = 0, cdw13: int = 0, cdw14: int = 0, cdw15: int = 0) -> int:
        """Gives the controller a command; returns its identifier."""
        place = self.queues[queue]
        self.identifier = self.identifier % 0x7FFF + 1
        entry = struct.pack("<BBHIIIQQQ6I", opcode, flags, self.identifier, nsid, cdw2, 0, 0, prp1, prp2, cdw10, cdw11, cdw12, cdw13, cdw14,
                            cdw15)
        self.machine.store(place.sq + 64 * place.tail, entry)
        place.tail = (place.tail + 1) % place.entries
        self.doorbell(queue, place.tail)
        return self.identifier

    def take(self, queue: int, moments: int = 400) -> Completion | None:
        """The next completion, if it comes within so many moments."""
        place = self.queues[queue]

        def look() -> Completion | None:
            result, _, head, sq, command, status = struct.unpack("<IIHHHH", self.machine.load(place.cq + 16 * place.head, 16))
            if status & 1 != place.phase:
                return None
            return Completion(result, head, sq, command, status >> 1 & 0x7FF, bool(status >> 15))

        found = self.machine.wait_for(look, moments)
        if found:
            place.head = (place.head + 1) % place.entries
            if place.head == 0:
                place.phase ^= 1
            self.doorbell(queue, place.head, completion=True)
        return found

    def command(self, queue: int, opcode: int, *, moments: int = 400, wants_result: bool = True, **fields: Any) -> Outcome:
        """The outcome of a command: its status, its result if it succeeds, and whether the rest of its entry is right."""
        identifier = self.put(queue, opcode, **fields)
        return self.outcome(queue, identifier, self.take(queue, moments), wants_result)

    def outcome(self, queue: int, identifier: int, done: Completion | None, wants_result: bool = True) -> Outcome:
        if done is None:
            return {"status": "no completion"}
        fields: Outcome = {"status": f"{done.status >> 8}/{done.status & 0xFF:02X}h" + (" DNR" if done.do_not_retry else "")}
        if wants_result and done.status == 0:
            fields["result"] = f"{done.result:#x}"
        if (done.queue, done.command, done.head) != (queue, identifier, self.queues[queue].tail):
            fields["entry"] = f"SQ {done.queue}, head {done.head}, " + ("its" if done.command == identifier else "another") + " identifier"
        return fields

    def admin(self, opcode: int, **fields: Any) -> Outcome:
        return self.command(0, opcode, **fields)

    def io(self, opcode: int, nsid: int = 1, **fields: Any) -> Outcome:
        return self.command(1, opcode, nsid=nsid, **fields)
