// SPDX-License-Identifier: Apache-2.0
//
// Timelines are computed by hand with the round part of parts.h: read request 40 ns, program request 5,160 ns, data out
// 5,120 ns, erase request 30 ns, status read 20 ns; tR 1 us, tPROG 2 us, tBERS 3 us.
#include "models/base/check.h"
#include "models/base/rng.h"
#include "tests/domain/channel/bus_player.h"
#include "tests/domain/channel/parts.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::channel;
using namespace strobe::channel::test;
using nand::Opcode;
using Phases = std::vector<std::string>;

namespace {

const BusSchedule& roundSchedule()
{
    static const BusSchedule schedule(roundTiming(), roundPart());
    return schedule;
}
nand::Operation read()
{
    return operation(Opcode::Read, 1);
}
nand::Operation program()
{
    return operation(Opcode::Program, 1);
}
nand::Operation erase()
{
    return operation(Opcode::Erase);
}
nand::Operation foreground(nand::Operation op)
{
    op.priority = nand::Priority::Foreground;
    return op;
}

const std::vector<SegmentOrder> allOrders{SegmentOrder::CommandsFirst, SegmentOrder::ResponsesFirst,
                                          SegmentOrder::Fifo};

} // namespace

TEST_CASE("an operation alone on a channel takes exactly the sum of its segments")
{
    for (const nand::Part& part : parts()) {
        for (const auto& kind : interfaceKindTable) {
            InterfaceTiming timing = resolveTiming(kind.value, table2, {});
            timing.tCS = 35ns;
            timing.tADL = 100ns;
            timing.tWB = 90ns;
            timing.tRR = 20ns;
            timing.tWHR = 60ns;
            timing.statusPollDelay = 400ns;
            timing.statusAfterArray = kind.value != InterfaceKind::SyncOnly;
            const BusSchedule schedule(timing, part);
            for (const auto& opcode : nand::opcodeTable) {
                BusPlayer player(schedule, 4, SegmentOrder::CommandsFirst);
                auto& op = player.add(2, 7ns, operation(opcode.value, part.geometry.sectorsPerPage()));
                player.play();
                Time latency{};
                for (const Segment& segment : schedule.segments(op))
                    latency += segment.duration;
                INFO(part.name << " " << kind.name << " " << opcode.name);
                CHECK(op.submitted == 7ns);
                CHECK(op.requestStart == 7ns);
                CHECK(op.done - op.submitted == latency);
                CHECK(player.interface.bus().usage().busy == schedule.requestTime(op) + schedule.responseTime(op));
                CHECK(player.interface.die(2).usage().busy == latency);
            }
        }
    }
}

TEST_CASE("two reads on one die follow each other, on two dies they share the array time")
{
    BusPlayer one(roundSchedule(), 1, SegmentOrder::CommandsFirst);
    one.add(0, 0ns, read());
    one.add(0, 0ns, read());
    one.play();
    CHECK(one.phases() ==
          Phases{"0 request 0-40", "0 response 1040-6160", "0 request 6160-6200", "0 response 7200-12320"});

    BusPlayer two(roundSchedule(), 2, SegmentOrder::CommandsFirst);
    two.add(0, 0ns, read());
    two.add(1, 0ns, read());
    two.play();
    CHECK(two.phases() == Phases{"0 request 0-40", "1 request 40-80", "0 response 1040-6160", "1 response 6160-11280"});
    CHECK(two.operations[1].ready == 1080ns);
    CHECK(two.operations[1].done == 11280ns);
}

TEST_CASE("reads that interleave two ways hide tR during the other way's data")
{
    BusPlayer player(roundSchedule(), 2, SegmentOrder::CommandsFirst);
    for (int i = 0; i < 2; ++i) {
        player.add(0, 0ns, read());
        player.add(1, 0ns, read());
    }
    player.play();
    // Die 0's second command goes before die 1's data; its tR is over long before that data has passed.
    CHECK(player.phases() == Phases{"0 request 0-40", "1 request 40-80", "0 response 1040-6160", "0 request 6160-6200",
                                    "1 response 6200-11320", "1 request 11320-11360", "0 response 11360-16480",
                                    "1 response 16480-21600"});
}

