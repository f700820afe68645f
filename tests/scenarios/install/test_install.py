#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An installed Strobe, moved after its installation: the program, projects that build against it, users' firmware.

Needs in the environment: STROBE_BUILD (a complete build directory), CMAKE, CXX.
"""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
from xml.etree import ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = pathlib.Path(os.environ["STROBE_BUILD"])
CMAKE = os.environ["CMAKE"]
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "STROBE_SCENARIOS"}


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
        self.assertIn('there are "page_map", "start_gap", "superblock_map", or', done.stderr)

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


class FirmwareSdk(Installed):
    def test_firmware_builds_with_the_sdk_alone_and_runs(self):
        build = self.build("firmware", "--toolchain", self.prefix / "share/strobe/sdk/toolchain.cmake")
        done = run(self.strobe, "run", "--firmware", build / "blink.elf", "--console", "-")
        self.assertEqual(len(re.findall(r": on$", done.stdout, re.MULTILINE)), 10, done.stdout)
        done = run(self.strobe, "run", "workloads/one-page", "--set", "firmware.mode=rv32", "--set",
                   f"firmware.image={build / 'tiny_ftl.elf'}")
        self.assertIn("data intact: 4 sectors read back and checked", done.stdout)

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
