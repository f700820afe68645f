#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Observers of host requests, for a breakdown of their latency and for timelines: one at the host (RequestObserver,
// called by the driver), one at the drive (CommandObserver, called by the host interface). Observation only: nothing is
// changed, and `at` is the instant of the event, which may be slightly ahead of the calls of other blocks. Without an
// observer each report costs the test of a pointer.

#include "models/base/time.h"
#include "models/host/command_port.h"

#include <cstdint>

namespace strobe::host {

class RequestObserver {
public:
    virtual ~RequestObserver() = default;
    // The host hands the request over, with a number of its own (from 1); its latency counts from `from`. Again, with
    // another number, after a power loss.
    virtual void issued(const Command& command, std::uint64_t number, Time from, Time at) = 0;
    // Its latency ends. `isMeasured`: its phase belongs to the results.
    virtual void completed(std::uint16_t slot, bool isMeasured, Time at) = 0;
};

// Sectors that the host interface has been ordered to move, by firmware, feeder or splitter.
struct ObservedTransfer {
    std::uint64_t handle = 0;
    std::uint16_t slot = 0; // of the drive
    bool toHost = false;
    bool isDirect = false;    // directly from flash
    std::uint32_t token = 0;  // isDirect: whose (DirectRead::token)
    std::uint32_t buffer = 0; // otherwise: bus address
    std::uint32_t sectors = 0;
};

class CommandObserver {
public:
    virtual ~CommandObserver() = default;
    virtual void arrived(const Command& command, Time at) = 0; // the drive has it
    virtual void announced(std::uint16_t slot, Time at) = 0;   // firmware can see it
    virtual void ordered(const ObservedTransfer& transfer, Time at) = 0;
    virtual void moved(std::uint64_t handle, std::uint16_t slot, Time at) = 0; // the transfer has ended
    virtual void ended(std::uint16_t slot, Time at) = 0;                       // the drive has answered it
};

} // namespace strobe::host
