#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Stands for the kernel of `strobe linux` in tests: speaks to the calendar and to the drive as User-Mode Linux does.

FAKE_GUEST says what it does: "boot" finds the NVMe function, reads a register in simulated time and rings no doorbell;
"nvme" sends commands: writes 4 KiB with FUA, flushes, reads them, trims them; "queues" uses three pairs of I/O queues;
"refuse" says that its kernel has not taken an option; "slow" never begins its script;
"ahci" finds the AHCI function and reads registers; "commits" writes nothing, but reports transactions, and after a power loss (files/power-losses) that it has found as many as
FAKE_FOUND says (if FAKE_AGAIN is a word, the second kernel does what this word means). Any other word is a message that its protocol does not allow, or none where one is needed. "child" starts a process.
"""

import mmap
import os
import select
import socket
import struct
import sys
import time

BASE = 0x100000  # guest-physical address of the shared memory
SIZE = 0x10000
RING = {0: 0x0000, 1: 0x4000}  # descriptors; available ring at +0x400, used ring at +0x800
EPOCH = 1704067200 * 10**9
REQUEST, ANSWER = 0x8000, 0x8100
MSIX_CONTROL = 0xB2  # of the NVMe function


class Calendar:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.sequence = 0
        self.calls = None  # the device's connection for calls
        self.called = []

    def message(self):
        text = self.socket.recv(16, socket.MSG_WAITALL)
        if not text:
            sys.exit(0)
        return struct.unpack("<IIQ", text)

    def ask(self, operation, time=0):
        self.sequence += 1
        self.socket.sendall(struct.pack("<IIQ", operation, self.sequence, time))
        answer, sequence, value = self.message()
        assert (answer, sequence) == (0, self.sequence), (answer, sequence)
        return value

    def sleep_until(self, time):
        """Waits; acknowledges calls of the device meanwhile."""
        self.ask(2, time)
        self.ask(3)
        while self.calls is not None and self.calls in select.select([self.socket, self.calls], [], [])[0]:
            request, flags, _, ring, _ = struct.unpack("<IIIII", self.calls.recv(20, socket.MSG_WAITALL))
            assert (request, flags) == (4, 9), (request, flags)
            self.called.append(ring)
            self.calls.sendall(struct.pack("<IIIQ", request, 5, 8, 0))
        operation, sequence, now = self.message()
        assert (operation, now) == (6, time), (operation, now)
        self.socket.sendall(struct.pack("<IIQ", 0, sequence, 0))


class Device:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.file = os.memfd_create("guest")
        os.ftruncate(self.file, SIZE)
        self.memory = mmap.mmap(self.file, SIZE)
        self.offered = 0

    def send(self, request, payload=b"", descriptors=(), flags=9):
        socket.send_fds(self.socket, [struct.pack("<III", request, flags, len(payload)) + payload], list(descriptors))

    def command(self, request, payload=b"", descriptors=()):
        self.send(request, payload, descriptors)
        return self.answer()

    def answer(self):
        text = self.socket.recv(20, socket.MSG_WAITALL)
        if not text:
            sys.exit(0)
        return struct.unpack("<IIIQ", text)[3]

    def set_up(self):
        self.send(1, flags=1)
        self.command(2, struct.pack("<Q", self.answer()))
        mine, theirs = socket.socketpair()
        self.requests = mine
        self.command(21, descriptors=[theirs.fileno()])
        self.command(5, struct.pack("<IIQQQQ", 1, 0, BASE, SIZE, 0, 0), [self.file])
        for ring, at in RING.items():
            self.command(8, struct.pack("<II", ring, 16))
            self.command(9, struct.pack("<IIQQQQ", ring, 0, BASE + at, BASE + at + 0x800, BASE + at + 0x400, 0))

    def access(self, operation, bar, address, size, value=None):
        """Puts one access into ring 0 and kicks; the answer's place holds what comes back."""
        text = struct.pack("<BBHIQ", operation, bar, 0, size, address)
        if value is not None:
            text += struct.pack("<Q", value)
        self.memory[REQUEST:REQUEST + len(text)] = text
        self.memory[ANSWER:ANSWER + 8] = b"\xee" * 8
        self.offer(len(text))
        assert self.command(35, struct.pack("<II", 0, 0)) == 0
        return struct.unpack("<Q", self.memory[ANSWER:ANSWER + 8])[0] & ((1 << 8 * size) - 1)

    def offer(self, length, flags=1, head=0):
        self.memory[0:16] = struct.pack("<QIHH", BASE + REQUEST, length, flags, 1)
        self.memory[16:32] = struct.pack("<QIHH", BASE + ANSWER, 8, 2, 0)
        struct.pack_into("<H", self.memory, 0x404 + 2 * (self.offered % 16), head)
        self.offered += 1
        struct.pack_into("<H", self.memory, 0x402, self.offered)

    def used(self):
        return struct.unpack_from("<H", self.memory, 0x802)[0]


