#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pins on the command line: strobe inspect waveform, and strobe run --vcd.

Needs STROBE in the environment: the program under test.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.dom.minidom

STROBE = os.environ["STROBE"]

SMALL = {
    "name": "small drive",
    "nand": {"part": {"extends": "k9f1g08u0a", "blocksPerPlane": 32, "maxBadBlocks": 1}, "channels": 1, "ways": 2},
    "channel": {"interface": "PROPOSED"},
    "memory": {"size": "16MiB", "bufferSize": "1MiB"},
    "firmware": {"overProvisioning": "20%"},
    "workload": {"phases": [{"name": "mix", "kind": "uniform", "readRatio": "50%", "blockSize": "4KiB", "requests": 200}]},
}
# Two planes; a part that can suspend, and pages short enough to draw hundreds of them.
TWO_PLANES = {
    "name": "joined drive",
    "nand": {"part": {"extends": "mlc-8k-2plane", "blocksPerPlane": 24, "maxBadBlocks": 1, "pageSize": "2KiB", "spareSize": "64B",
                      "pagesPerBlock": 64, "tPROG": "300us", "multiPlaneCache": True}, "channels": 1, "ways": 1},
    "channel": {"interface": "NV_DDR_5"},
    "controller": {"multiPlane": True, "cacheOperations": True},
    "memory": {"size": "16MiB", "bufferSize": "64KiB"},
    "firmware": {"overProvisioning": "30%"},
    "workload": {"phases": [
        {"name": "fill", "kind": "sequential", "readRatio": "0%", "blockSize": "128KiB", "volume": "1MiB", "precondition": True},
        {"name": "mix", "kind": "uniform", "readRatio": "50%", "blockSize": "2KiB", "requests": 150},
        {"name": "read", "kind": "sequential", "readRatio": "100%", "blockSize": "16KiB", "requests": 10}]},
}
PLAIN = ("read", "program", "erase", "copyback", "status", "id", "reset")
MORE = ("multi-plane-read", "multi-plane-program", "multi-plane-erase", "cache-read", "cache-program", "copyback-halves",
        "multi-plane-cache-program", "program-suspend", "erase-suspend")
UNITS = {"ps": 1, "ns": 1000, "us": 1000000}


def strobe(*arguments):
    return subprocess.run([STROBE, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=300)


class Vcd:
    """The parts of a value change dump that the tests need; an unknown line is an error."""

    def __init__(self, text):
        number, unit = re.search(r"\$timescale (\d+) (\w+) \$end", text).groups()
        scale = int(number) * UNITS[unit]
        head, body = text.split("$enddefinitions $end\n")
        names = dict(re.findall(r"\$var \w+ \d+ (\S+) (\w+)", head))
        self.changes = {name: [] for name in names.values()}
        self.end = 0
        for line in body.splitlines():
            if line in ("$dumpvars", "$end"):
                continue
            if line.startswith("#"):
                time = int(line[1:]) * scale
                if time < self.end:
                    raise AssertionError("time runs backwards")
                self.end = time
                continue
            value, code = line[1:].split(" ") if line.startswith("b") else (line[0], line[1:])
            if set(value) - set("01xz"):
                raise AssertionError(line)
            self.changes[names[code]].append((self.end, value))

    def falls(self, name):
        return [time for time, value in self.changes[name][1:] if value == "0"]

    def phases(self):
        """(start in ps, label), gaps included."""
        return [(time, bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits) - 7, 8)).decode())
                for time, bits in self.changes["phase"]]


class Directory(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)
        self.small = self.dir / "small.json"
        self.small.write_text(json.dumps(SMALL))
        self.vcd = self.dir / "pins.vcd"

    @property
    def planes(self):
        file = self.dir / "planes.json"
        file.write_text(json.dumps(TWO_PLANES))
        return file

    def fails(self, *arguments):
        done = strobe(*arguments)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        return done.stderr


