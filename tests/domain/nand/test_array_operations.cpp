// SPDX-License-Identifier: Apache-2.0
//
// The steps that commands are made of: effects, times, counters, faults, the observer.
#include "models/nand/array_operations.h"
#include "tests/domain/nand/state_bench.h"
#include "tests/support/catch.h"

#include <vector>

using namespace strobe;
using namespace strobe::nand;
using namespace strobe::nand::test;

namespace {

struct Log final : DieObserver {
    void programmed(DieId die, const DieCells& cells, const Operation& op) override
    {
        lines.push_back({die, Opcode::Program, op.target, cells.isProgrammed(op.target)});
    }
    void erased(DieId die, const DieCells& cells, const Operation& op) override
    {
        lines.push_back({die, Opcode::Erase, op.target, cells.isProgrammed({op.target.block, 0})});
    }
    struct Line {
        DieId die;
        Opcode opcode;
        PageAddress page;
        bool isProgrammed;
    };
    std::vector<Line> lines;
};

} // namespace

TEST_CASE("a command keeps the array at work for the time of its kind")
{
    StateBench bench;
    bench.part.pageTypes = {{"LSB", 25us, 150us}, {"MSB", 50us, 350us}};
    CHECK(arrayTime(bench.die, make(Opcode::Read, {0, 1})) == 50us);
    CHECK(arrayTime(bench.die, make(Opcode::Program, {0, 1})) == 350us);
    CHECK(arrayTime(bench.die, makeCopyBack({0, 0}, {2, 1})) == 25us + 350us);
    CHECK(arrayTime(bench.die, make(Opcode::Erase)) == 2ms);
}

TEST_CASE("R/B# rises after the busy time, and the array is done later if it works on")
{
    StateBench bench;
    Operation op = make(Opcode::Program, {0, 0});
    CHECK(enterArray(bench.die, op, 1ms, 4us, 200us) == 1ms + 4us);
    CHECK(op.ready == 1ms + 4us);
    CHECK(op.arrayEnd == 1ms + 204us);
    CHECK(op.statusByte == (statusNotProtected | statusReady));
    CHECK(bench.die.counters.array.arrayBusy == 204us);
    CHECK(bench.die.array.running().target == PageAddress{0, 0});
}

TEST_CASE("a program and a read of it: contents, register, counters")
{
    StateBench bench;
    const Operation program = bench.program({2, 0});
    CHECK(program.status == Status::Pending); // who issues it says Ok; only a failure is written here
    CHECK(bench.holds({2, 0}));
    const Operation read = bench.start(make(Opcode::Read, {2, 0}));
    CHECK_FALSE(read.blank);
    CHECK_FALSE(read.torn);
    CHECK(read.bitErrors == 0);
    CHECK(read.accesses == 0);
    CHECK(read.ready == 1ms + 200us + 25us);
    CHECK(bench.die.registers.isLoaded({2, 0}));
    CHECK(bench.die.counters.array.programs == 1);
    CHECK(bench.die.counters.array.reads == 1);
    CHECK(bench.start(make(Opcode::Read, {2, 1})).blank);
}

TEST_CASE("a command frees all page registers, a program without a command that of its plane alone")
{
    StateBench bench;
    for (const std::uint32_t block : {0U, 1U}) {
        Operation read = make(Opcode::Read, {block, 0});
        readPage(bench.die, read, bench.now);
    }
    REQUIRE(bench.die.registers.isLoaded({0, 0}));
    Operation program = make(Opcode::Program, {2, 0}); // plane 0
    programPage(bench.die, program, bench.now);
    CHECK_FALSE(bench.die.registers.isLoaded({0, 0}));
    CHECK(bench.die.registers.isLoaded({1, 0}));
    beginCommand(bench.die, bench.now);
    CHECK_FALSE(bench.die.registers.isLoaded({1, 0}));
}

TEST_CASE("a copy-back copies contents and record and counts as one")
{
    StateBench bench;
    bench.program({0, 0});
    bench.start(makeCopyBack({0, 0}, {2, 0}));
    PageTags found{};
    REQUIRE(bench.die.cells.peek({2, 0}, contentOf(found)));
    CHECK(found == StateBench::tagsAt({0, 0}));
    CHECK(bench.die.cells.spareOf({2, 0}) == Spare{0, 0, 7, 8});
    CHECK(bench.die.counters.array.copyBacks == 1);
    CHECK(bench.die.counters.array.programs == 1);
    CHECK(bench.die.counters.array.reads == 0);
}

