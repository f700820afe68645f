# SPDX-License-Identifier: Apache-2.0
"""Tables of the documentation that no command prints: each a function from the program under test to Markdown.

scripts/refresh-docs puts them between <!-- table of: NAME --> and <!-- end of table -->.
"""
import json
import pathlib
import re
import tempfile

from timeline import US
from timeline_figures import ROOT, UNLOADED, microseconds, unloaded_steps

# When firmware with page mapping charges a cost point. Points of other layers and of the second core are not in the table.
CHARGED = {
    "wake_up": "after each sleep",
    "loop_round": "per round of the loop, after the events of that round",
    "host_command": "per command taken",
    "read_command_overhead": "per read command",
    "write_command_overhead": "per write command",
    "host_read_page": "per mapping unit of a read",
    "host_write_page": "per mapping unit of a write",
    "host_transfer": "per transfer ordered (writes: up to 8 KiB)",
    "host_complete": "per completion by register; the last transfer of a read completes without it",
    "host_trim_page": "per mapping unit unmapped",
    "allocate_page": "per page programmed for the host",
    "flash_submit": "per descriptor",
    "flash_event": "per flash event",
    "map_update": "per mapping unit whose map entry changes",
    "table_unit": "per mapping unit of a flash operation, if a page has several",
    "gc_choose": "per search for a victim",
    "gc_page": "per page of the victim",
    "recover_page": "per record examined after a power loss",
    "recover_entry": "per entry of the mapping tables rebuilt after a power loss",
    "idle_scan": "per check for background work",
    "channel_poll": "per channel and poll, if `firmware.pageMap.readPolls` or `writePolls` is set",
}


def table(*rows):
    """The first row is the heading."""
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


def run(strobe, scenario):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "scenario.json")
        file.write_text(json.dumps(scenario))
        return json.loads(strobe("run", str(file), "--quiet", "--json", "-"))


def cost_points(strobe):
    """Cycles of each point, and how often one request charges it on the drive of the unloaded read, with write-through."""
    count = 8

    def charges(size, ratio):
        fill, measured = UNLOADED["workload"]["phases"]
        measured = {**measured, "kind": "sequential", "blockSize": size, "readRatio": ratio, "requests": count}
        report = run(strobe, {**UNLOADED, "firmware": {"completion": "write-through"}, "workload": {"phases": [fill, measured]}})
        costs = report["firmware"]["costs"]
        cycles.update(report["config"]["firmware"]["costs"])
        return {name: f"{cost['times'] / count:g}" if cost["times"] else "" for name, cost in costs.items()}

    cycles = {}
    write, read = charges("4KiB", "0%"), charges("64KiB", "100%")
    return table(("cost point", "cycles", "charged", "per 4 KiB write*", "per 64 KiB read*"),
                 *((f"`{name}`", f"{cycles[name]:,}", text, write[name], read[name]) for name, text in CHARGED.items()))


def unloaded_read(strobe):
    """The terms of the figure of the same name, those of one activity together; their sum must be the latency of the run."""
    steps, latency = unloaded_steps(strobe)
    times = [time for _, _, time, _ in steps]
    first = next(at for at, step in enumerate(steps) if step[0] in ("bus", "array"))
    ecc = next(at for at, step in enumerate(steps) if step[0] == "ECC")
    fis, records, map_work, descriptor = times[:first]
    decode, page, status, event_work, *frames = times[ecc:]
    registers = 5 * US // 100
    clock = 200  # MHz
    terms = [
        ("Register FIS", fis, "[host.md](host.md#serial-ata); the drive's answer (BSY clear) overlaps the following terms"),
        ("command record, event", records, "two bursts of the memory port: 60 ns + bytes / 800 MB/s"),
        ("wake_up, host_command, host_read_page, flash_submit", map_work, f"{map_work * clock / US:,.0f} cycles at {clock} MHz"),
        ("fetch the descriptor", descriptor, "[controller.md](controller.md#times)"),
        ("request, tR, tRR, data out", sum(times[first:ecc]), "the segments above, at 20 ns"),
        ("decode", decode, "1 us + 2,048 bytes at 200 MB/s"),
        ("store the page, status and spare record, event", page + status, "three bursts"),
        ("wake_up, flash_event, host_transfer", event_work, f"{event_work * clock / US:,.0f} cycles"),
        ("DMA Setup, Data, Set Device Bits", sum(frames), "three frames; the data leaves memory meanwhile"),
        ("register writes", registers, "five, 10 ns each")]
    total = sum(time for _, time, _ in terms)
    if abs(total - latency) > 10:  # ps: the mean of frames that are rounded to 1 ps each
        raise ValueError(f"the terms of an unloaded read add up to {total / US:.6f} us; the run gives {latency / US:.6f} us")
    return table(("term", "us", "source"), *((name, f"{time / US:.3f}", source) for name, time, source in terms),
                 ("**sum = latency in the run**", f"**{latency / US:.3f}**", ""))


