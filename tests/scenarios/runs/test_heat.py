# SPDX-License-Identifier: Apache-2.0
"""Temperature of a drive: it heats up, throttles, recovers; nothing is lost; the limits of power states; what is refused."""
import json
import os
import pathlib
import shutil
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli_support import Directory, strobe  # noqa: E402
from test_runs import figures_only  # noqa: E402

COMPONENTS = [{"name": "controller", "idle": "1W"}, {"name": "buses", "group": "channel", "active": "200mW"}]
# Four dies of small pages: fast to simulate. A program takes 33 mW; the boards are small and badly cooled.
DRIVE = {"name": "hot", "data": "tags", "host": {"interface": "nvme"},
         "nand": {"part": {"extends": "k9f1g08u0a", "blocksPerPlane": 64, "energy": {"program": "200uJ"}}, "channels": 2, "ways": 4},
         "memory": {"size": "16MiB", "bufferSize": "1MiB"}, "firmware": {"overProvisioning": "20%"},
         "energy": {"components": COMPONENTS},
         "thermal": {"enabled": True, "ambient": 40, "controller": {"resistance": 20, "capacity": 0.002},
                     "flash": {"resistance": 10, "capacity": 0.005}, "coupling": 10, "warning": 65, "critical": 80,
                     "throttle": {"light": 70, "heavy": 78, "hysteresis": 3, "lightDies": "50%", "heavyDies": "13%"}},
         "workload": {"phases": [
             {"name": "write", "kind": "uniform", "blockSize": "16KiB", "region": {"size": "8MiB"}, "requests": 1500, "pacing": {"queueDepth": 16}},
             {"name": "rest", "kind": "uniform", "blockSize": "4KiB", "readRatio": "100%", "region": {"size": "1MiB"}, "requests": 100,
              "pacing": {"queueDepth": 1, "thinkTime": "2ms"}}]}}


def length(report, phase=0):
    return report["phases"][phase]["end_ps"] - report["phases"][phase]["start_ps"]


