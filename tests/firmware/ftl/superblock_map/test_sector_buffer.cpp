// SPDX-License-Identifier: Apache-2.0
//
// The circular sector buffer: owners, entries, replacement, trims.
#include "tests/firmware/ftl/superblock_map/policy_bench.h"
#include "tests/support/catch.h"

using strobe::test::PolicyBench;

TEST_CASE("sector buffer: an overwritten sector frees its place, in the order of the ring")
{
    PolicyBench bench;
    sector_buffer& buffer = bench.sbm.buffer;
    const std::uint32_t entry = bench.write(1, 0, 4);
    bench.write(2, 0, 1);
    CHECK(bench.write(1, 0, 3) == entry);
    CHECK(buffer.entry[entry].sectors == 4);
    CHECK(buffer_owner(&buffer, 0) == NONE);
    CHECK(buffer_owner(&buffer, 3) == entry);
    CHECK(buffer_sector(&buffer, 3) == 3);
    buffer_run(&buffer);
    CHECK(buffer.tail == 3); // sector 3 is still needed
    CHECK(buffer_free(&buffer) == PolicyBench::ringSectors - 5);
    bench.write(1, 3, 1);
    buffer_run(&buffer);
    CHECK(buffer.tail == 4);
    CHECK(buffer.given_back == 4);
    CHECK(bench.written(HOST_FEED_RELEASED) == 4);
}

TEST_CASE("sector buffer: places are released only after the reads that had begun when they were freed")
{
    PolicyBench bench;
    sector_buffer& buffer = bench.sbm.buffer;
    bench.write(1, 0, 2);
    bench.write(1, 0, 2);
    bench.sbm.read_progress.begun = 1;
    buffer_run(&buffer);
    CHECK(buffer.tail == 2);
    CHECK(buffer.given_back == 0);
    bench.sbm.read_progress.ended = 1;
    buffer_run(&buffer);
    CHECK(buffer.given_back == 2);
}

TEST_CASE("sector buffer: a call frees a limited number of sectors and tells whether more may be free")
{
    PolicyBench bench;
    sector_buffer& buffer = bench.sbm.buffer;
    for (std::uint32_t written = 0; written < 256; written += 8)
        bench.write(1, 0, 8);
    CHECK(buffer_run(&buffer));
    CHECK(buffer.tail == 128);
    CHECK(buffer.given_back == 128);
    while (buffer_run(&buffer)) {
    }
    CHECK(buffer.tail == 248); // the last eight are the newest
}

TEST_CASE("sector buffer: sectors that are being parked are held")
{
    PolicyBench bench;
    sector_buffer& buffer = bench.sbm.buffer;
    bench.write(1, 0, 4);
    bench.write(1, 0, 4);
    buffer.holding = true;
    buffer.hold = 1;
    buffer_run(&buffer);
    CHECK(buffer.tail == 1);
    buffer.holding = false;
    buffer_run(&buffer);
    CHECK(buffer.tail == 4);
}

TEST_CASE("sector buffer: while an entry is merged the superblock gets a second one; its release frees the sectors")
{
    PolicyBench bench;
    sector_buffer& buffer = bench.sbm.buffer;
    const std::uint32_t older = bench.write(1, 0, 2);
    entry_freeze(&buffer, older);
    const std::uint32_t newer = bench.write(1, 1, 1);
    CHECK(newer != older);
    CHECK(buffer.entry[newer].older == older);
    CHECK(entry_of(&buffer, 1) == newer);
    CHECK(buffer.open == 1);
    CHECK(buffer_owner(&buffer, 1) == older); // the frozen table does not change
    bench.sbm.read_progress.begun = 1;
    entry_release(&buffer, older);
    CHECK(buffer.entry[newer].older == NONE);
    CHECK(buffer_owner(&buffer, 1) == NONE);
    CHECK(buffer_owner(&buffer, 2) == newer);
    std::uint32_t opened = 0; // reads may still use the table of the released entry
    while (entry_open(&buffer, 2 + opened) != NONE)
        ++opened;
    CHECK(opened == PolicyBench::entries - 2);
    bench.sbm.read_progress.ended = 1;
    CHECK(entry_open(&buffer, 7) == older);
}

