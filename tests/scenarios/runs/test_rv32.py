#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Firmware on the RV32 core: the same data and the same work for the flash as natively, users' own images, and the
messages for files that cannot run.

Needs STROBE in the environment: the program under test. Without images for the core (no compiler for it) all is skipped.
"""
import json
import os
import pathlib
import struct
import subprocess
import tempfile
import unittest

from test_runs import figures_only

STROBE = os.environ["STROBE"]
IMAGES = pathlib.Path(STROBE).resolve().parent / "firmware"

SMALL = {
    "extends": "devices/sata-mlc-4x4.json",
    "nand": {"part": {"extends": "k9gag08u0m", "blocksPerPlane": 16, "maxBadBlocks": 1}, "channels": 2, "ways": 2},
    "firmware": {"overProvisioning": "25%", "spareBlocks": 1, "pageMap": {"gc": {"lowBlocks": 3, "idleBlocks": 0}}},
}
FILL = {"name": "fill", "kind": "sequential", "blockSize": "128KiB", "volume": "100%", "precondition": True}


def strobe(*arguments):
    return subprocess.run([STROBE, *arguments], capture_output=True, text=True, check=False, timeout=600)


@unittest.skipUnless((IMAGES / "strobe_firmware_page_map.elf").exists(), "no RV32 images were built")
class Rv32(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def scenario(self, phases, **changes):
        path = pathlib.Path(self.folder.name, "scenario.json")
        path.write_text(json.dumps({**SMALL, **changes, "name": "t", "workload": {"phases": phases}}))
        return str(path)

    def run_modes(self, scenario, *arguments):
        reports = []
        for mode in ("native", "rv32"):
            done = strobe("run", scenario, "--json", "-", "--set", f"firmware.mode={mode}", *arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
            reports.append(json.loads(done.stdout))
            self.assertEqual(reports[-1]["firmware"]["mode"], mode)
            self.assertEqual(reports[-1]["integrity"]["mismatches"], 0)
        return reports

    def assert_same_work(self, native, rv32):
        self.assertEqual(native["totals"]["all"]["requests"], rv32["totals"]["all"]["requests"])
        self.assertEqual(native["totals"]["all"]["bytes"], rv32["totals"]["all"]["bytes"])
        self.assertEqual(native["integrity"]["checked_sectors"], rv32["integrity"]["checked_sectors"])
        self.assertEqual(native["flash"]["operations"], rv32["flash"]["operations"])

    def test_one_request_at_a_time_gives_the_same_flash_operations_in_both_modes(self):
        # Nothing overlaps, so no order depends on how long the CPU takes: every count must be the same. (Garbage
        # collection would continue during the requests, and the CPU's time would decide which pages are still valid.)
        native, rv32 = self.run_modes(self.scenario([{
            "name": "mixed", "kind": "uniform", "blockSize": "2KiB", "readRatio": "50%", "requests": 6000,
            "pacing": {"queueDepth": 1}}], firmware={**SMALL["firmware"], "completion": "write-through"}))
        self.assert_same_work(native, rv32)
        self.assertGreater(native["flash"]["operations"]["by_purpose"]["merge"]["reads"], 0)
        self.assertNotIn("instructions", native["firmware"])
        self.assertGreater(rv32["firmware"]["instructions"], 100 * 6000)
        self.assertEqual(rv32["firmware"]["costs"], {})

    def test_many_requests_at_a_time_keep_their_data_in_both_modes(self):
        native, rv32 = self.run_modes(self.scenario([FILL, {
            "name": "mixed", "kind": "uniform", "blockSize": "4KiB", "readRatio": "40%", "requests": 12000,
            "pacing": {"queueDepth": 32}}]))
        self.assertEqual(native["totals"]["all"]["requests"], rv32["totals"]["all"]["requests"])
        self.assertGreater(rv32["flash"]["operations"]["total"]["erases"], 10)
        programs = [r["flash"]["operations"]["total"]["programs"] for r in (native, rv32)]
        self.assertLess(abs(programs[0] / programs[1] - 1), 0.05, programs)  # the order decides which writes merge in the buffer

    @figures_only
    def test_the_quickstart_has_the_same_data_and_reads_in_both_modes(self):
        native, rv32 = self.run_modes("quickstart")
        self.assertEqual(native["totals"]["all"]["requests"], rv32["totals"]["all"]["requests"])
        self.assertEqual(native["totals"]["all"]["bytes"], rv32["totals"]["all"]["bytes"])
        self.assertEqual(native["integrity"]["checked_sectors"], rv32["integrity"]["checked_sectors"])

    def test_random_reads_do_not_search_the_window_of_a_read_ahead_that_holds_nothing(self):
        scenario = self.scenario([FILL, {"name": "r", "kind": "uniform", "blockSize": "4KiB", "readRatio": "100%",
                                         "requests": 500}])
        instructions = []
        for ahead in ([], ["--set", 'firmware.pageMap.readAhead={"streams": 8, "window": 256}']):
            done = strobe("run", scenario, "--json", "-", "--set", "firmware.mode=rv32", *ahead)
            self.assertEqual(done.returncode, 0, done.stderr)
            instructions.append(json.loads(done.stdout)["firmware"]["instructions"])
        self.assertLess(instructions[1], instructions[0] + 500 * 400, instructions)

    def test_validate_refuses_an_image_that_does_not_fit_the_memory_of_the_drive(self):
        scenario = self.scenario([FILL], sram={"size": "64KiB"}, firmware={**SMALL["firmware"], "mode": "rv32"})
        for command in ("validate", "run"):
            done = strobe(command, scenario)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("does not lie in memory; there is SRAM 0x00000000 to 0x0000ffff", done.stderr)
        self.assertEqual(strobe("validate", scenario, "--set", "sram.size=128KiB").returncode, 0)

    def test_the_same_run_twice_gives_the_same_bytes(self):
        scenario = self.scenario([{"name": "w", "kind": "uniform", "blockSize": "4KiB", "requests": 500}])
        runs = [strobe("run", scenario, "--json", "-", "--set", "firmware.mode=rv32") for _ in range(2)]
        self.assertEqual(runs[0].returncode, 0, runs[0].stderr)
        self.assertEqual(runs[0].stdout, runs[1].stdout)

    def test_firmware_that_loses_updates_is_detected_on_the_core_too(self):
        scenario = self.scenario([FILL, {"name": "r", "kind": "sequential", "blockSize": "64KiB", "readRatio": "100%",
                                         "volume": "100%"}])
        done = strobe("run", scenario, "--set", "firmware.mode=rv32", "--set", "firmware.image=page_map_lossy")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("DATA MISMATCH", done.stdout)

    def test_an_illegal_instruction_stops_the_run_and_its_address_is_reported(self):
        address, image = self.without_first_instruction("strobe_firmware_page_map.elf")
        done = strobe("run", "--firmware", image)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(f"panic: illegal instruction at pc 0x{address:08x}, mtval 0x00000000", done.stderr)
        self.assertIn("image.elf", done.stderr)

    def test_an_image_that_stops_without_output_is_reported_with_its_last_trap(self):
        address, image = self.without_first_instruction("example_blink.elf")
        done = strobe("run", "--firmware", image)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(f"it has stopped itself (reason 0x20023, code 0; mcause 2, mepc 0x{address:08x}", done.stderr)

    def without_first_instruction(self, name):
        elf = IMAGES / name
        symbols = subprocess.run(["riscv64-unknown-elf-nm", str(elf)], capture_output=True, text=True, check=True).stdout
        address, = [int(line.split()[0], 16) for line in symbols.splitlines() if line.endswith(" firmware_main")]
        return address, self.changed(self.offset_of(elf.read_bytes(), address), bytes(4), name)

    @staticmethod
    def offset_of(file, address):
        headers, = struct.unpack_from("<I", file, 28)
        for i in range(struct.unpack_from("<H", file, 44)[0]):
            kind, offset, start, _, size = struct.unpack_from("<5I", file, headers + 32 * i)
            if kind == 1 and start <= address < start + size:
                return offset + address - start
        raise AssertionError(hex(address))

    # --- users' own images --------------------------------------------------------------------------------------------

    def test_the_smallest_image_blinks_ten_times_and_ends_the_run(self):
        done = strobe("run", "--firmware", str(IMAGES / "example_blink.elf"), "--console", "-", "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        self.assertEqual([line.split(": ")[1] for line in lines], ["on", "off"] * 10)
        self.assertTrue(lines[0].startswith("1."), lines[0])  # a millisecond, and the time of three bytes on the line

    @unittest.skipUnless(pathlib.Path("/dev/full").exists(), "no device that is always full")
    def test_console_lines_that_cannot_be_written_are_reported_after_the_report(self):
        done = strobe("run", "--firmware", str(IMAGES / "example_blink.elf"), "--console", "/dev/full")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("no data was checked", done.stdout)
        self.assertEqual(done.stderr.strip().splitlines()[-1], "--console: /dev/full: cannot be written: No space left on device; "
                                                               "lines of firmware are missing")

    def test_the_tiny_translation_layer_keeps_data_during_garbage_collection(self):
        scenario = self.scenario([FILL, {"name": "mixed", "kind": "uniform", "blockSize": "2KiB", "readRatio": "40%",
                                         "requests": 6000, "pacing": {"queueDepth": 8}}])
        done = strobe("run", scenario, "--firmware", str(IMAGES / "example_tiny_ftl.elf"), "--json", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual(report["integrity"]["mismatches"], 0)
        self.assertGreater(report["integrity"]["checked_sectors"], 0)
        self.assertGreater(report["flash"]["operations"]["total"]["erases"], 10)

    # --- what cannot run ----------------------------------------------------------------------------------------------

    def refused(self, *arguments):
        done = strobe("run", *arguments)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        return done.stderr

    def changed(self, offset, value, name="strobe_firmware_page_map.elf"):
        file = bytearray((IMAGES / name).read_bytes())
        file[offset:offset + len(value)] = value
        path = pathlib.Path(self.folder.name, "image.elf")
        path.write_bytes(file)
        return str(path)

    def test_a_file_for_another_machine_is_refused(self):
        self.assertIn("made for x86-64 (ELF machine 62); the core is RISC-V", self.refused("--firmware", STROBE))
        self.assertIn("64-bit", self.refused("--firmware", self.changed(4, b"\x02")))

    def test_a_segment_outside_memory_is_refused_and_the_memories_are_listed(self):
        said = self.refused("--firmware", str(IMAGES / "strobe_firmware_page_map.elf"), "--set", "sram.size=16KiB")
        self.assertIn("does not lie in memory; there is SRAM 0x00000000 to 0x00003fff", said)

    def test_segments_that_overlap_are_refused(self):
        data = (IMAGES / "strobe_firmware_page_map.elf").read_bytes()
        headers, = struct.unpack_from("<I", data, 28)
        self.assertIn("overlap", self.refused("--firmware", self.changed(headers + 8, struct.pack("<I", 0x3000))))

    def test_a_truncated_file_and_a_missing_one_are_refused(self):
        data = (IMAGES / "strobe_firmware_page_map.elf").read_bytes()
        path = pathlib.Path(self.folder.name, "short.elf")
        path.write_bytes(data[:5000])
        self.assertIn("truncated: the file ends after 5000 bytes", self.refused("--firmware", str(path)))
        self.assertIn("cannot be read", self.refused("--firmware", str(path) + ".gone"))

    def test_the_message_for_a_missing_image_lists_the_images(self):
        said = self.refused("--set", "firmware.mode=rv32", "--set", "firmware.image=page_mop")
        self.assertIn('there is no RV32 image "page_mop"; there are ', said)
        self.assertIn('"page_map"', said)


@unittest.skipUnless((IMAGES / "strobe_firmware_page_map_marked.elf").exists(), "no RV32 images were built")
class Calibration(unittest.TestCase):
    def test_the_cost_points_in_use_are_those_measured_on_the_core(self):
        with tempfile.TemporaryDirectory() as folder:
            table = pathlib.Path(folder, "cost_cycles.h")
            done = strobe("calibrate", "--check", "--write", str(table))
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertNotIn("has drifted", done.stdout)
            self.assertIn("#define COST_CYCLES_host_command ", table.read_text())


if __name__ == "__main__":
    unittest.main()
