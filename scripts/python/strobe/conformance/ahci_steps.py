# SPDX-License-Identifier: Apache-2.0
"""Steps with an AHCI adapter and the SATA drive at its port 0."""
from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

from strobe.conformance.ahci import (BOHC, CAP, CAP2, CI, CLB, CMD, CR, DATA, DEVICE_BITS, FB, FBS, FR, FRE, GHC, IS, LIST, PI, PIE, PIO, PIS, RECEIVED,
                                     REGISTERS, SACT, SCTL, SERR, SIG, SNTF, SSTS, ST, TABLES, TFD, VS, Ahci)
from strobe.conformance.machine import SECTOR, pattern
from strobe.conformance.outcomes import Outcome, Outcomes

IDENTIFY, READ_QUEUED, WRITE_QUEUED, READ_DMA_EXT, WRITE_DMA_EXT, READ_DMA, WRITE_DMA = 0xEC, 0x60, 0x61, 0x25, 0x35, 0xC8, 0xCA
TRIM, READ_LOG, FLUSH, FLUSH_EXT, SET_FEATURES = 0x06, 0x2F, 0xE7, 0xEA, 0xEF
WORDS = ((0, "configuration"), (47, "sectors of READ MULTIPLE"), (49, "capabilities"), (53, "valid words"), (59, "multiple sectors"), (63, "multiword DMA"),
         (64, "PIO modes"), (69, "additional support"), (75, "queue depth"), (76, "SATA capabilities"), (78, "SATA features"), (79, "SATA features on"),
         (80, "major version"), (82, "command sets"), (83, "command sets"), (84, "command sets"), (85, "command sets on"), (86, "command sets on"),
         (87, "command sets on"), (88, "Ultra DMA"), (93, "hardware reset"), (105, "blocks of a trim"), (106, "sector sizes"), (169, "trim"), (217, "rotation"))


def registers(host: Ahci, out: Outcomes) -> None:
    machine = host.machine
    out.add("config: class code", value=f"{machine.config_read(0x08, 4) >> 8:06x}")
    cap = machine.read(CAP)
    for name, shift, width in (("NP", 0, 5), ("SXS", 5, 1), ("EMS", 6, 1), ("CCCS", 7, 1), ("NCS", 8, 5), ("PSC", 13, 1), ("SSC", 14, 1), ("PMD", 15, 1),
                               ("FBSS", 16, 1), ("SPM", 17, 1), ("SAM", 18, 1), ("ISS", 20, 4), ("SCLO", 24, 1), ("SAL", 25, 1), ("SALP", 26, 1),
                               ("SSS", 27, 1), ("SMPS", 28, 1), ("SSNTF", 29, 1), ("SNCQ", 30, 1), ("S64A", 31, 1)):
        out.add(f"registers: CAP.{name}", value=cap >> shift & (1 << width) - 1)
    for name, offset in (("GHC", GHC), ("IS", IS), ("VS", VS), ("CAP2", CAP2), ("BOHC", BOHC), ("PxCLB", CLB), ("PxFB", FB), ("PxIS", PIS), ("PxIE", PIE),
                         ("PxCMD", CMD), ("PxTFD", TFD), ("PxSIG", SIG), ("PxSSTS", SSTS), ("PxSCTL", SCTL), ("PxSERR", SERR), ("PxSACT", SACT), ("PxCI", CI),
                         ("PxSNTF", SNTF), ("PxFBS", FBS)):
        out.add(f"registers: {name} after power-on", value=f"{machine.read(offset):#x}")
    out.add("registers: port 0 in PI", value=machine.read(PI) & 1)
    for name, offset in (("CAP", CAP), ("PI", PI), ("VS", VS), ("PxTFD", TFD), ("PxSIG", SIG), ("PxSSTS", SSTS)):
        before = machine.read(offset)
        machine.write(offset, ~before & 0xFFFFFFFF)
        out.add(f"registers: {name} written", changed=machine.read(offset) != before)
    for name, offset in (("PxCLB", CLB), ("PxCLBU", CLB + 4), ("PxFB", FB), ("PxFBU", FB + 4), ("PxIE", PIE), ("PxSCTL", SCTL)):
        machine.write(offset, 0xFFFFFFF0 if offset == SCTL else 0xFFFFFFFF)
        out.add(f"registers: {name}, all ones written", value=f"{machine.read(offset):#x}")
        machine.write(offset, 0)
    for width in (1, 2):
        out.add(f"registers: {width} bytes of VS", value=f"{machine.read(VS, width):#x}")
        out.add(f"registers: {width} bytes in the middle of VS", value=f"{machine.read(VS + 2, width):#x}")
    for value in (1 << 31 | 2, 0, 1 << 31):
        machine.write(GHC, value)
        out.add(f"registers: GHC, {value:#x} written", value=f"{machine.read(GHC):#x}")