TEST_CASE("sector buffer: trims count once, and a write takes a trimmed sector back")
{
    PolicyBench bench;
    sector_buffer& buffer = bench.sbm.buffer;
    const std::uint32_t entry = bench.write(1, 0, 2);
    buffer_trim(&buffer, entry, 1);
    buffer_trim(&buffer, entry, 1);
    buffer_trim(&buffer, entry, 2);
    CHECK(buffer.entry[entry].sectors == 3);
    CHECK(buffer.entry[entry].trimmed == 2);
    CHECK(entry_table(&buffer, entry)[2] == buffer.zeros);
    CHECK(buffer_owner(&buffer, 1) == NONE);
    bench.write(1, 2, 1);
    CHECK(buffer.entry[entry].sectors == 3);
    CHECK(buffer.entry[entry].trimmed == 1);
    CHECK(buffer.entry[entry].was_trimmed);
}

TEST_CASE("sector buffer: the owner before a point ignores what was written later")
{
    PolicyBench bench;
    sector_buffer& buffer = bench.sbm.buffer;
    const std::uint32_t entry = bench.write(1, 0, 2);
    bench.write(1, 0, 1);
    const std::uint32_t until = buffer.placed;
    bench.write(1, 1, 1);
    CHECK(buffer_owner_before(&buffer, 0, until) == NONE);  // overwritten before
    CHECK(buffer_owner_before(&buffer, 1, until) == entry); // overwritten later
    CHECK(buffer_owner(&buffer, 1) == NONE);
    CHECK(buffer_owner_before(&buffer, 2, until) == entry);
}

TEST_CASE("sector buffer: a needed sector moves to the place of a discarded one")
{
    PolicyBench bench;
    sector_buffer& buffer = bench.sbm.buffer;
    const std::uint32_t entry = bench.write(1, 5, 1);
    CHECK(buffer_unneeded(&buffer) == NONE);
    buffer_arrived(&buffer, 1, 2);
    buffer_discard(&buffer, 1);
    buffer_discard(&buffer, 2);
    CHECK(buffer_unneeded(&buffer) == 2);
    buffer_move(&buffer, 0, 2);
    CHECK(entry_table(&buffer, entry)[5] == buffer_address(&buffer, 2));
    buffer_run(&buffer);
    CHECK(buffer.tail == 2);
    CHECK(buffer_owner(&buffer, 2) == entry);
}

TEST_CASE("sector buffer: the ring is the next power of two, of which the rest is withheld after the first round")
{
    CHECK(buffer_ring_sectors(1) == FEED_PIECE_MOST);
    CHECK(buffer_ring_sectors(FEED_PIECE_MOST) == FEED_PIECE_MOST);
    CHECK(buffer_ring_sectors(300) == 512);
    PolicyBench bench;
    sector_buffer& buffer = bench.sbm.buffer;
    buffer.most = PolicyBench::ringSectors - 2;
    bench.write(1, 0, 3);
    bench.write(1, 0, 3);
    buffer_run(&buffer);
    CHECK(buffer.given_back == 3);
    CHECK(bench.written(HOST_FEED_RELEASED) == 1);
}

TEST_CASE("sector buffer: what is kept stays where it is, and the larger of two rests is the ring")
{
    const struct {
        std::uint32_t used, room, sectors;
        bool isBehind;
    } rows[] = {{1, 64, 128, true}, {200, 40, 32, true}, {200, 64, 64, false}, {256, 5, 4, false}, {0, 64, 256, true}};
    for (const auto& row : rows) {
        CAPTURE(row.used, row.room);
        PolicyBench bench;
        sector_buffer& buffer = bench.sbm.buffer;
        const std::uint32_t base = buffer.base;
        for (std::uint32_t sector = 0; sector < row.used; ++sector)
            bench.write(sector / 64, sector % 16, 1);
        const std::uint32_t room = buffer.zeros + 512;
        CHECK(sector_buffer_keep(&buffer, room, row.room));
        CHECK(buffer.base == (row.isBehind ? base + row.used * 512 : room));
        CHECK(buffer.sectors == row.sectors);
        CHECK(buffer_free(&buffer) == row.sectors);
        if (row.used != 0)
            CHECK(entry_table(&buffer, entry_of(&buffer, (row.used - 1) / 64))[(row.used - 1) % 16] ==
                  base + (row.used - 1) * 512);
    }
    PolicyBench full;
    buffer_arrived(&full.sbm.buffer, 0, PolicyBench::ringSectors);
    CHECK_FALSE(sector_buffer_keep(&full.sbm.buffer, 0, 0));
}
