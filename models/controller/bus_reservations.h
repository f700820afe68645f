#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Coarse-grained interleaving (Hydra, section 3.3.2, figure 7a): a bus belongs to one low-level operation from its
// first command to its status, array time included; the others wait for it, those of the foreground unit first, then in
// order of arrival. The fine-grained interleaving of figure 7b does not need reservations: the channels schedule
// segment by segment. Each bus is reserved separately, so the row runs of a superchip stay together as long as their
// pages take equal times.

#include "models/base/ring_queue.h"
#include "models/controller/ports.h"

#include <optional>

namespace strobe::controller {

enum class Interleaving : std::uint8_t { Fine, Coarse };

inline constexpr std::array<EnumRow<Interleaving>, 2> interleavingTable{
    {{Interleaving::Fine, "fine", "a bus is held for commands and data only"},
     {Interleaving::Coarse, "coarse", "a bus is held for a whole low-level operation, array time included"}}};
constexpr const auto& enumTable(Interleaving)
{
    return interleavingTable;
}

class BusReservations {
public:
    struct Waiting {
        Ticket ticket;
        nand::Operation op;
        Time at{};
    };

    explicit BusReservations(std::uint32_t buses) : buses_(buses) {}

    // True: the bus is the operation's until release(). False: it waits.
    bool reserve(ChannelId channel, const Waiting& operation)
    {
        Bus& bus = buses_[channel];
        if (bus.isHeld) {
            const bool isForeground = operation.op.priority == nand::Priority::Foreground;
            (isForeground ? bus.foreground : bus.background).push(operation);
            return false;
        }
        bus.isHeld = true;
        return true;
    }

    // The operation that held the bus has ended. Returns the operation that holds it now, if any waited.
    std::optional<Waiting> release(ChannelId channel)
    {
        Bus& bus = buses_[channel];
        RingQueue<Waiting>& queue = bus.foreground.empty() ? bus.background : bus.foreground;
        bus.isHeld = !queue.empty();
        return bus.isHeld ? std::optional<Waiting>(queue.pop()) : std::nullopt;
    }

private:
    struct Bus {
        bool isHeld = false;
        RingQueue<Waiting> foreground;
        RingQueue<Waiting> background;
    };

    IdVector<ChannelId, Bus> buses_;
};

} // namespace strobe::controller
