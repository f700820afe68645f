// SPDX-License-Identifier: Apache-2.0
//
// With the round part of parts.h a read request takes 40 ns, data out 5,120 ns, a status read 20 ns.
#include "models/channel/lane_segments.h"
#include "tests/domain/channel/lane_bench.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::channel;
using namespace strobe::channel::test;
using nand::Opcode;
using Phase = LaneSegments::Phase;

namespace {

// Remembers what the segments looked like.
class Recorder final : public BusPolicy {
public:
    explicit Recorder(std::vector<std::pair<SegmentClass, Time>>& seen) : seen_(seen) {}
    Place place(const WaitingSegment& segment) override
    {
        seen_.emplace_back(segment.kind(), segment.busTime());
        return 0;
    }

private:
    std::vector<std::pair<SegmentClass, Time>>& seen_;
};

} // namespace

TEST_CASE("a lane offers its segment with class and bus time")
{
    LaneBench bench;
    std::vector<std::pair<SegmentClass, Time>> seen;
    ChannelBus bus(1, std::make_unique<Recorder>(seen));
    LaneSegments segments(bus, bench.schedule, 0, 0);
    const nand::Operation read = operation(Opcode::Read, 1);
    const nand::Operation program = operation(Opcode::Program, 1);
    nand::Operation suspend = operation(Opcode::Erase);
    suspend.form = nand::Form::Suspend;
    segments.offerRequest(read, 0ns);
    segments.offerRequest(program, 0ns);
    segments.offerResponse(read, 0ns);
    segments.offerResponse(program, 0ns);
    segments.offer(Phase::CacheEnd, read, 0ns);
    segments.offer(Phase::Suspend, suspend, 0ns);
    segments.offerSecond(Phase::Request, program, true, 0ns);
    segments.offerSecond(Phase::Request, read, false, 0ns);
    CHECK(seen[0] == std::pair{SegmentClass::CommandRequest, bench.schedule.requestTime(read)});
    CHECK(seen[1] == std::pair{SegmentClass::DataRequest, bench.schedule.requestTime(program)});
    CHECK(seen[2] == std::pair{SegmentClass::DataResponse, bench.schedule.responseTime(read)});
    CHECK(seen[3] == std::pair{SegmentClass::StatusResponse, bench.schedule.responseTime(program)});
    CHECK(seen[4] == std::pair{SegmentClass::DataResponse, bench.schedule.cacheEndTime()});
    CHECK(seen[5].first == SegmentClass::CommandRequest);
    CHECK(seen[6] == std::pair{SegmentClass::DataRequest, bench.schedule.requestTime(program)});
    CHECK(seen[7] == std::pair{SegmentClass::CommandRequest, bench.schedule.requestTime(read)});
}

TEST_CASE("a request stamps its operation and holds the bus")
{
    LaneBench bench;
    LaneSegments segments = bench.segments(2);
    nand::Operation& op = bench.make(0ns, Opcode::Read);
    int owner = 0;
    segments.offerRequest(op, 0ns);
    CHECK(segments.hasRequest());
    CHECK_FALSE(segments.hasResponse());
    segments.withdraw();
    CHECK_FALSE(segments.hasRequest());
    const BusGrant grant = segments.request({&op, &owner}, 10ns);
    CHECK(op.requestStart == 10ns);
    CHECK(op.requestEnd == 50ns);
    CHECK(bench.bus.freeAt() == 50ns);
    CHECK(grant.op == &op);
    CHECK(grant.owner == &owner);
    CHECK(grant.phase == GrantPhase::Request);
    CHECK(grant.busTime == 40ns);
    CHECK(grant.die == 0);
    CHECK(grant.lane == 2);
}

TEST_CASE("a response without bus time is silent and does not hold the bus")
{
    LaneBench bench;
    LaneSegments segments = bench.segments();
    nand::Operation& reset = bench.make(0ns, Opcode::Reset);
    REQUIRE(bench.schedule.responseTime(reset) == Time{});
    segments.offerResponse(reset, 5ns);
    CHECK(segments.hasResponse());
    CHECK(bench.chosen(5ns) == SegmentArbiter::none);
    CHECK(bench.bus.segments().chooseSilent(5ns) == 0);
    const BusGrant grant = segments.response({&reset, nullptr}, 5ns);
    CHECK(grant.busTime == Time{});
    CHECK(bench.bus.freeAt() == Time{});
    CHECK(bench.bus.resource().usage().jobs == 0);

    nand::Operation& erase = bench.make(0ns, Opcode::Erase);
    segments.withdraw();
    segments.offerResponse(erase, 5ns);
    CHECK(bench.chosen(5ns) == 0);
    CHECK(segments.response({&erase, nullptr}, 5ns).busTime == 20ns);
    CHECK(bench.bus.freeAt() == 25ns);
}

TEST_CASE("further requests, suspend and resume keep the start of the first request")
{
    LaneBench bench;
    LaneSegments segments = bench.segments();
    nand::Operation& op = bench.make(0ns, Opcode::Erase);
    segments.offerRequest(op, 0ns);
    segments.request({&op, nullptr}, 10ns);

    segments.offer(Phase::Suspend, op, 50ns);
    const BusGrant cut = segments.cut({&op, nullptr}, nand::Form::Suspend, 50ns);
    CHECK(op.form == nand::Form::Suspend);
    CHECK(op.requestStart == 10ns);
    CHECK(op.requestEnd == 50ns + cut.busTime);

    op.form = nand::Form::Alone;
    CHECK_FALSE(segments.isSecond());
    segments.offerSecond(Phase::Request, op, false, 500ns);
    CHECK(segments.isSecond());
    const BusGrant second = segments.second({&op, nullptr}, 500ns);
    CHECK_FALSE(segments.isSecond());
    CHECK(second.busTime == 30ns);
    CHECK(op.requestStart == 10ns);
    CHECK(op.requestEnd == 530ns);

    op.form = nand::Form::CopyIn;
    op.opcode = Opcode::CopyBack;
    segments.offerSecond(Phase::CopyIn, op, false, 600ns);
    CHECK(segments.second({&op, nullptr}, 600ns).busTime == bench.schedule.copyInTime(op));
}
