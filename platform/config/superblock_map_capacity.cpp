// SPDX-License-Identifier: Apache-2.0
#include "models/nand/bad_blocks.h"
#include "platform/config/flash_plan.h"

#include <algorithm>
#include <vector>

#include "firmware/ftl/superblock_map/capacity.h" // its register macros are also C++ names: included last

namespace strobe::platform {

namespace {

// Physical superblocks as firmware composes them: a bad block takes a spare of its plane, and without one the
// superblock is unusable; then the areas of journal and parking are taken from the lowest ones.
class Superblocks {
public:
    explicit Superblocks(const FlashPlan& plan)
    {
        layout_.bus = plan.superchip.bus;
        layout_.chip = plan.superchip.chip;
        layout_.positions = plan.array.diesPerChannel();
        layout_.dies = plan.array.dies();
        layout_.planes = plan.die.planes;
        layout_.pages = plan.die.pagesPerBlock;
        layout_.page_sectors = plan.die.sectorsPerPage();
        layout_complete(&layout_, plan.die.blocksPerPlane, plan.spareBlocks);
        compose(plan);
    }

    const layout& shape() const { return layout_; }

    bool reserve(std::uint32_t superchip, std::uint64_t count)
    {
        const std::size_t first = std::size_t{superchip} * layout_.per_superchip;
        for (std::size_t number = first; number < first + layout_.per_superchip && count != 0; ++number) {
            count -= isFree_[number] ? 1U : 0U;
            isFree_[number] = false;
        }
        return count == 0;
    }

    std::uint32_t fewestOfAnyGroup() const
    {
        std::vector<std::uint32_t> usable(layout_.groups);
        for (std::uint32_t number = 0; number < layout_.superblocks; ++number)
            usable[group_of(&layout_, number)] += isFree_[number] ? 1U : 0U;
        return *std::min_element(usable.begin(), usable.end());
    }

private:
    void compose(const FlashPlan& plan)
    {
        std::vector<std::vector<bool>> isBad;
        std::vector<std::uint32_t> spares(std::size_t{layout_.dies} * layout_.planes);
        for (std::uint32_t die = 0; die < layout_.dies; ++die) {
            Rng draws = nand::drawsOfDie(plan.seed, DieId{static_cast<std::uint16_t>(die)});
            isBad.push_back(nand::drawBadBlocks(plan.die, plan.badBlocks, draws));
            for (std::uint32_t block = layout_.per_superchip; block < layout_.blocks_per_die; ++block)
                spares[die * layout_.planes + block % layout_.planes] += isBad[die][block] ? 0U : 1U;
        }
        const superchip_degrees degrees{layout_.bus, layout_.chip, layout_.positions};
        isFree_.assign(layout_.superblocks, true);
        for (std::uint32_t number = 0; number < layout_.superblocks; ++number) {
            const std::uint32_t block = number % layout_.per_superchip;
            for (std::uint32_t chip = 0; chip < layout_.chips; ++chip) {
                const std::uint32_t die = superchip_die(&degrees, superchip_of(&layout_, number), chip);
                if (!isBad[die][block])
                    continue;
                std::uint32_t& left = spares[die * layout_.planes + block % layout_.planes];
                if (left == 0)
                    isFree_[number] = false;
                else
                    --left;
            }
        }
    }

    layout layout_{};
    std::vector<bool> isFree_;
};

} // namespace

FlashCapacity superblockMapCapacity(const FlashPlan& plan)
{
    Superblocks superblocks(plan);
    const layout& shape = superblocks.shape();
    const std::uint64_t tables = capacity_table_area(&shape, plan.units);
    if (tables > AREA_MOST)
        return {0, 0, true};
    bool fits = shape.per_superchip != 0;
    for (std::uint32_t copy = 0; copy < (plan.replicateTables ? 2U : 1U) && fits; ++copy)
        fits = superblocks.reserve(capacity_home(&shape, copy), LOG_SUPERBLOCKS + tables);
    for (std::uint32_t i = 0; i < plan.parkingSuperblocks && fits; ++i)
        fits = superblocks.reserve(capacity_home(&shape, i), 1);
    if (!fits)
        return {0, 0, false};
    const std::uint64_t logicals = capacity_logicals(superblocks.fewestOfAnyGroup(), plan.overProvisioningPermille);
    const std::uint64_t sectors = logicals * shape.groups * shape.sectors;
    return {sectors, sectors, false};
}

} // namespace strobe::platform
