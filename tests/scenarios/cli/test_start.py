#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/strobe: what it installs, builds and prints, with substitutes for apt-get, cmake, ninja and the program."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]

APT = r'''#!/bin/sh
echo "apt-get $*" >>"$CALLS"
[ "$1" = install ] || exit 0
[ -z "${APT_FAILS:-}" ] || { echo "E: Unable to locate package"; exit 100; }
for word in "$@"; do case $word in APT::Status-Fd=*) fd=${word#*=} ;; esac; done
[ "$fd" -gt 2 ] || { echo "apt closes this descriptor for the scripts of packages"; exit 100; }
echo "dlstatus:1:40.0:Retrieving" >&"$fd"; echo "Unpacking one"; echo "pmstatus:one:50.0:Installing" >&"$fd"
shift; for word in "$@"; do case $word in -* | *=* ) ;; *) echo "$word" >>"$INSTALLED" ;; esac; done
'''
DPKG_QUERY = r'''#!/bin/sh
for name in "$@"; do :; done
grep -qx "$name" "$INSTALLED" && printf installed
exit 0
'''
CMAKE = r'''#!/bin/sh
echo "cmake $*" >>"$CALLS"
mkdir -p build/$2; : >build/$2/build.ninja; echo "STROBE_RV32_CC:FILEPATH=/x" >build/$2/CMakeCache.txt
'''
NINJA = r'''#!/bin/sh
directory=$2
case " $* " in *" -n "*) [ -x "$directory/strobe" ] && [ ! -e "$INSTALLED.new" ] && echo "ninja: no work to do."; exit 0 ;; esac
echo "ninja $*" >>"$CALLS"
for n in 1 2 3 4; do echo "${NINJA_STATUS}" | sed "s,%f,$n,; s,%t,4,; s,\$,Building,"; done
[ -z "${NINJA_FAILS:-}" ] || { echo "x.cpp:1: error: broken"; exit 1; }
cp "$PROGRAM" "$directory/strobe"
'''
PROGRAM = r'''#!/bin/sh
echo "program $*" >>"$CALLS"
case "$*" in *rv32*) [ -z "${STROBE_NEEDS:-}" ] || grep -q riscv "$INSTALLED" || { echo "images are not built yet" >&2; printf rv32 >"$STROBE_NEEDS"; exit 2; } ;; esac
case "$*" in explore*) grep -qs explore "$PIPS" || { [ -z "${STROBE_NEEDS:-}" ] || printf python-explore >"$STROBE_NEEDS"; exit 2; } ;; esac
case "$*" in linux*) [ -e "$INSTALLED.kernel" ] || { [ -z "${STROBE_NEEDS:-}" ] || printf linux >"$STROBE_NEEDS"; exit 2; } ;; esac
case "$*" in *mistake*) exit 2 ;; *continues*) printf rv32 >"$STROBE_NEEDS" ;; esac
case "$*" in *sleep*) trap 'echo "program ended by TERM" >>"$CALLS"; exit 143' TERM; sleep 10 & wait ;; esac
echo "a report"
'''
PYTHON = r'''#!/bin/sh
echo "python3 $*" >>"$CALLS"
[ "$1 $2" = "-m venv" ] || exit 1
for directory in "$@"; do :; done
mkdir -p "$directory/bin"
cp "$(dirname "$0")/pip" "$directory/bin/pip"
'''
PIP = r'''#!/bin/sh
echo "pip $*" >>"$CALLS"
[ -z "${PIP_FAILS:-}" ] || { echo "ERROR: No matching distribution found"; exit 1; }
echo "$*" >>"$PIPS"
'''


