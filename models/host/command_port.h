#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The internal host command port: the interface between a protocol front (SATA, AHCI, parallel ATA, NVMe, direct) and
// the SSD's host interface block. The front models links, frames and queues; the host interface models registers and
// buffers. Plain abstract classes. Calls happen in order of time and `at` is the present instant; only what a function
// returns may be in the future.
//
//   front -> SSD   HostPort::submit        a command has arrived in `slot`
//   SSD -> front   Front::transfer         move sectors of a slot over the link; in order of the calls
//   front -> SSD   HostPort::transferDone  that transfer has left (or filled) the SSD's buffer
//   SSD -> front   Front::placed           where the append of a slot is written, before its first transfer
//   SSD -> front   Front::complete         send the completion of a slot; the slot is free when the host has seen it

#include "models/base/content.h"
#include "models/base/time.h"
#include "models/host/drive_heat.h"
#include "models/host/request.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace strobe::host {

enum class CommandStatus : std::uint8_t {
    Ok,
    Uncorrectable,
    OutOfRange,
    NotSupported,
    DeviceFault,
    ZoneBoundary,
    ZoneFull,
    ZoneReadOnly,
    ZoneOffline,
    ZoneInvalidWrite,
    TooManyActiveZones,
    TooManyOpenZones,
    InvalidZoneTransition
};

inline constexpr std::array<EnumRow<CommandStatus>, 13> commandStatusTable{
    {{CommandStatus::Ok, "ok", ""},
     {CommandStatus::Uncorrectable, "uncorrectable", "data lost beyond ECC"},
     {CommandStatus::OutOfRange, "out of range", "address beyond the capacity"},
     {CommandStatus::NotSupported, "not supported", ""},
     {CommandStatus::DeviceFault, "device fault", ""},
     {CommandStatus::ZoneBoundary, "zone boundary", "sectors beyond the zone, or its capacity"},
     {CommandStatus::ZoneFull, "zone full", ""},
     {CommandStatus::ZoneReadOnly, "zone read-only", ""},
     {CommandStatus::ZoneOffline, "zone offline", ""},
     {CommandStatus::ZoneInvalidWrite, "zone invalid write", "a write that does not begin at the write pointer"},
     {CommandStatus::TooManyActiveZones, "too many active zones", ""},
     {CommandStatus::TooManyOpenZones, "too many open zones", ""},
     {CommandStatus::InvalidZoneTransition, "invalid zone transition", "not from the state of the zone"}}};
constexpr const auto& enumTable(CommandStatus)
{
    return commandStatusTable;
}

struct Command {
    std::uint16_t slot = 0; // NCQ tag or its like; unique among outstanding commands
    RequestKind kind = RequestKind::Read;
    bool fua = false;
    std::uint64_t lba = 0;
    std::uint32_t sectors = 0;
    std::uint32_t origin = 0; // for observers: how the front names it where slots of the host and the drive differ
    std::optional<std::uint16_t> placement{}; // write, update: placement handle; the drive takes 0 if there is none
};

struct TransferOrder {
    std::uint16_t slot = 0;
    bool toHost = false;
    std::uint32_t first = 0; // sector within the command
    std::uint32_t sectors = 0;
    std::uint64_t handle = 0; // of the host interface, for accessBuffer and transferDone
};

// The zones of a drive, all alike; as firmware announced them.
struct ZoneShape {
    std::uint32_t sectors = 0;  // from the start of a zone to that of the next one, a power of two; 0: there are none
    std::uint32_t capacity = 0; // sectors that can be written, from the start on
    std::uint32_t open = 0;     // most zones at a time
    std::uint32_t active = 0;
};

struct ZoneEntry {
    std::uint8_t state = 0;    // as the NVMe Zoned Namespace Command Set numbers them
    std::uint32_t written = 0; // sectors, from the start of the zone: the write pointer
};

// Data placement by the host, as firmware announced it.
struct PlacementShape {
    std::uint32_t handles = 0;     // 0: the drive has none
    bool isPersistent = false;     // data that collection moves stays with its handle
    std::uint32_t unitSectors = 0; // of a reclaim unit
};

struct PlacementEntry {          // of a handle
    std::uint32_t available = 0; // sectors that its reclaim unit can still take
    std::uint32_t moved = 0;     // that collection has moved, or is moving; a free-running count
};