def say(text):
    print(text, flush=True)


def boot(calendar, device):
    say("the guest boots")
    assert device.access(1, 0, 0, 2) == 0x1234
    assert device.access(1, 0, 8, 4) >> 8 == 0x010802
    device.access(2, 0, 4, 2, 6)  # memory space, bus master
    assert device.access(1, 0, 4, 2) == 6
    say("\x1dstep look")
    before = device.used()
    assert device.access(3, 0, 8, 4) == 0xEEEEEEEE  # not answered yet
    assert device.used() == before
    now = calendar.ask(4)
    calendar.sleep_until(now + 100)
    assert device.used() == before  # a round trip takes longer
    calendar.sleep_until(now + 1000)
    assert device.used() == before + 1
    say(f"version {struct.unpack('<I', device.memory[ANSWER:ANSWER + 4])[0]:x}")
    say(f"time of day {calendar.ask(8) // 10**9}")
    for word in sys.argv[1:]:
        if word.startswith(("nvme.", "sysctl.")):
            say(f"option {word}")
    calendar.sleep_until(1_234_567)
    assert calendar.called == [0], calendar.called  # used accesses are to be freed
    say("\x1dend 0")


class Nvme:
    """A driver with one queue pair for admin commands and up to three for I/O commands, at most 16 commands in each."""
    ADMIN, IO, PAGE = 0x9000, 0xA000, 0xD000  # submission queues, each with its completion queue at +0x2000
    NUMBER = {ADMIN: 0, IO: 1, 0x5000: 2, 0x1000: 3}

    def __init__(self, calendar, device, interrupts=1):
        self.calendar, self.device = calendar, device
        self.now = calendar.ask(4)
        self.sent = dict.fromkeys(self.NUMBER, 0)
        device.access(2, 0, 4, 2, 6)  # memory space, bus master
        device.access(4, 0, 0x24, 4, 0xF000F)  # AQA
        device.access(4, 0, 0x28, 8, BASE + self.ADMIN)
        device.access(4, 0, 0x30, 8, BASE + self.ADMIN + 0x2000)
        device.access(4, 0, 0x14, 4, 6 << 16 | 4 << 20 | 1)  # CC
        self.wait()
        self.create(self.IO, interrupts)

    def create(self, queue, interrupts):
        """With a vector of its own: `interrupts` as in Create I/O Completion Queue, bits 31:16 vector, bit 1 enabled, bit 0 contiguous."""
        number = self.NUMBER[queue]
        assert self.command(self.ADMIN, 0x05, 0, BASE + queue + 0x2000, (0xF0000 | number, interrupts)) == 0
        assert self.command(self.ADMIN, 0x01, 0, BASE + queue, (0xF0000 | number, number << 16 | 1)) == 0

    def wait(self, time=1_000_000):
        self.now += time
        self.calendar.sleep_until(self.now)

    def command(self, queue, opcode, space, prp, rest=()):
        """Returns the status."""
        number = self.sent[queue]
        self.sent[queue] += 1
        struct.pack_into("<IIQQQQ", self.device.memory, queue + 64 * number, opcode | number << 16, space, 0, 0, prp, 0)
        struct.pack_into("<6I", self.device.memory, queue + 64 * number + 40, *rest, *[0] * (6 - len(rest)))
        self.device.access(4, 0, 0x1000 + 8 * self.NUMBER[queue], 4, number + 1)
        self.wait()
        done, status = struct.unpack_from("<HH", self.device.memory, queue + 0x2000 + 16 * number + 12)
        assert (done, status & 1) == (number, 1), (done, status)
        return status >> 1


def nvme(calendar, device):
    drive = Nvme(calendar, device)
    page = drive.PAGE
    device.memory[page:page + 4096] = bytes(range(256)) * 16
    assert drive.command(drive.IO, 0x01, 1, BASE + page, (80, 0, 1 << 30 | 7)) == 0
    assert drive.command(drive.IO, 0x00, 1, 0) == 0
    device.memory[page:page + 4096] = bytes(4096)
    assert drive.command(drive.IO, 0x02, 1, BASE + page, (80, 0, 7)) == 0
    say(f"as written: {device.memory[page:page + 4096] == bytes(range(256)) * 16}")
    device.memory[page:page + 16] = struct.pack("<IIQ", 0, 8, 80)
    assert drive.command(drive.IO, 0x09, 1, BASE + page, (0, 4)) == 0
    say("\x1dend 0")


