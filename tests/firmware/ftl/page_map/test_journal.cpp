// SPDX-License-Identifier: Apache-2.0
//
// The journal: which records it keeps, when their pages are programmed, and where.
#include "tests/firmware/ftl/page_map/layer_bench.h"

using namespace strobe::test;

namespace {

struct Bench : LayerBench {
    using LayerBench::LayerBench;

    const journal_page& filling() const { return *layer.journal.buffer[layer.journal.filling].page; }
    // Units that may be trimmed.
    void map(std::uint32_t first, std::uint32_t units)
    {
        for (std::uint32_t unit = first; unit < first + units; unit += 8)
            fill(unit);
    }
    void trim(std::uint32_t logical) { journal_forget(&layer, RECORD_TRIM, logical); }
    void note(std::uint32_t times)
    {
        for (std::uint32_t i = 0; i < times; ++i)
            journal_note(&layer, RECORD_ERASED, i, 1);
    }
    // A record that a flush has to wait for, in flash.
    void writePage()
    {
        journal_forget(&layer, RECORD_LOST, 0);
        journal_flush(&layer);
        endAll();
    }
    std::uint32_t capacity() const { return layer.journal.capacity; }
};

} // namespace

TEST_CASE("journal: trims of neighbouring units are one record, until something is numbered in between", "[journal]")
{
    Bench b;
    b.map(0, 16);
    for (const std::uint32_t unit : {3u, 4u, 5u})
        b.trim(unit);
    REQUIRE(b.filling().records == 1);
    CHECK(b.filling().record[0].kind == RECORD_TRIM);
    CHECK(b.filling().record[0].first == 3);
    CHECK(b.filling().record[0].count == 3);
    b.trim(7);
    CHECK(b.filling().records == 2);
    ++b.layer.sequence; // a version
    b.trim(8);
    CHECK(b.filling().records == 3);
    journal_forget(&b.layer, RECORD_LOST, 9);
    CHECK(b.filling().records == 4);
    CHECK(b.filling().record[3].sequence > b.filling().record[2].sequence);
}

TEST_CASE("journal: a trim of a unit without data needs no record, one of a unit in the buffer or a lost one does",
          "[journal]")
{
    Bench b;
    b.trim(3);
    CHECK(b.filling().records == 0);
    CHECK(journal_is_durable(&b.layer.journal));
    b.write(3);
    b.trim(3);
    CHECK(b.filling().records == 1);
    map_forget(&b.layer.map, 9, MAP_LOST);
    b.trim(9);
    CHECK(b.filling().records == 2);
    CHECK_FALSE(journal_is_durable(&b.layer.journal));
}

TEST_CASE("journal: optional records are dropped when the page is full, and a full page is due", "[journal]")
{
    Bench b;
    b.note(b.capacity() - 1);
    journal_flush(&b.layer); // which does not wait for them
    CHECK_FALSE(journal_has_work(&b.layer.journal));
    CHECK(b.flash.pending.empty());
    b.note(1);
    CHECK(journal_has_work(&b.layer.journal));
    b.note(1);
    CHECK(b.filling().records == b.capacity());
    CHECK(journal_is_durable(&b.layer.journal));
}

TEST_CASE("journal: trims leave the last records of a page to units that are lost", "[journal]")
{
    Bench b;
    b.note(b.capacity() - JOURNAL_RESERVE - 1);
    CHECK(journal_has_room(&b.layer));
    CHECK_FALSE(b.layer.journal.due);
    b.note(1);
    CHECK_FALSE(journal_has_room(&b.layer));
    CHECK(b.layer.journal.due);
    journal_write(&b.layer); // the other page begins
    CHECK(journal_has_room(&b.layer));
}

TEST_CASE("journal: a trim has to wait while neither the open block nor a free one has a place for its page",
          "[journal]")
{
    Bench b;
    while (b.layer.blocks.plane[0].free > GC_RESERVE)
        blocks_take_free(&b.layer.blocks, 0, STREAM_HOST);
    CHECK_FALSE(journal_has_room(&b.layer));
    b.layer.journal.block = 15;
    b.layer.journal.page = 5; // three more: for each buffer, and for a failed program
    CHECK(journal_has_room(&b.layer));
    b.layer.journal.page = 6;
    CHECK_FALSE(journal_has_room(&b.layer));
}

