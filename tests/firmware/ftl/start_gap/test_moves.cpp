// SPDX-License-Identifier: Apache-2.0
//
// Moves of the gap: when one falls due, what it waits for, and how it ends when the memory fails.
#include "tests/firmware/ftl/start_gap/start_gap_headers.h"
#include "tests/support/catch.h"

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

extern "C" {
#include "firmware/drivers/bitmap.h"
void strobe_firmware_entry(const strobe_native_hal* hal);
}

namespace {

std::vector<std::string> console;
std::vector<std::uint32_t> memory; // of the firmware, at its base
constexpr std::uint32_t base = 0x1000, memoryBytes = 16384;

const strobe_native_hal table = [] {
    strobe_native_hal t{};
    t.abi = STROBE_NATIVE_ABI;
    t.read32 = [](void*, std::uint32_t) { return 0u; };
    t.write32 = [](void*, std::uint32_t, std::uint32_t) {};
    t.memory = [](void*, std::uint32_t address, std::uint32_t) -> void* {
        return address < base || address >= base + memoryBytes ? nullptr : &memory[(address - base) / 4];
    };
    t.cost = [](void*, std::uint32_t, std::uint32_t) {};
    t.pending = [](void*) { return 0u; };
    t.wait = [](void*) { return 0u; };
    t.time_ns = [](void*) { return std::uint64_t{0}; };
    t.log = [](void*, const char* text) { console.emplace_back(text); };
    t.panic = [](void*, const char* text) { throw std::runtime_error(text); };
    return t;
}();

// A drive of 7 lines on one die, all of them written, with the gap at the top; 3 pieces. Operations are begun by the
// moves and ended by the test.
struct Bench {
    boot_block boot{};
    std::array<piece, 3> pieces{};
    std::uint32_t written = 0x7F, lost = 0;
    start_gap_drive drive{};

    explicit Bench(std::uint32_t interval = 1)
    {
        memory.assign(memoryBytes / 4, 0);
        try {
            strobe_firmware_entry(&table); // the HAL has this table; without a boot block firmware stops at once
        } catch (const std::runtime_error&) {
        }
        console.clear();
        boot.pages_per_block = 4;
        drive.boot = &boot;
        drive.dies = 1;
        drive.sectors_per_line = 4;
        drive.line_bytes = 2048;
        drive.piece = pieces.data();
        drive.pieces = 3;
        drive.free_piece = NONE;
        drive.interval = interval;
        drive.written = &written;
        drive.lost = &lost;
        start_gap_init(&drive.levelling, 7);
        for (std::uint32_t number = 3; number > 0; --number)
            piece_give(&drive, number - 1);
        arena arena{};
        arena_init(&arena, base, memoryBytes);
        flash_init(&drive.flash, &arena, 1, 1, 8, 3, this, [](void*, std::uint32_t, flash_status) {});
    }
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;
    const flash_descriptor& operation(std::uint32_t number) const { return drive.flash.descriptors[number]; }
    std::uint32_t opcode(std::uint32_t number) const
    {
        return operation(number).control & FLASH_DESCRIPTOR_CONTROL_OPCODE_MASK;
    }
    // The number of the piece that moves; the move has begun.
    std::uint32_t begin()
    {
        drive.moves_due = 1;
        REQUIRE(moves_begin(&drive));
        for (std::uint32_t number = 0; number < 3; ++number) {
            if (pieces[number].kind == PIECE_MOVE)
                return number;
        }
        FAIL("no piece moves");
        return NONE;
    }
};

} // namespace

TEST_CASE("moves: one falls due after every interval of writes, and none without an interval")
{
    Bench b(3);
    for (int i = 0; i < 2; ++i)
        moves_count_write(&b.drive);
    CHECK(b.drive.moves_due == 0);
    moves_count_write(&b.drive);
    CHECK(b.drive.moves_due == 1);
    CHECK_FALSE(moves_lag(&b.drive));
    for (int i = 0; i < 3; ++i)
        moves_count_write(&b.drive);
    CHECK(b.drive.moves_due == 2);
    CHECK(moves_lag(&b.drive)); // writes wait
    b.drive.stuck = true;
    CHECK_FALSE(moves_lag(&b.drive));
    Bench never(0);
    for (int i = 0; i < 100; ++i)
        moves_count_write(&never.drive);
    CHECK(never.drive.moves_due == 0);
}

