// SPDX-License-Identifier: Apache-2.0
//
// What each join policy does on a bus: multi-plane and cache operations, and reads that suspend programs and erases.
// Timelines by hand: cycles of 10 ns, a read request 40 ns, a program request 5,160 ns, data out 5,120 ns, status 20 ns
// (30 ns of one plane), data out of one plane 5,160 ns.
#include "models/base/rng.h"
#include "models/channel/combined_segments.h"
#include "tests/domain/channel/parts.h"
#include "tests/domain/channel/train_player.h"

#include <array>

using namespace strobe;
using namespace strobe::channel;
using namespace strobe::channel::test;
using nand::Opcode;

namespace {

nand::Part twoPlanes()
{
    nand::Part part = roundPart();
    part.geometry.planes = 2;
    part.times.tDBSY = 100ns;
    part.times.tRCBSY = 50ns;
    part.times.tCBSY = 60ns;
    part.times.tPSUSP = 150ns;
    part.times.tESUSP = 200ns;
    part.times.tPRSM = 40ns;
    part.times.tERSM = 70ns;
    part.maxSuspends = 2;
    return part;
}

JoinPolicy multiPlane()
{
    JoinPolicy join;
    join.multiPlane = true;
    return join;
}
JoinPolicy cache()
{
    JoinPolicy join;
    join.cache = true;
    return join;
}
JoinPolicy suspending(std::uint32_t reads = 4)
{
    JoinPolicy join;
    join.suspend = Suspend::Both;
    join.suspendReads = reads;
    return join;
}

nand::Operation at(Opcode opcode, nand::PageAddress target)
{
    nand::Operation op = operation(opcode, opcode == Opcode::Erase ? 0 : 1);
    op.target = target;
    return op;
}

using Phases = std::vector<std::string>;

} // namespace

TEST_CASE("programs of the same page of two planes are one command: data twice, tPROG once, a status each")
{
    TrainPlayer player(roundTiming(), twoPlanes(), 1, multiPlane());
    player.add(0, 0ns, at(Opcode::Program, {2, 0}));
    player.add(0, 0ns, at(Opcode::Program, {3, 0}));
    player.play();
    CHECK(player.phases ==
          Phases{"0 request 0-5160", "0 request 5260-10420", "0 response 12420-12450", "0 response 12450-12480"});
    CHECK(player.operations[0].done == 12450ns);
    CHECK(player.dies[0]->counters().array.joined == 1);
}

TEST_CASE("reads of two planes wait for tR once and are sent one after the other")
{
    TrainPlayer player(roundTiming(), twoPlanes(), 1, multiPlane());
    player.add(0, 0ns, at(Opcode::Read, {2, 1}));
    player.add(0, 0ns, at(Opcode::Read, {5, 1}));
    player.play();
    CHECK(player.phases ==
          Phases{"0 request 0-40", "0 request 140-180", "0 response 1180-6340", "0 response 6340-11500"});
    // The same, from the closed form of an idle bus.
    Time total{};
    for (const Segment& s : multiPlaneSegments(BusSchedule(roundTiming(), twoPlanes()), operation(Opcode::Read, 1), 2))
        total += s.duration;
    CHECK(total == 11500ns);
}

TEST_CASE("erases of two planes take tBERS once")
{
    TrainPlayer player(roundTiming(), twoPlanes(), 1, multiPlane());
    player.add(0, 0ns, at(Opcode::Erase, {2, 0}));
    player.add(0, 0ns, at(Opcode::Erase, {7, 0}));
    player.play();
    CHECK(player.phases ==
          Phases{"0 request 0-30", "0 request 130-160", "0 response 3160-3190", "0 response 3190-3220"});
}

TEST_CASE("of four planes two at a time may work, or all, or one")
{
    nand::Part part = twoPlanes();
    part.geometry.planes = 4;
    JoinPolicy join = multiPlane();
    struct Row {
        std::uint32_t planesAtOnce;
        std::uint64_t joined;
        Time end;
    };
    // Requests 5,160 ns each and 100 ns between those of one command, tPROG 2 us, a status 30 ns each (20 ns alone).
    const Row row =
        GENERATE(Row{1, 0, 4 * (5160ns + 2us + 20ns)}, Row{2, 2, 2 * (2 * 5160ns + 100ns + 2us + 60ns)},
                 Row{4, 3, 4 * 5160ns + 300ns + 2us + 120ns}, Row{UINT32_MAX, 3, 4 * 5160ns + 300ns + 2us + 120ns});
    join.planesAtOnce = row.planesAtOnce;
    TrainPlayer player(roundTiming(), part, 1, join);
    for (std::uint32_t plane = 0; plane < 4; ++plane)
        player.add(0, 0ns, at(Opcode::Program, {4 + plane, 0}));
    player.play();
    CHECK(player.dies[0]->counters().array.joined == row.joined);
    CHECK(player.operations[3].done == row.end);
}

