// SPDX-License-Identifier: Apache-2.0
//
// The two changes of the drive's state that several parts make.
#include "tests/firmware/ftl/superblock_map/policy_bench.h"
#include "tests/support/catch.h"

using strobe::test::PolicyBench;

TEST_CASE("state: a logical superblock is mapped to its new place, and the old one waits for the log")
{
    PolicyBench bench;
    superblock_map& sbm = bench.sbm;
    const std::uint32_t source = bench.map(2);
    const std::uint32_t target = superblocks_take(&sbm.superblocks, 0);
    change_mapped_superblock(&sbm, 2, target, source);
    CHECK(mapped_superblock(&sbm, 2) == target);
    CHECK(sbm.superblocks.superblock[target].state == SUPERBLOCK_MAPPED);
    CHECK(sbm.superblocks.superblock[target].logical == 2);
    CHECK(sbm.superblocks.superblock[source].state == SUPERBLOCK_LEAVING);
    change_mapped_superblock(&sbm, 2, NONE, target); // a trim
    CHECK(mapped_superblock(&sbm, 2) == NONE);
    CHECK(sbm.superblocks.superblock[target].state == SUPERBLOCK_LEAVING);
}

TEST_CASE("state: a drive turns read-only once, for the first reason")
{
    PolicyBench bench;
    turn_read_only(&bench.sbm, "first");
    turn_read_only(&bench.sbm, "second");
    CHECK(bench.sbm.read_only);
    CHECK(bench.console == std::vector<std::string>{"first"});
}
