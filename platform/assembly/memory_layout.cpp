// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/memory_layout.h"

#include "models/base/config_error.h"
#include "models/base/strobe_registers.h"

#include <string>

namespace strobe::platform {

namespace {
constexpr std::uint32_t alignment = 4096;

constexpr std::uint64_t alignedUp(std::uint64_t value)
{
    return (value + alignment - 1) / alignment * alignment;
}

std::uint32_t allocationOrder(const std::array<Dimension, 4>& order)
{
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < order.size(); ++i)
        word |= static_cast<std::uint32_t>(order[i]) << (4 * i);
    return word;
}
} // namespace

MemoryLayout layOutMemory(const Scenario& scenario)
{
    MemoryLayout layout;
    layout.sram = {sramBase, scenario.sram.size};
    layout.boot = {BusAddress{regs::bootBlock::base}, bootMemoryBytes};
    layout.sdram = {sdramBase, scenario.memory.size};

    std::uint64_t tableBytes = 0;
    if (scenario.firmware.badBlockScan == BadBlockScan::Table) {
        const std::uint64_t blocks = std::uint64_t{scenario.nand.array.dies()} * scenario.nand.part.geometry.blocks();
        tableBytes = alignedUp((blocks + 7) / 8);
    }
    const std::uint64_t bufferBytes = alignedUp(scenario.memory.bufferSize);
    if (tableBytes + bufferBytes + alignment > scenario.memory.size) {
        throw ConfigError("/memory/size: " + std::to_string(scenario.memory.size) + " bytes do not hold a buffer of " +
                          std::to_string(bufferBytes) + " bytes and firmware's tables; make it larger");
    }
    const auto table = static_cast<std::uint32_t>(tableBytes);
    const auto buffer = static_cast<std::uint32_t>(bufferBytes);
    layout.badBlockTable = {sdramBase, table};
    layout.control = {sdramBase + table, scenario.memory.size - table - buffer};
    layout.dataBuffer = {sdramBase + (scenario.memory.size - buffer), buffer};
    return layout;
}

cpu::BootBlock makeBootBlock(const Scenario& scenario, const MemoryLayout& layout, std::uint32_t hostSlots, bool isNew)
{
    const nand::DieGeometry& die = scenario.nand.part.geometry;
    const FirmwareConfig& firmware = scenario.firmware;
    cpu::BootBlock boot;
    boot.channels = scenario.nand.array.channels;
    boot.ways = scenario.nand.array.ways;
    boot.luns = scenario.nand.array.luns;
    boot.planes = die.planes;
    boot.blocksPerPlane = die.blocksPerPlane;
    boot.pagesPerBlock = die.pagesPerBlock;
    boot.pageBytes = die.pageBytes;
    boot.units = scenario.controller.units;
    boot.unitDepth = scenario.controller.unitDepth;
    boot.dieDepth = scenario.controller.dieDepth;
    boot.readUnits = scenario.controller.readUnits;
    boot.superchipBus = scenario.controller.superchip.bus;
    boot.superchipChip = scenario.controller.superchip.chip;
    boot.foregroundUnit = scenario.controller.hasForeground ? scenario.flashUnits() : 0;
    boot.synthesizer = scenario.controller.hasSynthesizer ? 1 : 0;
    boot.softwareUnits = static_cast<std::uint32_t>(scenario.controller.backgroundUnits);
    boot.memoryBase = raw(layout.control.base);
    boot.memorySize = layout.control.size;
    boot.bufferBase = raw(layout.dataBuffer.base);
    boot.bufferSize = layout.dataBuffer.size;
    boot.cpuKhz = static_cast<std::uint32_t>(scenario.cpu.hertz / 1000);
    boot.hostSlots = hostSlots;
    boot.overprovisionPermille = firmware.overProvisioningPermille;
    boot.allocationOrder = allocationOrder(firmware.allocation);
    boot.gcPolicy = static_cast<std::uint32_t>(firmware.gcPolicy);
    boot.gcLowBlocks = firmware.gcLowBlocks;
    boot.gcIdleBlocks = firmware.gcIdleBlocks;
    boot.gcCopyback = firmware.gcCopyBack ? 1 : 0;
    boot.gcErase = static_cast<std::uint32_t>(firmware.gcErase);
    boot.completion = static_cast<std::uint32_t>(firmware.completion);
    boot.writeBufferPages = firmware.writeBufferPages;
    boot.wearThreshold = firmware.wearThreshold;
    boot.startGapInterval = firmware.startGapInterval;
    boot.badBlockTable = layout.badBlockTable.size == 0 ? 0 : raw(layout.badBlockTable.base);
    boot.spareBlocks = firmware.spareBlocks;
    boot.capacityLo = static_cast<std::uint32_t>(firmware.capacitySectors);
    boot.capacityHi = static_cast<std::uint32_t>(firmware.capacitySectors >> 32);
    boot.cores = firmware.cores;
    boot.statistics = raw(layout.boot.base) + statisticsOffset;
    boot.commandPlacement = static_cast<std::uint32_t>(firmware.commandPlacement);
    boot.serialWrites = firmware.serialWrites ? 1 : 0;
    boot.channelScanSteps = firmware.channelScanSteps;
    boot.recover = isNew ? 0 : 1;
    boot.checkpointPages = firmware.checkpointPages;
    const SuperblockMapConfig& superblocks = firmware.superblockMap;
    boot.sectorBuffer = superblocks.sectorBuffer;
    boot.flushWatermark = static_cast<std::uint32_t>(std::uint64_t{superblocks.sectorBuffer} *
                                                     superblocks.flushHighWatermarkPermille / 1000);
    boot.superblockLimit = superblocks.superblockLimit;
    boot.parkingSuperblocks = superblocks.flush == FlushHandling::Park ? superblocks.parkingSuperblocks : 0;
    boot.flushHandling = static_cast<std::uint32_t>(superblocks.flush);
    boot.replicateTables = superblocks.replicateTables ? 1 : 0;
    boot.checkpointRecords = superblocks.checkpointRecords;
    boot.implicitWear = superblocks.implicitWear ? 1 : 0;
    constexpr std::uint32_t sensorStepsPerDegree = 16;
    const CalibrationConfig& calibration = scenario.channel.calibration;
    boot.captureMargin = calibration.margin;
    boot.captureTemperature = calibration.isEnabled ? calibration.threshold * sensorStepsPerDegree : 0;
    return boot;
}

} // namespace strobe::platform
