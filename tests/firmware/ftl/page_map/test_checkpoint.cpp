// SPDX-License-Identifier: Apache-2.0
//
// When a checkpoint is due, what its pages hold, and what becomes of it when a program fails.
#include "tests/firmware/ftl/page_map/layer_bench.h"

using namespace strobe::test;

namespace {

struct Bench : LayerBench {
    explicit Bench(const Change& change = {})
        : LayerBench([&change](boot_block& words) {
              words.checkpoint_pages = 8;
              words.spare_blocks = 1;
              if (change)
                  change(words);
          })
    {
    }
    checkpoint& state() { return layer.checkpoint; }
    // Steps until the checkpoint in progress is complete, or is not going on.
    void run()
    {
        for (int i = 0; i < 100 && (i == 0 || state().phase != CHECKPOINT_IDLE); ++i) {
            checkpoint_run(&layer);
            endAll();
        }
    }
    // The words of its page `index`, in the blocks of the last complete one.
    const std::vector<std::uint32_t>& page(std::uint32_t index)
    {
        return flash.pages.at({0, state().current[index / 8], index % 8}).words;
    }
    std::uint32_t mapEntry(std::uint32_t logical)
    {
        const checkpoint_layout& layout = state().layout;
        return page(layout.block_pages + logical / layout.entries_per_page).at(logical % layout.entries_per_page);
    }
    checkpoint_block blockRow(std::uint32_t block)
    {
        const std::uint32_t* words = page(0).data() + 2 * block;
        return {words[0], static_cast<std::uint16_t>(words[1] & 0xFFFF), static_cast<std::uint16_t>(words[1] >> 16)};
    }
};

} // namespace

TEST_CASE("checkpoint: one is due after so many pages, or when the journal has filled its blocks", "[checkpoint]")
{
    Bench b;
    b.fill(0, 7);
    checkpoint_run(&b.layer);
    CHECK(b.state().phase == CHECKPOINT_IDLE);
    b.fill(7, 1);
    checkpoint_run(&b.layer);
    CHECK(b.state().phase != CHECKPOINT_IDLE);

    Bench without([](boot_block& boot) { boot.checkpoint_pages = 0; });
    without.fill(0);
    without.layer.journal.blocks = JOURNAL_BLOCKS;
    checkpoint_run(&without.layer);
    CHECK(without.state().phase == CHECKPOINT_IDLE);
    without.layer.journal.blocks = JOURNAL_BLOCKS + 1;
    checkpoint_run(&without.layer);
    CHECK(without.state().phase != CHECKPOINT_IDLE);
}

TEST_CASE("checkpoint: none begins on a read-only drive, while the buffer is saved, or without a block for the journal",
          "[checkpoint]")
{
    for (const int why : {0, 1, 2}) {
        CAPTURE(why);
        Bench b;
        b.fill(0);
        b.layer.read_only = why == 0;
        b.layer.is_saving = why == 1;
        while (why == 2 && b.layer.blocks.plane[0].free > GC_RESERVE)
            blocks_take_free(&b.layer.blocks, 0, STREAM_HOST);
        b.run();
        CHECK(b.state().phase == CHECKPOINT_IDLE);
        CHECK(b.state().number == 1);
    }
}

TEST_CASE("checkpoint: its pages hold the block table, the map and, last, the commit", "[checkpoint]")
{
    Bench b;
    const std::uint32_t block = b.fill(5);
    b.blockOf(block).erases = 3;
    map_forget(&b.layer.map, 20, MAP_LOST);
    const std::uint32_t sequence = b.layer.sequence;
    b.run();
    REQUIRE(b.state().phase == CHECKPOINT_IDLE);
    REQUIRE(b.state().current_blocks == b.state().layout.blocks);
    CHECK(b.blockRow(block).erases == 3);
    CHECK(b.blockRow(block).covered == 8);
    CHECK(b.blockRow(block).bad == 0);
    CHECK(b.blockRow(block + 1).covered == 0);
    CHECK(b.mapEntry(5) == unit_of_page(&b.layer.geometry, block, 0));
    CHECK(b.mapEntry(12) == unit_of_page(&b.layer.geometry, block, 7));
    CHECK(b.mapEntry(13) == MAP_UNMAPPED);
    CHECK(b.mapEntry(20) == MAP_LOST);
    const std::uint32_t last = b.state().layout.pages - 1;
    const auto& commit = b.page(last);
    CHECK(commit.at(0) == CHECKPOINT_MAGIC);
    CHECK(commit.at(1) == 1);
    CHECK(commit.at(2) == sequence + 1);
    CHECK(commit.at(3) == 1); // the first journal page after it
    CHECK(commit.at(4) == last + 1);
    CHECK(commit.at(5) == b.layer.map.logical_units);
    CHECK(commit.at(6) == 16);
    for (std::uint32_t index = 0; index <= last; ++index) {
        const flash_spare record = b.flash.pages.at({0, b.state().current[0], index}).records[0];
        CHECK(spare_is_record(&record));
        CHECK(spare_kind_of(&record) == SPARE_CHECKPOINT);
        CHECK(spare_subject(&record) == index);
        CHECK(record.word[1] == 1);
    }
}

