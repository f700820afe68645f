# SPDX-License-Identifier: Apache-2.0
"""Drives whose parts have an error model: retries by retention and cycles, soft reads, disturb, and mistakes."""
import json
import os
import subprocess
import unittest

from test_runs import figures_only

STROBE = os.environ["STROBE"]
# Five senses, because a page of a bad word line needs them.
OLD = ("nand.age.retention=1y", "nand.preAgedCycles=2000", "firmware.pageMap.softSenses=5")
# Preconditioned with time, so for firmware on the core and on two cores: its data is fresh, and the code weak.
FRESH = ("nand.part.pagesPerBlock=24", "workload.phases.0.precondition=true", "controller.ecc.correctableBits=10",
         "controller.ecc.softGain=8", "nand.preAgedCycles=3000")
PART = "nand.part.errors."


def run(*sets, scenario="reliability/read-retry", requests=1500):
    """Exit code and report, or messages."""
    words = [word for s in sets + (f"workload.phases.1.requests={requests}",) for word in ("--set", s)]
    done = subprocess.run([STROBE, "run", scenario, "--json", "-", *words], capture_output=True, text=True, check=False, timeout=600)
    return done.returncode, json.loads(done.stdout) if done.stdout else done.stderr


def reliability(report):
    return report["flash"]["reliability"]


