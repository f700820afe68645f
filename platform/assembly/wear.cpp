// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/wear.h"

#include <algorithm>

namespace strobe::platform {

namespace {

WearReport::Overwrites overwritesOf(const Dies& dies)
{
    WearReport::Overwrites all;
    all.minimum = UINT32_MAX;
    for (const nand::Die* die : dies) {
        const nand::DieGeometry& geometry = die->part().geometry;
        all.pages += geometry.pages();
        for (std::uint32_t block = 0; block < geometry.blocks(); ++block) {
            for (std::uint32_t page = 0; page < geometry.pagesPerBlock; ++page) {
                const std::uint32_t times = die->cells().overwrites({block, page});
                all.minimum = std::min(all.minimum, times);
                all.maximum = std::max(all.maximum, times);
                all.sum += times;
            }
        }
    }
    return all;
}

} // namespace

WearReport wearOf(const Dies& dies)
{
    constexpr std::size_t histogramEnd = 64;
    WearReport wear;
    wear.minimum = UINT32_MAX;
    for (const nand::Die* die : dies) {
        for (std::uint32_t block = 0; block < die->part().geometry.blocks(); ++block) {
            ++wear.blocks;
            if (die->block(block).factoryBad) {
                ++wear.factoryBad;
                continue;
            }
            const std::uint32_t erases = die->block(block).erases;
            wear.failed += die->block(block).failed ? 1U : 0U;
            wear.minimum = std::min(wear.minimum, erases);
            wear.maximum = std::max(wear.maximum, erases);
            wear.erases += erases;
            const std::size_t bin = std::min<std::size_t>(erases, histogramEnd);
            if (wear.histogram.size() <= bin)
                wear.histogram.resize(bin + 1);
            ++wear.histogram[bin];
        }
    }
    wear.minimum = std::min(wear.minimum, wear.maximum);
    if (!dies.empty() && dies.front()->part().isOverwritable())
        wear.overwrites = overwritesOf(dies);
    return wear;
}

std::vector<DieWear> wearMapOf(const Dies& dies, std::uint32_t diesPerChannel)
{
    std::vector<DieWear> map;
    for (std::uint32_t d = 0; d < dies.size(); ++d) {
        const nand::Die& die = *dies[d];
        DieWear& wear = map.emplace_back();
        wear.channel = d / diesPerChannel;
        wear.position = d % diesPerChannel;
        for (std::uint32_t block = 0; block < die.part().geometry.blocks(); ++block) {
            wear.erases.push_back(die.block(block).erases);
            if (die.block(block).factoryBad)
                wear.factoryBad.push_back(block);
            else if (die.block(block).failed)
                wear.failed.push_back(block);
        }
    }
    return map;
}

WearSample wearSample(const Dies& dies, Time at, std::uint64_t writtenBytes)
{
    WearSample sample;
    sample.at = at;
    sample.writtenBytes = writtenBytes;
    sample.minimum = UINT32_MAX;
    for (const nand::Die* die : dies) {
        for (std::uint32_t block = 0; block < die->part().geometry.blocks(); ++block) {
            const std::uint32_t erases = die->block(block).erases;
            const bool isBad = die->block(block).factoryBad || die->block(block).failed;
            const bool isUnused = erases == 0 && die->block(block).nextPage == 0;
            if (isBad || isUnused || die->block(block).metadata)
                continue;
            ++sample.blocks;
            sample.minimum = std::min(sample.minimum, erases);
            sample.maximum = std::max(sample.maximum, erases);
            sample.erases += erases;
        }
    }
    sample.minimum = std::min(sample.minimum, sample.maximum);
    return sample;
}

} // namespace strobe::platform
