// SPDX-License-Identifier: Apache-2.0
#include "models/base/activity_log.h"
#include "models/base/check.h"
#include "models/channel/split_bus.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::channel;
using namespace std::chrono_literals;

namespace {

LineUse dataBurst() // a command, SCE, data, SCT
{
    LineUse burst;
    burst.command = {{{0ns, 10ns}, {40ns, 50ns}, {100ns, 110ns}}};
    burst.commands = 3;
    burst.data = {50ns, 100ns};
    burst.duration = 110ns;
    return burst;
}

} // namespace

TEST_CASE("lines are granted when all that a segment takes is free, also behind what has begun")
{
    SplitBus bus;
    Resource data;
    const LineUse burst = dataBurst();
    LineUse command;
    command.command = {{{0ns, 30ns}}};
    command.commands = 1;
    command.duration = 30ns;
    bus.take(burst, 0ns, 0ns, data);
    CHECK(bus.earliest(command, 5ns) == 10ns);   // between the packets
    CHECK(bus.earliest(command, 11ns) == 50ns);  // it would meet SCE at 40
    CHECK(bus.earliest(command, 71ns) == 110ns); // and SCT at 100
    CHECK(bus.earliest(burst, 5ns) == 50ns);     // its data follows without a gap, at 100
    bus.take(command, 12ns, 50ns, data);
    CHECK(bus.earliest(burst, 5ns) == 80ns);
    bus.take(burst, 70ns, 80ns, data);
    CHECK(bus.commands().usage().jobs == 3);
    CHECK(bus.commands().usage().busy == 90ns);
    CHECK(bus.commands().usage().waited == 38ns); // of the command
    CHECK(data.usage().jobs == 2);
    CHECK(data.usage().busy == 100ns);
    CHECK(data.usage().waited == 10ns);
    bus.resetUsage(140ns, data); // the second burst: SCE is over, data from 130 to 180, SCT at 180
    CHECK(data.usage().busy == 40ns);
    CHECK(bus.commands().usage().busy == 10ns);
    CHECK_THROWS_AS(bus.take(command, 140ns, 175ns, data), InternalError);
}

TEST_CASE("figures reset while the next data is already granted count what is left of both")
{
    SplitBus bus;
    Resource data;
    const LineUse burst = dataBurst();
    bus.take(burst, 0ns, 0ns, data);
    bus.take(burst, 0ns, 50ns, data); // data from 100 to 150; SCE at 90, SCT at 150
    bus.resetUsage(70ns, data);       // 30 ns of the first data are left
    CHECK(data.usage().busy == 80ns);
    CHECK(bus.commands().usage().busy == 30ns); // both SCT, and one SCE
}

TEST_CASE("the activity of command lines has each stretch of a segment, the first with its wait")
{
    SplitBus bus;
    Resource data;
    ActivityLog log(0ns, 1us, 10);
    bus.commands().watch(log, log.lane({"command lines 0", ResourceGroup::CommandLines, 0}));
    LineUse twice;
    twice.command = {{{0ns, 10ns}, {40ns, 50ns}}};
    twice.commands = 2;
    twice.duration = 50ns;
    bus.take(twice, 15ns, 20ns, data);
    REQUIRE(log.activities().size() == 2);
    CHECK(log.activities()[0].arrived == 15ns);
    CHECK(log.activities()[0].start == 20ns);
    CHECK(log.activities()[0].end == 30ns);
    CHECK(log.activities()[1].arrived == 60ns);
    CHECK(log.activities()[1].start == 60ns);
    CHECK(log.activities()[1].end == 70ns);
    CHECK(bus.commands().usage().jobs == 1);
    CHECK(bus.commands().usage().busy == 20ns);
}
