# SPDX-License-Identifier: Apache-2.0
"""Steps with the registers of an NVMe controller: what they are, enable, reset, shutdown, doorbells, interrupts."""
from __future__ import annotations

import struct

from strobe.conformance.nvme import (ACQ, AQA, ASQ, CAP, CC, CSTS, DATA, DOORBELLS, ENABLED, INTMC, INTMS, NSSR, PAGE, VS, Nvme)
from strobe.conformance.outcomes import Outcomes

MESSAGES = 0x300000  # memory to which messages go


def configuration(host: Nvme, out: Outcomes) -> None:
    machine = host.machine
    out.add("config: class code", value=f"{machine.config_read(0x08, 4) >> 8:06x}")
    out.add("config: header type", value=machine.config_read(0x0E, 1))
    out.add("config: BAR 0", type=machine.config_read(0x10, 4) & 0xF)
    machine.config_write(0x10, 4, 0xFFFFFFFF)
    out.add("config: size of BAR 0", bytes=(~machine.config_read(0x10, 4) | 0xF) + 1 + (1 << 32))
    machine.place_bar(0)
    for value in (0, 0xFFFF):
        machine.config_write(0x04, 2, value)
        out.add(f"config: command, {value:#06x} written", value=f"{machine.config_read(0x04, 2):#06x}")
    machine.config_write(0x04, 2, 0)
    out.add("config: registers with memory space off", CAP=f"{machine.read(CAP):#x}")
    machine.place_bar(0)
    out.add("config: interrupt pin", value=machine.config_read(0x3D, 1))
    out.add("config: status", capabilities=machine.config_read(0x06, 2) >> 4 & 1)
    found: list[int] = []
    place = machine.config_read(0x34, 1)
    while place and len(found) < 16:
        found.append(machine.config_read(place, 1))
        place = machine.config_read(place + 1, 1)
    for name, capability in (("power management", 1), ("PCI Express", 0x10), ("MSI", 5), ("MSI-X", 0x11)):
        out.add(f"config: capability {name}", present=capability in found)