TEST_CASE("operations that a part does not allow together, or other commands, are not joined")
{
    struct Row {
        Opcode opcode;
        nand::PageAddress second;
    };
    const Row row = GENERATE(Row{Opcode::Program, {3, 1}}, Row{Opcode::Program, {4, 0}}, Row{Opcode::Read, {3, 0}});
    TrainPlayer player(roundTiming(), twoPlanes(), 1, multiPlane());
    player.add(0, 0ns, at(Opcode::Program, {2, 0}));
    player.add(0, 0ns, at(row.opcode, row.second));
    player.play();
    CHECK(player.dies[0]->counters().array.joined == 0);
    CHECK(player.operations[0].done == 7180ns); // as ever
}

TEST_CASE("while a multi-plane program is latched other dies use the bus")
{
    TrainPlayer player(roundTiming(), twoPlanes(), 2, multiPlane());
    player.add(0, 0ns, at(Opcode::Program, {2, 0}));
    player.add(0, 0ns, at(Opcode::Program, {3, 0}));
    player.add(1, 0ns, at(Opcode::Read, {0, 0}));
    player.play();
    CHECK(player.phases == Phases{"1 request 0-40", "0 request 40-5200", "1 response 5200-10320",
                                  "0 request 10320-15480", "0 response 17480-17510", "0 response 17510-17540"});
}

TEST_CASE("a cache read requests the next page before the last one goes out, and 3Fh requests the last one")
{
    TrainPlayer player(roundTiming(), twoPlanes(), 1, cache());
    for (std::uint32_t page = 0; page < 3; ++page)
        player.add(0, 0ns, at(Opcode::Read, {2, page}));
    player.play();
    CHECK(player.phases == Phases{"0 request 0-40", "0 request 1040-1080", "0 response 1130-6250",
                                  "0 request 6250-6290", "0 response 6340-11460", "0 end 11460-11470",
                                  "0 response 11520-16640"});
    CHECK(player.dies[0]->counters().array.cached == 2);
}

TEST_CASE("a long cache read delivers a page in the time that its closed form says")
{
    const Time tR = GENERATE(Time(1us), Time(9us)); // the bus decides, the array decides
    nand::Part part = twoPlanes();
    part.times.tR = tR;
    TrainPlayer player(roundTiming(), part, 1, cache());
    for (std::uint32_t page = 0; page < 40; ++page)
        player.add(0, 0ns, at(Opcode::Read, {2, page}));
    player.play();
    const BusSchedule schedule(roundTiming(), part);
    const Time period = cachePeriod(schedule, operation(Opcode::Read, 1));
    CHECK(period == std::max(Time(40ns + 50ns + 5120ns), Time(tR + 50ns)));
    for (std::size_t page = 5; page < 35; ++page)
        CHECK(player.operations[page + 1].done - player.operations[page].done == period);
}

TEST_CASE("a cache program takes the next page while the array works, and reads each outcome one page later")
{
    TrainPlayer player(roundTiming(), twoPlanes(), 1, cache());
    for (std::uint32_t page = 0; page < 3; ++page)
        player.add(0, 0ns, at(Opcode::Program, {2, page}));
    player.play();
    CHECK(player.phases == Phases{"0 request 0-5160", "0 request 5220-10380", "0 response 10440-10460",
                                  "0 request 10460-15620", "0 response 17620-17640", "0 response 17640-17660"});
    CHECK(player.dies[0]->counters().array.cached == 2);
}

TEST_CASE("a long cache program takes a page in the time that its closed form says")
{
    const Time tPROG = GENERATE(Time(2us), Time(20us));
    nand::Part part = twoPlanes();
    part.times.tPROG = tPROG;
    TrainPlayer player(roundTiming(), part, 1, cache());
    for (std::uint32_t page = 0; page < 40; ++page)
        player.add(0, 0ns, at(Opcode::Program, {2, page}));
    player.play();
    const Time period = cachePeriod(BusSchedule(roundTiming(), part), operation(Opcode::Program, 1));
    for (std::size_t page = 5; page < 35; ++page)
        CHECK(player.operations[page + 1].done - player.operations[page].done == period);
}

