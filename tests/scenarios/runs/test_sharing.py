#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A drive that several share: queues of jobs, namespaces, what is refused."""
import unittest

from test_runs import SMALL, Run, merged, phase

QUEUES = {"interface": "nvme", "queueDepth": 8, "nvme": {"queues": 4, "arbitration": "weighted", "classes": {"urgent": 1}}}
NAMESPACES = {"interface": "nvme", "nvme": {"namespaces": [{"size": "25%"}, {"size": "1MiB"}, {"size": "rest"}]}}


def reader(queues, of_writer="2-4", **more):
    writer = phase("writer", blockSize="4KiB", pacing={"queueDepth": 64}, **({"queues": of_writer} if of_writer else {}))
    return phase("reader", blockSize="4KiB", readRatio="100%", requests=400, pacing={"queueDepth": 1}, concurrentJobs=[writer],
                 **({"queues": queues} if queues else {}), **more)


def fill(name, **more):
    return phase(name, "sequential", blockSize="64KiB", volume="100%", precondition=True, **more)


class Drive(unittest.TestCase):
    def run_it(self, *phases, host=None, code=0, **more):
        run = Run(merged(SMALL, host=host or QUEUES, workload={"phases": list(phases)}, **more))
        self.assertEqual(run.code, code, run.errors)
        return run.report if code == 0 else run.errors


class Queues(Drive):
    def latency(self, *choice):
        report = self.run_it(fill("fill"), reader(*choice))
        self.assertEqual(report["integrity"]["mismatches"], 0)
        job = report["phases"][1]["jobs"][0]
        return job["totals"]["read"]["latency"]["mean_ps"] / 1e6, report

    def test_the_class_decides_the_wait_for_the_drive(self):
        shared, _ = self.latency("2", "2")
        own, _ = self.latency("2", "3")
        urgent, report = self.latency("urgent", "low")
        self.assertLess(urgent, own)
        self.assertLess(own, shared / 2)
        link = report["link"]
        self.assertEqual(link["commands_urgent"], 400)
        self.assertEqual(link["commands_urgent"] + link["commands_low"], link["commands_fetched"])
        self.assertIn("queues of class urgent", report["phases"][1]["jobs"][0]["workload"])

    def test_with_a_limit_of_writes_a_read_waits_for_the_writes_before_it(self):
        """The reader's queue is urgent, but its command has been fetched: no class helps it."""
        reads, writes = {}, {}
        for limit in ("all", 2):
            report = self.run_it(fill("fill"), reader("urgent", "low"), host=merged(QUEUES, queueDepth=80, nvme={"writeCommands": limit}))
            self.assertEqual(report["integrity"]["mismatches"], 0)
            jobs = report["phases"][1]["jobs"]
            reads[limit] = jobs[0]["totals"]["read"]["latency"]["mean_ps"]
            writes[limit] = jobs[1]["totals"]["write"]["latency"]["mean_ps"]
        self.assertGreater(reads[2], 0.8 * writes[2])
        self.assertLess(reads["all"], 0.5 * writes["all"])

    def test_a_limit_of_writes_loses_nothing_in_power_losses(self):
        report = self.run_it(fill("fill") | {"precondition": "functional"}, reader("1", "2-4"), power={"cuts": ["5ms", "20ms"]},
                             host=merged(QUEUES, nvme={"writeCommands": 1}))
        self.assertEqual(report["power"]["cuts"], 2)
        self.assertEqual(report["integrity"]["mismatches"], 0)

    def test_power_losses_with_chosen_queues_lose_nothing(self):
        report = self.run_it(fill("fill") | {"precondition": "functional"}, reader("1", "2-4"), power={"cuts": ["20ms", "40ms"]})
        self.assertEqual(report["power"]["cuts"], 2)
        self.assertGreater(report["power"]["commands_lost"], 0)
        self.assertEqual(report["integrity"]["mismatches"], 0)

    def test_what_is_refused(self):
        path = "/workload/phases/1/queues: "
        plain = {"interface": "nvme", "nvme": {"queues": 4}}
        for phases, host, message in (
                ([fill("fill"), reader("5")], QUEUES, path + "the host has queues 1 to 4 (host.nvme.queues)"),
                ([fill("fill"), reader("medium")], QUEUES, path + "no queue is of class medium (host.nvme.classes, host.nvme.queues)"),
                ([fill("fill"), reader("urgent", "1")], plain, path + "queues have classes with weighted arbitration only"),
                ([fill("fill"), reader("1")], merged(QUEUES, nvme={"writeCommands": 8}),
                 "/host/nvme/writeCommands: the drive has at most 8 commands, so 8 writes are no limit"),
                ([fill("fill"), reader("1")], merged(QUEUES, nvme={"writeCommands": 0}), "/host/nvme/writeCommands: must be "),
                ([fill("fill"), reader("1", "1")], {"interface": "sata"}, path + "sata has no submission queues to choose from"),
                ([fill("fill"), reader("1", "0")], QUEUES, '/workload/phases/1/concurrentJobs/0/queues: must be "any", "urgent", '),
                ([fill("fill") | {"precondition": "functional", "queues": "1"}, reader("1")], QUEUES,
                 "/workload/phases/0/queues: a functional phase has no port, and so no queues: must be any")):
            with self.subTest(message):
                self.assertIn(message, self.run_it(*phases, host=host, code=2))