def disabled(host: Nvme, out: Outcomes) -> None:
    machine = host.machine
    cap = machine.read(CAP, 8)
    for name, shift, width in (("CQR", 16, 1), ("AMS", 17, 2), ("DSTRD", 32, 4), ("NSSRS", 36, 1), ("CSS", 37, 8), ("BPS", 45, 1),
                               ("MPSMIN", 48, 4), ("MPSMAX", 52, 4), ("PMRS", 56, 1), ("CMBS", 57, 1), ("MQES", 0, 16), ("TO", 24, 8)):
        out.add(f"registers: CAP.{name}", value=f"{cap >> shift & (1 << width) - 1:#x}")
    out.add("registers: CAP, two halves", same=machine.read(CAP) | machine.read(CAP + 4) << 32 == cap)
    for name, offset in (("VS", VS), ("INTMS", INTMS), ("INTMC", INTMC), ("CC", CC), ("CSTS", CSTS), ("NSSR", NSSR), ("AQA", AQA),
                         ("CMBLOC", 0x38), ("CMBSZ", 0x3C), ("BPINFO", 0x40), ("BPRSEL", 0x44), ("PMRCAP", 0xE00), ("reserved", 0x18),
                         ("reserved", 0x100), ("reserved", 0xF00)):
        out.add(f"registers: {name} ({offset:#x}) after power-on", value=f"{machine.read(offset):#x}")
    for name, offset in (("ASQ", ASQ), ("ACQ", ACQ)):
        out.add(f"registers: {name} after power-on", value=f"{machine.read(offset, 8):#x}")
    for name, offset, width in (("VS", VS, 1), ("VS", VS, 2), ("VS", VS + 1, 1), ("VS", VS + 2, 2), ("VS and INTMS", VS, 8),
                                ("the middle of CAP", 4, 8), ("AQA", AQA, 2), ("CAP", 0, 2)):
        out.add(f"registers: {width} bytes at {offset:#x}, {name}", value=f"{machine.read(offset, width):#x}")
    for offset in (DOORBELLS, DOORBELLS + 4, DOORBELLS + 8):
        out.add(f"registers: doorbell {offset:#x} read", value=f"{machine.read(offset):#x}")
    for name, offset in (("CAP", CAP), ("VS", VS), ("CSTS", CSTS)):
        before = machine.read(offset)
        machine.write(offset, 0xFFFFFFFF)
        out.add(f"registers: {name} written", changed=machine.read(offset) != before)
    for value in (0xFFFFFFFF, 0, 0x00070007):
        machine.write(AQA, value)
        out.add(f"registers: AQA, {value:#x} written", value=f"{machine.read(AQA):#x}")
    for name, offset in (("ASQ", ASQ), ("ACQ", ACQ)):
        machine.write(offset, 0xFFFFFFFFFFFFFFFF, 8)
        out.add(f"registers: {name}, all ones written", value=f"{machine.read(offset, 8):#x}")
        machine.write(offset, 0x1234000)
        machine.write(offset + 4, 0x5)
        out.add(f"registers: {name}, two halves written", value=f"{machine.read(offset, 8):#x}")
        machine.write(offset, 0, 8)
    machine.write(AQA, 0x00050005)
    machine.write(AQA, 0x0009, 2)
    out.add("registers: 2 bytes of AQA written", value=f"{machine.read(AQA):#x}")
    machine.write(AQA, 0)
    for value, offset in ((0x5, INTMS), (0x2, INTMS), (0x1, INTMC), (0xFFFFFFFF, INTMC)):
        machine.write(offset, value)
        out.add(f"registers: {'INTMS' if offset == INTMS else 'INTMC'}, {value:#x} written", INTMS=f"{machine.read(INTMS):#x}",
                INTMC=f"{machine.read(INTMC):#x}")
    machine.write(DOORBELLS, 1)
    machine.write(DOORBELLS + 4, 1)
    out.add("registers: doorbells while disabled", CSTS=host.state())


def enabling(host: Nvme, out: Outcomes) -> None:
    machine = host.machine
    for name, control, before in (
            ("entry sizes 0", 1, None), ("page size 8 KiB", ENABLED | 1 << 7, None), ("page size 64 KiB", ENABLED | 4 << 7, None),
            ("page size 128 KiB", ENABLED | 5 << 7, None), ("page size 128 MiB", ENABLED | 15 << 7, None),
            ("weighted arbitration", ENABLED | 1 << 11, None), ("arbitration 2", ENABLED | 2 << 11, None),
            ("arbitration 7", ENABLED | 7 << 11, None), ("command set 1", ENABLED | 1 << 4, None),
            ("command sets 6", ENABLED | 6 << 4, None), ("command sets 7", ENABLED | 7 << 4, None),
            ("SQ entries of 128 bytes", 7 << 16 | 4 << 20 | 1, None), ("CQ entries of 32 bytes", 6 << 16 | 5 << 20 | 1, None),
            ("AQA 0", ENABLED, (AQA, 0)), ("one SQ entry", ENABLED, (AQA, 63 << 16)), ("one CQ entry", ENABLED, (AQA, 63)),
            ("4,096 entries", ENABLED, (AQA, 0x0FFF0FFF)), ("usual", ENABLED, None)):
        host.disable()
        host.set_admin_queues()
        if before:
            machine.write(*before)
        out.add(f"enable: {name}", CSTS=host.configure(control))
    out.add("enable: CC read back", value=f"{machine.read(CC):#x}")
    out.add("enable: again", CSTS=host.configure(ENABLED))
    machine.write(AQA, 0x00030003)
    out.add("enable: AQA written while enabled", CSTS=host.state(), AQA=f"{machine.read(AQA):#x}")
    out.add("enable: a command after that", **host.admin(0x06, prp1=DATA, cdw10=1))
    machine.write(CC, 0xFF, 1)
    out.add("enable: 1 byte of CC written", CSTS=host.state(), CC=f"{machine.read(CC):#x}")


