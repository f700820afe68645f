#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The flash controller's connections to the rest of the drive, as plain abstract classes: the module implements them
// with sockets, a test with a few lines.

#include "models/base/content.h"
#include "models/base/ids.h"
#include "models/base/time.h"
#include "models/nand/operation.h"

#include <cstdint>

namespace strobe::controller {

enum class Direction : std::uint8_t { FromMemory, ToMemory };

// A burst: when its last byte has moved, and whether there is memory at the address (if not, nothing moved).
struct Moved {
    Time end{};
    bool ok = false;
};

// The controller's port into the bulk memory. Takes the port at `at` (not before the present) and moves `content`:
// sectors in the data buffer, plain bytes (DataMode::Bytes, `bytes` of them) elsewhere.
class FlashDmaPort {
public:
    virtual ~FlashDmaPort() = default;
    virtual Moved move(BusAddress address, std::uint32_t bytes, Content content, Direction direction, Time at) = 0;
    // For checks of firmware: plain bytes as they are now, in no time. False: they cannot be seen.
    virtual bool peek(BusAddress /*address*/, std::uint32_t /*bytes*/, std::byte* /*data*/) { return false; }
};

// The unit that sent a low-level operation; returned with its completion. Only the unit interprets `lane`.
struct Ticket {
    UnitId unit{};
    std::uint16_t lane = 0;
};

// The channels. The operation arrives there at `at`; when it is done FlashController::operationDone() is called.
class ChannelPort {
public:
    virtual ~ChannelPort() = default;
    virtual void send(ChannelId channel, Ticket ticket, const nand::Operation& op, Time at) = 0;
    // The unit's suspended operation continues now; at the end of each primitive FlashController::primitiveEnded() is
    // called. A unit has one stepped operation at a time.
    virtual void proceed(ChannelId channel, UnitId unit) = 0;
};

// Sectors of a read that the splitter routes to the host. `content` lives until the host interface has taken them.
struct HostRun {
    std::uint16_t slot = 0;  // of the command
    std::uint32_t first = 0; // sector within the command
    std::uint32_t sectors = 0;
    bool completes = false; // the command is complete with them
    Content content;
    Ticket ticket;
};

// The host interface, seen from the splitter. When it has taken the sectors FlashController::hostTook() is called.
class HostSink {
public:
    virtual ~HostSink() = default;
    // False: there is no such read command, or it has no such sectors; nothing happens.
    virtual bool deliver(const HostRun& run, Time now) = 0;
    // For a read that the synthesizer has taken: firmware is to serve it after all; it has ended without all its data.
    virtual void handBack(std::uint16_t slot, Time now) = 0;
    virtual void fail(std::uint16_t slot, Time now) = 0;
};

} // namespace strobe::controller
