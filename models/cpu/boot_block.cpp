// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/boot_block.h"

#include "models/base/strobe_registers.h"

#include <cstring>
#include <type_traits>

namespace strobe::cpu {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the boot block is copied as it stands in memory");
static_assert(std::is_trivially_copyable_v<BootBlock>);
static_assert(sizeof(BootBlock) == regs::bootBlock::size);
#define STROBE_BOOT_WORD(member, word)                                                                                 \
    static_assert(offsetof(BootBlock, member) == regs::bootBlock::word, "boot block layouts differ")
STROBE_BOOT_WORD(magic, MAGIC);
STROBE_BOOT_WORD(version, VERSION);
STROBE_BOOT_WORD(channels, CHANNELS);
STROBE_BOOT_WORD(ways, WAYS);
STROBE_BOOT_WORD(luns, LUNS);
STROBE_BOOT_WORD(planes, PLANES);
STROBE_BOOT_WORD(blocksPerPlane, BLOCKS_PER_PLANE);
STROBE_BOOT_WORD(pagesPerBlock, PAGES_PER_BLOCK);
STROBE_BOOT_WORD(pageBytes, PAGE_BYTES);
STROBE_BOOT_WORD(units, UNITS);
STROBE_BOOT_WORD(unitDepth, UNIT_DEPTH);
STROBE_BOOT_WORD(memoryBase, MEMORY_BASE);
STROBE_BOOT_WORD(memorySize, MEMORY_SIZE);
STROBE_BOOT_WORD(bufferBase, BUFFER_BASE);
STROBE_BOOT_WORD(bufferSize, BUFFER_SIZE);
STROBE_BOOT_WORD(cpuKhz, CPU_KHZ);
STROBE_BOOT_WORD(hostSlots, HOST_SLOTS);
STROBE_BOOT_WORD(overprovisionPermille, OVERPROVISION_PERMILLE);
STROBE_BOOT_WORD(allocationOrder, ALLOCATION_ORDER);
STROBE_BOOT_WORD(gcPolicy, GC_POLICY);
STROBE_BOOT_WORD(gcLowBlocks, GC_LOW_BLOCKS);
STROBE_BOOT_WORD(gcIdleBlocks, GC_IDLE_BLOCKS);
STROBE_BOOT_WORD(gcCopyback, GC_COPYBACK);
STROBE_BOOT_WORD(completion, COMPLETION);
STROBE_BOOT_WORD(writeBufferPages, WRITE_BUFFER_PAGES);
STROBE_BOOT_WORD(wearThreshold, WEAR_THRESHOLD);
STROBE_BOOT_WORD(badBlockTable, BAD_BLOCK_TABLE);
STROBE_BOOT_WORD(spareBlocks, SPARE_BLOCKS);
STROBE_BOOT_WORD(capacityLo, CAPACITY_LO);
STROBE_BOOT_WORD(capacityHi, CAPACITY_HI);
STROBE_BOOT_WORD(cores, CORES);
STROBE_BOOT_WORD(commandPlacement, COMMAND_PLACEMENT);
STROBE_BOOT_WORD(serialWrites, SERIAL_WRITES);
STROBE_BOOT_WORD(channelScanSteps, CHANNEL_SCAN_STEPS);
STROBE_BOOT_WORD(statistics, STATISTICS);
STROBE_BOOT_WORD(dieDepth, DIE_DEPTH);
STROBE_BOOT_WORD(readUnits, READ_UNITS);
#undef STROBE_BOOT_WORD

void BootBlock::fill(std::byte* destination) const
{
    std::memcpy(destination, this, sizeof *this);
}

} // namespace strobe::cpu