def resetting(host: Nvme, out: Outcomes) -> None:
    machine = host.machine
    host.start_io()
    host.admin(0x09, cdw10=0x01, cdw11=0x05)
    machine.write(INTMS, 4)
    out.add("reset: before", feature=str(host.admin(0x0A, cdw10=0x01)["status"]), io=str(host.io(0x00)["status"]))
    out.add("reset: CC.EN cleared", CSTS=host.disable())
    out.add("reset: registers", AQA=f"{machine.read(AQA):#x}", ASQ=f"{machine.read(ASQ, 8):#x}", ACQ=f"{machine.read(ACQ, 8):#x}",
            INTMS=f"{machine.read(INTMS):#x}", CC=f"{machine.read(CC):#x}")
    out.add("reset: enabled again", CSTS=host.start())
    out.add("reset: feature has its default", **host.admin(0x0A, cdw10=0x01))
    queue = host.add_queue(1)
    host.put(1, 0x00, nsid=1)
    out.add("reset: a doorbell of the old queue", completed=host.take(1, 10) is not None)
    out.add("reset: the queue can be created", **host.admin(0x05, prp1=queue.cq, cdw10=15 << 16 | 1, cdw11=1))
    out.add("reset: the SQ, too", **host.admin(0x01, prp1=queue.sq, cdw10=15 << 16 | 1, cdw11=1 << 16 | 1))
    host.add_queue(1)
    out.add("reset: a command of the new queue", **host.io(0x00))
    for _ in range(3):
        host.put(0, 0x0C)
    out.add("reset: with event requests outstanding", CSTS=host.disable())
    out.add("reset: after that", CSTS=host.start(), **host.admin(0x0A, cdw10=0x07))
    machine.write(NSSR, 0x4E564D65)
    out.add("reset: NSSR written", CSTS=host.state())
    out.add("reset: a command after that", **host.admin(0x0A, cdw10=0x01))
    for _ in range(3):
        host.disable()
    out.add("reset: disabled three times", CSTS=host.state())
    machine.write(CC, ENABLED)
    machine.write(CC, 0)
    machine.wait_for(lambda: machine.read(CSTS) & 1 == 0 or None, 50)
    out.add("reset: enabled and disabled at once", CSTS=host.state())


def shutdown(host: Nvme, out: Outcomes) -> None:
    machine = host.machine
    for name, kind in (("normal", 1), ("abrupt", 2)):
        host.start_io()
        host.io(0x01, prp1=DATA, cdw12=7)
        machine.write(CC, ENABLED | kind << 14)
        machine.wait_for(lambda: machine.read(CSTS) >> 2 & 3 == 2 or None)
        out.add(f"shutdown: {name}", CSTS=host.state())
        machine.write(CC, ENABLED)
        out.add(f"shutdown: {name}, SHN cleared", CSTS=host.state())
        out.add(f"shutdown: {name}, then CC.EN cleared", CSTS=host.disable())
        out.add(f"shutdown: {name}, then enabled", CSTS=host.start(), **host.admin(0x06, prp1=DATA, cdw10=1))
    host.disable()
    machine.write(CC, ENABLED - 1 | 1 << 14)
    machine.wait_for(lambda: machine.read(CSTS) >> 2 & 3 == 2 or None, 20)
    out.add("shutdown: of a disabled controller", CSTS=host.state())
    out.add("shutdown: CC with EN and SHN at once", CSTS=host.start(ENABLED | 1 << 14))
    host.disable()
    out.add("shutdown: the end", CSTS=host.start())