TEST_CASE("journal: a flush programs the records, and its ticket is written when their page is in flash", "[journal]")
{
    Bench b;
    const std::uint32_t before = journal_ticket(&b.layer.journal);
    CHECK(journal_is_written(&b.layer.journal, before));
    journal_flush(&b.layer);
    CHECK(b.flash.pending.empty()); // there is nothing to write
    journal_forget(&b.layer, RECORD_LOST, 5);
    const std::uint32_t ticket = journal_ticket(&b.layer.journal);
    CHECK_FALSE(journal_is_written(&b.layer.journal, ticket));
    journal_flush(&b.layer);
    REQUIRE(b.flash.pending.size() == 1);
    CHECK(opcodeOf(b.started(0)) == FLASH_PROGRAM);
    CHECK(purposeOf(b.started(0)) == FLASH_FOR_METADATA);
    const flash_spare spare = recordOf(b.started(0));
    CHECK(spare_is_record(&spare));
    CHECK(spare_kind_of(&spare) == SPARE_JOURNAL);
    CHECK(spare.word[1] == 1); // the number of the page
    CHECK_FALSE(journal_is_written(&b.layer.journal, ticket));
    b.end();
    CHECK(journal_is_written(&b.layer.journal, ticket));
    CHECK(journal_is_durable(&b.layer.journal));
    const auto& words = b.flash.pages.at({0, b.layer.journal.block, 0}).words;
    CHECK(words.at(0) == JOURNAL_MAGIC);
    CHECK(words.at(2) == 1);
    CHECK(words.at(4) == RECORD_LOST);
    CHECK(words.at(5) == 5);
}

TEST_CASE("journal: while a page is programmed the other one is filled, and at most one is in progress", "[journal]")
{
    Bench b;
    journal_forget(&b.layer, RECORD_LOST, 5);
    journal_flush(&b.layer);
    journal_forget(&b.layer, RECORD_LOST, 7);
    journal_flush(&b.layer);
    CHECK(b.flash.pending.size() == 1);
    CHECK(b.filling().records == 1);
    CHECK(b.layer.journal.due);
    b.end();
    CHECK(b.flash.pending.size() == 1);
    CHECK_FALSE(journal_is_durable(&b.layer.journal));
    b.end();
    CHECK(journal_is_durable(&b.layer.journal));
    CHECK(b.layer.journal.number == 3);
    CHECK(b.layer.journal.written == 2);
}

TEST_CASE("journal: an epoch lasts as long as records that its flush waits for", "[journal]")
{
    Bench b;
    journal_forget(&b.layer, RECORD_LOST, 5);
    const std::uint32_t ticket = epochs_end(&b.layer.epochs);
    CHECK_FALSE(epochs_is_over(&b.layer.epochs, ticket));
    journal_flush(&b.layer);
    CHECK_FALSE(epochs_is_over(&b.layer.epochs, ticket));
    b.end();
    CHECK(epochs_is_over(&b.layer.epochs, ticket));
}

TEST_CASE("journal: no block is erased before the records are in flash", "[journal]")
{
    Bench b;
    CHECK(journal_allows_erase(&b.layer));
    journal_forget(&b.layer, RECORD_LOST, 5);
    CHECK_FALSE(journal_allows_erase(&b.layer));
    CHECK(b.layer.journal.erase_waits);
    REQUIRE(b.flash.pending.size() == 1); // it writes them for that
    b.end();
    CHECK(journal_allows_erase(&b.layer));
    CHECK_FALSE(b.layer.journal.erase_waits);
}

TEST_CASE("journal: a waiting erase gets its records into the last free block, other records do not", "[journal]")
{
    for (const bool waits : {false, true}) {
        CAPTURE(waits);
        Bench b;
        while (b.layer.blocks.plane[0].free > GC_RESERVE)
            blocks_take_free(&b.layer.blocks, 0, STREAM_HOST);
        journal_forget(&b.layer, RECORD_LOST, 5);
        if (waits)
            CHECK_FALSE(journal_allows_erase(&b.layer));
        else
            journal_flush(&b.layer);
        CHECK(b.flash.pending.size() == (waits ? 1 : 0));
        CHECK(b.layer.blocks.plane[0].free == (waits ? 0 : GC_RESERVE));
    }
}