class Namespaces(Drive):
    def test_phases_go_to_their_namespaces(self):
        """Each is filled with its own data, and read back; so nobody writes into another one."""
        fills = [fill(f"fill {number}", namespace=number) for number in (1, 2, 3)]
        reads = [phase(f"read {number}", "sequential", blockSize="64KiB", readRatio="100%", volume="100%", namespace=number)
                 for number in (1, 2, 3)]
        mix = phase("mix", blockSize="4KiB", readRatio="50%", trimRatio="5%", flushEvery=20, requests=500, namespace=2, concurrentJobs=[
            phase("beside", "zipf", blockSize="4KiB", readRatio="50%", namespace=3)])
        for data in ("tags", "bytes"):
            report = self.run_it(*fills, mix, *reads, host=NAMESPACES, data=data)
            self.assertEqual(report["integrity"]["mismatches"], 0)
            self.assertEqual(report["failures"], [])
            sizes = [report["phases"][4 + at]["totals"]["read"]["bytes"] for at in range(3)]
            capacity = report["capacity_bytes"]
            self.assertEqual(sizes, [capacity // 4 // 2**20 * 2**20, 2**20, capacity - capacity // 4 // 2**20 * 2**20 - 2**20])

    def test_power_losses_lose_nothing_of_any_namespace(self):
        fills = [fill(f"fill {number}", namespace=number) for number in (1, 2, 3)]
        mix = phase("mix", blockSize="16KiB", requests=800, flushEvery=10, namespace=1, concurrentJobs=[
            phase("beside", blockSize="4KiB", namespace=3)])
        report = self.run_it(*fills, mix, host=NAMESPACES, power={"meanCutInterval": "20ms", "maxCuts": 8, "readBack": True})
        self.assertGreater(report["power"]["cuts"], 2)
        self.assertEqual(report["integrity"]["mismatches"], 0)

    def test_functional_phases_fill_namespaces_too(self):
        fills = [fill(f"fill {number}", namespace=number) | {"precondition": "functional"} for number in (1, 2, 3)]
        read = phase("read", "sequential", blockSize="64KiB", readRatio="100%", volume="100%", namespace=3)
        report = self.run_it(*fills, read, host=NAMESPACES)
        self.assertEqual(report["integrity"]["mismatches"], 0)
        self.assertGreater(report["integrity"]["checked_sectors"], 0)

    def test_what_is_refused(self):
        def of(*sizes):
            return {"interface": "nvme", "nvme": {"namespaces": [{"size": size} for size in sizes]}}

        size = "/host/nvme/namespaces/{}/size: "
        one = phase("one", blockSize="4KiB", requests=10)
        for phases, host, message in (
                ([one], of("1MiB", "2MiB"), size.format(1) + "the last namespace takes the rest of the drive: must be rest"),
                ([one], of("rest", "rest"), size.format(0) + "only the last namespace takes the rest"),
                ([one], of("1000KiB", "rest"), size.format(0) + "a namespace begins at a multiple of 1MiB"),
                ([one], of("8GiB", "rest"), size.format(0) + "the namespace has 8192MiB, but only "),
                ([one], of("0.1%", "rest"), size.format(0) + "that is less than 1MiB on a drive of "),
                ([one | {"namespace": 4}], NAMESPACES, "/workload/phases/0/namespace: the drive has namespaces 1 to 3 (host.nvme.namespaces)"),
                ([one | {"namespace": 2}], {"interface": "sata"}, "/workload/phases/0/namespace: the drive has one namespace: must be 1"),
                ([one | {"namespace": 0}], NAMESPACES, "/workload/phases/0/namespace: must be a whole number from 1 to 64, not 0"),
                ([one | {"namespace": 2, "region": {"size": "2MiB"}}], NAMESPACES,
                 "/workload/phases/0/region/size: phase 'one': the region of 2 MiB at 0 B ends beyond the namespace's capacity of 1 MiB")):
            with self.subTest(message):
                self.assertIn(message, self.run_it(*phases, host=host, code=2))


if __name__ == "__main__":
    unittest.main()
