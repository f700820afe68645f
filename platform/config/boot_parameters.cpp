// SPDX-License-Identifier: Apache-2.0
#include "platform/config/boot_parameters.h"

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace strobe::platform {

namespace {
std::uint32_t allocationOrder(const std::array<Dimension, 4>& order)
{
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < order.size(); ++i)
        word |= static_cast<std::uint32_t>(order[i]) << (4 * i);
    return word;
}

std::uint32_t wholeUnits(Time time, Time unit) // rounded up
{
    return static_cast<std::uint32_t>((time + unit - Time{1}) / unit);
}

void setThrottle(cpu::BootBlock& boot, const ThermalConfig::Throttle& throttle, std::uint32_t dies)
{
    constexpr std::int32_t stepsPerDegree = 16;
    const auto share = [dies](std::uint32_t permille) {
        return static_cast<std::uint32_t>(std::max<std::uint64_t>(1, std::uint64_t{dies} * permille / 1000));
    };
    boot.thermalLight = static_cast<std::uint32_t>(throttle.light * stepsPerDegree);
    boot.thermalHeavy = static_cast<std::uint32_t>(throttle.heavy * stepsPerDegree);
    boot.thermalHysteresis = static_cast<std::uint32_t>(throttle.hysteresis * stepsPerDegree);
    boot.thermalLightDies = share(throttle.lightPermille);
    boot.thermalHeavyDies = share(throttle.heavyPermille);
}
} // namespace

cpu::BootBlock bootParameters(const Scenario& scenario)
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
    boot.mappingUnit = firmware.mappingUnitBytes;
    boot.programPages = die.pagesPerProgram;
    boot.rowPlanes = firmware.rowPlanes;
    boot.superblockDies = firmware.superblockDies;
    boot.superblockParity = firmware.superblockParity ? 1 : 0;
    boot.pslcCache = static_cast<std::uint32_t>(firmware.pslcCache.kind);
    boot.pslcCacheBlocks = firmware.pslcCache.blocks;
    boot.pslcCacheResume = firmware.pslcCache.resumePermille;
    boot.pslcCacheFold = firmware.pslcCache.kind != PslcCacheMode::None && firmware.pslcCache.foldsWhileIdle ? 1 : 0;
    boot.pslcPages = die.pslcPages;
    boot.hostSlots = scenario.host.queueDepth;
    boot.units = scenario.controller.units;
    boot.unitDepth = scenario.controller.unitDepth;
    boot.dieDepth = scenario.controller.dieDepth;
    boot.readUnits = scenario.controller.readUnits;
    boot.readDepth = scenario.controller.readDepth;
    boot.superchipBus = scenario.controller.superchip.bus;
    boot.superchipChip = scenario.controller.superchip.chip;
    boot.foregroundUnit = scenario.controller.hasForeground ? scenario.flashUnits() : 0;
    boot.synthesizer = scenario.controller.hasSynthesizer ? 1 : 0;
    boot.softwareUnits = static_cast<std::uint32_t>(scenario.controller.backgroundUnits);
    boot.cpuKhz = static_cast<std::uint32_t>(scenario.cpu.hertz / 1000);
    boot.overprovisionPermille = firmware.overProvisioningPermille;
    boot.allocationOrder = allocationOrder(firmware.allocation);
    boot.gcPolicy = static_cast<std::uint32_t>(firmware.gcPolicy);
    boot.gcLowBlocks = firmware.gcLowBlocks;
    boot.gcIdleBlocks = firmware.gcIdleBlocks;
    boot.gcCopyback = firmware.gcCopyBack ? 1 : 0;
    boot.gcErase = static_cast<std::uint32_t>(firmware.gcErase);
    boot.hostStreams = static_cast<std::uint32_t>(firmware.hostStreams);
    boot.placementHandles = firmware.placement.handles;
    boot.placementIsolation = static_cast<std::uint32_t>(firmware.placement.isolation);
    boot.gcPacing = static_cast<std::uint32_t>(firmware.gcPacing);
    const nand::ErrorModel& errors = scenario.nand.part.errors;
    const bool retries = errors.isOn() && firmware.ftl == Ftl::PageMap;
    boot.retryOptions = retries && firmware.readRetry ? static_cast<std::uint32_t>(errors.options.size()) : 0;
    boot.softSenses = retries ? firmware.softSenses : 0;
    boot.completion = static_cast<std::uint32_t>(firmware.completion);
    boot.readAheadStreams = firmware.readAheadStreams;
    boot.readAheadWindow = firmware.readAheadWindow;
    const RefreshConfig& refresh = firmware.refresh;
    boot.refreshReads = refresh.readLimit;
    boot.refreshAge = wholeUnits(refresh.ageLimit, std::chrono::milliseconds(1));
    boot.scrubInterval = wholeUnits(refresh.scrubInterval, std::chrono::microseconds(1));
    boot.scrubBits = refresh.scrubBits;
    boot.writeCache = static_cast<std::uint32_t>(firmware.writeCache);
    boot.writeBufferPages = firmware.writeBufferPages;
    boot.wearThreshold = firmware.wearThreshold;
    boot.zoneDies = firmware.zoned.dies;
    boot.openZones = firmware.zoned.openZones;
    boot.activeZones = firmware.zoned.activeZones;
    boot.zoneRows = firmware.zoned.rows;
    boot.zoneErase = static_cast<std::uint32_t>(firmware.zoned.erase);
    boot.startGapInterval = firmware.startGapInterval;
    boot.spareBlocks = firmware.spareBlocks;
    boot.capacityLo = static_cast<std::uint32_t>(firmware.capacitySectors);
    boot.capacityHi = static_cast<std::uint32_t>(firmware.capacitySectors >> 32);
    boot.cores = firmware.cores;
    boot.commandPlacement = static_cast<std::uint32_t>(firmware.commandPlacement);
    boot.serialWrites = firmware.serialWrites ? 1 : 0;
    boot.readPolls = firmware.readPolls;
    boot.writePolls = firmware.writePolls;
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
    if (scenario.thermal.throttles())
        setThrottle(boot, scenario.thermal.throttle, scenario.nand.array.dies());
    return boot;
}

} // namespace strobe::platform
