# SPDX-License-Identifier: Apache-2.0
"""Steps with the I/O commands of an NVMe controller: addresses, sizes, page lists, contents."""
from __future__ import annotations

import struct
from collections.abc import Sequence

from strobe.conformance.machine import MEMORY, SECTOR, pattern
from strobe.conformance.nvme import ALL, DATA, LISTS, PAGE, Nvme
from strobe.conformance.outcomes import Outcomes, Value

FLUSH, WRITE, READ, COMPARE, ZEROES, DSM, VERIFY, COPY = 0x00, 0x01, 0x02, 0x05, 0x08, 0x09, 0x0C, 0x19
NOWHERE = 1 << 40  # no memory is there
BACK = 0x1000000  # for what is read back


def transfer(host: Nvme, opcode: int, lba: int, sectors: int, prp1: int = DATA, prp2: int = 0, nsid: int = 1, flags: int = 0,
             cdw12: int = 0, cdw14: int = 0, cdw15: int = 0, cdw2: int = 0) -> dict[str, Value]:
    return host.io(opcode, nsid, prp1=prp1, prp2=prp2, cdw10=lba & 0xFFFFFFFF, cdw11=lba >> 32, cdw12=cdw12 | (sectors - 1), flags=flags,
                   cdw14=cdw14, cdw15=cdw15, cdw2=cdw2)


def read_back(host: Nvme, lba: int, sectors: int) -> bytes:
    """Up to two pages, by reads that no step is about."""
    host.machine.fill(BACK, sectors * SECTOR, 0xEE)
    transfer(host, READ, lba, sectors, BACK, BACK + PAGE)
    return host.machine.load(BACK, sectors * SECTOR)


def capacity(host: Nvme) -> int:
    host.admin(0x06, nsid=1, prp1=DATA, cdw10=0)
    return int.from_bytes(host.machine.load(DATA, 8), "little")


def addresses(host: Nvme, out: Outcomes) -> None:
    host.start_io()
    end = capacity(host)
    for name, nsid in (("0", 0), ("2", 2), ("FFFFFFFEh", 0xFFFFFFFE), ("FFFFFFFFh", ALL)):
        for command, opcode in (("flush", FLUSH), ("write", WRITE), ("read", READ), ("compare", COMPARE), ("write zeroes", ZEROES), ("trim", DSM)):
            out.add(f"namespaces: {command}, NSID {name}", **host.io(opcode, nsid, prp1=DATA, cdw11=4 if opcode == DSM else 0))
    for command, opcode in (("write", WRITE), ("read", READ), ("compare", COMPARE), ("write zeroes", ZEROES)):
        for name, lba, sectors in (("the last sector", end - 1, 1), ("one beyond", end, 1), ("across the end", end - 1, 2), ("more than there is", 0, 65536),
                                   ("2^32", 1 << 32, 1), ("2^63", 1 << 63, 1), ("the last of 64 bits", (1 << 64) - 1, 1), ("across 2^64", (1 << 64) - 1, 2)):
            host.machine.fill(DATA, PAGE, 0)
            out.add(f"addresses: {command}, {name}", **transfer(host, opcode, lba, sectors, DATA, LISTS))
    for name, lba, sectors in (("the last sector", end - 1, 1), ("one beyond", end, 1), ("nothing beyond the end", end, 0), ("across the end", end - 1, 2),
                               ("2^63", 1 << 63, 1), ("the most sectors", 1, 0xFFFFFFFF), ("nothing", 0, 0), ("nothing, far beyond", 1 << 40, 0)):
        host.machine.store(DATA, struct.pack("<IIQ", 0, sectors, lba))
        out.add(f"addresses: trim, {name}", **host.io(DSM, prp1=DATA, cdw10=0, cdw11=4))
    out.add("addresses: a read after these", **transfer(host, READ, 0, 1))


