// SPDX-License-Identifier: Apache-2.0
//
// Host commands and lines of them.
#include "tests/firmware/ftl/superblock_map/policy_bench.h"
#include "tests/support/catch.h"

using strobe::test::Panic;
using strobe::test::PolicyBench;

TEST_CASE("commands: a command keeps its slot from its arrival to its completion")
{
    PolicyBench bench;
    superblock_map& sbm = bench.sbm;
    bench.putCommand(2, HOST_WRITE, 5, 3, true);
    command_take(&sbm, 2);
    CHECK(sbm.commands.active == 1);
    CHECK(sbm.commands.slot[2].lba == 5);
    CHECK(sbm.commands.slot[2].sectors == 3);
    CHECK(sbm.commands.slot[2].through);
    CHECK(sbm.commands.slot[2].status == HOST_OK);
    CHECK_THROWS_AS(command_take(&sbm, 2), Panic);
    command_complete(&sbm, 2, HOST_UNCORRECTABLE);
    CHECK(sbm.commands.active == 0);
    CHECK(bench.written(HOST_COMPLETE) == (2U | HOST_UNCORRECTABLE << HOST_COMPLETE_STATUS_SHIFT));
}

TEST_CASE("commands: a command outside the drive, or a write to a read-only drive, has its status from the start")
{
    PolicyBench bench;
    bench.putCommand(0, HOST_READ, bench.sbm.capacity, 1);
    command_take(&bench.sbm, 0);
    CHECK(bench.sbm.commands.slot[0].status == HOST_OUT_OF_RANGE);
    bench.sbm.read_only = true;
    bench.putCommand(1, HOST_WRITE, 0, 1);
    command_take(&bench.sbm, 1);
    CHECK(bench.sbm.commands.slot[1].status == HOST_DEVICE_FAULT);
}

TEST_CASE("commands: a line keeps the order of arrival")
{
    PolicyBench bench;
    command_line line{NONE, NONE};
    for (const std::uint32_t slot : {2U, 0U, 3U})
        command_line_join(&bench.sbm, &line, slot);
    const command* slots = bench.sbm.commands.slot;
    CHECK(line.head == 2);
    CHECK(slots[2].next == 0);
    CHECK(slots[0].next == 3);
    CHECK(slots[3].next == NONE);
    line.head = NONE; // all are served
    command_line_join(&bench.sbm, &line, 1);
    CHECK(line.head == 1);
    CHECK(line.tail == 1);
}
