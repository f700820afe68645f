#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`strobe linux` with a real kernel, if there is one, and what docs/linux.md quotes of it."""
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

from cli_support import ROOT, STROBE, Directory, strobe

DURABLE = "devices/nvme-mlc-8x4"


def missing(*more):
    """What a run with a real kernel lacks here; empty: nothing."""
    if subprocess.run([ROOT / "scripts" / "build-linux-kernel", "--check"], capture_output=True, check=False).returncode != 0:
        return "there is no kernel; scripts/build-linux-kernel builds it"
    programs = [name for name in ("busybox", "mkfs.ext4", "e2fsck", "mount", *more) if
                shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin") is None]
    return f"these programs are not installed: {', '.join(programs)}" if programs else ""


class Record(Directory):
    """The figures that docs/linux.md quotes of runs with a real kernel are those that Strobe's own generator gets from the drive
    for the same requests, so that they cannot become old unnoticed where there is no kernel."""
    PAGE = (ROOT / "docs" / "linux.md").read_text()

    def run_phases(self, scenario):
        done = strobe("run", self.write("s.json", scenario), "--json", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        return {phase["name"]: phase["totals"] for phase in json.loads(done.stdout)["phases"]}

    def phases(self, size, *rows, drive=DURABLE, host=None):
        phases = [{"name": name, "kind": kind, "region": {"size": size}, "blockSize": block, "readRatio": ratio, **amount,
                   "pacing": {"queueDepth": depth}} for name, kind, block, ratio, amount, depth in rows]
        run = self.run_phases({"extends": drive, "name": "as in the guest", "host": host or {}, "workload": {"phases": phases}})
        return {name: totals["all"] for name, totals in run.items()}

    def quoted(self, pattern, text=PAGE):
        return float(re.search(pattern, text, re.DOTALL)[1].replace(",", ""))

    def row(self, name):
        """Two numbers of a row of a table of the page: of the guest, of the generator."""
        cells = re.search(rf"\n\| {re.escape(name)} \| (.*)\n", self.PAGE)[1].split(" | ")
        return [float(cell.split()[0].replace(",", "")) for cell in cells[:2]]

    def assert_close(self, value, expected, share):
        self.assertAlmostEqual(value, expected, delta=share * expected)

    def test_fio_s_rates_and_latency(self):
        for name, drive, host in (("NVMe", DURABLE, {"nvme": {"submit": "0s", "interrupt": "0s"}}),
                                  ("SATA", "devices/sata-mlc-8x4", {"interface": "ahci", "ahci": {"submit": "0s", "interrupt": "0s"}})):
            with self.subTest(name):
                run = self.phases("16MiB", ("fill", "sequential", "128KiB", "0%", {"volume": "100%"}, 8),
                                  ("one", "uniform", "4KiB", "100%", {"requests": 256}, 1),
                                  ("reads", "uniform", "4KiB", "100%", {"requests": 8192}, 32),
                                  ("writes", "uniform", "4KiB", "0%", {"requests": 2048}, 32), drive=drive, host=host)
                output = re.search(rf"recorded output of: strobe linux {drive} --script fio .*?end of output", self.PAGE, re.DOTALL)[0]
                # The median: the first reads wait for what is left of the fill.
                for what, in_guest, now in (
                        ("latency at queue depth 1, us", self.quoted(r"randread-qd1:.*?avg=([\d.]+)", output) / 1e3,
                         run["one"]["latency"]["p50_ps"] / 1e6),
                        ("rate at queue depth 32, 1/s", self.quoted(r"randread-qd32:.*?IOPS=([\d.]+)k", output) * 1e3, run["reads"]["iops"])):
                    guest, generator = self.row(f"{name}, {what}")
                    self.assert_close(guest, in_guest, 0.005)
                    self.assert_close(generator, now, 0.005)
                    self.assert_close(guest, generator, 0.05)
                if name == "NVMe":
                    share = self.quoted(r"randwrite-qd32:.*?IOPS=(\d+)k", output) * 1e3 / run["writes"]["iops"]
                    self.assertAlmostEqual(share, 0.95, delta=0.01)  # fio's looks at the clock cost 5 %, as the page says
                    self.assert_close(self.quoted(r"it completes (\S+) writes per second"), run["writes"]["iops"], 0.005)

    def test_read_response_beside_writes(self):
        for priority, title, option in ((True, "priority", ""), (False, "no priority", " --set controller.priority=false")):
            run = self.run_phases({"extends": "papers/hydra/read-response", "name": title, "controller": {"priority": priority}})
            output = re.search(rf"--script read-response{option}; .*?end of output", self.PAGE, re.DOTALL)[0]
            for mix in ("9:1", "7:3", "5:5", "3:7", "1:9"):
                with self.subTest(f"{mix}, {title}"):
                    guest, generator = self.row(f"{mix}, {title}")
                    self.assertAlmostEqual(guest, generator, delta=0.25 * generator)  # a mean over few reads
                    self.assertAlmostEqual(guest, self.quoted(rf"\n{mix}  \d+ reads, mean response (\S+) us", output), delta=0.5)
                    self.assert_close(generator, run[mix]["read"]["latency"]["mean_ps"] / 1e6, 0.005)

    def test_cold_reads_of_a_file(self):
        run = self.phases("32MiB", ("fill", "sequential", "128KiB", "0%", {"volume": "100%"}, 8),
                          ("settle", "sequential", "128KiB", "100%", {"volume": "100%"}, 1),
                          ("read", "sequential", "128KiB", "100%", {"volume": "100%"}, 2))
        median = run["read"]["latency"]["p50_ps"] / 1e6  # the kernel reads ahead by two requests of 128 KiB
        self.assert_close(self.quoted(r"Latency\n.*?\n  read +\S+ us +\S+ us +(\S+) us"), median, 0.02)


class Kernel(Directory):
    SCRIPT = """step mkfs
mkfs.ext4 -q "$DRIVE"
mount -t ext4 "$DRIVE" "$MOUNT"
step write
busybox yes strobe | busybox head -c 300000 >"$MOUNT/file"
umount "$MOUNT"
step read
mount -t ext4 "$DRIVE" "$MOUNT"
busybox md5sum <"$MOUNT/file"
umount "$MOUNT"
e2fsck -fn "$DRIVE" 2>/dev/null | tail -n 1
"""

    def test_a_file_system_keeps_a_file_and_the_run_ends_at_the_same_nanosecond(self):
        lacks = missing()
        if lacks:
            self.skipTest(lacks)
        script = self.write("script", self.SCRIPT)
        root = self.dir / "another name of the root"  # with white space, in which the kernel's options end
        root.symlink_to("/")
        runs = [strobe("linux", "devices/nvme-mlc-8x4", "--script", script, "--root", root) for _ in range(2)]
        for done in runs:
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
            self.assertIn("2cf70b1dec10428c0fc4218aa4fccc27  -\n", done.stdout)  # of the text that was written
        ends = {line for done in runs for line in done.stdout.splitlines() if line.startswith("  ended at")}
        self.assertEqual(len(ends), 1, ends)

    def test_a_tour_of_a_file_system_and_a_database(self):
        lacks = missing("sqlite3", "fstrim")
        if lacks:
            self.skipTest(lacks)
        done = strobe("linux", DURABLE, "--script", "tour")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        for line in ("the file is as written: 7c1309de2f48ca9151e629fd9495d17f", "the database has 4000 rows", " trimmed\n", "/dev/nvme0n1: 12/262144 files"):
            self.assertIn(line, done.stdout)

    def test_reads_and_writes_go_through_queues_of_their_own(self):
        lacks = missing()
        if lacks:
            self.skipTest(lacks)
        script = self.write("script", "dd if=/dev/zero of=$DRIVE bs=4k count=64 oflag=direct 2>/dev/null\n"
                                      "dd if=$DRIVE of=/dev/null bs=4k count=64 iflag=direct 2>/dev/null\nls /sys/block/nvme0n1/mq\n")
        done = strobe("linux", DURABLE, "--script", script, "--kernel-option", "nvme.write_queues=1", "--json", self.dir / "report.json")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        queues = json.loads((self.dir / "report.json").read_text())["queues"]
        self.assertEqual(list(queues), ["1", "2"])
        writes, reads = queues.values()
        self.assertEqual((writes["writes"], writes["reads"]), (64, 0), writes)
        self.assertEqual((reads["writes"], reads["others"]), (0, 0), reads)
        self.assertGreaterEqual(reads["reads"], 64)
        self.assertNotEqual(writes["vector"], reads["vector"])
        self.assertGreaterEqual(writes["interrupts"], 64)
        self.assertGreaterEqual(reads["interrupts"], 64)
        self.assertRegex(done.stdout, r"Queues of the guest's driver\n.*\n  queue 1 +0 +64 +\d+ +1 +\d+\n  queue 2 +\d+ +0 +0 +2 +\d+\n")

    def test_options_that_the_kernel_does_not_take_end_the_run_with_a_message(self):
        lacks = missing()
        if lacks:
            self.skipTest(lacks)
        script = self.write("script", "cat /sys/module/nvme/parameters/io_queue_depth /proc/sys/vm/dirty_ratio\n")
        for option, what in (("nvme.write_queues=7", "the value is not one of the parameter's"), ("nvme.writequeues=1", "it has no such parameter"),
                             ("sysctl.vm.dirty=1", "it has no such parameter"), ("sysctl.vm.dirty_ratio=many", "the value is not one of the parameter's")):
            with self.subTest(option):
                done = strobe("linux", DURABLE, "--script", script, "--kernel-option", option)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", f"--kernel-option: the kernel has not taken {option}: {what}\n"))
        done = strobe("linux", DURABLE, "--script", script, "--kernel-option", "nvme.io_queue_depth=64", "--kernel-option", "sysctl.vm.dirty_ratio=7")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("\n64\n7\n", done.stdout)

    def test_a_kernel_that_never_begins_the_script_ends_with_a_message(self):
        lacks = missing()
        if lacks:
            self.skipTest(lacks)
        programs = self.dir / "root" / "bin"
        programs.mkdir(parents=True)
        shutil.copy(shutil.which("busybox"), programs / "busybox")
        (programs / "sh").symlink_to("busybox")
        script = self.write("script", "true\n")
        for mount, message in (("while :; do busybox sleep 1; done", "has not begun the script after 300 s of simulated time"),
                               ("exit 1", "has ended before the script began")):
            (programs / "mount").write_text(f"#!/bin/sh\n{mount}\n")
            (programs / "mount").chmod(0o755)
            with self.subTest(message):
                done = strobe("linux", DURABLE, "--script", script, "--root", self.dir / "root")
                self.assertEqual((done.returncode, done.stdout, done.stderr),
                                 (2, "", f"strobe linux: the guest's kernel {message}; --console shows its messages\n"))

    @unittest.skipUnless(os.environ.get("STROBE_RV32") == "1", "needs the RV32 images")
    def test_with_firmware_on_the_rv32_core_a_run_gives_the_same_report_again(self):
        lacks = missing("sqlite3", "fstrim")
        if lacks:
            self.skipTest(lacks)
        runs = [strobe("linux", DURABLE, "--script", "tour", "--set", "firmware.mode=rv32", "--json", "-") for _ in range(2)]
        for done in runs:
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertEqual(json.loads(runs[0].stdout)["firmware"]["mode"], "rv32")
        self.assertEqual(runs[0].stdout, runs[1].stdout)

    def test_a_record_of_a_file_system_is_replayed_by_a_scenario(self):
        lacks = missing()
        if lacks:
            self.skipTest(lacks)
        record = self.dir / "record.log"
        done = strobe("linux", DURABLE, "--script", self.write("script", self.SCRIPT), "--record", record, "--json", "-")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        phases = json.loads(done.stdout)["phases"]
        replay = self.write("replay.json", {"extends": DURABLE, "name": "replay", "workload": {"phases": [
            {"name": "replay", "kind": "trace", "trace": {"file": str(record)}, "pacing": {"mode": "open"}}]}})
        done = strobe("run", replay, "--json", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        totals = json.loads(done.stdout)["totals"]
        for kind in ("read", "write", "trim"):
            of_guest = [phase["totals"][kind] for phase in phases if kind in phase["totals"]]
            self.assertGreater(len(of_guest), 0, kind)
            for figure in ("bytes",) if kind == "trim" else ("requests", "bytes"):  # long trims are divided
                self.assertEqual(totals[kind][figure], sum(row[figure] for row in of_guest), (kind, figure))

    def test_nvme_cli_and_smartctl_show_what_the_drive_did(self):
        lacks = missing("nvme", "smartctl")
        if lacks:
            self.skipTest(lacks)
        done = strobe("linux", DURABLE, "--script", "admin")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        for line in ("mn : Strobe SSD", "host_write_commands : 128", "Data Units Written : 17 (8.70 MB)", "Host Write Commands: 128",
                     "SMART overall-health self-assessment test result: PASSED", "critical_warning : 0x2", "Success formatting namespace:1",
                     "after the format the drive reads zeros"):
            self.assertIn(line, done.stdout)

    def test_smart_counts_a_power_loss(self):
        lacks = missing("nvme")
        if lacks:
            self.skipTest(lacks)
        script = self.write("script", "nvme smart-log $DRIVE | busybox grep -E '^(power_cycles|unsafe)' | busybox tr -d '\\t'\n"
                                      "[ $POWER_LOSSES = 1 ] || busybox sleep 1\n")
        done = strobe("linux", DURABLE, "--script", script, "--set", 'power.cuts=["100ms"]')
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertIn("power_cycles: 1\nunsafe_shutdowns: 0\n", done.stdout)
        self.assertIn("power_cycles: 2\nunsafe_shutdowns: 1\n", done.stdout)

    def test_power_losses_and_firmware_that_forgets(self):
        lacks = missing("sqlite3")
        if lacks:
            self.skipTest(lacks)
        for cuts, image, code in (("2", "page_map", 0), ("1", "page_map_forgetful", 1)):
            with self.subTest(image):
                done = strobe("linux", DURABLE, "--powercut", cuts, "--json", "-", "--set", f"firmware.image={image}")
                self.assertEqual((done.returncode, done.stderr), (code, ""), done.stdout)
                totals = json.loads(done.stdout)
                self.assertGreater(totals["committed"], 0)
                self.assertEqual(totals["lost"] == 0, code == 0)
                if code == 0:
                    self.assertEqual({name: row["ok"] for name, row in totals["checks"].items()},
                                     {"atomicity": 2, "e2fsck": 2, "integrity": 2, "kernel": 2})

    def test_power_losses_while_fio_writes_files(self):
        lacks = missing("fio")
        if lacks:
            self.skipTest(lacks)
        for image, code in (("page_map", 0), ("page_map_forgetful", 1)):
            with self.subTest(image):
                done = strobe("linux", DURABLE, "--script", "fsync", "--powercut", "1", "--json", "-", "--set", f"firmware.image={image}")
                self.assertEqual((done.returncode, done.stderr), (code, ""), done.stdout)
                totals = json.loads(done.stdout)
                self.assertGreater(totals["committed"], 0)
                self.assertEqual(totals["lost"] == 0, code == 0)
                if code == 0:
                    self.assertEqual({name: row["ok"] for name, row in totals["checks"].items()}, {"e2fsck": 1, "kernel": 1})

    def test_the_page_quotes_what_a_run_prints(self):
        lacks = missing()
        if lacks:
            self.skipTest(lacks)
        block = re.search(r"<!-- recorded output of: strobe linux \S+ --script files.*?<!-- end of output -->", Record.PAGE, re.DOTALL)
        self.write("README.md", block[0])
        done = subprocess.run([sys.executable, "-B", ROOT / "scripts" / "refresh-docs", "--check", "--recorded", STROBE, "--folder", self.dir],
                              capture_output=True, text=True, check=False, timeout=300)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)


if __name__ == "__main__":
    unittest.main()
