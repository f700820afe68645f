#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An installed Strobe, moved after its installation: the program, projects that build against it, users' firmware.

Needs in the environment: STROBE_BUILD (a complete build directory), CMAKE, CXX.
"""
import contextlib
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import tempfile
import unittest
from xml.etree import ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = pathlib.Path(os.environ["STROBE_BUILD"])
CMAKE = os.environ["CMAKE"]
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "STROBE_SCENARIOS"}


@contextlib.contextmanager
def killed(process):
    """At the end of the block, so that a test that fails does not wait for a program that waits for it."""
    try:
        yield
    finally:
        process.kill()


def run(*command, cwd="/", status=0, **more):
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False,
                          timeout=300, env={**ENVIRONMENT, **more})
    if done.returncode != status:
        raise AssertionError(f"{command}: status {done.returncode}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
    return done


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = pathlib.Path(tempfile.mkdtemp(prefix="strobe-install-"))
        cls.addClassCleanup(shutil.rmtree, cls.directory)
        run(CMAKE, "--install", BUILD, "--prefix", cls.directory / "first")
        cls.prefix = cls.directory / "moved here"
        (cls.directory / "first").rename(cls.prefix)
        cls.strobe = cls.prefix / "bin/strobe"
        cls.examples = cls.prefix / "share/strobe/examples"

    def build(self, example, *options):
        """Builds an example outside the installation, as a user would; returns the build directory."""
        source = self.directory / example
        if not source.exists():
            shutil.copytree(self.examples / example, source)
        run(CMAKE, "-S", source, "-B", source / "build", "-G", "Ninja", *options)
        run(CMAKE, "--build", source / "build")
        return source / "build"


class Program(Installed):
    def test_it_runs_a_scenario_of_the_installation(self):
        done = run(self.strobe, "run", "workloads/one-page")
        self.assertIn("data intact: 4 sectors read back and checked", done.stdout)

    def test_pages_that_the_front_pages_link_are_installed(self):
        there = self.prefix / "share/doc/strobe"
        for page in (there / "README.md", there / "docs/README.md"):
            for target in re.findall(r"\]\(([^)\s#]+)", page.read_text()):
                self.assertTrue((page.parent / target).exists(), f"{page}: {target}")

    def test_scenarios_are_searched_in_the_installation_only(self):
        done = run(self.strobe, "run", "devices/no-such-drive", status=2)
        self.assertIn(f"nor in {self.prefix}/share/strobe/scenarios", done.stderr)
        there = self.prefix / "share/strobe/scenarios/workloads/random-read.json"
        there.unlink()
        done = run(self.strobe, "validate", "workloads/random-read", status=2)
        self.assertIn("there is no such scenario", done.stderr)

    def test_another_directory_of_scenarios_can_be_named(self):
        other = self.directory / "other"
        shutil.copytree(self.prefix / "share/strobe/scenarios", other)
        (other / "workloads/one-page.json").rename(other / "workloads/mine.json")
        run(self.strobe, "validate", "workloads/mine", status=2)
        self.assertIn("ok: ", run(self.strobe, "validate", "workloads/mine", STROBE_SCENARIOS=str(other)).stdout)

    def test_its_python_package_is_that_of_the_installation(self):
        done = run(self.strobe, "explore", "--help", STROBE_PYTHON="python3")
        self.assertIn("Usage: strobe explore", done.stdout)
        (self.prefix / "share/strobe/python/strobe/explore/__init__.py").write_text("def main(words): raise SystemExit('mine')\n")
        self.assertIn("mine", run(self.strobe, "explore", "--help", STROBE_PYTHON="python3", status=1).stderr)

    def test_command_lines_are_completed(self):
        ask = f"""source {self.prefix.as_posix().replace(" ", chr(92) + " ")}/share/bash-completion/completions/strobe
            COMP_WORDS=(strobe run workloads/one); COMP_CWORD=2; _strobe; echo "${{COMPREPLY[@]}}" """
        done = run("bash", "--norc", "-c", ask, PATH=f"{self.prefix}/bin:{os.environ['PATH']}")
        self.assertEqual(done.stdout, "workloads/one-page\n")

    def test_images_with_a_deliberate_fault_are_not_installed(self):
        done = run(self.strobe, "run", "workloads/one-page", "--set", "firmware.image=none", status=2)
        self.assertIn('there are "page_map", "start_gap", "superblock_map", "zoned", or', done.stderr)

    def test_every_header_that_an_installed_header_includes_is_installed(self):
        root = self.prefix / "include/strobe"
        headers = [*root.rglob("*.h"), *root.rglob("*.def")]
        self.assertGreater(len(headers), 200)
        missing = {name for header in headers for name in re.findall(r'#include "([^"]+)"', header.read_text())
                   if not (root / name).exists()}
        self.assertEqual(missing, set())


class Package(Installed):
    """scripts/package: what it packs runs where it is unpacked, and asks for what it needs."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        run("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", cls.directory)

    def test_the_deb_runs_and_depends_on_the_libraries_that_it_loads(self):
        [deb] = self.directory.glob("strobe_*.deb")
        run("dpkg-deb", "--extract", deb, self.directory / "root")
        done = run(self.directory / "root/usr/bin/strobe", "run", "workloads/one-page")
        self.assertIn("data intact: 4 sectors read back and checked", done.stdout)
        needed = run("dpkg-deb", "--field", deb, "Depends").stdout
        for library in ("libsystemc", "libboost-iostreams", "libdw1", "libfmt9", "libc6"):
            self.assertIn(library, needed)

    def test_the_archive_runs_from_any_directory(self):
        [archive] = self.directory.glob("strobe-*.tar.gz")
        run("tar", "-xzf", archive, "-C", self.directory)
        done = run(self.directory / archive.name.removesuffix(".tar.gz") / "bin/strobe", "run", "workloads/one-page")
        self.assertIn("data intact: 4 sectors read back and checked", done.stdout)


