// SPDX-License-Identifier: Apache-2.0
//
// Explicit wear levelling: the choice, and moving a superblock.
#include "tests/firmware/ftl/superblock_map/policy_bench.h"
#include "tests/support/catch.h"

using strobe::test::PolicyBench;

namespace {

// A mapped superblock of group 1 with no erases; the free superblock that is given has `erases`.
struct Pair {
    PolicyBench bench;
    std::uint32_t cold, worn;

    explicit Pair(std::uint32_t erases) : cold(bench.map(1)), worn(bench.sbm.superblocks.free[1].member[3])
    {
        bench.sbm.superblocks.superblock[worn].erases = erases;
        bench.boot.wear_threshold = 5;
        bench.sbm.superblocks.erased = true;
    }
};

} // namespace

TEST_CASE("wear: the least worn mapped and the most worn free superblock, if they differ by more than the threshold")
{
    Pair pair(6);
    const superblocks* all = &pair.bench.sbm.superblocks;
    CHECK(wear_choose(all, 1, 5).cold == pair.cold);
    CHECK(wear_choose(all, 1, 5).worn == pair.worn);
    CHECK(wear_choose(all, 1, 6).cold == NONE);
    CHECK(wear_choose(all, 0, 5).cold == NONE); // the other group has nothing mapped
    pair.bench.sbm.superblocks.superblock[pair.worn].fence = {1, 0};
    CHECK(wear_choose(all, 1, 5).cold == NONE); // it may still be read
}

TEST_CASE("wear: the data moves, the map and the log change, and the cold superblock is free after the log")
{
    Pair pair(9);
    superblock_map& sbm = pair.bench.sbm;
    CHECK(wear_run(&sbm));
    CHECK(pair.bench.opcode(0) == FLASH_ERASE);
    pair.bench.end(0);
    CHECK(pair.bench.opcode(0) == FLASH_COPYBACK);
    CHECK(pair.bench.operation(0).source_blocks == superblock_blocks(&sbm.superblocks, pair.cold));
    pair.bench.end(0);
    CHECK(mapped_superblock(&sbm, 1) == pair.worn);
    CHECK(sbm.superblocks.superblock[pair.cold].state == SUPERBLOCK_LEAVING);
    CHECK(journal_record(&sbm.journal.records, 0)->leaving == pair.cold);
}

TEST_CASE("wear: pages get the record of data, so that the flash unit leaves those out that were never written")
{
    Pair pair(9);
    wear_run(&pair.bench.sbm);
    pair.bench.end(0);
    const flash_descriptor& copy = pair.bench.operation(0);
    CHECK((copy.control & FLASH_DESCRIPTOR_CONTROL_COMMON_SPARE_MASK) != 0);
    CHECK(copy.spare0 == PAGE_DATA);
    CHECK(copy.spare1 == 1);
}

TEST_CASE("wear: data that cannot be read stays where it is")
{
    Pair pair(9);
    wear_run(&pair.bench.sbm);
    pair.bench.end(0);
    pair.bench.end(0, FLASH_UNCORRECTABLE);
    CHECK(mapped_superblock(&pair.bench.sbm, 1) == pair.cold);
    CHECK(pair.bench.sbm.superblocks.superblock[pair.worn].state == SUPERBLOCK_FREE);
    CHECK(pair.bench.sbm.jobs.busy == 0);
}

TEST_CASE("wear: after a search without a result the next one waits for an erase")
{
    Pair pair(3);
    CHECK_FALSE(wear_run(&pair.bench.sbm));
    CHECK_FALSE(pair.bench.sbm.superblocks.erased);
    pair.bench.sbm.superblocks.superblock[pair.worn].erases = 9;
    CHECK_FALSE(wear_run(&pair.bench.sbm));
    pair.bench.sbm.superblocks.erased = true;
    CHECK(wear_run(&pair.bench.sbm));
}

TEST_CASE("wear: a superblock with a job is not moved")
{
    Pair pair(9);
    pair.bench.jobOf(1).logical = 1;
    CHECK_FALSE(wear_run(&pair.bench.sbm));
}
