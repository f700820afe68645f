// SPDX-License-Identifier: Apache-2.0
//
// The buffer of a read-only drive.
#include "tests/firmware/ftl/superblock_map/policy_bench.h"
#include "tests/support/catch.h"

using strobe::test::PolicyBench;

TEST_CASE("rescue: the sector that blocks the ring of a read-only drive moves to the place of a discarded one")
{
    PolicyBench bench([](boot_block& boot) { boot.parking_superblocks = 1; });
    superblock_map& sbm = bench.sbm;
    const std::uint32_t entry = bench.write(1, 5, 1);
    buffer_arrived(&sbm.buffer, 1, PolicyBench::ringSectors - 1);
    for (std::uint32_t number = 1; number < PolicyBench::ringSectors; ++number)
        buffer_discard(&sbm.buffer, number);
    rescue_run(&sbm);
    CHECK(sbm.jobs.busy == 0); // the drive is not read-only
    sbm.read_only = true;
    sbm.parking.table[0] = 77;
    rescue_run(&sbm);
    CHECK(bench.opcode(0) == FLASH_READ);
    CHECK(bench.operation(0).blocks == 0);
    CHECK(bench.operation(0).buffer == buffer_address(&sbm.buffer, PolicyBench::ringSectors - 1));
    CHECK(bench.operation(0).spare_address == sbm.rescue.table_at);
    CHECK(sbm.rescue.table[0] == buffer_address(&sbm.buffer, 0));
    CHECK(sbm.parking.table[0] == 77); // parking's table is its own
    bench.end(0);
    CHECK(buffer_owner(&sbm.buffer, PolicyBench::ringSectors - 1) == entry);
    while (buffer_run(&sbm.buffer)) {
    }
    CHECK(sbm.buffer.tail == PolicyBench::ringSectors - 1);
}

TEST_CASE("rescue: nothing moves while there is space for a piece")
{
    PolicyBench bench;
    bench.sbm.read_only = true;
    bench.write(1, 5, 1);
    buffer_arrived(&bench.sbm.buffer, 1, 1);
    buffer_discard(&bench.sbm.buffer, 1);
    rescue_run(&bench.sbm);
    CHECK(bench.sbm.jobs.busy == 0);
}

namespace {

// The ring takes 64 sectors, and all of them are needed. Moves as long as something moves; returns how often.
std::uint32_t movesOutOfFullRing(PolicyBench& bench)
{
    superblock_map& sbm = bench.sbm;
    sbm.buffer.most = PolicyBench::entries * PolicyBench::sectors;
    for (std::uint32_t logical = 0; logical < PolicyBench::entries; ++logical)
        bench.write(logical, 0, PolicyBench::sectors);
    REQUIRE(buffer_free(&sbm.buffer) == 0);
    sbm.read_only = true;
    std::uint32_t moves = 0;
    for (rescue_run(&sbm); sbm.jobs.busy != 0; rescue_run(&sbm)) {
        CHECK(bench.operation(0).buffer == sbm.buffer.zeros + (1 + moves) * 512);
        CHECK(sbm.rescue.table[0] == buffer_address(&sbm.buffer, moves));
        bench.end(0);
        buffer_run(&sbm.buffer);
        ++moves;
    }
    return moves;
}

} // namespace

TEST_CASE("rescue: a ring that is full of needed sectors gets space for a piece: the oldest move after it")
{
    PolicyBench bench;
    CHECK(movesOutOfFullRing(bench) == FEED_PIECE_MOST);
    CHECK(buffer_free(&bench.sbm.buffer) == FEED_PIECE_MOST);
    const std::uint32_t entry = entry_of(&bench.sbm.buffer, 0);
    CHECK(entry_table(&bench.sbm.buffer, entry)[0] == bench.sbm.buffer.zeros + 512); // where a read finds it
    CHECK(bench.sbm.buffer.entry[entry].sectors == PolicyBench::sectors);
}

TEST_CASE("rescue: no more sectors move after the ring than the data buffer has room for")
{
    PolicyBench bench([](boot_block& boot) { boot.buffer_size = (PolicyBench::ringSectors + 1 + 3) * 512; });
    CHECK(movesOutOfFullRing(bench) == 3);
}