class Examples(Installed):
    PAGE = (ROOT / "docs/embedding.md").read_text()

    def assertQuoted(self, output):
        """Every line but those of the SystemC library is in the page."""
        lines = [line for line in output.splitlines() if line and "/OSCI/SystemC" not in line]
        self.assertEqual([line for line in lines if line not in self.PAGE.splitlines()], [], "is not in docs/embedding.md")

    def setUp(self):
        self.options = [f"-DCMAKE_PREFIX_PATH={self.prefix}", f"-DCMAKE_CXX_COMPILER={os.environ['CXX']}"]

    def test_a_platform_writes_and_reads_the_drive_through_its_registers(self):
        program = self.build("platform", *self.options) / "platform"
        self.assertLessEqual(len((self.examples / "platform/main.cpp").read_text().splitlines()), 100)
        done = run(program)
        self.assertRegex(done.stdout, r"namespace: \d{6,} blocks\nwrite \d+\.\d+ us, read \d+\.\d+ us, data as written")
        self.assertQuoted(done.stdout)
        done = run(program, "devices/nvme-tlc-8x4", "firmware.completion=write-through")
        self.assertGreater(float(re.search(r"write (\S+) us", done.stdout)[1]), 500) # tPROG of a TLC page
        done = run(program, "devices/sata-mlc-8x4", status=1) # SystemC reports exceptions on standard output
        where = f"{self.prefix}/share/strobe/scenarios/devices/"
        self.assertIn(where, done.stdout)
        [mistake] = [line for line in done.stdout.splitlines() if "/host/interface" in line]
        self.assertQuoted("..." + mistake[mistake.index("/devices/"):])
        self.assertIn('/host/interface: SsdDevice has NVMe registers, not those of "sata"; must be "nvme"', done.stdout)

    def test_a_die_of_other_origin_works_on_a_channel(self):
        done = run(self.build("foreign_die", *self.options) / "foreign_die")
        self.assertRegex(done.stdout, r"read +600, mean latency")
        self.assertQuoted(done.stdout)
        self.assertIn("problems: 0", done.stdout)

    def test_another_version_is_not_found(self):
        source = self.directory / "newer"
        source.mkdir()
        (source / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.22)\nproject(newer LANGUAGES CXX)\n"
                                               "find_package(strobe 99 REQUIRED)\n")
        done = run(CMAKE, "-S", source, "-B", source / "build", "-G", "Ninja", *self.options, status=1)
        self.assertIn('requested version "99"', " ".join(done.stderr.split()))


