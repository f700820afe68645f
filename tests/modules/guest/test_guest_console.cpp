// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/guest_console.h"
#include "tests/support/catch.h"

#include <vector>

using namespace strobe;
using platform::guest::GuestConsole;

namespace {

struct Printed {
    std::vector<std::string> lines;
    std::vector<std::string> marks;
    GuestConsole console{[this](Time at, std::string_view line) {
                             lines.push_back(std::to_string(at.count()) + " " + std::string(line));
                         },
                         [this](Time at, std::string_view word, std::string_view argument) {
                             marks.push_back(std::to_string(at.count()) + " " + std::string(word) + "|" +
                                             std::string(argument));
                         }};
};

} // namespace

TEST_CASE("a line has the time of its end, whatever parts it comes in")
{
    Printed printed;
    printed.console.take("one\r\ntw", Time{1});
    printed.console.take("o\n\nthree", Time{2});
    printed.console.end(Time{3});
    printed.console.end(Time{4});
    CHECK(printed.lines == std::vector<std::string>{"1 one", "2 two", "2 ", "3 three"});
    CHECK(printed.marks.empty());
}

TEST_CASE("marks are not lines")
{
    Printed printed;
    printed.console.take("a\n\x1dstep cold read\n\x1d"
                         "end 0\nb \x1dstep\n",
                         Time{5});
    CHECK(printed.lines == std::vector<std::string>{"5 a", "5 b \x1dstep"});
    CHECK(printed.marks == std::vector<std::string>{"5 step|cold read", "5 end|0"});
}

TEST_CASE("a line without end is divided")
{
    Printed printed;
    printed.console.take(std::string(2 * GuestConsole::longestLine, 'x'), Time{1});
    CHECK(printed.lines.size() == 1);
    CHECK(printed.lines.front().size() == GuestConsole::longestLine + 2);
}
