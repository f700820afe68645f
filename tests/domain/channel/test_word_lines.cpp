// SPDX-License-Identifier: Apache-2.0
//
// Programs of word lines of three pages on a bus. Timelines by hand: a program request takes 5,160 ns, a status read
// 20 ns (30 ns of one plane), tDBSY 100 ns, tPBSY 200 ns, tPROG 2,000 ns.
#include "models/base/rng.h"
#include "models/channel/combined_segments.h"
#include "models/channel/word_lines.h"
#include "tests/domain/channel/parts.h"
#include "tests/domain/channel/train_player.h"

#include <array>
#include <map>

using namespace strobe;
using namespace strobe::channel;
using namespace strobe::channel::test;
using nand::Form;
using nand::Opcode;

namespace {

nand::Part wordLinePart()
{
    nand::Part part = roundPart();
    part.cell = nand::CellTechnology::Tlc;
    part.geometry.planes = 2;
    part.geometry.pagesPerBlock = 60;
    part.geometry.pagesPerProgram = 3;
    part.times.tDBSY = 100ns;
    part.times.tPBSY = 200ns;
    part.times.tPSUSP = 150ns;
    part.times.tPRSM = 40ns;
    return part;
}

JoinPolicy multiPlane(std::uint32_t planes = UINT32_MAX)
{
    JoinPolicy join;
    join.multiPlane = true;
    join.planesAtOnce = planes;
    return join;
}

nand::Operation at(Opcode opcode, nand::PageAddress target)
{
    nand::Operation op = operation(opcode, opcode == Opcode::Erase ? 0 : 1);
    op.target = target;
    return op;
}

void addWordLine(TrainPlayer& player, Time when, std::uint32_t block, std::uint32_t first = 0)
{
    for (std::uint32_t page = first; page < first + 3; ++page)
        player.add(0, when, at(Opcode::Program, {block, page}));
}

Time totalOf(const std::vector<Segment>& segments)
{
    Time total{};
    for (const Segment& s : segments)
        total += s.duration;
    return total;
}

using Phases = std::vector<std::string>;

} // namespace

TEST_CASE("a word line is one program: data of each page, tPROG once, one status")
{
    const bool joins = GENERATE(false, true);
    TrainPlayer player(roundTiming(), wordLinePart(), 1, joins ? multiPlane() : JoinPolicy{});
    addWordLine(player, 0ns, 2);
    player.play();
    CHECK(player.phases ==
          Phases{"0 request 0-5160", "0 request 5360-10520", "0 request 10720-15880", "0 response 17880-17900"});
    for (const nand::Operation& op : player.operations) {
        CHECK(op.done == 17900ns);
        CHECK(op.status == nand::Status::Ok);
    }
    CHECK(player.dies[0]->counters().array.arrayBusy == 2400ns);
    CHECK(player.interface.finished() == 3);
    CHECK(player.interface.die(0).usage().busy == 17900ns);
    CHECK(totalOf(wordLineSegments(BusSchedule(roundTiming(), wordLinePart()), operation(Opcode::Program, 1), 1)) ==
          17900ns);
}

TEST_CASE("word lines of two planes: all pages of both, tPROG once, a status of each plane")
{
    TrainPlayer player(roundTiming(), wordLinePart(), 1, multiPlane());
    addWordLine(player, 0ns, 2);
    addWordLine(player, 0ns, 5);
    player.play();
    CHECK(player.phases == Phases{"0 request 0-5160", "0 request 5260-10420", "0 request 10620-15780",
                                  "0 request 15880-21040", "0 request 21240-26400", "0 request 26500-31660",
                                  "0 response 33660-33690", "0 response 33690-33720"});
    std::vector<std::uint32_t> blocks;
    for (const TrainPlayer::Tenure& tenure : player.tenures) {
        if (tenure.phase == NandInterface::Phase::Request)
            blocks.push_back(tenure.op->target.block * 100 + tenure.op->target.page);
    }
    CHECK(blocks == std::vector<std::uint32_t>{200, 500, 201, 501, 202, 502});
    for (std::size_t i = 0; i < 6; ++i)
        CHECK(player.operations[i].done == (i < 3 ? 33690ns : 33720ns)); // pages of a word line end together
    CHECK(player.dies[0]->counters().array.joined == 3);
    CHECK(totalOf(wordLineSegments(BusSchedule(roundTiming(), wordLinePart()), operation(Opcode::Program, 1), 2)) ==
          33720ns);
}