TEST_CASE("moves: the line below the gap is read, programmed into the gap, and the gap is where it was")
{
    Bench b;
    CHECK_FALSE(moves_begin(&b.drive)); // none is due
    const std::uint32_t number = b.begin();
    CHECK(b.pieces[number].line == 6);
    CHECK(b.opcode(number) == FLASH_READ);
    CHECK(b.operation(number).blocks == 1);
    CHECK(b.operation(number).start_sector == 2 * 4); // physical line 6
    CHECK(b.drive.moving);
    CHECK_FALSE(moves_begin(&b.drive)); // one at a time
    moves_read(&b.drive, number, FLASH_OK);
    CHECK(b.pieces[number].programs);
    CHECK(b.opcode(number) == FLASH_PROGRAM);
    CHECK(b.operation(number).start_sector == 3 * 4); // 7: the gap
    CHECK(b.operation(number).spare0 == 7);           // line 6
    CHECK(b.drive.levelling.gap == 7);
    moves_programmed(&b.drive, number, FLASH_OK);
    CHECK(b.drive.levelling.gap == 6);
    CHECK(b.drive.moves_due == 0);
    CHECK_FALSE(b.drive.moving);
    CHECK(b.pieces[number].kind == PIECE_FREE);
    CHECK(start_gap_physical(&b.drive.levelling, 6) == 7);
}

TEST_CASE("moves: a line without data, or one that is lost already, moves in the registers alone")
{
    for (const bool isLost : {false, true}) {
        Bench b;
        if (isLost)
            bitmap_add(&b.lost, 6);
        else
            bitmap_remove(&b.written, 6);
        b.drive.free_piece = NONE; // none is needed
        b.drive.moves_due = 1;
        CHECK(moves_begin(&b.drive));
        CHECK_FALSE(b.drive.moving);
        CHECK(b.drive.levelling.gap == 6);
        CHECK(b.drive.moves_due == 0);
    }
}

TEST_CASE("moves: a move waits for all pieces of its line, and for a free piece")
{
    for (const piece_kind kind : {PIECE_READ, PIECE_WRITE}) {
        Bench b;
        b.drive.moves_due = 1;
        const std::uint32_t number = piece_take(&b.drive, kind, 6);
        CHECK_FALSE(moves_begin(&b.drive));
        piece_give(&b.drive, number);
        while (b.drive.free_piece != NONE)
            piece_take(&b.drive, PIECE_READ, 2);
        CHECK_FALSE(moves_begin(&b.drive));
        piece_give(&b.drive, 0);
        CHECK(moves_begin(&b.drive));
    }
}

TEST_CASE("moves: a line that cannot be read is lost, and the gap moves all the same")
{
    Bench b;
    const std::uint32_t number = b.begin();
    moves_read(&b.drive, number, FLASH_UNCORRECTABLE);
    CHECK(bitmap_has(&b.lost, 6));
    CHECK(bitmap_has(&b.written, 6));
    CHECK(b.drive.levelling.gap == 6);
    CHECK_FALSE(b.drive.moving);
    CHECK(b.pieces[number].kind == PIECE_FREE);
}

TEST_CASE("moves: a gap that cannot be programmed stays, and levelling ends with a message")
{
    Bench b;
    const std::uint32_t number = b.begin();
    moves_read(&b.drive, number, FLASH_OK);
    moves_programmed(&b.drive, number, FLASH_PROGRAM_FAILED);
    CHECK(b.drive.levelling.gap == 7);
    CHECK(b.drive.stuck);
    CHECK(console.size() == 1);
    CHECK(start_gap_physical(&b.drive.levelling, 6) == 6); // its data is where it was
    b.drive.moves_due = 5;
    CHECK_FALSE(moves_begin(&b.drive));
    CHECK_FALSE(moves_lag(&b.drive));
}
