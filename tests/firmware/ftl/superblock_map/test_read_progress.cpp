// SPDX-License-Identifier: Apache-2.0
//
// Fences in the progress of reads, and the alarm for reads of the synthesizer.
#include "tests/firmware/ftl/superblock_map/policy_bench.h"
#include "tests/support/catch.h"

using strobe::test::PolicyBench;

TEST_CASE("read progress: a fence passes when all reads before it have ended")
{
    PolicyBench bench;
    read_progress& progress = bench.sbm.read_progress;
    progress.begun = UINT32_MAX; // counts wrap
    progress.ended = UINT32_MAX - 1;
    const fence at = read_fence(&progress);
    progress.begun += 2;
    CHECK_FALSE(read_fence_has_passed(&progress, &at));
    ++progress.ended;
    CHECK(read_fence_has_passed(&progress, &at));
    ++progress.ended;
    CHECK(read_fence_has_passed(&progress, &at));
}

TEST_CASE("read progress: reads of the synthesizer count, and an alarm is set while a fence waits for them")
{
    PolicyBench bench;
    read_progress& progress = bench.sbm.read_progress;
    progress.synthesizer = true;
    bench.registers[FLASH_SYNTH_STARTED] = 5;
    bench.registers[FLASH_SYNTH_ENDED] = 4;
    const fence at = read_fence(&progress);
    CHECK_FALSE(read_fence_has_passed(&progress, &at));
    read_alarm_set(&progress);
    CHECK(bench.written(TIMER_COMPARE_LO) == 1000 + SYNTHESIZER_LOOK_NS);
    CHECK(bench.written(TIMER_CONTROL) == TIMER_CONTROL_ENABLE_MASK);
    read_alarm_cancel(&progress);
    CHECK(bench.written(TIMER_CONTROL) == 0);
    bench.registers[FLASH_SYNTH_ENDED] = 5;
    CHECK(read_fence_has_passed(&progress, &at));
    bench.writes.clear();
    read_alarm_set(&progress);
    CHECK(bench.writes.empty());
}
