#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Times counted by the bus clock, as clocked state machines do: T becomes ceil(T / C) periods of C.
// Applied to a part and an interface once, before anything is simulated; data, command and address cycles are whole
// clocks already. Not modelled: the phase of the clock, an operation begins when it arrives.

#include "models/channel/interface_timing.h"
#include "models/nand/part.h"

namespace strobe::channel {

constexpr std::int64_t clocksFor(Time time, Time clock)
{
    return (time.count() + clock.count() - 1) / clock.count();
}
constexpr Time inWholeClocks(Time time, Time clock)
{
    return clock * clocksFor(time, clock);
}

// REQUIRES: clock > 0
nand::Part inWholeClocks(nand::Part part, Time clock);
InterfaceTiming inWholeClocks(InterfaceTiming timing, Time clock);

} // namespace strobe::channel
