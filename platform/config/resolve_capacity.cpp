// SPDX-License-Identifier: Apache-2.0
#include "platform/config/resolve_capacity.h"

#include "platform/config/flash_plan.h"
#include "platform/config/resolve_checks.h"
#include "platform/config/units.h"

#include <fmt/format.h>

#include <utility>

namespace strobe::platform {

namespace {

constexpr std::uint32_t mostOverProvisioning = regs::bounds::overprovisionPermille.maximum; // permille
constexpr std::uint32_t mostBlocksPerPlane = regs::bounds::blocksPerPlane.maximum;
constexpr std::uint32_t mostPagesPerBlock = regs::bounds::pagesPerBlock.maximum;
constexpr std::uint32_t leastParking = 2;

std::string sectorsText(std::uint64_t sectors)
{
    return sizeText(sectors * sectorBytes);
}

std::string percentText(std::uint32_t permille)
{
    return quantityText(Quantity::Percent, permille);
}

// The values that determine whether the capacity fits.
std::vector<std::string> capacityKeys()
{
    std::vector<std::string> keys = flashSizeKeys();
    keys.insert(keys.end(),
                {"/nand/factoryBadBlocks", "/firmware/ftl", "/firmware/capacity", "/firmware/overProvisioning",
                 "/firmware/spareBlocks", "/firmware/pageMap/mappingUnit", "/firmware/pageMap/superblock",
                 "/firmware/pageMap/pslcCache", "/firmware/superblockMap", "/controller/superchip"});
    return keys;
}

class Capacity {
public:
    Capacity(const Scenario& s, std::vector<Problem>& problems)
        : problems_(problems), isSuperblockMap_(s.firmware.ftl == Ftl::SuperblockMap),
          isZoned_(s.firmware.ftl == Ftl::Zoned),
          hasReservedCache_(s.firmware.ftl == Ftl::PageMap && s.firmware.pslcCache.kind == PslcCacheMode::Static),
          wanted_(s.firmware.capacitySectors)
    {
        const SuperblockMapConfig& map = s.firmware.superblockMap;
        plan_ = {s.nand.part.geometry,
                 s.nand.array,
                 s.nand.factoryBadBlocks,
                 s.seed,
                 s.firmware.spareBlocks,
                 s.firmware.overProvisioningPermille,
                 s.firmware.mappingUnitBytes,
                 s.firmware.rowPlanes,
                 s.firmware.superblockDies,
                 s.firmware.superblockParity,
                 static_cast<std::uint32_t>(s.firmware.pslcCache.kind),
                 s.firmware.pslcCache.blocks,
                 s.firmware.placement.handles,
                 static_cast<std::uint32_t>(s.firmware.placement.isolation),
                 s.firmware.zoned.dies,
                 s.firmware.zoned.rows,
                 s.controller.superchip,
                 s.controller.units,
                 map.flush == FlushHandling::Park ? map.parkingSuperblocks : 0,
                 map.replicateTables,
                 s.firmware.writeBufferPages};
    }

    std::uint64_t judge()
    {
        if (plan_.hasParity && parity())
            return 0;
        if (fits(plan_)) {
            const FlashCapacity offered = offer(plan_);
            return wanted_ != 0 ? wanted_ - wanted_ % offered.granularity : offered.usually;
        }
        // The first key whose correction alone is sufficient is named.
        const bool isNamed = capacity() || overProvisioning() || spareBlocks() || parking() || replication();
        if (!isNamed)
            blocks();
        return 0;
    }

private:
    FlashCapacity offer(const FlashPlan& plan) const
    {
        if (isZoned_)
            return zonedCapacity(plan);
        return isSuperblockMap_ ? superblockMapCapacity(plan) : pageMapCapacity(plan);
    }

    bool fits(const FlashPlan& plan) const
    {
        const FlashCapacity offered = offer(plan);
        const std::uint64_t sectors = wanted_ != 0 ? wanted_ - wanted_ % offered.granularity : offered.usually;
        return sectors != 0 && sectors <= offered.most;
    }

    bool refuse(std::string path, std::string message)
    {
        problems_.push_back({std::move(path), std::move(message), false, {}, false, capacityKeys()});
        return true;
    }

