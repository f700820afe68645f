// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/ftl/start_gap/start_gap_headers.h"
#include "tests/support/catch.h"

#include <numeric>
#include <vector>

namespace {

// A memory with as many places as lines, and the gap: the line in each place.
struct Memory {
    start_gap levelling{};
    std::vector<std::uint32_t> places;
    std::vector<std::uint32_t> visits; // per place: writes by moves

    explicit Memory(std::uint32_t lines) : places(lines + 1, UINT32_MAX), visits(lines + 1)
    {
        start_gap_init(&levelling, lines);
        std::iota(places.begin(), places.end() - 1, 0U);
    }
    void move()
    {
        const std::uint32_t source = start_gap_source(&levelling);
        REQUIRE(source != levelling.gap);
        REQUIRE(places[source] == start_gap_moving(&levelling));
        REQUIRE(start_gap_physical(&levelling, start_gap_moving(&levelling)) == source);
        places[levelling.gap] = places[source];
        places[source] = UINT32_MAX;
        ++visits[levelling.gap];
        start_gap_moved(&levelling);
    }
};

} // namespace

TEST_CASE("after any number of moves the registers determine the place of each line")
{
    for (const std::uint32_t lines : {1U, 2U, 3U, 8U, 13U}) {
        Memory memory(lines);
        for (std::uint32_t moves = 0; moves < 3 * lines * (lines + 1) + 5; ++moves) {
            for (std::uint32_t line = 0; line < lines; ++line)
                REQUIRE(memory.places[start_gap_physical(&memory.levelling, line)] == line);
            REQUIRE(memory.places[memory.levelling.gap] == UINT32_MAX);
            memory.move();
        }
    }
}

TEST_CASE("in a whole cycle each line is in every place, and every place receives as many moves")
{
    constexpr std::uint32_t lines = 9;
    Memory memory(lines);
    std::vector<bool> seen(lines + 1);
    for (std::uint32_t moves = 0; moves < lines * (lines + 1); ++moves) {
        seen[start_gap_physical(&memory.levelling, 4)] = true;
        memory.move();
    }
    CHECK(seen == std::vector<bool>(lines + 1, true));
    CHECK(memory.visits == std::vector<std::uint32_t>(lines + 1, lines));
    CHECK(memory.levelling.start == 0);
    CHECK(memory.levelling.gap == lines);
}
