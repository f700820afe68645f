# SPDX-License-Identifier: Apache-2.0
"""Steps with the admin commands of an NVMe controller."""
from __future__ import annotations

import struct

from strobe.conformance.machine import MEMORY
from strobe.conformance.nvme import ALL, DATA, ENABLED, LISTS, PAGE, Nvme
from strobe.conformance.outcomes import Outcomes, Value

NOWHERE = 1 << 40  # no memory is there

# Name, offset and bytes of the fields that do not identify the device.
CONTROLLER = (("RAB", 72, 1), ("CMIC", 76, 1), ("MDTS", 77, 1), ("CNTLID", 78, 2), ("VER", 80, 4), ("RTD3R", 84, 4), ("RTD3E", 88, 4),
              ("OAES", 92, 4), ("CTRATT", 96, 4), ("RRLS", 100, 2), ("CNTRLTYPE", 111, 1), ("OACS", 256, 2), ("ACL", 258, 1), ("AERL", 259, 1),
              ("FRMW", 260, 1), ("LPA", 261, 1), ("ELPE", 262, 1), ("NPSS", 263, 1), ("AVSCC", 264, 1), ("APSTA", 265, 1), ("WCTEMP", 266, 2),
              ("CCTEMP", 268, 2), ("MTFA", 270, 2), ("HMPRE", 272, 4), ("HMMIN", 276, 4), ("RPMBS", 312, 4), ("EDSTT", 316, 2), ("DSTO", 318, 1),
              ("FWUG", 319, 1), ("KAS", 320, 2), ("HCTMA", 322, 2), ("SANICAP", 328, 4), ("ANATT", 342, 1), ("ANACAP", 343, 1), ("SQES", 512, 1),
              ("CQES", 513, 1), ("MAXCMD", 514, 2), ("NN", 516, 4), ("ONCS", 520, 2), ("FUSES", 522, 2), ("FNA", 524, 1), ("VWC", 525, 1),
              ("AWUN", 526, 2), ("AWUPF", 528, 2), ("NVSCC", 530, 1), ("ACWU", 532, 2), ("OCFS", 534, 2), ("SGLS", 536, 4), ("MNAN", 540, 4),
              ("PSD0.MP", 2048, 2), ("PSD0.flags", 2051, 1))
NAMESPACE = (("NSZE", 0, 8), ("NCAP", 8, 8), ("NUSE", 16, 8), ("NSFEAT", 24, 1), ("NLBAF", 25, 1), ("FLBAS", 26, 1), ("MC", 27, 1), ("DPC", 28, 1),
             ("DPS", 29, 1), ("NMIC", 30, 1), ("RESCAP", 31, 1), ("FPI", 32, 1), ("DLFEAT", 33, 1), ("NAWUN", 34, 2), ("NAWUPF", 36, 2),
             ("NACWU", 38, 2), ("NABSN", 40, 2), ("NABO", 42, 2), ("NABSPF", 44, 2), ("NOIOB", 46, 2), ("NPWG", 64, 2), ("NPWA", 66, 2), ("NPDG", 68, 2),
             ("NPDA", 70, 2), ("NOWS", 72, 2), ("MSSRL", 74, 2), ("MCL", 76, 4), ("MSRC", 80, 1), ("LBAF0", 128, 4))


def field(data: bytes, offset: int, width: int) -> str:
    return f"{int.from_bytes(data[offset:offset + width], 'little'):#x}"


