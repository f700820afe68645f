// SPDX-License-Identifier: Apache-2.0
#include "models/base/bytes.h"
#include "models/nand/page_columns.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::nand;

namespace {

PageColumns::Row tagRun(std::uint32_t number, SectorTag first)
{
    PageColumns::Row row{number, {}, {}};
    row.page.form = StoredPage::Form::TagRun;
    row.page.spare = {number, 7, 8, 9};
    row.page.first = 1;
    row.page.sectors = 3;
    row.page.setTag(first);
    return row;
}

std::string fileOf(const PageColumns& columns)
{
    ByteWriter file;
    columns.save(file);
    return file.bytes();
}

std::vector<PageColumns::Row> restored(const std::string& bytes, std::uint32_t records)
{
    PageColumns columns(8, records, 4);
    ByteReader file(bytes);
    columns.restore(file);
    return columns.rows();
}

} // namespace

TEST_CASE("the pages of a block come back from their columns")
{
    PageColumns columns(8, 2, 4);
    columns.add(tagRun(2, makeTag(1000, 3)));
    PageColumns::Row torn{3, {}, {{4, 5, 6, 7}}};
    torn.page.form = StoredPage::Form::Torn;
    columns.add(torn);
    columns.add(tagRun(7, makeTag(1003, 1)));
    const std::vector<PageColumns::Row> rows = restored(fileOf(columns), 2);
    REQUIRE(rows.size() == 3);
    CHECK(rows[0].number == 2);
    CHECK(rows[0].page.tag() == makeTag(1000, 3));
    CHECK(rows[0].page.first == 1);
    CHECK(rows[0].page.sectors == 3);
    CHECK(rows[0].page.spare == Spare{2, 7, 8, 9});
    CHECK(rows[0].further.empty());
    CHECK(rows[1].page.form == StoredPage::Form::Torn);
    CHECK(rows[1].further == std::vector<Spare>{{4, 5, 6, 7}});
    CHECK(rows[2].page.tag() == makeTag(1003, 1));
}

TEST_CASE("columns that no page store can have written are damaged")
{
    PageColumns columns(8, 1, 4);
    columns.add(tagRun(0, makeTag(1, 1)));
    const std::string sound = fileOf(columns);
    CHECK(restored(sound, 1).size() == 1);
    const auto with = [&](std::size_t place, char byte) {
        std::string damaged = sound;
        damaged[place] = byte;
        return damaged;
    };
    CHECK_THROWS_AS(restored(with(1, 7), 1), DamagedBytes);                       // no such form
    CHECK_THROWS_AS(restored(with(0, static_cast<char>(0x84)), 1), DamagedBytes); // further records of a part without
    CHECK_THROWS_AS(restored(with(8 + 4 * 4, 4), 1), DamagedBytes);               // a run that begins after the page
    CHECK_THROWS_AS(restored(sound.substr(0, sound.size() - 1), 1), DamagedBytes);
}
