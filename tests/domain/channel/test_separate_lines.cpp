// SPDX-License-Identifier: Apache-2.0
//
// Segments of several dies on separate command lines. Timelines by hand: a read request takes CA for 125 ns, tR 1 us;
// its response CA 0-95, 295-330 and 5,450-5,485 ns and DQ in between; a program request CA 0-125, 225-260 and
// 5,380-5,445.
#include "models/base/check.h"
#include "models/base/rng.h"
#include "tests/domain/channel/bus_player.h"
#include "tests/domain/channel/parts.h"
#include "tests/domain/channel/train_player.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <map>
#include <utility>

using namespace strobe;
using namespace strobe::channel;
using namespace strobe::channel::test;
using nand::Opcode;
using Phases = std::vector<std::string>;

namespace {

const BusSchedule& schedule()
{
    static const BusSchedule made(separateTiming(), roundPart());
    return made;
}

// What tenures took of CA and of DQ.
struct Lines {
    std::vector<LineUse::Span> command;
    std::vector<LineUse::Span> data;

    void add(const LineUse& use, Time start)
    {
        for (std::uint32_t i = 0; i < use.commands; ++i)
            command.push_back({start + use.command.at(i).from, start + use.command.at(i).to});
        if (use.hasData())
            data.push_back({start + use.data.from, start + use.data.to});
    }
    static std::size_t overlaps(std::vector<LineUse::Span> spans)
    {
        std::sort(spans.begin(), spans.end(), [](const auto& a, const auto& b) { return a.from < b.from; });
        std::size_t count = 0;
        for (std::size_t i = 1; i < spans.size(); ++i)
            count += spans[i].from < spans[i - 1].to ? 1U : 0U;
        return count;
    }
    static Time total(const std::vector<LineUse::Span>& spans)
    {
        Time sum{};
        for (const LineUse::Span& span : spans)
            sum += span.to - span.from;
        return sum;
    }
};

Lines linesOf(const TrainPlayer& player, const BusSchedule& of)
{
    Lines lines;
    for (const TrainPlayer::Tenure& tenure : player.tenures) {
        nand::Operation op = *tenure.op;
        op.form = tenure.form;
        lines.add(tenure.phase == NandInterface::Phase::Request    ? of.requestUse(op)
                  : tenure.phase == NandInterface::Phase::CacheEnd ? of.cacheEndUse()
                                                                   : of.responseUse(op),
                  tenure.start);
    }
    return lines;
}

// Tenures that begin while data of the same die moves, from the first packet to SCT.
std::size_t besideData(const TrainPlayer& player)
{
    std::size_t count = 0;
    std::map<DieId, Time> dataUntil;
    for (const TrainPlayer::Tenure& tenure : player.tenures) { // in the order of their grants
        Time& until = dataUntil[tenure.op->die];
        count += tenure.start < until ? 1U : 0U;
        const Opcode with = tenure.phase == NandInterface::Phase::Request ? Opcode::Program : Opcode::Read;
        if (tenure.op->opcode == with && tenure.phase != NandInterface::Phase::CacheEnd)
            until = std::max(until, tenure.end);
    }
    return count;
}

nand::Part versatile(bool planeReads)
{
    nand::Part part = roundPart();
    part.geometry.planes = 2;
    part.multiPlaneCache = true;
    part.planeIndependentReads = planeReads;
    part.times.tDBSY = 60ns;
    part.times.tRCBSY = 200ns;
    part.times.tCBSY = 300ns;
    part.times.tPSUSP = 150ns;
    part.times.tESUSP = 200ns;
    part.times.tPRSM = 40ns;
    part.times.tERSM = 70ns;
    part.times.tFEAT = 250ns;
    part.errors.kind = nand::ErrorModelKind::Formula;
    part.errors.options.resize(1);
    part.maxSuspends = 8;
    return part;
}

} // namespace