def rust_targets():
    """Where this machine's Rust compiler keeps libraries for the core, or None."""
    try:
        said = subprocess.run(["rustc", "--print", "target-libdir", "--target", RUST_TARGET], capture_output=True, text=True,
                              check=False, timeout=60)
    except FileNotFoundError:
        return None
    folder = pathlib.Path(said.stdout.strip())
    return folder if said.returncode == 0 and shutil.which("cargo") and any(folder.glob("libcore*.rlib")) else None


RUST_TARGET = "riscv32imac-unknown-none-elf"
HELLO = r"16 dies, pages of 2048 bytes, 200\.0 MHz\n.*: -{30}\n.*: no heap of \d{5,6} bytes: refused\n"


class FirmwareSdk(Installed):
    def test_firmware_builds_with_the_sdk_alone_and_runs(self):
        build = self.build("firmware", "--toolchain", self.prefix / "share/strobe/sdk/toolchain.cmake")
        done = run(self.strobe, "run", "--firmware", build / "blink.elf", "--console", "-")
        self.assertEqual(len(re.findall(r": on$", done.stdout, re.MULTILINE)), 10, done.stdout)
        done = run(self.strobe, "run", "workloads/one-page", "--set", "firmware.mode=rv32", "--set",
                   f"firmware.image={build / 'tiny_ftl.elf'}")
        self.assertIn("data intact: 4 sectors read back and checked", done.stdout)

    def test_firmware_on_the_hal_prints_and_takes_memory(self):
        build = self.build("firmware", "--toolchain", self.prefix / "share/strobe/sdk/toolchain.cmake")
        for way in ("uart", "semihosting"):
            done = run(self.strobe, "run", "workloads/one-page", "--firmware", build / f"hello_{way}.elf", "--console", "-")
            self.assertRegex(done.stdout, HELLO)

    def test_firmware_on_the_hal_survives_power_losses(self):
        build = self.build("firmware", "--toolchain", self.prefix / "share/strobe/sdk/toolchain.cmake")
        drive = self.directory / "drive.json"
        drive.write_text(json.dumps({
            "extends": str(self.prefix / "share/strobe/scenarios/devices/sata-mlc-4x4.json"),
            "nand": {"part": {"extends": "k9gag08u0m", "blocksPerPlane": 16, "pagesPerBlock": 32, "maxBadBlocks": 1},
                     "channels": 1, "ways": 2},
            "firmware": {"mode": "rv32", "image": str(build / "durable_ftl.elf"), "overProvisioning": "50%", "spareBlocks": 1},
            "workload": {"phases": [
                {"name": "fill", "kind": "sequential", "blockSize": "128KiB", "volume": "100%", "precondition": True},
                {"name": "mixed", "kind": "uniform", "blockSize": "4KiB", "readRatio": "20%", "trimRatio": "10%",
                 "flushEvery": 16, "requests": 1000}]}}))
        totals = json.loads(run(self.strobe, "powercut", drive, "--cuts", 20, "--json", "-").stdout)
        self.assertEqual((totals["cuts"], totals["violations"]), (20, 0))
        self.assertGreater(totals["sectors_read_back"], 100000)
        self.assertEqual(totals["pages_scanned"], 20 * 2 * 31 * 32)  # each page of the good blocks, once at each start
        self.assertGreater(totals["operations_cut"], 10)

    def test_make_builds_the_same_images(self):
        prefix = self.directory / "link"  # make cannot handle spaces
        prefix.symlink_to(self.prefix)
        source = self.directory / "made"
        shutil.copytree(self.examples / "firmware", source)
        run("make", "-C", source, f"STROBE={prefix}")
        self.assertEqual({image.stem for image in (source / "build").glob("*.elf")},
                         {"blink", "tiny_ftl", "durable_ftl", "hello_uart", "hello_semihosting"})
        for image in ("tiny_ftl", "durable_ftl"):
            done = run(self.strobe, "run", "workloads/one-page", "--firmware", source / f"build/{image}.elf")
            self.assertIn("data intact: 4 sectors read back and checked", done.stdout)
        for way in ("uart", "semihosting"):
            image = source / f"build/hello_{way}.elf"
            self.assertRegex(run(self.strobe, "run", "workloads/one-page", "--firmware", image, "--console", "-").stdout, HELLO)

    def test_a_way_to_print_that_does_not_exist_is_refused(self):
        source = self.directory / "wrong"
        source.mkdir()
        (source / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.22)\nproject(wrong LANGUAGES C ASM)\n"
                                               "find_package(strobe-sdk REQUIRED)\nstrobe_firmware(wrong main.c PRINTF LCD)\n")
        done = run(CMAKE, "-S", source, "-B", source / "build", "-G", "Ninja", "--toolchain",
                   self.prefix / "share/strobe/sdk/toolchain.cmake", status=1)
        self.assertIn('PRINTF is "LCD"; must be UART or SEMIHOSTING', " ".join(done.stderr.split()))

    def test_the_files_for_visual_studio_code_build_start_and_debug(self):
        source = self.directory / "studio"
        shutil.copytree(self.examples / "firmware", source)
        [launch] = json.loads((source / ".vscode/launch.json").read_text())["configurations"]
        tasks = {task["label"]: task for task in json.loads((source / ".vscode/tasks.json").read_text())["tasks"]}
        json.loads((source / ".vscode/extensions.json").read_text())
        path = f"{self.prefix / 'bin'}:{os.environ['PATH']}"
        self.assertEqual((launch["preLaunchTask"], tasks["drive"]["dependsOn"]), ("drive", "build"))
        run("sh", "-c", tasks["build"]["command"], cwd=source, PATH=path)

        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            port = str(one.getsockname()[1])
        matcher = tasks["drive"]["problemMatcher"]["background"]
        with subprocess.Popen(["sh", "-c", "exec " + tasks["drive"]["command"].replace("3333", port)], cwd=source, text=True,
                              env={**ENVIRONMENT, "PATH": path}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as drive, killed(drive):
            self.assertRegex(drive.stderr.readline(), matcher["endsPattern"])
            here = {name: value.replace("${workspaceFolder}", str(source)).replace("3333", port)
                    for name, value in launch.items() if isinstance(value, str)}
            host = next(part for part in ElementTree.parse(here["svdPath"]).iter("peripheral") if part.findtext("name") == "HOST")
            slots = next(part for part in host.iter("register") if part.findtext("name") == "SLOTS")
            done = run(here["miDebuggerPath"], "-q", "-batch", here["program"], "-ex",
                       f"target remote {here['miDebuggerServerAddress']}", "-ex", "break firmware_main", "-ex", "continue",
                       "-ex", f"x/1wx {int(host.findtext('baseAddress'), 0) + int(slots.findtext('addressOffset'), 0)}", "-ex", "kill")
            drive.communicate(timeout=60)
        self.assertRegex(done.stdout, r"Breakpoint 1, firmware_main")
        self.assertRegex(done.stdout, r"0x3000004:\s+0x00000020")  # of SATA

    def test_firmware_in_rust_blinks_and_reads_a_page(self):
        if rust_targets() is None:
            self.skipTest(f"no cargo and Rust compiler with libraries for {RUST_TARGET}: rustup target add {RUST_TARGET}")
        source = self.directory / "rust"
        shutil.copytree(self.examples / "rust_firmware", source)
        run("cargo", "build", "--release", "--offline", cwd=source, STROBE_PREFIX=str(self.prefix))
        image = source / "target" / RUST_TARGET / "release/rust_firmware"
        done = run(self.strobe, "run", "workloads/one-page", "--firmware", image, "--console", "-")
        self.assertRegex(done.stdout, r"1\.\d+ ms: on\n2\.\d+ ms: off\n(.*\n){4}.*: page read as written\n")

    def test_the_register_map_comes_in_the_formats_of_tools(self):
        registers = self.prefix / "share/strobe/sdk/registers"
        self.assertEqual({file.suffix for file in registers.iterdir()}, {".rdl", ".svd", ".xml", ".html"})
        names = {peripheral.findtext("name") for peripheral in ElementTree.parse(registers / "strobe.svd").iter("peripheral")}
        self.assertLessEqual({"INTC", "TIMER", "UART", "HOST", "FLASH"}, names)

    def test_without_the_toolchain_file_the_sdk_says_what_is_missing(self):
        source = self.directory / "native"
        shutil.copytree(self.examples / "firmware", source)
        done = run(CMAKE, "-S", source, "-B", source / "build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}", status=1)
        self.assertIn("share/strobe/sdk/toolchain.cmake", done.stderr)


if __name__ == "__main__":
    unittest.main()
