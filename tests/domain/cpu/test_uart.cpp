// SPDX-License-Identifier: Apache-2.0
#include "models/base/strobe_registers.h"
#include "models/cpu/uart.h"
#include "tests/support/catch.h"

#include <string>
#include <utility>
#include <vector>

using namespace strobe;
using namespace strobe::regs::uart;
using namespace std::chrono_literals;

namespace {

// A byte takes 1 us; two places.
struct Board {
    std::vector<std::pair<Time, std::string>> lines;
    cpu::Uart uart{{2, 10'000'000, 10},
                   [this](Time at, std::string_view text) { lines.emplace_back(at, std::string(text)); }};

    std::uint32_t read(std::uint32_t offset, Time now)
    {
        std::uint32_t value = 0;
        REQUIRE(uart.read(offset, value, now) == Access::Ok);
        return value;
    }
    void put(char character, Time now)
    {
        REQUIRE(uart.write(DATA, static_cast<unsigned char>(character), now) == Access::Ok);
    }
};

} // namespace

TEST_CASE("a line is passed on without its newline, when the newline has been sent")
{
    Board board;
    board.put('h', 10us);
    board.put('i', 11us);
    board.put('\n', 20us);
    REQUIRE(board.lines.size() == 1);
    CHECK(board.lines[0] == std::pair(Time(21us), std::string("hi")));
}

TEST_CASE("bytes leave one after the other, and a place is free when its byte has left, not a picosecond earlier")
{
    Board board;
    CHECK(board.read(STATUS, 5us) == 2);
    board.put('a', 5us);
    board.put('b', 5us);
    CHECK(board.read(STATUS, 5us) == 0);
    CHECK(board.read(STATUS, 6us - picoseconds(1)) == 0);
    CHECK(board.read(STATUS, 6us) == 1);
    CHECK(board.read(STATUS, 7us) == 2);
}

TEST_CASE("a byte written to a full queue is lost, counted and reported")
{
    Board board;
    int reported = 0;
    board.uart.onLost([&] { ++reported; });
    for (const char c : std::string("abc"))
        board.put(c, 0us);
    board.put('\n', 2us);
    CHECK(board.read(LOST, 3us) == 1);
    CHECK(reported == 1);
    REQUIRE(board.lines.size() == 1);
    CHECK(board.lines[0].second == "ab");
}

TEST_CASE("text without a newline is passed on once, on request")
{
    Board board;
    board.put('x', 0us);
    board.uart.flush();
    board.uart.flush();
    REQUIRE(board.lines.size() == 1);
    CHECK(board.lines[0] == std::pair(Time(1us), std::string("x")));
}
