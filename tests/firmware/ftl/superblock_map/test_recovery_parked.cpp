// SPDX-License-Identifier: Apache-2.0
//
// Batches of parked sectors after a power loss: which are complete, which runs of them are still needed, and in which
// order they come back.
#include "tests/firmware/ftl/superblock_map/policy_bench.h"
#include "tests/support/catch.h"

#include <map>

using strobe::test::PolicyBench;

namespace {

// The parking area has three members of 4 rows of 8 sectors; pages of it are what the test puts there.
struct Bench : PolicyBench {
    struct Page {
        flash_spare spare;
        parking_index index;
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, Page> pages;  // by superblock and sector
    std::vector<std::pair<std::uint32_t, std::uint32_t>> dataReads; // superblock and sector, more than one sector
    flash_status changes = FLASH_OK;                                // of erases, programs and copies

    Bench()
        : PolicyBench([](boot_block& words) {
              words.parking_superblocks = 3;
              words.pages_per_block = 4;
          })
    {
        completeOperations([this](const flash_descriptor& d) { return serve(d); });
    }
    std::uint32_t member(std::uint32_t i) const { return sbm.parking.member[i]; }
    std::uint32_t rowSectors() const { return sbm.layout.row_sectors; }
    // A batch of runs from row `row` of a member on, with its index.
    void put(std::uint32_t superblock, std::uint32_t row, std::uint32_t number, std::vector<parked_run> runs)
    {
        std::uint32_t sum = 0;
        parking_index index{};
        for (const parked_run& run : runs) {
            index.run[index.runs++] = run;
            sum += run.sectors;
        }
        index.magic = PAGE_INDEX;
        index.batch = number;
        index.sectors = sum;
        index.check = check_index(&index);
        const std::uint32_t indexRow = row + (sum + rowSectors() - 1) / rowSectors();
        pages[{superblock, row * rowSectors()}] = {{{PAGE_PARKED, number, sum, 0}}, {}};
        pages[{superblock, indexRow * rowSectors()}] = {{{PAGE_INDEX, number, 0, 0}}, index};
    }
    std::vector<std::uint32_t> found() const
    {
        std::vector<std::uint32_t> numbers;
        for (std::uint32_t i = 0; i < sbm.recovery.parked.batches; ++i)
            numbers.push_back(sbm.recovery.parked.batch[i].number);
        return numbers;
    }
    std::vector<std::uint32_t> kept() const { return {sbm.journal.live, sbm.journal.live + sbm.journal.lives}; }

private:
    flash_status serve(const flash_descriptor& d)
    {
        if ((d.control & FLASH_DESCRIPTOR_CONTROL_OPCODE_MASK) != FLASH_READ)
            return changes;
        const std::uint32_t superblock = superblock_at(&sbm.superblocks, d.blocks);
        const auto page = pages.find({superblock, d.start_sector});
        if (d.buffer != sbm.parking.index_at) {
            dataReads.emplace_back(superblock, d.start_sector);
            return FLASH_OK;
        }
        sbm.journal.spares[0] = page == pages.end() ? flash_spare{{0, 0, 0, 0}} : page->second.spare;
        if (page != pages.end())
            *sbm.parking.index = page->second.index;
        return FLASH_OK;
    }
};

using Numbers = std::vector<std::uint32_t>;

} // namespace

TEST_CASE("parked sectors: batches of all members are found, in the order in which they were written")
{
    Bench b;
    b.put(b.member(1), 0, 5, {{1, 0, 2, 50}});
    b.put(b.member(0), 0, 6, {{2, 0, 4, 60}});
    b.put(b.member(0), 2, 7, {{3, 4, 1, 70}});
    recovery_find_parked(&b.sbm);
    CHECK(b.found() == Numbers{5, 6, 7});
    CHECK(b.sbm.recovery.parked.batch[2].row == 2);
    CHECK(b.sbm.recovery.parked.batch[2].superblock == b.member(0));
    CHECK(b.sbm.parking.batch == 7); // numbers go on from here
    CHECK(b.sbm.buffer.stamp == 70);
    CHECK(b.kept() == Numbers{60, 70, 50}); // by member
}

TEST_CASE("parked sectors: the numbers of batches may wrap around")
{
    Bench b;
    b.put(b.member(0), 0, 1, {{1, 0, 2, 50}});
    b.put(b.member(1), 0, 0xFFFFFFFF, {{2, 0, 2, 49}});
    b.sbm.parking.batch = 0xFFFFFFF0;
    recovery_find_parked(&b.sbm);
    CHECK(b.found() == Numbers{0xFFFFFFFF, 1});
    CHECK(b.sbm.parking.batch == 1);
}

TEST_CASE("parked sectors: a batch without its index, and all after it in the superblock, is not complete")
{
    for (const int what : {0, 1, 2, 3}) {
        CAPTURE(what);
        Bench b;
        b.put(b.member(0), 0, 5, {{1, 0, 2, 50}});
        b.put(b.member(0), 2, 6, {{2, 0, 2, 60}});
        Bench::Page& index = b.pages.at({b.member(0), b.rowSectors()});
        if (what == 0)
            b.pages.erase({b.member(0), b.rowSectors()});
        if (what == 1)
            index.index.run[0].stamp ^= 1; // the check word does not fit
        if (what == 2)
            index.index.batch = 4, index.index.check = check_index(&index.index); // of another batch
        if (what == 3)
            b.pages.at({b.member(0), 0}).spare.word[2] = 100; // more sectors than a superblock has
        recovery_find_parked(&b.sbm);
        CHECK(b.found().empty());
        CHECK(b.sbm.journal.lives == 0);
    }
}

TEST_CASE("parked sectors: runs that the log has merged are not needed any more, and each stamp is kept once")
{
    Bench b;
    recovery_merged(&b.sbm.journal)[1] = 50; // merged
    recovery_merged(&b.sbm.journal)[2] = 0;
    b.put(b.member(0), 0, 5, {{1, 0, 1, 50}, {2, 0, 1, 60}, {2, 3, 1, 60}});
    recovery_find_parked(&b.sbm);
    CHECK(b.found() == Numbers{5});
    CHECK(b.kept() == Numbers{60});
}

TEST_CASE("parked sectors: needed runs are read from their place in the batch, merged, and then need no stamp")
{
    Bench b;
    recovery_merged(&b.sbm.journal)[1] = 50;
    b.put(b.member(0), 0, 5, {{1, 0, 2, 50}, {2, 3, 1, 60}});
    recovery_find_parked(&b.sbm);
    REQUIRE(b.kept() == Numbers{60});
    b.dataReads.clear();
    recovery_merge_parked(&b.sbm);
    REQUIRE_FALSE(b.dataReads.empty());
    CHECK(b.dataReads[0] == std::make_pair(b.member(0), 2u)); // after the run that is not needed
    CHECK(b.sbm.journal.lives == 0);
    CHECK(b.sbm.buffer.open == 0);
    CHECK(mapped_superblock(&b.sbm, 2) != NONE);
    CHECK(mapped_superblock(&b.sbm, 1) == NONE);
}

TEST_CASE(
    "parked sectors: if they cannot be merged, they stay in the buffer, and the host's writes have the rest of it")
{
    Bench b;
    const sector_buffer& buffer = b.sbm.buffer;
    const std::uint32_t base = buffer.base;
    b.put(b.member(0), 0, 5, {{2, 3, 2, 60}});
    b.put(b.member(1), 0, 6, {{2, 4, 1, 60}, {3, 0, 1, 61}});
    recovery_find_parked(&b.sbm);
    b.changes = FLASH_PROGRAM_FAILED;
    recovery_merge_parked(&b.sbm);
    CHECK(b.sbm.read_only);
    CHECK(b.sbm.jobs.busy == 0);
    REQUIRE(entry_of(&buffer, 2) != NONE);
    const std::uint32_t* table = entry_table(&buffer, entry_of(&buffer, 2));
    CHECK(table[3] == base);
    CHECK(table[4] == base + 2 * 512);
    CHECK(entry_table(&buffer, entry_of(&buffer, 3))[0] == base + 3 * 512);
    CHECK(buffer.base == base + 4 * 512);
    CHECK(buffer.sectors == PolicyBench::ringSectors / 2);
    CHECK(buffer_free(&buffer) == buffer.sectors);
}

TEST_CASE("parked sectors: without a valid run no batch is read again")
{
    Bench b;
    recovery_merged(&b.sbm.journal)[1] = 50;
    b.put(b.member(0), 0, 5, {{1, 0, 2, 50}});
    recovery_find_parked(&b.sbm);
    b.dataReads.clear();
    b.pages.clear();
    recovery_merge_parked(&b.sbm);
    CHECK(b.dataReads.empty());
}

TEST_CASE("parked sectors: an index that can no longer be read is the end of recovery")
{
    Bench b;
    b.put(b.member(0), 0, 5, {{2, 3, 1, 60}});
    recovery_find_parked(&b.sbm);
    b.pages.erase({b.member(0), b.rowSectors()});
    CHECK_THROWS_AS(recovery_merge_parked(&b.sbm), strobe::test::Panic);
}
