// SPDX-License-Identifier: Apache-2.0
//
// One lane without a channel: the test grants the bus and reports R/B#. With the round part of parts.h a read request
// takes 40 ns, an erase request 30 ns, a status read 20 ns, data out 5,120 ns; tR 1 us, tBERS 3 us.
#include "models/base/check.h"
#include "models/channel/die_lane.h"
#include "tests/domain/channel/lane_bench.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::channel;
using namespace strobe::channel::test;
using nand::Opcode;

namespace {

nand::Part suspendable()
{
    nand::Part part = roundPart();
    part.times.tESUSP = 100ns;
    part.times.tERSM = 50ns;
    part.maxSuspends = 4;
    return part;
}

struct Lane : LaneBench {
    explicit Lane(const JoinPolicy& j = {}, const nand::Part& p = roundPart())
        : LaneBench(p), join(j), lane(segments(), join, join.isPlain(), counters)
    {
    }
    nand::Operation& arrive(Time at, Opcode opcode, std::uint32_t block = 0)
    {
        nand::Operation& op = make(at, opcode, block);
        lane.push({&op, nullptr});
        lane.arrived(at);
        return op;
    }
    // When the lane's segment may start.
    Time next(Time now) const { return bus.nextOpportunity(now); }

    JoinPolicy join;
    DieLane lane;
};

JoinPolicy suspendsErases()
{
    JoinPolicy join;
    join.suspend = Suspend::Erase;
    join.suspendReads = 4;
    return join;
}

} // namespace