def contents(host: Nvme, out: Outcomes) -> None:
    machine = host.machine
    host.start_io()

    def write(lba: int, sectors: int, seed: int) -> None:
        machine.store(DATA, pattern(sectors, seed))
        transfer(host, WRITE, lba, sectors, DATA, DATA + PAGE)

    def holds(lba: int, sectors: int) -> str:
        data = read_back(host, lba, sectors)
        return " ".join("zeros" if not any(part) else f"pattern {struct.unpack('<Q', part[:8])[0]}"
                        for part in (data[SECTOR * i:SECTOR * (i + 1)] for i in range(sectors)))

    out.add("contents: never written", data=holds(64, 2))
    write(64, 8, 1)
    out.add("contents: written", data=holds(64, 8))
    write(67, 2, 2)
    out.add("contents: two sectors inside overwritten", data=holds(64, 8))
    for name, cdw12 in (("FUA", 1 << 30), ("limited retry", 1 << 31), ("protection 1", 1 << 26), ("protection 8", 8 << 26), ("protection 15", 15 << 26),
                        ("deallocate", 1 << 25), ("directive 1", 1 << 20), ("directive 15", 15 << 20), ("reserved bit 16", 1 << 16)):
        machine.store(DATA, pattern(1, 3))
        out.add(f"contents: write with {name}", **transfer(host, WRITE, 80, 1, cdw12=cdw12))
        out.add(f"contents: read with {name}", **transfer(host, READ, 80, 1, cdw12=cdw12))
    out.add("contents: compare, equal", **transfer(host, COMPARE, 80, 1, DATA))
    machine.store(DATA, pattern(1, 4))
    out.add("contents: compare, different", **transfer(host, COMPARE, 80, 1, DATA))
    write(96, 8, 5)
    machine.store(DATA, pattern(8, 5)[:-1] + b"x")
    out.add("contents: compare, the last byte different", **transfer(host, COMPARE, 96, 8, DATA))
    machine.store(DATA, pattern(8, 5))
    out.add("contents: compare with FUA", **transfer(host, COMPARE, 96, 8, DATA, cdw12=1 << 30))
    out.add("contents: write zeroes", **transfer(host, ZEROES, 98, 2))
    out.add("contents: after write zeroes", data=holds(96, 8))
    out.add("contents: write zeroes, may deallocate", **transfer(host, ZEROES, 96, 8, cdw12=1 << 25))
    out.add("contents: after these", data=holds(96, 8))
    out.add("contents: write zeroes with FUA", **transfer(host, ZEROES, 80, 1, cdw12=1 << 30))
    out.add("contents: write zeroes, protection 8", **transfer(host, ZEROES, 80, 1, cdw12=8 << 26))
    write(128, 16, 6)
    machine.store(DATA, struct.pack("<IIQIIQ", 0, 8, 128, 0, 0, 0))
    out.add("contents: trim", **host.io(DSM, prp1=DATA, cdw10=0, cdw11=4))
    out.add("contents: after a trim", data=holds(128, 16))
    write(160, 16, 7)
    machine.store(DATA, struct.pack("<IIQ", 0, 16, 160))
    out.add("contents: dataset management without deallocate", **host.io(DSM, prp1=DATA, cdw10=0, cdw11=3))
    out.add("contents: after that", data=holds(160, 16))
    out.add("contents: dataset management, nothing set", **host.io(DSM, prp1=DATA, cdw10=0, cdw11=0))
    out.add("contents: dataset management, reserved bits", **host.io(DSM, prp1=DATA, cdw10=0, cdw11=0xF8))
    out.add("contents: after these, too", data=holds(160, 16))
    machine.store(DATA, b"".join(struct.pack("<IIQ", 0, 1, 200 + 2 * i) for i in range(256)))
    out.add("contents: trim of 256 ranges", **host.io(DSM, prp1=DATA, cdw10=255, cdw11=4))
    machine.store(DATA, struct.pack("<IIQIIQ", 0, 8, 160, 0, 1, 1 << 50))
    out.add("contents: trim, the second range beyond the end", **host.io(DSM, prp1=DATA, cdw10=1, cdw11=4))
    out.add("contents: trim, no memory", **host.io(DSM, prp1=NOWHERE, cdw10=0, cdw11=4))
    out.add("contents: trim, an odd address", **host.io(DSM, prp1=DATA + 1, cdw10=0, cdw11=4))
    machine.store(DATA + PAGE - 16, struct.pack("<IIQ", 0, 8, 168))
    machine.store(DATA + 4 * PAGE, struct.pack("<IIQ", 0, 8, 176))
    out.add("contents: trim, ranges in two pages", **host.io(DSM, prp1=DATA + PAGE - 16, prp2=DATA + 4 * PAGE, cdw10=1, cdw11=4))
    out.add("contents: after it", data=holds(168, 16))
    for _ in range(3):
        write(300, 8, 8)
    out.add("contents: flush", **host.io(FLUSH))
    out.add("contents: after a flush", data=holds(300, 8))