def port(host: Ahci, out: Outcomes) -> None:
    machine = host.machine
    host.reset()
    out.add("port: after a reset", TFD=f"{machine.read(TFD):#x}", SIG=f"{machine.read(SIG):#x}", SSTS=f"{machine.read(SSTS):#x}")
    out.add("port: started", FR=machine.read(CMD) & FR != 0, CR=machine.read(CMD) & CR != 0)
    host.stop()
    out.add("port: stopped", FR=machine.read(CMD) & FR != 0, CR=machine.read(CMD) & CR != 0)
    machine.write(CI, 1)
    machine.write(SACT, 2)
    out.add("port: PxCI and PxSACT while stopped", CI=f"{machine.read(CI):#x}", SACT=f"{machine.read(SACT):#x}")
    machine.write(CMD, machine.read(CMD) & ~FRE)
    machine.pass_time()
    out.add("port: FIS receive off", FR=machine.read(CMD) & FR != 0)
    machine.write(CMD, machine.read(CMD) | FRE)
    host.restart()
    host.prepare(0, IDENTIFY, regions=[(DATA, SECTOR)], count=1)
    host.issue(1)
    out.add("port: an interrupt status bit", IS=f"{machine.read(PIS):#x}")
    machine.write(PIS, 0)
    out.add("port: zero written to it", IS=f"{machine.read(PIS):#x}")
    machine.write(PIS, 0xFFFFFFFF)
    out.add("port: ones written to it", IS=f"{machine.read(PIS):#x}")
    machine.write(SACT, 4)
    host.stop()
    out.add("port: PxSACT after a stop", SACT=f"{machine.read(SACT):#x}", CI=f"{machine.read(CI):#x}")
    host.reset()
    host.stop()
    machine.fill(RECEIVED, 256, 0)
    machine.write(SERR, 0xFFFFFFFF)
    machine.write(PIS, 0xFFFFFFFF)
    machine.write(SCTL, 0x301)
    machine.pass_time()
    out.add("COMRESET: while DET is 1", DET=machine.read(SSTS) & 15)
    machine.write(SCTL, 0x300)
    machine.wait_for(lambda: machine.read(SSTS) & 15 == 3 or None, 20)
    machine.wait_for(lambda: machine.read(TFD) & 0x80 == 0 or None, 20)
    out.add("COMRESET: done", DET=machine.read(SSTS) & 15, TFD=f"{machine.read(TFD) & 0xFFFF:#06x}", SIG=f"{machine.read(SIG):#x}",
            SERR=f"{machine.read(SERR):#x}")
    out.add("COMRESET: signature FIS", type=f"{machine.load(REGISTERS, 1)[0]:#x}", STS=f"{machine.load(REGISTERS + 2, 1)[0]:#x}",
            ERR=f"{machine.load(REGISTERS + 3, 1)[0]:#x}", lba=machine.load(REGISTERS + 4, 3).hex(), count=machine.load(REGISTERS + 12, 1)[0])
    host.restart()
    out.add("COMRESET: a command after it", **host.command(IDENTIFY, regions=[(DATA, SECTOR)], count=1))
    machine.write(PIE, 0xFF)
    machine.write(GHC, 1 << 31 | 2)
    machine.write(GHC, 1 << 31 | 3)
    machine.wait_for(lambda: machine.read(GHC) & 1 == 0 or None)
    out.add("reset: registers", GHC=f"{machine.read(GHC):#x}", IS=machine.read(IS), PxIE=f"{machine.read(PIE):#x}", PxCLB=f"{machine.read(CLB):#x}",
            PxFB=f"{machine.read(FB):#x}", PxCMD=f"{machine.read(CMD) & (ST | FRE | FR | CR):#x}", PxCI=machine.read(CI), PxSACT=machine.read(SACT))
    host.reset()
    host.stop()
    machine.fill(RECEIVED, 256, 0)
    host.restart()
    host.prepare(0, 0, control=0, count=0)
    machine.store(TABLES + 15, b"\x04")
    machine.store(LIST, struct.pack("<I", 5 | 1 << 8 | 1 << 10))
    host.issue(1, moments=20)
    machine.store(TABLES + 15, b"\x00")
    machine.store(LIST, struct.pack("<I", 5))
    host.issue(1, moments=20)
    machine.wait_for(lambda: machine.load(REGISTERS, 1)[0] or None, 20)
    out.add("software reset", TFD=f"{machine.read(TFD) & 0xFFFF:#06x}", SIG=f"{machine.read(SIG):#x}", FIS=f"{machine.load(REGISTERS, 1)[0]:#x}",
            lba=machine.load(REGISTERS + 4, 3).hex())
    host.reset()