def identify(host: Nvme, out: Outcomes) -> None:
    machine = host.machine
    host.start()
    out.add("identify: controller", **host.admin(0x06, prp1=DATA, cdw10=1))
    data = machine.load(DATA, PAGE)
    for name, offset, width in CONTROLLER:
        out.add(f"identify: controller, {name}", value=field(data, offset, width))
    for name, begin, end in (("SN", 4, 24), ("MN", 24, 64), ("FR", 64, 72)):
        text = data[begin:end]
        out.add(f"identify: controller, {name}", is_text=all(0x20 <= each < 0x7F for each in text), is_left_justified=not text.startswith(b" "))
    out.add("identify: controller, SUBNQN", begins=data[768:772].decode("latin-1"))
    out.add("identify: namespace", **host.admin(0x06, nsid=1, prp1=DATA, cdw10=0))
    data = machine.load(DATA, PAGE)
    for name, offset, width in NAMESPACE:
        out.add(f"identify: namespace, {name}", value=field(data, offset, width))
    for cns, name in ((0x00, "namespace"), (0x02, "active namespaces"), (0x03, "descriptors"), (0x05, "namespace of a command set"),
                      (0x10, "allocated namespaces"), (0x11, "allocated namespace")):
        for nsid in (0, 1, 2, 0xFFFFFFFD, 0xFFFFFFFE, ALL):
            machine.fill(DATA, PAGE, 0xEE)
            done = host.admin(0x06, nsid=nsid, prp1=DATA, cdw10=cns)
            first = field(machine.load(DATA, 4), 0, 4) if cns in (0x02, 0x10) else None
            out.add(f"identify: {name} ({cns:02X}h), NSID {nsid:#x}", **done, first=first)
    for cns, name in ((0x04, "NVM sets"), (0x06, "controller of a command set"), (0x07, "active namespaces of a command set"),
                      (0x08, "independent namespace"), (0x09, "reserved"), (0x12, "controllers of a namespace"), (0x13, "controllers"),
                      (0x14, "primary controller"), (0x15, "secondary controllers"), (0x16, "namespace granularity"), (0x17, "UUIDs"),
                      (0x18, "domains"), (0x1A, "allocated namespaces of a command set"), (0x1C, "command sets"), (0x1F, "reserved"),
                      (0x7F, "reserved"), (0xFF, "reserved")):
        out.add(f"identify: {name} ({cns:02X}h)", **host.admin(0x06, nsid=1, prp1=DATA, cdw10=cns))
    for csi in (0, 1, 2, 0x30, 0xFF):
        for cns in (0x05, 0x06, 0x07):
            out.add(f"identify: CNS {cns:02X}h, command set {csi:#x}", **host.admin(0x06, nsid=1, prp1=DATA, cdw10=cns, cdw11=csi << 24))
    out.add("identify: controller, with a controller identifier", **host.admin(0x06, prp1=DATA, cdw10=0x12340001))
    out.add("identify: controller, with NSID 1", **host.admin(0x06, nsid=1, prp1=DATA, cdw10=1))


def pointers(host: Nvme, out: Outcomes) -> None:
    """Data pointers of admin commands."""
    machine = host.machine
    host.start()
    host.admin(0x06, prp1=DATA, cdw10=1)
    expected = machine.load(DATA, PAGE)
    for name, prp1, prp2 in (
            ("an offset of 4", DATA + 4, DATA + 2 * PAGE), ("an offset of 2,048", DATA + 2048, DATA + 2 * PAGE),
            ("an offset of 4,092", DATA + 4092, DATA + 2 * PAGE), ("an offset of 2", DATA + 2, DATA + 2 * PAGE), ("an odd offset", DATA + 1, DATA + 2 * PAGE),
            ("PRP2 with an offset", DATA + 2048, DATA + 2 * PAGE + 4), ("PRP2 that is not needed", DATA, DATA + 2 * PAGE + 3),
            ("no memory at PRP1", NOWHERE, 0), ("no memory at PRP2", DATA + 2048, NOWHERE), ("the last page of memory", MEMORY - PAGE, 0),
            ("the first address beyond memory", MEMORY, 0)):
        machine.fill(DATA, 4 * PAGE, 0)
        done = host.admin(0x06, prp1=prp1, prp2=prp2, cdw10=1)
        inside = PAGE - prp1 % PAGE
        data = machine.load(prp1, inside) + (machine.load(prp2, PAGE - inside) if inside < PAGE and prp2 < MEMORY else b"") if prp1 < MEMORY else b""
        out.add(f"pointers: {name}", **done, data=data == expected if done["status"] == "0/00h" else None)
    for flags, name in ((0x40, "SGL (PSDT 1)"), (0x80, "SGL (PSDT 2)"), (0xC0, "PSDT 3"), (0x01, "fused, first"), (0x02, "fused, second"),
                        (0x03, "fused, reserved"), (0x04, "a reserved flag")):
        out.add(f"pointers: {name}", **host.admin(0x06, prp1=DATA, cdw10=1, flags=flags, prp2=PAGE))


