#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`strobe qemu`: its protocols with a peer in place of QEMU (Peer), and with QEMU 7.2 itself if it is installed (Machine)."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import unittest

from cli_support import ROOT, SMALL, STROBE, Directory, strobe

sys.path.insert(0, str(ROOT / "tests/scenarios/runs"))
from planted import planted  # noqa: E402
from test_firmware_mistakes import STALLS  # noqa: E402

FAKE = pathlib.Path(__file__).with_name("fake_qemu.py")
DRIVE = {**{key: value for key, value in SMALL.items() if key != "workload"}, "host": {"interface": "nvme"}}
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "strobe" / "qemu"
OVMF = pathlib.Path("/usr/share/ovmf/OVMF.fd")


class QemuTest(Directory):
    def setUp(self):
        super().setUp()
        self.drive = self.write("drive.json", DRIVE)

    def lines(self, text):
        """Of a serial port, without the control sequences of a terminal."""
        return re.sub(r"\x1b(\[[0-9;?=]*[A-Za-z]|c)", "", text).replace("\r", "").splitlines()


class Peer(QemuTest):
    def setUp(self):
        super().setUp()
        self.programs = self.dir / "programs"
        self.programs.mkdir()
        (self.programs / "qemu-system-x86_64").symlink_to(FAKE)

    def environment(self, what, **more):
        return {**os.environ, "PATH": f"{self.programs}:{os.environ['PATH']}", "FAKE_QEMU": what, **more}

    def qemu(self, what, *arguments, **more):
        return strobe("qemu", self.drive, *arguments, env=self.environment(what, **more), stdin=subprocess.DEVNULL)

    def test_a_machine_operates_the_drive_and_resets_it(self):
        done = self.qemu("nvme", "--json", self.dir / "report.json")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertEqual(done.stdout.splitlines()[:4], ["BARs 0x4000 0x0 0x0 0x0 0x0 0x0 0x0", "as written: True", "after a reset: True",
                                                        f"sector 0: {bytes(6)}"])
        report = json.loads((self.dir / "report.json").read_text())
        self.assertEqual([phase["name"] for phase in report["phases"]], ["machine"])
        totals = report["phases"][0]["totals"]
        self.assertEqual([totals[kind]["requests"] for kind in ("read", "write")], [4, 1])

    def test_an_image_is_on_the_drive_before_the_machine_starts(self):
        image = self.dir / "image"
        image.write_bytes(b"strobe" * 50_001)
        record = self.dir / "record.log"
        done = self.qemu("nvme", "--image", image, "--record", record, "--json", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("sector 0: b'strobe'\n", done.stderr)
        phases = {phase["name"]: phase["totals"] for phase in json.loads(done.stdout)["phases"]}
        self.assertEqual((phases["image"]["write"]["bytes"], phases["image"]["flush"]["requests"]), (300_032, 1))
        self.assertEqual([line.split()[2] for line in record.read_text().splitlines()[1:]],
                         ["add", "open", "write", "read", "read", "read", "read", "close"])

    def test_a_paced_drive(self):
        done = self.qemu("nvme", "--pace", "0.5")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertIn("after a reset: True\n", done.stdout)

    def test_a_sata_drive_is_behind_an_ahci_adapter(self):
        for interface in ("sata", "ahci"):
            done = self.qemu("ahci", "--set", f"host.interface={interface}")
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
            self.assertEqual(done.stdout.splitlines()[:2], ["BARs 0x0 0x0 0x0 0x0 0x0 0x1000 0x0", "version 10301"])

    def test_words_after_two_hyphens_are_for_qemu(self):
        done = self.qemu("words", "--", "-append", "a b=c")
        self.assertEqual((done.returncode, done.stdout.splitlines()[0]), (0, "-append a b=c"), done.stderr)

    def test_messages_that_a_protocol_does_not_allow_end_the_run_with_a_message(self):
        for what, message in (("command", "pci proxy: command 8; must be 0 or 2 to 7"),
                              ("size", "pci proxy: read of a BAR: 20 bytes; must be 24"),
                              ("huge", "pci proxy: read of a BAR: 9223372036854775808 bytes; must be 24"),
                              ("width", "pci proxy: read of a BAR: 2147483648 bytes; must be 1, 2, 4 or 8"),
                              ("ports", "pci proxy: read of a BAR: I/O space; the drive's BARs are memory"),
                              ("config", "pci proxy: read of configuration space: 4 bytes at 0x100; must be within 256 bytes"),
                              ("files", "pci proxy: more than 8 descriptors with a message"),
                              ("no-file", "pci proxy: memory: 0 descriptors; must be 1 to 8"),
                              ("region", "pci proxy: memory: region 0: 131072 bytes from offset 0 cannot be mapped from its file"),
                              ("half", "pci proxy: the peer has gone within a message"),
                              ("half-contents", "pci proxy: the peer has gone within a message"),
                              ("qtest", 'qtest: the answer "FAIL" to an interrupt; must be "OK"'),
                              ("qtest-ok", "qtest: an answer without an interrupt"),
                              ("qtest-long", "qtest: a line of more than 256 characters"),
                              ("after-all", "QEMU ended with status 3")):
            with self.subTest(what):
                done = self.qemu(what)
                self.assertEqual((done.returncode, done.stderr), (1, f"strobe qemu: {message}\n"))

    def test_qemu_that_refuses_its_options_is_the_users_mistake(self):
        done = self.qemu("leave", "--json", self.dir / "report.json")
        self.assertEqual((done.returncode, done.stderr), (2, "strobe qemu: QEMU has refused its options; status 3\n"))
        self.assertNotIn("report.json", self.files())

    def test_a_reset_reaches_a_controller_whose_memory_space_is_off(self):
        done = self.qemu("off")
        self.assertEqual((done.returncode, done.stdout.splitlines()[0]), (0, "enabled: 0, ready: 0"), done.stderr)

    @unittest.skipUnless(os.environ.get("STROBE_RV32") == "1", "needs the RV32 images")
    def test_firmware_that_never_becomes_ready_ends_the_run_with_a_diagnosis(self):
        firmware = planted(self.dir, *STALLS["an endless loop before the port is enabled"])
        done = self.qemu("nvme", "--set", "firmware.mode=rv32", "--set", f"firmware.image={firmware}", "--set", "firmware.stallAfter=5ms")
        self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
        self.assertRegex(done.stderr, r"^strobe: firmware image .* has stalled at .*: the drive has not become ready for [\d.]+ ms \(firmware.stallAfter\)\n")
        self.assertIn("core 0 runs in a loop around ", done.stderr)

    def test_a_drive_that_does_not_take_the_image_ends_the_run_with_a_diagnosis(self):
        image = self.dir / "image"
        image.write_bytes(bytes(1 << 20))
        done = self.qemu("nvme", "--image", image, "--set", "firmware.stallAfter=800us")
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertIn("800 us is too short for this drive: commands are outstanding, and none has ended for ", done.stderr)

    def test_an_interrupted_run_lets_qemu_end_itself(self):
        done = self.qemu("interrupt")
        self.assertEqual((done.returncode, done.stdout.splitlines()[:1]), (130, ["an empty slot: True"]), done.stderr)
        self.assertTrue(done.stderr.endswith("strobe qemu: stopped by the user\n"), done.stderr)

    def test_a_killed_qemu_leaves_the_terminal_as_it_was(self):
        """A script in between has the terminal: it would be reset with the end of the first program of its session."""
        script = self.write("session.py", textwrap.dedent("""
            import os, subprocess, sys, termios
            state = lambda: (termios.tcgetattr(0), os.get_blocking(0))
            before = state()
            status = subprocess.run(sys.argv[1:], check=False).returncode
            print(f"status {status}, as before: {state() == before}")
        """))
        out, end = os.openpty()
        run = subprocess.Popen([sys.executable, "-c", "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
                                "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])", script, STROBE, "qemu", self.drive],
                               stdin=end, stdout=end, stderr=end, start_new_session=True, env=self.environment("raw"))
        os.close(end)
        text = b""
        try:
            while part := os.read(out, 4096):
                text += part
        except OSError:  # the last one has closed it
            pass
        os.close(out)
        self.assertEqual(run.wait(60), 0)
        self.assertIn(b"status 130, as before: True", text)

    def test_ctrl_c_ends_the_machine(self):
        with subprocess.Popen([STROBE, "qemu", self.drive], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env=self.environment("sleep")) as run:
            self.assertIn("asleep", run.stdout.readline())
            run.send_signal(signal.SIGINT)
            out, errors = run.communicate(timeout=60)
        self.assertEqual((run.returncode, errors), (130, "\nstrobe: ending the run; interrupt again to end at once\nstrobe qemu: stopped by the user\n"), out)

    def test_other_versions_and_a_missing_program_are_refused(self):
        (self.dir / "silent").mkdir()
        self.write("silent/qemu-system-x86_64", "#!/bin/sh\n").chmod(0o755)
        done = strobe("qemu", self.drive, env={**os.environ, "PATH": str(self.dir / "silent")})
        self.assertEqual(done.returncode, 2)
        self.assertIn("silent/qemu-system-x86_64 does not print its version. It needs", " ".join(done.stderr.split()))
        needs = ("It needs qemu-system-x86_64 7.2.x: Debian 12's packages qemu-system-x86, with seabios, and ovmf for --firmware ovmf\n")
        done = self.qemu("nvme", FAKE_QEMU_VERSION="10.0.2")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(" ".join(done.stderr.split()),
                         f'strobe qemu: {self.programs}/qemu-system-x86_64 is "QEMU emulator version 10.0.2 (Debian)", and the interface to its '
                         f"device is experimental. {needs}".strip())
        (self.dir / "qemu-system-x86_64").mkdir()  # is no program
        done = strobe("qemu", self.drive, env={**os.environ, "PATH": str(self.dir)})
        self.assertEqual((done.returncode, done.stdout, " ".join(done.stderr.split())),
                         (2, "", f"strobe qemu: qemu-system-x86_64 is not installed. {needs}".strip()))

    def test_mistakes_have_one_message_each(self):
        large = self.dir / "large"
        with large.open("wb") as file:
            file.truncate(1 << 30)
        for arguments, message in ((["--firmware", "none"], "--firmware: none: must be seabios, ovmf or a file"),
                                   (["--image", "none"], "--image: none: must be a regular file"),
                                   (["--image", self.dir], f"--image: {self.dir}: must be a regular file"),
                                   (["--image", large], "has 2097152 sectors; the drive has "),
                                   (["--image", large, "--json", large], f"--json: {large} is read by this command; name another file"),
                                   (["--firmware", large, "--record", large], f"--record: {large} is read by this command; name another file"),
                                   (["--cpus", "0"], "--cpus 0: must be a whole number, 1 to 16"),
                                   (["--memory", "32"], "--memory 32: must be a whole number, 64 to 2048"),
                                   (["--pace", "0"], "--pace: 0: must be from 0.001 to 1000000"),
                                   (["--set", "host.interface=direct"],
                                    '/host/interface: QEMU\'s machine has no slot for it; must be "nvme", or "sata" or "ahci"'),
                                   (["--set", 'power.cuts=["1ms"]'], "/power: strobe qemu does not cut power; must have no cuts"),
                                   (["--record", "/none/record"], "/none/record: cannot be written: No such file or directory")):
            with self.subTest(message):
                done = self.qemu("nvme", *arguments)
                self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
                self.assertIn(message, done.stderr)


# A boot sector in machine code: prints TEXT on the serial port. Then it looks at a byte of the clock's memory: if it is 0, it becomes 1
# and the machine is reset, otherwise it is switched off.
TEXT = b"\r\nbooted from the drive\r\n"
BOOT = bytes.fromhex(
    "fa31c08ed88ec08ed0bc007c"  # cli; ds = es = ss = 0; sp = 7c00h
    "be5a7c"                    # si = text, at 7c5ah
    "ac84c07411"                # next: lodsb; if it is 0, go on behind the loop
    "88c3bafd03eca82074fb"      # wait until the serial port (3f8h) takes a byte
    "b2f888d8eeebea"            # send it; next
    "b070e670e47184c07510"      # byte 70h of the clock's memory
    "b070e670b001e671"          # becomes 1
    "baf90cb006eeebfe"          # reset by port cf9h
    "ba0406b80020efebfe")       # power off by port 604h


class Machine(QemuTest):
    def setUp(self):
        program = shutil.which("qemu-system-x86_64")
        version = program and subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
        if not program or "version 7.2." not in version:
            self.skipTest(f"QEMU 7.2 is needed; found: {version.splitlines()[0] if version else 'none'}")
        super().setUp()

    def qemu(self, *arguments, **options):
        done = subprocess.run([STROBE, "qemu", *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, check=False, timeout=900, errors="replace", **options)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)  # and nothing about accesses that QEMU drops
        return self.lines(done.stdout)

    def boot_image(self):
        sector = BOOT.ljust(0x5A, b"\x90") + TEXT + b"\0"
        image = self.dir / "boot.img"
        image.write_bytes(sector.ljust(510, b"\0") + b"\x55\xaa")
        return image

    def test_seabios_boots_from_the_drive_twice(self):
        for interface in ("nvme", "ahci"):
            with self.subTest(interface):
                lines = self.qemu(self.drive, "--set", f"host.interface={interface}", "--image", self.boot_image())
                text = "\n".join(lines)
                self.assertEqual((text.count("Booting from Hard Disk"), text.count(TEXT.decode().strip())), (2, 2), text)

    def test_ovmf_lists_the_drive(self):
        if not OVMF.exists():
            self.skipTest(f"{OVMF} (Debian's package ovmf) is missing")
        with subprocess.Popen([STROBE, "qemu", self.drive, "--firmware", "ovmf"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as run:
            limit = threading.Timer(300, run.kill)
            limit.start()
            text = b""
            while b"Shell> " not in text and (part := run.stdout.read1()):
                text += part
            limit.cancel()
            run.send_signal(signal.SIGINT)
            rest, errors = run.communicate(timeout=60)
        self.assertIn(b"Shell> ", text, errors)
        self.assertEqual(run.returncode, 130, errors)
        self.assertRegex("\n".join(self.lines(text.decode(errors="replace"))), r"BLK0: Alias\(s\):\n +PciRoot\(0x0\)/Pci\(0x\w+,0x0\)/NVMe\(0x1,[0-9A-F-]+\)")

    SCRIPT = """
        drive=$DRIVE
        dd if=/dev/urandom of=/tmp/data bs=1M count=4 2>/dev/null
        for part in 0 1 2 3; do
            taskset $((part % 2 + 1)) dd if=/tmp/data of=$drive bs=256k skip=$((4 * part)) seek=$((4 * part)) count=4 oflag=direct 2>/dev/null &
        done
        wait
        echo 3 >/proc/sys/vm/drop_caches
        dd if=$drive bs=256k count=16 iflag=direct 2>/dev/null | cmp - /tmp/data && echo "as written"
        sha256sum </tmp/data
        head -c 4194304 $drive | sha256sum
        grep -E 'nvme|ahci' /proc/interrupts
    """

    def linux(self, interface):
        if not (CACHE / "vmlinuz").exists():
            self.skipTest("there is no guest; scripts/build-qemu-guest makes it")
        script = self.write("script", self.SCRIPT)
        return self.qemu(self.drive, "--set", f"host.interface={interface}", "--cpus", "2", "--json", self.dir / "report.json", "--",
                         "-kernel", CACHE / "vmlinuz", "-initrd", CACHE / "initrd", "-append", "console=ttyS0 quiet",
                         "-fw_cfg", f"name=opt/strobe/script,file={script}")

    def check_data(self, lines):
        self.assertTrue(any(line.endswith("as written") for line in lines), lines)  # the firmware's last line may have no end
        sums = [line for line in lines if re.fullmatch("[0-9a-f]{64}  -", line)]
        self.assertEqual((len(sums), len(set(sums))), (2, 1), lines)
        self.assertIn("script ended with status 0", lines)
        totals = json.loads((self.dir / "report.json").read_text())["phases"][0]["totals"]
        self.assertGreaterEqual(totals["write"]["bytes"], 4 << 20)
        self.assertGreaterEqual(totals["read"]["bytes"], 4 << 20)

    def test_linux_uses_a_queue_and_an_interrupt_for_each_processor(self):
        lines = self.linux("nvme")
        self.check_data(lines)
        counts = {match[3]: int(match[1]) + int(match[2])
                  for line in lines if (match := re.match(r" *\d+: +(\d+) +(\d+) +PCI-MSI \S+ +(nvme0q\d+)", line))}
        self.assertEqual(sorted(counts), ["nvme0q0", "nvme0q1", "nvme0q2"], lines)
        self.assertTrue(all(counts.values()), counts)

    def test_linux_uses_a_sata_drive(self):
        lines = self.linux("ahci")
        self.check_data(lines)
        self.assertTrue(any(re.search(r"PCI-MSI.*ahci", line) for line in lines), lines)


if __name__ == "__main__":
    unittest.main()
