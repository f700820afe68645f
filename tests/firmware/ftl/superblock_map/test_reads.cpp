// SPDX-License-Identifier: Apache-2.0
//
// Host reads.
#include "tests/firmware/ftl/superblock_map/policy_bench.h"
#include "tests/support/catch.h"

using strobe::test::PolicyBench;

namespace {

constexpr std::uint32_t firstSlot = PolicyBench::units; // of the descriptors for reads

void read(PolicyBench& bench, std::uint32_t slot, std::uint64_t lba, std::uint32_t sectors)
{
    bench.putCommand(slot, HOST_READ, lba, sectors);
    command_take(&bench.sbm, slot);
    reads_start(&bench.sbm, slot);
}

} // namespace

TEST_CASE("reads: a read in one superblock is one operation, which the hardware completes")
{
    PolicyBench bench;
    const std::uint32_t number = bench.map(1);
    read(bench, 0, PolicyBench::sectors + 3, 4);
    const flash_descriptor& d = bench.operation(firstSlot);
    CHECK(d.blocks == superblock_blocks(&bench.sbm.superblocks, number));
    CHECK(d.start_sector == 3);
    CHECK(d.sectors == 4);
    CHECK((d.control & FLASH_DESCRIPTOR_CONTROL_COMPLETE_MASK) != 0);
    CHECK((d.control & FLASH_DESCRIPTOR_CONTROL_SECTOR_TABLE_MASK) == 0);
    CHECK_FALSE(bench.sbm.commands.slot[0].active); // its slot may be used again
    CHECK(bench.sbm.read_progress.begun == 1);
    bench.writes.clear();
    reads_done(&bench.sbm, firstSlot, {FLASH_OK, 0});
    CHECK(bench.sbm.read_progress.ended == 1);
    CHECK(bench.writes.empty());
}

TEST_CASE("reads: the table of a read has the newer sector of two entries, and does not change any more")
{
    PolicyBench bench;
    sector_buffer& buffer = bench.sbm.buffer;
    const std::uint32_t older = bench.write(1, 0, 2); // ring sectors 0, 1
    entry_freeze(&buffer, older);
    bench.write(1, 1, 1); // ring sector 2
    read(bench, 0, PolicyBench::sectors, 3);
    REQUIRE(bench.operation(firstSlot).spare_address == bench.sbm.reads.scratch_at);
    const std::uint32_t* table = bench.sbm.reads.scratch;
    CHECK(table[0] == buffer_address(&buffer, 0));
    CHECK(table[1] == buffer_address(&buffer, 2));
    CHECK(table[2] == 0);
    bench.write(1, 2, 1);
    CHECK(table[2] == 0);
}

TEST_CASE("reads: a superblock without data reads as zeros")
{
    PolicyBench bench;
    read(bench, 0, 0, 2);
    CHECK(bench.operation(firstSlot).blocks == 0);
    CHECK(bench.operation(firstSlot).spare_address == bench.sbm.reads.no_sectors);
}

TEST_CASE("reads: a read over several superblocks completes when all its operations have ended, with the worst status")
{
    PolicyBench bench;
    read(bench, 0, PolicyBench::sectors - 1, 1 + PolicyBench::sectors + 1); // three pieces, two descriptor slots
    CHECK(bench.sbm.read_progress.begun == 2);
    CHECK(bench.sbm.commands.slot[0].pieces == 2);
    reads_done(&bench.sbm, firstSlot, {FLASH_UNCORRECTABLE, 0});
    CHECK(bench.sbm.read_progress.begun == 3);
    reads_done(&bench.sbm, firstSlot + 1, {FLASH_OK, 0});
    CHECK(bench.sbm.commands.slot[0].active);
    reads_done(&bench.sbm, firstSlot, {FLASH_OK, 0});
    CHECK_FALSE(bench.sbm.commands.slot[0].active);
    CHECK(bench.written(HOST_COMPLETE) == HOST_UNCORRECTABLE << HOST_COMPLETE_STATUS_SHIFT);
}

TEST_CASE("reads: firmware completes a read in one operation that has failed")
{
    PolicyBench bench;
    read(bench, 1, 0, 2);
    reads_done(&bench.sbm, firstSlot, {FLASH_UNCORRECTABLE, 0});
    CHECK(bench.written(HOST_COMPLETE) == (1U | HOST_UNCORRECTABLE << HOST_COMPLETE_STATUS_SHIFT));
}