    const char* keeps() const
    {
        if (isZoned_)
            return "spare blocks and the blocks for saves";
        if (isSuperblockMap_)
            return "spare blocks, journal, parking area and the superblocks that merges need";
        return hasReservedCache_ ? "the reserved pSLC cache (firmware.pageMap.pslcCache.size), spare blocks, journal, "
                                   "checkpoints and the blocks that garbage collection needs"
                                 : "spare blocks, journal, checkpoints and the blocks that garbage collection needs";
    }

    bool parity()
    {
        const auto [needed, most] = pageMapAccumulators(plan_);
        return needed > most &&
               refuse("/firmware/pageMap/superblock/parity",
                      fmt::format("needs {} accumulators of the XOR engine, which has {}: superblocks of "
                                  "more dies (dies) need fewer",
                                  needed, most));
    }

    bool capacity()
    {
        const FlashCapacity offered = offer(plan_);
        const std::uint64_t most = offered.most;
        if (wanted_ == 0 || most == 0)
            return false;
        if (wanted_ < offered.granularity)
            return refuse("/firmware/capacity", fmt::format("{} is less than a zone, which has {}",
                                                            sectorsText(wanted_), sectorsText(offered.granularity)));
        return refuse("/firmware/capacity", fmt::format("{} is too large beside {}: must be {} or less here",
                                                        sectorsText(wanted_), keeps(), sectorsText(most)));
    }

    // The largest value of [good, bad) for which `holds` is true; it is true for `good` and false for `bad`.
    template <class Holds>
    static std::uint32_t last(std::uint32_t good, std::uint32_t bad, Holds holds)
    {
        while (bad - good > 1) {
            const std::uint32_t middle = good + (bad - good) / 2;
            (holds(middle) ? good : bad) = middle;
        }
        return good;
    }

    // More of it is too much, less of it too little.
    bool overProvisioning()
    {
        const auto offered = [this](std::uint32_t permille) {
            FlashPlan plan = plan_;
            plan.overProvisioningPermille = permille;
            return offer(plan);
        };
        const auto isTooLittle = [&](std::uint32_t permille) {
            const FlashCapacity o = offered(permille);
            return o.usually > o.most;
        };
        const auto leaves = [&](std::uint32_t permille) { return offered(permille).usually != 0; };
        if (!leaves(0) || isTooLittle(mostOverProvisioning))
            return false;
        const std::uint32_t from = isTooLittle(0) ? last(0, mostOverProvisioning, isTooLittle) + 1 : 0;
        const std::uint32_t to =
            leaves(mostOverProvisioning) ? mostOverProvisioning : last(0, mostOverProvisioning, leaves);
        if (from > to)
            return false;
        return refuse("/firmware/overProvisioning",
                      fmt::format("{} is too {} for {}: must be {} to {} here{}",
                                  percentText(plan_.overProvisioningPermille),
                                  plan_.overProvisioningPermille < from ? "little" : "much", keeps(), percentText(from),
                                  percentText(to), fitSpareBlocks(0) ? ", or set fewer spareBlocks" : ""));
    }

    bool fitSpareBlocks(std::uint32_t blocks) const
    {
        FlashPlan plan = plan_;
        plan.spareBlocks = blocks;
        return fits(plan);
    }

    bool spareBlocks()
    {
        const auto fit = [this](std::uint32_t blocks) { return fitSpareBlocks(blocks); };
        const std::uint32_t asked = plan_.spareBlocks;
        if (asked == 0 || !fit(0))
            return false;
        return refuse(
            "/firmware/spareBlocks",
            fmt::format("{} are too many: each die has {} blocks, {} of them bad, for {}: must be {} or less here",
                        asked, plan_.die.blocks(), plan_.badBlocks, keeps(), last(0, asked, fit)));
    }

    bool parking()
    {
        const auto fit = [this](std::uint32_t superblocks) {
            FlashPlan plan = plan_;
            plan.parkingSuperblocks = superblocks;
            return fits(plan);
        };
        const std::uint32_t asked = plan_.parkingSuperblocks;
        if (asked <= leastParking || !fit(leastParking))
            return false;
        return refuse("/firmware/superblockMap/parkingSuperblocks",
                      fmt::format("{} are too many beside {}: must be {} or less here", asked, keeps(),
                                  last(leastParking, asked, fit)));
    }