// Three kinds of work wait when the bus comes free at 5.2 us: a program (possible since 0.5), read data (since 1.04)
// and an erase command (since 1.5).
TEST_CASE("the three orders differ as computed by hand")
{
    const auto playedIn = [](SegmentOrder order) {
        BusPlayer player(roundSchedule(), 4, order);
        player.add(0, 0ns, read());
        player.add(1, 0ns, program());
        player.add(2, 500ns, program());
        player.add(3, 1500ns, erase());
        player.play();
        return player.phases();
    };
    CHECK(playedIn(SegmentOrder::CommandsFirst) == Phases{"0 request 0-40", "1 request 40-5200", "3 request 5200-5230",
                                                          "0 response 5230-10350", "1 response 10350-10370",
                                                          "3 response 10370-10390", "2 request 10390-15550",
                                                          "2 response 17550-17570"});
    CHECK(playedIn(SegmentOrder::ResponsesFirst) ==
          Phases{"0 request 0-40", "1 request 40-5200", "0 response 5200-10320", "1 response 10320-10340",
                 "2 request 10340-15500", "3 request 15500-15530", "2 response 17500-17520", "3 response 18530-18550"});
    CHECK(playedIn(SegmentOrder::Fifo) == Phases{"0 request 0-40", "1 request 40-5200", "2 request 5200-10360",
                                                 "0 response 10360-15480", "3 request 15480-15510",
                                                 "1 response 15510-15530", "2 response 15530-15550",
                                                 "3 response 18510-18530"});
}

TEST_CASE("commands first starts a read's array while a program's data waits")
{
    BusPlayer player(roundSchedule(), 2, SegmentOrder::CommandsFirst);
    player.add(0, 0ns, program());
    player.add(1, 0ns, read());
    player.play();
    CHECK(player.phases() ==
          Phases{"1 request 0-40", "0 request 40-5200", "1 response 5200-10320", "0 response 10320-10340"});
}

TEST_CASE("equals take turns, starting after the die served last")
{
    BusPlayer player(roundSchedule(), 3, SegmentOrder::ResponsesFirst);
    for (std::uint32_t die = 0; die < 3; ++die) {
        for (int i = 0; i < 2; ++i)
            player.add(die, 0ns, read());
    }
    player.play();
    // While one die's data passes, the other two become ready; the turn goes on to the next number.
    CHECK(player.phases() == Phases{"0 request 0-40", "1 request 40-80", "2 request 80-120", "0 response 1040-6160",
                                    "1 response 6160-11280", "2 response 11280-16400", "0 request 16400-16440",
                                    "1 request 16440-16480", "2 request 16480-16520", "0 response 17440-22560",
                                    "1 response 22560-27680", "2 response 27680-32800"});
}

TEST_CASE("foreground goes before background within a die's queue, but not into a running operation")
{
    for (const SegmentOrder order : allOrders) {
        BusPlayer player(roundSchedule(), 1, order);
        player.add(0, 0ns, read());
        auto& background = player.add(0, 10ns, erase());
        auto& urgent = player.add(0, 20ns, foreground(read()));
        auto& urgent2 = player.add(0, 30ns, foreground(read()));
        player.play();
        CHECK(urgent.requestStart == 6160ns);
        CHECK(urgent2.requestStart == 12320ns);
        CHECK(background.requestStart == 18480ns);
    }
}

TEST_CASE("foreground goes before background between dies, whatever the order says")
{
    for (const SegmentOrder order : allOrders) {
        BusPlayer player(roundSchedule(), 3, order);
        player.add(0, 0ns, program());
        player.add(1, 10ns, erase());
        auto& urgent = player.add(2, 5us, foreground(program()));
        player.play();
        CHECK(urgent.requestStart == 5160ns);
        CHECK(player.operations[1].requestStart >= urgent.requestEnd);
    }
}

