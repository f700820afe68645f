// SPDX-License-Identifier: Apache-2.0
//
// Replaying records of the log.
#include "tests/firmware/ftl/superblock_map/policy_bench.h"
#include "tests/support/catch.h"

using strobe::test::PolicyBench;

TEST_CASE("recovery log: a remap changes map, erase count, last merged stamp and the drive's stamp")
{
    PolicyBench bench;
    superblock_map& sbm = bench.sbm;
    const std::uint32_t remap[] = {RECORD_REMAP << RECORD_KIND_SHIFT | 3U, 12, 9};
    recovery_replay(&sbm, remap);
    CHECK(mapped_superblock(&sbm, 3) == 12);
    CHECK(sbm.superblocks.superblock[12].erases == 1);
    CHECK(recovery_merged(&sbm.journal)[3] == 9);
    CHECK(sbm.buffer.stamp == 9);
    const std::uint32_t older[] = {RECORD_REMAP << RECORD_KIND_SHIFT | 3U, NONE, 8};
    recovery_replay(&sbm, older);
    CHECK(sbm.map[3] == 0);
    CHECK(sbm.buffer.stamp == 9);
}

TEST_CASE("recovery log: a move for wear levelling leaves the stamps as they are")
{
    PolicyBench bench;
    const std::uint32_t move[] = {RECORD_REMAP << RECORD_KIND_SHIFT | 3U, 12, 0};
    recovery_merged(&bench.sbm.journal)[3] = 5;
    recovery_replay(&bench.sbm, move);
    CHECK(mapped_superblock(&bench.sbm, 3) == 12);
    CHECK(recovery_merged(&bench.sbm.journal)[3] == 5);
}

TEST_CASE("recovery log: a replaced block is replaced again")
{
    PolicyBench bench;
    const std::uint32_t replace[] = {RECORD_REPLACE << RECORD_KIND_SHIFT | 12U, 1U << 24U | 27U, 0};
    recovery_replay(&bench.sbm, replace);
    CHECK(bench.sbm.superblocks.blocks[12 * 2 + 1] == 27);
    CHECK(bench.sbm.superblocks.replacements == 1);
}