def queues(host: Nvme, out: Outcomes) -> None:
    host.start()
    place = host.add_queue(1)
    base, sq = place.cq, place.sq

    def cq(step: str, number: int = 1, size: int = 15, flags: int = 1, vector: int = 0, prp1: int = base) -> None:
        out.add(f"queues: CQ, {step}", **host.admin(0x05, prp1=prp1, cdw10=size << 16 | number, cdw11=vector << 16 | flags))

    def create(step: str, number: int = 1, size: int = 15, flags: int = 1, of: int = 1, prp1: int = sq) -> None:
        out.add(f"queues: SQ, {step}", **host.admin(0x01, prp1=prp1, cdw10=size << 16 | number, cdw11=of << 16 | flags))

    def delete(step: str, opcode: int, number: int) -> None:
        out.add(f"queues: delete {'SQ' if opcode == 0 else 'CQ'}, {step}", **host.admin(opcode, cdw10=number))

    cq("number 0", 0)
    cq("number 65", 65)
    cq("number FFFFh", 0xFFFF)
    cq("one entry", size=0)
    cq("65,536 entries", size=0xFFFF)
    cq("not contiguous", flags=0)
    cq("base with an offset of 4", prp1=base + 4)
    cq("base with an offset of 512", prp1=base + 512)
    cq("vector 65", vector=65, flags=3)
    cq("vector FFFFh", vector=0xFFFF, flags=3)
    cq("vector FFFFh, without interrupts", vector=0xFFFF)
    cq("number and size wrong", 0, 0)
    cq("size and base wrong", size=0, prp1=base + 4)
    create("without its CQ")
    cq("right")
    cq("the same again")
    create("number 0", 0)
    create("number 65", 65)
    create("of CQ 0", of=0)
    create("of CQ 2, which does not exist", of=2)
    create("of CQ FFFFh", of=0xFFFF)
    create("one entry", size=0)
    create("65,536 entries", size=0xFFFF)
    create("not contiguous", flags=0)
    create("base with an offset of 4", prp1=sq + 4)
    create("number and CQ wrong", 0, of=9)
    create("size and CQ wrong", size=0, of=9)
    create("priority low, with round robin", flags=1 | 3 << 1)
    create("the same again")
    out.add("queues: a command", **host.io(0x00))
    delete("number 0", 0x00, 0)
    delete("number 2, which does not exist", 0x00, 2)
    delete("number FFFFh", 0x00, 0xFFFF)
    delete("number 0", 0x04, 0)
    delete("number 2, which does not exist", 0x04, 2)
    delete("in use", 0x04, 1)
    delete("right", 0x00, 1)
    delete("again", 0x00, 1)
    host.put(1, 0x00, nsid=1)
    out.add("queues: a doorbell of a deleted SQ", completed=host.take(1, 10) is not None)
    delete("right", 0x04, 1)
    delete("again", 0x04, 1)
    host.add_queue(1)
    cq("two entries", size=1)
    create("of two entries", size=1)
    host.queues[1].entries = 2
    for number in range(5):
        out.add(f"queues: command {number} of queues of two entries", **host.io(0x00))
    host.start()
    out.add("queues: SQ of 4,096 bytes pages, base in the middle of memory", **host.admin(0x05, prp1=NOWHERE, cdw10=15 << 16 | 1, cdw11=1))
    host.start(ENABLED | 1 << 7)
    out.add("queues: pages of 8 KiB, base at 4 KiB", **host.admin(0x05, prp1=base + PAGE - base % (2 * PAGE), cdw10=15 << 16 | 1, cdw11=1))
    out.add("queues: pages of 8 KiB, base at 8 KiB", **host.admin(0x05, prp1=base - base % (2 * PAGE), cdw10=15 << 16 | 1, cdw11=1))
    host.start()
    for number in (2, 3):
        other = host.add_queue(number)
        host.admin(0x05, prp1=other.cq, cdw10=15 << 16 | number, cdw11=1)
    shared = host.queues[2]
    host.admin(0x01, prp1=shared.sq, cdw10=15 << 16 | 2, cdw11=2 << 16 | 1)
    out.add("queues: SQ 3 with CQ 2", **host.admin(0x01, prp1=host.queues[3].sq, cdw10=15 << 16 | 3, cdw11=2 << 16 | 1))
    host.put(3, 0x00, nsid=1)
    done = host.take(2)
    out.add("queues: a command of SQ 3", SQ=done.queue if done else None, status=done.status if done else None)
    out.add("queues: delete CQ 3, without SQ", **host.admin(0x04, cdw10=3))
    out.add("queues: delete CQ 2, with two SQs", **host.admin(0x04, cdw10=2))