TEST_CASE("word lines are not joined across word lines, planes of one command, or a limit")
{
    SECTION("one plane at a time")
    {
        TrainPlayer player(roundTiming(), wordLinePart(), 1, multiPlane(1));
        addWordLine(player, 0ns, 2);
        addWordLine(player, 0ns, 5);
        CHECK(player.play() == 2 * 17900ns);
        CHECK(player.dies[0]->counters().array.joined == 0);
    }
    SECTION("another word line")
    {
        TrainPlayer player(roundTiming(), wordLinePart(), 1, multiPlane());
        addWordLine(player, 0ns, 2);
        addWordLine(player, 0ns, 5, 3);
        CHECK(player.play() == 2 * 17900ns);
        CHECK(player.dies[0]->counters().array.joined == 0);
    }
    SECTION("programs do not take the cache form")
    {
        JoinPolicy cache;
        cache.cache = true;
        TrainPlayer player(roundTiming(), wordLinePart(), 1, cache);
        addWordLine(player, 0ns, 2);
        addWordLine(player, 0ns, 2, 3);
        CHECK(player.play() == 2 * 17900ns);
        CHECK(player.dies[0]->counters().array.cached == 0);
    }
}

TEST_CASE("a word line starts when its last page has come; the die is free until then")
{
    TrainPlayer player(roundTiming(), wordLinePart(), 1, {});
    player.add(0, 0ns, at(Opcode::Program, {2, 0}));
    player.add(0, 1000ns, at(Opcode::Program, {4, 2})); // of another one, in any order
    player.add(0, 2000ns, at(Opcode::Program, {2, 2}));
    player.add(0, 2000ns, at(Opcode::Read, {6, 0}));
    player.add(0, 3000ns, at(Opcode::Program, {4, 0}));
    player.add(0, 20000ns, at(Opcode::Program, {2, 1}));
    player.add(0, 30000ns, at(Opcode::Program, {4, 1}));
    player.play();
    REQUIRE(player.phases.size() == 10);
    CHECK(player.phases[0] == "0 request 2000-2040");
    CHECK(player.phases[1] == "0 response 3040-8160");
    CHECK(player.phases[2] == "0 request 20000-25160");
    CHECK(player.operations[0].done == 37900ns);
    CHECK(player.operations[5].done == 37900ns);
    CHECK(player.operations[1].done == 55800ns);
    CHECK(player.interface.bus().usage().waited == 0ns);
}

TEST_CASE("without a status read all pages of a word line end with tPROG")
{
    InterfaceTiming timing = roundTiming();
    timing.statusAfterArray = false;
    TrainPlayer player(timing, wordLinePart(), 1, multiPlane());
    addWordLine(player, 0ns, 2);
    addWordLine(player, 0ns, 5);
    player.play();
    for (const nand::Operation& op : player.operations)
        CHECK(op.done == 33660ns);
}

TEST_CASE("a read suspends the program of a word line")
{
    JoinPolicy join;
    join.suspend = Suspend::Program;
    TrainPlayer player(roundTiming(), wordLinePart(), 1, join);
    addWordLine(player, 0ns, 2);
    player.add(0, 16500ns, at(Opcode::Read, {4, 0}));
    player.play();
    CHECK(player.interface.suspensions() == 1);
    const std::vector<std::string> after(player.phases.begin() + 3, player.phases.end());
    CHECK(after == Phases{"0 suspend 16500-16510", "0 request 16660-16700", "0 response 17700-22820",
                          "0 resume 22820-22830", "0 response 24240-24260"});
    for (std::size_t i = 0; i < 3; ++i)
        CHECK(player.operations[i].done == 24260ns);
}