TEST_CASE("cache programs of two planes take the next pages while the array works on both")
{
    nand::Part part = twoPlanes();
    part.multiPlaneCache = true;
    JoinPolicy join = cache();
    join.multiPlane = true;
    TrainPlayer player(roundTiming(), part, 1, join);
    for (std::uint32_t page = 0; page < 3; ++page) {
        player.add(0, 0ns, at(Opcode::Program, {2, page}));
        player.add(0, 0ns, at(Opcode::Program, {3, page}));
    }
    player.play();
    CHECK(player.phases == Phases{"0 request 0-5160", "0 request 5260-10420", "0 request 10480-15640",
                                  "0 request 15740-20900", "0 response 20960-20990", "0 response 20990-21020",
                                  "0 request 21020-26180", "0 request 26280-31440", "0 response 33440-33470",
                                  "0 response 33470-33500", "0 response 33500-33530", "0 response 33530-33560"});
    CHECK(player.dies[0]->counters().array.joined == 3);
    CHECK(player.dies[0]->counters().array.cached == 4);
}

TEST_CASE("a long cache program of all planes takes a page of each in the time that its closed form says")
{
    const Time tPROG = GENERATE(Time(2us), Time(40us)); // the bus decides, the array decides
    const std::uint32_t planes = GENERATE(2U, 4U);
    nand::Part part = twoPlanes();
    part.geometry.planes = planes;
    part.multiPlaneCache = true;
    part.times.tPROG = tPROG;
    JoinPolicy join = cache();
    join.multiPlane = true;
    TrainPlayer player(roundTiming(), part, 1, join);
    for (std::uint32_t page = 0; page < 20; ++page) {
        for (std::uint32_t plane = 0; plane < planes; ++plane)
            player.add(0, 0ns, at(Opcode::Program, {planes + plane, page}));
    }
    player.play();
    const Time period = multiPlaneCachePeriod(BusSchedule(roundTiming(), part), operation(Opcode::Program, 1), planes);
    CHECK(period == std::max(Time(planes * 5190ns + (planes - 1) * 100ns + 60ns), Time(tPROG + 60ns)));
    for (std::size_t page = 3; page < 17; ++page)
        CHECK(player.operations[(page + 1) * planes].done - player.operations[page * planes].done == period);
}

TEST_CASE("a read suspends an erase of another block, which then executes the remaining time")
{
    TrainPlayer player(roundTiming(), twoPlanes(), 1, suspending());
    player.add(0, 0ns, at(Opcode::Erase, {4, 0}));
    player.add(0, 500ns, at(Opcode::Read, {3, 0}));
    player.play();
    // Array: 30 to 510 and, 70 ns of resuming included, 6,880 to 6,880 + 70 + 2,520.
    CHECK(player.phases == Phases{"0 request 0-30", "0 suspend 500-510", "0 request 710-750", "0 response 1750-6870",
                                  "0 resume 6870-6880", "0 response 9470-9490"});
    CHECK(player.interface.suspensions() == 1);
    CHECK(player.interface.die(0).usage().busy == 9490ns);
    CHECK(player.interface.die(0).usage().jobs == 2);
}

TEST_CASE("a read of the block at work, or one that comes too late, waits")
{
    struct Row {
        nand::PageAddress target;
        Time at;
    };
    const Row row = GENERATE(Row{{4, 1}, 500ns}, Row{{3, 0}, 2825ns}, Row{{3, 0}, 3000ns});
    TrainPlayer player(roundTiming(), twoPlanes(), 1, suspending());
    player.add(0, 0ns, at(Opcode::Erase, {4, 0}));
    player.add(0, row.at, at(Opcode::Read, row.target));
    player.play();
    CHECK(player.interface.suspensions() == 0);
    CHECK(player.operations[0].done == 3050ns);
}

TEST_CASE("the scenario chooses which operations may be suspended")
{
    struct Row {
        Suspend suspend;
        bool program, erase;
    };
    const Row row = GENERATE(Row{Suspend::None, false, false}, Row{Suspend::Program, true, false},
                             Row{Suspend::Erase, false, true}, Row{Suspend::Both, true, true});
    for (const Opcode opcode : {Opcode::Program, Opcode::Erase}) {
        JoinPolicy join = suspending();
        join.suspend = row.suspend;
        TrainPlayer player(roundTiming(), twoPlanes(), 1, join);
        player.add(0, 0ns, at(opcode, {4, 0}));
        player.add(0, opcode == Opcode::Program ? 5500ns : 500ns, at(Opcode::Read, {3, 0}));
        player.play();
        INFO(enumName(opcode) << " " << enumName(row.suspend));
        CHECK((player.interface.suspensions() > 0) == (opcode == Opcode::Program ? row.program : row.erase));
    }
}

