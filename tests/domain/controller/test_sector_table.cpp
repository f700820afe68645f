// SPDX-License-Identifier: Apache-2.0
//
// One sector table without a unit: bursts, masks, replacer. Through whole descriptors: test_flash_unit_sectors.cpp.
#include "models/controller/sector_table.h"
#include "tests/domain/controller/unit_parts.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::controller;
using namespace strobe::controller::test;

namespace {

constexpr std::uint32_t sectorAt(std::uint32_t number) // in the data buffer
{
    return raw(UnitParts::data) + number * static_cast<std::uint32_t>(sectorBytes);
}

// A row of two pages of 4 sectors, dealt to two buses in turn.
struct Table : UnitParts {
    SectorTable table;
    RowRun run = map.rowRun(0, 8);

    SectorTable::Fetched fetch(const std::array<std::uint32_t, 8>& words)
    {
        put(tables, words);
        return table.fetch(unit, map, tables, run, 10us);
    }
};

} // namespace

TEST_CASE("neighbouring sectors of a table come in one burst, after the words")
{
    Table t;
    const SectorTable::Fetched fetched =
        t.fetch({sectorAt(4), sectorAt(5), sectorAt(6), 0, 0, sectorAt(1), sectorAt(0), 0});
    CHECK(fetched.moved.ok);
    CHECK(fetched.tableAt == 11us);
    CHECK(fetched.moved.end == 14us);
    REQUIRE(t.bursts.size() == 4);
    CHECK(t.bursts[0].bytes == 32);
    CHECK(raw(t.bursts[1].address) == sectorAt(4));
    CHECK(t.bursts[1].bytes == 3 * sectorBytes);
    CHECK(t.bursts[2].bytes == sectorBytes);
    CHECK(t.bursts[3].at == 13us);
}

TEST_CASE("buffered sectors are named in runs of neighbours in memory")
{
    Table t;
    t.fetch({sectorAt(4), sectorAt(5), sectorAt(6), 0, 0, sectorAt(1), sectorAt(0), 0});
    std::vector<std::pair<std::uint32_t, std::uint32_t>> runs;
    t.table.forEachRun(8, [&](BusAddress first, std::uint32_t sectors) { runs.emplace_back(raw(first), sectors); });
    using Runs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
    CHECK(runs == Runs{{sectorAt(4), 3}, {sectorAt(1), 1}, {sectorAt(0), 1}});
}

TEST_CASE("a run of buffered sectors ends with the address space")
{
    Table t;
    const SectorTable::Fetched fetched = t.fetch({0xFFFFFE00, 0, 0, 0, 0, 0, 0, 0});
    CHECK_FALSE(fetched.moved.ok); // no memory is there
    std::vector<std::uint32_t> lengths;
    t.table.forEachRun(8, [&](BusAddress, std::uint32_t sectors) { lengths.push_back(sectors); });
    CHECK(lengths == std::vector<std::uint32_t>{1});
}

TEST_CASE("a mask per bus says which sectors of its page are buffered")
{
    Table t;
    t.fetch({sectorAt(0), 0, sectorAt(1), 0, sectorAt(2), sectorAt(9), sectorAt(3), 0});
    CHECK(t.table.replaced(0) == 0b1111); // sectors 0, 2, 4, 6 of the row
    CHECK(t.table.replaced(1) == 0b0100);
    CHECK(t.table.isWhole(0, t.map.pageRun(t.run, 0)));
    CHECK_FALSE(t.table.isWhole(1, t.map.pageRun(t.run, 1)));
    CHECK(sectorMask(0, 64) == ~std::uint64_t{0});
    CHECK(sectorMask(3, 2) == 0b11000);
}

TEST_CASE("buffered sectors fill the pages of a program, with zeros where there is none")
{
    Table t;
    t.putSectors(UnitParts::data, 10, 1);
    t.fetch({sectorAt(7), 0, 0, 0, 0, sectorAt(3), 0, 0});
    RowBuffer buffer(t.map, DataMode::Bytes);
    std::memset(buffer.lane(0).data, 0xEE, 2 * t.die.pageBytes);
    t.table.fill(buffer, t.map, t.run);
    CHECK(buffer.lane(0).at(0).data[0] == std::byte{8});
    CHECK(buffer.lane(0).at(1).data[0] == std::byte{0});
    CHECK(buffer.lane(1).at(2).data[511] == std::byte{4});
    CHECK(buffer.lane(1).at(3).data[0] == std::byte{0});
}

TEST_CASE("the selective replacer keeps sectors that are not buffered, or clears them if nothing is mapped")
{
    Table t;
    t.putSectors(UnitParts::data, 10, 1);
    t.fetch({0, sectorAt(4), 0, 0, 0, 0, 0, 0});
    std::vector<std::byte> row(8 * sectorBytes, std::byte{0xEE});
    const Content content{row.data(), DataMode::Bytes};
    t.table.replaceIn(content, 8, false);
    CHECK(row[0] == std::byte{0xEE});
    CHECK(row[sectorBytes] == std::byte{5});
    t.table.replaceIn(content, 8, true);
    CHECK(row[0] == std::byte{0});
    CHECK(row[sectorBytes] == std::byte{5});
}

TEST_CASE("a table or a sector at a wrong place is refused with its reason")
{
    Table t;
    const SectorTable::Fetched unaligned = t.fetch({sectorAt(0) + 4, 0, 0, 0, 0, 0, 0, 0});
    CHECK_FALSE(unaligned.moved.ok);
    CHECK(unaligned.reason == MalformedReason::BufferUnaligned);
    const SectorTable::Fetched control = t.fetch({raw(UnitParts::tables), 0, 0, 0, 0, 0, 0, 0});
    CHECK_FALSE(control.moved.ok);
    CHECK(control.reason == MalformedReason::BufferOutsideMemory);
    const SectorTable::Fetched table = t.table.fetch(t.unit, t.map, UnitParts::data, t.run, 0us);
    CHECK_FALSE(table.moved.ok);
    CHECK(table.reason == MalformedReason::TableOutsideMemory);
}
