# SPDX-License-Identifier: Apache-2.0
"""The figures of docs/timing_model.md, each a function from the program under test to an SVG."""
import json
import os
import pathlib
import re
import subprocess
import tempfile

from timeline import US, Panel, Timeline, channel_panel, figure, kind_of
from timing_diagram import UNITS

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Program:
    """The program under test, with the scenarios beside this script."""

    def __init__(self, path):
        self.path = path
        self.environment = {**os.environ, "STROBE_SCENARIOS": str(ROOT / "scenarios")}

    def __call__(self, *arguments, cwd=None):
        return subprocess.run([self.path, *arguments], check=True, capture_output=True, text=True, cwd=cwd,
                              env=self.environment).stdout

    def timing(self, *arguments):
        """{operation: [(segment, "bus" or "die", ps)]} of strobe inspect timing."""
        timings, segments = {}, None
        for line in self("inspect", "timing", *arguments).splitlines():
            opening = re.match(r"(\S.*?): unloaded ", line)
            row = re.match(r"  (\S.*?)  +(bus|die) +[\d,]* +([\d.]+) (ns|us|ms)$", line)
            if opening:
                segments = timings.setdefault(opening.group(1), [])
            elif row:
                unit = {**UNITS, "ms": 10**9}[row.group(4)]
                segments.append((row.group(1), row.group(2), round(float(row.group(3)) * unit)))
        return timings