class Heat(Directory):
    def run_it(self, *sets, code=0):
        file = self.write("scenario.json", DRIVE)
        done = strobe("run", file, "--json", "-", *(part for each in sets for part in ("--set", each)))
        self.assertEqual(done.returncode, code, done.stderr)
        return json.loads(done.stdout) if code == 0 else done.stderr

    def test_a_drive_gets_hot_is_throttled_and_recovers(self):
        free = self.run_it("thermal.throttle.enabled=false")
        hot = self.run_it()
        self.assertEqual((free["integrity"]["mismatches"], hot["integrity"]["mismatches"]), (0, 0))
        self.assertGreater(free["thermal"]["controller_max_celsius"], 80)
        self.assertLess(hot["thermal"]["controller_max_celsius"], 80)
        self.assertEqual(free["thermal"]["light"]["entries"] + free["thermal"]["limited_ps"], 0)
        self.assertGreater(hot["thermal"]["light"]["entries"], 0)
        self.assertGreater(length(hot), 1.05 * length(free))
        self.assertGreater(free["thermal"]["critical_ps"], 0)
        course = hot["thermal"]["course"]
        self.assertEqual(course["level"][-1], 0)
        self.assertLess(course["controller_celsius"][-1], 65)
        self.assertIn(4, course["dies"])
        self.assertGreaterEqual(hot["thermal"]["peak_watt"], hot["energy"]["mean_watt"])

    @figures_only
    def test_the_energy_of_the_course_is_that_of_the_report(self):
        report = self.run_it()
        course = report["thermal"]["course"]
        joule = sum(watt * (end - begin) / 1e12 for watt, begin, end in zip(course["watt"][1:], course["time_ps"], course["time_ps"][1:]))
        self.assertAlmostEqual(joule, report["energy"]["total_joule"], delta=0.03 * joule)  # start and last sample differ

    def test_a_functional_phase_does_not_heat(self):
        fill = {"name": "fill", "kind": "sequential", "blockSize": "128KiB", "volume": "100%", "precondition": "functional"}
        phases = json.dumps([fill, DRIVE["workload"]["phases"][1]])
        report = self.run_it(f"workload.phases={phases}")
        self.assertLess(report["thermal"]["flash_max_celsius"], 60)

    @figures_only
    def test_a_model_without_throttling_changes_no_time(self):
        plain = self.run_it("thermal={}")
        free = self.run_it("thermal.throttle.enabled=false")
        self.assertNotIn("thermal", plain)
        self.assertNotIn("thermal", plain["config"])
        for key in ("simulated_ps", "totals", "flash", "energy"):
            self.assertEqual(plain[key], free[key])

    @figures_only
    @unittest.skipIf(os.environ.get("STROBE_RV32") != "1", "no compiler for the core")
    def test_firmware_on_the_core_throttles_alike(self):
        reports = [self.run_it(f"firmware.mode={mode}") for mode in ("native", "rv32")]
        native, rv32 = [(length(report), report["thermal"]["controller_max_celsius"], report["thermal"]["limited_ps"])
                        for report in reports]
        for one, other in zip(native, rv32):
            self.assertAlmostEqual(one, other, delta=0.03 * one)

    def test_two_cores_and_reads_apart_throttle_too(self):
        for sets in (["firmware.cores=2"], ["channel.suspend=both"]):
            with self.subTest(sets):
                report = self.run_it(*sets)
                self.assertEqual(report["integrity"]["mismatches"], 0)
                self.assertGreater(report["thermal"]["limited_ps"], 0)

    @figures_only
    def test_the_host_may_want_it_colder(self):
        report = self.run_it("host.nvme.thermalLight=50")
        self.assertLess(report["thermal"]["controller_max_celsius"], self.run_it()["thermal"]["controller_max_celsius"])

    def test_a_power_loss_keeps_the_temperature(self):
        report = self.run_it('power.cuts=["60ms"]', "power.offTime=5ms")
        course = report["thermal"]["course"]
        before = max(i for i, time in enumerate(course["time_ps"]) if time <= 60e9)
        after = next(i for i, time in enumerate(course["time_ps"]) if time >= 66e9)
        ambient = DRIVE["thermal"]["ambient"]
        excess = course["controller_celsius"][before] - ambient
        self.assertGreater(excess, 5)
        self.assertGreater(course["controller_celsius"][after], ambient + excess / 2)  # not the ambient again
        self.assertEqual(report["integrity"]["mismatches"], 0)

    def test_firmware_keeps_the_power_of_an_operational_state(self):
        states = ('host.nvme.powerStates=[{"power":"9W","entry":"0s","exit":"0s"},'
                  '{"power":"%s","entry":"0s","exit":"0s","operational":true}]')
        cool = ("thermal.controller.resistance=1", "thermal.flash.resistance=1")
        free = self.run_it(states % "9W", *cool)
        limit = 1 + 0.6 * (free["energy"]["power_states"][0]["joule"] / (free["measured_ps"] / 1e12) - 1)
        kept = self.run_it(states % f"{round(limit * 1000)}mW", "host.nvme.powerState=1", *cool)
        row = kept["energy"]["power_states"][1]
        self.assertGreater(row["time_ps"], 0.9 * kept["measured_ps"])
        self.assertLess(row["joule"] / (row["time_ps"] / 1e12), 1.02 * limit)
        self.assertGreater(length(kept), 1.1 * length(free))

    def test_what_does_not_fit_is_refused(self):
        states = ('host.nvme.powerStates=[{"power":"9W","entry":"0s","exit":"0s"},'
                  '{"power":"5W","entry":"0s","exit":"0s","operational":true}]')
        for sets, message in (
                (["energy.components=[]", 'nand.part.energy={"read":"0J","program":"0J","erase":"0J","idle":"0W"}'],
                 "/thermal/enabled: nothing in the drive takes power, so its temperature would not change; give the power of"),
                (["thermal.throttle.heavy=60"], "/thermal/throttle/heavy: 60 is not above /thermal/throttle/light, which is 70"),
                (["thermal.critical=60"], "/thermal/critical: 60 is below /thermal/warning, which is 65"),
                (["thermal.throttle.heavyDies=60%"], "more dies than with light throttling"),
                (["thermal.flash.capacity=0"], "/thermal/flash/capacity"),
                (["firmware.ftl=superblock_map", "thermal.throttle.enabled=true"], "superblock mapping does not throttle"),
                (["host.nvme.powerState=1"], "/host/nvme/powerState: there is no state 1; must be at most 0"),
                (["host.nvme.thermalLight=79"], "must be 30 to 78"),
                (["thermal.throttle.light=20", "thermal.throttle.heavy=30", "host.nvme.thermalLight=30"],
                 "needs a /thermal/throttle/heavy above 30, which is 30"),
                (["thermal.throttle.enabled=false", "host.nvme.thermalLight=60"], "needs firmware that throttles"),
                (["firmware.ftl=superblock_map", "host.nvme.thermalLight=60"], "/host/nvme/thermalLight: needs firmware that throttles"),
                (["firmware.ftl=superblock_map", states], "/host/nvme/powerStates/1/operational: needs firmware that throttles")):
            with self.subTest(sets):
                self.assertIn(message, self.run_it(*sets, code=2))

    @unittest.skipIf(shutil.which("nbdkit") is None, "nbdkit is not installed")
    def test_programs_with_another_host_have_no_temperature(self):
        file = self.write("scenario.json", DRIVE)
        done = strobe("serve", "nbd", file, "--set", "data=bytes", "--run", "true")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("/thermal/enabled: only drives with Strobe's own host have a thermal model", done.stderr)


if __name__ == "__main__":
    unittest.main()
