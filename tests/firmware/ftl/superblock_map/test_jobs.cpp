// SPDX-License-Identifier: Apache-2.0
//
// Jobs of the background units.
#include "tests/firmware/ftl/superblock_map/policy_bench.h"
#include "tests/support/catch.h"

using strobe::test::PolicyBench;

namespace {

std::uint32_t steps;
units_result last;

void step(superblock_map*, job*, units_result result)
{
    ++steps;
    last = result;
}

} // namespace

TEST_CASE("jobs: as many as there are units; a job names its logical superblock and superchip while it lasts")
{
    PolicyBench bench;
    jobs& all = bench.sbm.jobs;
    job* first = job_take(&all, step);
    job* second = job_take(&all, step);
    REQUIRE(second != nullptr);
    CHECK(first->unit == 0);
    CHECK(second->unit == 1);
    CHECK(job_take(&all, step) == nullptr);
    second->logical = 3; // group 1 of 2
    CHECK(jobs_have_logical(&all, 3));
    CHECK_FALSE(jobs_have_logical(&all, 2));
    CHECK(jobs_have_superchip(&all, 1));
    CHECK_FALSE(jobs_have_superchip(&all, 0));
    job_end(&all, second);
    CHECK_FALSE(jobs_have_logical(&all, 3));
    CHECK(all.busy == 1);
    CHECK(job_take(&all, step) == second);
}

TEST_CASE("jobs: an erase counts, goes to the unit of the job, and its end calls the step with the result")
{
    PolicyBench bench;
    job* job = job_take(&bench.sbm.jobs, step);
    const std::uint32_t number = bench.map(1);
    const std::uint32_t erases = bench.sbm.superblocks.superblock[number].erases;
    job_erase(&bench.sbm.jobs, job, number, FLASH_FOR_MERGE, step);
    CHECK(bench.opcode(0) == FLASH_ERASE);
    CHECK(bench.operation(0).superchip == 1);
    CHECK(bench.operation(0).blocks == superblock_blocks(&bench.sbm.superblocks, number));
    CHECK(bench.written(FLASH_UNIT_HEAD) == bench.sbm.units.descriptors_at);
    CHECK(bench.sbm.superblocks.superblock[number].erases == erases + 1);
    CHECK(bench.sbm.superblocks.erased);
    steps = 0;
    bench.end(0, FLASH_ERASE_FAILED, 1);
    CHECK(steps == 1);
    CHECK(last.status == FLASH_ERASE_FAILED);
    CHECK(last.chip == 1);
}