TEST_CASE("endless reads do not prevent an erase from ending: its suspensions are limited")
{
    TrainPlayer player(roundTiming(), twoPlanes(), 1, suspending(1));
    player.add(0, 0ns, at(Opcode::Erase, {4, 0}));
    for (int i = 0; i < 100; ++i)
        player.add(0, 100ns, at(Opcode::Read, {3, 0}));
    player.play();
    CHECK(player.interface.suspensions() == 2);          // the part's limit
    CHECK(player.operations[0].done < 3 * 5160ns + 4us); // two reads, and its own time
}

TEST_CASE("a suspended multi-plane program continues with both planes")
{
    JoinPolicy join = suspending();
    join.multiPlane = true;
    TrainPlayer player(roundTiming(), twoPlanes(), 1, join);
    player.add(0, 0ns, at(Opcode::Program, {2, 0}));
    player.add(0, 0ns, at(Opcode::Program, {3, 0}));
    player.add(0, 11us, at(Opcode::Read, {4, 0}));
    player.play();
    CHECK(player.phases == Phases{"0 request 0-5160", "0 request 5260-10420", "0 suspend 11000-11010",
                                  "0 request 11160-11200", "0 response 12200-17320", "0 resume 17320-17330",
                                  "0 response 18780-18810", "0 response 18810-18840"});
}

TEST_CASE("a read passes waiting programs of other blocks, and not that of its own")
{
    const bool isOwn = GENERATE(false, true);
    JoinPolicy join = suspending();
    join.suspend = Suspend::Erase; // passes, but does not suspend programs
    TrainPlayer player(roundTiming(), twoPlanes(), 1, join);
    player.add(0, 0ns, at(Opcode::Program, {2, 0}));
    nand::Operation& second = player.add(0, 0ns, at(Opcode::Program, {4, 0}));
    nand::Operation& read = player.add(0, 100ns, at(Opcode::Read, {isOwn ? 4U : 6U, 0}));
    player.play();
    CHECK((read.done < second.done) == !isOwn);
}

TEST_CASE("joined and suspended or not, every read delivers the same")
{
    const std::uint64_t seed = GENERATE(1U, 2U, 3U, 4U, 5U, 6U);
    const std::array<JoinPolicy, 5> policies{{{false, false, Suspend::None, 4},
                                              {true, false, Suspend::None, 4},
                                              {false, true, Suspend::None, 4},
                                              {false, false, Suspend::Both, 2},
                                              {true, true, Suspend::Both, 4}}};
    std::vector<SectorTag> expected;
    nand::Part part = twoPlanes();
    part.multiPlaneCache = true;
    for (const JoinPolicy& join : policies) {
        TrainPlayer player(roundTiming(), part, 3, join);
        Rng rng(seed, "mix");
        std::deque<SectorTag> tags;
        std::array<std::array<std::uint32_t, 8>, 3> next{}; // page of each block
        Time now{};
        for (int i = 0; i < 600; ++i) {
            now += Time(rng.below(3'000'000));
            const auto die = static_cast<std::uint32_t>(rng.below(3));
            const auto block = static_cast<std::uint32_t>(rng.below(8));
            const std::uint64_t what = rng.below(10);
            nand::Operation op = at(Opcode::Read, {block, static_cast<std::uint32_t>(rng.below(64))});
            if (what == 0) {
                op = at(Opcode::Erase, {block, 0});
                next[die][block] = 0;
            } else if (what < 6 && next[die][block] < 64) {
                op = at(Opcode::Program, {block, next[die][block]++});
                tags.push_back(makeTag(static_cast<std::uint32_t>(i), 1));
            }
            if (op.opcode == Opcode::Read)
                tags.push_back(makeTag(999, 9));
            if (op.opcode != Opcode::Erase)
                op.data = {reinterpret_cast<std::byte*>(&tags.back()), DataMode::Tags};
            player.add(die, now, op);
        }
        player.play();
        const std::vector<SectorTag> seen(tags.begin(), tags.end());
        if (expected.empty())
            expected = seen;
        CHECK(seen == expected);
        std::uint64_t joined = 0;
        for (const auto& die : player.dies)
            joined += die->counters().array.joined + die->counters().array.cached + die->counters().array.suspends;
        CHECK((joined > 0) == !join.isPlain());
    }
}
