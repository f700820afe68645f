// SPDX-License-Identifier: Apache-2.0
//
// Pieces of commands: which lines are busy, the list of free pieces, and places in buffer and memory.
#include "tests/firmware/ftl/start_gap/start_gap_headers.h"
#include "tests/support/catch.h"

#include <array>
#include <set>
#include <tuple>

namespace {

// 3 dies with blocks of 4 lines of 4 sectors; 5 pieces.
struct Bench {
    boot_block boot{};
    std::array<piece, 5> pieces{};
    start_gap_drive drive{};

    Bench()
    {
        boot.pages_per_block = 4;
        drive.boot = &boot;
        drive.dies = 3;
        drive.sectors_per_line = 4;
        drive.line_bytes = 2048;
        drive.buffer = 0x8000;
        drive.piece = pieces.data();
        drive.pieces = 5;
        drive.free_piece = NONE;
        start_gap_init(&drive.levelling, 23);
        for (std::uint32_t number = 5; number > 0; --number)
            piece_give(&drive, number - 1);
    }
};

} // namespace

TEST_CASE("pieces: all of them can be taken, and the one given back last is taken next")
{
    Bench b;
    std::set<std::uint32_t> taken;
    while (b.drive.free_piece != NONE)
        taken.insert(piece_take(&b.drive, PIECE_READ, 0));
    CHECK(taken.size() == 5);
    piece_give(&b.drive, 3);
    piece_give(&b.drive, 1);
    CHECK(b.pieces[1].kind == PIECE_FREE);
    CHECK(piece_take(&b.drive, PIECE_WRITE, 7) == 1);
    CHECK(piece_take(&b.drive, PIECE_WRITE, 8) == 3);
    CHECK(b.drive.free_piece == NONE);
}

TEST_CASE("pieces: a piece is of its whole line, in the place where the line is now, whatever it was before")
{
    Bench b;
    b.pieces[0] = {PIECE_FREE, true, 4, 9, 9, 3, 2, 1, b.pieces[0].next};
    start_gap_moved(&b.drive.levelling); // line 22 has moved up
    const piece& p = b.pieces[piece_take(&b.drive, PIECE_WRITE, 22)];
    CHECK(p.kind == PIECE_WRITE);
    CHECK_FALSE(p.programs);
    CHECK(p.slot == NONE);
    CHECK(p.line == 22);
    CHECK(p.physical == 23);
    CHECK(p.first == 0);
    CHECK(p.column == 0);
    CHECK(p.sectors == 4);
}

TEST_CASE("pieces: a line is busy for a read while it is written or moved, and for others while it is read too")
{
    Bench b;
    CHECK_FALSE(line_is_busy(&b.drive, 5, true));
    const std::uint32_t read = piece_take(&b.drive, PIECE_READ, 5);
    CHECK_FALSE(line_is_busy(&b.drive, 5, false)); // reads of a line run together
    CHECK(line_is_busy(&b.drive, 5, true));
    CHECK_FALSE(line_is_busy(&b.drive, 6, true));
    piece_give(&b.drive, read);
    CHECK_FALSE(line_is_busy(&b.drive, 5, true)); // its line is still in the free piece
    for (const piece_kind kind : {PIECE_WRITE, PIECE_MOVE}) {
        const std::uint32_t number = piece_take(&b.drive, kind, 5);
        CHECK(line_is_busy(&b.drive, 5, false));
        CHECK(line_is_busy(&b.drive, 5, true));
        piece_give(&b.drive, number);
    }
}

TEST_CASE("pieces: each has a page of the buffer, after the page of zeros")
{
    const Bench b;
    CHECK(piece_buffer(&b.drive, 0) == 0x8000 + 2048);
    CHECK(piece_buffer(&b.drive, 4) == 0x8000 + 5 * 2048);
}

TEST_CASE("pieces: neighbouring lines are on different dies, and every line has a place of its own")
{
    const Bench b;
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> places;
    for (std::uint32_t physical = 0; physical < 24; ++physical) {
        const flash_place place = place_of(&b.drive, physical, 0);
        CHECK(place.die == physical % 3);
        CHECK(place.block < 2);
        CHECK(place.sector < 16);
        CHECK_FALSE(place.pslc);
        places.insert({place.die, place.block, place.sector});
    }
    CHECK(places.size() == 24);
    const flash_place last = place_of(&b.drive, 23, 3);
    CHECK(last.die == 2);
    CHECK(last.block == 1);
    CHECK(last.sector == 15);
}

TEST_CASE("pieces: a spare record names its line and is never that of a bad block")
{
    CHECK(spare_of(0).word[0] == 1);
    CHECK(spare_of(22).word[0] == 23);
}
