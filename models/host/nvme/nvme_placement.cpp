// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_placement.h"

#include "models/base/content.h"

#include <algorithm>

namespace strobe::host::nvme {

namespace {

constexpr std::uint64_t billion = 1'000'000'000; // bytes of a data unit of the endurance group

std::uint32_t bitOf(PlacementEventType type)
{
    const auto* found = std::find(placementEventTypes.begin(), placementEventTypes.end(), type);
    return 1U << static_cast<std::uint32_t>(found - placementEventTypes.begin());
}

bool isOfHost(PlacementEventType type)
{
    return static_cast<std::uint8_t>(type) < 0x80;
}

std::uint64_t dataUnits(std::uint64_t bytes)
{
    return (bytes + billion - 1) / billion;
}

} // namespace

// --- events ----------------------------------------------------------------------------------------------------------

bool PlacementEvents::isEnabled(PlacementEventType type, std::uint16_t handle) const
{
    return (enabled_.at(handle) & bitOf(type)) != 0;
}

bool PlacementEvents::exists(std::uint8_t type)
{
    return std::any_of(placementEventTypes.begin(), placementEventTypes.end(),
                       [type](PlacementEventType known) { return static_cast<std::uint8_t>(known) == type; });
}

void PlacementEvents::enable(PlacementEventType type, std::uint16_t handle, bool isEnabled)
{
    std::uint32_t& bits = enabled_.at(handle);
    bits = isEnabled ? bits | bitOf(type) : bits & ~bitOf(type);
}

void PlacementEvents::add(const PlacementEvent& event)
{
    const bool isInvalid = event.type == PlacementEventType::InvalidIdentifier;
    if (!isEnabled(event.type, isInvalid ? std::uint16_t{0} : event.identifier))
        return;
    std::vector<PlacementEvent>& events = isOfHost(event.type) ? ofHost_ : ofController_;
    if (events.size() == limit)
        events.erase(events.begin());
    events.push_back(event);
}

void PlacementEvents::noteMoves(const std::vector<PlacementEntry>& entries, Time at)
{
    moved_.resize(entries.size());
    for (std::size_t handle = 0; handle < entries.size(); ++handle) {
        const std::uint32_t sectors = entries[handle].moved - moved_[handle];
        moved_[handle] = entries[handle].moved;
        if (sectors != 0)
            add({PlacementEventType::MediaReallocated, static_cast<std::uint16_t>(handle), at, sectors});
    }
}

LogPage PlacementEvents::log(bool ofHost, const std::function<std::uint64_t(Time)>& timestamp) const
{
    constexpr std::size_t entryBytes = 64; // the header has as many
    constexpr std::uint8_t identifierIsValid = 1U << 0U;
    constexpr std::uint8_t namespaceIsValid = 1U << 1U;
    constexpr std::uint8_t locationIsValid = 1U << 2U;
    constexpr std::uint32_t mostMoved = 0xFFFF; // that the event can say
    const std::vector<PlacementEvent>& events = ofHost ? ofHost_ : ofController_;
    LogPage page(entryBytes * (1 + events.size()));
    putField(page, 0, static_cast<std::uint32_t>(events.size()));
    std::size_t at = entryBytes;
    for (const PlacementEvent& event : events) {
        // An identifier that does not exist has no location.
        const bool isInvalid = event.type == PlacementEventType::InvalidIdentifier;
        putField(page, at, event.type);
        putField(page, at + 1,
                 static_cast<std::uint8_t>(identifierIsValid | namespaceIsValid | (isInvalid ? 0U : locationIsValid)));
        putField(page, at + 2, event.identifier);
        putField(page, at + 4, timestamp(event.at));
        putField(page, at + 12, event.space == 0 ? std::uint32_t{1} : event.space);
        putField(page, at + 18, static_cast<std::uint16_t>(std::min(event.movedSectors, mostMoved)));
        if (!isInvalid)
            putField(page, at + 34, event.identifier); // reclaim unit handle, of reclaim group 0
        at += entryBytes;
    }
    return page;
}

// --- log pages -------------------------------------------------------------------------------------------------------

LogPage enduranceGroupLog(const SmartValues& values, const DriveHealth& health, std::uint64_t capacitySectors)
{
    LogPage log(512);
    const std::uint64_t capacity = capacitySectors * sectorBytes;
    putField(log, 3, static_cast<std::uint8_t>(health.sparePercent()));
    putField(log, 4, spareThreshold);
    putField(log, 5, static_cast<std::uint8_t>(std::min<std::uint32_t>(health.usedPercent(), 255)));
    putField(log, 48, dataUnits(values.sectorsRead * sectorBytes));
    putField(log, 64, dataUnits(values.sectorsWritten * sectorBytes));
    putField(log, 80, dataUnits(health.bytesProgrammed)); // media units written
    putField(log, 96, values.reads);
    putField(log, 112, values.writes);
    putField(log, 128, values.mediaErrors);
    putField(log, 144, values.errors);
    putField(log, 160, capacity); // total; nothing is unallocated
    return log;
}

LogPage placementConfigurations(const PlacementShape& shape, std::uint32_t namespaces)
{
    constexpr std::size_t headerBytes = 16;
    constexpr std::size_t descriptorBytes = 64;
    constexpr std::size_t handleBytes = 4;
    constexpr std::uint8_t isValid = 1U << 7U;
    constexpr std::uint8_t initiallyIsolated = 1;
    constexpr std::uint8_t persistentlyIsolated = 2;
    const std::size_t bytes = (descriptorBytes + shape.handles * handleBytes + 7) / 8 * 8;
    LogPage log(headerBytes + bytes);
    putField(log, 0, std::uint16_t{0}); // configurations, counts from zero
    putField(log, 4, static_cast<std::uint32_t>(log.size()));
    const std::size_t at = headerBytes;
    putField(log, at, static_cast<std::uint16_t>(bytes));
    putField(log, at + 2, isValid);          // no bits of an identifier name a reclaim group
    putField(log, at + 4, std::uint32_t{1}); // reclaim groups
    putField(log, at + 8, static_cast<std::uint16_t>(shape.handles));
    putField(log, at + 10, static_cast<std::uint16_t>(shape.handles - 1)); // most placement identifiers, from zero
    putField(log, at + 12, namespaces);
    putField(log, at + 16, std::uint64_t{shape.unitSectors} * sectorBytes);
    for (std::size_t handle = 0; handle < shape.handles; ++handle)
        putField(log, at + descriptorBytes + handle * handleBytes,
                 shape.isPersistent ? persistentlyIsolated : initiallyIsolated);
    return log;
}

LogPage placementHandleUsage(const PlacementShape& shape)
{
    constexpr std::size_t entryBytes = 8; // the header has as many
    constexpr std::uint8_t hostSpecified = 1;
    LogPage log(entryBytes * (1 + shape.handles));
    putField(log, 0, static_cast<std::uint16_t>(shape.handles));
    for (std::size_t handle = 0; handle < shape.handles; ++handle)
        putField(log, entryBytes * (1 + handle), hostSpecified);
    return log;
}

LogPage placementStatistics(std::uint64_t sectorsWritten, const DriveHealth& health)
{
    LogPage log(64);
    putField(log, 0, sectorsWritten * sectorBytes);
    putField(log, 16, health.bytesProgrammed);
    putField(log, 32, health.bytesErased);
    return log;
}

// --- I/O management --------------------------------------------------------------------------------------------------

std::vector<std::byte> placementStatus(const std::vector<PlacementEntry>& entries, std::uint32_t bytes)
{
    constexpr std::size_t headerBytes = 16;
    constexpr std::size_t descriptorBytes = 32;
    std::vector<std::byte> status(headerBytes + entries.size() * descriptorBytes);
    putField(status, 14, static_cast<std::uint16_t>(entries.size()));
    for (std::size_t handle = 0; handle < entries.size(); ++handle) {
        const std::size_t at = headerBytes + handle * descriptorBytes;
        putField(status, at, static_cast<std::uint16_t>(handle));     // placement identifier
        putField(status, at + 2, static_cast<std::uint16_t>(handle)); // reclaim unit handle
        putField(status, at + 8, std::uint64_t{entries[handle].available});
    }
    status.resize(bytes);
    return status;
}

} // namespace strobe::host::nvme
