# SPDX-License-Identifier: Apache-2.0
"""The figures of docs/drives_of_today.md and of noisy neighbours in docs/studies.md, each a function from the program under test to an SVG."""
import json
import subprocess

from bars import Panel as Bars
from bars import bars
from curves import Axis, Chart, curves
from timeline import US, Panel, figure
from timeline_figures import lay_apart, total

CLIENT = "devices/nvme-tlc-pslc-4x2"


def run(strobe, scenario, *sets):
    """The report; reads may have failed in it."""
    try:
        text = strobe("run", scenario, "--quiet", "--json", "-", *(f"--set={text}" for text in sets))
    except subprocess.CalledProcessError as error:
        if error.returncode != 1:
            raise
        text = error.stdout
    return json.loads(text)


def written(report):
    """[(seconds, bytes)] of the intervals of a run."""
    series = report["series"]
    return series["interval_ps"] / 1e12, series["operations"]["write"]["bytes"]


def one_shot(strobe):
    """The pages of a word line, in one plane and in four, on the bus and in the array."""
    timings = strobe.timing(CLIENT)
    panels = []
    for name, pages in (("program in pSLC mode", 1), ("program of a word line", 3), ("4-plane program of word lines", 12)):
        segments = timings[name]
        rate = pages * 16384 / (total(segments) / 1e12) / 1e6
        panel = Panel(name, f"{pages} page{'s' if pages > 1 else ''} of 16 KiB in {total(segments) / US:,.0f} us: {rate:,.0f} MB/s of a die",
                      ["bus", "R/B# low"])
        lay_apart(panel, segments, 0)
        panels.append(panel)
    return figure("One-shot programming: TLC 176 layers, four planes, NV-DDR3 at 1,600 MT/s", panels, 1400 * US)


def slc_cliff(strobe):
    """The whole drive is written once; a quarter of the blocks of workloads/slc-cliff, with times and sizes to scale."""
    report = run(strobe, "workloads/slc-cliff", "nand.part.blocksPerPlane=42", "nand.part.maxBadBlocks=2",
                 "firmware.pageMap.pslcCache.size=3.5GB", "firmware.overProvisioning=8%", "report.seriesEvery=125ms")
    seconds, sizes = written(report)
    chart = Chart("bandwidth of sequential writes", "MB/s")
    points, sofar = [], 0
    for size in sizes[:-1]:  # the last interval is not whole
        points.append(((sofar + size / 2) / 1e9, size / seconds / 1e6))
        sofar += size
    chart.add("bandwidth", points)
    return curves("A pSLC cache is full: 16 dies of 128-layer TLC, cache of 3.5 GB", [chart], Axis("written, GB"))


def collection_rates(strobe):
    """Random writes of 1 MiB to a full drive: rates per second of the drive, which is an interval of the scaled one."""
    seconds, sizes = written(run(strobe, "papers/real-drives/zn540-1tb-collect"))
    chart = Chart("rate of random writes of 1 MiB", "MB/s")
    chart.add("rate", [(number, size / seconds / 1e6) for number, size in enumerate(sizes[:-1])])
    return curves("Garbage collection under random writes: zn540-1tb-like", [chart], Axis("seconds (intervals of the scaled drive)"))


def staircase(strobe):
    """Reads of data that was stored for a time. At the oldest ages some fail."""
    ages = ["1d", "7d", "30d", "90d", "180d", "1y", "2y"]
    latency, retries = Chart("mean latency of reads of 4 KiB", "us"), Chart("retries per page read", "reads")
    for cycles in (500, 1000, 2000, 3000):
        reports = [run(strobe, "reliability/read-retry", f"nand.preAgedCycles={cycles}", f"nand.age.retention={age}") for age in ages]
        name = f"{cycles:,} program/erase cycles"
        latency.add(name, [(n, report["totals"]["read"]["latency"]["mean_ps"] / 1e6) for n, report in enumerate(reports)])
        retries.add(name, [(n, report["flash"]["reliability"]["mean_retries"]) for n, report in enumerate(reports)])
    return curves("Read retry: 128-layer TLC, stored at 30 degrees", [latency, retries], Axis("stored for", ages))


