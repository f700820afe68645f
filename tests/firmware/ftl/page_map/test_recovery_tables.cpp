// SPDX-License-Identifier: Apache-2.0
//
// Recovery from a checkpoint and the journal: which checkpoint is valid, which of its entries, and what the journal's
// records change.
#include "tests/firmware/ftl/page_map/recovery_bench.h"

#include <initializer_list>

using namespace strobe::test;

namespace {

// The life before the power loss: units 0 to 7 in block 0 with a complete checkpoint; 20 is lost.
struct Before : LayerBench {
    explicit Before(const std::function<void(Before&)>& change = {})
        : LayerBench([](boot_block& words) { words.checkpoint_pages = 8; })
    {
        writeBlock(0);
        map_forget(&layer.map, 20, MAP_LOST);
        if (change)
            change(*this);
        writeCheckpoint();
    }
    // A block of data with records, in flash.
    std::uint32_t writeBlock(std::uint32_t logical)
    {
        const std::uint32_t block = fill(logical);
        for (std::uint32_t page = 0; page < 8; ++page)
            flash.put({0, block, page},
                      spare_record(logical + page, layer.sequence++, SPARE_HOST, blockOf(block).erases));
        return block;
    }
    void writeCheckpoint()
    {
        do {
            checkpoint_run(&layer);
            endAll();
        } while (layer.checkpoint.phase != CHECKPOINT_IDLE);
    }
    FakeFlash::Page& checkpointPage(std::uint32_t index)
    {
        return flash.pages.at({0, layer.checkpoint.current[0], index});
    }
    void writeJournal(std::initializer_list<record> records)
    {
        journal_page* page = layer.journal.buffer[layer.journal.filling].page;
        for (const record& r : records)
            page->record[page->records++] = r;
        layer.journal.due = true;
        journal_write(&layer);
        endAll();
    }
};

struct Bench : RecoveryBench {
    explicit Bench(const Before& before) { flash.pages = before.flash.pages; }
    void load() { runUntil(recovery_load_checkpoint); }
    void replay() { runUntil(recovery_replay_journal); }
};

} // namespace

TEST_CASE("recovery tables: a checkpoint gives the map, the block table and the numbers to go on with", "[recovery]")
{
    Before before([](Before& b) { b.blockOf(5).failed = true; });
    Bench b(before);
    b.load();
    CHECK(b.state.tables.checkpoint == 1);
    for (std::uint32_t logical = 0; logical < 8; ++logical)
        CHECK(b.placeOf(logical) == logical);
    CHECK(b.placeOf(9) == MAP_UNMAPPED);
    CHECK(b.placeOf(20) == MAP_LOST);
    CHECK(b.layer.checkpoint.covered[0] == 8);
    CHECK(b.blockOf(5).failed);
    CHECK_FALSE(b.blockOf(4).failed);
    CHECK(b.layer.checkpoint.number == 2);
    CHECK(b.layer.checkpoint.current_blocks == 1);
    CHECK(b.state.versions.begun_at == before.layer.checkpoint.sequence);
    CHECK(b.state.versions.highest == before.layer.checkpoint.sequence);
    CHECK(b.state.tables.journal_first == before.layer.checkpoint.journal_first);
    CHECK(b.state.versions.sequence[9] == before.layer.checkpoint.sequence - 1); // what is older is dead
    CHECK(b.state.versions.sequence[3] == 0);                                    // not read yet
}

TEST_CASE("recovery tables: without a complete checkpoint nothing is loaded, but its number is not used again",
          "[recovery]")
{
    for (const int what : {0, 1, 2, 3, 4}) {
        CAPTURE(what);
        Before before;
        const std::uint32_t commit = before.layer.checkpoint.layout.pages - 1;
        const std::uint32_t block = before.layer.checkpoint.current[0];
        if (what == 0)
            before.flash.pages.erase({0, block, commit}); // the power loss came before
        if (what == 1)
            before.checkpointPage(commit).isTorn = true;
        if (what == 2)
            before.checkpointPage(commit).words[5] += 1; // of a drive with another capacity
        if (what == 3)
            before.checkpointPage(commit).words[1] = 7; // of another checkpoint
        if (what == 4)
            before.checkpointPage(commit).words[6] += 1; // of a drive with another number of blocks
        Bench b(before);
        b.load();
        CHECK(b.state.tables.checkpoint == 0);
        CHECK(b.placeOf(3) == MAP_UNMAPPED);
        CHECK(b.layer.checkpoint.covered[0] == 0);
        CHECK(b.layer.checkpoint.number == 2);
        CHECK_FALSE(recovery_holds_tables(&b.layer, block));
    }
}

