#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What the platform tells firmware before it starts (boot_block of firmware/regs/strobe.rdl, which says what each word
// means): one member per word, in order, so that the struct is the memory image on a little-endian host. fill() writes
// it where the boot memory stands.

#include <cstddef>
#include <cstdint>

namespace strobe::cpu {

struct BootBlock {
    static constexpr std::uint32_t magicValue = 0x42525453; // "STRB"
    static constexpr std::uint32_t layoutVersion = 1;

    std::uint32_t magic = magicValue;
    std::uint32_t version = layoutVersion;
    std::uint32_t channels = 0;
    std::uint32_t ways = 0;
    std::uint32_t luns = 0;
    std::uint32_t planes = 0;
    std::uint32_t blocksPerPlane = 0;
    std::uint32_t pagesPerBlock = 0;
    std::uint32_t pageBytes = 0;
    std::uint32_t units = 0;
    std::uint32_t unitDepth = 0;
    std::uint32_t memoryBase = 0;
    std::uint32_t memorySize = 0;
    std::uint32_t bufferBase = 0;
    std::uint32_t bufferSize = 0;
    std::uint32_t cpuKhz = 0;
    std::uint32_t hostSlots = 0;
    std::uint32_t overprovisionPermille = 0;
    std::uint32_t allocationOrder = 0; // fastest first, 4 bits each: 0 channel, 1 way, 2 LUN, 3 plane
    std::uint32_t gcPolicy = 0;        // 0 greedy, 1 cost-benefit
    std::uint32_t gcLowBlocks = 0;
    std::uint32_t gcIdleBlocks = 0;
    std::uint32_t gcCopyback = 0;
    std::uint32_t completion = 0; // 0 write-back, 1 write-through
    std::uint32_t writeBufferPages = 0;
    std::uint32_t wearThreshold = 0;
    std::uint32_t badBlockTable = 0;
    std::uint32_t spareBlocks = 0;
    std::uint32_t capacityLo = 0;
    std::uint32_t capacityHi = 0;
    std::uint32_t cores = 1;
    std::uint32_t commandPlacement = 0; // 0 striped, 1 a command on one channel
    std::uint32_t serialWrites = 0;     // 1 a write begins in flash when the one before it is complete
    std::uint32_t channelScanSteps = 0; // per other channel, before a command begins
    std::uint32_t statistics = 0;       // bus address of the statistics block, zeroed; 0: nobody observes
    std::uint32_t dieDepth = 0;         // operations of a die handed to the units at a time; 0: two
    std::uint32_t readUnits = 0;        // first of the units for host reads alone; 0: there are none
    std::uint32_t superchipBus = 1;     // b
    std::uint32_t superchipChip = 1;    // c
    std::uint32_t foregroundUnit = 0;   // 0: there is none
    std::uint32_t synthesizer = 0;      // 1: there is one
    std::uint32_t recover = 0;          // 1: the flash may hold data of an earlier power cycle
    std::uint32_t checkpointPages = 0;  // programmed between two checkpoints; 0: when the journal is full
    std::uint32_t sectorBuffer = 0;     // superblock mapping, from here on: see strobe.rdl
    std::uint32_t flushWatermark = 0;
    std::uint32_t superblockLimit = 0;
    std::uint32_t parkingSuperblocks = 0;
    std::uint32_t ignoreFlush = 0;
    std::uint32_t replicateTables = 0;
    std::uint32_t checkpointRecords = 0;
    std::uint32_t implicitWear = 1;
    std::uint32_t softwareUnits = 0;      // 1: background units are firmware's, each die has a low-level controller
    std::uint32_t captureMargin = 0;      // calibration of data out: fine steps kept from the ends of the window
    std::uint32_t captureTemperature = 0; // change of temperature until the next one, 1/16 of a degree; 0: none
    std::uint32_t gcEraseIdle = 0;        // 1: an emptied block is erased while its die is idle

    void fill(std::byte* destination) const; // regs::bootBlock::size bytes
};

} // namespace strobe::cpu
