#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Stands for QEMU in tests of `strobe qemu`: speaks to the drive as QEMU 7.2's x-pci-proxy-dev does, and takes interrupts as qtest.

FAKE_QEMU says what it does: "nvme" finds the NVMe function, sends commands with MSI-X interrupts, resets the machine and starts again;
"ahci" finds the AHCI function; "sleep" does nothing; "off" resets a function whose memory space is off; "interrupt"
and "raw" interrupt strobe. Any other word is a message that a protocol does not allow, or no end of one.
FAKE_QEMU_VERSION is the version that it has.
"""
import mmap
import os
import signal
import socket
import struct
import sys
import time
import tty

MEMORY = 0x10000  # bytes, in two regions
HIGH = 0x1_0000_0000  # where the second one is
BAR = 0xE000_0000
SYNC, ANSWER, WRITE_CONFIG, READ_CONFIG, WRITE_BAR, READ_BAR, INTERRUPTS, RESET = range(8)


class Drive:
    def __init__(self, number):
        self.socket = socket.socket(fileno=number)
        self.file = os.memfd_create("memory")
        os.ftruncate(self.file, MEMORY)
        self.memory = mmap.mmap(self.file, MEMORY)

    def send(self, command, payload=b"", descriptors=(), size=None):
        header = struct.pack("<iIQ", command, 0, len(payload) if size is None else size)
        socket.send_fds(self.socket, [header + payload], list(descriptors))

    def answer(self):
        try:
            text = self.socket.recv(24, socket.MSG_WAITALL)
        except ConnectionResetError:  # strobe has gone without reading all
            text = b""
        if not text:
            sys.exit(0)
        command, _, size, value = struct.unpack("<iIQQ", text)
        assert (command, size) == (ANSWER, 8), (command, size)
        return value

    def ask(self, *message):
        self.send(*message)
        return self.answer()

    def share(self, half=MEMORY // 2):
        table = [0, HIGH, *[0] * 6, half, half, *[0] * 6, 0, half, *[0] * 6]
        self.send(SYNC, struct.pack("<24Q", *table), [self.file, self.file])

    def config(self, offset, size, value=None):
        payload = struct.pack("<IIi", offset, value or 0, size)
        return self.ask(READ_CONFIG if value is None else WRITE_CONFIG, payload)

    def bar(self, offset, size, value=None):
        payload = struct.pack("<QQIB3x", BAR + offset, value or 0, size, 1)
        return self.ask(READ_BAR if value is None else WRITE_BAR, payload)

    def probe(self):
        """Sizes of the registers from BAR 0 on, as QEMU finds them."""
        sizes = []
        for number in range(7):
            at = 0x10 + 4 * number
            before = self.config(at, 4)
            self.config(at, 4, 0xFFFFFFFF)
            sizes.append(-(self.config(at, 4) & 0xFFFFFFF0) & 0xFFFFFFFF)
            self.config(at, 4, before)
        return sizes


def say(text):
    print(text, flush=True)


class Interrupts:
    def __init__(self, number):
        self.socket = socket.socket(fileno=number)
        self.file = self.socket.makefile("r", encoding="ascii")

    def take(self):
        """Waits for a message; returns address and data."""
        word, address, data = self.file.readline().split()
        assert word == "writel", word
        self.socket.sendall(b"OK\n")
        return int(address, 16), int(data, 16)


class Nvme:
    """A driver with one queue pair each for admin and I/O commands; data is in the second region."""
    ADMIN, IO, PAGE = 0x1000, 0x3000, 0x8000  # submission queues, each with its completion queue 1000h later

    def __init__(self, drive, interrupts):
        self.drive, self.interrupts = drive, interrupts
        self.sent = {self.ADMIN: 0, self.IO: 0}
        drive.memory[:] = bytes(MEMORY)
        drive.config(0x10, 4, BAR)
        drive.config(4, 2, 6)  # memory space, bus master
        for vector in range(2):
            for at, value in enumerate((0xFEE01000, 0, 0x4020 + vector, 0)):
                drive.bar(0x2000 + 16 * vector + 4 * at, 4, value)
        drive.config(0xB2, 2, 0x8000)  # MSI-X
        drive.bar(0x24, 4, 0xF000F)  # AQA
        drive.bar(0x28, 8, self.ADMIN)
        drive.bar(0x30, 8, self.ADMIN + 0x1000)
        drive.bar(0x14, 4, 6 << 16 | 4 << 20 | 1)  # CC
        while drive.bar(0x1C, 4) & 1 == 0:
            pass
        self.command(self.ADMIN, 0x05, 0, self.IO + 0x1000, (0xF0001, 1 << 16 | 3))
        self.command(self.ADMIN, 0x01, 0, self.IO, (0xF0001, 1 << 16 | 1))

    def command(self, queue, opcode, space, prp, rest=()):
        """Waits for its interrupt; returns its status."""
        number = self.sent[queue]
        self.sent[queue] += 1
        struct.pack_into("<IIQQQQ", self.drive.memory, queue + 64 * number, opcode | number << 16, space, 0, 0, prp, 0)
        struct.pack_into("<6I", self.drive.memory, queue + 64 * number + 40, *rest, *[0] * (6 - len(rest)))
        self.drive.bar(0x1000 if queue == self.ADMIN else 0x1008, 4, number + 1)
        assert self.interrupts.take() == (0xFEE01000, 0x4020 if queue == self.ADMIN else 0x4021)
        done, status = struct.unpack_from("<HH", self.drive.memory, queue + 0x1000 + 16 * number + 12)
        assert (done, status & 1) == (number, 1), (done, status)
        return status >> 1


def nvme(drive, interrupts):
    assert drive.config(0, 4) == 0x5DB01234
    assert drive.config(8, 4) >> 8 == 0x010802
    say(f"BARs {' '.join(map(hex, drive.probe()))}")
    drive.config(0x14, 4, 0x12345678)
    assert drive.config(0x10, 4) == drive.config(0x14, 4) == drive.config(0x16, 2) == 0
    drive.share()
    driver = Nvme(drive, interrupts)
    data = bytes(range(256)) * 16
    drive.memory[driver.PAGE:driver.PAGE + 4096] = data
    assert driver.command(driver.IO, 0x01, 1, HIGH, (80, 0, 7)) == 0
    drive.memory[driver.PAGE:driver.PAGE + 4096] = bytes(4096)
    assert driver.command(driver.IO, 0x02, 1, HIGH, (80, 0, 7)) == 0
    say(f"as written: {drive.memory[driver.PAGE:driver.PAGE + 4096] == data}")
    assert driver.command(driver.IO, 0x02, 1, HIGH + MEMORY, (80, 0, 7)) != 0  # no such memory
    assert drive.bar(0x4000, 4) == drive.bar(0x3FFE, 4) == 2**64 - 1  # beyond the BAR
    drive.bar(0x4000, 4, 1)
    drive.ask(RESET)
    assert drive.config(4, 2) == drive.config(0x10, 4) == drive.config(0xB2, 2) & 0x8000 == 0
    drive.share()
    driver = Nvme(drive, interrupts)
    assert driver.command(driver.IO, 0x02, 1, HIGH, (80, 0, 7)) == 0
    say(f"after a reset: {drive.memory[driver.PAGE:driver.PAGE + 4096] == data}")
    assert driver.command(driver.IO, 0x02, 1, HIGH, (0, 0, 0)) == 0
    say(f"sector 0: {drive.memory[driver.PAGE:driver.PAGE + 6]}")


def reset_while_off(drive):
    """Of a controller that is enabled, by software that has switched its memory space off."""
    drive.config(0x10, 4, BAR)
    drive.config(4, 2, 6)
    for at, value in ((0x24, 0xF000F), (0x28, 0x1000), (0x30, 0x2000), (0x14, 6 << 16 | 4 << 20 | 1)):
        drive.bar(at, 4, value)
    while drive.bar(0x1C, 4) & 1 == 0:
        pass
    drive.config(4, 2, 0)
    drive.ask(RESET)
    drive.config(0x10, 4, BAR)
    drive.config(4, 2, 6)
    say(f"enabled: {drive.bar(0x14, 4) & 1}, ready: {drive.bar(0x1C, 4) & 1}")


def ahci(drive):
    assert drive.config(8, 4) >> 8 == 0x010601
    say(f"BARs {' '.join(map(hex, drive.probe()))}")
    drive.config(0x24, 4, BAR)
    drive.config(4, 2, 6)
    say(f"version {drive.bar(0x10, 4):x}")
    drive.ask(RESET)
    assert drive.bar(0x10, 4) == 2**64 - 1


def interrupt(drive):
    """Takes a signal as QEMU does: only between accesses."""
    ends = []
    signal.signal(signal.SIGTERM, lambda *_: ends.append(True))
    os.kill(os.getppid(), signal.SIGINT)
    while not ends:
        drive.config(0, 4)
    say(f"an empty slot: {drive.config(0, 4) == 2**32 - 1}")


def end_raw():
    """The terminal as QEMU has it, of a QEMU that has to be killed."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    tty.setraw(0)
    os.set_blocking(0, False)
    os.kill(os.getppid(), signal.SIGINT)
    time.sleep(600)


