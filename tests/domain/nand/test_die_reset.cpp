// SPDX-License-Identifier: Apache-2.0
//
// Reset (FFh): its duration and its effect on contents depend on what it interrupts.
#include "tests/domain/nand/die_helpers.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::nand;
using namespace strobe::nand::test;

namespace {

// Starts `op`, lets the array work for 1 us and resets.
Operation resetDuring(Bench& bench, Operation op)
{
    bench.die.issue(op, bench.now);
    bench.now += 1us;
    return bench.run(make(Opcode::Reset));
}

} // namespace

TEST_CASE("the duration of a reset depends on what it interrupts")
{
    struct Row {
        Opcode opcode;
        Time recovery;
    };
    const Row row = GENERATE(Row{Opcode::Read, 6us}, Row{Opcode::Program, 10us}, Row{Opcode::CopyBack, 10us},
                             Row{Opcode::Erase, 500us}, Row{Opcode::ReadStatus, 5us});
    Bench bench;
    const Time start = bench.now;
    const Operation reset = resetDuring(bench, make(row.opcode, {2, 0}));
    CHECK(reset.status == Status::Ok);
    CHECK(reset.ready == start + 1us + row.recovery);
    CHECK(bench.die.readyAt() == reset.ready);
    const bool interrupted = row.opcode != Opcode::ReadStatus;
    CHECK(bench.die.counters().array.aborted == (interrupted ? 1 : 0));
    CHECK(bench.die.counters().array.arrayBusy == row.recovery + (interrupted ? 1us : 0us));
}

TEST_CASE("a reset during a reset does not start it again")
{
    Bench bench;
    const Time start = bench.now;
    Operation first = make(Opcode::Reset);
    bench.die.issue(first, start);
    Operation second = make(Opcode::Reset);
    CHECK(bench.die.issue(second, start + 2us) == start + 5us);
    CHECK(bench.die.counters().array.arrayBusy == 5us);
    CHECK(bench.die.counters().array.aborted == 0);
}

TEST_CASE("a program cut short by a reset leaves its page programmed with unreliable contents")
{
    Bench bench;
    PageTags tags = tagsOf(8, 3);
    const bool copyBack = GENERATE(false, true);
    bench.run(makeProgram({0, 0}, tags));
    resetDuring(bench, copyBack ? makeCopyBack({0, 0}, {2, 0}) : makeProgram({2, 0}, tags));

    PageTags out{};
    const Operation read = bench.read({2, 0}, out);
    CHECK(out == PageTags{});
    CHECK(read.spare == blankSpare);
    CHECK_FALSE(read.blank);
    CHECK(bench.whyNot(make(Opcode::Program, {2, 0})) == IllegalReason::PageNotErased);
    CHECK(bench.whyNot(make(Opcode::Program, {2, 1})) == IllegalReason::None);
    bench.read({0, 0}, out);
    CHECK(out == tags); // others are untouched
}

TEST_CASE("an erase cut short by a reset leaves no page of the block clean until the next erase")
{
    Bench bench;
    PageTags tags = tagsOf(8, 3);
    bench.run(makeProgram({2, 0}, tags));
    resetDuring(bench, make(Opcode::Erase, {2, 0}));

    PageTags out{};
    CHECK_FALSE(bench.read({2, 0}, out).blank);
    CHECK(out == PageTags{});
    CHECK_FALSE(bench.read({2, 3}, out).blank);
    CHECK(bench.whyNot(make(Opcode::Program, {2, 0})) == IllegalReason::PageNotErased);
    bench.run(make(Opcode::Erase, {2, 0}));
    CHECK(bench.whyNot(make(Opcode::Program, {2, 0})) == IllegalReason::None);
    CHECK(bench.read({2, 0}, out).blank);
}

TEST_CASE("a read cut short by a reset delivers blank sectors and leaves the page as it was")
{
    Bench bench;
    PageTags tags = tagsOf(8, 3);
    bench.run(makeProgram({2, 0}, tags));
    PageTags out = tagsOf(1, 1);
    Operation read = make(Opcode::Read, {2, 0});
    read.data = contentOf(out);
    bench.die.issue(read, bench.now);
    bench.run(make(Opcode::Reset));
    bench.die.fetch(read);
    CHECK(out == PageTags{});
    CHECK(read.spare == blankSpare);
    bench.read({2, 0}, out);
    CHECK(out == tags);
}

TEST_CASE("a reset clears the FAIL bit")
{
    Bench bench;
    bench.die.wearOut(2);
    CHECK(bench.run(make(Opcode::Program, {2, 0})).statusByte == 0xE1);
    CHECK(bench.run(make(Opcode::Reset)).statusByte == 0xE0);
    CHECK(bench.run(make(Opcode::ReadStatus)).statusByte == 0xE0);
}

TEST_CASE("a reset after the counters were started again never counts less than nothing")
{
    Bench bench;
    Operation erase = make(Opcode::Erase, {2, 0});
    bench.die.issue(erase, bench.now);
    bench.now += 1us;
    bench.die.resetCounters();
    bench.run(make(Opcode::Reset));
    CHECK(bench.die.counters().array.arrayBusy == 500us);
}

TEST_CASE("the operation in the array is reported while R/B# is low")
{
    Bench bench;
    CHECK(bench.die.running(bench.now) == nullptr);
    Operation program = make(Opcode::Program, {5, 0});
    const Time ready = bench.die.issue(program, bench.now);
    const Die::Running* running = bench.die.running(ready - picoseconds(1));
    REQUIRE(running != nullptr);
    CHECK(running->opcode == Opcode::Program);
    CHECK(running->target == PageAddress{5, 0});
    CHECK(running->ready == ready);
    CHECK(bench.die.running(ready) == nullptr);
}
