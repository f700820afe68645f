#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How well the steady state after functional preconditioning agrees with that after preconditioning in time.

    STROBE=build/release/strobe build/python/bin/python tests/scenarios/runs/functional_agreement.py --seeds 10

Each seed is run twice, with the same requests, and the differences are listed in per cent with their 95 % confidence intervals
(Student's t). STROBE in the environment names the program. The test of functional preconditioning uses the same runs, shorter.
"""
import argparse
import json
import os
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from statistics import mean, stdev

FILL = {"name": "fill", "kind": "sequential", "blockSize": "256KiB", "volume": "100%", "precondition": True}
AGE = {"name": "age", "kind": "uniform", "blockSize": "4KiB", "volume": "150%", "precondition": True}
SLC = {
    "name": "small drive",
    "nand": {"part": {"extends": "k9f1g08u0a", "blocksPerPlane": 96, "maxBadBlocks": 1}, "channels": 2, "ways": 2},
    "memory": {"size": "16MiB", "bufferSize": "1MiB"},
    "firmware": {"overProvisioning": "20%"},
    "host": {"interface": "direct", "queueDepth": 64},
}
# Four planes, one-shot programs and mapping units of 4 KiB.
TLC = {
    "extends": "bench/tlc-drive",
    "name": "small TLC drive",
    "nand": {"part": {"blocksPerPlane": 48, "pagesPerBlock": 48}, "channels": 2, "ways": 2},
    "memory": {"bufferSize": "8MiB"},
    "host": {"queueDepth": 64},
}
DRIVES = {"slc": SLC, "tlc": TLC}
RANDOM = {"kind": "uniform", "blockSize": "4KiB"}
SEQUENTIAL = {"kind": "sequential", "blockSize": "64KiB"}
# One job writes at random, another one beside it sequentially.
BESIDE = {**RANDOM, "pacing": {"queueDepth": 32}, "concurrentJobs": [{"name": "stream", **SEQUENTIAL, "pacing": {"queueDepth": 2}}]}
# scale: 1 in the test.
WORKLOADS = {
    "random writes": lambda scale: {**RANDOM, "requests": 40000 * scale},
    "70 % reads": lambda scale: {**RANDOM, "readRatio": "70%", "requests": 60000 * scale},
    "random and sequential writes": lambda scale: {**BESIDE, "requests": 20000 * scale},
    "sequential overwrite": lambda scale: {**SEQUENTIAL, "volume": f"{150 * scale}%"},
}
QUANTITIES = {
    "write amplification": lambda report: report["flash"]["write_amplification"],
    "bandwidth": lambda report: report["totals"]["all"]["megabytes_per_second"],
    "p99": lambda report: report["totals"]["all"]["latency"]["p99_ps"],
}


def run(drive, phases, *options):
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "drive.json")
        with open(file, "w", encoding="utf-8") as out:
            json.dump({**drive, "workload": {"phases": phases}}, out)
        return subprocess.run([os.environ["STROBE"], "run", file, "--json", "-", *options], capture_output=True, text=True, check=False,
                              timeout=3600)


def report_of(drive, phases, *options):
    done = run(drive, phases, *options)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


def functional(phase):
    return {**phase, "precondition": "functional"}


def pairs(drive, workload, seeds, jobs=2):
    """Reports of each seed: after preconditioning in time, after functional preconditioning."""
    fills = [FILL, AGE], [functional(FILL), functional(AGE)]
    cases = [({**drive, "seed": seed}, [*fill, {"name": "measured", **workload}]) for seed in seeds for fill in fills]
    with ThreadPoolExecutor(jobs) as pool:
        reports = list(pool.map(lambda case: report_of(*case), cases))
    return list(zip(reports[::2], reports[1::2], strict=True))


def main():
    from strobe.explore import points

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10, help="how many, two or more")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--scale", type=int, default=10, help="length of the measured phase")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--drive", choices=DRIVES, action="append")
    parser.add_argument("--workload", choices=WORKLOADS, action="append")
    given = parser.parse_args()
    if given.seeds < 2:
        parser.error("--seeds: must be two or more, for an interval")
    for drive in given.drive or DRIVES:
        for name in given.workload or WORKLOADS:
            reports = pairs(DRIVES[drive], WORKLOADS[name](given.scale), range(given.first, given.first + given.seeds), given.jobs)
            for what, of in QUANTITIES.items():
                timed, quick = ([of(pair[i]) for pair in reports] for i in (0, 1))
                differences = [100 * (b / a - 1) for a, b in zip(timed, quick, strict=True)]
                found = points.measure(differences)
                print(f"{drive}, {name}, {what}: {found.mean:+.2f} +- {found.high - found.mean:.2f} %; single pairs {min(differences):+.1f} to "
                      f"{max(differences):+.1f} %; in time {mean(timed):.5g}, from seed to seed {100 * stdev(timed) / mean(timed):.1f} %",
                      flush=True)


if __name__ == "__main__":
    main()