// The front's access to the SSD's buffer while a transfer is on the link, chunk by chunk (a chunk is at most one data
// frame): the host interface takes its memory port and moves the sectors out of the buffer into `content` (transfer to
// the host) or from `content` into the buffer. `firstSector` counts from the start of the transfer. Returns the time at
// which the last byte of the chunk has left or entered memory.
class BufferAccess {
public:
    virtual ~BufferAccess() = default;
    virtual Time accessBuffer(std::uint64_t handle, std::uint32_t firstSector, std::uint32_t sectors, Content content,
                              Time at) = 0;
};

// Implemented by the SSD's host interface.
class HostPort : public BufferAccess {
public:
    virtual void submit(const Command& command, Time at) = 0;
    virtual void transferDone(std::uint64_t handle, Time at) = 0;
    virtual std::uint64_t capacitySectors() const = 0; // as firmware announced it; 0 until the drive is ready
    virtual std::uint32_t slots() const = 0;
    virtual ZoneShape zones() const { return {}; }
    // The present states of zones [first, first + count), read from the SSD's memory, and when they are there.
    // REQUIRES: these zones exist
    struct ZoneList {
        std::vector<ZoneEntry> zones;
        Time at{};
    };
    virtual ZoneList zoneStates(std::uint32_t first, std::uint32_t count, Time at)
    {
        static_cast<void>(first), static_cast<void>(count);
        return {{}, at};
    }
    virtual DriveHeat* heat() const { return nullptr; } // null: no thermal model
    virtual PlacementShape placement() const { return {}; }
    // Of each handle, read from the SSD's memory.
    virtual std::vector<PlacementEntry> placementEntries(Time at)
    {
        static_cast<void>(at);
        return {};
    }
};

// Implemented by a protocol front.
class Front {
public:
    virtual ~Front() = default;
    virtual void driveReady(Time at) = 0; // firmware enabled the port
    virtual void transfer(const TransferOrder& order, Time at) = 0;
    // Fronts without zones have no appends.
    virtual void placed(std::uint16_t slot, std::uint64_t lba, Time at)
    {
        static_cast<void>(slot), static_cast<void>(lba), static_cast<void>(at);
    }
    virtual void complete(std::uint16_t slot, CommandStatus status, Time at) = 0;
    virtual void temperatureTaken(Time at) { static_cast<void>(at); } // the sensor has a new sample
};

// --- the host's side of a front ------------------------------------------------------------------------------------

// Implemented by the host driver (models/host/driver.h): the source of write data, the destination of read data, and
// the results of commands. `first` counts sectors from the start of the command. In DataMode::None contents are empty,
// but the calls are made.
class HostSide {
public:
    virtual ~HostSide() = default;
    virtual void driveReady(std::uint64_t capacitySectors, std::uint32_t slots, Time at) = 0;
    // An append will be written from `lba` on. Before its data is taken, because in the data modes without real
    // contents a sector names its address; software learns it from the completion.
    virtual void placed(std::uint16_t slot, std::uint64_t lba) { static_cast<void>(slot), static_cast<void>(lba); }
    virtual void fillWriteData(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors, Content destination) = 0;
    // The same without writing them: the longest run of consecutive tags (isTagRun) that begins with sector `first` of
    // a write, and which part of it was taken.
    virtual TagRun writeRunAt(std::uint16_t slot, std::uint32_t first) const
    {
        static_cast<void>(slot), static_cast<void>(first);
        return {};
    }
    virtual void tookWriteRun(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors)
    {
        static_cast<void>(slot), static_cast<void>(first), static_cast<void>(sectors);
    }
    virtual void takeReadData(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors, Content source) = 0;
    virtual void completed(std::uint16_t slot, CommandStatus status, Time at) = 0;
    // After a planned reset: the drive has finished what it had, and gets all commands that are not complete again.
    virtual void sentAgain(Time at) { static_cast<void>(at); }
};

// Implemented by a protocol front: the host hands over a command. REQUIRES: the slot is free.
class HostLink {
public:
    virtual ~HostLink() = default;
    virtual void issue(const Command& command, Time at) = 0;
};

} // namespace strobe::host