TEST_CASE("an erase empties its block and counts there")
{
    StateBench bench;
    bench.program({2, 0});
    const Operation erase = bench.start(make(Opcode::Erase, {2, 0}));
    CHECK(erase.ready == 1ms + 200us + 2ms);
    CHECK(bench.die.cells.isClean({2, 0}));
    CHECK(bench.die.cells.block(2).erases == 1);
    CHECK(bench.die.counters.array.erases == 1);
}

TEST_CASE("programs and erases of a worn block fail, with the FAIL bit, and are counted")
{
    StateBench bench;
    bench.die.cells.wearOut(2);
    const Operation program = bench.program({2, 0});
    CHECK(program.status == Status::ProgramFailed);
    CHECK((program.statusByte & statusFail) != 0);
    CHECK(bench.start(make(Opcode::Erase, {2, 0})).status == Status::EraseFailed);
    CHECK(bench.die.counters.array.failed == 2);
    CHECK((bench.program({4, 0}).statusByte & statusFail) == 0); // the next one starts afresh
}

TEST_CASE("planned faults: failures, bit errors, dead flash")
{
    StateBench bench;
    bench.program({0, 0});
    plan(bench.die, faultOf(FlashFaultKind::ProgramFail));
    CHECK(bench.program({2, 0}).status == Status::ProgramFailed);
    plan(bench.die, faultOf(FlashFaultKind::EraseFail));
    CHECK(bench.start(make(Opcode::Erase, {4, 0})).status == Status::EraseFailed);
    plan(bench.die, faultOf(FlashFaultKind::BitErrors));
    CHECK(bench.start(make(Opcode::Read, {0, 0})).bitErrors == 100);
    CHECK(bench.start(make(Opcode::Read, {6, 0})).bitErrors == 0); // blank
    plan(bench.die, faultOf(FlashFaultKind::Dead));
    const Operation dead = bench.start(make(Opcode::Read, {0, 0}));
    CHECK(dead.torn);
    CHECK_FALSE(dead.blank);
    CHECK(bench.die.registers.stateOf({0, 0}) == PageRegisters::State::Lost);
}

TEST_CASE("a copy-back from a dead plane leaves a page beyond correction")
{
    StateBench bench;
    bench.program({0, 0});
    FlashFault fault = faultOf(FlashFaultKind::Dead);
    fault.block = 0;
    plan(bench.die, fault);
    CHECK(bench.start(makeCopyBack({0, 0}, {2, 0})).status == Status::Pending);
    CHECK(bench.die.cells.isTorn({2, 0}));
}

TEST_CASE("a page of PCM is accessed as often as its length requires, a soft read senses several times")
{
    StateBench bench;
    CHECK(bench.start(make(Opcode::Read)).accesses == 0);
    Operation soft = make(Opcode::Read);
    soft.senses = 3;
    CHECK(bench.start(soft).accesses == 2);
    bench.part.accessBytes = 512;
    CHECK(bench.start(make(Opcode::Read)).accesses == 3);
}

TEST_CASE("the observer is called for programs and erases, with the cells as they are then")
{
    StateBench bench;
    Log log;
    bench.die.observer = &log;
    bench.program({0, 0});
    bench.start(makeCopyBack({0, 0}, {2, 0}));
    bench.start(make(Opcode::Read, {0, 0}));
    bench.start(make(Opcode::Erase, {2, 0}));
    REQUIRE(log.lines.size() == 3);
    CHECK(log.lines[0].page == PageAddress{0, 0});
    CHECK(log.lines[0].die == DieId{3});
    CHECK(log.lines[0].isProgrammed);
    CHECK(log.lines[1].page == PageAddress{2, 0});
    CHECK(log.lines[1].isProgrammed);
    CHECK(log.lines[2].opcode == Opcode::Erase);
    CHECK_FALSE(log.lines[2].isProgrammed);
}

TEST_CASE("a snap read takes its own time and is counted as such")
{
    StateBench bench;
    bench.part.snapRead = {1024, 10us};
    Operation half = make(Opcode::Read);
    half.sectors = 2;
    CHECK(bench.start(half).ready == 1ms + 10us);
    half.firstSector = 1; // in both sections
    CHECK(bench.start(half).ready == 1ms + 10us + 25us);
    CHECK(bench.die.counters.snapReads.reads == 1);
    CHECK(bench.die.counters.array.reads == 2);
}