def doorbells(host: Nvme, out: Outcomes) -> None:
    """With an event request outstanding, which tells what was wrong."""
    machine = host.machine

    def event(step: str, queue: int, value: int, completion: bool = False, width: int = 4, offset: int = 0) -> None:
        host.start_io()
        identifier = host.put(0, 0x0C)
        host.machine.write(DOORBELLS + (2 * queue + completion) * host.stride + offset, value, width)
        fields = host.outcome(0, identifier, host.take(0, 20))
        still = host.admin(0x06, prp1=DATA, cdw10=1)
        out.add(f"doorbells: {step}", event=fields.get("result", fields["status"]), then=still["status"], CSTS=host.state())

    event("SQ tail equal to its size", 1, 16)
    event("SQ tail far beyond", 1, 0xFFFF)
    event("SQ tail with upper bits", 1, 0x10001)
    event("SQ tail as it is", 1, 0)
    event("CQ head equal to its size", 1, 16, True)
    event("CQ head beyond what is there", 1, 5, True)
    event("CQ head as it is", 1, 0, True)
    event("SQ that does not exist", 2, 1)
    event("CQ that does not exist", 2, 1, True)
    event("the last SQ", 63, 1)
    event("admin SQ tail beyond", 0, 64)
    event("admin CQ head beyond what is there", 0, 9, True)
    event("2 bytes", 1, 1, width=2)
    event("misaligned", 1, 1, width=2, offset=2)
    host.start_io()
    first, second = host.put(0, 0x0C), host.put(0, 0x0C)
    host.doorbell(1, 99)
    done = host.take(0, 20)
    out.add("doorbells: first event", event=f"{done.result:#x}" if done else None)
    host.doorbell(1, 99)
    out.add("doorbells: another event before its log was read", completed=host.take(0, 20) is not None)
    host.put(0, 0x02, prp1=DATA, nsid=0xFFFFFFFF, cdw10=127 << 16 | 0x01)
    found = [done for done in (host.take(0), host.take(0, 40)) if done]
    out.add("doorbells: after its log was read", completions=len(found),
            event=next((f"{done.result:#x}" for done in found if done.command in (first, second)), None))
    host.start_io()
    queue = host.queues[1]
    for number in range(15):
        machine.store(queue.sq + 64 * number, struct.pack("<BBHI", 0, 0, number + 1, 1))
    host.doorbell(1, 15)
    answers = [host.take(1) for _ in range(15)]
    out.add("doorbells: a full SQ", completions=len([each for each in answers if each]))
    host.start_io()
    queue = host.queues[1]
    for number in range(15):
        machine.store(queue.sq + 64 * number, struct.pack("<BBHI", 0, 0, number + 1, 1))
    host.doorbell(1, 15)
    machine.wait_for(lambda: machine.load(queue.cq + 14 * 16 + 14, 1)[0] & 1 or None)
    machine.store(queue.sq + 64 * 15, struct.pack("<BBHI", 0, 0, 16, 1))
    machine.store(queue.sq, struct.pack("<BBHI", 0, 0, 17, 1))
    host.doorbell(1, 1)  # two more, for a CQ that is full
    machine.wait_for(lambda: None, 20)
    out.add("doorbells: a full CQ", entry=machine.load(queue.cq + 15 * 16 + 14, 1)[0] & 1, overwritten=machine.load(queue.cq + 14, 1)[0] & 1 == 0)
    answers = [host.take(1) for _ in range(17)]
    out.add("doorbells: the CQ is read", completions=len([each for each in answers if each]))


