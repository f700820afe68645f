// SPDX-License-Identifier: Apache-2.0
//
// Recovery as a table of steps.
#include "tests/firmware/ftl/superblock_map/policy_bench.h"
#include "tests/support/catch.h"

using strobe::test::PolicyBench;

namespace {

// Takes the steps up to one with this name, which is not taken.
void stepsBefore(PolicyBench& bench, const std::string& name)
{
    for (const recovery_step& step : recovery_steps) {
        if (step.name == name)
            return;
        step.run(&bench.sbm);
    }
    FAIL("there is no step of that name");
}

} // namespace

TEST_CASE("recovery: a drive that was never used only gets a generation and the sector of zeros")
{
    PolicyBench bench;
    std::uint32_t operations[5] = {};
    bench.completeOperations([&](const flash_descriptor& d) {
        ++operations[d.control & FLASH_DESCRIPTOR_CONTROL_OPCODE_MASK];
        return FLASH_OK;
    });
    recover(&bench.sbm);
    CHECK(bench.sbm.journal.generation == 1);
    CHECK(operations[FLASH_READ] == 1); // of zeros
    CHECK(operations[FLASH_ERASE] == bench.sbm.journal.table_parts + 1);
    CHECK(operations[FLASH_PROGRAM] == bench.sbm.journal.table_parts);
    CHECK(std::string(bench.sbm.recovery.step) == recovery_steps[RECOVERY_STEPS - 1].name);
}

TEST_CASE("recovery: on a used drive without tables no step that needs them is taken")
{
    PolicyBench bench([](boot_block& boot) { boot.recover = 1; });
    bench.completeOperations([&](const flash_descriptor& d) {
        const bool isRead = (d.control & FLASH_DESCRIPTOR_CONTROL_OPCODE_MASK) == FLASH_READ;
        return isRead && d.blocks != 0 ? FLASH_UNCORRECTABLE : FLASH_OK;
    });
    bench.sbm.superblocks.superblock[20].freed_at = 1000; // building the pool again would change it
    recover(&bench.sbm);
    CHECK(bench.sbm.recovery.tables.generation == 0);
    CHECK(bench.sbm.superblocks.superblock[20].freed_at == 1000);
    CHECK(bench.sbm.journal.generation == 1);
}

TEST_CASE("recovery: the first page of each member of the areas gives its generation")
{
    PolicyBench bench([](boot_block& boot) { boot.recover = 1; });
    journal& journal = bench.sbm.journal;
    bench.completeOperations([&](const flash_descriptor& d) {
        const std::uint32_t number = superblock_at(&bench.sbm.superblocks, d.blocks);
        journal.spares[0] = {{0, 0, 0, 0}};
        if (number == journal.table[0].member[2])
            journal.spares[0] = {{PAGE_TABLE, 6, 1, 0}};
        if (number == journal.log[0].member[1])
            journal.spares[0] = {{PAGE_LOG, 5, 0, 0}};
        if (number == journal.log[0].member[3])
            journal.spares[0] = {{PAGE_TABLE, 99, 0, 0}}; // not of this area
        return FLASH_OK;
    });
    stepsBefore(bench, "load the newest tables");
    CHECK(bench.sbm.recovery.scan.newest == 6);
    CHECK(bench.sbm.recovery.scan.table[0].generation[2] == 6);
    CHECK(bench.sbm.recovery.scan.table[0].part[2] == 1);
    CHECK(bench.sbm.recovery.scan.log[0].generation[1] == 5);
    CHECK(bench.sbm.recovery.scan.log[0].generation[3] == 0);
}
