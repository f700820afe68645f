// SPDX-License-Identifier: Apache-2.0
//
// The program of a page from slots of the buffer: one operation for each strip, unit tables, padding.
#include "tests/firmware/ftl/page_map/layer_bench.h"

using namespace strobe::test;

namespace {

struct Bench : LayerBench {
    using LayerBench::LayerBench;

    // Linked write slots for as many units from `logical` on; the first one.
    std::uint32_t chain(std::uint32_t units, std::uint32_t logical = 20)
    {
        slot_chain slots = {NONE, NONE};
        for (std::uint32_t i = 0; i < units; ++i) {
            const std::uint32_t number = buffer_take(&layer.buffer, USE_WRITE);
            slotOf(number).logical = logical + i;
            slotOf(number).sequence = 100 + i;
            slot_chain_append(&layer.buffer, &slots, number);
        }
        return slots.first;
    }
    std::uint32_t page() { return blocks_take_page(&layer.blocks, 0, STREAM_HOST, 0); }
    void program(std::uint32_t first, std::uint32_t unit, spare_kind kind = SPARE_HOST)
    {
        page_program(&layer, first, unit, kind, FLASH_FOR_HOST);
    }
    std::uint32_t freePadding() const
    {
        std::uint32_t count = 0;
        for (std::uint32_t op = layer.padding.free; op != NONE; op = layer.padding.ops[op].next)
            ++count;
        return count;
    }
};

// Units of 4 KiB, pages of 8 KiB.
void twoUnits(boot_block& boot)
{
    boot.page_bytes = 8192;
    boot.mapping_unit = 4096;
    boot.buffer_size = 256 * 4096;
}

} // namespace

TEST_CASE("page program: a page of one unit is one operation with the record of its version", "[program]")
{
    Bench b;
    const std::uint32_t unit = b.page();
    b.blockOf(0).erases = 0x10007;
    const std::uint32_t first = b.chain(1);
    b.program(first, unit, SPARE_MOVED);
    REQUIRE(b.flash.pending.size() == 1);
    CHECK(b.started(0).cookie == first);
    CHECK(b.started(0).sectors == 4);
    CHECK(b.started(0).buffer == buffer_address(&b.layer.buffer, first));
    const flash_spare record = recordOf(b.started(0));
    CHECK(spare_is_record(&record));
    CHECK(spare_subject(&record) == 20);
    CHECK(record.word[1] == 100);
    CHECK(spare_kind_of(&record) == SPARE_MOVED);
    CHECK(spare_erases(&record) == 7); // of the block
    CHECK(b.slotOf(first).state == SLOT_PROGRAMMING);
    CHECK(b.slotOf(first).physical == unit);
    CHECK(b.slotOf(first).next == NONE);
}

TEST_CASE("page program: units of a page are gathered by a table, and missing ones become zeros without a record",
          "[program]")
{
    Bench b(twoUnits);
    b.page();
    const std::uint32_t unit = b.page(); // the second page
    const std::uint32_t first = b.chain(1);
    b.program(first, unit);
    REQUIRE(b.flash.pending.size() == 1);
    CHECK(b.started(0).start_sector == 16);
    CHECK(b.started(0).sectors == 16);
    const flash_units table = flash_units_of(&b.layer.flash, first, 2);
    CHECK(table.data[0] == buffer_address(&b.layer.buffer, first));
    CHECK(table.data[1] == 0);
    CHECK(spare_subject(&table.spare[0]) == 20);
    CHECK_FALSE(spare_is_record(&table.spare[1]));
    CHECK(table.spare[1].word[0] != 0); // which would mark a factory bad block
}

TEST_CASE("page program: each strip of a row is an operation of its own, with its own slots", "[program]")
{
    Bench b([](boot_block& boot) {
        twoUnits(boot);
        boot.planes = boot.row_planes = 2;
    });
    const std::uint32_t unit = b.page();
    const std::uint32_t first = b.chain(4);
    const std::uint32_t second = b.slotOf(first).next;
    const std::uint32_t third = b.slotOf(second).next;
    b.program(first, unit);
    REQUIRE(b.flash.pending.size() == 2);
    CHECK(b.started(0).cookie == first);
    CHECK(b.started(1).cookie == third);
    CHECK(b.started(0).blocks == 0);
    CHECK(b.started(1).blocks == 1); // the other plane
    CHECK(b.slotOf(first).next == second);
    CHECK(b.slotOf(second).next == NONE);
    CHECK(b.slotOf(second).physical == unit + 1);
    CHECK(b.slotOf(third).physical == unit + 2);
    CHECK(b.layer.padding.free != NONE);
}

