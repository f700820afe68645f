// SPDX-License-Identifier: Apache-2.0
#include "platform/config/firmware_memory.h"

#include "platform/config/boot_parameters.h"

#include <algorithm>
#include <cstring>

// Last: the macros of strobe_regs.h have names of constants in the C++ headers.
#include "firmware/ftl/page_map/footprint.h"
#include "firmware/ftl/start_gap/footprint.h"
#include "firmware/ftl/superblock_map/footprint.h"
#include "firmware/ftl/zoned/footprint.h"

namespace strobe::platform {

std::uint64_t alignedToMemory(std::uint64_t bytes)
{
    return (bytes + memoryAlignment - 1) / memoryAlignment * memoryAlignment;
}

std::uint64_t badBlockTableBytes(const Scenario& scenario)
{
    if (scenario.firmware.badBlockScan != BadBlockScan::Table)
        return 0;
    const std::uint64_t blocks = std::uint64_t{scenario.nand.array.dies()} * scenario.nand.part.geometry.blocks();
    return alignedToMemory((blocks + 7) / 8);
}

namespace {

constexpr std::uint32_t smallestBufferPages = 8; // zeros, reads, writes and moves

boot_block firmwareBoot(const cpu::BootBlock& parameters)
{
    boot_block boot{};
    static_assert(sizeof boot == sizeof parameters, "one layout");
    std::memcpy(&boot, &parameters, sizeof boot);
    return boot;
}

} // namespace

LeastBuffer leastBuffer(const Scenario& scenario)
{
    const boot_block boot = firmwareBoot(bootParameters(scenario));
    const geometry g = geometry_of(&boot);
    const std::uint64_t units = scenario.firmware.ftl == Ftl::PageMap ? capacity_least_slots(&boot, &g) : 0;
    if (units * g.unit_bytes > std::uint64_t{smallestBufferPages} * g.page_bytes)
        return {units, g.unit_bytes, "mapping units"};
    return {smallestBufferPages, g.page_bytes, "pages"};
}

std::uint32_t usualWriteBufferPages(const Scenario& scenario, std::uint32_t bufferSize)
{
    const boot_block boot = firmwareBoot(bootParameters(scenario));
    std::uint32_t half = std::max(bufferSize / std::max(boot.page_bytes, PAGE_MAP_SECTOR_BYTES) / 2, 1U);
    const geometry g = geometry_of(&boot);
    if (scenario.firmware.ftl != Ftl::PageMap || bufferSize < 2 * g.unit_bytes)
        return half;
    half = std::min(half, FOOTPRINT_MOST_SLOTS / 2 / std::max(g.units_per_flash_page, 1U));
    const std::uint32_t slots = std::min(bufferSize / g.unit_bytes, FOOTPRINT_MOST_SLOTS) - 1;
    const std::uint32_t units = capacity_usual_writes(&g, slots);
    return units >= slots / 2 ? half : std::clamp(units / std::max(g.units_per_flash_page, 1U), 1U, half);
}

std::uint64_t controlMemoryBytes(const Scenario& scenario)
{
    cpu::BootBlock parameters = bootParameters(scenario);
    parameters.bufferSize = static_cast<std::uint32_t>(alignedToMemory(scenario.memory.bufferSize));
    parameters.badBlockTable = scenario.firmware.badBlockScan == BadBlockScan::Table ? 1 : 0;
    parameters.recover = 1;
    const boot_block boot = firmwareBoot(parameters);
    switch (scenario.firmware.ftl) {
    case Ftl::SuperblockMap: return superblock_map_footprint(&boot);
    case Ftl::StartGap: return start_gap_footprint(&boot);
    case Ftl::Zoned: return zoned_footprint(&boot);
    case Ftl::PageMap: break;
    }
    return page_map_footprint(&boot);
}

} // namespace strobe::platform
