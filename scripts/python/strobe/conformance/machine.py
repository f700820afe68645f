# SPDX-License-Identifier: Apache-2.0
"""A machine without a processor: memory and one PCI function, operated by the qtest protocol. QEMU's models and Strobe's speak it alike.

A register read or write is a line, its answer a line. In QEMU, time passes by itself; in Strobe, when the client steps the clock.
"""
from __future__ import annotations

import pathlib
import shutil
import struct
import subprocess
import tempfile
import time
from collections.abc import Callable
from typing import TypeVar

from strobe.run import StrobeError

BAR = 0xE0000000  # where the memory BAR is put
DEVICE = 4  # of bus 0
MEMORY = 64 << 20  # bytes
QEMU = "qemu-system-x86_64"
QEMU_VERSION = "7.2"  # whose answers are recorded
PATIENCE = 400  # moments

SECTOR = 512  # bytes

Found = TypeVar("Found")


def pattern(sectors: int, seed: int) -> bytes:
    """Data that tells its seed and the place of each sector."""
    return b"".join(struct.pack("<QQ", seed, i) * (SECTOR // 16) for i in range(sectors))


class Machine:
    """The registers, configuration space and memory of one function."""

    def __init__(self, arguments: list[str], bar: int) -> None:
        self._name = arguments[0]
        self._process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            self.place_bar(bar)
        except BaseException:
            self.close()
            raise

    def place_bar(self, number: int) -> None:
        """The BAR of that number at BAR, memory space and bus master on."""
        self.config_write(0x10 + 4 * number, 4, BAR)
        self.config_write(0x04, 2, 0x6)

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()

    def _ask(self, line: str) -> str:
        assert self._process.stdin and self._process.stdout and self._process.stderr
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline().rstrip("\n")
        except BrokenPipeError:
            answer = ""
        if not answer.startswith("OK"):
            raise StrobeError(f"{self._name}: {line[:80]}: {answer or self._process.stderr.read()}")
        return answer[3:]

    def _number(self, line: str) -> int:
        return int(self._ask(line), 0)

    def config_read(self, offset: int, width: int) -> int:
        self._ask(f"outl 0xcf8 {0x80000000 | DEVICE << 11 | offset & ~3:#x}")
        return self._number(f"in{' bw l'[width]} {0xCFC + offset % 4:#x}")

    def config_write(self, offset: int, width: int, value: int) -> None:
        self._ask(f"outl 0xcf8 {0x80000000 | DEVICE << 11 | offset & ~3:#x}")
        self._ask(f"out{' bw l'[width]} {0xCFC + offset % 4:#x} {value:#x}")

    def is_pin_asserted(self) -> bool:
        """Interrupt Status of configuration space."""
        return bool(self.config_read(0x06, 2) & 8)

    def read(self, offset: int, width: int = 4) -> int:
        """A register of the BAR."""
        return self._number(f"read{'bwlq'[width.bit_length() - 1]} {BAR + offset:#x}")

    def write(self, offset: int, value: int, width: int = 4) -> None:
        self._ask(f"write{'bwlq'[width.bit_length() - 1]} {BAR + offset:#x} {value:#x}")

    def load(self, address: int, count: int) -> bytes:
        """Bytes of memory."""
        return bytes.fromhex(self._ask(f"read {address:#x} {count:#x}")[2:])

    def store(self, address: int, data: bytes) -> None:
        self._ask(f"write {address:#x} {len(data):#x} 0x{data.hex()}")

    def fill(self, address: int, count: int, value: int) -> None:
        self._ask(f"memset {address:#x} {count:#x} {value:#x}")

    def pass_time(self) -> None:
        """A moment, in which the device goes on."""
        raise NotImplementedError

    def wait_for(self, look: Callable[[], Found | None], moments: int = PATIENCE) -> Found | None:
        """What `look` finds, within so many moments."""
        for _ in range(moments):
            if (found := look()) is not None:
                return found
            self.pass_time()
        return look()


class StrobeMachine(Machine):
    """The drive of a scenario, in simulated time."""

    def __init__(self, program: str, scenario: str, bar: int) -> None:
        super().__init__([program, "serve", "pci", scenario], bar)

    def pass_time(self) -> None:
        self._ask("clock_step 1000000")


class QemuMachine(Machine):
    """A device of QEMU. Its processor does nothing; its time is that of the clock."""

    HALT = bytes([0xFA, 0xF4, 0xEB, 0xFD])  # cli; hlt; jmp to the hlt

    def __init__(self, devices: list[str], sectors: int, bar: int) -> None:
        self._directory = tempfile.TemporaryDirectory(prefix="strobe-conformance-")
        directory = pathlib.Path(self._directory.name)
        rom = bytearray(65536)
        rom[-16:-12] = self.HALT  # where a processor begins
        (directory / "rom").write_bytes(rom)
        with (directory / "image").open("wb") as image:
            image.truncate(SECTOR * sectors)
        super().__init__([QEMU, "-accel", "tcg", "-machine", "q35,sata=off", "-nodefaults", "-display", "none", "-m", str(MEMORY >> 20),
                          "-bios", str(directory / "rom"), "-qtest", "stdio", "-qtest-log", "none", "-drive",
                          f"if=none,id=drive,file={directory / 'image'},format=raw,discard=unmap,detect-zeroes=unmap",
                          *(word for device in devices for word in ("-device", device))], bar)

    def pass_time(self) -> None:
        time.sleep(0.0005)

    def close(self) -> None:
        super().close()
        self._directory.cleanup()


def qemu_is_missing() -> str:
    """Why QEMU cannot be asked; empty: it can."""
    if shutil.which(QEMU) is None:
        return f"{QEMU} is not installed (Debian's package qemu-system-x86)"
    version = subprocess.run([QEMU, "--version"], capture_output=True, text=True, check=False).stdout
    return "" if f"version {QEMU_VERSION}." in version else f"its version is not {QEMU_VERSION}: {version.splitlines()[0]}"
