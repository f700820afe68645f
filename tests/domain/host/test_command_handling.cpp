// SPDX-License-Identifier: Apache-2.0
#include "models/host/command_handling.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::host;
using namespace std::chrono_literals;

TEST_CASE("a command is handled from when its event was taken until it is completed, once")
{
    CommandHandling handling(4);
    CHECK_FALSE(handling.isOpen(1));
    handling.taken(1, 10us);
    handling.taken(3, 12us);
    CHECK(handling.completed({3}, 15us));
    handling.locate(0x40);
    CHECK(handling.completed({1}, 20us));
    CHECK(handling.times().handling.times == 2);
    CHECK(handling.times().handling.took == 3us + 10us);
    CHECK(handling.times().handling.longestFrom == 10us);
    CHECK(handling.times().longestOf.slot == 1);
    CHECK_FALSE(handling.times().handling.pc.has_value()); // that of another command
    CHECK_FALSE(handling.isOpen(1));
    CHECK_FALSE(handling.isOpen(9)); // no slot

    handling.taken(2, 30us);
    handling.reset();
    CHECK(handling.times().handling.times == 0);
    CHECK(handling.completed({2}, 34us));
    CHECK(handling.times().handling.longest == 4us);
}

TEST_CASE("the command of the longest handling comes from the part that has it")
{
    HandlingTimes sum{{1, 5us, 5us, 1us, {}}, {1}};
    CHECK_FALSE(sum.merge({{1, 4us, 4us, 9us, {}}, {2}}));
    CHECK(sum.longestOf.slot == 1);
    CHECK(sum.merge({{1, 6us, 6us, 9us, {}}, {3}}));
    CHECK(sum.longestOf.slot == 3);
}
