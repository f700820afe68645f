#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`strobe linux`: its options and protocols with a peer in place of a kernel. test_linux_kernel.py has runs of a real one."""
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import time
import unittest

from cli_support import ROOT, SMALL, STROBE, Directory, strobe

FAKE = pathlib.Path(__file__).with_name("fake_guest.py")
PAGE = (ROOT / "docs" / "linux.md").read_text()
DRIVE = {**{key: value for key, value in SMALL.items() if key != "workload"}, "host": {"interface": "nvme"}}


class LinuxTest(Directory):
    def setUp(self):
        super().setUp()
        self.drive = self.write("drive.json", DRIVE)
        self.script = self.write("script", "echo hello\n")
        # The root file system of a guest that is not there: the program only looks for what a guest needs.
        (self.dir / "root" / "bin").mkdir(parents=True)
        for name in ("sh", "mount", "busybox"):
            (self.dir / "root" / "bin" / name).write_text("")
            (self.dir / "root" / "bin" / name).chmod(0o755)

    def linux(self, *arguments, guest="", **environment):
        return strobe("linux", self.drive, "--script", self.script, "--root", self.dir / "root", *arguments,
                      env={**os.environ, "TMPDIR": str(self.dir), "FAKE_GUEST": guest, **environment})


    def started(self, guest):
        words = [STROBE, "linux", self.drive, "--script", self.script, "--root", self.dir / "root", "--kernel", FAKE, "--console"]
        return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                env={**os.environ, "TMPDIR": str(self.dir), "FAKE_GUEST": guest})