TEST_CASE("journal: pages follow each other in a block, and the page after its last one is in another block",
          "[journal]")
{
    Bench b;
    for (std::uint32_t page = 0; page < 8; ++page)
        b.writePage();
    const std::uint32_t first = b.layer.journal.block;
    CHECK(b.layer.journal.blocks == 1);
    for (std::uint32_t page = 0; page < 8; ++page)
        CHECK(b.flash.pages.at({0, first, page}).words.at(1) == page + 1);
    b.writePage();
    CHECK(b.layer.journal.block != first);
    CHECK(b.layer.journal.page == 1);
    CHECK(b.layer.journal.blocks == 2);
}

TEST_CASE("journal: a page whose program fails is programmed again in another block, with its number", "[journal]")
{
    Bench b([](boot_block& boot) { boot.spare_blocks = 1; });
    b.writePage();
    const std::uint32_t first = b.layer.journal.block;
    journal_forget(&b.layer, RECORD_LOST, 5);
    const std::uint32_t ticket = journal_ticket(&b.layer.journal);
    journal_flush(&b.layer);
    b.end(FLASH_PROGRAM_FAILED);
    CHECK(b.blockOf(first).failed);
    REQUIRE(b.flash.pending.size() == 1);
    CHECK(b.started(0).blocks != first);
    CHECK(recordOf(b.started(0)).word[1] == 2);
    CHECK_FALSE(journal_is_written(&b.layer.journal, ticket));
    b.end();
    CHECK(journal_is_written(&b.layer.journal, ticket));
    CHECK(b.flash.pages.count({0, first, 0}) == 1); // what was written there before can still be read
}

TEST_CASE("journal: a checkpoint begins new blocks, and its end frees those before it", "[journal]")
{
    Bench b;
    b.writePage();
    const std::uint32_t old = b.layer.journal.block;
    REQUIRE(b.blockOf(old).state == BLOCK_TABLES);
    REQUIRE(journal_may_begin_anew(&b.layer));
    CHECK(journal_begin_anew(&b.layer) == 2);
    CHECK(b.layer.journal.blocks == 0);
    b.writePage();
    const std::uint32_t live = b.layer.journal.block;
    CHECK(live != old);
    journal_give_up_old(&b.layer);
    CHECK(b.blockOf(old).state == BLOCK_FULL); // without a valid unit: the next victim
    CHECK(b.blockOf(live).state == BLOCK_TABLES);
    journal_give_up_old(&b.layer); // nothing is left of them
    CHECK(b.blockOf(live).state == BLOCK_TABLES);
}

TEST_CASE("journal: a page in progress when a checkpoint begins may still fail, in a block before it", "[journal]")
{
    Bench b([](boot_block& boot) { boot.spare_blocks = 1; });
    b.writePage();
    const std::uint32_t old = b.layer.journal.block;
    journal_forget(&b.layer, RECORD_LOST, 5);
    const std::uint32_t ticket = journal_ticket(&b.layer.journal);
    journal_flush(&b.layer);
    REQUIRE(journal_may_begin_anew(&b.layer));
    journal_begin_anew(&b.layer);
    b.end(FLASH_PROGRAM_FAILED);
    CHECK(b.blockOf(old).failed);
    REQUIRE(b.flash.pending.size() == 1);
    CHECK(b.started(0).blocks != old);
    b.end();
    CHECK(journal_is_written(&b.layer.journal, ticket));
}

TEST_CASE("journal: a checkpoint cannot begin without a block for the records after it", "[journal]")
{
    Bench b;
    while (b.layer.blocks.plane[0].free > GC_RESERVE)
        blocks_take_free(&b.layer.blocks, 0, STREAM_HOST);
    CHECK_FALSE(journal_may_begin_anew(&b.layer));
    b.layer.journal.next = 3;
    CHECK(journal_may_begin_anew(&b.layer));
}

TEST_CASE("journal: after recovery numbers go on after the newest page and not below the first of the checkpoint",
          "[journal]")
{
    Bench b;
    journal& journal = b.layer.journal;
    journal.number = 0;
    journal_found(&b.layer, 4, 7);
    journal_found(&b.layer, 5, 6);
    journal_found_all(&b.layer, 3);
    CHECK(journal.number == 8);
    CHECK(journal.written == 7);
    CHECK(journal.blocks == 2);
    CHECK(bitmap_has(journal.live, 4));
    CHECK(bitmap_has(journal.live, 5));
    journal.number = 0;
    journal_found_all(&b.layer, 11);
    CHECK(journal.number == 11);
    journal.number = 0;
    journal_found_all(&b.layer, 0);
    CHECK(journal.number == 1);
    CHECK(journal_is_written(&journal, journal_ticket(&journal)));
}