TEST_CASE("checkpoint: a page whose program is in progress at the beginning is not covered, nor is an erased block",
          "[checkpoint]")
{
    Bench b;
    const std::uint32_t full = b.fill(0);
    const std::uint32_t open = b.fill(8, 5);
    blocks_take_page(&b.layer.blocks, 0, STREAM_HOST, 0); // in progress
    checkpoint_run(&b.layer);
    CHECK(b.state().covered[open] == 5);
    CHECK(b.state().covered[full] == 8);
    checkpoint_block_erased(&b.state(), full);
    CHECK(b.state().covered[full] == 0);
}

TEST_CASE("checkpoint: with groups of dies pages that another die may have programmed before are not covered",
          "[checkpoint]")
{
    Bench b([](boot_block& boot) {
        boot.channels = boot.superblock_dies = 2;
        boot.pages_per_block = 8;
    });
    const std::uint32_t open = b.fill(0, 8);
    blocks_take_page(&b.layer.blocks, 0, STREAM_HOST, 0);
    b.layer.blocks.clock += 8;
    checkpoint_run(&b.layer);
    CHECK(b.state().covered[open] == 7); // 9 are taken, one program flies on one of two dies
}

TEST_CASE("checkpoint: a unit that only the buffer holds is pending, and the journal names its lowest version",
          "[checkpoint]")
{
    Bench b;
    b.fill(0);
    const std::uint32_t older = b.write(30);
    b.slotOf(older).state = SLOT_PROGRAMMING; // so that the next data opens a newer version
    const std::uint32_t newer = b.write(30);
    REQUIRE(older != newer);
    map_forget(&b.layer.map, 31, MAP_LOST);
    b.write(31);
    b.run();
    CHECK(b.mapEntry(30) == ENTRY_PENDING);
    CHECK(b.mapEntry(31) == ENTRY_PENDING);
    CHECK(b.mapEntry(0) == 0);                                                 // in flash
    const auto& words = b.flash.pages.at({0, b.layer.journal.block, 0}).words; // written before the commit
    REQUIRE(words.at(2) == 2);
    const std::vector<std::uint32_t> first(words.begin() + 4, words.begin() + 8);
    CHECK(first == std::vector<std::uint32_t>{RECORD_PENDING, 30, 1, b.slotOf(older).sequence - 1});
    CHECK(words.at(8 + 2) == (1 | PENDING_IS_LOST));
}

TEST_CASE("checkpoint: it waits for the journal to make room, and goes on where it was", "[checkpoint]")
{
    Bench b;
    b.fill(0);
    b.write(9);
    journal& journal = b.layer.journal;
    journal.buffer[journal.filling].page->records = journal.capacity;
    checkpoint_run(&b.layer); // block table
    b.endAll();
    checkpoint_run(&b.layer);
    CHECK(b.state().blocked);
    CHECK(b.state().entry == 9);
    CHECK_FALSE(checkpoint_has_work(&b.state()));
    journal_write(&b.layer); // a page of the journal, which empties the filling one
    b.endAll();
    b.run();
    CHECK(b.state().phase == CHECKPOINT_IDLE);
    CHECK(b.mapEntry(9) == ENTRY_PENDING);
    CHECK(b.mapEntry(7) == 7);
}

TEST_CASE("checkpoint: when it is complete the one before and the journal before it are freed", "[checkpoint]")
{
    Bench b;
    b.fill(0);
    journal_forget(&b.layer, RECORD_LOST, 40);
    b.run();
    const std::uint32_t first = b.state().current[0];
    CHECK(b.blockOf(first).state == BLOCK_TABLES);
    CHECK(b.state().number == 2);
    b.fill(8);
    const std::uint32_t before = b.layer.journal.block;
    b.run();
    CHECK(b.state().number == 3);
    CHECK(b.state().current[0] != first);
    CHECK(b.blockOf(first).state == BLOCK_FULL);
    CHECK(b.blockOf(before).state == BLOCK_FULL);
}

TEST_CASE("checkpoint: after a failed program it begins again with a higher number, and the complete one stays",
          "[checkpoint]")
{
    Bench b;
    b.fill(0);
    b.run();
    const std::uint32_t complete = b.state().current[0];
    b.fill(8);
    checkpoint_run(&b.layer);
    REQUIRE(b.state().phase == CHECKPOINT_PROGRAMMING);
    const std::uint32_t failed = b.state().writing[0];
    b.end(FLASH_PROGRAM_FAILED);
    CHECK(b.state().phase == CHECKPOINT_IDLE);
    CHECK(b.blockOf(failed).failed);
    CHECK(b.state().number == 3);
    CHECK(b.state().current[0] == complete);
    CHECK(b.blockOf(complete).state == BLOCK_TABLES);
    b.fill(16);
    b.run();
    CHECK(b.state().number == 4);
    CHECK(b.state().current[0] != complete);
}

TEST_CASE("checkpoint: without a free block beyond the reserve its page waits until there is one", "[checkpoint]")
{
    Bench b;
    b.fill(0);
    b.layer.journal.next = 14;
    while (b.layer.blocks.plane[0].free > GC_RESERVE)
        blocks_take_free(&b.layer.blocks, 0, STREAM_HOST);
    checkpoint_run(&b.layer);
    CHECK(b.state().phase == CHECKPOINT_COMPOSED);
    CHECK(b.flash.pending.empty());
    b.layer.blocks.block[3].state = BLOCK_COLLECTING;
    blocks_erased(&b.layer.blocks, 3);
    checkpoint_run(&b.layer);
    CHECK(b.state().phase == CHECKPOINT_PROGRAMMING);
}