def break_protocol(word, drive, interrupts):
    access = struct.pack("<QQIB3x", BAR, 0, 4, 1)
    if word == "command":
        drive.send(8)
    elif word == "size":
        drive.send(READ_BAR, access[:20])
    elif word == "huge":
        drive.send(READ_BAR, size=2**63)
    elif word == "width":
        drive.send(READ_BAR, struct.pack("<QQIB3x", BAR, 0, 2**31, 1))
    elif word == "ports":
        drive.send(READ_BAR, struct.pack("<QQIB3x", BAR, 0, 4, 0))
    elif word == "config":
        drive.send(READ_CONFIG, struct.pack("<IIi", 0x100, 0, 4))
    elif word == "files":
        drive.send(READ_BAR, access, [drive.file] * 9)
    elif word == "no-file":
        drive.send(SYNC, bytes(192))
    elif word == "region":
        drive.send(SYNC, struct.pack("<24Q", *[0] * 8, 2 * MEMORY, *[0] * 15), [drive.file])
    elif word == "half":
        drive.socket.sendall(b"1234567")
        os._exit(0)
    elif word == "half-contents":
        drive.socket.sendall(struct.pack("<iIQ", READ_BAR, 0, 24) + access[:8])
        os._exit(0)
    elif word == "qtest":
        interrupts.socket.sendall(b"FAIL\n")
    elif word == "qtest-ok":
        interrupts.socket.sendall(b"OK\n")
    elif word == "qtest-long":
        interrupts.socket.sendall(b"x" * 1000)
    elif word == "leave":
        say("the machine does not start")
        sys.exit(3)
    elif word == "after-all":
        drive.config(0, 4)
        sys.exit(3)
    elif word == "sleep":
        say("asleep")
        time.sleep(600)
    drive.answer()  # until this end is gone


def main():
    if sys.argv[1:] == ["--version"]:
        print(f"QEMU emulator version {os.environ.get('FAKE_QEMU_VERSION', '7.2.22')} (Debian)\nCopyright")
        return
    words = ",".join(sys.argv[1:]).split(",")
    numbers = {word.split("=")[0] + str(at): int(word.split("=")[1]) for at, word in enumerate(words) if word.startswith("fd=")}
    qtest, proxy = numbers.values()
    drive, interrupts = Drive(proxy), Interrupts(qtest)
    what = os.environ["FAKE_QEMU"]
    if what == "nvme":
        nvme(drive, interrupts)
    elif what == "ahci":
        ahci(drive)
    elif what == "interrupt":
        interrupt(drive)
    elif what == "raw":
        end_raw()
    elif what == "off":
        reset_while_off(drive)
    elif what == "words":
        say(" ".join(sys.argv[-2:]))
    else:
        break_protocol(what, drive, interrupts)


main()
