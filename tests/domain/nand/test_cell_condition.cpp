// SPDX-License-Identifier: Apache-2.0
//
// The draws themselves are tested in test_cell_aging.cpp and test_cell_errors.cpp.
#include "models/nand/cell_condition.h"
#include "tests/domain/nand/die_helpers.h"
#include "tests/support/catch.h"

#include <chrono>

using namespace strobe;
using namespace strobe::nand;
using namespace strobe::nand::test;
using namespace std::chrono_literals;

namespace {

struct AgedCells {
    explicit AgedCells(const Part& madeOf, const Aging& aging = {})
        : part(madeOf), cells(part, 0, Rng(1, "cells")), condition(part, aging, Rng(1, "condition"))
    {
    }
    double wear(PageAddress page) const { return condition.wear(part, cells, page); }

    Part part;
    DieCells cells;
    CellCondition condition;
};

} // namespace

TEST_CASE("a part without models keeps its times and reads without errors")
{
    AgedCells bench(smallPart(), {2, 1024});
    const Operation program = make(Opcode::Program, {0, 0});
    Operation read = make(Opcode::Read, {0, 0});
    read.sectors = 4;
    CHECK(bench.condition.programTime(bench.part, bench.cells, program, false) == bench.part.tPROG(0, false));
    CHECK(bench.condition.drawErrors(bench.part, bench.cells, read) == 0);
    CHECK_FALSE(bench.condition.drawsProgramTimes());
    CHECK(bench.condition.errors() == nullptr);
    CHECK(bench.condition.readOption() == 0);
    CHECK(bench.condition.drawn() == Time{});
}

TEST_CASE("wear is cycles over the rated endurance, and none without a rating")
{
    Part part = smallPart();
    part.endurance = 0;
    AgedCells unrated(part);
    unrated.cells.erase(1, false, false);
    CHECK(unrated.wear({1, 0}) == 0);
    part.endurance = 4;
    AgedCells rated(part);
    rated.cells.erase(1, false, false);
    CHECK(rated.wear({1, 0}) == 0.25);
    CHECK(rated.wear({2, 0}) == 0);
}

TEST_CASE("wear before the first use counts if a model needs it")
{
    Part part = smallPart();
    part.endurance = 4;
    part.wear.points = {{0, 1, 0.5, 2, 0}, {4, 3, 3, 3, 0}};
    AgedCells bench(part, {2, 1024});
    CHECK(bench.wear({0, 0}) == 2);
    CHECK(bench.condition.drawsProgramTimes());
    const Operation program = make(Opcode::Program, {0, 0});
    const Time time = bench.condition.programTime(bench.part, bench.cells, program, true);
    CHECK(bench.condition.drawn() == time);
    CHECK(bench.condition.takeGroup() == time);
}
