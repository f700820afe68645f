// SPDX-License-Identifier: Apache-2.0
//
// Operations without time have the effect and the outcome of those with time, and leave the clock alone.
#include "models/nand/at_once.h"
#include "tests/domain/nand/error_tables.h"
#include "tests/domain/nand/state_bench.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::nand;
using namespace strobe::nand::test;

namespace {

struct AtOnce : StateBench {
    using StateBench::StateBench;

    Operation run(Operation op)
    {
        executeAtOnce(die, op);
        return op;
    }
    Operation write(PageAddress page)
    {
        PageTags tags = tagsAt(page);
        Operation op = run(makeProgram(page, tags));
        op.data = {};
        return op;
    }
};

} // namespace

TEST_CASE("a program, a copy-back, a read and an erase take effect, and no time passes")
{
    AtOnce bench;
    CHECK(bench.write({0, 0}).status == Status::Ok);
    CHECK(bench.holds({0, 0}));
    CHECK(bench.run(makeCopyBack({0, 0}, {2, 0})).status == Status::Ok);
    CHECK(bench.die.cells.isProgrammed({2, 0}));
    CHECK_FALSE(bench.run(make(Opcode::Read, {2, 0})).blank);
    CHECK(bench.run(make(Opcode::Erase, {2, 0})).status == Status::Ok);
    CHECK(bench.die.cells.isClean({2, 0}));
    CHECK_FALSE(bench.die.cells.hasOpenErases());
    CHECK(bench.die.readyAt() == Time{});
    CHECK(bench.die.counters.array.arrayBusy == Time{});
    CHECK(bench.die.counters.array.programs == 1);
    CHECK(bench.die.counters.array.copyBacks == 1);
    CHECK(bench.die.counters.array.reads == 1);
    CHECK(bench.die.counters.array.erases == 1);
}

TEST_CASE("what the rules refuse changes only the counter")
{
    AtOnce bench;
    bench.write({0, 1});
    const Operation refused = bench.write({0, 0});
    CHECK(refused.status == Status::Illegal);
    CHECK(refused.reason == IllegalReason::PageOutOfOrder);
    CHECK(bench.die.cells.isClean({0, 0}));
    CHECK(bench.die.counters.array.illegal == 1);
    CHECK(bench.die.counters.array.programs == 1);
}

TEST_CASE("after a read of a single plane everything is accepted")
{
    AtOnce bench;
    bench.die.planes.begin(0, {0, 0}, 0us, 50us);
    CHECK(bench.write({0, 0}).status == Status::Ok);
    CHECK(bench.run(make(Opcode::Read, {0, 0})).status == Status::Ok);
    CHECK(bench.run(make(Opcode::Erase, {0, 0})).status == Status::Ok);
}

TEST_CASE("a copy-back in halves is whole, unless its source is blank")
{
    AtOnce bench;
    bench.write({0, 0});
    Operation halves = makeCopyBack({0, 0}, {2, 0});
    halves.form = Form::CopyOut;
    halves = bench.run(halves);
    CHECK(halves.form == Form::CopyIn);
    CHECK_FALSE(halves.blank);
    CHECK(bench.die.cells.isProgrammed({2, 0}));
    Operation blank = makeCopyBack({4, 0}, {6, 0});
    blank.form = Form::CopyOut;
    blank = bench.run(blank);
    CHECK(blank.form == Form::CopyOut);
    CHECK(blank.blank);
    CHECK(bench.die.cells.isClean({6, 0}));
}

TEST_CASE("the pages of a word line come one by one")
{
    Part part = smallPart();
    part.geometry.pagesPerProgram = 2;
    AtOnce bench(part);
    CHECK(bench.write({0, 0}).status == Status::Ok);
    CHECK(bench.write({0, 1}).status == Status::Ok);
    CHECK(bench.write({0, 3}).reason == IllegalReason::WordLine);
}

TEST_CASE("a read is taken with any references and leaves those that are set")
{
    Part part = smallPart();
    part.endurance = 1000;
    part.errors = formulaModel();
    part.errors.options.resize(2);
    AtOnce bench(part);
    bench.write({0, 0});
    Operation read = make(Opcode::Read, {0, 0});
    read.readOption = 2;
    read = bench.run(read);
    CHECK(read.status == Status::Ok);
    CHECK(read.form == Form::Alone);
    CHECK(bench.die.condition.readOption() == 0);
}

TEST_CASE("a run of tags is the same as a program of its tags")
{
    AtOnce bench;
    const Spare spare{5, 6, 7, 8};
    CHECK(programRunAtOnce(bench.die, {2, 0}, makeTag(2 * 64, 1), spare, Purpose::Metadata, nullptr));
    CHECK(bench.holds({2, 0}));
    CHECK(bench.die.cells.spareOf({2, 0}) == spare);
    CHECK(bench.die.cells.block(2).metadata);
    CHECK(bench.die.cells.block(2).nextPage == 1);
    CHECK(bench.die.counters.array.programs == 1);
}

TEST_CASE("a run of tags that is not simply accepted changes nothing")
{
    const auto refuses = [](AtOnce& bench) {
        const bool isTaken =
            programRunAtOnce(bench.die, {2, 0}, makeTag(2 * 64, 1), blankSpare, Purpose::Host, nullptr);
        return !isTaken && bench.die.cells.isClean({2, 0}) && bench.die.counters.array.programs == 0;
    };
    AtOnce worn;
    worn.die.cells.wearOut(2);
    CHECK(refuses(worn));
    AtOnce faulty;
    plan(faulty.die, faultOf(FlashFaultKind::ProgramFail));
    CHECK(refuses(faulty));
    AtOnce grouped;
    grouped.die.array.setGroupOpen(true);
    CHECK(refuses(grouped));
    AtOnce suspended;
    suspended.start(make(Opcode::Erase, {4, 0}));
    suspended.die.array.suspend({4, 0}, 1ms + 1us, 11us);
    CHECK(refuses(suspended));
    Part part = smallPart();
    part.endurance = 1000;
    part.errors = formulaModel();
    AtOnce modelled(part);
    CHECK(refuses(modelled));
}
