// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/source_desktop.h"

#include "models/base/check.h"
#include "models/base/content.h"

#include <fmt/format.h>

#include <algorithm>

namespace strobe::host {

DesktopSource::DesktopSource(const SyntheticConfig& config, const HabitConfig& reads, const HabitConfig& writes,
                             std::uint64_t nearDistance)
    : SyntheticSource(config), reads_(habitOf(reads)), writes_(habitOf(writes)),
      nearSectors_(nearDistance / sectorBytes), sizeRng_(config.seed, config.name + "/size")
{
}

DesktopSource::Habit DesktopSource::habitOf(const HabitConfig& config) const
{
    Habit habit;
    double sum = 0;
    for (const SizeWeight& size : config.sizes)
        sum += size.weight;
    double before = 0;
    for (const SizeWeight& size : config.sizes) {
        before += size.weight;
        habit.sectors.push_back(static_cast<std::uint32_t>(size.bytes / sectorBytes));
        habit.upTo.push_back(before / sum);
        habit.meanBytes += static_cast<double>(size.bytes) * size.weight / sum;
    }
    habit.sequential = config.sequential;
    habit.sequentialOrNear = config.sequential + config.near;
    const std::uint64_t regionBytes = space().sectors * sectorBytes;
    habit.spanSectors = (config.span.isSet() ? config.span.of(regionBytes) : regionBytes) / sectorBytes;
    for (const std::uint32_t sectors : habit.sectors)
        check(sectors > 0 && sectors <= habit.spanSectors, "a desktop's request must fit into its span");
    return habit;
}

SyntheticSource::Extent DesktopSource::pick(RequestKind kind)
{
    Habit& habit = kind == RequestKind::Read ? reads_ : writes_;
    const std::uint32_t sectors = drawSize(habit);
    const std::uint64_t last = habit.spanSectors - sectors; // where it may begin at most
    const double choice = addressRng().unit();
    std::uint64_t begin = habit.end;
    if (!habit.hasBegun || choice >= habit.sequentialOrNear || habit.end > last)
        begin = drawPlace(0, last);
    else if (choice >= habit.sequential)
        begin = drawPlace(habit.end - std::min(habit.end, nearSectors_), std::min(last, habit.end + nearSectors_));
    habit.end = begin + sectors;
    habit.hasBegun = true;
    return {space().firstSector + begin, sectors};
}

std::uint32_t DesktopSource::drawSize(const Habit& habit)
{
    const auto found = std::upper_bound(habit.upTo.begin(), habit.upTo.end() - 1, sizeRng_.unit());
    return habit.sectors[static_cast<std::size_t>(found - habit.upTo.begin())];
}

std::uint64_t DesktopSource::drawPlace(std::uint64_t first, std::uint64_t last)
{
    const std::uint64_t step = space().stepSectors;
    const std::uint64_t lowest = (first + step - 1) / step;
    const std::uint64_t highest = last / step;
    return lowest >= highest ? highest * step : (lowest + addressRng().below(highest - lowest + 1)) * step;
}

std::string DesktopSource::patternText() const
{
    return fmt::format("desktop ({:.4g} % of the reads and {:.4g} % of the writes sequential)", reads_.sequential * 100,
                       writes_.sequential * 100);
}

std::string DesktopSource::sizeText() const
{
    const auto mean = [](const Habit& habit) { return fmt::format("{:.4g} KiB", habit.meanBytes / 1024); };
    return fmt::format("reads of {} and writes of {} on average", mean(reads_), mean(writes_));
}

} // namespace strobe::host
