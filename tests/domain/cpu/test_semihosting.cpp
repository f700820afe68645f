// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/semihosting.h"
#include "tests/support/catch.h"

#include <cstring>
#include <string>
#include <utility>
#include <vector>

using namespace strobe;
using namespace std::chrono_literals;

namespace {

constexpr std::uint32_t base = 0x1000;
constexpr std::uint32_t refused = 0xFFFFFFFF;

struct Board {
    std::vector<std::byte> memory = std::vector<std::byte>(0x1000);
    std::vector<std::pair<Time, std::string>> lines;
    cpu::Semihosting calls{[this](std::uint32_t address, std::uint32_t bytes) -> const std::byte* {
                               const std::uint64_t at = std::uint64_t{address} - base;
                               return address < base || at + bytes > memory.size() ? nullptr : &memory[at];
                           },
                           [this](Time at, std::string_view text) { lines.emplace_back(at, std::string(text)); }};

    void put(std::uint32_t address, std::uint32_t word) { std::memcpy(&memory[address - base], &word, sizeof word); }
    void put(std::uint32_t address, const std::string& text)
    {
        std::memcpy(&memory[address - base], text.c_str(), text.size() + 1);
    }
};

} // namespace

TEST_CASE("an ebreak is a call only between the two shifts that do nothing")
{
    Board board;
    board.put(0x1100, 0x01F01013);
    board.put(0x1104, 0x00100073);
    board.put(0x1108, 0x40705013);
    CHECK(board.calls.isCall(0x1104));
    board.put(0x1108, 0x00000013);
    CHECK_FALSE(board.calls.isCall(0x1104));
    CHECK_FALSE(board.calls.isCall(0x1000)); // the word before is no memory
}

TEST_CASE("text goes to the console line by line, whatever calls it came with")
{
    Board board;
    board.put(0x1200, std::string("one\ntw"));
    CHECK(board.calls.serve(0x04, 0x1200, 5us) == 0);
    board.put(0x1200, std::string("o"));
    CHECK(board.calls.serve(0x03, 0x1200, 6us) == 0);
    board.put(0x1200, std::string("\nrest"));
    board.put(0x1300, 1u);
    board.put(0x1304, 0x1200u);
    board.put(0x1308, 1u);
    CHECK(board.calls.serve(0x05, 0x1300, 7us) == 0);
    REQUIRE(board.lines.size() == 2);
    CHECK(board.lines[0] == std::pair(Time(5us), std::string("one")));
    CHECK(board.lines[1] == std::pair(Time(7us), std::string("two")));
}

TEST_CASE("a failed write is answered as specified")
{
    Board board;
    board.put(0x1300, 3u); // a file
    board.put(0x1304, 0x1200u);
    board.put(0x1308, 4u);
    CHECK(board.calls.serve(0x05, 0x1300, 0us) == refused);
    board.put(0x1300, 1u);
    board.put(0x1304, 0x9000u); // no memory: all four are left
    CHECK(board.calls.serve(0x05, 0x1300, 0us) == 4);
    CHECK(board.calls.serve(0x05, 0x9000, 0us) == refused);
}

TEST_CASE("an exit keeps its reason, its code and the text written last")
{
    Board board;
    board.put(0x1200, std::string("no spare block\n"));
    board.calls.serve(0x04, 0x1200, 0us);
    CHECK_FALSE(board.calls.exit().has_value());
    board.calls.serve(0x18, 0x20023, 0us);
    REQUIRE(board.calls.exit().has_value());
    CHECK(board.calls.exit()->isError());
    CHECK(board.calls.exit()->lastText == "no spare block");
}

TEST_CASE("every exit counts as an error, except an application's with code 0")
{
    const auto isError = [](std::uint32_t operation, std::uint32_t reason, std::uint32_t code) {
        Board board;
        board.put(0x1300, reason);
        board.put(0x1304, code);
        board.calls.serve(operation, operation == 0x18 ? reason : 0x1300, 0us);
        return board.calls.exit().value().isError();
    };
    CHECK_FALSE(isError(0x18, 0x20026, 0));
    CHECK_FALSE(isError(0x20, 0x20026, 0));
    CHECK(isError(0x20, 0x20026, 3));
    CHECK(isError(0x20, 0x20024, 0));
}

TEST_CASE("the clock counts hundredths of simulated seconds, and unknown operations are refused")
{
    Board board;
    CHECK(board.calls.serve(0x10, 0, 1'239ms) == 123);
    CHECK(board.calls.serve(0x01, 0, 0us) == refused);
}
