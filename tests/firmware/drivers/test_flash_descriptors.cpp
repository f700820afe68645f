// SPDX-License-Identifier: Apache-2.0
//
// How an operation is written into a descriptor, and the message about one that the hardware has rejected.
#include "tests/firmware/support/fake_hal.h"
#include "tests/support/catch.h"

#include <algorithm>

using namespace strobe::test;

TEST_CASE("a descriptor is filled as a whole, whatever it held, and keeps its spare record for the caller")
{
    flash_descriptor descriptors[2];
    std::fill_n(reinterpret_cast<std::uint32_t*>(descriptors), sizeof descriptors / 4, 0xFFFFFFFF);
    flash_descriptor* d = flash_fill(descriptors, 1, FLASH_READ, {3, 9, 24, true}, 8, FLASH_FOR_REFRESH);
    CHECK(d == &descriptors[1]);
    CHECK(d->next == 0);
    CHECK((d->control & FLASH_DESCRIPTOR_CONTROL_OPCODE_MASK) == FLASH_READ);
    CHECK((d->control & FLASH_DESCRIPTOR_CONTROL_PURPOSE_MASK) >> FLASH_DESCRIPTOR_CONTROL_PURPOSE_SHIFT ==
          FLASH_FOR_REFRESH);
    CHECK((d->control & FLASH_DESCRIPTOR_CONTROL_PSLC_MASK) != 0);
    CHECK((d->control & FLASH_DESCRIPTOR_CONTROL_REPORT_MASK) != 0);
    CHECK((d->control & FLASH_DESCRIPTOR_CONTROL_READ_OPTION_MASK) == 0);
    CHECK((d->control & FLASH_DESCRIPTOR_CONTROL_UNIT_TABLE_MASK) == 0);
    CHECK(d->superchip == 3);
    CHECK(d->blocks == 9);
    CHECK(d->start_sector == 24);
    CHECK(d->sectors == 8);
    CHECK(d->status == FLASH_PENDING);
    CHECK(d->cookie == 1);
    CHECK(descriptors[0].cookie == 0xFFFFFFFF);
    flash_fill(descriptors, 1, FLASH_READ, {3, 9, 24, false}, 8, FLASH_FOR_HOST);
    CHECK((d->control & FLASH_DESCRIPTOR_CONTROL_PSLC_MASK) == 0);
}

TEST_CASE("spare records are inline, common to all pages, or in a unit table, and only one of these")
{
    flash_descriptor d{};
    const std::uint32_t all = FLASH_DESCRIPTOR_CONTROL_INLINE_SPARE_MASK | FLASH_DESCRIPTOR_CONTROL_COMMON_SPARE_MASK |
                              FLASH_DESCRIPTOR_CONTROL_UNIT_TABLE_MASK;
    const flash_spare spare = {{1, 2, 3, 4}};
    flash_fill_spare(flash_fill(&d, 0, FLASH_PROGRAM, {0, 0, 0, false}, 4, FLASH_FOR_HOST), spare);
    CHECK((d.control & all) == FLASH_DESCRIPTOR_CONTROL_INLINE_SPARE_MASK);
    CHECK(d.spare0 == 1);
    CHECK(d.spare1 == 2);
    CHECK(d.spare2 == 3);
    CHECK(d.spare3 == 4);
    flash_fill_common_spare(flash_fill(&d, 0, FLASH_PROGRAM, {0, 0, 0, false}, 4, FLASH_FOR_HOST), spare);
    CHECK((d.control & all) == FLASH_DESCRIPTOR_CONTROL_COMMON_SPARE_MASK);
    CHECK(d.spare3 == 4);
    flash_fill_table(flash_fill(&d, 0, FLASH_PROGRAM, {0, 0, 0, false}, 4, FLASH_FOR_HOST), 0x7700);
    CHECK((d.control & all) == FLASH_DESCRIPTOR_CONTROL_UNIT_TABLE_MASK);
    CHECK(d.spare_address == 0x7700);
}

TEST_CASE("only reads for the host and for merges pass other operations")
{
    flash_descriptor d{};
    for (const flash_purpose purpose : {FLASH_FOR_HOST, FLASH_FOR_MERGE, FLASH_FOR_COLLECTION, FLASH_FOR_METADATA}) {
        const bool passes = purpose == FLASH_FOR_HOST || purpose == FLASH_FOR_MERGE;
        CHECK(flash_passes(purpose) == passes);
        flash_fill(&d, 0, FLASH_READ, {0, 0, 0, false}, 4, purpose);
        CHECK(flash_is_passing_read(&d) == passes);
        CHECK(flash_is_read(&d));
        flash_fill(&d, 0, FLASH_ERASE, {0, 0, 0, false}, 0, purpose);
        CHECK_FALSE(flash_is_passing_read(&d));
        CHECK(flash_is_erase(&d));
    }
}

TEST_CASE("a rejected descriptor is named with its operation and place")
{
    const FakeHal hal;
    flash_descriptor d{};
    flash_fill(&d, 0, FLASH_PROGRAM, {3, 9, 24, false}, 8, FLASH_FOR_HOST);
    CHECK_THROWS_WITH(flash_refused(&d, FLASH_ILLEGAL), "the die rejected flash opcode 2 at die 3 block 9 sector 24");
    CHECK_THROWS_WITH(flash_refused(&d, FLASH_MALFORMED),
                      "malformed descriptor, flash opcode 2 at die 3 block 9 sector 24");
}
