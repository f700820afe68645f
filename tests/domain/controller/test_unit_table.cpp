// SPDX-License-Identifier: Apache-2.0
//
// One unit table without a unit. Through whole descriptors: test_flash_unit_units.cpp.
#include "models/controller/unit_table.h"
#include "tests/domain/controller/unit_parts.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::controller;
using namespace strobe::controller::test;

namespace {

using Runs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

struct Table : UnitParts {
    UnitTable table;

    Runs runsOf(const std::array<std::uint32_t, 4>& words)
    {
        put(tables, words);
        FlashDescriptor read = partsDescriptor(SuperchipOpcode::Read, 0, 32);
        read.hasUnitTable = true;
        read.spareAddress = tables;
        CHECK(table.fetch(unit, read, 0, 32, {}, 10us).moved.ok);
        Runs runs;
        table.forEachRun([&](BusAddress first, std::uint32_t sectors) { runs.emplace_back(raw(first), sectors); });
        return runs;
    }
};

} // namespace

TEST_CASE("units of a table are named in runs of neighbours in memory")
{
    Table t;
    CHECK(t.runsOf({0x2000, 0x3000, 0, 0x5000}) == Runs{{0x2000, 16}, {0x5000, 8}});
    CHECK(t.runsOf({0x3000, 0x2000, 0, 0}) == Runs{{0x3000, 8}, {0x2000, 8}});
}

TEST_CASE("a run ends with the address space: the unit after its last one has no data")
{
    Table t;
    CHECK(t.runsOf({0xFFFFE000, 0xFFFFF000, 0, 0x2000}) == Runs{{0xFFFFE000, 16}, {0x2000, 8}});
}