def binary(size):
    """16384 -> 16 KiB"""
    units = ["B", "KiB", "MiB", "GiB"]
    while size >= 1024 and size % 1024 == 0 and len(units) > 1:
        size, units = size // 1024, units[1:]
    return f"{size:,} {units[0]}"


def size_of(text):
    number, unit = re.fullmatch(r"(\d+)([KMG]i)?B", text).groups()
    return int(number) << {None: 0, "Ki": 10, "Mi": 20, "Gi": 30}[unit]


def names(folder):
    return sorted(file.stem for file in (ROOT / "scenarios" / folder).glob("*.json"))


def devices(strobe):
    rows = []
    for name in names("devices"):
        scenario = json.loads(strobe("inspect", "scenario", f"devices/{name}"))
        rows.append((f"`devices/{name}`", scenario["nand"]["part"]["name"], scenario["description"]))
    return table(("drive", "chip", "what it is"), *rows)


def parts(strobe):
    rows = []
    for name in names("parts"):
        part = json.loads(strobe("inspect", "part", name))
        page = size_of(part["pageSize"])
        die = page * part["pagesPerBlock"] * part["blocksPerPlane"] * part["planes"]
        pslc = microseconds(part["pslc"]["tPROG"])
        word_line = "" if part["pagesPerProgram"] == 1 else f" for {part['pagesPerProgram']} pages"
        rows.append((f"`{name}`", part["name"], part["cell"], str(part["planes"]), binary(page), f"{die / 2**30:,.3g} GiB",
                     f"{microseconds(part['tR']):g} us", f"{microseconds(part['tPROG']):g} us{word_line}",
                     f"{pslc:g} us" if pslc else ""))
    return table(("part", "chip", "cell", "planes", "page", "die", "tR", "tPROG", "tPROG in pSLC mode"), *rows)


# Runs whose coverage of the project's firmware is in the documentation: image, scenarios with what is changed in them, and the
# one that is run again with power losses.
SHORTER = ["workload.phases.1.volume=20%", "workload.phases.2.requests=2000", "workload.phases.3.requests=500"]
COVERED = {
    "page mapping": ("page_map", {"mixed": SHORTER, "parts-of-pages": [], "trim": []}, "parts-of-pages", ["300ms", "1s", "2.5s"]),
    "superblock mapping": ("superblock_map", {"superblocks": []}, "superblocks", ["500ms", "3s", "6s"]),
}


def coverage_by_folder(tracefile):
    """{folder of firmware: [lines executed, lines, branches executed, branches]}"""
    sums, folder = {}, None
    for line in tracefile.read_text().splitlines():
        key, _, value = line.partition(":")
        if key == "SF":
            folder = value[value.rindex("/firmware/") + 1:value.rindex("/")]
        elif key in ("LH", "LF", "BRH", "BRF"):
            sums.setdefault(folder, [0] * 4)[("LH", "LF", "BRH", "BRF").index(key)] += int(value)
    return sums