def identify(host: Ahci, out: Outcomes) -> None:
    machine = host.machine
    host.reset()
    machine.fill(DATA, SECTOR, 0xEE)
    out.add("identify", **host.command(IDENTIFY, regions=[(DATA, SECTOR)], count=1))
    data = machine.load(DATA, SECTOR)
    words = struct.unpack("<256H", data)
    for word, name in WORDS:
        out.add(f"identify: word {word}, {name}", value=f"{words[word]:#06x}")
    out.add("identify: capacity", words_60=struct.unpack_from("<I", data, 120)[0], words_100=struct.unpack_from("<Q", data, 200)[0])
    for name, begin, end in (("serial number", 20, 40), ("firmware", 46, 54), ("model", 54, 94)):
        out.add(f"identify: {name}", is_text=all(0x20 <= each < 0x7F for each in data[begin:end]))
    host.prepare(0, IDENTIFY, regions=[(DATA, SECTOR)], count=1)
    machine.fill(RECEIVED, 256, 0)
    host.issue(1)
    fis = machine.load(PIO, 20)
    out.add("identify: PIO Setup FIS", type=f"{fis[0]:#x}", direction=fis[1] >> 5 & 1, interrupt=fis[1] >> 6 & 1, STS=f"{fis[2]:#x}", E_STATUS=f"{fis[15]:#x}",
            count=int.from_bytes(fis[16:18], "little"))
    out.add("identify: bytes moved", PRDBC=int.from_bytes(machine.load(LIST + 4, 4), "little"))
    for name, regions in (("three regions", [(DATA + 0x1000, 100), (DATA + 0x2000, 12), (DATA + 0x3000, 400)]),
                          ("a region that is larger", [(DATA, 4096)]), ("a region of 256 bytes", [(DATA, 256)]), ("no region", [])):
        machine.fill(DATA, 0x4000, 0xEE)
        host.restart()
        out.add(f"identify: {name}", **host.command(IDENTIFY, regions=regions, count=1),
                data=b"".join(machine.load(address, size) for address, size in regions)[:SECTOR] == data if regions else None)