def plane_reads(strobe):
    """Random reads of 4 KiB by queue depth, with and without planes that read by themselves."""
    depths = [1, 4, 16, 64, 256]
    rates, tails = Chart("random reads of 4 KiB", "thousands per second"), Chart("99 % of them within", "us")
    for name, isOn in (("one read at a time in each die", "false"), ("one in each plane", "true")):
        reads = [run(strobe, "workloads/plane-reads", f"nand.part.planeIndependentReads={isOn}", f"workload.phases.2.pacing.queueDepth={depth}",
                     f"workload.phases.2.requests={max(2000, 156 * depth)}")["totals"]["read"] for depth in depths]
        rates.add(name, [(n, read["iops"] / 1000) for n, read in enumerate(reads)])
        tails.add(name, [(n, read["latency"]["p99_ps"] / 1e6) for n, read in enumerate(reads)])
    return curves("Plane-independent reads: eight dies of four planes, tR 50 us", [rates, tails], Axis("queue depth", [str(depth) for depth in depths]))


# Stages of the report, as the picture of noisy neighbours adds them up.
STAGES = {"host: queue, link": ("host_queue", "host_link", "command_fetch", "completion"), "firmware": ("firmware",),
          "flash unit": ("flash_unit", "buffer_wait"), "die: program": ("die_wait_program",), "die: erase": ("die_wait_erase",),
          "die: read": ("die_wait_read",), "bus, ECC": ("bus_wait", "transfer", "ecc"), "array": ("array",)}


def reader_stages(report):
    """Mean time of the reader's stages in us, in the order of STAGES."""
    means = report["stages"]["kinds"]["read"]["all"]
    parts = [sum(value for key, value in means.items() if key.startswith(names) and key.endswith("_ps")) / 1e6 for names in STAGES.values()]
    assert abs(sum(parts) * 1e6 - means["latency_ps"]) < 1e6, "a stage is missing"
    return parts


def neighbours(strobe):
    """A reader beside writers: what it waits for, by queue and by what the drive does."""
    phase = "workload.phases.3."
    shared = [phase + "queues=1", phase + "concurrentJobs.0.queues=1", "host.nvme.arbitration=round-robin"]
    own, urgent = ["host.nvme.arbitration=round-robin"], [phase + "queues=urgent"]
    places = ["host.nvme.writeCommands=all"]
    panels = []
    for heading, unit, scale, variants in (
            ("the drive hands commands on in order", "ms", 1e3,
             (("in the queue of the writer", shared), ("queue of its own, round robin", own), ("queue of class urgent", urgent),
              ("class urgent, drive takes 64", [*urgent, "host.queueDepth=64"]))),
            ("the drive has a place for each write", "us", 1,
             (("class urgent", [*urgent, *places]), ("class urgent, no suspension", [*urgent, *places, "channel.suspend=none"]),
              ("without the writer", [phase + "concurrentJobs=[]"])))):
        panel = Bars(heading, unit)
        for name, sets in variants:
            report = run(strobe, "studies/noisy-neighbour/drive", *sets, "report.stages=true")
            job = next(iter(report["phases"][3].get("jobs", [])), report["phases"][3])
            p99 = job["totals"]["read"]["latency"]["p99_ps"] / 1e6 / scale
            panel.add(name, [part / scale for part in reader_stages(report)], f"p99 {p99:,.0f} {unit}")
        panels.append(panel)
    return bars("A reader of 4 KiB at depth 1 beside 1,024 outstanding writes: mean latency by stage", list(STAGES), panels)


def hot(strobe):
    """workloads/hot-drive: temperatures, power and bandwidth of the host over the same time."""
    report = run(strobe, "workloads/hot-drive", "report.seriesEvery=20ms")
    course = report["thermal"]["course"]
    times = [time / 1e12 for time in course["time_ps"]]
    temperatures, power, rate = Chart("temperature", "degrees"), Chart("power", "W"), Chart("bandwidth of writes", "MB/s")
    temperatures.add("controller", list(zip(times, course["controller_celsius"])))
    temperatures.add("flash", list(zip(times, course["flash_celsius"])))
    step = max(1, len(times) // 100)  # means over about a hundredth of the run
    power.add("", [(times[i], sum(course["watt"][i:i + step]) / step) for i in range(1, len(times) - step, step)])
    seconds, sizes = written(report)
    rate.add("", [((number + 0.5) * seconds, size / seconds / 1e6) for number, size in enumerate(sizes[:-1])])
    return curves("A drive without a heat sink: workloads/hot-drive", [temperatures, power, rate], Axis("seconds (400 times as fast as a real drive)"))


FIGURES = {
    "drive-one-shot": one_shot,
    "drive-slc-cliff": slc_cliff,
    "drive-collection-rates": collection_rates,
    "drive-retry-staircase": staircase,
    "drive-plane-reads": plane_reads,
    "drive-noisy-neighbours": neighbours,
    "drive-hot": hot,
}
