#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// How long commands waited until firmware took them: from the instant at which firmware can see the event of the
// command in the host ring (an event that finds the ring full is due then) to the register write by which firmware says
// that it has taken it (RING_CONSUMER). Commands without such an event are not counted: writes that the feeder fetches,
// and reads that the request synthesizer serves. Owns no clock.

#include "models/base/response_times.h"
#include "models/base/ring_queue.h"
#include "models/host/command_handling.h"
#include "models/host/command_port.h"

#include <cstdint>

namespace strobe::host {

struct CommandTimes {
    ResponseTimes pickup;
    Command longestOf; // the command of the longest; meaningless if there is none

    bool merge(const CommandTimes& part) // as ResponseTimes::merge
    {
        const bool isLonger = pickup.merge(part.pickup);
        if (isLonger)
            longestOf = part.longestOf;
        return isLonger;
    }
    void declare(Statistics& stats) const
    {
        pickup.declare(stats, "commands that firmware has taken from the host ring",
                       "the time from the event in the ring until firmware had taken it");
    }
};

class CommandPickup {
public:
    // `event`: the number of its event, from 0, as the ring counts them (free-running). In this order.
    void announced(std::uint32_t event, const Command& command, Time at) { waiting_.push({event, at, command}); }
    // Firmware has taken `count` events in all; each of their commands goes to `handling`. True: one of them waited
    // longest so far; locate() may follow.
    bool taken(std::uint32_t count, Time at, CommandHandling& handling);
    void locate(std::optional<std::uint32_t> pc) { times_.pickup.pc = pc; }
    // Firmware has set up a ring anew. Events before number `producer` are lost; the others, which found the old ring
    // full, come into the new one, numbered from 0.
    void restart(std::uint32_t producer);

    const CommandTimes& times() const { return times_; }
    void reset() { times_ = {}; } // commands that wait go on waiting

private:
    struct Waiting {
        std::uint32_t event = 0;
        Time since{};
        Command command;
    };
    RingQueue<Waiting> waiting_;
    CommandTimes times_;
};

} // namespace strobe::host
