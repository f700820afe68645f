// SPDX-License-Identifier: Apache-2.0
#include "models/base/check.h"
#include "platform/config/flash_plan.h"

#include <algorithm>

#include "firmware/ftl/zoned/capacity.h" // its register macros are also C++ names: included last

namespace strobe::platform {

namespace {

boot_block bootOf(const nand::DieGeometry& die, const nand::ArrayGeometry& array, std::uint32_t zoneDies,
                  std::uint32_t zoneRows)
{
    boot_block boot{};
    boot.channels = array.channels;
    boot.ways = array.ways;
    boot.luns = array.luns;
    boot.planes = die.planes;
    boot.pages_per_block = die.pagesPerBlock;
    boot.program_pages = die.pagesPerProgram;
    boot.page_bytes = die.pageBytes;
    boot.zone_dies = zoneDies;
    boot.zone_rows = zoneRows;
    boot.blocks_per_plane = die.blocksPerPlane;
    return boot;
}

} // namespace

FlashCapacity zonedCapacity(const FlashPlan& plan)
{
    boot_block boot = bootOf(plan.die, plan.array, plan.zoneDies, plan.zoneRows);
    boot.spare_blocks = plan.spareBlocks;
    boot.write_buffer_pages = plan.writeBufferPages;
    const zone_shape shape = zone_shape_of(&boot);
    std::uint32_t fewest = plan.die.blocksPerPlane;
    for (std::uint32_t die = 0; die < plan.array.dies(); ++die) {
        const std::vector<std::uint32_t> good = goodBlocks(plan, die);
        fewest = std::min(fewest, *std::min_element(good.begin(), good.end()));
    }
    const std::uint64_t sectors = zoned_zones(&boot, &shape, fewest) * shape.size;
    return {sectors, sectors, false, shape.size};
}

PlannedZones plannedZones(const nand::DieGeometry& die, const nand::ArrayGeometry& array, std::uint32_t zoneDies,
                          std::uint32_t zoneRows)
{
    const boot_block boot = bootOf(die, array, zoneDies, zoneRows);
    const zone_shape shape = zone_shape_of(&boot);
    return {shape.size, shape.capacity};
}

} // namespace strobe::platform
