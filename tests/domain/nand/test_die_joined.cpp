// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/nand/die_helpers.h"
#include "tests/support/catch.h"

#include <vector>

using namespace strobe;
using namespace strobe::nand;
using namespace strobe::nand::test;

namespace {

Operation in(Form form, Operation op)
{
    op.form = form;
    return op;
}

// The small part with waits that differ in every digit.
struct Joined : Bench {
    Joined()
    {
        part.times.tDBSY = 1us;
        part.times.tRCBSY = 3us;
        part.times.tCBSY = 4us;
        part.times.tPSUSP = 7us;
        part.times.tESUSP = 11us;
        part.times.tPRSM = 13us;
        part.times.tERSM = 17us;
        part.maxSuspends = 2;
    }
    Operation plane(Form form, Opcode opcode, PageAddress target) { return run(in(form, make(opcode, target))); }
};

} // namespace

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
    CHECK(bench.die.counters().joined == 1);
    CHECK(bench.die.counters().arrayBusy == 1us + row.busy);
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
    CHECK(bench.die.pagesProgrammed(2) == 1);
    CHECK(bench.die.counters().illegal == 1);
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

TEST_CASE("a reset ruins every plane that is latched or in the array")
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
    CHECK(bench.read({2, 0}, out).blank == false); // ruined, not erased
    CHECK(out == PageTags{});
    CHECK(bench.read({3, 0}, out).blank == isLatchedOnly);
    CHECK(out == PageTags{});
}

TEST_CASE("a cache read frees the bus for the page before it after tRCBSY and goes on for tR")
{
    Joined bench;
    PageTags a = tagsOf(40, 1);
    PageTags b = tagsOf(80, 1);
    bench.run(makeProgram({2, 0}, a));
    bench.run(makeProgram({2, 1}, b));
    PageTags outA{};
    PageTags outB{};
    Operation first = make(Opcode::Read, {2, 0});
    first.data = contentOf(outA);
    first = bench.run(first);
    CHECK(first.arrayEnd == first.ready);
    Operation second = in(Form::Cache, make(Opcode::Read, {2, 1}));
    second.data = contentOf(outB);
    const Time start = bench.now;
    second = bench.run(second);
    CHECK(second.ready == start + 3us);
    CHECK(second.arrayEnd == start + 3us + 25us);
    bench.die.fetch(first); // from the cache register
    CHECK(outA == a);
    // The next one waits for the array, then takes tRCBSY.
    Operation third = in(Form::Cache, make(Opcode::Read, {2, 2}));
    CHECK(bench.die.issue(third, start + 10us) == start + 28us + 3us);
    bench.die.fetch(second);
    CHECK(outB == b);
    CHECK(bench.die.counters().cached == 2);
}

TEST_CASE("while a cache read is in the array nothing but a cache read, status or reset is accepted")
{
    Joined bench;
    bench.run(make(Opcode::Read, {2, 0}));
    const Operation second = bench.run(in(Form::Cache, make(Opcode::Read, {2, 1})));
    const Verdict early = bench.die.probe(make(Opcode::Erase, {3, 0}), bench.now);
    CHECK(early.reason == IllegalReason::DieBusy);
    CHECK(early.earliest == second.arrayEnd);
    CHECK(bench.whyNot(in(Form::Cache, make(Opcode::Read, {3, 0}))) == IllegalReason::None);
    CHECK(bench.die.probe(make(Opcode::Erase, {3, 0}), second.arrayEnd).legal);
}

TEST_CASE("a cache read needs a page read before it")
{
    Joined bench;
    CHECK(bench.whyNot(in(Form::Cache, make(Opcode::Read, {2, 0}))) == IllegalReason::CacheSequence);
    bench.run(make(Opcode::Program, {2, 0}));
    CHECK(bench.whyNot(in(Form::Cache, make(Opcode::Read, {2, 0}))) == IllegalReason::CacheSequence);
    CHECK(bench.whyNot(in(Form::Cache, make(Opcode::Erase, {2, 0}))) == IllegalReason::CacheSequence);
}

TEST_CASE("a cache program takes the next page while the array works on this one")
{
    Joined bench;
    const Time start = bench.now;
    const Operation first = bench.run(in(Form::Cache, make(Opcode::Program, {2, 0})));
    CHECK(first.ready == start + 4us);
    CHECK(first.arrayEnd == start + 204us);
    const Operation second = bench.run(in(Form::Cache, make(Opcode::Program, {2, 1})));
    CHECK(second.ready == start + 208us);
    CHECK(second.arrayEnd == start + 408us);
    const Operation last = bench.run(make(Opcode::Program, {2, 2})); // 10h: R/B# stays low to the end
    CHECK(last.ready == start + 608us);
    CHECK(bench.die.counters().arrayBusy == 608us);
}

TEST_CASE("the status of a cache program distinguishes the previous page from the last one")
{
    Joined bench;
    bench.die.wearOut(2);
    CHECK(bench.run(in(Form::Cache, make(Opcode::Program, {2, 0}))).status == Status::ProgramFailed);
    const Operation last = bench.run(make(Opcode::Program, {4, 0}));
    CHECK(last.status == Status::Ok);
    CHECK((last.statusByte & (statusFail | statusFailBefore)) == statusFailBefore);
}

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
    CHECK(bench.die.counters().suspends == 1);
    CHECK(bench.die.counters().arrayBusy == (end - start) + row.stop + row.again + 25us);
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

TEST_CASE("a reset while suspended ruins what was suspended")
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

TEST_CASE("a page takes the times of its page type")
{
    Joined bench;
    bench.part.pageTypes = {{"LSB", 20us, 100us}, {"CSB", 30us, 300us}, {"MSB", 40us, 0us}};
    const std::vector<Time> reads{20us, 30us, 40us, 20us};
    const std::vector<Time> programs{100us, 300us, 200us, 100us}; // MSB: as the part says
    for (std::uint32_t page = 0; page < 4; ++page) {
        INFO(page);
        const Time start = bench.now;
        CHECK(bench.run(make(Opcode::Program, {2, page})).ready == start + programs[page]);
        const Time then = bench.now;
        CHECK(bench.run(make(Opcode::Read, {2, page})).ready == then + reads[page]);
    }
    const Time start = bench.now;
    CHECK(bench.run(makeCopyBack({2, 2}, {4, 1})).ready == start + 40us + 300us); // read MSB, program CSB
}
