// SPDX-License-Identifier: Apache-2.0
#include "models/host/durable_floors.h"

#include <algorithm>

namespace strobe::host {

namespace {

DurableFloors::Floors floorsOf(const SectorVersions& versions, std::uint64_t chunk)
{
    DurableFloors::Floors floors{};
    for (std::uint32_t sector = 0; sector < floors.size(); ++sector)
        floors[sector] = versions.window(chunk, sector).floor;
    return floors;
}

} // namespace

void DurableFloors::beforeRaise(const SectorVersions& versions, std::uint64_t chunk)
{
    const auto [at, isNew] = epochs_.back().try_emplace(chunk);
    if (isNew)
        at->second = floorsOf(versions, chunk);
}

void DurableFloors::raisedForGood(const SectorVersions::Part& part, std::uint32_t floor)
{
    for (Epoch& epoch : epochs_) {
        const auto at = epoch.find(part.chunk);
        for (std::uint32_t i = part.from; at != epoch.end() && i < part.to; ++i)
            at->second[i] = std::max(at->second[i], floor);
    }
}

std::uint64_t DurableFloors::flushIssued()
{
    epochs_.emplace_back();
    return first_ + epochs_.size() - 2;
}

void DurableFloors::flushed(std::uint64_t ticket)
{
    for (; first_ <= ticket; ++first_)
        epochs_.pop_front();
}

std::unordered_map<std::uint64_t, DurableFloors::Floors> DurableFloors::powerLost(SectorVersions& versions)
{
    std::unordered_map<std::uint64_t, Floors> before;
    for (; !epochs_.empty(); epochs_.pop_back()) { // the latest first
        for (const auto& [chunk, floors] : epochs_.back()) {
            before.try_emplace(chunk, floorsOf(versions, chunk));
            for (std::uint32_t sector = 0; sector < floors.size(); ++sector)
                versions.lowerFloor(chunk, sector, floors[sector]);
        }
        ++first_;
    }
    epochs_.emplace_back();
    return before;
}

std::uint64_t DurableFloors::bytesUsed() const
{
    std::uint64_t chunks = 0;
    for (const Epoch& epoch : epochs_)
        chunks += epoch.size();
    return chunks * (sizeof(Floors) + 2 * sizeof(std::uint64_t));
}

} // namespace strobe::host
