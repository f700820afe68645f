// SPDX-License-Identifier: Apache-2.0
#include "models/base/check.h"
#include "models/channel/chip_states.h"
#include "tests/domain/channel/parts.h"
#include "tests/support/catch.h"

#include <set>

using namespace strobe;
using namespace strobe::channel;
using namespace strobe::channel::test;
using nand::Opcode;
using S = ChipState;

namespace {

// As a channel stamps it on an idle bus, beginning at 100 ns.
nand::Operation carriedOut(const BusSchedule& schedule, Opcode opcode)
{
    nand::Operation op = operation(opcode, opcode == Opcode::Read || opcode == Opcode::Program ? 1 : 0);
    op.status = nand::Status::Ok;
    op.requestStart = 100ns;
    op.requestEnd = op.requestStart + schedule.requestTime(op);
    op.ready = op.requestEnd + schedule.arrayTime(op);
    op.done = schedule.responsePossible(op, op.ready) + schedule.responseTime(op);
    return op;
}

struct Expected {
    S state;
    Time length;
    bool onBus;
};

void compare(const std::vector<ChipSpan>& spans, const std::vector<Expected>& expected)
{
    REQUIRE(spans.size() == expected.size());
    Time at = 100ns;
    for (std::size_t i = 0; i < spans.size(); ++i) {
        INFO("span " << i);
        CHECK(spans[i].state == expected[i].state);
        CHECK(spans[i].start == at);
        CHECK(spans[i].end - spans[i].start == expected[i].length);
        CHECK(spans[i].onBus == expected[i].onBus);
        at = spans[i].end;
    }
}

InterfaceTiming withoutStatus()
{
    InterfaceTiming timing = roundTiming();
    timing.statusAfterArray = false;
    return timing;
}

} // namespace

// The round part: cycles of 10 ns, one column and one row cycle, pages of 512 bytes, tR 1 us, tPROG 2 us, tBERS 3 us.

TEST_CASE("a page read goes through the states of Fig. 6a")
{
    const BusSchedule schedule(roundTiming(), roundPart());
    compare(chipStates(schedule, carriedOut(schedule, Opcode::Read)), {{S::Cmd1Ready, 10ns, true},
                                                                       {S::AddrReady, 30ns, true},
                                                                       {S::Operating, 1us, false},
                                                                       {S::DataOut, 5120ns, true}});
}

TEST_CASE("a page whose data waits for the bus is cmd2 ready meanwhile")
{
    const BusSchedule schedule(roundTiming(), roundPart());
    nand::Operation op = carriedOut(schedule, Opcode::Read);
    op.done += 700ns;
    const auto spans = chipStates(schedule, op);
    REQUIRE(spans.size() == 5);
    CHECK(spans[3].state == S::Cmd2Ready);
    CHECK(spans[3].end - spans[3].start == 700ns);
    CHECK_FALSE(spans[3].onBus);
    CHECK(spans[4].state == S::DataOut);
}

TEST_CASE("a page program goes through the states of Fig. 6b")
{
    const BusSchedule schedule(withoutStatus(), roundPart());
    compare(chipStates(schedule, carriedOut(schedule, Opcode::Program)), {{S::Cmd1Ready, 10ns, true},
                                                                          {S::AddrReady, 20ns, true},
                                                                          {S::DataReady, 5120ns, true},
                                                                          {S::Cmd2Ready, 10ns, true},
                                                                          {S::Operating, 2us, false}});
}

TEST_CASE("an erase and a copy-back have machines too, and a status is read in cmd1 ready")
{
    const BusSchedule schedule(roundTiming(), roundPart());
    compare(chipStates(schedule, carriedOut(schedule, Opcode::Erase)), {{S::Cmd1Ready, 10ns, true},
                                                                        {S::AddrReady, 10ns, true},
                                                                        {S::Cmd2Ready, 10ns, true},
                                                                        {S::Operating, 3us, false},
                                                                        {S::Cmd1Ready, 20ns, true}});
    compare(chipStates(schedule, carriedOut(schedule, Opcode::CopyBack)), {{S::Cmd1Ready, 10ns, true},
                                                                           {S::AddrReady, 20ns, true},
                                                                           {S::Cmd2Ready, 10ns, true},
                                                                           {S::AddrReady, 30ns, true},
                                                                           {S::Cmd2Ready, 10ns, true},
                                                                           {S::Operating, 3us, false},
                                                                           {S::Cmd1Ready, 20ns, true}});
}

TEST_CASE("the states of an operation are all of its time, on every interface")
{
    for (const nand::Part& part : parts()) {
        for (const auto& kind : interfaceKindTable) {
            const BusSchedule schedule(resolveTiming(kind.value, table2, {}), part);
            for (const Opcode opcode : {Opcode::Read, Opcode::Program, Opcode::Erase, Opcode::CopyBack}) {
                const nand::Operation op = carriedOut(schedule, opcode);
                Time sum{};
                Time bus{};
                for (const ChipSpan& span : chipStates(schedule, op)) {
                    sum += span.end - span.start;
                    bus += span.onBus ? span.end - span.start : Time{};
                }
                CHECK(sum == op.done - op.requestStart);
                CHECK(bus == schedule.requestTime(op) + schedule.responseTime(op));
            }
        }
    }
}

TEST_CASE("each machine begins and ends in cmd1 ready, has no dead end and one transition for each event")
{
    std::set<std::tuple<Opcode, S, ChipEvent>> seen;
    std::set<std::pair<Opcode, S>> entered;
    std::set<std::pair<Opcode, S>> left;
    for (const ChipTransition& row : chipTransitions()) {
        CHECK(seen.insert({row.opcode, row.from, row.on}).second);
        entered.insert({row.opcode, row.to});
        left.insert({row.opcode, row.from});
        CHECK(nextChipState(row.opcode, row.from, row.on) == row.to);
    }
    CHECK(entered == left);
    CHECK_FALSE(nextChipState(Opcode::Read, S::Cmd1Ready, ChipEvent::Ready));
    CHECK_FALSE(nextChipState(Opcode::Erase, S::AddrReady, ChipEvent::Filled));
}

TEST_CASE("refused operations, and forms of several pages, have no states")
{
    const BusSchedule schedule(roundTiming(), roundPart());
    nand::Operation refused = carriedOut(schedule, Opcode::Read);
    refused.status = nand::Status::Illegal;
    CHECK(chipStates(schedule, refused).empty());
    nand::Operation plane = carriedOut(schedule, Opcode::Read);
    plane.form = nand::Form::Plane;
    CHECK(chipStates(schedule, plane).empty());
    CHECK(chipStates(schedule, operation(Opcode::Reset)).empty());
}