def microseconds(text):
    number, unit = re.fullmatch(r"([\d.]+)(ps|ns|us|ms|s)", text).groups()
    return float(number) * {"ps": 1e-6, "ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}[unit]


def pins_of_second_command(strobe, operation, sets):
    """The second 64 KiB command of the study's drive: (timeline, start of its first page, of the third command's)."""
    scenario = f"papers/ddr-nand/{operation}"
    sets = sets + [f"--set=workload.phases.{n}.volume=256KiB" for n in range(1 if operation == "write" else 2)]
    report = json.loads(strobe("run", scenario, *sets, "--quiet", "--json", "-"))
    begin = report["phases"][-1]["start_ps"]
    with tempfile.TemporaryDirectory() as folder:
        vcd = pathlib.Path(folder, "pins.vcd")
        strobe("run", scenario, *sets, "--quiet", "--vcd", str(vcd), "--vcd-limit", "65", "--vcd-from", f"{begin}ps")
        timeline = Timeline(vcd.read_text())
    firsts = [start for start, _, _, label in timeline.segments if label in ("80h", "00h")]
    return timeline, firsts[32], firsts[64]


def interleaving(strobe, operation, interface, length):
    """64 KiB at 1, 2, 4 and 8 ways: drawn from the pins of a run, with the closed form."""
    panels = []
    for ways in (1, 2, 4, 8):
        sets = ["--set", f"nand.ways={ways}", "--set", f"channel.interface={interface}"]
        scenario = f"papers/ddr-nand/{operation}"
        timeline, begin, following = pins_of_second_command(strobe, operation, sets)
        resolved = json.loads(strobe("inspect", "scenario", scenario, *sets))
        part, channel = resolved["nand"]["part"], resolved["channel"]
        segments = strobe.timing(scenario, *sets)["program" if operation == "write" else "read"]
        x = sum(time for _, where, time in segments if where == "bus") / US
        rounds = 32 // ways
        if operation == "write":
            die, name = microseconds(part["tPROG"]) + microseconds(channel["statusPollDelay"]), "tPROG + t_done"
            closed = (rounds - 1) * max(die + x, ways * x) + ways * x + die
            end = following  # the next write begins when this one is programmed
        else:
            die, name = microseconds(part["tR"]), "tR"
            closed = die + (rounds - 1) * max(die + x, ways * x) + ways * x
            end = max(stop for _, stop, _, label in timeline.segments if label == "data out" and stop <= following)
        who = "bus" if ways * x > die + x else "die"
        heading = f"{ways} way{'s' if ways > 1 else ''}: the {who} decides"
        note = (f"{name} + x = {die + x:.1f} us, ways * x = {ways * x:.1f} us; "
                f"64 KiB take {(end - begin) / US:,.0f} us, closed form {closed:,.0f} us")
        panels.append(channel_panel(timeline, heading, note, begin))
    words = "Writes" if operation == "write" else "Reads"
    return figure(f"{words} of 64 KiB, SLC, {interface}: the first {length} us of a command", panels, length * US)


def segments(strobe):
    """The segments of a read and a program on each interface, as strobe inspect timing prints them."""
    panels = []
    for operation in ("read", "program"):
        interfaces = ("CONV", "SYNC_ONLY", "PROPOSED")
        panel = Panel(operation, "", list(interfaces))
        for row, interface in enumerate(interfaces):
            segments = strobe.timing("k9f1g08u0a", interface)[operation]
            lay(panel, row, segments, 0)
        panels.append(panel)
    return figure("Segments of an operation of K9F1G08U0A", panels, 260 * US)


UNLOADED = {
    "name": "unloaded", "extends": "devices/sata-slc-4x4", "channel": {"interface": "PROPOSED"},
    "workload": {"phases": [
        {"name": "fill", "kind": "sequential", "region": {"size": "1MiB"}, "blockSize": "64KiB", "volume": "1MiB",
         "precondition": True},
        {"name": "read", "kind": "uniform", "region": {"size": "1MiB"}, "blockSize": "2KiB", "readRatio": "100%", "requests": 64,
         "pacing": {"mode": "closed", "queueDepth": 1, "thinkTime": "100us"}}]}}


def unloaded_steps(strobe):
    """A page read that nothing disturbs, from the host's command to its completion: the terms of the closed forms, each with
    the row and the kind of its bar, and the latency in a run. What the terms leave of it are register writes in between."""
    with tempfile.TemporaryDirectory() as folder:
        scenario = pathlib.Path(folder, "unloaded.json")
        scenario.write_text(json.dumps(UNLOADED))
        report = json.loads(strobe("run", str(scenario), "--quiet", "--json", "-"))
        segments = strobe.timing(str(scenario))["read"]
    config, requests = report["config"], report["totals"]["read"]["requests"]
    latency = report["totals"]["read"]["latency"]["mean_ps"]
    costs = {name: cost["cycles"] / cost["times"] for name, cost in report["firmware"]["costs"].items() if cost["times"]}
    decoding = report["flash"]["unit_stages"]["decoding_ps"] / requests
    cycle = US / 200  # cpu.clock, 200 MHz
    page = 2048

    def frame(dwords):  # SOF, CRC and EOF besides; 3 Gb/s, 10 bits per byte, 2 dwords of 256 are ALIGN
        return microseconds(config["host"]["sata"]["handshake"]) * US + (dwords + 3) * 40 / 3e9 * 256 / 254 * 1e6 * US

    def burst(size):
        return microseconds(config["memory"]["latency"]) * US + size / 800e6 * 1e6 * US  # memory.bandwidth, 800 MB/s

    def firmware(*points):
        return sum(costs[point] for point in points) * cycle

    steps = [("link", "frame", frame(5), ""), ("SDRAM", "burst", burst(32) + burst(16), ""),
             ("CPU", "work", firmware("wake_up", "host_command", "host_read_page", "flash_submit"), "map"),
             ("SDRAM", "burst", burst(64), "")]
    steps += [("array" if label == "tR" else "bus", kind_on(label, where), time, label if time > 5 * US else "")
              for label, where, time in segments]
    steps += [("ECC", "code", decoding, f"{decoding / US:.1f} us"), ("SDRAM", "burst", burst(page), ""),
              ("SDRAM", "burst", burst(24) + burst(16), ""),
              ("CPU", "work", firmware("wake_up", "flash_event", "host_transfer"), ""),
              ("link", "frame", frame(7), ""), ("link", "frame", frame(1 + page / 4), "data"), ("link", "frame", frame(2), "")]
    return steps, latency


def unloaded_read(strobe):
    steps, latency = unloaded_steps(strobe)
    rows = ["link", "CPU", "SDRAM", "ECC", "bus", "array"]
    registers = latency - sum(time for _, _, time, _ in steps)
    panel = Panel("one page of 2 KiB, queue depth 1",
                  f"{(latency - registers) / US:.3f} us of terms, {registers / US:.3f} us of register writes in between; "
                  f"the run says {latency / US:.3f} us", rows)
    at, commands = 0, 0
    for row, kind, time, text in steps:
        panel.add(rows.index(row), at, at + time, kind, text)
        at += time
        if row == "CPU":
            at += registers / 2
        elif row == "link" and commands == 0:
            commands = 1
            panel.add(0, at, at + time, kind, "")  # the drive clears BSY meanwhile, with a frame as long
    return figure("An unloaded read: SATA 3 Gb/s, CPU 200 MHz, PROPOSED at 50 MHz, SLC", [panel], 77 * US)


def kind_on(label, where):
    return "array" if where == "die" and label != "tRR" else kind_of(label)


def lay(panel, row, segments, at):
    """Draws the segments as bars from `at` on; returns their end."""
    for label, where, time in segments:
        kind = kind_on(label, where)
        words = f"{label} {time / US:.1f} us" if kind.startswith("data") or kind == "array" else ""
        panel.add(row, at, at + time, kind, words)
        at += time
    return at


PART = ("mlc-8k-2plane", "NV_DDR_5")  # of the figures with joined and suspended commands


def lay_apart(panel, segments, at):
    """Draws bus and R/B# on separate rows; returns the end of the segments."""
    for label, where, time in segments:
        kind = kind_on(label, where)
        panel.add(1 if where == "die" else 0, at, at + time, kind, label if kind != "command" else "")
        at += time
    return at


def total(segments):
    return sum(time for _, _, time in segments)


def multi_plane(strobe):
    """Two pages as two operations and as two planes of one command."""
    timings = strobe.timing(*PART)
    panels = []
    for operation in ("program", "read"):
        one, two = timings[operation], timings[f"2-plane {operation}"]
        apart = Panel(f"two {operation}s", f"{2 * total(one) / US:,.1f} us", ["bus", "R/B# low"])
        lay_apart(apart, one, lay_apart(apart, one, 0))
        together = Panel(f"{operation} of two planes", f"{total(two) / US:,.1f} us", ["bus", "R/B# low"])
        lay_apart(together, two, 0)
        panels += [apart, together]
    return figure("Multi-plane: two pages of one die, MLC 8 KiB two-plane on NV_DDR_5", panels, 2800 * US)


def cache(strobe):
    """Four pages read one by one, and as a train of cache reads."""
    timings = strobe.timing(*PART)
    read, middle = timings["read"], timings["cache read in the middle"]
    ready = next(n for n, (label, _, _) in enumerate(read) if label == "tR")
    request, array, out = read[:ready], read[ready][2], read[ready + 1:]
    busy = next(n for n, (label, _, _) in enumerate(middle) if label == "tRCBSY")
    rows = ["bus", "R/B# low", "array"]
    apart = Panel("four reads", f"a page every {total(read) / US:,.1f} us", rows)
    at = 0
    for _ in range(4):
        apart.add(2, at + total(request), at + total(request) + array, "rest", "tR")
        at = lay_apart(apart, read, at)
    step = max(total(middle), array + middle[busy][2])
    train = Panel("the same as cache reads", f"a page every {step / US:,.1f} us: while a page goes out, the array fetches "
                  "the next", rows)
    free = lay_apart(train, request, 0) + array  # when the array has the page
    train.add(1, free - array, free, "array", "tR")
    train.add(2, free - array, free, "rest", "tR")
    at = free
    for page in range(4):
        # The request goes out as soon as the bus is free; R/B# stays low until the array is free, and tRCBSY more.
        confirm = middle[:busy] if page < 3 else [("3Fh", "bus", middle[busy - 1][2])]
        at = lay_apart(train, confirm, at)
        ready_at = max(at, free) + middle[busy][2]
        train.add(1, at, ready_at, "array", "")
        if page < 3:
            free = ready_at + array
            train.add(2, ready_at, free, "rest", "tR")
        at = lay_apart(train, out, ready_at)
    return figure("Cache reads: four pages of one die, MLC 8 KiB two-plane on NV_DDR_5", [apart, train], 620 * US)


def suspend(strobe):
    """A read that comes while its die programs."""
    timings = strobe.timing(*PART)
    program, read = timings["program"], timings["read"]
    array = next(n for n, (label, _, _) in enumerate(program) if label == "tPROG")
    request, left, status = program[:array], program[array][2], program[array + 1:]
    asked = 400 * US
    waiting = Panel("without suspend", "", ["bus", "R/B# low"])
    end = lay_apart(waiting, read, lay_apart(waiting, program, 0))
    waiting.note = f"a read asked for at {asked // US} us has its data at {end / US:,.0f} us"
    cut = Panel("with suspend", "", ["bus", "R/B# low"])
    at = lay_apart(cut, request, 0)
    left -= asked - at
    cut.add(1, at, asked, "array", "tPROG")
    data = lay_apart(cut, read, lay_apart(cut, timings["program suspend"], asked))
    at = lay_apart(cut, timings["program resume"], data)
    cut.add(1, at, at + left, "array", "the rest of tPROG")
    end = lay_apart(cut, status, at + left)
    cut.note = f"the read has its data at {data / US:,.0f} us; the program ends {(end - total(program)) / US:,.0f} us later"
    return figure("Suspend: a read of a die that programs, MLC 8 KiB two-plane on NV_DDR_5", [waiting, cut], 1600 * US)


FIGURES = {
    "timeline-segments": segments,
    "timeline-unloaded-read": unloaded_read,
    "timeline-multi-plane": multi_plane,
    "timeline-cache": cache,
    "timeline-suspend": suspend,
    **{f"timeline-{operation}-{interface.lower()}":
       lambda strobe, operation=operation, interface=interface, length=length:
       interleaving(strobe, operation, interface, length)
       for operation, length in (("write", 700), ("read", 220)) for interface in ("CONV", "PROPOSED")},
}
