// SPDX-License-Identifier: Apache-2.0
//
// Lines of requests, the parts of a command in its units, and the cookies of transfers.
#include "tests/firmware/ftl/page_map/request_bench.h"

using namespace strobe::test;

namespace {

struct Piece {
    std::uint32_t unit, column, sectors;
};
bool operator==(const Piece& a, const Piece& b)
{
    return a.unit == b.unit && a.column == b.column && a.sectors == b.sectors;
}

std::vector<Piece> piecesOf(RequestBench& b, std::uint64_t lba, std::uint32_t sectors)
{
    const request& r = b.put(0, HOST_READ, lba, sectors);
    std::vector<Piece> pieces;
    for (std::uint32_t cursor = 0; cursor != sectors;) {
        const piece p = piece_at(&b.app, &r, cursor);
        pieces.push_back({p.unit, p.column, p.sectors});
        cursor += p.sectors;
    }
    return pieces;
}

} // namespace

TEST_CASE("request state: a line is first come, first served, and a request is in one line at a time", "[request]")
{
    RequestBench b;
    line& line = b.app.for_flush;
    for (const std::uint32_t slot : {2u, 0u, 3u})
        line_join(&b.app, &line, slot);
    line_join(&b.app, &line, 0);        // it is in the line
    line_join(&b.app, &b.app.trims, 2); // it is in another one
    CHECK(b.app.trims.head == NONE);
    CHECK(line_leave(&b.app, &line) == 2);
    CHECK_FALSE(b.app.requests[2].in_line);
    CHECK(line_leave(&b.app, &line) == 0);
    line_join(&b.app, &line, 2);
    CHECK(line_leave(&b.app, &line) == 3);
    CHECK(line_leave(&b.app, &line) == 2);
    CHECK(line.head == NONE);
    line_join(&b.app, &line, 1); // into an empty line again
    CHECK(line_leave(&b.app, &line) == 1);
}

TEST_CASE("request state: a command is completed once, and is not active any more", "[request]")
{
    RequestBench b;
    b.put(1, HOST_FLUSH, 0, 0);
    b.put(2, HOST_READ, 0, 4);
    CHECK(b.app.active == 2);
    request_complete(&b.app, 1, HOST_DEVICE_FAULT);
    request_end(&b.app, 2); // its last transfer completes it
    b.look();
    CHECK(b.app.active == 0);
    CHECK_FALSE(b.app.requests[2].active);
    CHECK(b.completions == std::vector<RequestBench::Completion>{{1, HOST_DEVICE_FAULT}});
}

TEST_CASE("request state: a command is cut at the ends of units, and at both of its own", "[request]")
{
    RequestBench b; // units of 4 sectors
    using Pieces = std::vector<Piece>;
    CHECK(piecesOf(b, 8, 4) == Pieces{{2, 0, 4}});
    CHECK(piecesOf(b, 9, 2) == Pieces{{2, 1, 2}});
    CHECK(piecesOf(b, 11, 1) == Pieces{{2, 3, 1}});
    CHECK(piecesOf(b, 11, 6) == Pieces{{2, 3, 1}, {3, 0, 4}, {4, 0, 1}});
    CHECK(piecesOf(b, 8, 8) == Pieces{{2, 0, 4}, {3, 0, 4}});
    CHECK(sector_mask(0, 32) == 0xFFFFFFFF);
    CHECK(sector_mask(3, 1) == 0x8);
}

TEST_CASE("request state: an address beyond 32 bits has its unit", "[request]")
{
    RequestBench b;
    CHECK(unit_of_lba(&b.app, 0xFFFFFFFF) == 0x3FFFFFFF);
    CHECK(unit_of_lba(&b.app, 0x100000003) == 0x40000000);
}

TEST_CASE("request state: a cookie keeps its kind, slot, column and count at their limits", "[request]")
{
    for (const enum cookie_kind kind : {COOKIE_ZEROS, COOKIE_AHEAD, COOKIE_RUN}) {
        for (const std::uint32_t slot : {0u, 0xFFFFu}) {
            for (const auto& [column, count] : {std::pair<std::uint32_t, std::uint32_t>{0, 1}, {31, 1}, {0, 32}}) {
                const std::uint32_t cookie = cookie_of(kind, slot, column, count);
                CHECK(cookie_kind(cookie) == kind);
                CHECK(cookie_slot(cookie) == slot);
                CHECK(cookie_column(cookie) == column);
                CHECK(cookie_count(cookie) == count);
            }
        }
    }
}

TEST_CASE("request state: memory follows from the slots and from the buffer", "[request]")
{
    RequestBench b([](boot_block& boot) { boot.host_slots = 40; });
    CHECK(b.app.waiter_words == 2);
    CHECK(b.app.turns == nullptr);
    CHECK(b.app.read_refill == MAX_PIECES - 1);
    for (std::uint32_t word = 0; word < 2 * b.app.ftl.buffer.slots; ++word)
        CHECK(b.app.waiters[word] == 0);
    RequestBench serial([](boot_block& boot) {
        boot.serial_writes = 1;
        boot.page_bytes = 8192;
        boot.mapping_unit = 4096;
        boot.buffer_size = 128 * 4096;
    });
    REQUIRE(serial.app.turns != nullptr);
    CHECK(serial.app.turns[0].head == NONE);
    CHECK(serial.app.read_refill == MAX_PIECES / 2); // so that neighbours are still read together
}
