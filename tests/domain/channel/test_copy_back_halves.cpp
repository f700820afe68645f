// SPDX-License-Identifier: Apache-2.0
//
// Copy-back in halves on a channel. With the round part: copy-out request 40 ns, its spare record 30 + 160 ns; copy-in
// request 40 ns, with a sector 5,160 ns more (tADL is 0), status 20 ns; tR 1 us, tPROG 2 us.
#include "tests/domain/channel/bus_player.h"
#include "tests/domain/channel/parts.h"
#include "tests/domain/channel/train_player.h"

using namespace strobe;
using namespace strobe::channel;
using namespace strobe::channel::test;
using nand::Form;
using nand::Opcode;
using Phases = std::vector<std::string>;

namespace {

nand::Operation copyBack(std::uint64_t replaced = 0)
{
    nand::Operation op = operation(Opcode::CopyBack);
    op.form = Form::CopyOut;
    op.replaced = replaced;
    op.status = nand::Status::Ok; // the die's word
    return op;
}
nand::Operation read()
{
    return operation(Opcode::Read, 1);
}
nand::Operation foreground(nand::Operation op)
{
    op.priority = nand::Priority::Foreground;
    return op;
}

const BusSchedule& roundSchedule()
{
    static const BusSchedule schedule(roundTiming(), roundPart());
    return schedule;
}

} // namespace

TEST_CASE("a copy-back in halves has the bus three times")
{
    BusPlayer player(roundSchedule(), 1, SegmentOrder::CommandsFirst);
    auto& op = player.add(0, 0ns, copyBack(1));
    player.play();
    CHECK(player.phases() ==
          Phases{"0 request 0-40", "0 response 1040-1230", "0 request 1230-6390", "0 response 8390-8410"});
    CHECK(op.done == 8410ns);
    CHECK(op.requestStart == 0ns);
    CHECK(player.interface.die(0).usage().busy == 8410ns);
    CHECK(player.interface.die(0).usage().jobs == 1);
    CHECK(player.interface.finished() == 1);
}

TEST_CASE("another die has the bus while the first half is in the array, as in figure 7b")
{
    BusPlayer player(roundSchedule(), 2, SegmentOrder::CommandsFirst);
    player.add(0, 0ns, copyBack());
    player.add(1, 0ns, operation(Opcode::Erase));
    player.play();
    CHECK(player.phases() == Phases{"0 request 0-40", "1 request 40-70", "0 response 1040-1230", "0 request 1230-1270",
                                    "1 response 3070-3090", "0 response 3270-3290"});
}

TEST_CASE("a foreground read of the same die waits for both halves, one of another die for a segment, as in figure 8")
{
    BusPlayer same(roundSchedule(), 1, SegmentOrder::CommandsFirst);
    same.add(0, 0ns, copyBack(1));
    same.add(0, 0ns, operation(Opcode::Program, 1)); // waits, and is passed
    same.add(0, 100ns, foreground(read()));
    same.play();
    REQUIRE(same.tenures.size() == 8);
    CHECK(same.tenures[4].start == 8410ns);
    CHECK(same.tenures[4].op->opcode == Opcode::Read);

    BusPlayer other(roundSchedule(), 2, SegmentOrder::CommandsFirst);
    other.add(0, 0ns, copyBack(1));
    other.add(0, 0ns, operation(Opcode::Program, 1));
    other.add(1, 2000ns, foreground(read())); // while the sector goes in
    other.play();
    CHECK(other.phases() == Phases{"0 request 0-40", "0 response 1040-1230", "0 request 1230-6390",
                                   "1 request 6390-6430", "1 response 7430-12550", "0 response 12550-12570",
                                   "0 request 12570-17730", "0 response 19730-19750"});
}

TEST_CASE("a first half that finds a blank page, or is refused, is the whole operation")
{
    NandInterface interface(roundSchedule(), 1, SegmentOrder::CommandsFirst);
    for (const bool isBlank : {true, false}) {
        nand::Operation op = copyBack(1);
        const Time start = isBlank ? 0ns : 10000ns;
        interface.submit(0, op, start);
        REQUIRE(interface.next(start));
        op.status = isBlank ? nand::Status::Ok : nand::Status::Illegal;
        op.blank = isBlank;
        interface.arrayFinished(0, start + 1040ns);
        REQUIRE(interface.next(start + 1040ns));
        CHECK(interface.finish(0, start + 1230ns));
        CHECK(interface.isIdle());
        CHECK(op.done == start + 1230ns);
    }
}

TEST_CASE("the bus time of a copy-in is the sum of its segments, whatever is replaced")
{
    for (const nand::Part& part : parts()) {
        InterfaceTiming timing = resolveTiming(InterfaceKind::Proposed, table2, {});
        timing.tCS = 35ns;
        timing.tADL = 100ns;
        timing.dataInPreamble = 7ns;
        timing.dataInPostamble = 11ns;
        const BusSchedule schedule(timing, part);
        for (const std::uint64_t replaced : {0b0000U, 0b0001U, 0b0110U, 0b1011U, 0b1111U, 0b0101U}) {
            for (const bool replacesSpare : {false, true}) {
                nand::Operation op = copyBack(replaced);
                op.form = Form::CopyIn;
                op.replacesSpare = replacesSpare;
                Time sum{};
                for (const Segment& segment : schedule.requestSegments(op))
                    sum += segment.duration;
                CHECK(schedule.copyInTime(op) == sum);
            }
        }
        nand::Operation op = copyBack(0b101); // 85h column row tADL sector, 85h column tADL sector, 10h
        op.form = Form::CopyIn;
        const Time sector = schedule.dataInTime(schedule.dataBytes(1));
        CHECK(schedule.copyInTime(op) == 35ns + timing.cycle * (2 + part.columnCycles + part.rowCycles) + 100ns +
                                             sector + timing.cycle * (1 + part.columnCycles) + 100ns + sector);
    }
}

TEST_CASE("trains do not include copy-backs in halves")
{
    JoinPolicy join;
    join.multiPlane = true;
    join.cache = true;
    join.suspend = Suspend::Both;
    NandInterface interface(roundSchedule(), 1, SegmentOrder::CommandsFirst, join);
    nand::Operation op = copyBack(1);
    nand::Operation behind = read();
    interface.submit(0, op, 0ns);
    interface.submit(0, behind, 0ns);
    REQUIRE(interface.next(0ns));
    CHECK(op.form == Form::CopyOut);
    op.status = nand::Status::Ok;
    interface.arrayFinished(0, 1040ns);
    REQUIRE(interface.next(1040ns));
    CHECK_FALSE(interface.finish(0, 1230ns));
    const auto second = interface.next(1230ns);
    REQUIRE(second);
    CHECK(second->op == &op);
    CHECK(second->phase == NandInterface::Phase::Request);
    CHECK(op.form == Form::CopyIn);
    interface.arrayFinished(0, 8390ns);
    REQUIRE(interface.next(8390ns));
    CHECK(interface.finish(0, 8410ns));
    CHECK(interface.next(8410ns)->op == &behind);
}
