// SPDX-License-Identifier: Apache-2.0
//
// The optimised flush: batches, members of the area, rounds.
#include "tests/firmware/ftl/superblock_map/policy_bench.h"
#include "tests/support/catch.h"

using strobe::test::PolicyBench;

namespace {

void threeMembers(boot_block& boot)
{
    boot.parking_superblocks = 3;
}

std::uint32_t collect(PolicyBench& bench)
{
    bench.sbm.parking.until = bench.sbm.buffer.placed;
    return parking_collect(&bench.sbm.parking, &bench.sbm.buffer);
}

} // namespace

TEST_CASE("parking: a batch has runs of neighbouring sectors of an entry, and the addresses of its sectors")
{
    PolicyBench bench(threeMembers);
    const std::uint32_t first = bench.write(1, 4, 2);
    bench.write(1, 6, 1);
    bench.write(2, 0, 1);
    CHECK(collect(bench) == 4);
    const parking_index& index = *bench.sbm.parking.index;
    REQUIRE(index.runs == 2);
    CHECK(index.sectors == 4);
    CHECK(index.run[0].logical == 1);
    CHECK(index.run[0].sector == 4);
    CHECK(index.run[0].sectors == 3);
    CHECK(index.run[0].stamp == bench.sbm.buffer.entry[first].stamp);
    CHECK(index.run[1].logical == 2);
    CHECK(bench.sbm.parking.table[3] == buffer_address(&bench.sbm.buffer, 3));
}

TEST_CASE("parking: sectors of an entry that are not neighbours are separate runs")
{
    PolicyBench bench(threeMembers);
    bench.write(1, 4, 1);
    bench.write(1, 6, 1);
    bench.write(1, 5, 1);
    collect(bench);
    CHECK(bench.sbm.parking.index->runs == 3);
}

TEST_CASE("parking: a batch leaves out overwritten sectors and ends after a quarter of a superblock")
{
    PolicyBench bench(threeMembers);
    bench.write(1, 0, 1);
    bench.write(1, 0, 6);
    CHECK(collect(bench) == 5); // sector 0 of the ring was overwritten, four follow
    CHECK(bench.sbm.parking.index->sectors == PolicyBench::sectors / 4);
}

TEST_CASE("parking: a member is spent when nothing up to its last stamp is in the buffer or waits for the log")
{
    PolicyBench bench(threeMembers);
    superblock_map& sbm = bench.sbm;
    const std::uint32_t entry = bench.write(1, 0, 1);
    const std::uint32_t stamp = sbm.buffer.entry[entry].stamp;
    const auto isSpent = [&] { return parking_is_spent(&sbm.parking, &sbm.buffer, &sbm.journal.records, 0); };
    sbm.parking.last_stamp[0] = stamp - 1;
    CHECK(isSpent());
    sbm.parking.last_stamp[0] = stamp;
    CHECK_FALSE(isSpent());
    entry_freeze(&sbm.buffer, entry);
    CHECK_FALSE(isSpent());
    entry_release(&sbm.buffer, entry);
    CHECK(isSpent());
    journal_remap(&sbm.journal.records, 1, 5, stamp, NONE);
    CHECK_FALSE(isSpent());
}

TEST_CASE("parking: a round writes sectors, then their index, and covers everything placed before it")
{
    PolicyBench bench(threeMembers);
    superblock_map& sbm = bench.sbm;
    bench.write(1, 0, 3);
    const std::uint32_t stamp = sbm.buffer.stamp;
    CHECK_FALSE(parking_covers(&sbm.parking, stamp));
    parking_request(&sbm);
    CHECK(parking_is_on(&sbm.parking));
    parking_run(&sbm);
    CHECK(bench.opcode(0) == FLASH_ERASE);
    CHECK(sbm.buffer.holding);
    bench.end(0);
    CHECK(bench.operation(0).spare0 == PAGE_PARKED);
    CHECK(bench.operation(0).sectors == 3);
    bench.end(0);
    CHECK(bench.operation(0).spare0 == PAGE_INDEX);
    CHECK(bench.operation(0).start_sector == sbm.layout.row_sectors); // a row of its own
    CHECK(sbm.parking.index->check == check_index(sbm.parking.index));
    CHECK_FALSE(parking_covers(&sbm.parking, stamp));
    bench.end(0);
    CHECK(parking_covers(&sbm.parking, stamp));
    CHECK_FALSE(parking_covers(&sbm.parking, stamp + 1));
    CHECK_FALSE(parking_is_on(&sbm.parking));
    CHECK_FALSE(sbm.buffer.holding);
    CHECK(sbm.jobs.busy == 0);
}

TEST_CASE("parking: a member that fails is left, and without a member the round ends")
{
    PolicyBench bench([](boot_block& boot) { boot.parking_superblocks = 1; });
    superblock_map& sbm = bench.sbm;
    bench.write(1, 0, 3);
    parking_request(&sbm);
    parking_run(&sbm);
    bench.end(0, FLASH_ERASE_FAILED);
    CHECK(sbm.superblocks.superblock[sbm.parking.member[0]].state == SUPERBLOCK_UNUSABLE);
    CHECK_FALSE(parking_is_on(&sbm.parking));
    CHECK_FALSE(parking_covers(&sbm.parking, sbm.buffer.stamp));
    CHECK(sbm.jobs.busy == 0);
}

TEST_CASE("parking: sectors without an entry, or a drive without the area, cannot be parked")
{
    PolicyBench bench(threeMembers);
    buffer_arrived(&bench.sbm.buffer, 0, 1);
    parking_request(&bench.sbm);
    CHECK_FALSE(parking_is_on(&bench.sbm.parking));
    PolicyBench without;
    parking_request(&without.sbm);
    CHECK_FALSE(parking_is_on(&without.sbm.parking));
    CHECK_FALSE(parking_covers(&without.sbm.parking, 0));
}
