#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The prioritized forwarder (Hydra, section 3.4, figure 8): operations of the foreground unit go before those of the
// background units. It gives operations their priority; the channels apply it where operations compete:
//   other superchip   the foreground operation gets the bus at the end of the current segment (a command with its
//                     data, a status, a page of data): the primitive operation of figure 8a
//   same superchip    its die finishes the current low-level operation, including both halves of a copy-back, and then
//                     serves the foreground operation before all waiting ones: figure 8b
// With priority off all operations are equal. It counts the operations that met background work.

#include "models/controller/dispatcher.h"

namespace strobe::controller {

struct ForwarderCounters { // operations of the foreground unit, while it has priority
    std::uint64_t operations = 0;
    std::uint64_t atPrimitive = 0; // passed background operations of other chips on the bus
    std::uint64_t atOperation = 0; // had to wait for a background operation of their chip

    void declare(Statistics& stats)
    {
        stats.add("operations_with_priority", Unit::Count, "operations of the foreground unit", operations);
        stats.add("preempted_at_primitive", Unit::Count,
                  "of these, sent before background operations of other chips on their bus", atPrimitive);
        stats.add("preempted_at_operation", Unit::Count,
                  "of these, delayed until a background operation of their own chip ended", atOperation);
    }
};

class PrioritizedForwarder {
public:
    // Units from `firstForeground` on are foreground units.
    PrioritizedForwarder(std::uint32_t firstForeground, bool hasPriority)
        : firstForeground_(firstForeground), hasPriority_(hasPriority)
    {
    }

    nand::Priority priorityOf(UnitId unit) const
    {
        return hasPriority_ && raw(unit) >= firstForeground_ ? nand::Priority::Foreground : nand::Priority::Background;
    }

    // A foreground operation is about to be issued.
    void note(const Dispatcher& dispatcher, const nand::ArrayGeometry& array, const nand::Operation& op)
    {
        ++counters_.operations;
        if (dispatcher.background(op.die) != 0)
            ++counters_.atOperation;
        else if (dispatcher.background(array.channelOf(op.die)) != 0)
            ++counters_.atPrimitive;
    }

    const ForwarderCounters& counters() const { return counters_; }
    void resetCounters() { counters_ = {}; }

private:
    std::uint32_t firstForeground_;
    bool hasPriority_;
    ForwarderCounters counters_;
};

} // namespace strobe::controller