TEST_CASE("recovery tables: if the newest checkpoint is not complete, the one before it is loaded", "[recovery]")
{
    Before before;
    const auto first = before.flash.pages;
    const std::uint32_t complete = before.layer.checkpoint.current[0];
    before.writeBlock(8);
    before.writeCheckpoint();
    const std::uint32_t torn = before.layer.checkpoint.current[0];
    REQUIRE(torn != complete);
    {
        Bench b(before);
        b.load();
        CHECK(b.state.tables.checkpoint == 2);
        CHECK(map_is_mapped(b.placeOf(8)));
        CHECK(recovery_holds_tables(&b.layer, torn));
        CHECK_FALSE(recovery_holds_tables(&b.layer, complete));
    }
    before.checkpointPage(before.layer.checkpoint.layout.pages - 1).isTorn = true;
    Bench b(before);
    b.load();
    CHECK(b.state.tables.checkpoint == 1);
    CHECK(b.placeOf(3) == 3);
    CHECK(b.placeOf(8) == MAP_UNMAPPED);
    CHECK(b.layer.checkpoint.number == 3);
    CHECK(recovery_holds_tables(&b.layer, complete));
    CHECK_FALSE(recovery_holds_tables(&b.layer, torn));
}

TEST_CASE("recovery tables: a block that was erased since is not covered, and entries that name it are ignored",
          "[recovery]")
{
    for (const bool isWrittenAgain : {false, true}) {
        CAPTURE(isWrittenAgain);
        Before before;
        for (std::uint32_t page = 0; page < 8; ++page)
            before.flash.pages.erase({0, 0, page});
        if (isWrittenAgain)
            before.flash.put({0, 0, 0}, spare_record(30, 50, SPARE_HOST, 1));
        Bench b(before);
        b.load();
        CHECK(b.layer.checkpoint.covered[0] == 0);
        CHECK(b.placeOf(3) == MAP_UNMAPPED);
        CHECK(b.blockOf(0).erases == (isWrittenAgain ? 0 : 1)); // the record of the first page will tell
    }
}

TEST_CASE("recovery tables: a factory bad block of the table is not a failed one", "[recovery]")
{
    Before before([](Before& b) { b.blockOf(5).state = BLOCK_BAD; });
    Bench b(before);
    b.runBefore(recovery_load_checkpoint);
    b.blockOf(5).state = BLOCK_BAD;
    b.run(recovery_load_checkpoint);
    CHECK_FALSE(b.blockOf(5).failed);
}

TEST_CASE("recovery tables: a page that cannot be read is read again, and only then is the mapping lost", "[recovery]")
{
    for (const std::uint32_t failures : {1u, 3u, 4u}) {
        CAPTURE(failures);
        Before before;
        const std::uint32_t block = before.layer.checkpoint.current[0];
        Bench b(before);
        std::uint32_t left = failures;
        b.flash.outcome = [&](const flash_descriptor& operation) {
            const bool isMapPage = operation.blocks == block && operation.start_sector / 4 == 1;
            return isMapPage && left != 0 && left-- != 0 ? FLASH_UNCORRECTABLE : FLASH_OK;
        };
        if (failures > 3) {
            CHECK_THROWS_WITH(b.load(), Catch::Matchers::Contains("the mapping is lost"));
            continue;
        }
        b.load();
        CHECK(b.placeOf(3) == 3);
    }
}

TEST_CASE("recovery tables: the journal's trims and lost units end older versions, not newer ones", "[recovery]")
{
    Before before;
    const std::uint32_t sequence = before.layer.sequence;
    before.writeJournal({{RECORD_TRIM, 2, 3, sequence}, {RECORD_LOST, 6, 1, sequence}, {RECORD_TRIM, 0, 1, 1}});
    Bench b(before);
    b.replay();
    CHECK(b.placeOf(0) == 0); // the record is older than the checkpoint's version
    CHECK(b.placeOf(1) == 1);
    for (std::uint32_t logical = 2; logical < 5; ++logical)
        CHECK(b.placeOf(logical) == MAP_UNMAPPED);
    CHECK(b.placeOf(5) == 5);
    CHECK(b.placeOf(6) == MAP_LOST);
    CHECK(b.state.versions.highest == sequence);
}

