# SPDX-License-Identifier: Apache-2.0
"""strobe inspect pins and lifetime."""
import json
import unittest

from cli_support import Directory, strobe


class Sizing(Directory):
    def test_pins_that_channels_need_and_channels_that_pins_allow(self):
        done = strobe("inspect", "pins", "--bus-pins", 15, "--depth", 2, "--channels", 8, "--budget", 151, "--json", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout), {"bus_pins": 15, "depth": 2, "channels": 8, "pins": 152, "budget": 151,
                                                   "most_channels": 7, "fits": False})
        text = strobe("inspect", "pins", "--bus-pins", 15, "--depth", 2, "--channels", 8).stdout
        self.assertIn("8 channels need 152 pins", text)

    def test_lifetime_as_text_and_in_a_file(self):
        file = self.dir / "life.json"
        done = strobe("inspect", "lifetime", "--capacity", "256GB", "--endurance", 3000, "--write-rate", "100MB/s",
                      "--amplification", 2.5, "--json", file)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("35.56 days", done.stdout)
        self.assertAlmostEqual(json.loads(file.read_text())["lifetime_seconds"], 256e9 * 3000 / (100e6 * 2.5))

    def test_mistakes(self):
        for arguments, words in (
                (("pins", "--bus-pins", 15), "give --channels"),
                (("pins", "--channels", 8), "missing: --bus-pins"),
                (("pins", "--bus-pins", 0, "--channels", 8), "--bus-pins"),
                (("lifetime", "--capacity", "256", "--endurance", 1, "--write-rate", "1MB/s"), "--capacity 256: has no unit"),
                (("lifetime", "--capacity", "0B", "--endurance", 1, "--write-rate", "1MB/s"), "must be above zero"),
                (("lifetime", "--capacity", "1GB", "--endurance", 1, "--write-rate", "fast"), "--write-rate fast"),
                (("lifetime", "--capacity", "1GB", "--endurance", 0, "--write-rate", "1MB/s"), "--endurance: 0: must be a number from"),
                (("lifetime", "--capacity", "1GB", "--endurance", "nan", "--write-rate", "1MB/s"), "--endurance: nan: must be"),
                (("lifetime", "--capacity", "1GB", "--endurance", "many", "--write-rate", "1MB/s"), "--endurance")):
            done = strobe("inspect", *arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()
