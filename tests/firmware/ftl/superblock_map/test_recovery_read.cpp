// SPDX-License-Identifier: Apache-2.0
//
// Reads of recovery: what is read, what the caller gets when it fails, and the sector of zeros.
#include "tests/firmware/ftl/superblock_map/policy_bench.h"
#include "tests/support/catch.h"

using strobe::test::PolicyBench;

TEST_CASE("recovery reads: a read ends before the call does, and its job is free again")
{
    for (const flash_status status : {FLASH_OK, FLASH_UNCORRECTABLE}) {
        PolicyBench bench;
        flash_descriptor seen{};
        bench.completeOperations([&](const flash_descriptor& d) {
            seen = d;
            return status;
        });
        CHECK(recovery_read(&bench.sbm, 5, 4, 3, 0x7000, 0x7800) == (status == FLASH_OK));
        CHECK((seen.control & FLASH_DESCRIPTOR_CONTROL_OPCODE_MASK) == FLASH_READ);
        CHECK(superblock_at(&bench.sbm.superblocks, seen.blocks) == 5);
        CHECK(seen.start_sector == 4);
        CHECK(seen.sectors == 3);
        CHECK(seen.buffer == 0x7000);
        CHECK(seen.spare_address == 0x7800);
        CHECK(bench.sbm.jobs.busy == 0);
    }
}

TEST_CASE("recovery reads: of a page that cannot be read the record is zero, whatever is in memory")
{
    for (const bool fails : {false, true}) {
        PolicyBench bench;
        bench.completeOperations([&](const flash_descriptor& d) {
            CHECK(d.sectors == 1);
            bench.sbm.journal.spares[0] = {{7, 8, 9, 10}};
            return fails ? FLASH_UNCORRECTABLE : FLASH_OK;
        });
        const flash_spare spare = recovery_page(&bench.sbm, 3, 8, 0x7000);
        CHECK(spare.word[0] == (fails ? 0 : 7));
        CHECK(spare.word[3] == (fails ? 0 : 10));
    }
}

TEST_CASE("recovery reads: zeros come from a read of a superblock that is not mapped and of no buffered sector")
{
    PolicyBench bench;
    flash_descriptor seen{};
    bench.completeOperations([&](const flash_descriptor& d) {
        seen = d;
        return FLASH_OK;
    });
    recovery_write_zeros(&bench.sbm);
    CHECK(seen.blocks == 0);
    CHECK((seen.control & FLASH_DESCRIPTOR_CONTROL_SECTOR_TABLE_MASK) != 0);
    CHECK(seen.buffer == bench.sbm.buffer.zeros);
    CHECK(seen.spare_address == bench.sbm.reads.no_sectors);
    CHECK(seen.sectors == 1);
    CHECK(bench.sbm.jobs.busy == 0);
}
