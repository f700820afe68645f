// SPDX-License-Identifier: Apache-2.0
//
// Policies on their own, and a policy defined here, which shows how to add one. Times of the round part are in
// parts.h.
#include "tests/domain/channel/bus_player.h"
#include "tests/domain/channel/parts.h"
#include "tests/support/catch.h"

#include <set>

using namespace strobe;
using namespace strobe::channel;
using namespace strobe::channel::test;
using nand::Opcode;
using Phase = WaitingSegment::Phase;

namespace {

const BusSchedule& roundSchedule()
{
    static const BusSchedule schedule(roundTiming(), roundPart());
    return schedule;
}

BusPolicy::Place placeOf(SegmentOrder order, SegmentClass kind, Time possible)
{
    const nand::Operation op = operation(Opcode::Read, 1);
    return makeBusPolicy(order)->place({Phase::Request, kind, possible, op, roundSchedule()});
}

// The segment that holds the bus for the shortest time goes first.
class ShortestFirst final : public BusPolicy {
public:
    Place place(const WaitingSegment& segment) override { return segment.busTime().count(); }
};

// Counts its calls: a policy may have state.
class Counting final : public BusPolicy {
public:
    explicit Counting(int& calls) : calls_(calls) {}
    Place place(const WaitingSegment&) override
    {
        ++calls_;
        return 0;
    }

private:
    int& calls_;
};

} // namespace

TEST_CASE("commands-first puts segments without data before segments with data, at any time")
{
    const auto place = [](SegmentClass kind, Time possible) {
        return placeOf(SegmentOrder::CommandsFirst, kind, possible);
    };
    CHECK(place(SegmentClass::CommandRequest, 5us) == place(SegmentClass::StatusResponse, 1us));
    CHECK(place(SegmentClass::DataRequest, 5us) == place(SegmentClass::DataResponse, 1us));
    CHECK(place(SegmentClass::CommandRequest, 5us) < place(SegmentClass::DataRequest, 1us));
}

TEST_CASE("responses-first puts responses before requests, at any time")
{
    const auto place = [](SegmentClass kind, Time possible) {
        return placeOf(SegmentOrder::ResponsesFirst, kind, possible);
    };
    CHECK(place(SegmentClass::CommandRequest, 5us) == place(SegmentClass::DataRequest, 1us));
    CHECK(place(SegmentClass::StatusResponse, 5us) == place(SegmentClass::DataResponse, 1us));
    CHECK(place(SegmentClass::DataResponse, 5us) < place(SegmentClass::CommandRequest, 1us));
}

TEST_CASE("fifo uses only the time at which a segment became possible")
{
    const auto place = [](SegmentClass kind, Time possible) { return placeOf(SegmentOrder::Fifo, kind, possible); };
    CHECK(place(SegmentClass::DataRequest, 1us) == place(SegmentClass::StatusResponse, 1us));
    CHECK(place(SegmentClass::DataRequest, 1us) < place(SegmentClass::StatusResponse, 1us + picoseconds(1)));
    CHECK(place(SegmentClass::DataRequest, Time::max()) == BusPolicy::maxPlace);
}

TEST_CASE("every row of the policy table makes a policy of its own, and names differ")
{
    std::set<std::string_view> names;
    for (const BusPolicyRow& row : segmentOrderTable) {
        CHECK(makeBusPolicy(row.value) != nullptr);
        CHECK(names.insert(row.name).second);
        CHECK_FALSE(row.help.empty());
    }
    CHECK(enumValue<SegmentOrder>("commands-first") == SegmentOrder::CommandsFirst);
    CHECK_FALSE(enumValue<SegmentOrder>("no-such-policy"));
}

TEST_CASE("the bus time that a policy sees is that of the schedule, for every phase")
{
    const BusSchedule& schedule = roundSchedule();
    const nand::Operation program = operation(Opcode::Program, 1);
    const nand::Operation read = operation(Opcode::Read, 1);
    const auto busTime = [&](Phase phase, const nand::Operation& op) {
        return WaitingSegment(phase, SegmentClass::CommandRequest, Time{}, op, schedule).busTime();
    };
    CHECK(busTime(Phase::Request, program) == 5160ns);
    CHECK(busTime(Phase::Request, read) == 40ns);
    CHECK(busTime(Phase::Response, read) == 5120ns);
    CHECK(busTime(Phase::Response, program) == 20ns);
    CHECK(busTime(Phase::Read, program) == 40ns);
    CHECK(busTime(Phase::Suspend, program) == 10ns);
    CHECK(busTime(Phase::Resume, program) == 10ns);
    CHECK(busTime(Phase::CacheEnd, read) == schedule.cacheEndTime());
    nand::Operation half = operation(Opcode::CopyBack);
    half.form = nand::Form::CopyIn;
    half.replaced = 1;
    CHECK(busTime(Phase::CopyIn, half) == schedule.copyInTime(half));
}

// The bus is busy with a program until 5.16 us. By then read data (5,120 ns), an erase (30 ns) and a program (5,160 ns)
// wait, in the reverse order of arrival. Of the two status reads that follow, die 3 has its turn before die 0.
TEST_CASE("a policy written in a test decides the order of the bus")
{
    BusPlayer player(roundSchedule(), 4, std::make_unique<ShortestFirst>());
    player.add(0, 0ns, operation(Opcode::Program, 1));
    player.add(1, 100ns, operation(Opcode::Program, 1));
    player.add(2, 200ns, operation(Opcode::Read, 1));
    player.add(3, 300ns, operation(Opcode::Erase));
    player.play();
    CHECK(player.phases() == std::vector<std::string>{"0 request 0-5160", "3 request 5160-5190", "2 request 5190-5230",
                                                      "1 request 5230-10390", "3 response 10390-10410",
                                                      "0 response 10410-10430", "2 response 10430-15550",
                                                      "1 response 15550-15570"});
}

TEST_CASE("a policy is called once for each segment, and may count")
{
    int calls = 0;
    BusPlayer player(roundSchedule(), 2, std::make_unique<Counting>(calls));
    player.add(0, 0ns, operation(Opcode::Read, 1));
    player.add(1, 0ns, operation(Opcode::Program, 1));
    player.play();
    CHECK(calls == 4); // two requests, two responses
}