def sizes(host: Nvme, out: Outcomes) -> None:
    host.start_io()
    entries = b"".join(struct.pack("<Q", DATA + PAGE * (i + 1)) for i in range(600))
    host.machine.store(LISTS, b"".join(entries[8 * 511 * i:8 * 511 * (i + 1)] + struct.pack("<Q", LISTS + PAGE * (i + 1)) for i in range(2)))
    for kib in (4, 64, 128, 508, 512):
        out.add(f"sizes: read of {kib} KiB", **transfer(host, READ, 0, 2 * kib, DATA, DATA + PAGE if kib <= 8 else LISTS))
    out.add("sizes: read of 513 KiB", **transfer(host, READ, 0, 1025, DATA, LISTS))
    out.add("sizes: write of 513 KiB", **transfer(host, WRITE, 0, 1025, DATA, LISTS))
    out.add("sizes: write zeroes of 1 MiB", **transfer(host, ZEROES, 0, 2048))


def pages(host: Nvme, out: Outcomes) -> None:
    """Which pages data comes from and goes to."""
    machine = host.machine
    host.start_io()
    lba = [400]

    def entries(where: int, values: Sequence[int]) -> None:
        machine.store(where, struct.pack(f"<{len(values)}Q", *values))

    def use(step: str, sectors: int, prp1: int, prp2: int, parts: Sequence[tuple[int, int]]) -> None:
        """Writes and reads with these pointers; data is in `parts` of memory, if all is right."""
        lba[0] += 64
        expected = pattern(sectors, lba[0])
        for into in (False, True):
            machine.fill(DATA, 40 * PAGE, 0)
            place = 0
            for address, count in parts:
                if not into:
                    machine.store(address, expected[place:place + count])
                place += count
            done = transfer(host, READ if into else WRITE, lba[0], sectors, prp1, prp2)
            data: Value = None
            if done["status"] == "0/00h":
                data = (b"".join(machine.load(address, count) for address, count in parts) if into else b"".join(
                    read_back(host, lba[0] + i, min(16, sectors - i)) for i in range(0, sectors, 16))) == expected
            out.add(f"pages: {'read' if into else 'write'}, {step}", **done, data=data)

    use("one page", 8, DATA, 0, [(DATA, PAGE)])
    use("half a page", 4, DATA + 2048, 0, [(DATA + 2048, 2048)])
    use("one page, with an offset", 8, DATA + 2048, DATA + 3 * PAGE, [(DATA + 2048, 2048), (DATA + 3 * PAGE, 2048)])
    use("an offset of 4", 8, DATA + 4, DATA + 3 * PAGE, [(DATA + 4, PAGE - 4), (DATA + 3 * PAGE, 4)])
    use("an offset of 516", 8, DATA + 516, DATA + 3 * PAGE, [(DATA + 516, PAGE - 516), (DATA + 3 * PAGE, 516)])
    use("an offset of 2", 8, DATA + 2, DATA + 3 * PAGE, [(DATA + 2, PAGE - 2), (DATA + 3 * PAGE, 2)])
    use("an odd offset", 1, DATA + 1, 0, [(DATA + 1, 512)])
    use("two pages, in descending order", 16, DATA + PAGE, DATA, [(DATA + PAGE, PAGE), (DATA, PAGE)])
    use("PRP2 with an offset", 16, DATA, DATA + 3 * PAGE + 512, [(DATA, PAGE), (DATA + 3 * PAGE, PAGE)])
    use("the same page twice", 16, DATA, DATA, [])
    entries(LISTS, [DATA + PAGE * (9 - i) for i in range(3)])
    use("a list of three", 32, DATA, LISTS, [(DATA, PAGE), *((DATA + PAGE * (9 - i), PAGE) for i in range(3))])
    use("an offset and a list", 28, DATA + 2048, LISTS, [(DATA + 2048, 2048), *((DATA + PAGE * (9 - i), PAGE) for i in range(3))])
    use("an offset and a list, the last page in part", 32, DATA + 2048, LISTS,
        [(DATA + 2048, 2048), (DATA + PAGE * 9, PAGE), (DATA + PAGE * 8, PAGE), (DATA + PAGE * 7, PAGE), (DATA + PAGE * 6, 2048)])
    entries(LISTS + 512, [DATA + PAGE * (9 - i) for i in range(3)])
    use("a list with an offset", 32, DATA, LISTS + 512, [(DATA, PAGE), *((DATA + PAGE * (9 - i), PAGE) for i in range(3))])
    entries(LISTS + PAGE - 16, [DATA + PAGE * 5, LISTS + 2 * PAGE])
    entries(LISTS + 2 * PAGE, [DATA + PAGE * 4, DATA + PAGE * 3])
    use("a list in two pages", 32, DATA, LISTS + PAGE - 16, [(DATA, PAGE), (DATA + PAGE * 5, PAGE), (DATA + PAGE * 4, PAGE), (DATA + PAGE * 3, PAGE)])
    entries(LISTS + PAGE - 8, [LISTS + 2 * PAGE])
    entries(LISTS + 2 * PAGE, [DATA + PAGE * (4 - i) for i in range(3)])
    use("a list that begins with its last entry", 32, DATA, LISTS + PAGE - 8, [(DATA, PAGE), *((DATA + PAGE * (4 - i), PAGE) for i in range(3))])
    entries(LISTS + PAGE - 8, [DATA + PAGE * 6])
    entries(LISTS + PAGE - 16, [DATA + PAGE * 5])
    use("the last entry of a page is the last of the list", 24, DATA, LISTS + PAGE - 16, [(DATA, PAGE), (DATA + PAGE * 5, PAGE), (DATA + PAGE * 6, PAGE)])
    entries(LISTS, [DATA + PAGE, DATA + 2 * PAGE + 512, DATA + 3 * PAGE])
    use("an entry with an offset", 32, DATA, LISTS, [(DATA, PAGE), (DATA + PAGE, PAGE), (DATA + 2 * PAGE, PAGE), (DATA + 3 * PAGE, PAGE)])
    entries(LISTS, [DATA + PAGE + 512, DATA + 2 * PAGE, DATA + 3 * PAGE])
    use("the first entry with an offset", 32, DATA, LISTS, [(DATA, PAGE), (DATA + PAGE, PAGE), (DATA + 2 * PAGE, PAGE), (DATA + 3 * PAGE, PAGE)])
    entries(LISTS + 4, [DATA + PAGE, DATA + 2 * PAGE, DATA + 3 * PAGE])
    use("a list at an address that is not a multiple of 8", 32, DATA, LISTS + 4, [(DATA, PAGE), *((DATA + PAGE * i, PAGE) for i in range(1, 4))])
    entries(LISTS, [0, 0, 0])
    out.add("pages: read, a list of zeros", **transfer(host, READ, 64, 32, DATA, LISTS))
    for name, prp1, prp2, sectors in (("no memory at PRP1", NOWHERE, 0, 8), ("no memory at PRP2", DATA, NOWHERE, 16), ("no memory at the list", DATA, NOWHERE, 32),
                                      ("across the end of memory", MEMORY - PAGE, MEMORY, 16), ("PRP2 of 0", DATA, 0, 16), ("a list at 0", DATA, 0, 32)):
        for command, opcode in (("write", WRITE), ("read", READ)):
            out.add(f"pages: {command}, {name}", **transfer(host, opcode, 64, sectors, prp1, prp2))
    for flags, name in ((0x40, "SGL (PSDT 1)"), (0x80, "SGL (PSDT 2)"), (0xC0, "PSDT 3"), (0x01, "fused, first"), (0x02, "fused, second"), (0x03, "fused, reserved")):
        out.add(f"pages: read, {name}", **transfer(host, READ, 64, 1, DATA, SECTOR, flags=flags))


