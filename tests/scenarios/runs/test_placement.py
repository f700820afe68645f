# SPDX-License-Identifier: Apache-2.0
"""Flexible data placement: write amplification with and without it, power losses, the RV32 core, what is refused."""
import json
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli_support import Directory, strobe  # noqa: E402
from test_runs import figures_only  # noqa: E402

# The drive of workloads/cache-mix-placed, a quarter of its size.
SMALL = {"extends": "workloads/cache-mix-placed", "name": "small", "memory": {"bufferSize": "2MiB"},
         "nand": {"part": {"extends": "tlc-176l-4plane", "pagesPerBlock": 12, "blocksPerPlane": 64}}, "data": "tags"}


def job(name, placement, rate="300/s", **more):
    return {"name": name, "pacing": {"queueDepth": 16, "rate": rate}, **({} if placement is None else {"placement": placement}), **more}


def mix(placed):
    """Small writes all over 5 % of the drive, beside a log in the rest."""
    large = {"kind": "sequential", "blockSize": "128KiB", "region": {"offset": "5%"}, "volume": "100%"}
    small = {"kind": "uniform", "blockSize": "4KiB", "region": {"size": "5%"}, "flushEvery": 2000}
    handles = (1, 0) if placed else (None, None)
    return [job("fill", handles[0], "none", kind="sequential", blockSize="128KiB", volume="100%", precondition=True),
            job("settle", handles[0], precondition=True, concurrentJobs=[job("small", handles[1], "6400/s", **small)], **large),
            job("mix", handles[0], concurrentJobs=[job("small", handles[1], "6400/s", **small)], **large)]


class Placement(Directory):
    def run_it(self, *sets, code=0, **changes):
        file = self.write("scenario.json", {**SMALL, "workload": {"phases": mix(True)}, **changes})
        done = strobe("run", file, "--json", "-", *(part for each in sets for part in ("--set", each)))
        self.assertEqual(done.returncode, code, done.stderr)
        return json.loads(done.stdout) if code == 0 else done.stderr

    def amplification(self, *sets, **changes):
        report = self.run_it(*sets, **changes)
        self.assertEqual(report["integrity"]["mismatches"], 0)
        return report["flash"]["write_amplification"]

    @figures_only
    def test_data_of_its_own_superblocks_lowers_the_write_amplification(self):
        without = self.amplification("firmware.pageMap.placement.handles=0", workload={"phases": mix(False)})
        for isolation in ("initially-isolated", "persistently-isolated"):
            with self.subTest(isolation):
                self.assertLess(self.amplification(f"firmware.pageMap.placement.isolation={isolation}"), 1.3)
        self.assertGreater(without, 2)
        # Handles alone do nothing: all data has the same one.
        self.assertGreater(self.amplification(workload={"phases": mix(False)}), 2)

    def test_power_losses_lose_nothing(self):
        for isolation in ("initially-isolated", "persistently-isolated"):
            report = self.run_it(f"firmware.pageMap.placement.isolation={isolation}", "power.meanCutInterval=100ms", "power.maxCuts=8",
                                 "power.readBack=true")
            self.assertGreater(report["power"]["cuts"], 3)
            self.assertEqual(report["integrity"]["mismatches"], 0)

    def test_a_handle_without_a_block_for_moves_uses_those_of_others(self):
        """Failed programs and power losses leave spare blocks owed, so that there is no free one for a while."""
        def uniform(name, handle):
            return {"name": name, "kind": "uniform", "blockSize": "4KiB", "placement": handle, "pacing": {"queueDepth": 8}, "volume": "300%"}
        fill = {"name": "fill", "kind": "sequential", "blockSize": "128KiB", "volume": "100%", "placement": 0, "precondition": True}
        mix = uniform("mix", 0) | {"concurrentJobs": [uniform(f"j{handle}", handle) for handle in range(1, 8)]}
        report = self.run_it(
            "nand.part.blocksPerPlane=40", "memory.bufferSize=8MiB", "firmware.overProvisioning=66%", "firmware.spareBlocks=12",
            "firmware.pageMap.placement.handles=8", "firmware.pageMap.placement.isolation=persistently-isolated",
            "power.meanCutInterval=50ms", "power.maxCuts=30", workload={"phases": [fill, mix]},
            faults={"flash": [{"kind": "program-fail", "rate": 0.0001}]})
        self.assertEqual((report["power"]["cuts"], report["integrity"]["mismatches"]), (30, 0))

    @figures_only
    @unittest.skipUnless(os.environ.get("STROBE_RV32", "1") == "1", "no RV32 firmware")
    def test_the_rv32_core_agrees(self):
        native, rv32 = (self.run_it(f"firmware.mode={mode}") for mode in ("native", "rv32"))
        self.assertEqual(rv32["integrity"]["mismatches"], 0)
        self.assertAlmostEqual(rv32["flash"]["write_amplification"] / native["flash"]["write_amplification"], 1, delta=0.03)
        rate = [report["totals"]["write"]["megabytes_per_second"] for report in (native, rv32)]
        self.assertAlmostEqual(rate[1] / rate[0], 1, delta=0.03)

    def test_what_is_refused(self):
        handles = "/firmware/pageMap/placement/handles: "
        for sets, message in (
                (("firmware.pageMap.superblock.dies=2",), handles + "a reclaim unit is a superblock of all dies and planes: superblock.dies "
                 "must be 4, and superblock.joinPlanes true"),
                (("firmware.pageMap.gc.pacing=free-space",), handles + "data placement excludes hostStreams hot-cold, a pSLC cache, "
                 "gc.pacing and serialWrites"),
                (("host.interface=sata", "host.queueDepth=32"), "/host/interface: sata has no data placement: must be nvme or direct"),
                (("firmware.pageMap.placement.handles=1",), "/workload/phases/0/placement: the drive has placement handles 0 to 0"),
                (("firmware.pageMap.placement.handles=0",),
                 "/workload/phases/2/concurrentJobs/0/placement: the drive has no data placement: must be none")):
            with self.subTest(sets=sets):
                self.assertIn(message, self.run_it(*sets, code=2))


if __name__ == "__main__":
    unittest.main()