def queues(calendar, device):
    """One queue for writes, one for reads, each with an MSI-X vector, and one that is polled."""
    device.access(2, 0, MSIX_CONTROL, 2, 0x8000)
    for vector in (1, 2):
        device.access(4, 0, 0x2000 + 16 * vector, 8, 0xFEE00000)
        device.access(4, 0, 0x2000 + 16 * vector + 8, 8, vector)
    drive = Nvme(calendar, device, 1 << 16 | 3)
    reads, polled = 0x5000, 0x1000
    drive.create(reads, 2 << 16 | 3)
    drive.create(polled, 1)
    page = BASE + drive.PAGE
    for queue, opcode in ((drive.IO, 0x01), (reads, 0x02), (reads, 0x02), (polled, 0x02), (drive.IO, 0x00)):
        assert drive.command(queue, opcode, 1, page, (80, 0, 7)) == 0
    say("\x1dend 0")


def ahci(calendar, device):
    assert device.access(1, 0, 8, 4) >> 8 == 0x010601
    device.access(2, 0, 4, 2, 6)
    now = calendar.ask(4)
    for offset in (0x10, 0x128):  # VS; SStatus of the port: a drive is there
        assert device.access(3, 5, offset, 4) == 0xEEEEEEEE
        now += 1000
        calendar.sleep_until(now)
        say(f"register {offset:x} {struct.unpack('<I', device.memory[ANSWER:ANSWER + 4])[0]:x}")
    say("\x1dend 0")


def commits(calendar, device):
    with open("files/power-losses", encoding="ascii") as file:
        losses = int(file.read())
    now = calendar.ask(4)
    if losses == 0:
        for number in range(5):
            say(f"\x1dcommitted {number}")
            now += 1000
            calendar.sleep_until(now)
    else:
        if "FAKE_AGAIN" in os.environ:
            return break_protocol(os.environ["FAKE_AGAIN"], calendar, device)
        say("\x1dstep check")
        assert now == 0  # its clock begins with its power
        assert calendar.ask(8) > EPOCH  # not so the date
        say(f"\x1dchecked e2fsck {os.environ.get('FAKE_CHECK', 'ok')}")
        say(f"\x1dfound {os.environ['FAKE_FOUND']}")
    say("\x1dend 0")


def break_protocol(word, calendar, device):
    if word == "calendar":
        calendar.socket.sendall(struct.pack("<IIQ", 77, 1, 0))
    elif word == "past":
        calendar.sleep_until(1000)
        calendar.socket.sendall(struct.pack("<IIQ", 2, 9, 999))
    elif word == "half":
        calendar.socket.sendall(b"1234")
        calendar.socket.close()
    elif word == "message":
        device.send(99)
    elif word == "memory":
        device.send(5, struct.pack("<IIQQQQ", 1, 0, BASE, 2 * SIZE, 0, 0), [device.file])
    elif word == "chain":
        device.offer(16, flags=1, head=99)
        device.send(35, struct.pack("<II", 0, 0))
    elif word == "access":
        device.access(9, 0, 0, 4)
    elif word == "sleep":
        calendar.ask(2, 2**63 - 1)
        calendar.ask(3)
    elif word == "far":
        calendar.ask(2, 2**62)
    elif word == "late":  # when the script is over
        say("\x1dend 0")
        calendar.sleep_until(1000)
        device.send(99)
    elif word == "deaf":  # does not acknowledge the call for its used accesses
        for _ in range(6):
            device.access(1, 0, 0, 2)
        say("deaf")
        calendar.ask(2, 1000)
        calendar.ask(3)
    elif word == "child":  # that runs on when its parent has died
        child = os.fork()
        if child == 0:
            while True:
                time.sleep(1)
        say(f"child {child}")
    elif word == "refuse":
        say("\x1drefused nvme.write_queues=9: the value is not one of the parameter's")
    elif word == "slow":  # its clock runs, but its script does not begin
        for second in range(10, 1000, 10):
            calendar.sleep_until(second * 10**9)
    elif word == "leave":
        say("the guest panics")
        sys.exit(1)
    calendar.message()  # until this end is gone


def main():
    options = dict(word.split("=", 1) for word in sys.argv[1:] if "=" in word)
    calendar = Calendar(options["time-travel"].split(":", 1)[1])
    calendar.ask(1)
    device = Device(options["virtio_uml.device"].rsplit(":", 1)[0])
    device.set_up()
    calendar.calls = device.requests
    what = os.environ["FAKE_GUEST"]
    if what == "boot":
        boot(calendar, device)
    elif what == "ahci":
        ahci(calendar, device)
    elif what == "nvme":
        nvme(calendar, device)
    elif what == "queues":
        queues(calendar, device)
    elif what == "commits":
        commits(calendar, device)
    else:
        break_protocol(what, calendar, device)


main()