TEST_CASE("recovery tables: bad blocks stay bad, and erase counts only grow; blocks beyond the drive are ignored",
          "[recovery]")
{
    Before before([](Before& b) { b.blockOf(7).erases = 5; });
    before.writeJournal({{RECORD_BAD, 4, 1, 0},
                         {RECORD_ERASED, 6, 1, 9},
                         {RECORD_ERASED, 6, 1, 8},
                         {RECORD_ERASED, 7, 1, 4},
                         {RECORD_BAD, 400, 1, 0},
                         {RECORD_ERASED, 400, 1, 9}});
    Bench b(before);
    b.replay();
    CHECK(b.blockOf(4).failed);
    CHECK(b.blockOf(6).erases == 9);
    CHECK(b.blockOf(7).erases == 5);
}

TEST_CASE("recovery tables: pending units are those of the checkpoint that was loaded", "[recovery]")
{
    Before before;
    const std::uint32_t sequence = before.layer.checkpoint.sequence + 5;
    before.writeJournal({{RECORD_PENDING, 30, 1 | PENDING_IS_LOST, sequence},
                         {RECORD_PENDING, 31, 1, sequence},
                         {RECORD_PENDING, 32, 2 | PENDING_IS_LOST, sequence}});
    Bench b(before);
    b.replay();
    CHECK(b.placeOf(30) == MAP_LOST);
    CHECK(b.state.versions.sequence[30] == sequence);
    CHECK(b.placeOf(31) == MAP_UNMAPPED);
    CHECK(b.state.versions.sequence[31] == sequence);
    CHECK(b.placeOf(32) == MAP_UNMAPPED); // of another one
}

TEST_CASE("recovery tables: a page of the journal that cannot be read is passed, and numbers go on after the newest",
          "[recovery]")
{
    Before before;
    const std::uint32_t sequence = before.layer.sequence;
    before.writeJournal({{RECORD_TRIM, 1, 1, sequence}});
    before.writeJournal({{RECORD_TRIM, 2, 1, sequence}});
    before.writeJournal({{RECORD_TRIM, 3, 1, sequence}});
    const std::uint32_t block = before.layer.journal.block;
    before.flash.pages.at({0, block, 1}).isTorn = true;
    Bench b(before);
    b.replay();
    CHECK(b.placeOf(1) == MAP_UNMAPPED);
    CHECK(b.placeOf(2) == 2);
    CHECK(b.placeOf(3) == MAP_UNMAPPED);
    CHECK(b.layer.journal.number == before.layer.journal.number);
    CHECK(bitmap_has(b.layer.journal.live, block));
    CHECK(recovery_holds_tables(&b.layer, block));
    CHECK(b.layer.journal.buffer[0].page->records == 0); // what was read is not written again
}

TEST_CASE("recovery tables: journal blocks from before the checkpoint are neither read nor kept", "[recovery]")
{
    std::uint32_t old = NONE;
    Before before([&old](Before& b) {
        b.writeJournal({{RECORD_TRIM, 3, 1, b.layer.sequence}});
        old = b.layer.journal.block;
    });
    REQUIRE(before.flash.pages.count({0, old, 0}) == 1);
    Bench b(before);
    b.replay();
    CHECK(b.placeOf(3) == 3);
    CHECK_FALSE(recovery_holds_tables(&b.layer, old));
    CHECK_FALSE(bitmap_has(b.layer.journal.live, old));
    CHECK(b.layer.journal.number == before.layer.checkpoint.journal_first);
}

TEST_CASE("recovery tables: on an empty flash the journal begins with its first page", "[recovery]")
{
    RecoveryBench b;
    b.runUntil(recovery_replay_journal);
    CHECK(b.layer.journal.number == 1);
    CHECK(b.layer.checkpoint.number == 1);
    CHECK(b.state.versions.begun_at == 0);
}
