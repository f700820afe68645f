// SPDX-License-Identifier: Apache-2.0
#include "models/base/check.h"
#include "models/nand/bad_blocks.h"
#include "platform/config/flash_plan.h"

#include <algorithm>
#include <vector>

#include "firmware/ftl/page_map/capacity.h" // its register macros are also C++ names: included last

namespace strobe::platform {

std::vector<std::uint32_t> goodBlocks(const FlashPlan& plan, std::uint32_t die)
{
    Rng draws = nand::drawsOfDie(plan.seed, DieId{static_cast<std::uint16_t>(die)});
    const std::vector<bool> isBad = nand::drawBadBlocks(plan.die, plan.badBlocks, draws);
    std::vector<std::uint32_t> good(plan.die.planes);
    for (std::uint32_t block = 0; block < isBad.size(); ++block)
        good[plan.die.planeOf(block)] += isBad[block] ? 0U : 1U;
    return good;
}

namespace {

boot_block bootOf(const FlashPlan& plan)
{
    check(plan.die.planes > 0, "a die has a plane");
    boot_block boot{};
    boot.channels = plan.array.channels;
    boot.ways = plan.array.ways;
    boot.luns = plan.array.luns;
    boot.planes = plan.die.planes;
    boot.blocks_per_plane = plan.die.blocksPerPlane;
    boot.pages_per_block = plan.die.pagesPerBlock;
    boot.page_bytes = plan.die.pageBytes;
    boot.mapping_unit = plan.mappingUnitBytes;
    boot.program_pages = plan.die.pagesPerProgram;
    boot.row_planes = plan.rowPlanes;
    boot.superblock_dies = plan.superblockDies;
    boot.superblock_parity = plan.hasParity ? 1 : 0;
    boot.spare_blocks = plan.spareBlocks;
    boot.pslc_cache = plan.pslcCache;
    boot.pslc_cache_blocks = plan.pslcCacheBlocks;
    boot.placement_handles = plan.placementHandles;
    boot.placement_isolation = plan.placementIsolation;
    return boot;
}

} // namespace

XorAccumulators pageMapAccumulators(const FlashPlan& plan)
{
    const boot_block boot = bootOf(plan);
    const geometry g = geometry_of(&boot);
    return {capacity_stripes(&g) * g.row_planes, CAPACITY_ACCUMULATORS};
}

FlashCapacity pageMapCapacity(const FlashPlan& plan)
{
    const boot_block boot = bootOf(plan);
    const geometry g = geometry_of(&boot);
    // A plane of the layer has as many blocks as each of the planes of the flash that it spans has good ones.
    std::vector<std::uint32_t> good(g.planes, g.blocks_per_plane);
    for (std::uint32_t i = 0; i < g.dies; ++i) {
        const std::uint32_t group = i / g.width;
        const std::vector<std::uint32_t> found = goodBlocks(plan, die_in_group(&g, group, i % g.width));
        for (std::uint32_t plane = 0; plane < plan.die.planes; ++plane) {
            std::uint32_t& least = good[group * g.planes_per_group + plane / g.row_planes];
            least = std::min(least, found[plane]);
        }
    }
    capacity_blocks blocks{};
    for (std::uint32_t plane = 0; plane < g.planes; ++plane)
        capacity_add_plane(&blocks, &g, &boot, plane, good[plane]);
    const std::uint64_t sectors = g.sectors_per_unit;
    const std::uint64_t most = capacity_most_units(&blocks, &g);
    std::uint64_t usually = capacity_share(&blocks, &g, plan.overProvisioningPermille);
    if (usually <= std::uint64_t{blocks.usable} * g.data_units_per_block)
        usually = std::min(usually, most); // firmware lowers it, and reports that: the tables do not concern the user
    return {most * sectors, usually * sectors, false};
}

} // namespace strobe::platform