TEST_CASE("an operation that needs no response ends when the die is ready, even while the bus is busy")
{
    BusPlayer player(roundSchedule(), 2, SegmentOrder::CommandsFirst);
    auto& reset = player.add(0, 0ns, operation(Opcode::Reset));
    player.add(1, 5ns, program());
    auto& after = player.add(0, 5ns, erase());
    player.play();
    CHECK(reset.done == 510ns); // 10 ns of bus, 500 ns of reset
    CHECK(after.requestStart == 5170ns);
    CHECK(player.interface.bus().usage().jobs == 5);
}

TEST_CASE("the bus carries one segment at a time and none of a die's during its array time")
{
    for (const SegmentOrder order : allOrders) {
        BusPlayer player(roundSchedule(), 5, order);
        Rng rng(7, "channel mix");
        for (int i = 0; i < 2000; ++i) {
            auto op = operation(nand::opcodeTable[rng.below(nand::opcodeTable.size())].value, 1);
            op.priority = rng.chance(0.2) ? nand::Priority::Foreground : nand::Priority::Background;
            player.add(static_cast<std::uint32_t>(rng.below(5)), 10ns * rng.below(700'000), op);
        }
        player.play();

        Time busy{};
        Time lastEnd{};
        int violations = 0;
        for (const auto& tenure : player.tenures) {
            violations += tenure.start < lastEnd ? 1 : 0;
            violations += tenure.start < tenure.op->ready && tenure.end > tenure.op->requestEnd ? 1 : 0;
            lastEnd = tenure.end;
            busy += tenure.end - tenure.start;
        }
        CHECK(violations == 0);
        CHECK(player.interface.bus().usage().busy == busy);
        CHECK(player.interface.bus().usage().jobs == player.tenures.size());
        CHECK(player.interface.finished() == 2000);

        // Nothing is faster than alone.
        for (const auto& op : player.operations) {
            Time alone{};
            for (const Segment& segment : roundSchedule().segments(op))
                alone += segment.duration;
            violations += op.done - op.submitted < alone ? 1 : 0;
        }
        CHECK(violations == 0);
    }
}

TEST_CASE("saturated reads keep the bus busy except for the first array time")
{
    const auto all = parts();
    const nand::Part& part = all[0];
    for (const auto& kind : interfaceKindTable) {
        const BusSchedule schedule(resolveTiming(kind.value, table2, {}), part);
        constexpr std::uint32_t dies = 8;
        constexpr int pagesPerDie = 50;
        BusPlayer player(schedule, dies, SegmentOrder::CommandsFirst);
        for (int i = 0; i < pagesPerDie; ++i) {
            for (std::uint32_t die = 0; die < dies; ++die)
                player.add(die, 0ns, operation(Opcode::Read, 4));
        }
        player.play();
        const auto page = operation(Opcode::Read, 4);
        const Time perPage = schedule.requestTime(page) + schedule.responseTime(page);
        const Time fill = part.times.tR - schedule.requestTime(page) * (dies - 1); // idle before the first data
        INFO(kind.name);
        CHECK(player.tenures.back().end == perPage * (dies * pagesPerDie) + fill);
    }
}

TEST_CASE("programs to few dies are bound by tPROG, not by the bus")
{
    const auto all = parts();
    const BusSchedule schedule(resolveTiming(InterfaceKind::Proposed, table2, {}), all[0]);
    const auto page = operation(Opcode::Program, 4);
    const Time perPage = schedule.requestTime(page) + all[0].times.tPROG + schedule.responseTime(page);
    constexpr int pages = 100;

    BusPlayer one(schedule, 1, SegmentOrder::CommandsFirst);
    for (int i = 0; i < pages; ++i)
        one.add(0, 0ns, page);
    one.play();
    CHECK(one.tenures.back().end == perPage * pages); // exactly

    constexpr std::uint32_t dies = 4;
    BusPlayer four(schedule, dies, SegmentOrder::CommandsFirst);
    for (int i = 0; i < pages; ++i) {
        for (std::uint32_t die = 0; die < dies; ++die)
            four.add(die, 0ns, page);
    }
    four.play();
    // Four times the work in the same time, but for getting into step: one request and one status read per other die.
    const Time inStep = (schedule.requestTime(page) + schedule.responseTime(page)) * (dies - 1);
    CHECK(four.tenures.back().end >= perPage * pages);
    CHECK(four.tenures.back().end <= perPage * pages + inStep);
}

TEST_CASE("waiting counts from when a segment became possible")
{
    BusPlayer player(roundSchedule(), 2, SegmentOrder::CommandsFirst);
    player.add(0, 0ns, read());
    player.add(1, 0ns, read());
    player.add(1, 100ns, read());
    player.play();
    // Bus: die 1's first command 40 ns; its data from 1,080 to 6,160. Its second read waits for nothing once it may go.
    const ResourceUsage& bus = player.interface.bus().usage();
    CHECK(bus.jobs == 6);
    CHECK(bus.waited == 40ns + 5080ns);
    CHECK(bus.maxWaited == 5080ns);
    // Die: the second read of die 1 waited from 100 to 11,280 ns.
    const ResourceUsage& die = player.interface.die(1).usage();
    CHECK(die.jobs == 2);
    CHECK(die.waited == 40ns + 11180ns);
    CHECK(die.busy == 11240ns + 6160ns);
    CHECK(player.interface.maxQueued() == 2);
    CHECK(player.interface.maxQueued(0) == 1);
    CHECK(player.interface.maxQueued(1) == 1);
}

TEST_CASE("after a reset of the figures, what is in progress counts from then on")
{
    NandInterface interface(roundSchedule(), 2, SegmentOrder::CommandsFirst);
    auto op = read();
    auto other = read();
    interface.submit(0, op, 0ns);
    REQUIRE(interface.next(0ns));
    interface.arrayFinished(0, 1040ns);
    REQUIRE(interface.next(1040ns));
    interface.submit(1, other, 1500ns);
    interface.resetUsage(2us);
    CHECK(interface.bus().usage().busy == 4160ns); // what is left of the data
    CHECK(interface.maxQueued() == 1);
    CHECK(interface.maxQueued(1) == 1);
    interface.finish(0, 6160ns);
    CHECK(interface.finished() == 1);
    CHECK(interface.die(0).usage().busy == 4160ns);
    CHECK(interface.die(0).usage().waited == 0ns);
    REQUIRE(interface.next(6160ns));
    CHECK(interface.bus().usage().busy == 4200ns);
    CHECK(interface.bus().usage().jobs == 2);
    CHECK(interface.bus().usage().waited == 4160ns); // since the reset, not since it was submitted
}

TEST_CASE("the interface grants nothing before its next opportunity")
{
    NandInterface interface(roundSchedule(), 2, SegmentOrder::CommandsFirst);
    CHECK(interface.nextOpportunity(0ns) == never);
    CHECK_FALSE(interface.next(0ns));

    auto a = read();
    auto b = read();
    interface.submit(0, a, 0ns);
    CHECK(interface.nextOpportunity(0ns) == 0ns);
    REQUIRE(interface.next(0ns));
    interface.submit(1, b, 10ns);
    CHECK_FALSE(interface.next(10ns)); // the bus is busy
    CHECK(interface.nextOpportunity(10ns) == 40ns);
    REQUIRE(interface.next(40ns));
    CHECK(interface.nextOpportunity(80ns) == never); // both arrays are at work, their end is not known yet
    interface.arrayFinished(0, 1040ns);
    CHECK(interface.nextOpportunity(80ns) == 1040ns);
    CHECK_FALSE(interface.next(picoseconds(1'039'999)));
    const auto grant = interface.next(1040ns);
    REQUIRE(grant);
    CHECK(grant->phase == NandInterface::Phase::Response);
    CHECK(grant->busTime == 5120ns);
    CHECK(grant->op == &a);
}

TEST_CASE("a foreground operation takes the place of a background one that waits for the bus")
{
    NandInterface interface(roundSchedule(), 2, SegmentOrder::CommandsFirst);
    auto hold = program();
    auto background = program();
    auto urgent = foreground(read());
    interface.submit(1, hold, 0ns);
    REQUIRE(interface.next(0ns));
    interface.submit(0, background, 10ns);
    interface.submit(0, urgent, 20ns);
    const auto grant = interface.next(5160ns);
    REQUIRE(grant);
    CHECK(grant->op == &urgent);
}

TEST_CASE("queues grow beyond their first size without losing order")
{
    BusPlayer player(roundSchedule(), 1, SegmentOrder::Fifo);
    for (int i = 0; i < 3; ++i)
        player.add(0, 0ns, erase());
    for (int i = 0; i < 40; ++i)
        player.add(0, 4us, erase()); // the ring is not at its start any more
    player.play();
    CHECK(player.interface.finished() == 43);
    Time last{-1};
    for (const auto& op : player.operations) {
        CHECK(op.requestStart > last);
        last = op.requestStart;
    }
}

TEST_CASE("a peer that breaks the order of events is caught")
{
    NandInterface interface(roundSchedule(), 2, SegmentOrder::CommandsFirst);
    auto op = read();
    CHECK_THROWS_AS(interface.submit(2, op, 0ns), InternalError);
    CHECK_THROWS_AS(interface.arrayFinished(0, 0ns), InternalError);
    interface.submit(0, op, 0ns);
    CHECK_THROWS_AS(interface.arrayFinished(0, 0ns), InternalError);
    REQUIRE(interface.next(0ns));
    CHECK_THROWS_AS(interface.finish(0, 40ns), InternalError);
    CHECK_THROWS_AS(interface.arrayFinished(0, 39ns), InternalError); // before the request has ended
    interface.arrayFinished(0, 1040ns);
    CHECK_THROWS_AS(interface.arrayFinished(0, 1040ns), InternalError);
    CHECK_THROWS_AS(interface.finish(0, 1040ns), InternalError); // its response has not started
    CHECK_THROWS_AS(NandInterface(roundSchedule(), 65, SegmentOrder::Fifo), InternalError);
    CHECK_THROWS_AS(NandInterface(roundSchedule(), 0, SegmentOrder::Fifo), InternalError);
}

TEST_CASE("a channel with the maximum number of dies serves all of them")
{
    BusPlayer player(roundSchedule(), NandInterface::maxDies, SegmentOrder::CommandsFirst);
    for (std::uint32_t die = 0; die < NandInterface::maxDies; ++die) {
        player.add(die, 0ns, erase());
        player.add(die, 0ns, erase());
    }
    player.play();
    CHECK(player.interface.finished() == 128);
    CHECK(player.interface.die(63).usage().jobs == 2);
}

namespace {

nand::Operation readUnder(std::uint8_t option, std::uint8_t senses = 1)
{
    nand::Operation op;
    op.opcode = nand::Opcode::Read;
    op.sectors = 4;
    op.readOption = option;
    op.senses = senses;
    return op;
}

} // namespace

TEST_CASE("a read under another option begins with SET FEATURES, in the same tenure of the bus")
{
    const BusSchedule& schedule = roundSchedule();
    BusPlayer player(schedule, 2, SegmentOrder::Fifo);
    player.add(0, Time{}, readUnder(0));
    player.add(0, 1ms, readUnder(2));
    player.add(0, 2ms, readUnder(2));
    player.add(1, 3ms, readUnder(0)); // another die keeps its own
    player.add(0, 4ms, readUnder(0));
    player.play();
    const auto requestOf = [&](std::size_t i) {
        return player.operations[i].requestEnd - player.operations[i].requestStart;
    };
    nand::Operation plain = readUnder(0);
    nand::Operation changed = plain;
    changed.form = nand::Form::References;
    const Time usual = schedule.requestTime(plain);
    const Time longer = schedule.requestTime(changed);
    CHECK(longer > usual + schedule.part().times.tFEAT);
    CHECK(requestOf(0) == usual);
    CHECK(requestOf(1) == longer);
    CHECK(requestOf(2) == usual);
    CHECK(requestOf(3) == usual);
    CHECK(requestOf(4) == longer);
}