def reads_and_writes(host: Ahci, out: Outcomes) -> None:
    machine = host.machine
    host.reset()
    host.command(IDENTIFY, regions=[(DATA, SECTOR)], count=1)
    end = struct.unpack("<Q", machine.load(DATA + 200, 8))[0]

    def queued(opcode: int, lba: int, sectors: int, regions: Sequence[tuple[int, int]], slot: int = 0, fua: int = 0) -> Outcome:
        return host.command(opcode, slot=slot, queued=True, lba=lba, features=sectors & 0xFFFF, count=slot << 3, device=0x40 | fua << 7,
                                 write=opcode == WRITE_QUEUED, regions=regions)

    def holds(lba: int, sectors: int, seed: int) -> bool:
        machine.fill(DATA + 0x100000, sectors * SECTOR, 0xEE)
        queued(READ_QUEUED, lba, sectors, [(DATA + 0x100000, sectors * SECTOR)])
        return machine.load(DATA + 0x100000, sectors * SECTOR) == pattern(sectors, seed)

    for name, lba, sectors, slot in (("8 sectors", 64, 8, 0), ("1 sector in slot 31", 80, 1, 31), ("the last sector", end - 1, 1, 3), ("64 KiB", 100, 128, 0)):
        machine.store(DATA, pattern(sectors, lba + 1))
        out.add(f"NCQ: write, {name}", **queued(WRITE_QUEUED, lba, sectors, [(DATA, sectors * SECTOR)], slot))
        machine.fill(DATA, sectors * SECTOR, 0xEE)
        out.add(f"NCQ: read, {name}", **queued(READ_QUEUED, lba, sectors, [(DATA, sectors * SECTOR)], slot),
                data=machine.load(DATA, sectors * SECTOR) == pattern(sectors, lba + 1))
    machine.store(DATA, pattern(2, 77))
    out.add("NCQ: write with FUA", **queued(WRITE_QUEUED, 300, 2, [(DATA, 2 * SECTOR)], fua=1), data=holds(300, 2, 77))
    machine.store(DATA, pattern(8, 78)[:1000])
    machine.store(DATA + 0x2000, pattern(8, 78)[1000:])
    out.add("NCQ: write from odd regions", **queued(WRITE_QUEUED, 310, 8, [(DATA, 1000), (DATA + 0x2000, 3096)]), data=holds(310, 8, 78))
    for command, opcode in (("read", READ_QUEUED), ("write", WRITE_QUEUED)):
        for name, lba, sectors in (("one beyond", end, 1), ("across the end", end - 1, 2), ("far beyond", 1 << 40, 1)):
            out.add(f"NCQ: {command}, {name}", **queued(opcode, lba, sectors, [(DATA, sectors * SECTOR)]))
            host.reset()
    for name, fields in (("of a tag that is not its slot", {"count": 5 << 3}), ("with a region that is too short", {"regions": [(DATA, 100)]}),
                         ("without regions", {"regions": []})):
        values: dict[str, Any] = {"lba": 64, "features": 8, "count": 0, "regions": [(DATA, 4096)], **fields}
        out.add(f"NCQ: read {name}", **host.command(READ_QUEUED, queued=True, moments=30, **values))
        host.reset()
    for opcode, name, write in ((0x20, "READ SECTORS", False), (0x24, "READ SECTORS EXT", False), (0x25, "READ DMA EXT", False), (0x29, "READ MULTIPLE EXT", False),
                                (0xC4, "READ MULTIPLE", False), (0xC8, "READ DMA", False), (0x30, "WRITE SECTORS", True), (0x34, "WRITE SECTORS EXT", True),
                                (0x35, "WRITE DMA EXT", True), (0x39, "WRITE MULTIPLE EXT", True), (0x3D, "WRITE DMA FUA EXT", True),
                                (0xC5, "WRITE MULTIPLE", True), (0xCA, "WRITE DMA", True)):
        machine.store(DATA, pattern(8, opcode))
        queued(WRITE_QUEUED, 400, 8, [(DATA, 4096)])
        if write:
            machine.store(DATA, pattern(8, opcode + 1))
        else:
            machine.fill(DATA, 4096, 0xEE)
        done = host.command(opcode, lba=400, count=8, write=write, regions=[(DATA, 4096)])
        out.add(f"{name}", **done, data=holds(400, 8, opcode + 1) if write else machine.load(DATA, 4096) == pattern(8, opcode))
        host.reset()
    for opcode, name, write in ((0x25, "READ DMA EXT", False), (0x35, "WRITE DMA EXT", True), (0xC8, "READ DMA", False), (0x24, "READ SECTORS EXT", False)):
        for where, lba, sectors in (("one beyond", end, 1), ("across the end", end - 1, 2)):
            if lba < 1 << 28:
                device = 0x40 | (lba >> 24 & 15 if opcode == 0xC8 else 0)
                out.add(f"{name}, {where}", **host.command(opcode, lba=lba, count=sectors, device=device, write=write, regions=[(DATA, sectors * SECTOR)]))
                host.reset()
    machine.store(DATA, pattern(256, 9))
    queued(WRITE_QUEUED, 1024, 256, [(DATA, 256 * SECTOR)])
    machine.fill(DATA, 256 * SECTOR, 0xEE)
    out.add("READ DMA, a count of 0", **host.command(READ_DMA, lba=1024, count=0, regions=[(DATA, 256 * SECTOR)]),
            data=machine.load(DATA, 256 * SECTOR) == pattern(256, 9))
    host.reset()


