// SPDX-License-Identifier: Apache-2.0
//
// The mode of blocks whose first pages hold no record in either mode.
#include "tests/firmware/ftl/page_map/recovery_bench.h"

using namespace strobe::test;

namespace {

void threePages(boot_block& boot)
{
    boot.program_pages = 3;
    boot.pages_per_block = 24;
    boot.pslc_pages = 8;
    boot.buffer_size = 256 * 2048;
}

struct Bench : RecoveryBench {
    explicit Bench(const Change& change = threePages, const std::vector<std::uint32_t>& bad = {})
        : RecoveryBench(change, bad)
    {
    }
    void putSlc(std::uint32_t block, std::uint32_t page, bool isTorn = false, std::uint32_t die = 0)
    {
        flash.put({die, block, page}, spare_record(page, 10 + page, SPARE_HOST, 0), true);
        flash.pages[{die, block, page}].isTorn = isTorn;
    }
    // Runs the step; returns the reads that it took.
    std::uint32_t find()
    {
        runBefore(recovery_find_modes);
        const std::uint32_t before = flash.reads;
        run(recovery_find_modes);
        return flash.reads - before;
    }
};

} // namespace

TEST_CASE("recovery modes: a later page with a record in pSLC mode gives the block that mode", "[recovery]")
{
    Bench b;
    b.putSlc(2, 0, true);
    b.putSlc(2, 1, true);
    b.putSlc(2, 2);
    CHECK(b.find() == 3);
    CHECK(b.blockOf(2).slc);
    CHECK(b.layer.blocks.plane[0].slc == 1);
    CHECK_FALSE(b.state.io.ops[0].is_slc); // for the steps that follow
}

TEST_CASE("recovery modes: a block without such a record keeps its mode, and the search ends where it is blank",
          "[recovery]")
{
    Bench b;
    b.putSlc(1, 0, true);
    b.putSlc(1, 1); // the one before it has one
    b.putSlc(2, 0, true);
    b.putSlc(2, 1, true);
    b.putSlc(2, 4); // after a blank page: no page of this life of the block
    CHECK(b.find() == 2 + 3);
    CHECK(b.blockOf(1).slc);
    CHECK_FALSE(b.blockOf(2).slc);
}

TEST_CASE("recovery modes: with groups of dies it ends when all dies are blank", "[recovery]")
{
    Bench b([](boot_block& boot) {
        threePages(boot);
        boot.channels = boot.superblock_dies = 2;
    });
    b.putSlc(2, 0, true, 0);
    b.putSlc(2, 1, false, 1); // page 3 of the block; page 1 and 2 are blank or torn
    b.putSlc(2, 0, true, 1);
    CHECK(b.find() == 4);
    CHECK(b.blockOf(2).slc);
}

TEST_CASE("recovery modes: only blocks with an unknown first page are examined, and bad ones are not", "[recovery]")
{
    Bench b(threePages, {5});
    b.put(1, 0, 3, 10);
    b.putSlc(5, 0, true);
    b.putSlc(5, 1);
    CHECK(b.find() == 0);
    CHECK_FALSE(b.blockOf(5).slc);
}

TEST_CASE("recovery modes: on a flash without pSLC mode nothing is read", "[recovery]")
{
    Bench b([](boot_block&) {});
    b.put(2, 0, 3, 10);
    b.flash.pages[{0, 2, 0}].isTorn = true;
    CHECK(b.find() == 0);
}