TEST_CASE("operations of a die follow each other: request, response, next request")
{
    Lane t;
    nand::Operation& first = t.arrive(5ns, Opcode::Erase);
    nand::Operation& second = t.arrive(6ns, Opcode::Erase);
    CHECK_FALSE(t.lane.isActive());
    CHECK(t.counters.queued() == 2);
    const auto request = t.lane.start(10ns);
    REQUIRE(request);
    CHECK(request->op == &first);
    CHECK(t.lane.isActive());
    CHECK(t.counters.queued() == 1);
    CHECK(t.chosen(100ns) == SegmentArbiter::none); // the second one waits for the die

    CHECK(t.lane.arrayFinished(3'040ns) == t.schedule.responsePossible(first, 3'040ns));
    const auto response = t.lane.start(3'040ns);
    REQUIRE(response);
    CHECK(response->phase == GrantPhase::Response);
    CHECK(t.lane.finish(3'060ns));
    CHECK(first.done == 3'060ns);
    CHECK_FALSE(t.lane.isActive());
    CHECK(t.chosen(3'060ns) == 0);
    CHECK(t.lane.start(3'060ns)->op == &second);
    CHECK(t.lane.usage().resource().usage().busy == 3'050ns);
    CHECK(t.counters.finishedOperations() == 1);
}

TEST_CASE("a lane accepts R/B# and an end only when they are due")
{
    Lane t;
    CHECK_THROWS_AS(t.lane.arrayFinished(10ns), InternalError);
    t.arrive(0ns, Opcode::Erase);
    t.lane.start(0ns);
    CHECK_THROWS_AS(t.lane.arrayFinished(29ns), InternalError); // before the request has ended
    CHECK_THROWS_AS(t.lane.finish(100ns), InternalError);
    t.lane.arrayFinished(3'030ns);
    CHECK_THROWS_AS(t.lane.arrayFinished(3'030ns), InternalError);
    CHECK_THROWS_AS(t.lane.finish(3'030ns), InternalError); // its response has not been granted
}

TEST_CASE("a read with another option begins with SET FEATURES, the next one with the same does not")
{
    Lane t;
    const auto serve = [&t](nand::Operation& op, Time now) {
        t.lane.start(now);
        t.lane.arrayFinished(op.requestEnd + 1us);
        t.lane.start(op.requestEnd + 1us);
        t.lane.finish(op.requestEnd + 7us);
    };
    for (const auto& [option, form] : {std::pair{0U, nand::Form::Alone}, std::pair{2U, nand::Form::References},
                                       std::pair{2U, nand::Form::Alone}, std::pair{0U, nand::Form::References}}) {
        nand::Operation& op = t.make(0ns, Opcode::Read);
        op.readOption = static_cast<std::uint8_t>(option);
        t.lane.push({&op, nullptr});
        t.lane.arrived(0ns);
        serve(op, t.bus.freeAt());
        CAPTURE(option);
        CHECK(op.form == form);
    }
}

TEST_CASE("a read suspends the erase of its die, is served, and the erase goes on")
{
    Lane t(suspendsErases(), suspendable());
    nand::Operation& erase = t.arrive(0ns, Opcode::Erase, 3);
    t.lane.start(0ns);
    t.lane.arrayFinished(3'030ns);
    nand::Operation& read = t.arrive(500ns, Opcode::Read, 4);
    CHECK(t.next(500ns) == 500ns);
    const auto suspend = t.lane.start(500ns);
    REQUIRE(suspend);
    CHECK(suspend->op == &erase);
    CHECK(erase.form == nand::Form::Suspend);
    CHECK(erase.requestStart == 0ns);
    CHECK(t.counters.suspensions() == 1);
    t.lane.arrayFinished(erase.requestEnd + 100ns);
    const Time reads = t.next(erase.requestEnd);
    CHECK(t.lane.start(reads)->op == &read);
    t.lane.arrayFinished(read.requestEnd + 1us);
    t.lane.start(read.requestEnd + 1us);
    const Time done = read.requestEnd + 7us;
    CHECK(t.lane.finish(done));
    CHECK(t.lane.isActive());
    CHECK(t.lane.start(done)->op == &erase);
    CHECK(erase.form == nand::Form::Resume);
    CHECK_FALSE(t.lane.isOpenToPlaneReads()); // of a part without such reads
}

TEST_CASE("a suspend command that comes too late starts nothing, and the response follows")
{
    Lane t(suspendsErases(), suspendable());
    nand::Operation& erase = t.arrive(0ns, Opcode::Erase, 3);
    t.lane.start(0ns);
    t.lane.arrayFinished(3'030ns);
    t.arrive(500ns, Opcode::Read, 4);
    CHECK_FALSE(t.lane.start(3'000ns)); // the bus was held until then
    CHECK(t.counters.suspensions() == 0);
    const Time possible = t.schedule.responsePossible(erase, 3'030ns);
    CHECK(t.next(3'000ns) == possible);
    const auto response = t.lane.start(possible);
    REQUIRE(response);
    CHECK(response->phase == GrantPhase::Response);
    CHECK(response->op == &erase);
}

TEST_CASE("a stepped operation waits for its owner after the array, and other operations wait for it")
{
    Lane t;
    nand::Operation& erase = t.make(0ns, Opcode::Erase);
    erase.isStepped = true;
    t.lane.push({&erase, nullptr});
    t.lane.arrived(0ns);
    t.lane.start(0ns);
    CHECK_FALSE(t.lane.isHeld());
    CHECK_THROWS_AS(t.lane.proceed(0ns), InternalError);
    t.lane.arrayFinished(3'030ns);
    CHECK(t.lane.isHeld());
    t.arrive(4'000ns, Opcode::Read);
    CHECK(t.chosen(9'000ns) == SegmentArbiter::none);
    t.lane.proceed(9'000ns);
    CHECK_FALSE(t.lane.isHeld());
    CHECK(t.next(0ns) == 9'000ns);
    const auto response = t.lane.start(9'000ns);
    REQUIRE(response);
    CHECK(response->op == &erase);
    CHECK(t.lane.finish(9'020ns));
    CHECK(t.chosen(9'020ns) == 0); // the read
}

TEST_CASE("a stepped copy-back waits after the array, after the spare record, and after the array again")
{
    for (const bool isPlain : {true, false}) {
        Lane t(isPlain ? JoinPolicy{} : suspendsErases(), suspendable());
        nand::Operation& copy = t.make(0ns, Opcode::CopyBack);
        copy.form = nand::Form::CopyOut;
        copy.isStepped = true;
        copy.status = nand::Status::Ok;
        t.lane.push({&copy, nullptr});
        t.lane.arrived(0ns);
        t.lane.start(0ns);
        t.lane.arrayFinished(2us);
        REQUIRE(t.lane.isHeld());
        t.lane.proceed(10us);
        REQUIRE(t.lane.start(10us)->phase == GrantPhase::Response); // the record
        CHECK_FALSE(t.lane.finish(11us));
        CHECK(copy.form == nand::Form::CopyIn);
        REQUIRE(t.lane.isHeld());
        CHECK(t.chosen(20us) == SegmentArbiter::none);
        t.lane.proceed(20us);
        REQUIRE(t.lane.start(20us)->phase == GrantPhase::Request);
        CHECK(copy.requestStart == 0ns);
        t.lane.arrayFinished(30us);
        REQUIRE(t.lane.isHeld());
        t.lane.proceed(40us);
        REQUIRE(t.lane.start(40us));
        CHECK(t.lane.finish(41us));
        CHECK_FALSE(t.lane.isActive());
    }
}