def errors(host: Ahci, out: Outcomes) -> None:
    machine = host.machine
    host.reset()
    host.command(IDENTIFY, regions=[(DATA, SECTOR)], count=1)
    end = struct.unpack("<Q", machine.load(DATA + 200, 8))[0]
    for slot in range(8):
        host.prepare(slot, READ_QUEUED, lba=8 * slot, features=8, count=slot << 3, regions=[(DATA + 4096 * slot, 4096)])
    over = host.issue(0xFF, 0xFF)
    out.add("queue: eight reads", over=over, **host.state())
    host.restart()
    for slot in range(4):
        host.prepare(slot, READ_QUEUED, lba=end if slot == 2 else 8 * slot, features=8, count=slot << 3, regions=[(DATA + 4096 * slot, 4096)])
    machine.fill(RECEIVED, 256, 0)
    over = host.issue(0xF, 0xF)
    for _ in range(20):
        machine.pass_time()
    out.add("queue: the third of four reads beyond the end", over=over, IS=f"{machine.read(PIS) & 1 << 30:#x}", failed_tag=machine.read(SACT) >> 2 & 1)
    host.reset()
    machine.fill(RECEIVED, 256, 0)
    host.prepare(2, READ_QUEUED, lba=end, features=8, count=2 << 3, regions=[(DATA, 4096)])
    host.issue(4, 4)
    fis = machine.load(DEVICE_BITS, 4)
    out.add("queue: the FIS of the error", type=f"{fis[0]:#x}", interrupt=fis[1] >> 6 & 1, STS=f"{fis[2]:#x}", ERR=f"{fis[3]:#x}")
    host.restart()
    out.add("queue: list restarted", **{name: value for name, value in host.state().items() if name != "TFD"})
    machine.fill(DATA, SECTOR, 0)
    done = host.command(READ_LOG, lba=0x10, count=1, regions=[(DATA, SECTOR)])
    log = machine.load(DATA, SECTOR)
    out.add("queue: READ LOG EXT 10h", **done, tag=log[0] & 0x1F, not_queued=log[0] >> 7, STS=f"{log[2]:#x}", ERR=f"{log[3]:#x}",
            checksum=sum(log) & 0xFF)
    host.reset()
    host.prepare(1, READ_QUEUED, lba=64, features=8, count=1 << 3, regions=[(DATA, 4096)])
    out.add("queue: a read after recovery", over=host.issue(2, 2), **host.state())
    host.restart()
    for log_number, name in ((0x00, "directory"), (0x01, "summary of errors"), (0x10, "NCQ errors"), (0x30, "identify data"), (0x77, "unknown")):
        out.add(f"READ LOG EXT {log_number:02X}h, {name}", **host.command(READ_LOG, lba=log_number, count=1, regions=[(DATA, SECTOR)]))
        host.reset()
    for opcode, name in ((0x00, "NOP"), (0x03, "CFA"), (0x08, "DEVICE RESET"), (0x10, "RECALIBRATE"), (0x27, "READ NATIVE MAX EXT"), (0x2A, "obsolete"),
                         (0x40, "READ VERIFY"), (0x42, "READ VERIFY EXT"), (0x70, "SEEK"), (0x77, "unknown"), (0x90, "EXECUTE DIAGNOSTIC"), (0x91, "INITIALIZE"),
                         (0x92, "DOWNLOAD MICROCODE"), (0xA0, "PACKET"), (0xA1, "IDENTIFY PACKET"), (0xB0, "SMART"), (0xC6, "SET MULTIPLE"),
                         (0xE0, "STANDBY IMMEDIATE"), (0xE1, "IDLE IMMEDIATE"), (0xE2, "STANDBY"), (0xE3, "IDLE"), (0xE5, "CHECK POWER MODE"), (0xE6, "SLEEP"),
                         (0xE7, "FLUSH CACHE"), (0xEA, "FLUSH CACHE EXT"), (0xF5, "SECURITY FREEZE LOCK"), (0xF8, "READ NATIVE MAX"), (0xFF, "vendor")):
        out.add(f"opcodes: {opcode:02X}h, {name}", **host.command(opcode, moments=60))
        host.reset()
    for feature, name in ((0x02, "write cache on"), (0x03, "transfer mode"), (0x10, "SATA feature on"), (0x42, "acoustics"), (0x55, "look-ahead off"), (0x66, "keep settings"),
                          (0x82, "write cache off"), (0x90, "SATA feature off"), (0xAA, "look-ahead on"), (0xCC, "power-on settings"), (0x77, "unknown")):
        out.add(f"SET FEATURES {feature:02X}h, {name}", **host.command(SET_FEATURES, features=feature, count=0x45 if feature == 3 else 2, moments=60))
        host.reset()
    machine.store(DATA, pattern(8, 5))
    host.command(WRITE_QUEUED, queued=True, lba=600, features=8, write=True, regions=[(DATA, 4096)])
    for name, entries, features in (("one range", [(600, 4)], 1), ("two ranges", [(600, 2), (2000, 2)], 1), ("beyond the end", [(end, 8)], 1), ("without its bit", [(604, 4)], 0),
                                    ("no range", [(0, 0)], 1)):
        machine.fill(DATA, SECTOR, 0)
        machine.store(DATA, b"".join(struct.pack("<Q", sectors << 48 | lba) for lba, sectors in entries))
        out.add(f"trim: {name}", **host.command(TRIM, features=features, count=1, write=True, regions=[(DATA, SECTOR)]))
        host.reset()
    host.command(READ_QUEUED, queued=True, lba=600, features=8, regions=[(DATA, 4096)])
    data = machine.load(DATA, 4096)
    out.add("trim: contents", first_half_is_zero=not any(data[:2048]), second_half=data[2048:] == pattern(8, 5)[2048:])
    wrong: tuple[tuple[str, dict[str, Any]], ...] = (("no command bit", {"control": 0}), ("another type of FIS", {"kind": 0x34}), ("a FIS of 0 dwords", {"length": 0}), ("a FIS of 2 dwords", {"length": 2}))
    for name, fields in wrong:
        out.add(f"FIS: {name}", **host.command(FLUSH, moments=20, **fields))
        host.reset()


