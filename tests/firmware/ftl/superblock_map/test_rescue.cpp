// SPDX-License-Identifier: Apache-2.0
//
// The buffer of a read-only drive.
#include "tests/firmware/ftl/superblock_map/policy_bench.h"
#include "tests/support/catch.h"

using strobe::test::PolicyBench;

TEST_CASE("rescue: the sector that blocks the ring of a read-only drive moves to the place of a discarded one")
{
    PolicyBench bench([](boot_block& boot) { boot.parking_superblocks = 1; });
    superblock_map& sbm = bench.sbm;
    const std::uint32_t entry = bench.write(1, 5, 1);
    buffer_arrived(&sbm.buffer, 1, PolicyBench::ringSectors - 1);
    for (std::uint32_t number = 1; number < PolicyBench::ringSectors; ++number)
        buffer_discard(&sbm.buffer, number);
    rescue_run(&sbm);
    CHECK(sbm.jobs.busy == 0); // the drive is not read-only
    sbm.read_only = true;
    sbm.parking.table[0] = 77;
    rescue_run(&sbm);
    CHECK(bench.opcode(0) == FLASH_READ);
    CHECK(bench.operation(0).blocks == 0);
    CHECK(bench.operation(0).buffer == buffer_address(&sbm.buffer, PolicyBench::ringSectors - 1));
    CHECK(bench.operation(0).spare_address == sbm.rescue.table_at);
    CHECK(sbm.rescue.table[0] == buffer_address(&sbm.buffer, 0));
    CHECK(sbm.parking.table[0] == 77); // parking's table is its own
    bench.end(0);
    CHECK(buffer_owner(&sbm.buffer, PolicyBench::ringSectors - 1) == entry);
    buffer_run(&sbm.buffer);
    CHECK(sbm.buffer.tail == PolicyBench::ringSectors - 1);
}

TEST_CASE("rescue: nothing moves while there is space for a piece")
{
    PolicyBench bench;
    bench.sbm.read_only = true;
    bench.write(1, 5, 1);
    buffer_arrived(&bench.sbm.buffer, 1, 1);
    buffer_discard(&bench.sbm.buffer, 1);
    rescue_run(&bench.sbm);
    CHECK(bench.sbm.jobs.busy == 0);
}
