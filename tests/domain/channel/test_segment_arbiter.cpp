// SPDX-License-Identifier: Apache-2.0
#include "models/base/check.h"
#include "models/base/rng.h"
#include "models/channel/segment_arbiter.h"
#include "tests/domain/channel/parts.h"
#include "tests/support/catch.h"

#include <array>
#include <optional>
#include <vector>

using namespace strobe;
using namespace strobe::channel;
using namespace strobe::channel::test;
using nand::Opcode;

namespace {

const BusSchedule& roundSchedule()
{
    static const BusSchedule schedule(roundTiming(), roundPart());
    return schedule;
}

struct Arbiter : SegmentArbiter {
    explicit Arbiter(std::uint32_t dies, SegmentOrder order = SegmentOrder::CommandsFirst)
        : SegmentArbiter(dies, makeBusPolicy(order))
    {
        foreground.priority = nand::Priority::Foreground;
    }
    WaitingSegment command(Time possible) const
    {
        return {WaitingSegment::Phase::Request, SegmentClass::CommandRequest, possible, background, roundSchedule()};
    }
    WaitingSegment data(Time possible) const
    {
        return {WaitingSegment::Phase::Response, SegmentClass::DataResponse, possible, background, roundSchedule()};
    }
    WaitingSegment foregroundData(Time possible) const
    {
        return {WaitingSegment::Phase::Response, SegmentClass::DataResponse, possible, foreground, roundSchedule()};
    }
    std::uint32_t serve(Time now)
    {
        const std::uint32_t die = choose(now);
        if (die != none) {
            withdraw(die);
            served(die);
        }
        return die;
    }

    nand::Operation background = operation(Opcode::Read, 1);
    nand::Operation foreground = operation(Opcode::Read, 1);
};

} // namespace

TEST_CASE("an arbiter without segments chooses nothing, now or ever")
{
    Arbiter arbiter(4);
    CHECK(arbiter.choose(0ns) == SegmentArbiter::none);
    CHECK(arbiter.chooseSilent(0ns) == SegmentArbiter::none);
    CHECK(arbiter.nextOpportunity(0ns, 0ns) == never);
}

TEST_CASE("a segment is chosen from the instant on at which it is possible, not one tick earlier")
{
    Arbiter arbiter(2);
    arbiter.addResponse(1, arbiter.data(100ns));
    CHECK(arbiter.nextOpportunity(0ns, 0ns) == 100ns);
    CHECK(arbiter.choose(100ns - picoseconds(1)) == SegmentArbiter::none);
    CHECK(arbiter.choose(100ns) == 1);
}

TEST_CASE("the next opportunity is not before the bus is free, but a silent response does not wait for it")
{
    Arbiter arbiter(2);
    arbiter.addRequest(0, arbiter.command(0ns));
    CHECK(arbiter.nextOpportunity(10ns, 50ns) == 50ns);
    arbiter.addSilent(1, arbiter.data(20ns));
    CHECK(arbiter.nextOpportunity(10ns, 50ns) == 20ns);
    CHECK(arbiter.chooseSilent(20ns - picoseconds(1)) == SegmentArbiter::none);
    CHECK(arbiter.chooseSilent(20ns) == 1);
}

TEST_CASE("the arbiter prefers foreground, then the place of the policy, then the die after the one served last")
{
    Arbiter arbiter(4);
    arbiter.addRequest(0, arbiter.command(0ns));
    arbiter.addRequest(1, arbiter.command(0ns));
    arbiter.addResponse(2, arbiter.data(0ns));
    arbiter.addResponse(3, arbiter.foregroundData(0ns));
    CHECK(arbiter.serve(0ns) == 3);
    CHECK(arbiter.serve(0ns) == 0);
    arbiter.addRequest(0, arbiter.command(0ns));
    CHECK(arbiter.serve(0ns) == 1);
    CHECK(arbiter.serve(0ns) == 0);
    CHECK(arbiter.serve(0ns) == 2);
    CHECK(arbiter.serve(0ns) == SegmentArbiter::none);
}

TEST_CASE("a segment replaces the one before, also when it becomes possible later")
{
    Arbiter arbiter(2);
    arbiter.addResponse(0, arbiter.data(10ns));
    arbiter.addResponse(0, arbiter.data(30ns));
    CHECK(arbiter.nextOpportunity(0ns, 0ns) == 30ns);
    CHECK(arbiter.choose(10ns) == SegmentArbiter::none);
    CHECK(arbiter.choose(30ns) == 0);
    arbiter.addSilent(1, arbiter.data(10ns));
    arbiter.addResponse(1, arbiter.data(40ns));
    CHECK(arbiter.chooseSilent(1us) == SegmentArbiter::none);
    arbiter.withdraw(0);
    CHECK(arbiter.choose(40ns) == 1);
    CHECK(arbiter.hasResponse(1));
    CHECK_FALSE(arbiter.hasResponse(0));
}

// The same rules written down again, over all dies at every call.
TEST_CASE("the arbiter chooses as a plain search over all dies does, for random segments")
{
    constexpr std::uint32_t dies = 7;
    const SegmentOrder order = GENERATE(SegmentOrder::CommandsFirst, SegmentOrder::ResponsesFirst, SegmentOrder::Fifo);
    Arbiter arbiter(dies, order);
    const auto policy = makeBusPolicy(order);
    struct Waiting {
        Time possible;
        std::int64_t place;
    };
    std::array<std::optional<Waiting>, dies> waiting;
    std::uint32_t first = 0;
    Rng rng(1, "arbiter");
    std::uint32_t served = 0;
    for (Time now{}; now < 20us; now += 1ns) {
        const auto die = static_cast<std::uint32_t>(rng.below(dies));
        if (!waiting[die]) {
            const bool isRequest = rng.chance(0.5);
            const WaitingSegment segment =
                isRequest ? arbiter.command(now)
                          : arbiter.data(now + picoseconds(1000 * static_cast<std::int64_t>(rng.below(20))));
            waiting[die] = Waiting{segment.possible(), policy->place(segment)};
            isRequest ? arbiter.addRequest(die, segment) : arbiter.addResponse(die, segment);
        }
        if (!rng.chance(0.3))
            continue;
        std::uint32_t expected = SegmentArbiter::none;
        for (std::uint32_t i = 0; i < dies; ++i) {
            const std::uint32_t candidate = (first + i) % dies;
            const bool isBetter =
                waiting[candidate] && waiting[candidate]->possible <= now &&
                (expected == SegmentArbiter::none || waiting[candidate]->place < waiting[expected]->place);
            expected = isBetter ? candidate : expected;
        }
        REQUIRE(arbiter.serve(now) == expected);
        if (expected != SegmentArbiter::none) {
            waiting[expected].reset();
            first = (expected + 1) % dies;
            ++served;
        }
    }
    CHECK(served > 1000);
}

TEST_CASE("an arbiter needs a policy and serves 1 to 64 dies")
{
    CHECK_THROWS_AS(SegmentArbiter(1, nullptr), InternalError);
    CHECK_THROWS_AS(Arbiter(0), InternalError);
    CHECK_THROWS_AS(Arbiter(65), InternalError);
    CHECK_NOTHROW(Arbiter(64));
}
