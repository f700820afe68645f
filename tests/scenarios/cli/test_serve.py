#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`strobe serve nbd`: clients that are in use, what they leave in the report and in the record, and how the server ends."""
import json
import os
import pathlib
import shutil
import signal
import socket
import struct
import subprocess
import time
import unittest

from cli_support import SMALL, STROBE, Directory, strobe

DRIVE = {**{key: value for key, value in SMALL.items() if key != "workload"}, "host": {"interface": "sata"}}
PATH = os.environ["PATH"] + ":/usr/sbin:/sbin"


class ServeTest(Directory):
    NEEDS = ("nbdkit",)

    def setUp(self):
        lacks = [name for name in self.NEEDS if shutil.which(name, path=PATH) is None]
        if lacks:
            self.skipTest(f"these programs are not installed: {', '.join(lacks)}")
        super().setUp()
        self.drive = self.write("drive.json", DRIVE)

    def run_command(self, command, *arguments):
        """The output of a command beside the server, which must succeed, and the report."""
        done = strobe("serve", "nbd", self.drive, "--run", command, "--json", self.dir / "report.json", *arguments, cwd=self.dir,
                      env={**os.environ, "PATH": PATH, "TMPDIR": str(self.dir)})
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return done.stdout, json.loads((self.dir / "report.json").read_text())

    def started(self, *arguments):
        run = subprocess.Popen([STROBE, "serve", "nbd", self.drive, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, env={**os.environ, "TMPDIR": str(self.dir)})
        self.addCleanup(lambda: run.poll() is None and run.kill())
        return run, run.stdout.readline()


class Clients(ServeTest):
    NEEDS = ("nbdkit", "nbdinfo", "nbdcopy", "qemu-io", "fio", "mkfs.ext4", "e2fsck")
    STEPS = ["write -P 7 0 256k", "write -f -P 9 4k 4k", "read -P 9 4k 4k", "read -P 7 8k 64k", "flush", "discard 0 64k",
             "write -z 64k 64k", "write -z -u 130k 63k", "read -P 0 0 128k", "read -P 7 128k 2k", "read -P 0 130k 63k",
             "read -P 7 193k 63k", "write -P 3 300001 77", "read -P 3 300001 77", "read -P 0 299520 481"]

    def test_the_same_requests_give_the_same_report_and_allocation(self):
        steps = " ".join(f"-c '{step}'" for step in self.STEPS)
        command = f"qemu-io -f raw {steps} \"$uri\" | grep -v ops && nbdinfo --map \"$uri\""
        runs = [self.run_command(command) for _ in range(2)]
        out, report = runs[0]
        self.assertNotIn("verification failed", out)
        self.assertEqual([line.split()[1:] for line in out.splitlines() if "zero" in line][0], ["65536", "3", "hole,zero"])
        self.assertRegex(out, r"\n +65536 +6\d\d\d\d +0  data\n")
        served = report["served"]
        self.assertEqual(served["requests"]["write zeros"]["requests"], 2)
        self.assertGreater(served["requests"]["write"]["with_fua"], 0)
        self.assertEqual([kind["failed"] for kind in served["requests"].values()], [0] * 5)
        self.assertEqual(report["simulated_ps"], runs[1][1]["simulated_ps"])

    def test_a_file_system_comes_back_as_it_was_copied(self):
        image = self.dir / "image"
        with image.open("wb") as file:
            file.truncate(4 << 20)
        subprocess.run(["mkfs.ext4", "-q", "-d", pathlib.Path(__file__).parent, image], check=True, env={**os.environ, "PATH": PATH})
        _, report = self.run_command("nbdcopy image \"$uri\" && nbdcopy \"$uri\" back && cmp -n 4194304 image back && "
                                     "truncate -s 4M back && e2fsck -fn back 2>/dev/null >fsck")
        self.assertEqual(report["served"]["requests"]["write"]["failed"], 0)
        self.assertIn("files", (self.dir / "fsck").read_text())

    def test_fio_verifies_what_it_wrote_with_several_jobs(self):
        out, report = self.run_command(
            "fio --name=a --ioengine=nbd --uri=\"$uri\" --rw=randwrite --bs=4k --size=512k --offset_increment=1m --numjobs=2 "
            "--iodepth=8 --verify=crc32c --verify_fatal=1 --thread --group_reporting", "--pace", "10")
        self.assertIn("err= 0", out)
        self.assertGreaterEqual(report["served"]["requests"]["write"]["requests"], 256)
        self.assertEqual(report["served"]["pace"]["seconds_per_simulated_second"], 10)

    def test_a_record_is_replayed_by_a_scenario_and_by_fio(self):
        record = self.dir / "record.log"
        self.run_command("qemu-io -f raw -c 'write 0 64k' -c 'read 4k 8k' -c 'write -f 128k 4k' \"$uri\"", "--record", record)
        lines = record.read_text().splitlines()
        self.assertEqual(lines[0], "fio version 3 iolog")
        requests = [line.split()[2:] for line in lines[3:-1]]
        self.assertIn(["read", "4096", "8192"], requests)
        at = requests.index(["write", "131072", "4096"])
        self.assertEqual(requests[at + 1], ["sync", "0", "0"])
        replay = self.write("replay.json", {**DRIVE, "workload": {"phases": [
            {"name": "replay", "kind": "trace", "trace": {"file": str(record)}}]}})
        done = strobe("run", replay, "--json", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["phases"][0]["source"]["requests"], len(requests))
        (self.dir / "disk").write_bytes(bytes(1 << 20))
        fio = subprocess.run(["fio", "--name=a", f"--read_iolog={record}", f"--replay_redirect={self.dir}/disk", "--replay_no_stall=1"],
                             capture_output=True, text=True, check=False, timeout=60, cwd=self.dir)
        self.assertEqual(fio.returncode, 0, fio.stdout + fio.stderr)


class Fuse(ServeTest):
    NEEDS = ("nbdkit", "nbdfuse", "fusermount3", "mkfs.ext4", "debugfs", "e2fsck")
    MOUNTED = """mkdir mount
nbdfuse -P pid mount/disk "$uri" 2>problem &
until [ -s pid ] || ! kill -0 $!; do sleep 0.05; done
"""

    def setUp(self):
        super().setUp()
        if not os.access("/dev/fuse", os.R_OK | os.W_OK):
            self.skipTest("/dev/fuse is missing or not for this user")
        done = strobe("serve", "nbd", self.drive, "--run", self.MOUNTED + "fusermount3 -u mount; cat problem", cwd=self.dir,
                      env={**os.environ, "PATH": PATH, "TMPDIR": str(self.dir)})
        if "fuse:" in done.stdout:
            self.skipTest("this user may not mount a FUSE file system")
        (self.dir / "mount").rmdir()
        (self.dir / "pid").unlink(missing_ok=True)

    def test_whole_blocks_are_written_with_the_default_size(self):
        out, report = self.run_command(self.MOUNTED + "mkfs.ext4 -q mount/disk && e2fsck -fn mount/disk 2>/dev/null\nfusermount3 -u mount\n")
        self.assertRegex(out, r"\nmount/disk: 11/\d+ files ")
        self.assertEqual([kind["failed"] for kind in report["served"]["requests"].values()], [0] * 5)

    def test_a_file_system_is_used_by_programs_that_write_bytes(self):
        (self.dir / "file").write_bytes(os.urandom(300_001))
        out, report = self.run_command(self.MOUNTED + """mkfs.ext4 -q mount/disk
debugfs -w -R "write file file" mount/disk 2>/dev/null
e2fsck -fn mount/disk 2>/dev/null
debugfs -R "dump file back" mount/disk 2>/dev/null
cmp file back && echo as written
fusermount3 -u mount
""", "--block-size", "1")
        self.assertIn("\nas written\n", out)
        self.assertRegex(out, r"\nmount/disk: 12/\d+ files \([\d.]+% non-contiguous\)")
        self.assertEqual([kind["failed"] for kind in report["served"]["requests"].values()], [0] * 5)
        self.assertGreater(report["served"]["requests"]["write"]["bytes"], 300_001)


class RawClient:
    """As little of the protocol as a client needs that does not wait for answers."""
    READ, WRITE = 0, 1

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(30)
        self.socket.connect(str(path))
        assert self.take(18)[:8] == b"NBDMAGIC"
        self.socket.sendall(struct.pack(">I8sII", 3, b"IHAVEOPT", 1, 0))  # no zeros; the default export
        self.take(10)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def take(self, count):
        taken = b""
        while len(taken) < count:
            more = self.socket.recv(count - len(taken))
            if not more:
                raise ConnectionResetError("the server has gone")
            taken += more
        return taken

    def send(self, kind, offset, count, data=b""):
        self.socket.sendall(struct.pack(">IHHQQI", 0x25609513, 0, kind, 0, offset, count) + data)

    def answer(self, count=0):
        magic, error, _ = struct.unpack(">IIQ", self.take(16))
        assert (magic, error) == (0x67446698, 0), (magic, error)
        return self.take(count)


class Server(ServeTest):
    def test_it_ends_within_a_second_and_reports(self):
        for name in (signal.SIGINT, signal.SIGTERM):
            path = self.dir / "drive"
            run, line = self.started("--listen", path)
            self.assertIn(f"nbd+unix:///?socket={path}; Ctrl-C ends it", line)
            with socket.socket(socket.AF_UNIX) as client:
                client.connect(str(path))
                self.assertEqual(client.recv(8), b"NBDMAGIC")
                begin = time.monotonic()
                run.send_signal(name)
                out, errors = run.communicate(timeout=60)
            self.assertEqual(run.returncode, 0, out + errors)
            self.assertLess(time.monotonic() - begin, 5)  # a second, on a machine that does nothing else
            self.assertIn("Requests of clients\n", out)
            self.assertFalse(path.exists())

    def test_a_client_that_speaks_nonsense_ends_only_its_connection(self):
        run, line = self.started("--listen", "localhost:0")
        port = int(line.split("nbd://127.0.0.1:")[1].split(";")[0])
        for noise in (b"", b"GET / HTTP/1.0\r\n\r\n" * 50, b"\0\0\0\3IHAVEOPT" + b"\xff" * 100, bytes(range(256)) * 8):
            with socket.create_connection(("127.0.0.1", port)) as client:
                client.sendall(noise)
        with socket.create_connection(("127.0.0.1", port)) as client:
            self.assertEqual(client.recv(8), b"NBDMAGIC")
        self.assertIsNone(run.poll())
        run.send_signal(signal.SIGTERM)
        out, _ = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 0)
        self.assertIn("Requests of clients\n", out)

    def test_a_client_that_goes_with_requests_outstanding_takes_no_data_with_it(self):
        path = self.dir / "drive"
        run, _ = self.started("--listen", path)
        data = os.urandom(4096)
        with RawClient(path) as client:
            client.send(RawClient.WRITE, 0, len(data), data)
            self.assertEqual(client.answer(), b"")

        def persistently(use):
            """nbdkit 1.32 does not survive all of these clients, and is started again."""
            end = time.monotonic() + 60
            while True:
                try:
                    with RawClient(path) as client:
                        return use(client)
                except ConnectionError:
                    if time.monotonic() > end:
                        raise

        def go(client):
            for i in range(8):
                client.send(RawClient.READ, 4096 * i, 4096)

        def read(client):
            client.send(RawClient.READ, 0, len(data))
            return client.answer(len(data))

        for _ in range(30):
            persistently(go)
        self.assertEqual(persistently(read), data)
        run.send_signal(signal.SIGTERM)
        out, errors = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 0, out + errors)
        for line in errors.splitlines():
            if line.startswith("strobe serve"):
                self.assertRegex(line, r"^strobe serve: nbdkit has ended with status \d+; it is started again$")

    def test_a_command_and_what_it_has_started_end_with_the_server(self):
        run = subprocess.Popen([STROBE, "serve", "nbd", self.drive, "--run", "sleep 600 & echo $! > pid.new; mv pid.new pid; wait"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.dir)
        self.addCleanup(lambda: run.poll() is None and run.kill())
        end = time.monotonic() + 60
        while not (self.dir / "pid").exists() and time.monotonic() < end:
            time.sleep(0.05)
        process = int((self.dir / "pid").read_text())
        run.send_signal(signal.SIGTERM)
        run.communicate(timeout=60)
        self.assertEqual(run.returncode, 128 + signal.SIGTERM)
        while pathlib.Path(f"/proc/{process}").exists() and time.monotonic() < end:
            time.sleep(0.05)
        self.assertFalse(pathlib.Path(f"/proc/{process}").exists())

    def test_a_long_recovery_of_a_saved_drive_has_not_stalled(self):
        full = self.write("full.json", {**DRIVE, "data": "bytes", "nand": {**DRIVE["nand"], "contents": {"file": "drive.contents", "mode": "save"}},
                                        "workload": {"phases": [{"name": "fill", "kind": "sequential", "blockSize": "64KiB", "volume": "100%"}]}})
        done = strobe("run", full, cwd=self.dir)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = strobe("serve", "nbd", full, "--set", "nand.contents.mode=load", "--set", "firmware.stallAfter=3ms", "--run", "true", cwd=self.dir)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_command_that_fails_is_reported(self):
        done = strobe("serve", "nbd", self.drive, "--run", "exit 3", "--json", "-")
        self.assertEqual((done.returncode, done.stderr), (1, "strobe serve: the command ended with status 3\n"))
        self.assertEqual(json.loads(done.stdout)["served"]["connections"], 0)


class Refused(ServeTest):
    def test_mistakes_have_one_message_each(self):
        (self.dir / "taken").touch()
        for arguments, message in (
                (["--listen", "0.0.0.0:1"], "--listen: 0.0.0.0:1: must be the path of a Unix socket (with a slash), or "),
                (["--listen", self.dir / "taken"], f"--listen: {self.dir}/taken: there is a file or socket already"),
                (["--listen", self.dir / ("x" * 120)], "the path of a socket has at most 107 characters"),
                (["--record", "/none/record"], "/none/record: cannot be written: No such file or directory"),
                (["--set", "data=tags"], '/data: clients read back what they wrote, so the drive must keep contents; must be "bytes"'),
                (["--set", 'power.cuts=["1ms"]'], "/power: strobe serve nbd does not cut power; must have no cuts"),
                (["--set", "report.stages=true"],
                 "/report/stages: strobe serve nbd does not observe where the time of its requests goes; must be false"),
                (["--think", "soon"], "--think: soon: "),
                (["--block-size", "1000"], "--block-size"),
                (["--pace", "0"], "--pace: 0: must be from 0.001 to 1000000")):
            with self.subTest(message):
                done = strobe("serve", "nbd", self.drive, *arguments, "--run", "true")
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(message, done.stderr)
                self.assertEqual(len([line for line in done.stderr.splitlines() if "--help explains" not in line]), 1, done.stderr)

    def test_a_drive_of_no_whole_blocks_is_refused(self):
        done = strobe("serve", "nbd", self.drive, "--run", "nbdinfo --size \"$uri\" || true")
        self.assertEqual(done.returncode, 0)
        record = self.write("record", {})
        before = record.read_text()
        done = strobe("serve", "nbd", self.drive, "--block-size", "65536", "--run", "true", "--record", record)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(record.read_text(), before)
        self.assertRegex(done.stderr, r"--block-size: the drive has \d+ bytes, which is no multiple of 65536; must be one of 512")

    def test_without_nbdkit_it_names_the_package(self):
        done = strobe("serve", "nbd", self.drive, "--run", "true", env={**os.environ, "PATH": str(self.dir)})
        self.assertEqual(done.returncode, 2)
        self.assertIn("install Debian's package nbdkit\n", done.stderr)


if __name__ == "__main__":
    unittest.main()