class Retries(unittest.TestCase):
    def test_older_data_needs_more_retries_and_reads_take_longer(self):
        retries, latency = [], []
        for age in ("1d", "180d", "2y"):
            code, report = run(f"nand.age.retention={age}")
            self.assertEqual(report["integrity"]["mismatches"], 0)
            retries.append(reliability(report)["mean_retries"])
            latency.append(report["totals"]["read"]["latency"]["mean_ps"])
        self.assertEqual(retries[0], 0)
        self.assertLess(retries[1], retries[2])
        self.assertEqual(latency, sorted(latency))

    def test_the_attempts_of_a_read_are_its_own_time(self):
        code, report = run("nand.age.retention=2y", "report.stages=true")
        slow = report["stages"]["kinds"]["read"]["slowest_10_percent"]
        self.assertGreater(slow["array_ps"], 3 * 66_000_000)  # of several attempts, of about 66 us each
        self.assertLess(slow["die_wait_read_host_ps"], slow["array_ps"] / 100)  # nobody else reads

    def test_heat_ages_stored_data_as_time_does(self):
        cold, hot = (run("nand.age.retention=4d", f"nand.age.temperature={t}")[1] for t in (30, 60))
        self.assertEqual(reliability(cold)["mean_retries"], 0)
        self.assertGreater(reliability(hot)["mean_retries"], 0)

    def test_retries_and_soft_reads_save_reads_that_fail_without(self):
        code, with_both = run(*OLD)
        self.assertEqual(code, 0)
        self.assertEqual(with_both["totals"]["read"]["failed"], 0)
        self.assertGreater(reliability(with_both)["soft_decodes"], 0)
        self.assertGreater(reliability(with_both)["set_features"], 0)
        code, without = run(*OLD, "firmware.pageMap.readRetry=false", "firmware.pageMap.softSenses=0")
        self.assertEqual(code, 1)
        self.assertGreater(without["totals"]["read"]["failed"], 0)
        self.assertEqual(reliability(without)["mean_retries"], 0)

    def test_the_formula_has_a_retry_table_too(self):
        part = "nand.part.extends=tlc-128l-2plane-formula"
        code, report = run(part, "nand.age.retention=30d", "controller.ecc.correctableBits=110")
        self.assertEqual(code, 0)
        self.assertGreater(reliability(report)["mean_retries"], 0)

    def test_reads_disturb_and_are_counted(self):
        sets = ("nand.age.readsPerBlock=80000", "nand.part.errors.reclaimReads=80000")
        quiet, disturbed = run()[1], run(*sets)[1]
        self.assertGreater(disturbed["flash"]["ecc"]["corrected_bits"], 1.1 * quiet["flash"]["ecc"]["corrected_bits"])
        self.assertEqual(reliability(quiet)["blocks_to_reclaim"], 0)
        self.assertGreater(reliability(disturbed)["blocks_to_reclaim"], 0)

    @figures_only
    def test_native_firmware_and_the_core_do_the_same(self):
        native, rv32 = (run(*FRESH, f"firmware.mode={mode}", requests=3000)[1] for mode in ("native", "rv32"))
        for report in (native, rv32): # the draws differ with the order of operations: many requests
            self.assertGreater(reliability(report)["mean_retries"], 0)
            self.assertEqual(report["totals"]["read"]["failed"], 0)
            self.assertEqual(report["integrity"]["mismatches"], 0)
        means = [r["totals"]["read"]["latency"]["mean_ps"] for r in (native, rv32)]
        self.assertLess(abs(means[0] - means[1]), 0.03 * means[0])

    def test_suspended_programs_joined_planes_and_two_cores_keep_the_data(self):
        for sets in ((*OLD, "channel.suspend=both"), (*OLD, "controller.cacheOperations=true"), (*FRESH, "firmware.cores=2")):
            with self.subTest(sets=sets):
                code, report = run(*sets, "workload.phases.1.readRatio=70%", "workload.phases.1.pacing.queueDepth=16")
                self.assertEqual(code, 0, report if isinstance(report, str) else report["failures"])
                self.assertEqual(report["integrity"]["mismatches"], 0)
                self.assertGreater(reliability(report)["mean_retries"], 0)

    def test_rows_of_planes_and_superblocks_retry_each_operation_of_a_die(self):
        rows, dies = "firmware.pageMap.superblock.joinPlanes=true", "firmware.pageMap.superblock.dies="
        for sets in ((*OLD, rows), (*OLD, dies + "4"), (*FRESH, rows, dies + "2", "firmware.cores=2"), (*OLD, "firmware.pageMap.readAhead.streams=4"),
                     (*OLD, "firmware.pageMap.writeCache=protected", "power.holdUp=100ms", "power.meanCutInterval=20ms", "power.maxCuts=5")):
            with self.subTest(sets=sets):
                code, report = run(*sets, "workload.phases.1.readRatio=70%", "workload.phases.1.pacing.queueDepth=16")
                self.assertEqual(code, 0, report if isinstance(report, str) else report["failures"])
                self.assertEqual(report["integrity"]["mismatches"], 0)
                self.assertGreater(reliability(report)["mean_retries"], 0)

    def test_pslc_pages_have_few_errors_and_are_tried_again_in_their_mode(self):
        cache = ("nand.part.extends=tlc-128l-2plane-formula", "firmware.pageMap.pslcCache.mode=static",
                 "firmware.pageMap.pslcCache.size=40MiB", "firmware.overProvisioning=50%", "workload.phases.0.volume=30MiB", "workload.phases.0.precondition=true",
                 "nand.preAgedCycles=0", "controller.ecc.softGain=8")
        means = []
        for factor, bits in ((0.01, 20), (1, 20)):
            code, report = run(*cache, f"nand.part.errors.formula.pslcFactor={factor}", f"controller.ecc.correctableBits={bits}", requests=4000)
            self.assertEqual(code, 0, report if isinstance(report, str) else report["failures"])
            self.assertEqual(report["integrity"]["mismatches"], 0)
            self.assertGreater(report["flash"]["pslc"]["reads"], 300)
            means.append(reliability(report)["mean_retries"])
        self.assertEqual(means[0], 0)
        self.assertGreater(means[1], 0)

    def test_power_losses_lose_nothing_that_retries_can_read(self):
        code, report = run(*FRESH, "workload.phases.1.readRatio=40%", "workload.phases.1.pacing.queueDepth=16",
                           "workload.phases.1.flushEvery=20", "workload.phases.0.volume=20%", "power.meanCutInterval=4ms", "power.maxCuts=30",
                           "power.readBack=true", requests=3000)
        self.assertEqual(code, 0, report if isinstance(report, str) else report["failures"])
        self.assertGreater(report["power"]["cuts"], 10)
        self.assertEqual((report["power"]["sectors_unreadable"], report["integrity"]["mismatches"]), (0, 0))
        self.assertGreater(reliability(report)["mean_retries"], 0)

    def test_a_seed_repeats_the_report(self):
        self.assertEqual(*(run(*OLD, requests=300)[1] for _ in range(2)))

    def test_mistakes_name_their_place(self):
        for sets, words in (((PART + "states.references=[1,2]",), "/nand/part/errors/states/references: 2 numbers, but the cells have 7"),
                            ((PART + "states.pages=[{\"references\":[9]}]",), "pages/0/references: must be numbers of references, 1 to 7"),
                            ((PART + "options=[{\"shifts\":[1]}]",), "options/0/shifts: 1 numbers, but there are 7"),
                            ((PART + "options=[{\"shifts\":[0,0,0,0,0,0,0],\"factor\":2}]",), "options/0/factor: applies only to model"),
                            ((PART + "states.retention=[]",), "/nand/part/errors/states/retention: needs at least one row"),
                            (("nand.part.endurance=0",), "/nand/part/endurance: a part with an error model"),
                            ((PART + "model=wear", "nand.age.retention=9d"), "/nand/age/retention: needs a part with an error model"),
                            ((PART + "model=magic",), "/nand/part/errors/model"),
                            (("nand.age.retention=9 weeks",), "/nand/age/retention")):
            with self.subTest(sets=sets):
                code, message = run(*sets)
                self.assertEqual(code, 2)
                self.assertIn(words, " ".join(message.split()))