TEST_CASE("an operation alone takes the sum of its segments, on either lines")
{
    for (const auto& opcode : nand::opcodeTable) {
        BusPlayer player(schedule(), 2, SegmentOrder::CommandsFirst);
        auto& op = player.add(1, 7ns, operation(opcode.value, 1));
        player.play();
        Time latency{};
        Time command{};
        Time data{};
        for (const Segment& segment : schedule().segments(op)) {
            latency += segment.duration;
            command += segment.lines == BusLines::Command ? segment.duration : Time{};
            data += segment.lines == BusLines::Data ? segment.duration : Time{};
        }
        CAPTURE(opcode.name);
        CHECK(op.done - op.submitted == latency);
        CHECK(player.interface.commandLines().usage().busy == command);
        CHECK(player.interface.bus().usage().busy == data);
    }
}

TEST_CASE("data of two dies follows without a gap, because the second is selected during the data of the first")
{
    BusPlayer player(schedule(), 2, SegmentOrder::CommandsFirst);
    player.add(0, 0ns, operation(Opcode::Read, 1));
    player.add(1, 0ns, operation(Opcode::Read, 1));
    player.play();
    CHECK(player.phases() ==
          Phases{"0 request 0-125", "1 request 125-250", "0 response 1145-6630", "1 response 6265-11750"});
    CHECK(player.operations[0].done == 6630ns);
    CHECK(player.interface.bus().usage().busy == 2 * 5120ns);
    CHECK(player.interface.bus().usage().waited == 6265ns - 1270ns); // the second die's data for the first one's
    CHECK(player.interface.commandLines().usage().jobs == 4);
    CHECK(player.interface.commandLines().usage().waited == 125ns); // the second request
}

TEST_CASE("the command of one die proceeds while another transfers data, in either direction")
{
    BusPlayer reads(schedule(), 2, SegmentOrder::CommandsFirst);
    reads.add(0, 0ns, operation(Opcode::Read, 1));
    reads.add(1, 3000ns, operation(Opcode::Erase));
    reads.play();
    CHECK(reads.phases() ==
          Phases{"0 request 0-125", "0 response 1145-6630", "1 request 3000-3095", "1 response 6095-6220"});

    BusPlayer programs(schedule(), 2, SegmentOrder::CommandsFirst);
    programs.add(0, 0ns, operation(Opcode::Program, 1));
    programs.add(1, 300ns, operation(Opcode::Erase));
    programs.play();
    CHECK(programs.phases() ==
          Phases{"0 request 0-5445", "1 request 300-395", "1 response 3395-3520", "0 response 7445-7570"});
}

TEST_CASE("a command waits for the packet that opens the data of a die, if it would meet it")
{
    BusPlayer player(schedule(), 2, SegmentOrder::CommandsFirst);
    player.add(0, 0ns, operation(Opcode::Read, 1)); // SCE from 1,440 to 1,475 ns
    player.add(1, 1340ns, operation(Opcode::Read, 1));
    player.play();
    CHECK(player.phases()[2] == "1 request 1475-1600");
}

TEST_CASE("figures reset during data count what is left of it")
{
    nand::Operation op = operation(Opcode::Program, 1);
    NandInterface interface(schedule(), 1, SegmentOrder::CommandsFirst);
    interface.submit(0, op, 0ns);
    REQUIRE(interface.next(0ns));
    interface.resetUsage(1260ns); // 4,120 ns of data, then SCT and 10h
    CHECK(interface.bus().usage().busy == 4120ns);
    CHECK(interface.commandLines().usage().busy == 65ns);
}

