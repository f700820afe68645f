# SPDX-License-Identifier: Apache-2.0
"""Power states of an NVMe drive: the latency of the command that wakes it, the energy saved, and what is refused."""
import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli_support import Directory, strobe  # noqa: E402

STATES = [{"power": "8W", "entry": "0s", "exit": "0s"}, {"power": "50mW", "entry": "2ms", "exit": "3ms"},
          {"power": "5mW", "entry": "5ms", "exit": "40ms"}]
READER = {"name": "read", "kind": "uniform", "readRatio": "100%", "blockSize": "4KiB", "requests": 20, "region": {"size": "1MiB"},
          "pacing": {"queueDepth": 1, "thinkTime": "1s"}}
DRIVE = {"name": "idle", "data": "tags", "host": {"interface": "nvme", "nvme": {"powerStates": STATES}},
         "nand": {"part": {"extends": "k9f1g08u0a", "blocksPerPlane": 64}, "channels": 1, "ways": 2},
         "memory": {"size": "16MiB", "bufferSize": "1MiB"}, "firmware": {"overProvisioning": "20%"},
         "energy": {"components": [{"name": "controller", "idle": "2W"}]}, "workload": {"phases": [READER]}}


class PowerStates(Directory):
    def run_it(self, *sets, code=0):
        file = self.write("scenario.json", DRIVE)
        done = strobe("run", file, "--json", "-", *(part for each in sets for part in ("--set", each)))
        self.assertEqual(done.returncode, code, done.stderr)
        return json.loads(done.stdout) if code == 0 else done.stderr

    def test_a_sleeping_drive_saves_energy_and_answers_later(self):
        awake = self.run_it()
        asleep = self.run_it("host.nvme.latencyTolerance=100ms")
        typical = [report["totals"]["read"]["latency"]["p50_ps"] for report in (awake, asleep)]
        self.assertAlmostEqual((typical[1] - typical[0]) / 1e9, 3, delta=0.03)  # the exit latency, in ms
        states = asleep["energy"]["power_states"]
        self.assertEqual(len(states), 3)
        # Each second of thinking: 250 ms in state 0, the rest in state 1; idle for 2,250 ms it would go on to state 2.
        self.assertEqual([state["entries"] > 0 for state in states[1:]], [True, False])
        self.assertLess(asleep["energy"]["mean_watt"], 0.35 * awake["energy"]["mean_watt"])
        self.assertEqual(sum(state["time_ps"] for state in states), asleep["measured_ps"])
        self.assertAlmostEqual(sum(state["joule"] for state in states), asleep["energy"]["total_joule"], places=6)
        self.assertNotIn("power_states", self.run_it("host.nvme.powerStates=[]")["energy"])

    def test_states_that_no_drive_has_are_refused(self):
        for sets, message in (
                ('host.nvme.powerStates=[{"power":"8W","entry":"1ms","exit":"0s"}]', "the first state is the operational one"),
                ('host.nvme.powerStates=[{"power":"1W","entry":"0s","exit":"0s"},{"power":"2W","entry":"1ms","exit":"1ms"}]',
                 "a deeper state takes no more power"),
                ('host.nvme.powerStates=[{"entry":"0s"}]', "/host/nvme/powerStates/0/power")):
            with self.subTest(sets):
                self.assertIn(message, self.run_it(sets, code=2))


if __name__ == "__main__":
    unittest.main()
