// SPDX-License-Identifier: Apache-2.0
//
// Trims.
#include "tests/firmware/ftl/superblock_map/policy_bench.h"
#include "tests/support/catch.h"

using strobe::test::PolicyBench;

namespace {

void trim(PolicyBench& bench, std::uint32_t slot, std::uint64_t lba, std::uint32_t sectors)
{
    bench.putCommand(slot, HOST_TRIM, lba, sectors);
    command_take(&bench.sbm, slot);
    command_line_join(&bench.sbm, &bench.sbm.trims, slot);
}

} // namespace

TEST_CASE("trims: the whole pages in the range become zeros, a superblock per step")
{
    PolicyBench bench;
    superblock_map& sbm = bench.sbm;
    bench.map(0);
    bench.map(1);
    trim(bench, 0, PolicyBench::sectors - 5, 12); // pages of 4: from sector 12 to 20
    CHECK(trims_continue(&sbm));
    CHECK(sbm.commands.slot[0].active);
    CHECK(trims_continue(&sbm));
    CHECK_FALSE(sbm.commands.slot[0].active);
    CHECK_FALSE(trims_continue(&sbm));
    const std::uint32_t first = entry_of(&sbm.buffer, 0);
    const std::uint32_t second = entry_of(&sbm.buffer, 1);
    CHECK(sbm.buffer.entry[first].trimmed == 4);
    CHECK(entry_table(&sbm.buffer, first)[11] == 0);
    CHECK(entry_table(&sbm.buffer, first)[12] == sbm.buffer.zeros);
    CHECK(sbm.buffer.entry[second].trimmed == 4);
    CHECK(sbm.buffer.head == 0); // no space in the ring
}

TEST_CASE("trims: a superblock without data needs no entry")
{
    PolicyBench bench;
    trim(bench, 0, 0, PolicyBench::sectors);
    CHECK(trims_continue(&bench.sbm));
    CHECK(bench.sbm.buffer.open == 0);
    CHECK_FALSE(bench.sbm.commands.slot[0].active);
}

TEST_CASE("trims: without an entry a trim waits; on a read-only drive it fails")
{
    PolicyBench bench;
    superblock_map& sbm = bench.sbm;
    for (std::uint32_t logical = 1; logical <= PolicyBench::entries; ++logical)
        bench.write(logical, 0, 1);
    bench.map(0);
    trim(bench, 0, 0, 4);
    CHECK_FALSE(trims_continue(&sbm));
    CHECK(sbm.merging.needs_entry);
    sbm.read_only = true;
    CHECK(trims_continue(&sbm));
    CHECK(bench.written(HOST_COMPLETE) == HOST_DEVICE_FAULT << HOST_COMPLETE_STATUS_SHIFT);
}
