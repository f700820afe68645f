// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/nand/joined_bench.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::nand;
using namespace strobe::nand::test;

TEST_CASE("a suspended operation ends later by the suspension and by the times to suspend and to resume")
{
    struct Row {
        Opcode opcode;
        Time stop, again;
    };
    const Row row = GENERATE(Row{Opcode::Program, 7us, 13us}, Row{Opcode::Erase, 11us, 17us});
    Joined bench;
    Operation op = make(row.opcode, {2, 0});
    const Time start = bench.now;
    const Time end = bench.die.issue(op, start);
    op.form = Form::Suspend;
    CHECK(bench.die.issue(op, start + 50us) == start + 50us + row.stop);
    CHECK(bench.die.isSuspended());
    CHECK(op.status == Status::Ok);

    Operation read = make(Opcode::Read, {3, 0});
    CHECK(bench.die.issue(read, op.ready) == op.ready + 25us);
    CHECK(read.status == Status::Ok);
    const Time resumed = read.ready + 5us;
    op.form = Form::Resume;
    CHECK(bench.die.issue(op, resumed) == resumed + row.again + (end - start - 50us));
    CHECK_FALSE(bench.die.isSuspended());
    CHECK(bench.die.counters().array.suspends == 1);
    CHECK(bench.die.counters().array.arrayBusy == (end - start) + row.stop + row.again + 25us);
}

TEST_CASE("while suspended only reads of other blocks are legal")
{
    Joined bench;
    Operation erase = make(Opcode::Erase, {2, 0});
    bench.die.issue(erase, bench.now);
    erase.form = Form::Suspend;
    bench.now = bench.die.issue(erase, bench.now + 100us);
    CHECK(bench.whyNot(make(Opcode::Read, {3, 0})) == IllegalReason::None);
    CHECK(bench.whyNot(make(Opcode::Read, {2, 1})) == IllegalReason::Suspended);
    CHECK(bench.whyNot(make(Opcode::Program, {3, 0})) == IllegalReason::Suspended);
    CHECK(bench.whyNot(make(Opcode::Erase, {3, 0})) == IllegalReason::Suspended);
    CHECK(bench.whyNot(in(Form::Suspend, make(Opcode::Erase, {2, 0}))) == IllegalReason::Suspended);
    CHECK(bench.whyNot(make(Opcode::Reset)) == IllegalReason::None);
}

TEST_CASE("an operation is suspended only while it is in the array, and only so many times")
{
    Joined bench;
    CHECK(bench.whyNot(in(Form::Suspend, make(Opcode::Program, {2, 0}))) == IllegalReason::Suspended);
    CHECK(bench.whyNot(in(Form::Resume, make(Opcode::Program, {2, 0}))) == IllegalReason::Suspended);
    Operation program = make(Opcode::Program, {2, 0});
    bench.die.issue(program, bench.now);
    for (int i = 0; i < 2; ++i) {
        program.form = Form::Suspend;
        bench.now = bench.die.issue(program, bench.now + 1us);
        program.form = Form::Resume;
        bench.die.issue(program, bench.now);
    }
    CHECK(bench.whyNot(in(Form::Suspend, make(Opcode::Program, {2, 0}))) == IllegalReason::Suspended);
    bench.now = program.ready;
    Operation next = make(Opcode::Program, {2, 1}); // a new one may be suspended again
    bench.die.issue(next, bench.now);
    CHECK(bench.whyNot(in(Form::Suspend, make(Opcode::Program, {2, 1}))) == IllegalReason::None);
}

TEST_CASE("a reset while suspended corrupts what was suspended")
{
    Joined bench;
    PageTags tags = tagsOf(8, 1);
    Operation program = makeProgram({2, 0}, tags);
    bench.die.issue(program, bench.now);
    program.form = Form::Suspend;
    bench.now = bench.die.issue(program, bench.now + 1us);
    const Time start = bench.now;
    CHECK(bench.run(make(Opcode::Reset)).ready == start + 10us);
    CHECK_FALSE(bench.die.isSuspended());
    PageTags out{};
    CHECK_FALSE(bench.read({2, 0}, out).blank);
    CHECK(out == PageTags{});
}
