// SPDX-License-Identifier: Apache-2.0
#include "models/channel/channel_bus.h"
#include "tests/domain/channel/parts.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::channel;
using namespace strobe::channel::test;
using nand::Opcode;

namespace {

struct Waits {
    void wait(std::uint32_t lane, Time possible)
    {
        bus.segments().addResponse(
            lane, {WaitingSegment::Phase::Response, SegmentClass::StatusResponse, possible, op, schedule});
    }

    BusSchedule schedule{roundTiming(), roundPart()};
    nand::Operation op = operation(Opcode::Erase);
    ChannelBus bus{2, makeBusPolicy(SegmentOrder::Fifo)};
};

} // namespace

TEST_CASE("the bus is not free while a segment holds it")
{
    Waits waits;
    waits.wait(0, 10ns);
    CHECK(waits.bus.nextOpportunity(0ns) == 10ns);
    CHECK(waits.bus.segments().choose(10ns) == 0);
    waits.bus.segments().withdraw(0);
    waits.bus.hold(0, 10ns, 20ns);
    CHECK_FALSE(waits.bus.isFree(29ns));
    CHECK(waits.bus.isFree(30ns));
    CHECK(waits.bus.freeAt() == 30ns);
    waits.wait(1, 15ns);
    CHECK(waits.bus.nextOpportunity(15ns) == 30ns);
}

TEST_CASE("a segment has waited since it was possible, and is one job of the bus")
{
    Waits waits;
    waits.wait(0, 10ns);
    waits.bus.hold(0, 14ns, 20ns);
    waits.wait(1, 20ns);
    waits.bus.hold(1, 34ns, 5ns);
    const ResourceUsage usage = waits.bus.resource().usage();
    CHECK(usage.busy == 25ns);
    CHECK(usage.waited == 4ns + 14ns);
    CHECK(usage.maxWaited == 14ns);
    CHECK(usage.jobs == 2);
}

TEST_CASE("after a reset the rest of what holds the bus counts, and no wait from before")
{
    Waits waits;
    waits.wait(0, 0ns);
    waits.bus.hold(0, 0ns, 20ns);
    waits.wait(1, 5ns);
    waits.bus.resetUsage(12ns);
    CHECK(waits.bus.resource().usage().busy == 8ns);
    waits.bus.hold(1, 20ns, 10ns);
    CHECK(waits.bus.resource().usage().busy == 18ns);
    CHECK(waits.bus.resource().usage().waited == 8ns); // from 12 to 20
}
