// SPDX-License-Identifier: Apache-2.0
//
// Flushes and write-through commands.
#include "tests/firmware/ftl/superblock_map/policy_bench.h"
#include "tests/support/catch.h"

using strobe::test::PolicyBench;

namespace {

void flush(PolicyBench& bench, std::uint32_t slot)
{
    bench.putCommand(slot, HOST_FLUSH, 0, 0);
    command_take(&bench.sbm, slot);
    durability_wait(&bench.sbm, slot);
}

} // namespace

TEST_CASE("durability: a flush marks all entries of before, and waits for their merges and the log")
{
    PolicyBench bench;
    superblock_map& sbm = bench.sbm;
    const std::uint32_t entry = bench.write(1, 0, 1);
    flush(bench, 0);
    const std::uint32_t later = bench.write(2, 0, 1);
    durability_run(&sbm);
    CHECK(sbm.buffer.entry[entry].must);
    CHECK_FALSE(sbm.buffer.entry[later].must);
    journal_remap(&sbm.journal.records, 1, 5, sbm.buffer.entry[entry].stamp, NONE);
    entry_freeze(&sbm.buffer, entry);
    entry_release(&sbm.buffer, entry);
    durability_run(&sbm);
    CHECK(sbm.commands.slot[0].active); // the log does not have it yet
    sbm.journal.records.covered = 1;
    journal_records_written(&sbm);
    durability_run(&sbm);
    CHECK_FALSE(sbm.commands.slot[0].active);
    CHECK(bench.written(HOST_COMPLETE) == 0U);
}

TEST_CASE("durability: a write-through command waits for the superblocks it wrote only")
{
    PolicyBench bench;
    superblock_map& sbm = bench.sbm;
    const std::uint32_t other = bench.write(1, 0, 1);
    bench.putCommand(1, HOST_WRITE, 2 * PolicyBench::sectors, 1, true);
    command_take(&sbm, 1);
    const std::uint32_t own = bench.write(2, 0, 1);
    durability_wait(&sbm, 1);
    durability_run(&sbm);
    CHECK(sbm.buffer.entry[own].must);
    CHECK_FALSE(sbm.buffer.entry[other].must);
}

TEST_CASE("durability: parking covers written sectors, but entries with trims are merged")
{
    PolicyBench bench([](boot_block& boot) { boot.parking_superblocks = 1; });
    superblock_map& sbm = bench.sbm;
    const std::uint32_t entry = bench.write(1, 0, 1);
    flush(bench, 0);
    CHECK(parking_is_on(&sbm.parking));
    durability_run(&sbm);
    CHECK_FALSE(sbm.buffer.entry[entry].must); // it is being parked
    const std::uint32_t trimmed = bench.write(2, 0, 1);
    buffer_trim(&sbm.buffer, trimmed, 1);
    flush(bench, 1);
    sbm.parking.requested = false;
    sbm.parking.stamp = sbm.buffer.stamp; // a round has ended
    durability_run(&sbm);
    CHECK_FALSE(sbm.commands.slot[0].active);
    CHECK(sbm.commands.slot[1].active);
    CHECK(sbm.buffer.entry[trimmed].must);
}

TEST_CASE("durability: on a read-only drive a flush of data that is not in flash fails")
{
    PolicyBench bench;
    bench.write(1, 0, 1);
    flush(bench, 3);
    bench.sbm.read_only = true;
    durability_run(&bench.sbm);
    CHECK(bench.written(HOST_COMPLETE) == (3U | HOST_DEVICE_FAULT << HOST_COMPLETE_STATUS_SHIFT));
}
