// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/ftl/superblock_map/small_superblocks.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace strobe::test {

namespace {

const superblock_map& sbm = superblock_drive;

void expect(bool holds, const std::string& what)
{
    if (!holds)
        throw std::runtime_error("tables: " + what);
}

void checkMap()
{
    std::vector<std::uint32_t> logicalOf(sbm.layout.superblocks, NONE);
    for (std::uint32_t logical = 0; logical < sbm.logicals; ++logical) {
        if (sbm.map[logical] == 0)
            continue;
        const std::uint32_t number = superblock_at(&sbm.superblocks, sbm.map[logical]);
        expect(number < sbm.layout.superblocks && logicalOf[number] == NONE, "a superblock is mapped twice");
        expect(group_of(&sbm.layout, number) == logical % sbm.layout.groups, "a superblock has left its group");
        expect(sbm.superblocks.superblock[number].state == SUPERBLOCK_MAPPED, "a mapped superblock has another state");
        logicalOf[number] = logical;
    }
    for (std::uint32_t number = 0; number < sbm.layout.superblocks; ++number) {
        const superblock& s = sbm.superblocks.superblock[number];
        expect((s.state == SUPERBLOCK_MAPPED) == (logicalOf[number] != NONE),
               "a superblock in state mapped is not in the map");
        expect(s.state != SUPERBLOCK_MAPPED || s.logical == logicalOf[number],
               "a superblock has another logical number");
    }
}

void checkBlocks()
{
    std::vector<bool> used(std::size_t{sbm.layout.dies} * sbm.layout.blocks_per_die, false);
    for (std::uint32_t number = 0; number < sbm.layout.superblocks; ++number) {
        if (sbm.superblocks.superblock[number].state == SUPERBLOCK_UNUSABLE)
            continue;
        for (std::uint32_t chip = 0; chip < sbm.layout.chips; ++chip) {
            const std::uint32_t die = layout_die(&sbm.layout, superchip_of(&sbm.layout, number), chip);
            const std::uint32_t block = sbm.superblocks.blocks[number * sbm.layout.chips + chip];
            const std::size_t flat = std::size_t{die} * sbm.layout.blocks_per_die + block;
            expect(block < sbm.layout.blocks_per_die && !used[flat], "a block belongs to two superblocks");
            used[flat] = true;
        }
    }
}

void checkBuffer()
{
    std::uint32_t open = 0;
    for (std::uint32_t i = 0; i < sbm.buffer.entries; ++i) {
        const entry& e = sbm.buffer.entry[i];
        if (e.state == ENTRY_FREE)
            continue;
        open += e.state == ENTRY_OPEN ? 1 : 0;
        std::uint32_t sectors = 0;
        std::uint32_t trimmed = 0;
        const std::uint32_t* table = entry_table(&sbm.buffer, i);
        for (std::uint32_t sector = 0; sector < sbm.layout.sectors; ++sector) {
            sectors += table[sector] != 0 ? 1 : 0;
            trimmed += table[sector] == sbm.buffer.zeros ? 1 : 0;
        }
        expect(sectors == e.sectors && trimmed == e.trimmed, "an entry has miscounted its sectors");
    }
    expect(open == sbm.buffer.open, "open entries are miscounted");
}

} // namespace

MockOptions smallSuperblocks()
{
    MockOptions options;
    cpu::BootBlock& boot = options.boot;
    boot.channels = 2;
    boot.ways = 4;
    boot.luns = 1;
    boot.planes = 1;
    boot.blocksPerPlane = 26;
    boot.spareBlocks = 2;
    boot.pagesPerBlock = 8;
    boot.pageBytes = 2048;
    boot.units = 3;
    boot.unitDepth = 2;
    boot.foregroundUnit = 3;
    boot.superchipBus = 2;
    boot.superchipChip = 2;
    boot.hostSlots = 8;
    boot.overprovisionPermille = 100;
    boot.allocationOrder = 0x3210;
    boot.sectorBuffer = 512;
    boot.flushWatermark = 150;
    boot.superblockLimit = 4;
    boot.checkpointRecords = 40;
    boot.wearThreshold = 0;
    options.bufferPages = 160;
    options.memoryBytes = 4u << 20U;
    return options;
}

void useSoftwareUnits(MockOptions& options)
{
    cpu::BootBlock& boot = options.boot;
    boot.softwareUnits = 1;
    boot.foregroundUnit = boot.channels * boot.ways * boot.luns;
}

void checkSuperblocks()
{
    checkMap();
    checkBlocks();
    checkBuffer();
}

void checkSuperblocksAtRest()
{
    checkSuperblocks();
    expect(sbm.jobs.busy == 0, "a job has not ended");
    expect(sbm.commands.active == 0, "a command has not completed");
    if (sbm.read_only)
        return;
    expect(sbm.journal.records.put == sbm.journal.records.taken, "a change has not reached the log");
    for (std::uint32_t number = 0; number < sbm.layout.superblocks; ++number) {
        const std::uint32_t state = sbm.superblocks.superblock[number].state;
        expect(state != SUPERBLOCK_TARGET && state != SUPERBLOCK_LEAVING, "a superblock is neither free nor mapped");
    }
}

bool runSuperblocks(MockDrive& drive, MockHost& host)
{
    drive.onSleep = [&drive] {
        if (drive.sleeps() % 16 == 0 && drive.isReady())
            checkSuperblocks();
    };
    if (!drive.run(strobe_firmware_entry, host))
        return false;
    checkSuperblocksAtRest();
    return true;
}

} // namespace strobe::test
