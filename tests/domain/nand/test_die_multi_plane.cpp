// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/nand/joined_bench.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::nand;
using namespace strobe::nand::test;

TEST_CASE("the array works on all planes at once, from the last one's command on")
{
    struct Row {
        Opcode opcode;
        Time busy;
    };
    const Row row = GENERATE(Row{Opcode::Read, 25us}, Row{Opcode::Program, 200us}, Row{Opcode::Erase, 2ms});
    Joined bench;
    const Time start = bench.now;
    const Operation first = bench.plane(Form::Plane, row.opcode, {2, 0});
    CHECK(first.status == Status::Ok);
    CHECK(first.ready == start + 1us);
    const Operation last = bench.plane(Form::LastPlane, row.opcode, {5, 0}); // plane 1, another block number
    CHECK(last.status == Status::Ok);
    CHECK(last.ready == start + 1us + row.busy);
    CHECK(bench.die.counters().array.joined == 1);
    CHECK(bench.die.counters().array.arrayBusy == 1us + row.busy);
}

TEST_CASE("each plane keeps its own data, and a multi-plane read delivers both")
{
    Joined bench;
    PageTags a = tagsOf(40, 1);
    PageTags b = tagsOf(80, 2);
    bench.run(in(Form::Plane, makeProgram({2, 0}, a, {1, 1, 1, 1})));
    bench.run(in(Form::LastPlane, makeProgram({3, 0}, b, {2, 2, 2, 2})));

    PageTags outA{};
    PageTags outB{};
    Operation readA = make(Opcode::Read, {2, 0});
    readA.data = contentOf(outA);
    Operation readB = make(Opcode::Read, {3, 0});
    readB.data = contentOf(outB);
    readA = bench.run(in(Form::Plane, readA));
    readB = bench.run(in(Form::LastPlane, readB));
    bench.die.fetch(readA);
    bench.die.fetch(readB);
    CHECK(outA == a);
    CHECK(outB == b);
    CHECK(readB.spare == Spare{2, 2, 2, 2});
}

TEST_CASE("the part decides which planes may be combined")
{
    struct Row {
        MultiPlaneRule rule;
        Opcode opcode;
        PageAddress second;
        bool allowed;
    };
    const Row row =
        GENERATE(Row{MultiPlaneRule::SamePage, Opcode::Program, {5, 1}, true},          // another block, same page
                 Row{MultiPlaneRule::SamePage, Opcode::Program, {3, 2}, false},         // another page
                 Row{MultiPlaneRule::SamePage, Opcode::Program, {4, 1}, false},         // the same plane
                 Row{MultiPlaneRule::SameBlockAndPage, Opcode::Program, {3, 1}, true},  // block 1 of both planes
                 Row{MultiPlaneRule::SameBlockAndPage, Opcode::Program, {5, 1}, false}, // block 2 of the other
                 Row{MultiPlaneRule::SamePage, Opcode::Erase, {7, 3}, true},            // an erase has no page
                 Row{MultiPlaneRule::SameBlockAndPage, Opcode::Erase, {7, 3}, false},
                 Row{MultiPlaneRule::SamePage, Opcode::Read, {1, 2}, false});
    Joined bench;
    bench.part.multiPlane = row.rule;
    bench.plane(Form::Plane, row.opcode, {2, 1});
    const Operation second = in(Form::LastPlane, make(row.opcode, row.second));
    CHECK(bench.whyNot(second) == (row.allowed ? IllegalReason::None : IllegalReason::MultiPlane));
}

TEST_CASE("a part without multi-plane commands, or with one plane, refuses them")
{
    Joined bench;
    bench.part.multiPlane = MultiPlaneRule::None;
    CHECK(bench.whyNot(in(Form::Plane, make(Opcode::Read))) == IllegalReason::MultiPlane);
    bench.part.multiPlane = MultiPlaneRule::SamePage;
    CHECK(bench.whyNot(in(Form::Plane, make(Opcode::Read))) == IllegalReason::None);
}

TEST_CASE("between the planes of a command nothing else is accepted but status and reset")
{
    Joined bench;
    bench.plane(Form::Plane, Opcode::Program, {2, 0});
    CHECK(bench.whyNot(make(Opcode::Read, {5, 0})) == IllegalReason::MultiPlane);
    CHECK(bench.whyNot(in(Form::LastPlane, make(Opcode::Erase, {5, 0}))) == IllegalReason::MultiPlane);
    CHECK(bench.whyNot(make(Opcode::ReadId)) == IllegalReason::MultiPlane);
    CHECK(bench.whyNot(make(Opcode::ReadStatus)) == IllegalReason::None);
    CHECK(bench.whyNot(make(Opcode::Reset)) == IllegalReason::None);
}

TEST_CASE("a refused last plane starts the array for the planes before it")
{
    Joined bench;
    bench.run(make(Opcode::Program, {3, 0}));
    const Time start = bench.now;
    bench.plane(Form::Plane, Opcode::Program, {2, 0});
    const Operation twice = bench.plane(Form::LastPlane, Opcode::Program, {3, 0});
    CHECK(twice.status == Status::Illegal);
    CHECK(twice.reason == IllegalReason::PageNotErased);
    CHECK(twice.ready == start + 1us + 200us);
    CHECK(bench.die.block(2).nextPage == 1);
    CHECK(bench.die.counters().array.illegal == 1);
    CHECK(bench.whyNot(make(Opcode::Read, {5, 0})) == IllegalReason::None); // the command is over
}

TEST_CASE("a refused first plane leaves the last one alone")
{
    Joined bench;
    bench.run(make(Opcode::Program, {2, 0}));
    CHECK(bench.plane(Form::Plane, Opcode::Program, {2, 0}).reason == IllegalReason::PageNotErased);
    const Time start = bench.now;
    const Operation last = bench.plane(Form::LastPlane, Opcode::Program, {3, 0});
    CHECK(last.status == Status::Ok);
    CHECK(last.ready == start + 200us);
}

TEST_CASE("a worn block fails its own plane and sets the FAIL bit of the command")
{
    Joined bench;
    bench.die.wearOut(2);
    CHECK(bench.plane(Form::Plane, Opcode::Program, {2, 0}).status == Status::ProgramFailed);
    const Operation last = bench.plane(Form::LastPlane, Opcode::Program, {3, 0});
    CHECK(last.status == Status::Ok);
    CHECK((last.statusByte & statusFail) != 0);
}

TEST_CASE("a reset corrupts every plane that is latched or in the array")
{
    const bool isLatchedOnly = GENERATE(true, false);
    Joined bench;
    PageTags tags = tagsOf(8, 1);
    bench.run(in(Form::Plane, makeProgram({2, 0}, tags)));
    if (!isLatchedOnly) {
        Operation last = in(Form::LastPlane, makeProgram({3, 0}, tags));
        bench.die.issue(last, bench.now);
    }
    Operation reset = make(Opcode::Reset);
    CHECK(bench.die.issue(reset, bench.now) == bench.now + 10us);
    bench.now = reset.ready;
    PageTags out{};
    CHECK(bench.read({2, 0}, out).blank == false); // corrupted, not erased
    CHECK(out == PageTags{});
    CHECK(bench.read({3, 0}, out).blank == isLatchedOnly);
    CHECK(out == PageTags{});
}