def interrupts(host: Nvme, out: Outcomes) -> None:
    machine = host.machine

    host.start()
    out.add("INTx: nothing to report", status=int(machine.is_pin_asserted()))
    identifier = host.put(0, 0x0A, cdw10=1)
    machine.wait_for(lambda: machine.load(host.queues[0].cq + 14, 1)[0] & 1 or None)
    machine.pass_time()
    out.add("INTx: a completion", status=int(machine.is_pin_asserted()))
    machine.write(INTMS, 1)
    machine.pass_time()
    out.add("INTx: masked", status=int(machine.is_pin_asserted()))
    machine.write(INTMC, 1)
    machine.pass_time()
    out.add("INTx: unmasked", status=int(machine.is_pin_asserted()))
    host.outcome(0, identifier, host.take(0))
    machine.pass_time()
    out.add("INTx: the completion is read", status=int(machine.is_pin_asserted()))

    place = machine.config_read(0x34, 1)
    while machine.config_read(place, 1) != 0x11:
        place = machine.config_read(place + 1, 1)
    table, array = machine.config_read(place + 4, 4), machine.config_read(place + 8, 4)
    out.add("MSI-X: place of its structures", table_bar=table & 7, pending_bar=array & 7)
    vectors = (machine.config_read(place + 2, 2) & 0x7FF) + 1
    out.add("MSI-X: vectors", enough=vectors >= 65)
    out.add("MSI-X: vector 1 after power-on", mask=machine.read((table & ~7) + 16 + 12))
    machine.write((table & ~7) + 16, 0xFFFFFFFF)
    out.add("MSI-X: address written", value=f"{machine.read((table & ~7) + 16):#x}")
    for vector in range(2):
        entry = (table & ~7) + 16 * vector
        machine.write(entry, MESSAGES + 16 * vector, 4)
        machine.write(entry + 4, 0)
        machine.write(entry + 8, 0x4100 + vector)
        machine.write(entry + 12, 0)
    machine.config_write(place + 2, 2, 0x8000)

    def message(vector: int) -> int:
        def look() -> int | None:
            return struct.unpack("<I", machine.load(MESSAGES + 16 * vector, 4))[0] or None

        found = machine.wait_for(look, 10) or 0
        machine.fill(MESSAGES + 16 * vector, 4, 0)
        return found

    machine.fill(MESSAGES, PAGE, 0)
    host.start()
    host.admin(0x0A, cdw10=1)
    out.add("MSI-X: admin completion", data=f"{message(0):#x}")
    queue = host.add_queue(1)
    host.admin(0x05, prp1=queue.cq, cdw10=15 << 16 | 1, cdw11=1 << 16 | 3)
    host.admin(0x01, prp1=queue.sq, cdw10=15 << 16 | 1, cdw11=1 << 16 | 1)
    message(0)
    host.io(0x00)
    out.add("MSI-X: I/O completion", data=f"{message(1):#x}", admin=f"{message(0):#x}")
    entry = (table & ~7) + 16
    machine.write(entry + 12, 1)
    host.io(0x00)
    out.add("MSI-X: its vector masked", data=f"{message(1):#x}", pending=machine.read(array & ~7) >> 1 & 1)
    machine.write(entry + 12, 0)
    out.add("MSI-X: unmasked", data=f"{message(1):#x}", pending=machine.read(array & ~7) >> 1 & 1)
    machine.config_write(place + 2, 2, 0xC000)
    host.io(0x00)
    out.add("MSI-X: the function masked", data=f"{message(1):#x}", pending=machine.read(array & ~7) >> 1 & 1)
    machine.config_write(place + 2, 2, 0x8000)
    out.add("MSI-X: the function unmasked", data=f"{message(1):#x}")
    host.admin(0x00, cdw10=1)
    host.admin(0x04, cdw10=1)
    host.admin(0x05, prp1=queue.cq, cdw10=15 << 16 | 1, cdw11=1 << 16 | 1)
    host.admin(0x01, prp1=queue.sq, cdw10=15 << 16 | 1, cdw11=1 << 16 | 1)
    host.add_queue(1)
    message(1)
    host.io(0x00)
    out.add("MSI-X: a queue without interrupts", data=f"{message(1):#x}")
    machine.config_write(place + 2, 2, 0)


STEPS = (configuration, disabled, interrupts, enabling, resetting, shutdown, doorbells)