    bool replication()
    {
        FlashPlan plan = plan_;
        plan.replicateTables = false;
        if (!plan_.replicateTables || !fits(plan))
            return false;
        return refuse("/firmware/superblockMap/replicateTables",
                      fmt::format("a second copy does not fit beside {}: must be false here", keeps()));
    }

    // Fewer, or if that does not help larger ones.
    bool superblocks()
    {
        const std::uint32_t asked = plan_.die.blocksPerPlane;
        const std::uint32_t pages = plan_.die.pagesPerBlock;
        const std::string shape = fmt::format("{} x {}", plan_.superchip.bus, plan_.superchip.chip);
        const auto areFew = [this](std::uint32_t number) {
            FlashPlan plan = plan_;
            plan.die.blocksPerPlane = number;
            return number * plan.die.planes <= plan.badBlocks || !offer(plan).hasTooManyBlocks;
        };
        const std::uint32_t largest = last(0, asked, areFew);
        if (largest * plan_.die.planes > plan_.badBlocks)
            return refuse("/nand/part/blocksPerPlane",
                          fmt::format("the tables of so many superblocks outgrow their area: must be {} or less with "
                                      "superchips of {}, not {}",
                                      largest, shape, asked));
        const auto areSmall = [this](std::uint32_t number) {
            FlashPlan plan = plan_;
            plan.die.pagesPerBlock = number;
            return offer(plan).hasTooManyBlocks;
        };
        return refuse("/nand/part/pagesPerBlock",
                      fmt::format("the tables outgrow an area of such small superblocks: must be {} or more "
                                  "with superchips of {}, not {}",
                                  last(pages, mostPagesPerBlock, areSmall) + 1, shape, pages));
    }

    // Requirements for any capacity at all.
    bool blocks()
    {
        const auto fit = [this](std::uint32_t number) {
            FlashPlan plan = plan_;
            plan.die.blocksPerPlane = number;
            return number * plan.die.planes > plan.badBlocks && offer(plan).most != 0;
        };
        const std::uint32_t asked = plan_.die.blocksPerPlane;
        const char* const path = "/nand/part/blocksPerPlane";
        if (offer(plan_).hasTooManyBlocks)
            return superblocks();
        std::uint32_t enough = asked;
        while (enough < mostBlocksPerPlane && !fit(enough))
            enough *= 2;
        if (!fit(enough))
            return refuse(path, fmt::format("{} are too few for {}: no number of blocks is enough", asked, keeps()));
        const std::uint32_t fewer = last(asked, enough, [&](std::uint32_t number) { return !fit(number); });
        return refuse(path, fmt::format("{} are too few for {}: must be {} or more here", asked, keeps(), fewer + 1));
    }

    std::vector<Problem>& problems_;
    FlashPlan plan_{};
    bool isSuperblockMap_;
    bool isZoned_;
    bool hasReservedCache_;
    std::uint64_t wanted_; // sectors; 0: from over-provisioning
};

constexpr std::uint64_t startGapKeeps = 2; // pages: the gap, and one of zeros (firmware/ftl/start_gap)

std::uint64_t startGapCapacity(const Scenario& s, std::vector<Problem>& problems)
{
    const nand::DieGeometry& die = s.nand.part.geometry;
    const std::uint64_t most = (die.pages() * s.nand.array.dies() - startGapKeeps) * die.sectorsPerPage();
    const std::uint64_t wanted = s.firmware.capacitySectors;
    if (s.firmware.capacitySectors % die.sectorsPerPage() != 0)
        problems.push_back({"/firmware/capacity",
                            fmt::format("must be a whole number of pages of {} with start_gap, not {}",
                                        sectorsText(die.sectorsPerPage()), sectorsText(s.firmware.capacitySectors))});
    if (s.firmware.capacitySectors > most)
        problems.push_back(
            {"/firmware/capacity",
             fmt::format("{} is too large: two pages are reserved, the gap and one of zeros: must be {} or less",
                         sectorsText(s.firmware.capacitySectors), sectorsText(most))});
    return wanted % die.sectorsPerPage() != 0 || wanted > most ? 0 : wanted != 0 ? wanted : most;
}

} // namespace

std::uint64_t resolveCapacity(const Scenario& scenario, std::vector<Problem>& problems)
{
    if (scenario.firmware.ftl == Ftl::StartGap)
        return startGapCapacity(scenario, problems);
    return Capacity(scenario, problems).judge();
}

} // namespace strobe::platform
