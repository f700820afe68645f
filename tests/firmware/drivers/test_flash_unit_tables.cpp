// SPDX-License-Identifier: Apache-2.0
//
// Unit tables: as the hardware reads them, one for each operation.
#include "tests/firmware/support/fake_hal.h"
#include "tests/support/catch.h"

using namespace strobe::test;

TEST_CASE("tables of operations are apart, large enough for a page, and at the address that the hardware gets")
{
    FakeHal hal;
    flash_tables tables{};
    flash_tables_init(&tables, &hal.arena, 3, 16384, 4096);
    CHECK(flash_table_bytes(16384) == 4 * 20);
    for (std::uint32_t op = 0; op < 3; ++op) {
        const flash_units table = flash_tables_of(&tables, op, 4);
        CHECK(table.data == hal.words(flash_table_at(&tables, op)));
        for (std::uint32_t unit = 0; unit < 4; ++unit)
            flash_set_unit(&table, unit, 0x8000 + 0x1000 * unit, {{op, unit, 0, 0}});
    }
    for (std::uint32_t op = 0; op < 3; ++op) {
        const flash_units table = flash_tables_of(&tables, op, 4);
        for (std::uint32_t unit = 0; unit < 4; ++unit) {
            CHECK(flash_unit_spare(&table, unit).word[0] == op);
            CHECK(flash_unit_spare(&table, unit).word[1] == unit);
        }
        const std::uint32_t* words = hal.words(flash_table_at(&tables, op));
        CHECK(words[3] == 0xB000); // four places, …
        CHECK(words[4] == op);     // … then four records
        CHECK(words[4 + 3 * 4 + 1] == 3);
    }
    CHECK(arena_take(&hal.arena, 1, 4, 4, "after") >= flash_table_at(&tables, 2) + 80);
}

TEST_CASE("a unit of several 4 KiB has an entry for each, with the same record; a place of zero stays zero")
{
    FakeHal hal;
    flash_tables tables{};
    flash_tables_init(&tables, &hal.arena, 1, 16384, 8192);
    const flash_units table = flash_tables_of(&tables, 0, 2);
    flash_set_unit(&table, 0, 0x8000, {{7, 0, 0, 0}});
    flash_set_unit(&table, 1, 0, {{9, 0, 0, 0}});
    const std::uint32_t* words = hal.words(flash_table_at(&tables, 0));
    CHECK(words[0] == 0x8000);
    CHECK(words[1] == 0x9000);
    CHECK(words[2] == 0);
    CHECK(words[3] == 0);
    const std::uint32_t records[] = {7, 7, 9, 9};
    for (std::uint32_t entry = 0; entry < 4; ++entry)
        CHECK(words[4 + 4 * entry] == records[entry]);
    CHECK(flash_unit_spare(&table, 1).word[0] == 9);
}
