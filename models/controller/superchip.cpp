// SPDX-License-Identifier: Apache-2.0
#include "models/controller/superchip.h"

#include "models/base/config_error.h"

#include <algorithm>
#include <string>

namespace strobe::controller {

namespace {
const SuperchipGeometry& validated(const nand::ArrayGeometry& array, const SuperchipGeometry& degrees)
{
    if (degrees.bus == 0 || array.channels % degrees.bus != 0)
        throw ConfigError("superchip: bus-level degree " + std::to_string(degrees.bus) + " must divide the " +
                          std::to_string(array.channels) + " channels");
    if (degrees.chip == 0 || array.diesPerChannel() % degrees.chip != 0)
        throw ConfigError("superchip: chip-level degree " + std::to_string(degrees.chip) + " must divide the " +
                          std::to_string(array.diesPerChannel()) + " dies of a channel");
    return degrees;
}
} // namespace

SuperchipMap::SuperchipMap(const nand::ArrayGeometry& array, const nand::DieGeometry& die, SuperchipGeometry degrees)
    : array_(array), die_(die), degrees_(validated(array, degrees)), superchips_(array.dies() / degrees.chips()),
      superchipsPerChannels_(array.diesPerChannel() / degrees.chip), sectorsPerRow_(die.sectorsPerPage() * degrees.bus)
{
}

DieId SuperchipMap::die(std::uint32_t superchip, std::uint32_t chip) const
{
    const std::uint32_t channel = superchip / superchipsPerChannels_ * degrees_.bus + chip % degrees_.bus;
    const std::uint32_t position = superchip % superchipsPerChannels_ * degrees_.chip + chip / degrees_.bus;
    return DieId{static_cast<std::uint16_t>(channel * array_.diesPerChannel() + position)};
}

RowRun SuperchipMap::rowRun(std::uint32_t first, std::uint32_t end) const
{
    const std::uint32_t rows = first / sectorsPerRow_; // rows before this one, over the whole superblock
    const std::uint32_t within = first % sectorsPerRow_;
    return {rows / degrees_.chip, rows % degrees_.chip, within, std::min(end - first, sectorsPerRow_ - within)};
}

PageRun SuperchipMap::pageRun(const RowRun& run, std::uint32_t bus) const
{
    const std::uint32_t b = degrees_.bus;
    const std::uint32_t offset = (bus + b - run.first % b) % b; // to the first sector that this bus is dealt
    const std::uint32_t chip = run.row * b + bus;
    if (offset >= run.sectors)
        return {chip, 0, 0, 0};
    return {chip, (run.first + offset) / b, (run.sectors - offset + b - 1) / b, offset};
}

std::uint32_t SuperchipMap::pagesTouched(std::uint32_t first, std::uint32_t end) const
{
    const auto pagesOf = [this](const RowRun& run) { return std::min<std::uint32_t>(run.sectors, degrees_.bus); };
    const RowRun head = rowRun(first, end);
    const std::uint32_t rest = end - first - head.sectors;
    const std::uint32_t tail = rest % sectorsPerRow_;
    return pagesOf(head) + rest / sectorsPerRow_ * degrees_.bus + std::min<std::uint32_t>(tail, degrees_.bus);
}

} // namespace strobe::controller
