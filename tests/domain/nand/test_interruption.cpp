// SPDX-License-Identifier: Apache-2.0
//
// Suspension, reset and power loss, below the rules.
#include "models/nand/command_sequences.h"
#include "models/nand/interruption.h"
#include "models/nand/latched_pages.h"
#include "tests/domain/nand/state_bench.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::nand;
using namespace strobe::nand::test;

namespace {

// Resets of smallPart(): idle 5 us, during a read 6 us, a program 10 us, an erase 500 us.
struct Interrupted : StateBench {
    Interrupted()
    {
        part.times.tPSUSP = 7us;
        part.times.tESUSP = 11us;
        part.times.tPRSM = 13us;
        part.times.tERSM = 17us;
    }
    Time suspend(Operation& op, Time at) { return suspendArray(die, op, at); }
};

} // namespace

TEST_CASE("a suspended operation goes on with what was left of it, and what resuming costs")
{
    for (const Opcode opcode : {Opcode::Program, Opcode::Erase}) {
        Interrupted bench;
        const bool isErase = opcode == Opcode::Erase;
        const Time stops = isErase ? 11us : 7us;
        const Time resumes = isErase ? 17us : 13us;
        const Time whole = isErase ? Time{2ms} : Time{200us};
        Operation op = bench.start(make(opcode, {2, 0}));
        CHECK(bench.suspend(op, 1ms + 50us) == 1ms + 50us + stops);
        CHECK(bench.die.array.isSuspended());
        CHECK(bench.die.counters.array.arrayBusy == 50us + stops);
        CHECK(resumeArray(bench.die, op, 2ms) == 2ms + resumes + whole - 50us);
        CHECK_FALSE(bench.die.array.isSuspended());
        CHECK(bench.die.counters.array.arrayBusy == whole + stops + resumes);
        CHECK(bench.die.counters.array.suspends == 1);
        CHECK(op.arrayEnd == op.ready);
    }
}

TEST_CASE("a reset of an idle die takes its shortest time and frees the registers")
{
    Interrupted bench;
    bench.start(make(Opcode::Read, {0, 0}));
    CHECK(resetArray(bench.die, bench.now) == 5us);
    CHECK_FALSE(bench.die.registers.isLoaded({0, 0}));
    CHECK(bench.die.counters.array.resets == 1);
    CHECK(bench.die.counters.array.aborted == 0);
}

TEST_CASE("a reset aborts what is in the array: the page of a program, the block of an erase, a register")
{
    Interrupted bench;
    bench.program({2, 0});
    CHECK(resetArray(bench.die, 1ms + 50us) == 10us);
    CHECK_FALSE(bench.holds({2, 0}));
    CHECK(bench.die.counters.array.arrayBusy == 50us);
    bench.now = 2ms;
    bench.program({4, 0});
    bench.start(make(Opcode::Erase, {4, 0}));
    CHECK(resetArray(bench.die, 3ms) == 500us);
    CHECK_FALSE(bench.die.cells.isClean({4, 0}));
    CHECK_FALSE(bench.holds({4, 0}));
    bench.now = 4ms;
    bench.start(make(Opcode::Read, {0, 0}));
    CHECK(resetArray(bench.die, 4ms + 1us) == 6us);
    CHECK(bench.die.registers.stateOf({0, 0}) == PageRegisters::State::Aborted);
    CHECK(bench.die.counters.array.aborted == 3);
}

TEST_CASE("a reset aborts latched pages and drops the group")
{
    Interrupted bench;
    bench.program({2, 0});
    bench.waitUntilFree();
    Operation op = make(Opcode::Program, {4, 0});
    op.form = Form::Plane;
    const Time latched = latchPage(bench.die, op, bench.now);
    CHECK(resetArray(bench.die, latched) == 10us);
    CHECK_FALSE(bench.die.array.isGroupOpen());
    CHECK_FALSE(bench.die.cells.isClean({4, 0}));
    CHECK(bench.holds({2, 0}));
}

TEST_CASE("a reset aborts what is suspended and what planes sense")
{
    Interrupted bench;
    Operation erase = bench.start(make(Opcode::Erase, {2, 0}));
    const Time stopped = bench.suspend(erase, 1ms + 50us);
    Operation read = make(Opcode::Read, {1, 0});
    read.form = Form::PlaneRead;
    issuePlaneRead(bench.die, read, stopped);
    CHECK(resetArray(bench.die, stopped + 5us) == 500us);
    CHECK_FALSE(bench.die.array.isSuspended());
    CHECK_FALSE(bench.die.cells.isClean({2, 0}));
    CHECK(bench.die.registers.stateOf({1, 0}) == PageRegisters::State::Aborted);
    CHECK(bench.die.planes.areAllReady(stopped + 5us));
    CHECK(bench.die.counters.array.aborted == 2);
    CHECK(bench.die.counters.array.arrayBusy == 50us + 11us + 5us);
}

TEST_CASE("a power loss interrupts what is in the array and leaves finished pages alone")
{
    Interrupted bench;
    bench.program({2, 0});
    bench.waitUntilFree();
    bench.program({2, 1});
    CHECK(cutPower(bench.die, bench.now - 1us) == 1);
    CHECK(bench.holds({2, 0}));
    CHECK_FALSE(bench.holds({2, 1}));
    CHECK_FALSE(bench.die.cells.isClean({2, 1}));
    CHECK(bench.die.readyAt() == Time{});
}

TEST_CASE("a power loss undoes what had not begun: an erase still on its way, latched pages")
{
    Interrupted bench;
    bench.program({2, 0});
    bench.waitUntilFree();
    const Time before = bench.now;
    bench.now += 10us;
    bench.start(make(Opcode::Erase, {2, 0}));
    CHECK(cutPower(bench.die, before) == 0);
    CHECK(bench.holds({2, 0}));
    CHECK(bench.die.cells.block(2).erases == 0);
    CHECK_FALSE(bench.die.cells.hasOpenErases());
    Operation op = make(Opcode::Program, {4, 0});
    op.form = Form::Plane;
    const Time latched = latchPage(bench.die, op, 1ms);
    CHECK(cutPower(bench.die, latched) == 0);
    CHECK(bench.die.cells.isClean({4, 0}));
    CHECK_FALSE(bench.die.array.isGroupOpen());
}

TEST_CASE("after a power loss registers are free and planes are ready")
{
    Interrupted bench;
    Operation read = make(Opcode::Read, {1, 0});
    read.form = Form::PlaneRead;
    issuePlaneRead(bench.die, read, 1ms);
    CHECK(cutPower(bench.die, 1ms + 1us) == 0);
    CHECK_FALSE(bench.die.registers.isLoaded({1, 0}));
    CHECK(bench.die.planes.areAllReady(Time{}));
}
