// SPDX-License-Identifier: Apache-2.0
//
// The cells alone: no time, no legality. Contents through whole operations are in test_die*.cpp.
#include "models/nand/die_cells.h"
#include "tests/domain/nand/die_helpers.h"
#include "tests/support/catch.h"

#include <set>

using namespace strobe;
using namespace strobe::nand;
using namespace strobe::nand::test;

namespace {

struct Cells {
    explicit Cells(Part p = smallPart(), std::uint32_t badBlocks = 0)
        : part(std::move(p)), cells(part, badBlocks, Rng(1, "cells"))
    {
    }
    bool program(PageAddress target, std::uint32_t version)
    {
        PageTags tags = tagsOf(target.page * 4, version);
        return cells.program(makeProgram(target, tags));
    }
    bool holds(PageAddress target, std::uint32_t version)
    {
        PageTags tags{};
        Operation op = make(Opcode::Read, target);
        op.data = contentOf(tags);
        cells.read(op);
        return tags == tagsOf(target.page * 4, version);
    }

    Part part;
    DieCells cells;
};

} // namespace

TEST_CASE("a program fills its page and moves the next page of the block on")
{
    Cells c;
    CHECK(c.cells.isClean({2, 1}));
    CHECK(c.program({2, 1}, 7));
    CHECK_FALSE(c.cells.isClean({2, 1}));
    CHECK(c.cells.block(2).nextPage == 2);
    CHECK(c.holds({2, 1}, 7));
    CHECK_FALSE(c.cells.looksBlank({2, 1}));
    CHECK(c.cells.looksBlank({2, 2}));
}

TEST_CASE("an erase can be undone until it is ended")
{
    Cells c;
    c.program({2, 0}, 7);
    CHECK(c.cells.erase(2, true));
    CHECK(c.cells.block(2).metadata);
    CHECK(c.cells.block(2).erases == 1);
    CHECK(c.cells.isClean({2, 0}));
    REQUIRE(c.cells.hasOpenErases());
    c.cells.undo(Opcode::Erase, {2, 0});
    CHECK(c.holds({2, 0}, 7));
    CHECK(c.cells.block(2).erases == 0);
    CHECK(c.cells.block(2).nextPage == 1);

    c.cells.erase(2, false);
    c.cells.endErases();
    CHECK_FALSE(c.cells.hasOpenErases());
    c.cells.undo(Opcode::Erase, {2, 0}); // too late for the contents
    CHECK(c.cells.isClean({2, 0}));
}

TEST_CASE("a program that had not begun is undone")
{
    Cells c;
    c.program({2, 0}, 1);
    c.program({2, 1}, 2);
    c.cells.undo(Opcode::Program, {2, 1});
    CHECK(c.cells.isClean({2, 1}));
    CHECK(c.cells.block(2).nextPage == 1);
    CHECK(c.holds({2, 0}, 1));
}

TEST_CASE("programs and erases of a worn-out block fail, and corrupt what they change")
{
    Cells c;
    c.program({2, 0}, 7);
    c.cells.wearOut(2);
    CHECK_FALSE(c.cells.block(2).failed);
    CHECK_FALSE(c.program({2, 1}, 8));
    CHECK(c.cells.block(2).failed);
    CHECK(c.cells.isProgrammed({2, 1}));
    CHECK_FALSE(c.holds({2, 1}, 8));
    CHECK(c.holds({2, 0}, 7));
    CHECK_FALSE(c.cells.erase(2, false));
    CHECK_FALSE(c.cells.isClean({2, 3}));
    CHECK_FALSE(c.holds({2, 0}, 7));
    CHECK_FALSE(c.cells.hasOpenErases());
    CHECK_THROWS(c.cells.wearOut(c.cells.blocks()));
}

TEST_CASE("an interrupted program is torn or looks blank, and is not clean")
{
    std::set<bool> torn;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Cells c;
        Rng draws(seed, "cut");
        c.program({2, 0}, 7);
        c.cells.interrupt(Opcode::Program, {2, 0}, draws);
        CHECK_FALSE(c.cells.isClean({2, 0}));
        CHECK(c.cells.isTorn({2, 0}) != c.cells.looksBlank({2, 0}));
        torn.insert(c.cells.isTorn({2, 0}));
    }
    CHECK(torn.size() == 2);
}

TEST_CASE("no page of a block is clean after an interrupted erase, whatever it reads as")
{
    std::set<bool> keeps;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Cells c;
        Rng draws(seed, "cut");
        c.program({2, 0}, 7);
        c.cells.erase(2, false);
        c.cells.interrupt(Opcode::Erase, {2, 0}, draws);
        for (std::uint32_t page = 0; page < 4; ++page)
            CHECK_FALSE(c.cells.isClean({2, page}));
        CHECK(c.cells.block(2).nextPage == 4);
        CHECK_FALSE(c.cells.hasOpenErases());
        keeps.insert(c.holds({2, 0}, 7));
    }
    CHECK(keeps.size() == 2);
}

TEST_CASE("page 0 of a factory bad block reads as the mark, and does not look blank")
{
    Cells c(smallPart(), 3);
    std::uint32_t bad = 0;
    for (std::uint32_t block = 0; block < c.cells.blocks(); ++block) {
        if (!c.cells.block(block).factoryBad)
            continue;
        ++bad;
        Operation op = make(Opcode::Read, {block, 0});
        c.cells.read(op);
        CHECK(op.spare[0] == badBlockMark);
        CHECK_FALSE(c.cells.looksBlank({block, 0}));
        CHECK(c.cells.looksBlank({block, 1}));
    }
    CHECK(bad == 3);
}

TEST_CASE("PCM counts overwrites by page and replaces contents in place; flash counts erases by block")
{
    Part pcm = smallPart();
    pcm.cell = CellTechnology::Pcm;
    Cells c(pcm);
    c.program({2, 0}, 7);
    c.program({2, 0}, 8);
    CHECK(c.holds({2, 0}, 8));
    CHECK(c.cells.overwrites({2, 0}) == 2);
    CHECK(c.cells.cycles({2, 0}) == 2);
    CHECK(c.cells.cycles({2, 1}) == 0);

    Cells flash;
    flash.cells.erase(2, false);
    CHECK(flash.cells.overwrites({2, 0}) == 0);
    CHECK(flash.cells.cycles({2, 3}) == 1);
}
