// SPDX-License-Identifier: Apache-2.0
#include "models/host/command_pickup.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::host;
using namespace std::chrono_literals;

TEST_CASE("a batch of events takes the commands in it, not those after it")
{
    CommandPickup pickup;
    CommandHandling handling(4);
    pickup.announced(4, {1}, 10us); // events 3 and 5 are no commands
    pickup.announced(6, {2}, 12us);
    pickup.announced(7, {3}, 13us);
    CHECK_FALSE(pickup.taken(4, 20us, handling));
    CHECK(pickup.taken(7, 30us, handling));
    CHECK((handling.isOpen(1) && handling.isOpen(2)));
    CHECK_FALSE(handling.isOpen(3));
    pickup.locate(0x40);
    CHECK(pickup.times().pickup.times == 2);
    CHECK(pickup.times().pickup.took == 20us + 18us);
    CHECK(pickup.times().longestOf.slot == 1);
    CHECK_FALSE(pickup.taken(8, 31us, handling));
    CHECK(pickup.times().pickup.times == 3);
    CHECK(pickup.times().pickup.pc == 0x40u);
}

TEST_CASE("counts of events wrap")
{
    CommandPickup pickup;
    CommandHandling handling(4);
    pickup.announced(0xFFFFFFFF, {1}, 10us);
    pickup.announced(0, {2}, 11us);
    CHECK(pickup.taken(0, 12us, handling));
    CHECK(pickup.times().pickup.times == 1);
    pickup.taken(1, 12us, handling);
    CHECK(pickup.times().pickup.times == 2);
}

TEST_CASE(
    "when firmware sets up a ring anew, commands in the old one are not counted, but those that found it full are")
{
    CommandPickup pickup;
    CommandHandling handling(4);
    pickup.announced(5, {1}, 10us);
    pickup.announced(7, {2}, 11us);
    pickup.restart(6);
    CHECK_FALSE(pickup.taken(1, 12us, handling));
    CHECK(pickup.times().pickup.times == 0);
    CHECK(pickup.taken(2, 14us, handling));
    CHECK(pickup.times().pickup.times == 1);
    CHECK(pickup.times().pickup.longest == 3us);
    CHECK(pickup.times().longestOf.slot == 2);
}

TEST_CASE("the command of the longest wait comes from the part that has it")
{
    CommandTimes sum{{1, 5us, 5us, 1us, {}}, {1}};
    CHECK_FALSE(sum.merge({{1, 4us, 4us, 9us, {}}, {2}}));
    CHECK(sum.longestOf.slot == 1);
    CHECK(sum.merge({{1, 6us, 6us, 9us, {}}, {3}}));
    CHECK(sum.longestOf.slot == 3);
}