REFRESH = "firmware.pageMap.refresh."
HOT = "reliability/read-disturb"


def refresh(report):
    return report["flash"]["refresh"]


class Refresh(unittest.TestCase):
    """Data that is moved before it is lost."""

    def checked(self, *sets, **more):
        code, report = run(*sets, **more)
        self.assertEqual(code, 0, report if isinstance(report, str) else report["failures"])
        self.assertEqual((report["integrity"]["mismatches"], report["totals"]["read"]["failed"]), (0, 0))
        return report

    def test_hot_data_becomes_unreadable_unless_it_is_moved_in_time(self):
        old = "nand.age.readsPerBlock=50000"
        code, without = run(REFRESH + "readLimit=0", old, scenario=HOT, requests=40000)
        self.assertEqual(code, 1)
        self.assertGreater(without["totals"]["read"]["failed"], 10)
        self.assertNotIn("refresh", without["flash"])
        moved = self.checked(REFRESH + "readLimit=2000", old, scenario=HOT, requests=40000)
        # The planes of the row share the reads: 20,000 of a block of each, which is due after 2,000.
        self.assertAlmostEqual(refresh(moved)["blocks_for_reads"], 10, delta=1)
        self.assertGreater(moved["flash"]["operations"]["by_purpose"]["refresh"]["programs"], 100)
        self.assertLess(reliability(moved)["mean_retries"], reliability(without)["mean_retries"])
        self.assertLess(reliability(moved)["most_block_reads"], 60000)

    def test_scrubbing_moves_data_that_nobody_reads_before_it_is_old(self):
        slow = ("workload.phases.1.pacing.thinkTime=2ms", "nand.age.retention=1y", "workload.phases.1.region.size=64KiB")
        scrubbed = self.checked(*slow, REFRESH + "scrub.interval=100us", REFRESH + "scrub.correctedBits=50", requests=1000)
        self.assertGreater(refresh(scrubbed)["scrub_reads"], 1000)
        self.assertGreater(refresh(scrubbed)["blocks_for_errors"], 5)

    def test_waits_for_moved_data_are_visible_in_the_stages(self):
        report = self.checked(REFRESH + "readLimit=2000", "report.stages=true", scenario=HOT, requests=40000)
        self.assertGreater(report["stages"]["kinds"]["read"]["all"].get("die_wait_program_refresh_ps", 0), 0)

    def test_moves_by_age_leave_the_data_intact_in_every_mode_and_over_power_losses(self):
        often = (REFRESH + "ageLimit=5ms", REFRESH + "readLimit=500", REFRESH + "scrub.interval=50us", "workload.phases.1.readRatio=60%",
                 "workload.phases.1.pacing.queueDepth=16")
        for sets in (("firmware.cores=2", *FRESH), ("firmware.mode=rv32", *FRESH), ("firmware.pageMap.superblock.joinPlanes=true",),
                     ("firmware.pageMap.superblock.dies=4",),
                     ("power.meanCutInterval=6ms", "power.maxCuts=20", "power.readBack=true", "workload.phases.1.flushEvery=20"),
                     ("firmware.pageMap.writeCache=protected", "power.holdUp=100ms", "power.meanCutInterval=20ms", "power.maxCuts=5")):
            with self.subTest(sets=sets):
                report = self.checked(*often, *sets, requests=3000)
                self.assertGreater(refresh(report)["blocks_for_age"] + refresh(report)["blocks_for_reads"], 0)
                self.assertGreater(refresh(report)["units"], 100)

    def test_mistakes_name_their_place(self):
        for sets, words in (((REFRESH + "scrub.correctedBits=5",), "/firmware/pageMap/refresh/scrub/correctedBits: applies only to scrubbing, but interval is 0"),
                            ((REFRESH + "readLimit=-1",), "/firmware/pageMap/refresh/readLimit"),
                            ((REFRESH + "ageLimit=9999d",), "/firmware/pageMap/refresh/ageLimit")):
            with self.subTest(sets=sets):
                code, message = run(*sets)
                self.assertEqual(code, 2)
                self.assertIn(words, " ".join(message.split()))


if __name__ == "__main__":
    unittest.main()