def copies(host: Nvme, out: Outcomes) -> None:
    machine = host.machine
    host.start_io()

    def copy(step: str, ranges: Sequence[tuple[int, int]], to: int, count: int | None = None, kind: int = 0, prp1: int = DATA, flags: int = 0) -> None:
        machine.store(DATA, b"".join(struct.pack("<QQH14x", 0, lba, sectors - 1) for lba, sectors in ranges))
        number = len(ranges) if count is None else count
        out.add(f"copy: {step}", **host.io(COPY, prp1=prp1, cdw10=to & 0xFFFFFFFF, cdw11=to >> 32, cdw12=kind << 8 | (number - 1) | flags))

    end = capacity(host)
    machine.store(DATA, pattern(8, 41))
    transfer(host, WRITE, 1000, 8)
    copy("one range", [(1000, 8)], 1100)
    out.add("copy: its result", data=read_back(host, 1100, 8) == pattern(8, 41))
    copy("two ranges", [(1004, 4), (1000, 4)], 1200)
    out.add("copy: the result of both", data=read_back(host, 1200, 8) == pattern(8, 41)[2048:] + pattern(8, 41)[:2048])
    copy("the source beyond the end", [(end, 1)], 1300)
    copy("the source across the end", [(end - 1, 2)], 1300)
    copy("the target beyond the end", [(1000, 1)], end)
    copy("the target across the end", [(1000, 2)], end - 1)
    copy("format 1", [(1000, 1)], 1300, kind=1)
    copy("format 2", [(1000, 1)], 1300, kind=2)
    copy("format 15", [(1000, 1)], 1300, kind=15)
    copy("a range of 2,049 sectors", [(0, 2049)], 1300)
    copy("128 ranges", [(1000, 1)] * 128, 1300)
    copy("129 ranges", [(1000, 1)] * 128, 1300, count=129)
    copy("256 ranges", [(1000, 1)] * 128, 1300, count=256)
    copy("no memory", [(1000, 1)], 1300, prp1=NOWHERE)
    copy("an odd address", [(1000, 1)], 1300, prp1=DATA + 1)
    copy("with FUA", [(1000, 1)], 1300, flags=1 << 30)
    out.add("copy: NSID 2", **host.io(COPY, 2, prp1=DATA, cdw10=1300))
    for name, lba, sectors in (("right", 0, 8), ("beyond the end", end, 1)):
        out.add(f"verify: {name}", **transfer(host, VERIFY, lba, sectors))