def interrupts(host: Ahci, out: Outcomes) -> None:
    machine = host.machine

    host.reset()
    machine.write(PIE, 0)

    def complete() -> None:
        host.prepare(0, FLUSH_EXT)
        host.issue(1)
        machine.pass_time()

    def clear() -> None:
        machine.write(PIS, 0xFFFFFFFF)
        machine.write(IS, 0xFFFFFFFF)
        machine.pass_time()

    complete()
    out.add("interrupts: not enabled in the port", IS=machine.read(IS) & 1, pin=int(machine.is_pin_asserted()))
    machine.write(PIE, 0xFFFFFFFF)
    out.add("interrupts: enabled in the port afterwards", IS=machine.read(IS) & 1, pin=int(machine.is_pin_asserted()))
    clear()
    complete()
    out.add("interrupts: not enabled in GHC", IS=machine.read(IS) & 1, pin=int(machine.is_pin_asserted()))
    clear()
    machine.write(GHC, 1 << 31 | 2)
    complete()
    out.add("interrupts: enabled", IS=machine.read(IS) & 1, pin=int(machine.is_pin_asserted()))
    machine.write(IS, 1)
    machine.pass_time()
    out.add("interrupts: IS cleared before PxIS", IS=machine.read(IS) & 1, pin=int(machine.is_pin_asserted()))
    clear()
    out.add("interrupts: both cleared", IS=machine.read(IS) & 1, pin=int(machine.is_pin_asserted()))
    machine.write(GHC, 1 << 31)
    host.reset()


STEPS = (registers, port, identify, reads_and_writes, errors, interrupts)