TEST_CASE("under a random load no two dies are on the same lines at once, whatever the policy")
{
    for (const auto order : {SegmentOrder::CommandsFirst, SegmentOrder::ResponsesFirst, SegmentOrder::Fifo}) {
        Rng rng(3, "separate lines");
        BusPlayer player(schedule(), 12, order);
        for (int i = 0; i < 2'000; ++i) {
            const std::uint64_t kind = rng.below(8);
            const Opcode opcode = kind < 5 ? Opcode::Read : kind < 7 ? Opcode::Program : Opcode::Erase;
            player.add(static_cast<std::uint32_t>(rng.below(12)),
                       Time{static_cast<std::int64_t>(rng.below(9'000'000'000))},
                       operation(opcode, opcode == Opcode::Erase ? 0 : 1));
        }
        player.play();
        Lines lines;
        std::size_t together = 0;
        Time last{};
        for (const BusPlayer::Tenure& tenure : player.tenures) {
            const bool isRequest = tenure.phase == NandInterface::Phase::Request;
            lines.add(isRequest ? schedule().requestUse(*tenure.op) : schedule().responseUse(*tenure.op), tenure.start);
            together += tenure.start < last ? 1U : 0U;
            last = std::max(last, tenure.end);
        }
        CHECK(Lines::overlaps(lines.command) == 0);
        CHECK(Lines::overlaps(lines.data) == 0);
        CHECK(together > player.tenures.size() / 3);
        CHECK(player.interface.bus().usage().busy == Lines::total(lines.data));
        CHECK(player.interface.commandLines().usage().busy == Lines::total(lines.command));
    }
}

TEST_CASE("trains, suspensions and reads of single planes take the lines that were announced")
{
    const bool planeReads = GENERATE(false, true);
    const std::uint32_t policy = GENERATE(range(0U, 8U));
    JoinPolicy join;
    join.multiPlane = (policy & 1U) != 0;
    join.cache = (policy & 2U) != 0;
    join.suspend = (policy & 4U) != 0 ? Suspend::Both : Suspend::None;
    CAPTURE(planeReads, policy);
    const nand::Part part = versatile(planeReads);
    Rng rng(policy, "trains on lines");
    TrainPlayer player(separateTiming(), part, 6, join);
    std::array<std::uint32_t, 6> next{}; // page to be programmed, of the blocks 0 and 1 of each die
    for (std::int64_t i = 0; i < 1'500; ++i) {
        const auto die = static_cast<std::uint32_t>(rng.below(6));
        const Time when{i * 800'000};
        nand::Operation op;
        if (rng.below(3) == 0 && next.at(die) < 2 * part.geometry.pagesPerBlock) {
            op = operation(Opcode::Program, 1);
            op.target = {next.at(die) % 2, next.at(die) / 2};
            ++next.at(die);
        } else if (rng.below(8) == 0) {
            op = operation(Opcode::Erase);
            op.target = {4 + static_cast<std::uint32_t>(rng.below(4)), 0};
        } else {
            op = operation(Opcode::Read, 1);
            op.target = {8 + static_cast<std::uint32_t>(rng.below(4)), static_cast<std::uint32_t>(rng.below(64))};
            op.readOption = static_cast<std::uint8_t>(rng.below(6) == 0 ? 1 : 0);
        }
        player.add(die, when, op);
    }
    player.play();
    const Lines lines = linesOf(player, BusSchedule(separateTiming(), part));
    CHECK(Lines::overlaps(lines.command) == 0);
    CHECK(Lines::overlaps(lines.data) == 0);
    CHECK(player.interface.bus().usage().busy == Lines::total(lines.data));
    CHECK(player.interface.commandLines().usage().busy == Lines::total(lines.command));
    CHECK((player.interface.suspensions() > 0) == (join.suspend != Suspend::None));
    CHECK(besideData(player) == 0);
}

TEST_CASE("dies with and without command lines cannot share a channel")
{
    DieSchedules mixed{std::make_shared<const BusSchedule>(separateTiming(), roundPart()),
                       std::make_shared<const BusSchedule>(roundTiming(), roundPart())};
    CHECK_THROWS_AS(NandInterface(std::move(mixed), SegmentOrder::Fifo), InternalError);
}