def many(host: Nvme, out: Outcomes) -> None:
    """Several commands at a time; the order in which they end is not compared."""
    host.start_io()
    for step in range(2):
        for number in range(15):
            host.put(1, READ, nsid=1, prp1=DATA + PAGE * number, cdw10=16 * number, cdw12=7)
        done = [host.take(1) for _ in range(15)]
        found = [each for each in done if each]
        out.add(f"many: 15 reads, {('first', 'second')[step]} time", completions=len(found), errors=len([each for each in found if each.status]),
                different=len({each.command for each in found}))
    for number in range(8):
        host.put(1, WRITE, nsid=1, prp1=DATA + PAGE * number, cdw10=16 * number if number % 2 else 1 << 30, cdw12=7)
    found = [each for each in (host.take(1) for _ in range(8)) if each]
    out.add("many: writes, every second one beyond the end", completions=len(found), errors=sorted(each.status for each in found)[-4:] == [0x80] * 4)
    for number in range(8):
        host.put(1, READ, nsid=1, prp1=DATA + PAGE * number, cdw10=16 * number, cdw12=7)
    identifier = host.put(0, 0x00, cdw10=1)
    out.add("many: the SQ deleted meanwhile", **{"status": host.outcome(0, identifier, host.take(0))["status"]})
    out.add("many: its CQ deleted", **host.admin(0x04, cdw10=1))
    host.start_io()
    for number in range(8):
        host.put(1, WRITE, nsid=1, prp1=DATA + PAGE * number, cdw10=16 * number, cdw12=7)
    out.add("many: a reset meanwhile", CSTS=host.disable())
    out.add("many: enabled again", CSTS=host.start_io(), **transfer(host, READ, 0, 8))


STEPS = (addresses, contents, sizes, pages, copies, many)