def features(host: Nvme, out: Outcomes) -> None:
    host.start_io()
    numbers = (*range(0x00, 0x1E), 0x78, 0x7F, 0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0xC0, 0xFF)
    for number in numbers:
        out.add(f"features: get {number:02X}h", **host.admin(0x0A, nsid=0, prp1=DATA, cdw10=number))
    for number in numbers:
        out.add(f"features: get {number:02X}h, capabilities", **host.admin(0x0A, nsid=0, prp1=DATA, cdw10=3 << 8 | number))
    for number in (0x01, 0x02, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0E):
        for select, name in ((1, "default"), (2, "saved"), (4, "select 4"), (7, "select 7")):
            out.add(f"features: get {number:02X}h, {name}", **host.admin(0x0A, prp1=DATA, cdw10=select << 8 | number))
    for number in (0x01, 0x05, 0x06, 0x07):
        for nsid in (1, 2, 0xFFFFFFFE, ALL):
            out.add(f"features: get {number:02X}h, NSID {nsid:#x}", **host.admin(0x0A, nsid=nsid, cdw10=number))
    for number, value, name in (
            (0x01, 0x01020304, "arbitration"), (0x02, 0x00, "power state 0"), (0x02, 0x01, "power state 1"), (0x02, 0x1F, "power state 31"),
            (0x04, 0x0150, "temperature threshold, over"), (0x04, 0x100120, "temperature threshold, under"), (0x04, 0x010150, "temperature of sensor 1"),
            (0x04, 0x0F0150, "temperature of all sensors"), (0x04, 0x200150, "temperature threshold of type 2"), (0x05, 0x0010, "error recovery"),
            (0x06, 0x00, "write cache off"), (0x06, 0x01, "write cache on"), (0x06, 0xFFFFFFFE, "write cache, reserved bits"),
            (0x07, 0x00010001, "queues, while some exist"), (0x08, 0x0305, "interrupt coalescing"), (0x09, 0x10001, "coalescing off for vector 1"),
            (0x09, 0x00001, "coalescing on for vector 1"), (0x09, 0x10050, "coalescing of vector 80"), (0x09, 0x1FFFF, "coalescing of vector FFFFh"),
            (0x0A, 0x01, "write atomicity"), (0x0B, 0x1F, "asynchronous events"), (0x0B, 0xFFFFFFFF, "all asynchronous events"), (0x00, 0, "number 0"),
            (0x03, 0, "LBA ranges"), (0x0C, 0, "power state transitions"), (0x0D, 0, "host memory buffer"), (0x0F, 0, "keep alive"),
            (0x10, 0, "thermal management"), (0x11, 0, "non-operational power state"), (0x7F, 0, "number 7Fh"), (0x80, 0, "software progress"),
            (0xC0, 0, "number C0h"), (0xFF, 0, "number FFh")):
        out.add(f"features: set {number:02X}h, {name}", **host.admin(0x09, prp1=DATA, cdw10=number, cdw11=value))
        out.add(f"features: after set {number:02X}h, {name}", **host.admin(0x0A, cdw10=number, cdw11=value & 0xFFFF if number == 0x09 else value & 0x3F0000))
    for number in (0x01, 0x05, 0x06, 0x07, 0x0B, 0x0E):
        out.add(f"features: save {number:02X}h", **host.admin(0x09, prp1=DATA, cdw10=1 << 31 | number, cdw11=0x00010001))
    for number in (0x01, 0x05, 0x06):
        for nsid in (1, 2, ALL):
            out.add(f"features: set {number:02X}h, NSID {nsid:#x}", **host.admin(0x09, nsid=nsid, cdw10=number, cdw11=1))
    machine = host.machine
    machine.store(DATA, struct.pack("<Q", 0x123456789AB))
    out.add("features: set timestamp", **host.admin(0x09, prp1=DATA, cdw10=0x0E))
    machine.fill(DATA, 8, 0)
    out.add("features: get timestamp", **host.admin(0x0A, prp1=DATA, cdw10=0x0E))
    data = machine.load(DATA, 8)
    out.add("features: timestamp", seconds=int.from_bytes(data[:6], "little") // 1000 == 0x123456789AB // 1000, attributes=data[6])
    out.add("features: set timestamp, no memory", **host.admin(0x09, prp1=NOWHERE, cdw10=0x0E))
    out.add("features: get timestamp, no memory", **host.admin(0x0A, prp1=NOWHERE, cdw10=0x0E))
    out.add("features: set timestamp, odd address", **host.admin(0x09, prp1=DATA + 1, cdw10=0x0E))
    host.start()
    for value, name in ((0x0000FFFF, "65,536 SQs"), (0xFFFF0000, "65,536 CQs"), (0, "one each"), (0x00030001, "two SQs, four CQs"), (0x00FF00FF, "256 each")):
        out.add(f"features: queues, {name}", **host.admin(0x09, cdw10=0x07, cdw11=value))
    out.add("features: queues, as granted", **host.admin(0x0A, cdw10=0x07))
    host.start()
    host.admin(0x09, cdw10=0x07, cdw11=0)
    other = host.add_queue(2)
    out.add("features: a CQ beyond the number that was granted", **host.admin(0x05, prp1=other.cq, cdw10=15 << 16 | 2, cdw11=1))


def logs(host: Nvme, out: Outcomes) -> None:
    machine = host.machine
    host.start()

    def get(number: int, dwords: int = 128, nsid: int = ALL, offset: int = 0, lsp: int = 0, prp1: int = DATA, prp2: int = DATA + PAGE,
            cdw14: int = 0) -> dict[str, Value]:
        count = dwords - 1
        return host.admin(0x02, nsid=nsid, prp1=prp1, prp2=prp2, cdw10=(count & 0xFFFF) << 16 | lsp << 8 | number, cdw11=count >> 16,
                          cdw12=offset & 0xFFFFFFFF, cdw13=offset >> 32, cdw14=cdw14)

    for number in (*range(0x00, 0x12), 0x70, 0x7F, 0x80, 0x81, 0xBF, 0xC0, 0xCA, 0xFF):
        out.add(f"logs: {number:02X}h", **get(number))
    for number, name in ((0x01, "errors"), (0x02, "SMART"), (0x03, "firmware slots"), (0x05, "effects")):
        for nsid in (0, 1, 2, 0xFFFFFFFE):
            out.add(f"logs: {name}, NSID {nsid:#x}", **get(number, nsid=nsid))
        for dwords, words in ((1, "one dword"), (1024, "1,024 dwords"), (1025, "1,025 dwords")):
            out.add(f"logs: {name}, {words}", **get(number, dwords))
        for offset in (4, 2, 1, 64, 508, 512, 516, 4096, 1 << 32):
            out.add(f"logs: {name}, offset {offset}", **get(number, 1, offset=offset))
    for name, prp1, prp2 in (("an odd address", DATA + 1, 0), ("no memory", NOWHERE, 0), ("an offset of 4", DATA + 4, 0), ("two pages", DATA + 4000, DATA + 2 * PAGE),
                             ("PRP2 with an offset", DATA + 4000, DATA + 2 * PAGE + 8)):
        out.add(f"logs: SMART to {name}", **get(0x02, prp1=prp1, prp2=prp2))
    get(0x02)
    data = machine.load(DATA, 512)
    for name, offset, width in (("critical warning", 0, 1), ("available spare", 3, 1), ("spare threshold", 4, 1), ("percentage used", 5, 1),
                                ("media errors", 160, 16), ("power cycles", 112, 16), ("unsafe shutdowns", 144, 16)):
        out.add(f"logs: SMART, {name}", value=field(data, offset, width))
    out.add("logs: SMART, temperature", plausible=273 < int.from_bytes(data[1:3], "little") < 400)
    get(0x03)
    data = machine.load(DATA, 512)
    out.add("logs: firmware slots", active=data[0] & 7)
    get(0x05, 1024)
    data = machine.load(DATA, PAGE)
    for opcode in (0x00, 0x01, 0x02, 0x04, 0x05, 0x06, 0x08, 0x09, 0x0A, 0x0C, 0x0D, 0x10, 0x11, 0x15, 0x80, 0x84, 0x86):
        out.add(f"logs: effects of admin command {opcode:02X}h", value=field(data, 4 * opcode, 4))
    for opcode in (0x00, 0x01, 0x02, 0x04, 0x05, 0x08, 0x09, 0x0C, 0x19, 0x79, 0x7A, 0x7D):
        out.add(f"logs: effects of I/O command {opcode:02X}h", value=field(data, 1024 + 4 * opcode, 4))
    host.admin(0x06, prp1=DATA, cdw10=0xFF)
    get(0x01)
    data = machine.load(DATA, 64)
    out.add("logs: an entry of the error log", count=int.from_bytes(data[:8], "little") != 0, queue=field(data, 8, 2),
            identifier=int.from_bytes(data[10:12], "little") == host.identifier - 1, status=field(data, 12, 2))


def other_commands(host: Nvme, out: Outcomes) -> None:
    host.start_io()
    for queue, identifier in ((0, 0x7777), (1, 0x7777), (2, 1), (0xFFFF, 1)):
        out.add(f"abort: command {identifier:#x} of SQ {queue}", **host.admin(0x08, cdw10=identifier << 16 | queue))
    for number in range(4):
        host.put(0, 0x0C)
    out.add("events: four requests", completed=host.take(0, 10) is not None)
    out.add("events: a fifth", **host.admin(0x0C))
    first = host.identifier - 1
    out.add("abort: an event request", **host.admin(0x08, cdw10=first << 16))
    host.take(0, 5)
    host.start_io()
    host.machine.fill(DATA, PAGE, 0)
    for opcode in (0x03, 0x07, 0x0B, 0x0D, 0x0E, 0x10, 0x11, 0x14, 0x15, 0x18, 0x19, 0x1A, 0x1C, 0x1D, 0x1E, 0x24, 0x7F, 0x81, 0x82, 0x83, 0x84,
                   0x85, 0x87, 0xC0, 0xFF):
        out.add(f"opcodes: admin {opcode:02X}h", **host.admin(opcode, nsid=1, prp1=DATA))
    host.start_io()
    for opcode in (0x03, 0x04, 0x06, 0x07, 0x0A, 0x0C, 0x0D, 0x0E, 0x11, 0x15, 0x18, 0x19, 0x79, 0x7A, 0x7D, 0x80, 0xFF):
        out.add(f"opcodes: I/O {opcode:02X}h", **host.io(opcode, prp1=DATA))
    for name, nsid, cdw10 in (("LBA format 1", 1, 1), ("LBA format 15", 1, 15), ("protection 1", 1, 1 << 5), ("protection 7", 1, 7 << 5),
                              ("secure erase 3", 1, 3 << 9), ("secure erase 7", 1, 7 << 9), ("NSID 0", 0, 0), ("NSID 2", 2, 0), ("NSID FFFFFFFEh", 0xFFFFFFFE, 0),
                              ("as it is", 1, 0), ("all namespaces", ALL, 0), ("user data erase", 1, 1 << 9)):
        out.add(f"format: {name}", **host.admin(0x80, nsid=nsid, cdw10=cdw10))
    for name, nsid, lba, kind in (("right", 1, 0, 0x11), ("scan", 1, 0, 0x10), ("type 0", 1, 0, 0), ("beyond the end", 1, 1 << 40, 0x11), ("NSID 2", 2, 0, 0x11)):
        out.add(f"LBA status: {name}", **host.admin(0x86, nsid=nsid, prp1=LISTS, cdw10=lba & 0xFFFFFFFF, cdw11=lba >> 32, cdw12=255, cdw13=kind << 24))


STEPS = (identify, pointers, queues, features, logs, other_commands)