def is_running(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


class Guest(LinuxTest):
    def test_a_guest_finds_the_drive_and_lives_in_simulated_time(self):
        done = self.linux("--kernel", FAKE, "--json", self.dir / "report.json", guest="boot")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertIn("version 10400\ntime of day 1704067200\n", done.stdout)
        self.assertNotIn("the guest boots", done.stdout)
        self.assertIn("\n  ended at 1234567 ns\n", done.stdout)
        report = json.loads((self.dir / "report.json").read_text())
        self.assertEqual([phase["name"] for phase in report["phases"]], ["boot", "look", "power off"])
        self.assertEqual(report["simulated_ps"], 1_234_567_000)

    def test_the_commands_that_the_drive_gets_become_a_trace_that_a_scenario_replays(self):
        record = self.dir / "record.log"
        done = self.linux("--kernel", FAKE, "--console", "--record", record, guest="nvme")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertIn("as written: True\n", done.stdout)
        lines = [line.split() for line in record.read_text().splitlines()]
        self.assertEqual([line[2:] for line in lines[1:]], [["add"], ["open"], ["write", "40960", "4096"], ["sync", "0", "0"], ["sync", "0", "0"],
                                                            ["read", "40960", "4096"], ["trim", "40960", "4096"], ["close"]])
        self.assertEqual({int(line[0]) // 1000 for line in lines[3:5]}, {3})  # us: three commands of 1 ms before
        replay = self.write("replay.json", {**DRIVE, "workload": {"phases": [
            {"name": "replay", "kind": "trace", "trace": {"file": str(record)}, "pacing": {"mode": "open"}}]}})
        done = strobe("run", replay, "--json", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        phase = json.loads(done.stdout)["phases"][0]
        self.assertEqual({kind: phase["totals"][kind]["requests"] for kind in ("read", "write", "flush", "trim")},
                         {"read": 1, "write": 1, "flush": 2, "trim": 1})

    def test_a_sata_drive_is_behind_an_ahci_adapter(self):
        for interface in ("sata", "ahci"):
            done = self.linux("--kernel", FAKE, "--console", "--set", f"host.interface={interface}", guest="ahci")
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
            self.assertRegex(done.stdout, r"register 10 10301\n.*register 128 133\n")

    def test_the_console_shows_everything_with_its_time(self):
        done = self.linux("--kernel", FAKE, "--console", guest="boot")
        self.assertIn("[   0.000000000] the guest boots\n", done.stdout)
        self.assertRegex(done.stdout, r"\[   0.00000\d{4}\] version 10400\n")

    def test_the_report_is_alone_on_standard_output(self):
        done = self.linux("--kernel", FAKE, "--console", "--json", "-", guest="boot")
        self.assertEqual(json.loads(done.stdout)["simulated_ps"], 1_234_567_000)
        self.assertIn("[   0.000000000] the guest boots\n", done.stderr)

    def test_ctrl_c_ends_a_guest_that_does_not_answer(self):
        with self.started("deaf") as run:
            self.assertIn("deaf", run.stdout.readline())
            time.sleep(0.3)  # until it has been called
            run.send_signal(signal.SIGINT)
            out, errors = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 130, out + errors)
        self.assertIn("strobe linux: stopped by the user\n", errors)

    def test_no_process_of_the_guest_outlives_the_program(self):
        with self.started("child") as run:
            child = int(run.stdout.readline().split()[-1])
            self.assertTrue(is_running(child))
            run.kill()
            run.wait()
        end = time.monotonic() + 30
        while is_running(child) and time.monotonic() < end:
            time.sleep(0.05)
        self.assertFalse(is_running(child))

    def test_a_power_loss_at_its_instant_and_what_the_next_guest_finds(self):
        for found, check, code, row in (("2", "ok", 0, "2.5 us 2 2 0 e2fsck ok"), ("3", "ok", 0, "2.5 us 2 3 0 e2fsck ok"),
                                        ("1", "ok", 1, "2.5 us 2 1 1 e2fsck ok"), ("2", "failed", 1, "2.5 us 2 2 0 e2fsck failed")):
            with self.subTest(row):
                done = self.linux("--kernel", FAKE, "--set", "power.cuts=[\"2500ns\"]", guest="commits", FAKE_FOUND=found, FAKE_CHECK=check)
                self.assertEqual((done.returncode, done.stderr), (code, ""), done.stdout)
                self.assertIn(row, [" ".join(line.split()) for line in done.stdout.splitlines()])
                self.assertIn("\n  ended at 10002500 ns\n", done.stdout)  # 10 ms without power

    def test_many_power_losses_and_the_command_that_repeats_one(self):
        def cut(*arguments, **environment):
            return self.linux("--kernel", FAKE, "--powercut", "4", *arguments, guest="commits", **environment)

        before = self.files()
        done = cut("--json", "-", FAKE_FOUND="4")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        totals = json.loads(done.stdout)
        self.assertEqual((totals["cuts"], totals["lost"], totals["checks"], totals["failures"]), (4, 0, {"e2fsck": {"ok": 4, "failed": 0}}, []))
        self.assertEqual(totals["committed"] + totals["found_unreported"], 16)
        self.assertEqual(cut("--json", "-", FAKE_FOUND="4").stdout, done.stdout)
        self.assertNotEqual(cut("--json", "-", "--seed", "2", FAKE_FOUND="4").stdout, done.stdout)

        done = cut(FAKE_FOUND="0")
        self.assertEqual((done.returncode, done.stderr), (1, ""), done.stdout)
        self.assertEqual(self.files(), before)
        quoted = re.search(r"<!-- recorded output of: strobe linux \S+ --powercut [^\n]*\n```\n(.*?)```", PAGE, re.DOTALL)[1]
        rows = [[re.split(r" {2,}", line)[1] for line in text.splitlines() if line.startswith("  ") and " check " not in line]
                for text in (quoted, done.stdout.split("ERRORS")[0])]
        self.assertEqual(*rows)  # the page has the rows that are printed today
        command, what = re.search(r"ERRORS: (strobe linux .*)\n  (.*)\n", done.stdout).groups()
        lost = int(re.match(r"(\d+) of \1 transactions that were reported committed are lost$", what)[1])
        done = subprocess.run(["sh", "-c", f"exec {command.replace('strobe', shlex.quote(STROBE), 1)}"], capture_output=True, text=True, check=False,
                              env={**os.environ, "FAKE_GUEST": "commits", "FAKE_FOUND": "0"})
        self.assertEqual((done.returncode, done.stderr), (1, ""), done.stdout)
        self.assertRegex(done.stdout, rf" us +{lost} +0 +{lost} +e2fsck ok\n")

    def test_mistakes_with_power_losses(self):
        for arguments, message in ((["--powercut", "0"], "--powercut 0: must be a whole number, 1 to 1000000"),
                                   (["--powercut", "1", "--console"], "--console: not with --powercut, which runs several guests at a time"),
                                   (["--powercut", "1", "--record", self.dir / "r"], "--record: not with --powercut, which runs several guests"),
                                   (["--seed", "1"], "--seed requires --powercut"),
                                   (["--powercut", "1"], "it reports no transactions (committed N), so there is nothing to check after a "
                                                         "power loss; \"transactions\" does")):
            with self.subTest(message):
                done = self.linux("--kernel", FAKE, *arguments, guest="boot")
                self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
                self.assertIn(message, done.stderr)

    def test_outputs_never_replace_what_the_guest_needs(self):
        for cuts in ([], ["--powercut", "1"]):
            for file in (self.drive, self.script, ROOT / "scripts" / "lib" / "linux" / "init"):
                before = pathlib.Path(file).read_bytes()
                with self.subTest(file=file, cuts=cuts):
                    done = self.linux("--kernel", FAKE, *cuts, "--json", file, guest="commits", FAKE_FOUND="4")
                    self.assertEqual((done.returncode, done.stdout, done.stderr),
                                     (2, "", f"--json: {file} is read by this command; name another file\n"))
                    self.assertEqual(pathlib.Path(file).read_bytes(), before)

    def test_a_mark_without_a_meaning_ends_with_a_message(self):
        done = self.linux("--kernel", FAKE, "--set", "power.cuts=[\"2500ns\"]", guest="commits", FAKE_FOUND="two")
        self.assertEqual((done.returncode, done.stderr), (1, "strobe linux: the script reports \"found two\"; must be a number\n"))

    def test_nothing_stays_behind(self):
        before = self.files()
        self.linux("--kernel", FAKE, guest="boot")
        self.assertEqual(self.files(), before)

    def test_messages_that_a_protocol_does_not_allow_end_the_run_with_a_message(self):
        for guest, message in (("calendar", "calendar: operation 77 is unknown"),
                               ("past", "calendar: the guest asks to run in the past"),
                               ("far", "calendar: the guest asks to run after the end of simulated time"),
                               ("late", "vhost-user: message 99 is unknown"),
                               ("half", "calendar: the peer has gone within a message"),
                               ("message", "vhost-user: message 99 is unknown"),
                               ("memory", "vhost-user: a memory region that is not in its file"),
                               ("chain", "vhost-user: a descriptor beyond the end of its table"),
                               ("access", "vhost-user: PCI operation 9 is unknown"),
                               ("sleep", "the guest sleeps, and the drive has nothing to do that could wake it")):
            with self.subTest(guest):
                done = self.linux("--kernel", FAKE, guest=guest)
                self.assertEqual((done.returncode, done.stderr), (1, f"strobe linux: {message}\n"))
                self.assertIn(f"INTERRUPTED ({message})", " ".join(done.stdout.split()))

    def test_a_kernel_whose_script_does_not_begin_ends_with_a_message(self):
        for guest, message in (("leave", "the guest's kernel has ended before the script began"),
                               ("slow", "the guest's kernel has not begun the script after 300 s of simulated time")):
            with self.subTest(guest):
                done = self.linux("--kernel", FAKE, guest=guest)
                self.assertEqual((done.returncode, done.stdout, done.stderr),
                                 (2, "", f"strobe linux: {message}; --console shows its messages\n"))
                done = self.linux("--kernel", FAKE, "--set", "power.cuts=[\"2500ns\"]", guest="commits", FAKE_AGAIN=guest)
                self.assertEqual((done.returncode, done.stderr), (1, f"strobe linux: {message}; --console shows its messages\n"))

    def test_options_for_the_kernel(self):
        done = self.linux("--kernel", FAKE, "--console", "--kernel-option", "nvme.write_queues=1", "--kernel-option", "sysctl.vm.dirty_ratio=5",
                          guest="boot")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertIn("] option nvme.write_queues=1\n", done.stdout)
        self.assertIn("] option sysctl.vm.dirty_ratio=5\n", done.stdout)
        nvme = ("the other options of the kernel are those of the front; with this drive, the name must be one of nvme.*, nvme_core.*, "
                "sysctl.vm.*")
        sata = nvme.replace("nvme.*, nvme_core.*", "ahci.*, libahci.*, libata.*, scsi_mod.*")
        form = "must be NAME=VALUE, without white space and quotation marks, for instance nvme.write_queues=1"
        for option, interface, message in (("mem=1G", "nvme", f"mem=1G: {nvme}"), ("init=/bin/true", "nvme", f"init=/bin/true: {nvme}"),
                                           ("libata.force=noncq", "nvme", f"libata.force=noncq: {nvme}"),
                                           ("nvme.write_queues=1", "sata", f"nvme.write_queues=1: {sata}"),
                                           ("nvme.=1", "nvme", f"nvme.=1: {nvme}"), ("quiet", "nvme", f'"quiet": {form}'),
                                           ("nvme.x=", "nvme", f'"nvme.x=": {form}'), ("nvme.x=1 init=/x", "nvme", f'"nvme.x=1 init=/x": {form}'),
                                           ('nvme.x="1"', "nvme", f'"nvme.x="1"": {form}'),
                                           (f"nvme.x={'1' * 1024}", "nvme", "1032 characters in all; must be 1024 or less")):
            with self.subTest(option[:40]):
                done = self.linux("--kernel", FAKE, "--set", f"host.interface={interface}", "--kernel-option", option, guest="boot")
                self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", f"--kernel-option: {message}\n"))
        done = self.linux("--kernel", FAKE, "--kernel-option", "nvme.write_queues=9", guest="refuse")
        self.assertEqual((done.returncode, done.stdout, done.stderr),
                         (2, "", "--kernel-option: the kernel has not taken nvme.write_queues=9: the value is not one of the parameter's\n"))

    def test_the_queues_of_a_driver_that_makes_several(self):
        done = self.linux("--kernel", FAKE, "--json", self.dir / "report.json", guest="queues")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        rows = [line.split() for line in done.stdout.split("Queues of the guest's driver\n")[1].splitlines()[1:4]]
        self.assertEqual(rows, [["queue", "1", "0", "1", "1", "1", "2"], ["queue", "2", "2", "0", "0", "2", "2"],
                                ["queue", "3", "1", "0", "0", "polled", "0"]])
        report = json.loads((self.dir / "report.json").read_text())
        self.assertEqual(report["queues"]["2"], {"reads": 2, "writes": 0, "others": 0, "interrupts": 2, "vector": 2})
        self.assertNotIn("vector", report["queues"]["3"])
        done = self.linux("--kernel", FAKE, "--json", self.dir / "report.json", guest="nvme")
        self.assertNotIn("Queues of the guest's driver", done.stdout)  # one
        self.assertNotIn("queues", json.loads((self.dir / "report.json").read_text()))

    def test_mistakes_have_one_message_each(self):
        root = self.dir / "root"
        pata = self.write("pata.json", {**DRIVE, "host": {"interface": "pata"}})
        cases = [
            (["--kernel", "/none"], "--kernel: /none is not a program"),
            (["--root", "/none"], "--root: /none is not a directory"),
            (["--script", "none"], "--script: none: there is no such file; must be a file or one of admin, files, fio, flush, fstrim, "
                                 "fsync, packages, read-response, sqlite, tour, transactions"),
            (["--record", "/none/record"], "/none/record: cannot be written: No such file or directory"),
            (["--set", "power.meanCutInterval=1ms"],
             "/power/maxCuts: after each power loss the script begins anew; must be a number, or the run might not end"),
            (["--set", "report.stages=true"],
             "/report/stages: strobe linux does not observe where the time of its requests goes; must be false"),
        ]
        for arguments, message in cases:
            with self.subTest(message):
                words = ["linux", self.drive, "--script", self.script, "--root", root]
                for option, value in zip(arguments[::2], arguments[1::2]):
                    if option in words:
                        words[words.index(option) + 1] = value
                    else:
                        words += [option, value]
                if "--kernel" not in words:
                    words += ["--kernel", FAKE]
                done = strobe(*words)
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                self.assertTrue(done.stderr.endswith(message + "\n"), done.stderr)
        done = strobe("linux", pata, "--script", self.script, "--root", root, "--kernel", FAKE)
        self.assertEqual(done.returncode, 2)
        self.assertIn('must be "nvme", or "sata" or "ahci"', done.stderr)
        quoted = (self.dir / 'a"b')
        quoted.mkdir()
        done = strobe("linux", self.drive, "--script", self.script, "--root", quoted, "--kernel", FAKE)
        self.assertEqual(done.returncode, 2)
        self.assertIn(": the guest's kernel takes no path with quotation marks\n", done.stderr)
        (root / "bin" / "busybox").unlink()
        done = self.linux("--kernel", FAKE)
        self.assertIn("has no bin/busybox, which Debian's package busybox-static provides", done.stderr)

    def test_without_a_kernel_it_says_how_to_get_one(self):
        done = self.linux(XDG_CACHE_HOME=str(self.dir), STROBE_NEEDS=str(self.dir / "needs"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("scripts/build-linux-kernel builds one from Debian's package linux-source-6.1, once", done.stderr)
        self.assertEqual((self.dir / "needs").read_text(), "linux")


class KernelScript(Directory):
    def test_a_build_that_is_ended_leaves_no_sources(self):
        programs = self.dir / "bin"
        programs.mkdir()
        for name, text in (("dpkg-query", "printf installed"), ("tar", "ls -d \"$XDG_CACHE_HOME\"/strobe/linux/build-*/; kill -$SIGNAL $PPID")):
            (programs / name).write_text(f"#!/bin/sh\n{text}\n")
            (programs / name).chmod(0o755)
        log = self.dir / "strobe" / "linux" / "build.log"
        for name, status in (("INT", 130), ("TERM", 143)):
            with self.subTest(name):
                done = subprocess.run([ROOT / "scripts" / "build-linux-kernel"], capture_output=True, check=False, timeout=60,
                                      env={**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "SIGNAL": name, "XDG_CACHE_HOME": str(self.dir)})
                self.assertIn("/build-", log.read_text())  # it was there
                self.assertEqual((done.returncode, [file.name for file in log.parent.iterdir()]), (status, ["build.log"]), done.stderr)


if __name__ == "__main__":
    unittest.main()
