// SPDX-License-Identifier: Apache-2.0
//
// Reads of the planes of one die without a channel: the test grants the bus and reports R/B#. Lane 0 is the die, lanes
// 1 and 2 are its planes; blocks with an even number are of the first plane.
#include "models/base/check.h"
#include "models/channel/plane_reader.h"
#include "tests/domain/channel/lane_bench.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::channel;
using namespace strobe::channel::test;
using nand::Opcode;

namespace {

nand::Part twoPlanes()
{
    nand::Part part = roundPart();
    part.geometry.planes = 2;
    part.planeIndependentReads = true;
    return part;
}

struct Die : LaneBench {
    Die()
        : LaneBench(twoPlanes()), lane(segments(), join, false, counters),
          planes(lane, {segments(1), segments(2)}, counters)
    {
    }
    nand::Operation& arrive(Time at, Opcode opcode, std::uint32_t block)
    {
        nand::Operation& op = make(at, opcode, block);
        lane.push({&op, nullptr});
        if (lane.isOpenToPlaneReads())
            planes.offer();
        return op;
    }
    bool waits(std::uint32_t of) const { return bus.segments().hasRequest(of) || bus.segments().hasResponse(of); }

    JoinPolicy join;
    DieLane lane;
    PlaneReader planes;
};

} // namespace

TEST_CASE("each idle plane offers the first of its reads")
{
    Die die;
    nand::Operation& a = die.arrive(0ns, Opcode::Read, 4);
    die.arrive(0ns, Opcode::Read, 6); // of the same plane
    CHECK(die.waits(1));
    CHECK_FALSE(die.waits(2));
    nand::Operation& b = die.arrive(0ns, Opcode::Read, 5);
    CHECK(die.waits(2));
    CHECK_FALSE(die.waits(0));
    const BusGrant first = die.planes.start(0, 0ns);
    CHECK(first.op == &a);
    CHECK(first.lane == 1);
    CHECK(a.form == nand::Form::PlaneRead);
    CHECK(die.planes.start(1, a.requestEnd).op == &b);
    CHECK(die.counters.queued() == 1);
    CHECK_FALSE(die.waits(1)); // until it has ended
}

TEST_CASE("a plane sends its data and takes its next read")
{
    Die die;
    nand::Operation& a = die.arrive(0ns, Opcode::Read, 4);
    nand::Operation& b = die.arrive(0ns, Opcode::Read, 6);
    die.planes.start(0, 0ns);
    die.planes.arrayFinished(0, a.requestEnd + 1us);
    CHECK(die.waits(1));
    const Time start = a.requestEnd + 2us;
    const BusGrant response = die.planes.start(0, start);
    CHECK(response.phase == GrantPhase::Response);
    const Time end = start + response.busTime;
    die.planes.finish(0, end);
    CHECK(a.done == end);
    CHECK(die.counters.finishedOperations() == 1);
    CHECK(die.planes.start(0, end).op == &b);
    CHECK(die.lane.usage().resource().usage().busy == end); // from 0
}

TEST_CASE("an operation of the whole die waits for the reads of its planes")
{
    Die die;
    nand::Operation& read = die.arrive(0ns, Opcode::Read, 4);
    die.planes.start(0, 0ns);
    nand::Operation& erase = die.arrive(10ns, Opcode::Erase, 5);
    CHECK_FALSE(die.waits(0));
    CHECK_FALSE(die.waits(2));
    die.planes.arrayFinished(0, read.requestEnd + 1us);
    die.planes.start(0, 2us);
    die.planes.finish(0, 8us);
    CHECK(die.waits(0));
    CHECK(die.lane.start(8us)->op == &erase);
    CHECK_FALSE(die.lane.isOpenToPlaneReads());
    die.arrive(9us, Opcode::Read, 4);
    CHECK_FALSE(die.waits(1)); // while the die erases
    die.lane.arrayFinished(11us + 30ns);
    die.lane.start(12us);
    die.lane.finish(12us + 20ns);
    die.planes.dieIsFree(12us + 20ns);
    CHECK(die.waits(1));
}

TEST_CASE("a plane accepts R/B# and an end only when they are due")
{
    Die die;
    CHECK_THROWS_AS(die.planes.arrayFinished(0, 1us), InternalError);
    CHECK_THROWS_AS(die.planes.finish(0, 1us), InternalError);
    CHECK_THROWS_AS(die.planes.start(0, 0ns), InternalError);
    nand::Operation& a = die.arrive(0ns, Opcode::Read, 4);
    die.planes.start(0, 0ns);
    CHECK_THROWS_AS(die.planes.arrayFinished(0, a.requestEnd - 1ns), InternalError);
    die.planes.arrayFinished(0, a.requestEnd + 1us);
    CHECK_THROWS_AS(die.planes.finish(0, 3us), InternalError); // its response has not been granted
}
