#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Flexible data placement (NVMe TP4146, in NVM Express from 2.1 on): the structures that a controller returns, and its
// events. One endurance group with one configuration, which is always enabled; one reclaim group, so a placement
// identifier is the number of a placement handle, and handle n is reclaim unit handle n. Pure functions and a list.
//
// Events: a reclaim unit that an update ended before it was full (0h), a write with a placement identifier that does
// not exist (3h), data that collection moved (80h; found when the host reads the log, with the sectors of each handle
// since the last time; data that was moved before is counted only if it stays with its handle). All are enabled by
// default. Not modelled: time limits of reclaim units; the events of controller resets and of implicitly modified
// units (refresh, failed programs and power losses end units without one); directive send and receive, which a
// controller with data placement should have.

#include "models/base/time.h"
#include "models/host/command_port.h"
#include "models/host/drive_health.h"
#include "models/host/nvme/nvme_format.h"
#include "models/host/nvme/nvme_logs.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace strobe::host::nvme {

inline constexpr std::uint16_t enduranceGroup = 1; // the only one

enum class ManagementOperation : std::uint8_t { None = 0, HandleStatusOrUpdate = 1 }; // receive: status, send: update

enum class PlacementEventType : std::uint8_t { UnitNotFull = 0x00, InvalidIdentifier = 0x03, MediaReallocated = 0x80 };
inline constexpr std::array placementEventTypes{PlacementEventType::UnitNotFull, PlacementEventType::InvalidIdentifier,
                                                PlacementEventType::MediaReallocated};

struct PlacementEvent {
    PlacementEventType type = PlacementEventType::UnitNotFull;
    std::uint16_t identifier = 0; // of placement
    Time at{};
    std::uint32_t movedSectors = 0; // media reallocated
    std::uint32_t space = 0;        // namespace of the command; 0: of none
};

class PlacementEvents {
public:
    static constexpr std::size_t limit = 63; // of host events and of controller events; the oldest is lost
    static constexpr std::size_t mostHandles = 256;

    PlacementEvents() { enabled_.fill(everything); }
    bool isEnabled(PlacementEventType type, std::uint16_t handle) const;
    static bool exists(std::uint8_t type);
    void enable(PlacementEventType type, std::uint16_t handle, bool isEnabled); // REQUIRES: there is such a type
    void add(const PlacementEvent& event); // if it is enabled for its handle; an unknown handle counts as 0
    void noteMoves(const std::vector<PlacementEntry>& entries, Time at);
    // Log page 23h: events of the host or of the controller, the oldest first.
    LogPage log(bool ofHost, const std::function<std::uint64_t(Time)>& timestamp) const;

private:
    static constexpr std::uint32_t everything = ~std::uint32_t{0};
    std::vector<PlacementEvent> ofHost_;
    std::vector<PlacementEvent> ofController_;
    std::vector<std::uint32_t> moved_;                 // per handle, as last noted
    std::array<std::uint32_t, mostHandles> enabled_{}; // bits by place in placementEventTypes
};

LogPage enduranceGroupLog(const SmartValues& values, const DriveHealth& health, std::uint64_t capacitySectors);
LogPage placementConfigurations(const PlacementShape& shape, std::uint32_t namespaces = 1);
LogPage placementHandleUsage(const PlacementShape& shape);
// The host's bytes are counted since power-on, those of the flash since the model was made.
LogPage placementStatistics(std::uint64_t sectorsWritten, const DriveHealth& health);

// The answer of an I/O management receive, as much as fits: the status of all handles.
std::vector<std::byte> placementStatus(const std::vector<PlacementEntry>& entries, std::uint32_t bytes);

} // namespace strobe::host::nvme