class Waveform(Directory):
    def table(self, *arguments):
        done = strobe("inspect", "waveform", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = re.findall(r"^  (\S.*?) +(bus|die) +([\d.]+) ns +([\d.]+) ns +([\d.]+) ns  (.+)$", done.stdout, re.MULTILINE)
        return done.stdout, [(name, float(start), float(end), float(length), rule) for name, _, start, end, length, rule in rows]

    def test_each_interface_has_its_pins_and_its_periods(self):
        for interface, pins, cycle, rule in (("CONV", ("WE#", "RE#", "DCLK"), 19.814, "4 tRC"),
                                             ("SYNC_ONLY", ("RWEB", "DVS"), 12, "4 tRWC"),
                                             ("PROPOSED", ("RWEB", "DVS"), 6, "4 tRWC/2")):
            text, rows = self.table("read", self.small, "--interface", interface, "--bytes", 4)
            for pin in pins + ("CE#", "CLE", "ALE", "IO", "R/B#"):
                self.assertRegex(text, rf"(?m)^  {re.escape(pin)} +\S")
            self.assertEqual([row[0] for row in rows],
                             ["tCS", "00h", "column address", "row address", "30h", "tR", "tRR", "tCS", "data out"])
            self.assertAlmostEqual(rows[-1][3], 4 * cycle, 3)
            self.assertEqual(rows[-1][4], rule)
            for before, after in zip(rows, rows[1:]):
                self.assertEqual(before[2], after[1])

    def test_the_table_ends_where_inspect_timing_ends(self):
        for interface in ("CONV", "SYNC_ONLY", "PROPOSED"):
            timing = strobe("inspect", "timing", self.small, "--set", f"channel.interface={interface}").stdout
            for operation in ("read", "program", "erase", "copyback"):
                total = re.search(rf"^{operation}: unloaded ([\d.]+) (us|ms)", timing, re.MULTILINE).groups()
                _, rows = self.table(operation, self.small, "--interface", interface)
                in_unit = rows[-1][2] / {"us": 1e3, "ms": 1e6}[total[1]]
                self.assertAlmostEqual(in_unit / float(total[0]), 1, 5)

    def test_commands_of_several_planes_end_where_inspect_timing_ends(self):
        for interface in ("CONV", "PROPOSED", "ONFI_SDR_5", "NV_DDR_5", "NV_DDR2_4", "NV_DDR3_8"):
            timing = strobe("inspect", "timing", self.planes, "--set", f"channel.interface={interface}").stdout
            for operation in ("read", "program", "erase"):
                total = re.search(rf"^2-plane {operation}: unloaded ([\d.]+) (us|ms)", timing, re.MULTILINE).groups()
                _, rows = self.table(f"multi-plane-{operation}", self.planes, "--interface", interface)
                in_unit = rows[-1][2] / {"us": 1e3, "ms": 1e6}[total[1]]
                self.assertAlmostEqual(in_unit / float(total[0]), 1, 5)

    def test_joined_and_suspended_commands_are_drawn_from_the_first_to_the_last_byte(self):
        for operation, commands in (
                ("multi-plane-read", "00h 32h 00h 30h 06h E0h 06h E0h"), ("multi-plane-program", "80h 11h 80h 10h 78h 78h"),
                ("multi-plane-erase", "60h D1h 60h D0h 78h 78h"), ("cache-read", "00h 30h 00h 31h 00h 31h 3Fh"),
                ("cache-program", "80h 15h 80h 15h 70h 80h 10h 70h 70h"),
                ("multi-plane-cache-program", "80h 11h 80h 15h 80h 11h 80h 15h 78h 78h 80h 11h 80h 10h 78h 78h 78h 78h"),
                ("copyback-halves", "00h 35h 05h E0h 85h 85h 85h 10h 70h"),
                ("program-suspend", "80h 10h 84h 00h 30h 13h 70h"), ("erase-suspend", "60h D0h 61h 00h 30h D2h 70h")):
            moves = () if operation == "multi-plane-erase" else ("--bytes", 3)
            text, rows = self.table(operation, self.planes, *moves)
            self.assertEqual(" ".join(row[0] for row in rows if re.fullmatch("[0-9A-F]{2}h", row[0])), commands)
            for before, after in zip(rows, rows[1:]):
                self.assertEqual(before[2], after[1])
            self.assertRegex(text, r"(?m)^  DQ +\S")

    def test_the_help_names_every_operation(self):
        text = strobe("inspect", "waveform", "--help").stdout
        for operation in PLAIN + MORE:
            self.assertRegex(text, rf"(?m)^  {operation} +\S")

    def test_a_page_of_pcm_goes_over_the_bus_access_by_access(self):
        _, rows = self.table("program", "papers/aging/pcm")
        self.assertEqual([row[0] for row in rows].count("80h"), 4)
        self.assertEqual({row[4] for row in rows if row[0] == "data in"}, {"1024 tWC"})

    def test_the_diagram_shows_the_bytes(self):
        text, _ = self.table("program", self.small, "--bytes", 3)
        line = next(line for line in text.splitlines() if line.startswith("  IO"))
        self.assertRegex(line, r"\|80.*\|00 *\|01 *\|02 *\|10")

    def test_both_ways_of_latching_read_data_are_explained(self):
        self.assertIn("tD = 9.907 ns after RE# falls (eq. 1)", self.table("read", self.small, "--interface", "CONV")[0])
        self.assertIn("tDLL = tIOD,max - tRWEBD,min + tIOS = 9.000 ns - 1.650 ns + 4.940 ns = 12.290 ns (eq. 2)",
                      self.table("read", self.small)[0])

    def test_a_die_without_data_strobe_is_read_with_re(self):
        text, rows = self.table("read", self.small, "--bytes", 2, "--set", "nand.part.dataStrobe=false")
        self.assertIn("CONV at 19.814 ns", text)
        self.assertRegex(text, r"(?m)^  RE# ")
        self.assertNotIn("DVS", text)
        self.assertAlmostEqual(rows[-1][3], 2 * 19.814, 3)

    def test_the_vcd_file_has_the_segments_of_the_table(self):
        for operation in PLAIN + MORE:
            _, rows = self.table(operation, self.small if operation in PLAIN else self.planes, "--vcd", self.vcd)
            vcd = Vcd(self.vcd.read_text())
            labelled = [(time / 1000, label) for time, label in vcd.phases() if label]
            self.assertEqual(labelled, [(start, name) for name, start, *_ in rows])
            self.assertGreaterEqual(vcd.end / 1000, rows[-1][2])

    def test_a_whole_page_is_the_default_and_double_data_rate_halves_the_edges(self):
        for interface, strobe_pin, falls in (("CONV", "RE_n", 2112), ("SYNC_ONLY", "DVS", 2112), ("PROPOSED", "DVS", 1056)):
            self.table("read", self.small, "--interface", interface, "--vcd", self.vcd)
            self.assertEqual(len(Vcd(self.vcd.read_text()).falls(strobe_pin)), falls)

    def test_mistakes_have_one_clear_line(self):
        self.assertIn('"fly" is not an operation with a waveform; must be read, program,', self.fails("inspect", "waveform", "fly"))
        for operation, scenario, reason in (("multi-plane-read", self.small, "it has one plane"),
                                            ("erase", "papers/aging/pcm", "it is phase-change memory, which has neither"),
                                            ("cache-read", "papers/aging/pcm", "which has no cache register")):
            self.assertIn(reason, self.fails("inspect", "waveform", operation, scenario))
        self.assertIn("erase-suspend of MLC 8 KiB two-plane: it cannot suspend",
                      self.fails("inspect", "waveform", "erase-suspend", self.planes, "--set", "nand.part.maxSuspends=0"))
        self.assertIn("it has no multi-plane commands", self.fails("inspect", "waveform", "multi-plane-erase", self.planes,
                                                                   "--set", "nand.part.multiPlane=none"))
        self.assertIn("over before the array could come to rest", self.fails("inspect", "waveform", "program-suspend", self.planes,
                                                                             "--set", "nand.part.tPROG=30us"))
        self.assertIn("erase moves no page data", self.fails("inspect", "waveform", "erase", "--bytes", 3))
        self.assertIn("/channel/interface", self.fails("inspect", "waveform", "read", "--interface", "FAST"))
        missing = self.dir / "none" / "x.vcd"
        self.assertIn(f"{missing}: cannot be written", self.fails("inspect", "waveform", "read", "--vcd", missing))
        self.assertEqual(strobe("inspect", "waveform", "read", "--bytes", 0).returncode, 2)
        self.assertEqual(strobe("inspect", "waveform").returncode, 2)
        self.assertFalse(self.vcd.exists())


class Recording(Directory):
    def run_with(self, *arguments):
        report = self.dir / "report.json"
        done = strobe("run", self.small, "--quiet", "--json", report, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return report.read_text(), done.stderr

    def test_options_of_the_dump_without_a_dump_are_refused(self):
        for arguments, said in ((("--vcd-limit", "5"), "--vcd-limit requires --vcd"), (("--vcd-from", "1ms"), "requires --vcd"),
                                (("--vcd", "-"), "must name a file"), (("--json", ""), "must name a file")):
            done = strobe("run", *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(said, done.stderr)

    def test_a_recording_does_not_change_the_run(self):
        plain, _ = self.run_with()
        recorded, errors = self.run_with("--vcd", self.vcd)
        self.assertEqual(plain, recorded)
        self.assertEqual(errors, "")
        again = self.vcd.read_text()
        self.run_with("--vcd", self.vcd)
        self.assertEqual(self.vcd.read_text(), again)
        self.assertEqual(sorted(file.name for file in self.dir.iterdir()), ["pins.vcd", "report.json", "small.json"])

    def test_it_shows_the_requested_number_of_operations(self):
        first_commands = ("00h", "80h", "60h")
        for limit in (1, 7, 15):
            self.run_with("--vcd", self.vcd, "--vcd-limit", limit)
            vcd = Vcd(self.vcd.read_text())
            self.assertEqual(len([label for _, label in vcd.phases() if label in first_commands]), limit)
            self.assertEqual(set(vcd.changes) & {"CE_n0", "CE_n1", "RB_n0", "RB_n1"}, {"CE_n0", "CE_n1", "RB_n0", "RB_n1"})

    # Every time on the bus is drawn, and the program stops if one is not as long on the pins as it was in the run.
    def commands(self, scenario, *arguments):
        done = strobe("run", scenario, "--quiet", "--vcd", self.vcd, *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        labels = [label for _, label in Vcd(self.vcd.read_text()).phases()]
        return {label: labels.count(label) for label in labels}

    def test_joined_commands_of_a_run_are_all_drawn(self):
        count = self.commands(self.planes, "--vcd-from", "76ms", "--vcd-limit", 300)
        self.assertTrue({"00h", "30h", "32h", "06h", "31h", "3Fh", "80h", "10h", "11h", "15h", "70h", "78h"} <= set(count), count)
        self.assertEqual(count["80h"], count["10h"] + count["11h"] + count["15h"])
        self.assertEqual(count["00h"], count["30h"] + count["31h"] + count["32h"])
        self.assertEqual(count["80h"], count["70h"] + count["78h"])
        self.assertEqual(count["06h"], 2 * count["32h"])
        self.assertEqual(count["data out"], count["00h"])

    def test_cache_programs_of_a_run_are_all_drawn(self):
        count = self.commands(self.planes, "--vcd-from", "155ms", "--vcd-limit", 300, "--set", "controller.multiPlane=false")
        self.assertGreater(count["15h"], 5)
        self.assertEqual(count["80h"], count["10h"] + count["15h"])
        self.assertEqual(count["80h"], count["70h"])

    def test_suspensions_of_a_run_are_all_drawn(self):
        count = self.commands(self.planes, "--vcd-from", "76ms", "--vcd-limit", 300, "--set", "channel.suspend=both")
        self.assertGreater(count["84h"], 5)
        self.assertEqual(count["84h"], count["13h"])
        # Reads go out between the two, at most four, and nothing else happens to the one die.
        order = " ".join(label for _, label in Vcd(self.vcd.read_text()).phases() if re.fullmatch("[0-9A-F]{2}h", label))
        for meanwhile in re.findall("84h(.*?)13h", order):
            self.assertRegex(meanwhile, "^ (00h 30h ){1,4}$")

    def test_copy_backs_in_halves_are_all_drawn(self):
        merging = ('nand.part={"extends": "k9k8g08u0m", "blocksPerPlane": 64, "maxBadBlocks": 4}', "nand.factoryBadBlocks=2",
                   "firmware.spareBlocks=4", "firmware.superblockMap.sectorBuffer=1MiB", "workload.phases.0.region.size=8MiB",
                   "workload.phases.1.region.size=8MiB", "workload.phases.1.requests=600")
        count = self.commands("papers/hydra/random-write", "--vcd-limit", 40, "--vcd-from", "271ms",
                              *(argument for key in merging for argument in ("--set", key)))
        self.assertGreater(count["35h"], 5)
        self.assertEqual({count["35h"]}, {count["05h"], count["E0h"], count["spare record"]})
        self.assertGreater(count["85h"], count["35h"])  # sectors at other columns, too

    def test_the_accesses_of_pcm_are_all_drawn(self):
        count = self.commands("papers/aging/pcm", "--vcd-limit", 5)
        self.assertEqual(count["10h"] + count.get("30h", 0), 5 * 4)

    def test_it_begins_at_the_requested_time(self):
        self.run_with("--vcd", self.vcd, "--vcd-from", "1ms", "--vcd-limit", 3)
        starts = [time for time, label in Vcd(self.vcd.read_text()).phases() if label]
        self.assertGreaterEqual(starts[0], 10**9)

    def test_old_and_new_chips_share_a_channel(self):
        # Exit code 0: every sector read was the one written.
        _, errors = self.run_with("--vcd", self.vcd, "--set", "nand.conventionalWays=1", "--data", "bytes")
        self.assertEqual(errors, "")
        vcd = Vcd(self.vcd.read_text())
        selected = {way: [time for time, value in vcd.changes[f"CE_n{way}"][1:] if value == "0"] for way in (0, 1)}
        self.assertTrue(selected[0] and selected[1])
        starts = vcd.phases()
        lengths = {0: set(), 1: set()}
        for (time, label), (end, _) in zip(starts, starts[1:]):
            if label in ("80h", "00h"):  # the way is the one that was selected last
                way = max((0, 1), key=lambda w: max([t for t in selected[w] if t <= time], default=-1))
                lengths[way].add(end - time)
        self.assertEqual(lengths, {0: {12000}, 1: {19814}})

    def test_mistakes_have_one_clear_line(self):
        self.assertIn("the drive has channels 0 to 0", self.fails("run", self.small, "--vcd", self.vcd, "--vcd-channel", 1))
        self.assertIn("--vcd-from soon:", self.fails("run", self.small, "--vcd", self.vcd, "--vcd-from", "soon"))
        self.assertIn("cannot be written", self.fails("run", self.small, "--vcd", self.dir / "none" / "x.vcd"))
        self.assertFalse(self.vcd.exists())

    def test_a_channel_on_which_nothing_happens_is_reported(self):
        _, errors = self.run_with("--vcd", self.vcd, "--vcd-from", "1000s")
        self.assertRegex(errors, r"x?\S+: no operation on channel 0 after 1000 s; the run ended at [\d.]+ [mu]?s\n")


class Figures(Directory):
    PLOT = pathlib.Path(__file__).resolve().parents[3] / "scripts" / "plot-waveform"

    def plot(self, *arguments):
        return subprocess.run([sys.executable, "-B", self.PLOT, *map(str, arguments)], capture_output=True, text=True,
                              check=False, timeout=300)

    def test_the_figures_of_the_documentation_are_those_of_this_program(self):
        done = self.plot("--figures", STROBE, "--folder", self.dir)
        self.assertEqual(done.returncode, 0, done.stderr)
        drawn = sorted(self.dir.glob("*.svg"))
        self.assertEqual(len(drawn), 10)
        for figure in drawn:
            xml.dom.minidom.parse(str(figure))
            kept = self.PLOT.parents[1] / "docs" / "figures" / figure.name
            self.assertEqual(figure.read_text(), kept.read_text(), f"{kept}: scripts/plot-waveform --figures draws it anew")

    def test_the_dump_of_a_run_can_be_drawn(self):
        strobe("run", self.small, "--quiet", "--vcd", self.vcd, "--vcd-limit", 2)
        done = self.plot(self.vcd, self.dir / "run.svg", "--title", "a < b")
        self.assertEqual(done.returncode, 0, done.stderr)
        xml.dom.minidom.parse(str(self.dir / "run.svg"))

    def test_a_file_that_is_not_a_dump_is_reported(self):
        done = self.plot(self.small, self.dir / "run.svg")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(len(done.stderr.splitlines()), 1)


class Timelines(Directory):
    PLOT = pathlib.Path(__file__).resolve().parents[3] / "scripts" / "plot-timeline"
    NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")

    def plot(self, *arguments):
        return subprocess.run([sys.executable, "-B", self.PLOT, *map(str, arguments)], capture_output=True, text=True,
                              check=False, timeout=300)

    def bars(self, svg):
        """[(row as the distance from the top, left, width)], the background left out."""
        boxes = xml.dom.minidom.parseString(svg).getElementsByTagName("rect")
        return [tuple(float(box.getAttribute(name)) for name in ("y", "x", "width")) for box in boxes if box.getAttribute("x")]

    def check_figures(self, prefix):
        # They are drawn from runs: a small change of firmware's time may move a line, so numbers may differ a little.
        done = self.plot("--figures", STROBE, "--prefix", prefix, "--folder", self.dir)
        self.assertEqual(done.returncode, 0, done.stderr)
        drawn = sorted(self.dir.glob("*.svg"))
        kept = sorted((self.PLOT.parents[1] / "docs" / "figures").glob(f"{prefix}*.svg"))
        self.assertEqual([figure.name for figure in drawn], [figure.name for figure in kept])
        for new, old in zip(drawn, kept):
            stale = f"{old}: scripts/plot-timeline --figures draws it anew"
            now, then = new.read_text(), old.read_text()
            self.assertEqual(self.NUMBER.sub("#", now), self.NUMBER.sub("#", then), stale)
            for a, b in zip(self.NUMBER.findall(now), self.NUMBER.findall(then)):
                a, b = float(a.replace(",", "")), float(b.replace(",", ""))
                self.assertLessEqual(abs(a - b), max(1, b / 100), stale)

    def test_the_figures_of_the_timing_model_are_those_of_this_program(self):
        self.check_figures("timeline-")

    def test_the_figures_of_drives_of_today_are_those_of_this_program(self):
        self.check_figures("drive-")

    def test_the_pins_of_a_run_show_bus_and_arrays(self):
        # Four dies program a page each: 12.756 us on the bus one after the other, then 200 us of R/B# low.
        done = strobe("run", "papers/ddr-nand/write", "--quiet", "--set", "nand.ways=4", "--set", "channel.interface=PROPOSED",
                      "--set", "workload.phases.0.volume=64KiB", "--vcd", self.vcd, "--vcd-limit", 4)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = self.plot(self.vcd, self.dir / "run.svg", "--length", 300, "--title", "a < b")
        self.assertEqual(done.returncode, 0, done.stderr)
        bars = self.bars((self.dir / "run.svg").read_text())
        per_us = (900 - 70 - 20) / 300
        arrays = [bar for bar in bars if abs(bar[2] - 200 * per_us) < 0.2]
        self.assertEqual(len(arrays), 4)
        self.assertEqual(len({top for top, _, _ in arrays}), 4)
        data = sorted({left for _, left, width in bars if abs(width - 12.672 * per_us) < 0.2})
        self.assertEqual(len(data), 4)
        for left, following in zip(data, data[1:]):
            self.assertGreaterEqual(following - left, 12.7 * per_us)

    def test_a_file_that_is_not_a_dump_is_reported(self):
        strobe("run", self.small, "--quiet", "--vcd", self.vcd, "--vcd-from", "1000s")
        missing = self.dir / "none.vcd"
        for file, said in ((self.small, "small.json"), (missing, "none.vcd"), (self.vcd, "nothing happens")):
            done = self.plot(file, self.dir / "run.svg")
            self.assertEqual(done.returncode, 2)
            self.assertEqual(len(done.stderr.splitlines()), 1)
            self.assertIn(said, done.stderr)
        self.assertFalse((self.dir / "run.svg").exists())


if __name__ == "__main__":
    unittest.main()
