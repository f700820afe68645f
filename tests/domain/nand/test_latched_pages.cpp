// SPDX-License-Identifier: Apache-2.0
//
// Latching planes and pages of word lines, below the rules: what is latched, when the array starts, what is dropped.
#include "models/nand/latched_pages.h"
#include "tests/domain/nand/state_bench.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::nand;
using namespace strobe::nand::test;

namespace {

Part partWithWaits(std::uint32_t pagesPerProgram = 1)
{
    Part part = smallPart();
    part.geometry.pagesPerProgram = pagesPerProgram;
    part.times.tDBSY = 1us;
    part.times.tPBSY = 3us;
    return part;
}

struct Latching : StateBench {
    explicit Latching(std::uint32_t pagesPerProgram = 1) : StateBench(partWithWaits(pagesPerProgram)) {}

    Operation latch(Form form, Opcode opcode, PageAddress page)
    {
        PageTags tags = tagsAt(page);
        Operation op = make(opcode, page);
        op.form = form;
        if (opcode == Opcode::Program)
            op.data = contentOf(tags);
        now = latchPage(die, op, now);
        op.data = {};
        return op;
    }
    Operation refuseLast()
    {
        Operation op = make(Opcode::Program);
        op.form = Form::LastPlane;
        now = startLatched(die, op, now);
        return op;
    }
};

} // namespace

TEST_CASE("planes are latched for tDBSY each, and one array time works on all of them")
{
    Latching bench;
    CHECK(bench.latch(Form::Plane, Opcode::Erase, {2, 0}).ready == 1ms + 1us);
    CHECK(bench.die.array.isGroupOpen());
    CHECK(bench.die.array.latched() == std::vector<PageAddress>{{2, 0}});
    CHECK(bench.latch(Form::LastPlane, Opcode::Erase, {3, 0}).ready == 1ms + 1us + 2ms);
    CHECK_FALSE(bench.die.array.isGroupOpen());
    CHECK(bench.die.counters.array.erases == 2);
    CHECK(bench.die.counters.array.joined == 1);
    CHECK(bench.die.counters.array.arrayBusy == 1us + 2ms);
}

TEST_CASE("only the first of the planes takes the registers")
{
    Latching bench;
    bench.latch(Form::Plane, Opcode::Read, {0, 0});
    bench.latch(Form::LastPlane, Opcode::Read, {1, 0});
    CHECK(bench.die.registers.isLoaded({0, 0}));
    CHECK(bench.die.registers.isLoaded({1, 0}));
}

TEST_CASE("the pages of a word line take tPBSY each and are no further planes")
{
    Latching bench(2);
    CHECK(bench.latch(Form::WordLinePage, Opcode::Program, {2, 0}).ready == 1ms + 3us);
    CHECK(bench.latch(Form::WordLineEnd, Opcode::Program, {2, 1}).ready == 1ms + 3us + 200us);
    CHECK(bench.die.counters.array.joined == 0);
    CHECK(bench.holds({2, 0}));
    CHECK(bench.holds({2, 1}));
}

TEST_CASE("if the last plane is refused, the array starts for the others")
{
    Latching bench;
    bench.latch(Form::Plane, Opcode::Program, {2, 0});
    const Time before = bench.now;
    const Operation refused = bench.refuseLast();
    CHECK(refused.ready == before + 200us);
    CHECK(refused.arrayEnd == refused.ready);
    CHECK_FALSE(bench.die.array.isGroupOpen());
    CHECK(bench.die.array.running().target == PageAddress{2, 0});
    CHECK(bench.holds({2, 0}));
}

TEST_CASE("a word line of which a page is missing is not programmed")
{
    Latching bench(2);
    bench.latch(Form::WordLinePlane, Opcode::Program, {2, 0});
    bench.latch(Form::WordLinePage, Opcode::Program, {3, 0});
    bench.latch(Form::Plane, Opcode::Program, {2, 1}); // block 3 remains without its page 1
    bench.refuseLast();
    CHECK(bench.holds({2, 0}));
    CHECK(bench.holds({2, 1}));
    CHECK(bench.die.cells.isClean({3, 0}));
    CHECK(bench.die.cells.block(3).nextPage == 0);
    CHECK_FALSE(bench.die.array.isLatched({3, 0}));
}

TEST_CASE("if nothing remains latched, nothing starts and R/B# stays high")
{
    Latching bench(2);
    bench.latch(Form::WordLinePage, Opcode::Program, {2, 0});
    const Time before = bench.now;
    const Operation refused = bench.refuseLast();
    CHECK(refused.ready == before);
    CHECK(refused.statusByte == (statusNotProtected | statusReady | statusArrayReady));
    CHECK_FALSE(bench.die.array.isGroupOpen());
    CHECK(bench.die.cells.isClean({2, 0}));
}

TEST_CASE("a die that ages draws a program time per plane, and the longest counts")
{
    Part part = partWithWaits();
    part.endurance = 1000;
    part.wear.points = {{0, 1, 0.8, 1.5, 0}, {1, 1, 0.8, 1.5, 0}};
    const auto together = [&](bool isRefused) {
        StateBench bench(part);
        Operation first = make(Opcode::Program, {2, 0});
        first.form = Form::Plane;
        bench.now = latchPage(bench.die, first, bench.now);
        Operation last = make(Opcode::Program, {3, 0});
        last.form = Form::LastPlane;
        const Time start = bench.now;
        return (isRefused ? startLatched(bench.die, last, start) : latchPage(bench.die, last, start)) - start;
    };
    CHECK(together(true) >= 160us);
    CHECK(together(true) != 200us);
    CHECK(together(false) >= together(true)); // the same draw, and another one
}