class Start(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        shutil.copytree(ROOT / "scripts", self.root / "scripts")
        tools = self.root / "tools"
        tools.mkdir()
        for name, text in (("apt-get", APT), ("dpkg-query", DPKG_QUERY), ("cmake", CMAKE), ("ninja", NINJA), ("program", PROGRAM),
                           ("python3", PYTHON), ("pip", PIP),
                           ("sudo", '#!/bin/sh\n[ "$1" = -v ] || exec "$@"\n')):
            (tools / name).write_text(text)
            (tools / name).chmod(0o755)
        self.calls = self.root / "calls"
        self.installed = self.root / "installed"
        self.calls.write_text("")
        self.installed.write_text("")
        self.environment = {**os.environ, "PATH": f"{tools}:/usr/bin:/bin", "CALLS": str(self.calls), "INSTALLED": str(self.installed),
                            "PROGRAM": str(tools / "program"), "PIPS": str(self.root / "pips")}
        for name in ("STROBE_RV32", "STROBE_PYTHON", "STROBE_LINUX", "STROBE_NEEDS"):
            self.environment.pop(name, None)

    def start(self, *arguments, **environment):
        return subprocess.run([self.root / "scripts" / "strobe", *arguments], capture_output=True, text=True, check=False, timeout=100,
                              env={**self.environment, **environment}, stdin=subprocess.DEVNULL)

    def test_the_first_start_installs_builds_and_runs(self):
        done = self.start("run")
        self.assertEqual((done.returncode, done.stdout), (0, "a report\n"), done.stderr)
        for line in ("step 1 of 2: installing packages", "installing packages: 75 %", "step 2 of 2: building in build/release",
                     "building in build/release: 100 %", "scripts/train"):
            self.assertIn(line, done.stderr)
        self.assertNotIn("\r", done.stderr)
        self.assertIn("g++", self.installed.read_text().split())
        self.assertNotIn("riscv", self.installed.read_text())

    def test_the_second_start_only_runs(self):
        self.start("run")
        self.calls.write_text("")
        done = self.start("run", "--quiet")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.calls.read_text(), "program run --quiet\n")

    def test_what_a_guest_runs_is_installed_and_its_kernel_is_built(self):
        (self.root / "scripts" / "build-linux-kernel").write_text('#!/bin/sh\necho "kernel $*" >>"$CALLS"; : >"$INSTALLED.kernel"\n')
        done = self.start("linux", "drive", "--script", "files")
        self.assertEqual((done.returncode, done.stdout), (0, "a report\n"), done.stderr)
        self.assertIn("the guest needs a Linux kernel, which is built once", done.stderr)
        self.assertIn("fio", self.installed.read_text().split())
        self.assertEqual(self.calls.read_text().count("kernel \n"), 1)
        self.start("linux", "drive", "--script", "files")
        self.assertEqual(self.calls.read_text().count("kernel \n"), 1)

    def test_help_for_a_guest_installs_nothing_for_it(self):
        self.start("linux", "--help")
        self.assertNotIn("fio", self.installed.read_text().split())

    def test_a_guest_can_be_refused(self):
        done = self.start("linux", "drive", STROBE_LINUX="no")
        self.assertEqual(done.returncode, 2)
        self.assertNotIn("fio", self.installed.read_text().split())
        self.assertNotIn("kernel", self.calls.read_text())

    def test_the_rv32_toolchain_is_installed_when_a_run_needs_it(self):
        self.start("run")
        done = self.start("run", "--set", "firmware.mode=rv32")
        self.assertEqual((done.returncode, done.stdout), (0, "a report\n"), done.stderr)
        self.assertIn("needs its compiler", done.stderr)
        self.assertIn("gcc-riscv64-unknown-elf", self.installed.read_text().split())

    def test_the_rv32_toolchain_can_be_refused(self):
        self.start("run")
        done = self.start("run", "--set", "firmware.mode=rv32", STROBE_RV32="no")
        self.assertNotIn("riscv", self.installed.read_text())
        self.assertEqual(self.calls.read_text().splitlines()[-1], "program run --set firmware.mode=rv32")
        self.assertEqual(done.returncode, 0)

    def test_python_packages_are_installed_when_a_command_needs_them(self):
        self.start("run")
        done = self.start("explore", "study.json")
        self.assertEqual((done.returncode, done.stdout), (0, "a report\n"), done.stderr)
        self.assertIn("into build/python and nowhere else", done.stderr)
        self.assertRegex(done.stderr, r"explore.*\d+ MB to download, \d+ MB on disk")
        self.assertIn("python3-venv", self.installed.read_text().split())
        self.assertEqual((self.root / "pips").read_text(), f"install --editable {self.root}/scripts/python[explore]\n")
        self.calls.write_text("")
        self.assertEqual(self.start("explore", "study.json").returncode, 0)
        self.assertEqual(self.calls.read_text(), "program explore study.json\n")

    def test_python_packages_can_be_refused(self):
        self.start("run")
        self.assertEqual(self.start("explore", "study.json", STROBE_PYTHON="no").returncode, 2)
        self.assertFalse((self.root / "pips").exists())

    def test_python_packages_that_cannot_be_installed_are_reported_with_the_log(self):
        self.start("run")
        done = self.start("explore", "study.json", PIP_FAILS="yes")
        self.assertEqual(done.returncode, 2)
        self.assertIn("No matching distribution", done.stderr)
        self.assertIn("the Python packages could not be installed; the whole output is in ", done.stderr)

    def test_a_command_that_still_needs_what_was_installed_ends(self):
        self.start("run")
        done = self.start("explore", "study.json", PIPS="/dev/null")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(self.calls.read_text().count("pip install"), 1)

    def test_one_command_may_need_both(self):
        self.start("run")
        done = self.start("explore", "rv32")
        self.assertEqual((done.returncode, done.stdout), (0, "a report\n"), done.stderr)
        self.assertIn("gcc-riscv64-unknown-elf", self.installed.read_text().split())
        self.assertIn("[explore]", (self.root / "pips").read_text())

    def test_a_program_that_ends_well_is_not_started_again(self):
        self.start("run")
        self.calls.write_text("")
        done = self.start("continues")
        self.assertEqual((done.returncode, done.stdout), (0, "a report\n"))
        self.assertEqual(self.calls.read_text(), "program continues\n")

    def test_a_request_to_end_is_passed_on(self):
        self.start("run")
        running = subprocess.Popen([self.root / "scripts" / "strobe", "sleep"], env=self.environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while "program sleep" not in self.calls.read_text():
            time.sleep(0.05)
        time.sleep(0.2)
        running.terminate()
        running.wait(timeout=30)
        self.assertEqual(running.returncode, 143)
        self.assertIn("program ended by TERM", self.calls.read_text())

    def test_training_counts_runs_and_builds_with_the_counts(self):
        done = subprocess.run([self.root / "scripts" / "train"], env=self.environment, capture_output=True, text=True, check=False,
                              timeout=100, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 0, done.stderr)
        calls = self.calls.read_text()
        places = [calls.index(call) for call in ("cmake --preset train ", "program bench --quick --case sequential-read-8x4",
                                                 "quickstart.json", "cmake --preset trained ", "build/trained strobe")]
        self.assertEqual(places, sorted(places))
        self.assertEqual((self.root / "build/train/counted").read_text(), (self.root / "build/trained/counted").read_text())
        self.calls.write_text("")
        self.assertEqual(self.start("run").returncode, 0)
        self.assertEqual(self.calls.read_text(), "program run\n")

    def test_packing_builds_what_is_installed(self):
        cpack = self.root / "tools" / "cpack"
        cpack.write_text('#!/bin/sh\necho "cpack $*" >>"$CALLS"\nwhile [ "$1" != -B ]; do shift; done\n: >"$2/strobe_1.deb"; : >"$2/strobe-1.tar.gz"\n')
        cpack.chmod(0o755)
        done = subprocess.run([self.root / "scripts" / "package"], env=self.environment, capture_output=True, text=True, check=False,
                              timeout=100, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("build/release installed", self.calls.read_text())
        self.assertIn("strobe_1.deb", done.stdout)
        self.assertIn("picolibc-riscv64-unknown-elf", self.installed.read_text().split())

    def test_a_fuzz_target_runs_for_a_number_of_seconds(self):
        for arguments in ([], ["none"], ["trace", "1h"], ["trace", "0"], ["trace", ""]):
            done = subprocess.run([self.root / "scripts" / "fuzz", *arguments], env=self.environment, capture_output=True, text=True, check=False,
                                  timeout=100, stdin=subprocess.DEVNULL)
            usage = "usage: scripts/fuzz scenario|trace|elf|gdb|contents|firmware_trace|qtest|calendar|proxy|vhost_user|block_server|nvme|ahci"
            self.assertEqual((done.returncode, done.stderr), (2, f"{usage} [SECONDS]\n"), arguments)

    def test_the_exit_code_is_that_of_the_program(self):
        self.start("run")
        self.assertEqual(self.start("mistake").returncode, 2)

    def test_a_failed_installation_is_reported_with_its_log(self):
        done = self.start("run", APT_FAILS="yes")
        self.assertEqual(done.returncode, 2)
        self.assertIn("Unable to locate package", done.stderr)
        self.assertIn("the installation failed; the whole output is in ", done.stderr)
        self.assertNotIn("program", self.calls.read_text())

    def test_a_failed_build_is_reported_with_its_log(self):
        done = self.start("run", NINJA_FAILS="yes")
        self.assertEqual(done.returncode, 2)
        self.assertIn("x.cpp:1: error: broken", done.stderr)
        self.assertIn("the build failed; the whole output is in ", done.stderr)

    def test_changed_presets_configure_again(self):
        presets = self.root / "CMakePresets.json"
        presets.write_text("{}")
        os.utime(presets, (1, 1))
        self.start("run")
        self.calls.write_text("")
        self.start("run")
        self.assertNotIn("cmake", self.calls.read_text())
        later = (self.root / "build" / "release" / "configure.log").stat().st_mtime + 10
        os.utime(presets, (later, later))
        self.start("run")
        self.assertIn("cmake --preset release", self.calls.read_text())

    def test_a_trained_build_is_preferred(self):
        self.start("run")
        (self.root / "build" / "trained").mkdir()
        (self.root / "build" / "trained" / "build.ninja").write_text("")
        (self.root / "build" / "trained" / "CMakeCache.txt").write_text("")
        (self.root / "build" / "train").mkdir()
        self.calls.write_text("")
        self.start("run")
        self.assertIn("build/trained strobe", self.calls.read_text())


if __name__ == "__main__":
    unittest.main()
