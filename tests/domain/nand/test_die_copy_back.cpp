// SPDX-License-Identifier: Apache-2.0
//
// Copy-back in halves: what is replaced on the way, what stays.
#include "tests/domain/nand/die_helpers.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::nand;
using namespace strobe::nand::test;

namespace {

Operation half(Form form, Operation op)
{
    op.form = form;
    return op;
}

struct Halves : Bench {
    PageTags source = tagsOf(40, 1);
    PageTags fresh = tagsOf(40, 2);

    Halves()
    {
        run(makeProgram({2, 0}, source));
        die.resetCounters();
    }
    Operation both(std::uint64_t replaced, bool replacesSpare = false)
    {
        Operation op = makeCopyBack({2, 0}, {4, 0});
        op.data = contentOf(fresh);
        op.replaced = replaced;
        op.replacesSpare = replacesSpare;
        op.spare = {9, 9, 9, 9};
        op = run(half(Form::CopyOut, op));
        CHECK(op.status == Status::Ok);
        CHECK_FALSE(op.blank);
        return run(half(Form::CopyIn, op));
    }
};

} // namespace

TEST_CASE("the halves of a copy-back take tR and tPROG, and count as a read and a program")
{
    Halves bench;
    const Time start = bench.now;
    const Operation out = bench.run(half(Form::CopyOut, makeCopyBack({2, 0}, {4, 0})));
    CHECK(out.ready == start + 25us);
    CHECK(bench.die.block(4).nextPage == 0);
    const Operation in = bench.run(half(Form::CopyIn, out));
    CHECK(in.ready == out.ready + 200us);
    CHECK(in.status == Status::Ok);
    CHECK(bench.die.counters().array.reads == 1);
    CHECK(bench.die.counters().array.programs == 1);
    CHECK(bench.die.counters().array.copyBacks == 0);
}

TEST_CASE("only the sectors named are replaced, and the spare record only on request")
{
    Halves bench;
    const bool replacesSpare = GENERATE(false, true);
    CHECK(bench.both(0b1010, replacesSpare).status == Status::Ok);
    PageTags found{};
    const Operation read = bench.read({4, 0}, found);
    CHECK(found == PageTags{bench.source[0], bench.fresh[1], bench.source[2], bench.fresh[3]});
    CHECK(read.spare == (replacesSpare ? Spare{9, 9, 9, 9} : Spare{1, 2, 3, 4}));
    bench.read({2, 0}, found);
    CHECK(found == bench.source);
}

TEST_CASE("a copy-out of a blank page reports that it is blank")
{
    Halves bench;
    const Operation op = bench.run(half(Form::CopyOut, makeCopyBack({2, 1}, {4, 0})));
    CHECK(op.status == Status::Ok);
    CHECK(op.blank);
}

TEST_CASE("a copy-in needs its source in the page register")
{
    Halves bench;
    Operation op = bench.run(half(Form::CopyIn, makeCopyBack({2, 0}, {4, 0})));
    CHECK(op.reason == IllegalReason::CacheSequence);
    bench.run(half(Form::CopyOut, makeCopyBack({2, 0}, {4, 0})));
    bench.run(half(Form::CopyOut, makeCopyBack({2, 1}, {4, 0})));
    op = bench.run(half(Form::CopyIn, makeCopyBack({2, 0}, {4, 0})));
    CHECK(op.reason == IllegalReason::CacheSequence);
    CHECK(bench.die.block(4).nextPage == 0);
}

TEST_CASE("a target that may not be programmed refuses even the first half")
{
    Halves bench;
    CHECK(bench.run(half(Form::CopyOut, makeCopyBack({2, 0}, {2, 0}))).reason == IllegalReason::PageNotErased);
    CHECK(bench.run(half(Form::CopyOut, makeCopyBack({2, 0}, {3, 0}))).reason == IllegalReason::PlaneMismatch);
}

TEST_CASE("a reset between the halves, or in the first, harms no page; in the second it corrupts the target")
{
    Halves bench;
    Operation op = half(Form::CopyOut, makeCopyBack({2, 0}, {4, 0}));
    bench.die.issue(op, bench.now);
    Operation reset = make(Opcode::Reset);
    bench.now = bench.die.issue(reset, bench.now + 10us);
    CHECK(bench.die.block(4).nextPage == 0);
    PageTags found{};
    bench.read({2, 0}, found);
    CHECK(found == bench.source);

    op = bench.run(half(Form::CopyOut, makeCopyBack({2, 0}, {4, 0})));
    op.form = Form::CopyIn;
    bench.die.issue(op, bench.now);
    reset = make(Opcode::Reset);
    bench.now = bench.die.issue(reset, bench.now + 10us);
    bench.read({4, 0}, found);
    CHECK(found == PageTags{});
    CHECK(bench.die.counters().array.aborted == 2);
}

TEST_CASE("a worn block fails the second half")
{
    Halves bench;
    bench.die.wearOut(4);
    CHECK(bench.both(1).status == Status::ProgramFailed);
}