def firmware_coverage(strobe):
    """Lines and branches of the project's firmware in the runs of scenarios/calibration, without and with power cuts."""
    def share(executed, found):
        return f"{100 * executed / found:.0f} % of {found:,}"

    rows = [["firmware", "folder", "lines, runs", "with power cuts", "branches, runs", "with power cuts"]]
    with tempfile.TemporaryDirectory() as directory:
        for layer, (image, scenarios, cut, instants) in COVERED.items():
            file = pathlib.Path(directory, image + ".info")

            def cover(scenario, *changes):
                strobe("run", f"calibration/{scenario}", "--quiet", "--coverage", str(file), "--coverage-add",
                       *(word for change in (f"firmware.image={image}", *changes) for word in ("--set", change)), cwd=ROOT)

            for scenario, changes in scenarios.items():
                cover(scenario, *changes)
            runs = coverage_by_folder(file)
            cover(cut, f"power.cuts={json.dumps(instants)}")
            all_of_them = coverage_by_folder(file)
            for folder, after in all_of_them.items():
                before = runs.get(folder, [0, after[1], 0, after[3]])
                rows.append([layer, f"`{folder}`", share(*before[:2]), share(*after[:2]), share(*before[2:]), share(*after[2:])]
                            if after[3] else [layer, f"`{folder}`", share(*before[:2]), share(*after[:2]), "none", "none"])
    return table(*rows)


def software_units(strobe):
    """File Write of the Hydra study, shortened, with units in hardware and in software; firmware on the RV32 core."""
    variants = {"hardware": [], "software": ["controller.backgroundUnits=software"],
                "software on a second core": ["controller.backgroundUnits=software", "firmware.cores=2"]}
    rows = [("CPU clock", *variants)]
    for clock in ("10MHz", "20MHz", "40MHz"):
        rates = []
        for changes in variants.values():
            changes = ["firmware.mode=rv32", f"cpu.clock={clock}", "workload.phases.0.volume=5%", "workload.phases.1.volume=68MB", *changes]
            report = json.loads(strobe("run", "papers/hydra/file-write", "--quiet", "--json", "-",
                                       *(word for change in changes for word in ("--set", change)), cwd=ROOT))
            rates.append(f"{report['totals']['all']['megabytes_per_second']:.1f} MB/s")
        rows.append((clock.replace("MHz", " MHz"), *rates))
    return table(*rows)


def separate_lines(strobe):
    """Random reads of 4 KiB from one channel, with a shared bus and with separate command lines, against 1 / (t_cmd + data)."""
    drive = ["nand.channels=1", "nand.ways=12", "memory.size=2GiB", "workload.phases.1.requests=2000", "workload.phases.2.requests=10000",
             *(f"workload.phases.{phase}.region.size=1GiB" for phase in range(3))]
    rows = [("interface", "data of a read", "t_cmd, shared", "shared: formula", "shared: measured", "CA, separate", "separate: formula",
             "separate: measured")]

    def words(changes):
        return [word for change in changes for word in ("--set", change)]

    def seconds(text):
        number, unit = text.split()
        return float(number) * {"ps": 1e-12, "ns": 1e-9, "us": 1e-6}[unit]

    def rate(per_read):
        return f"{1 / per_read:,.0f}"

    for interface in ("NV_DDR3_10", "NV_DDR3_15", "NV_LPDDR4_19", "NV_LPDDR4_3600"):
        held, measured = [], []
        for separate in ("false", "true"):
            changes = [*drive, f"channel.interface={interface}", f"channel.separateCommandAddress={separate}"]
            timing = strobe("inspect", "timing", "workloads/plane-reads", *words(changes), cwd=ROOT)
            section = next(part for part in timing.split("\n\n") if part.startswith("plane-independent read"))
            page = seconds(re.search(r"^  data out .* (\S+ \ws) *$", section, re.MULTILINE)[1])
            held.append([seconds(time) for time in re.findall(r" for ([\d.]+ \ws)", section.split("\n")[0])])
            report = json.loads(strobe("run", "workloads/plane-reads", "--quiet", "--json", "-", *words(changes), cwd=ROOT))
            measured.append(f"{report['totals']['read']['iops']:,.0f}")
        data = page / 4  # 4 of 16 KiB
        command, (on_command, on_data) = held[0][0] - page, held[1]
        rows.append((f"`{interface}`", f"{data * 1e9:,.0f} ns", f"{command * 1e9:,.0f} ns", rate(command + data), measured[0],
                     f"{on_command * 1e9:,.0f} ns", rate(on_data - page + data), measured[1]))
    return table(*rows)


TABLES = {"cost points": cost_points, "firmware coverage": firmware_coverage, "software units": software_units, "separate command lines": separate_lines, "unloaded read": unloaded_read, "devices": devices, "parts": parts}