TEST_CASE("a program of a word line fails for all its pages, and only for its plane")
{
    TrainPlayer player(roundTiming(), wordLinePart(), 1, multiPlane());
    player.dies[0]->wearOut(5);
    addWordLine(player, 0ns, 2);
    addWordLine(player, 0ns, 5);
    player.play();
    for (std::size_t i = 0; i < 6; ++i)
        CHECK(player.operations[i].status == (i < 3 ? nand::Status::Ok : nand::Status::ProgramFailed));
}

TEST_CASE("a random mix of word lines, reads and erases ends under every policy, each word line at one time")
{
    const bool planes = GENERATE(false, true);
    const bool cache = GENERATE(false, true);
    const Suspend suspend = GENERATE(Suspend::None, Suspend::Both);
    nand::Part part = wordLinePart();
    part.times.tPROG = 30us; // longer than the bus is in use for
    TrainPlayer player(roundTiming(), part, 3, {planes, cache, suspend});
    Rng rng(7, "word lines");
    std::array<std::uint32_t, 3> lines{};
    for (int i = 0; i < 300; ++i) {
        const auto die = static_cast<std::uint32_t>(rng.below(3));
        const Time when = 4us * (i / 4);
        if (rng.below(3) == 0) {
            nand::Operation op = at(rng.below(6) == 0 ? Opcode::Erase : Opcode::Read, {});
            op.target.block = 28 + static_cast<std::uint32_t>(rng.below(4));
            player.add(die, when, op);
            continue;
        }
        const std::uint32_t line = lines[die]++; // each in both planes
        const nand::PageAddress first{line / 40 * 2 + line % 2, line / 2 % 20 * 3};
        for (const std::uint32_t page : {2U, 0U, 1U}) // in any order, the same in each
            player.add(die, when + page * 100ns, at(Opcode::Program, {first.block, first.page + page}));
    }
    player.play();
    struct Line {
        Time done;
        std::uint32_t pages = 0;
    };
    std::map<std::array<std::uint32_t, 3>, Line> ends;
    for (const nand::Operation& op : player.operations) {
        CHECK(op.status == nand::Status::Ok);
        if (op.opcode != Opcode::Program)
            continue;
        Line& line = ends[{raw(op.die), op.target.block, op.target.page / 3}];
        CHECK((line.pages == 0 || line.done == op.done));
        line = {op.done, line.pages + 1};
    }
    for (const auto& [where, line] : ends)
        CHECK(line.pages == 3);
    std::uint64_t joined = 0;
    for (const auto& die : player.dies)
        joined += die->counters().array.joined;
    CHECK((joined > 50) == planes);
    CHECK((player.interface.suspensions() > 10) == (suspend == Suspend::Both));
    CHECK(player.interface.queued() == 0);
}

TEST_CASE("pages of a word line have one outcome, even if the die refuses only one of them")
{
    std::vector<nand::Operation> ops;
    for (const nand::PageAddress target : {nand::PageAddress{2, 0}, {2, 1}, {2, 2}, {5, 0}, {5, 1}, {5, 2}})
        ops.push_back(at(Opcode::Program, target));
    std::vector<Waiting> pages;
    for (nand::Operation& op : ops)
        pages.push_back({&op});
    orderRequests(wordLinePart().geometry, pages);
    CHECK(ops[0].form == Form::WordLinePlane);
    CHECK(ops[3].form == Form::WordLinePage);
    CHECK(ops[2].form == Form::Plane);
    CHECK(ops[5].form == Form::LastPlane);
    for (nand::Operation& op : ops)
        op.status = nand::Status::Ok;
    ops[1].status = nand::Status::Illegal;
    ops[1].reason = nand::IllegalReason::ColumnOutOfRange;
    orderResponses(pages);
    CHECK(pages[0].op == &ops[2]); // which the status answers for
    CHECK(pages[1].op == &ops[0]);
    CHECK(pages[3].op == &ops[5]);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(ops[i].reason == nand::IllegalReason::ColumnOutOfRange);
        CHECK(ops[i + 3].status == nand::Status::Ok);
    }
}
