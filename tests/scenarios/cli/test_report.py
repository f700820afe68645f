#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The report of a run, as text and as JSON.

Needs STROBE in the environment: the program under test; STROBE_SANITIZE=1 if it was built with sanitizers.
"""
import json
import unittest

from cli_support import SMALL, Directory, strobe


class Report(Directory):
    """The report of a whole run."""

    def report(self, *sets, **changes):
        scenario = self.write("s.json", {**SMALL, **changes})
        done = strobe("run", scenario, "--json", "-", *[word for s in sets for word in ("--set", s)])
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_every_resource_has_utilisation_waits_and_queue(self):
        report = self.report()
        groups = {group["group"] for group in report["groups"]}
        self.assertEqual(groups, {"link", "cpu", "fabric", "sdram", "sdram-port", "write-buffer", "unit", "ecc", "channel",
                                  "die"})
        for resource in report["resources"]:
            for key in ("utilisation", "mean_wait_ps", "max_wait_ps", "mean_queue", "max_queue"):
                self.assertIn(key, resource)
            little = resource["waited_ps"] / report["measured_ps"]
            self.assertAlmostEqual(resource["mean_queue"], little, delta=1e-6 + little * 1e-6)
            self.assertLessEqual(resource["mean_queue"], resource["max_queue"], resource)
        named = {resource["name"]: resource for resource in report["resources"]}
        self.assertGreater(named["cpu"]["mean_wait_ps"], 0)
        self.assertEqual({name for name in named if name.startswith("sdram port")},
                         {"sdram port host", "sdram port flash", "sdram port cpu"})
        ports = sum(named[name]["jobs"] for name in named if name.startswith("sdram port"))
        self.assertEqual(ports, named["sdram"]["jobs"])

    def test_the_report_of_a_run_that_waits_for_a_tiny_write_buffer_names_it(self):
        work = {"phases": [{"name": "w", "kind": "uniform", "blockSize": "2KiB", "requests": 2000}]}
        nand = {**SMALL["nand"], "channels": 4, "ways": 4}
        tiny = self.report("firmware.pageMap.writeBufferPages=2", workload=work, nand=nand)
        self.assertEqual(tiny["limiting"]["group"], "write-buffer", tiny["limiting"])
        self.assertIn("one of its 2 pages", tiny["limiting"]["sentence"])
        buffer = next(resource for resource in tiny["resources"] if resource["group"] == "write-buffer")
        self.assertEqual(buffer["places"], 2)
        self.assertGreater(buffer["utilisation"], 0.9)
        self.assertLessEqual(buffer["utilisation"], 1.0)
        self.assertLessEqual(buffer["exhausted_ps"], tiny["measured_ps"])
        self.assertEqual(buffer["max_queue"], 32)
        ample = self.report("firmware.pageMap.writeBufferPages=200", workload=work, nand=nand)
        self.assertNotEqual(ample["limiting"]["group"], "write-buffer", ample["limiting"])
        self.assertLess(ample["measured_ps"], tiny["measured_ps"])

    def test_erase_counts_are_compared_with_the_rating_of_the_part(self):
        wear = self.report()["flash"]["wear"]
        self.assertEqual(wear["rated_endurance"], 100000)
        self.assertAlmostEqual(wear["max_life_used"], wear["max_erases"] / 100000)

    def test_the_table_of_statistics_has_every_counter_of_the_report(self):
        """`strobe inspect statistics` names each key of the JSON, and the JSON has each key of the table."""
        table = {}
        for row in strobe("inspect", "statistics", "--markdown").stdout.splitlines()[2:]:
            place, key, _, meaning = [cell.strip() for cell in row.strip("|").split("|")]
            self.assertNotEqual(meaning, "")
            table.setdefault(place, []).append(key.strip("`"))
        for port in ("sata", "nvme", "ahci", "pata"):
            report = self.report(host={"interface": port})
            self.assertEqual(list(report["link"]), table[f"`link` (host.interface {port})"])
        self.assertEqual(list(report["flash"]["ecc"]), table["`flash.ecc` (all channels)"])
        self.assertEqual(list(report["flash"]["unit_stages"]), table["`flash.unit_stages` (summed over all flash units)"])
        operations = table["`flash.operations.total` (also flash.operations.by_purpose.*)"]
        self.assertEqual(list(report["flash"]["operations"]["total"]), operations)
        self.assertEqual(list(report["flash"]["operations"]["by_purpose"]["host"]), operations)
        self.assertEqual(list(report["phases"][0]["source"]),
                         table["`phases[].source` (of generators and traces; also phases[].jobs[].source)"])
        self.assertEqual(list(report["totals"]["all"]["latency"]),
                         table["`totals.*.latency` (also phases[].totals.*.latency, phases[].jobs[].totals.*.latency)"])
        resources = {resource["name"]: list(resource)[2:] for resource in report["resources"]}  # after name and group
        one = table["`resources[]` (one row per resource)"]
        self.assertEqual(resources["cpu"], one)
        self.assertEqual(resources["write buffer"], one + table["`resources[]` (pools of places only: the write buffer)"])

    def test_the_table_of_statistics_has_the_figures_of_the_whole_drive(self):
        table = {}
        for row in strobe("inspect", "statistics", "--markdown").stdout.splitlines()[2:]:
            place, key, unit, _ = [cell.strip().strip("`") for cell in row.strip("|").split("|")]
            table.setdefault(place.split("`")[0], {})[key] = unit

        def keys(row):
            return [key for key, value in row.items() if value is None or type(value) in (int, float)]

        report = self.report()
        self.assertEqual(keys(report)[2:], list(table["top level"]))  # after schema_version and seed
        rows = {"totals.*": report["totals"]["read"], "limiting": report["limiting"], "groups[]": report["groups"][0],
                "energy": report["energy"], "energy.components[]": report["energy"]["components"][0],
                "integrity": report["integrity"], "memory": report["memory"]}
        for place, row in rows.items():
            self.assertEqual(keys(row), list(table[place]), place)
        self.assertEqual([*keys(report["flash"]["wear"]), "pre_aged"], list(table["flash.wear"]))
        self.assertEqual([*report["firmware"]["costs"]["wake_up"], "deviation"], list(table["firmware.costs.*"]))
        self.assertEqual(table["energy"], {"total_joule": "J", "mean_watt": "W", "joule_per_byte": "J/byte",
                                           "joule_per_sector": "J/sector"})

    def test_the_table_of_statistics_has_the_counters_of_a_foreground_unit(self):
        names = [line.split()[0] for line in strobe("inspect", "statistics").stdout.splitlines() if line.startswith("  ")]
        report = self.report(controller={"foreground": True, "synthesizer": True}, firmware={"ftl": "superblock_map"})
        for key in report["flash"]["foreground"]:
            self.assertIn(key, names)
        self.assertIn("synthesized_reads", report["flash"]["foreground"])


if __name__ == "__main__":
    unittest.main()
