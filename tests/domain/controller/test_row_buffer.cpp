// SPDX-License-Identifier: Apache-2.0
#include "models/controller/row_buffer.h"
#include "tests/domain/controller/unit_parts.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::controller;
using namespace strobe::controller::test;

TEST_CASE("the multiplexer deals sectors to the buses in turn, and back into order of memory")
{
    UnitParts parts;
    RowBuffer buffer(parts.map, DataMode::Bytes);
    const RowRun run = parts.map.rowRun(1, 6); // starts and ends in the middle of the row
    REQUIRE(run.sectors == 5);
    for (std::uint32_t i = 0; i < run.sectors; ++i)
        buffer.sequence().at(i).data[0] = std::byte(i);
    buffer.deal(parts.map, run, Direction::FromMemory);
    for (std::uint32_t bus = 0; bus < 2; ++bus) {
        const PageRun share = parts.map.pageRun(run, bus);
        for (std::uint32_t i = 0; i < share.sectors; ++i)
            CHECK(buffer.lane(bus).at(i).data[0] == std::byte(share.offset + 2 * i));
    }
    for (std::uint32_t i = 0; i < run.sectors; ++i)
        buffer.sequence().at(i).data[0] = std::byte(0xFF);
    buffer.deal(parts.map, run, Direction::ToMemory);
    for (std::uint32_t i = 0; i < run.sectors; ++i)
        CHECK(buffer.sequence().at(i).data[0] == std::byte(i));
}

TEST_CASE("with one bus the page is the row")
{
    UnitParts parts;
    RowBuffer buffer(parts.oneChip, DataMode::Bytes);
    CHECK(buffer.wholeRow(1).data == buffer.lane(0).data);
    RowBuffer two(parts.map, DataMode::Bytes);
    CHECK(two.wholeRow(2).data == two.sequence().data);
    CHECK(two.wholeRow(1).data == two.lane(0).data); // a row of one chip in a slot for two
    CHECK(two.lane(1).data == two.lane(0).at(parts.die.sectorsPerPage()).data);
}

TEST_CASE("a buffer grows when it carries bytes for the first time, and stores nothing in mode none")
{
    UnitParts parts;
    RowBuffer buffer(parts.map, DataMode::None);
    CHECK(buffer.lane(0).empty());
    CHECK(buffer.sequence().empty());
    buffer.setMode(DataMode::Bytes);
    REQUIRE_FALSE(buffer.lane(1).empty());
    std::memset(buffer.lane(1).data, 1, parts.die.pageBytes); // the last byte is there: checked by the sanitizer
    std::memset(buffer.sequence().data, 1, 2 * parts.die.pageBytes);
    buffer.setMode(DataMode::None);
    CHECK(buffer.lane(0).empty());
}

TEST_CASE("with several buses there is a spare record for each")
{
    UnitParts parts;
    RowBuffer one(parts.oneChip, DataMode::Tags);
    RowBuffer two(parts.map, DataMode::Tags);
    one.spares()[0] = {1, 2, 3, 4};
    two.spares()[0] = {1, 2, 3, 4};
    two.spares()[1] = {5, 6, 7, 8};
    CHECK(one.spares()[0] == nand::Spare{1, 2, 3, 4});
    CHECK(two.spares()[0] == nand::Spare{1, 2, 3, 4});
    CHECK(two.spares()[1] == nand::Spare{5, 6, 7, 8});
}
