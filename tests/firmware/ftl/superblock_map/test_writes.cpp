// SPDX-License-Identifier: Apache-2.0
//
// Host writes from the ring into tables.
#include "tests/firmware/ftl/superblock_map/policy_bench.h"
#include "tests/support/catch.h"

using strobe::test::Panic;
using strobe::test::PolicyBench;

namespace {

void fed(PolicyBench& bench, std::uint32_t slot, std::uint32_t first, std::uint32_t sectors)
{
    const piece piece{slot, bench.sbm.buffer.head, first, sectors};
    writes_fed(&bench.sbm, &piece);
}

} // namespace

TEST_CASE("writes: a piece is placed in the superblocks it touches, each with a stamp; then the write is complete")
{
    PolicyBench bench;
    superblock_map& sbm = bench.sbm;
    bench.putCommand(0, HOST_WRITE, PolicyBench::sectors - 1, 3);
    fed(bench, 0, 0, 2);
    CHECK(sbm.buffer.entry[entry_of(&sbm.buffer, 0)].sectors == 1);
    CHECK(sbm.buffer.entry[entry_of(&sbm.buffer, 1)].sectors == 1);
    CHECK(sbm.buffer.stamp == 2);
    CHECK(sbm.commands.slot[0].active);
    fed(bench, 0, 2, 1);
    CHECK(entry_table(&sbm.buffer, entry_of(&sbm.buffer, 1))[1] == buffer_address(&sbm.buffer, 2));
    CHECK_FALSE(sbm.commands.slot[0].active);
    CHECK(bench.written(HOST_COMPLETE) == 0U);
}

TEST_CASE("writes: without an entry a piece waits, and merging is requested")
{
    PolicyBench bench;
    superblock_map& sbm = bench.sbm;
    for (std::uint32_t logical = 1; logical <= PolicyBench::entries; ++logical)
        bench.write(logical, 0, 1);
    bench.putCommand(0, HOST_WRITE, 0, 1);
    fed(bench, 0, 0, 1);
    CHECK(sbm.merging.needs_entry);
    CHECK(sbm.writes.put - sbm.writes.taken == 1);
    entry_freeze(&sbm.buffer, 0);
    entry_release(&sbm.buffer, 0);
    writes_place(&sbm);
    CHECK(sbm.writes.put == sbm.writes.taken);
    CHECK_FALSE(sbm.commands.slot[0].active);
}

TEST_CASE("writes: sectors of a refused write are discarded")
{
    PolicyBench bench;
    bench.putCommand(0, HOST_WRITE, bench.sbm.capacity, 2);
    fed(bench, 0, 0, 2);
    CHECK(buffer_owner(&bench.sbm.buffer, 0) == NONE);
    CHECK(bench.sbm.buffer.placed == 2);
    CHECK(bench.written(HOST_COMPLETE) == HOST_OUT_OF_RANGE << HOST_COMPLETE_STATUS_SHIFT);
}

TEST_CASE("writes: a write-through command waits for flash")
{
    PolicyBench bench;
    bench.putCommand(0, HOST_WRITE, 0, 1, true);
    fed(bench, 0, 0, 1);
    CHECK(bench.sbm.commands.slot[0].active);
    CHECK(bench.sbm.flushes.head == 0);
}

TEST_CASE("writes: more pieces than the buffer holds are a panic")
{
    PolicyBench bench;
    for (std::uint32_t logical = 1; logical <= PolicyBench::entries; ++logical)
        bench.write(logical, 0, 1);
    bench.putCommand(0, HOST_WRITE, 0, 16);
    for (std::uint32_t i = 0; i <= bench.sbm.writes.mask; ++i)
        fed(bench, 0, i, 1);
    CHECK_THROWS_AS(fed(bench, 0, 8, 1), Panic);
}

TEST_CASE("writes: a read-only drive refuses what arrives, also for a superblock that takes writes")
{
    PolicyBench bench;
    superblock_map& sbm = bench.sbm;
    bench.putCommand(0, HOST_WRITE, 0, 3);
    fed(bench, 0, 0, 2);
    const std::uint32_t entry = entry_of(&sbm.buffer, 0);
    REQUIRE(entry != NONE);
    sbm.read_only = true;
    fed(bench, 0, 2, 1);
    CHECK(buffer_owner(&sbm.buffer, 1) == entry);
    CHECK(buffer_owner(&sbm.buffer, 2) == NONE);
    CHECK_FALSE(sbm.commands.slot[0].active);
    CHECK(bench.written(HOST_COMPLETE) == HOST_DEVICE_FAULT << HOST_COMPLETE_STATUS_SHIFT);
}
