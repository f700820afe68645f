#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// How long firmware handled commands: from the register write by which it says that it has taken the event of the
// command (RING_CONSUMER) to the one by which it completes the command (COMPLETE, or XFER_START with complete). A read
// that flash units send to the host and complete themselves ends with the command. Commands without such an event are
// not counted, as in command_pickup.h. Owns no clock.

#include "models/base/response_times.h"
#include "models/host/command_port.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace strobe::host {

struct HandlingTimes {
    ResponseTimes handling;
    Command longestOf; // the command of the longest; meaningless if there is none

    bool merge(const HandlingTimes& part) // as ResponseTimes::merge
    {
        const bool isLonger = handling.merge(part.handling);
        if (isLonger)
            longestOf = part.longestOf;
        return isLonger;
    }
    void declare(Statistics& stats) const
    {
        handling.declare(stats, "commands that firmware has taken from the host ring and completed",
                         "the time from when firmware had taken the event until it completed the command");
    }
};

class CommandHandling {
public:
    explicit CommandHandling(std::uint32_t slots) : takenAt_(slots, never) {}

    void taken(std::uint32_t slot, Time at) { takenAt_[slot] = at; }
    bool isOpen(std::uint32_t slot) const { return slot < takenAt_.size() && takenAt_[slot] != never; }
    // True: it took longest so far; locate() may follow. REQUIRES: isOpen(command.slot)
    bool completed(const Command& command, Time at)
    {
        if (!times_.handling.note(std::exchange(takenAt_[command.slot], never), at))
            return false;
        times_.handling.pc.reset();
        times_.longestOf = command;
        return true;
    }
    void locate(std::optional<std::uint32_t> pc) { times_.handling.pc = pc; }

    const HandlingTimes& times() const { return times_; }
    void reset() { times_ = {}; } // commands that are handled go on

private:
    std::vector<Time> takenAt_; // by slot; never: none is handled
    HandlingTimes times_;
};

} // namespace strobe::host