TEST_CASE("page program: slots are divided among the word lines of a row, a page of the flash at a time", "[program]")
{
    Bench b([](boot_block& boot) {
        twoUnits(boot);
        boot.planes = boot.row_planes = 2;
        boot.program_pages = 2;
    });
    const std::uint32_t unit = b.page();
    std::vector<std::uint32_t> slots = {b.chain(7)}; // the last unit of the second strip has none
    for (std::uint32_t i = 1; i < 7; ++i)
        slots.push_back(b.slotOf(slots.back()).next);
    b.program(slots[0], unit);
    REQUIRE(b.flash.pending.size() == 2);
    CHECK(b.started(0).cookie == slots[0]);
    CHECK(b.started(1).cookie == slots[2]);
    const std::uint32_t expected[2][4] = {{0, 1, 4, 5}, {2, 3, 6, NONE}};
    for (std::uint32_t strip = 0; strip < 2; ++strip) {
        CHECK(b.started(strip).blocks == strip);
        CHECK(b.started(strip).sectors == 32);
        const flash_units table = flash_units_of(&b.layer.flash, b.started(strip).cookie, 4);
        for (std::uint32_t i = 0; i < 4; ++i) {
            CAPTURE(strip, i);
            const std::uint32_t index = expected[strip][i];
            if (index == NONE) {
                CHECK_FALSE(spare_is_record(&table.spare[i]));
                continue;
            }
            CHECK(table.data[i] == buffer_address(&b.layer.buffer, slots[index]));
            CHECK(b.slotOf(slots[index]).physical == unit + index);
            const std::uint32_t next = i + 1 == 4 ? NONE : expected[strip][i + 1];
            CHECK(b.slotOf(slots[index]).next == (next == NONE ? NONE : slots[next]));
        }
    }
}

TEST_CASE("page program: a strip without a unit is padded, and its end counts like that of any program", "[program]")
{
    Bench b([](boot_block& boot) { boot.planes = boot.row_planes = 2; });
    const std::uint32_t all = b.freePadding();
    CHECK(all == padding_ops(&b.layer.geometry, FLASH_DIE_DEPTH));
    const std::uint32_t unit = b.page();
    write_room_page_begun(&b.layer.room, 0);
    const std::uint32_t first = b.chain(1);
    b.program(first, unit);
    REQUIRE(b.flash.pending.size() == 2);
    CHECK(b.freePadding() == all - 1);
    const flash_descriptor& padded = b.started(1);
    CHECK(padded.cookie >= b.layer.padding.first_op);
    CHECK(padded.blocks == 1);
    CHECK(padded.sectors == 4);
    CHECK(padded.buffer == buffer_address(&b.layer.buffer, 0)); // zeros
    const flash_spare record = recordOf(padded);
    CHECK_FALSE(spare_is_record(&record));
    CHECK(record.word[0] != 0);
    const std::uint32_t flying = b.blockOf(0).flying;
    padding_ended(&b.layer, padded.cookie, FLASH_OK);
    CHECK(b.blockOf(0).flying == flying - 1);
    CHECK(b.layer.room.die_programs[0] == 1);
    CHECK(b.freePadding() == all);
    CHECK_FALSE(b.blockOf(0).failed);
}

TEST_CASE("page program: padding of moved data is not counted as host data, and its failure fails the block",
          "[program]")
{
    Bench b([](boot_block& boot) {
        boot.planes = boot.row_planes = 2;
        boot.spare_blocks = 2;
    });
    const std::uint32_t unit = blocks_take_page(&b.layer.blocks, 0, STREAM_MOVE, 0);
    const std::uint32_t block = block_of_unit(&b.layer.geometry, unit);
    b.program(b.chain(1), unit, SPARE_MOVED);
    padding_ended(&b.layer, b.started(1).cookie, FLASH_PROGRAM_FAILED);
    CHECK(b.layer.room.die_programs[0] == 0);
    CHECK(b.blockOf(block).failed);
}

TEST_CASE("page program: padding of strips with several units has a table of zeros", "[program]")
{
    Bench b([](boot_block& boot) {
        twoUnits(boot);
        boot.planes = boot.row_planes = 2;
    });
    b.program(b.chain(2), b.page());
    REQUIRE(b.flash.pending.size() == 2);
    const flash_descriptor& padded = b.started(1);
    CHECK((padded.control & FLASH_DESCRIPTOR_CONTROL_UNIT_TABLE_MASK) != 0);
    CHECK(padded.sectors == 16);
    const flash_units table = flash_units_of(&b.layer.flash, padded.cookie, 2);
    CHECK(table.data[0] == 0);
    CHECK(table.data[1] == 0);
    CHECK_FALSE(spare_is_record(&table.spare[1]));
}

TEST_CASE("page program: more padding than planned is a bug of the firmware", "[program]")
{
    Bench b([](boot_block& boot) { boot.planes = boot.row_planes = 2; });
    b.layer.padding.free = NONE;
    const std::uint32_t first = b.chain(1);
    const std::uint32_t unit = b.page();
    CHECK_THROWS_AS(b.program(first, unit), Panic);
}

TEST_CASE("page program: without rows nothing is padded, and no memory is taken for it", "[program]")
{
    Bench b;
    CHECK(b.layer.padding.free == NONE);
    CHECK(b.layer.padding.ops == nullptr);
}

TEST_CASE("page program: a strip of a block in pSLC mode has one page of the flash", "[program]")
{
    Bench b([](boot_block& boot) {
        twoUnits(boot);
        boot.program_pages = 3;
        boot.pages_per_block = 24;
        boot.pslc_pages = 8;
    });
    const std::uint32_t unit = b.page();
    blocks_enter_slc(&b.layer.blocks, 0);
    b.program(b.chain(2), unit);
    REQUIRE(b.flash.pending.size() == 1);
    CHECK(b.started(0).sectors == 16);
    CHECK((b.started(0).control & FLASH_DESCRIPTOR_CONTROL_PSLC_MASK) != 0);
}
