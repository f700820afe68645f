#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Interfaces, parts and operations for the tests of the pins.

#include "models/channel/bus_schedule.h"
#include "models/channel/interface_rows.h"
#include "models/pins/pin_twin.h"
#include "tests/domain/channel/parts.h"
#include "tests/support/catch.h"

#include <vector>

namespace strobe::pins::test {

using channel::InterfaceTiming;
using channel::test::operation;
using channel::test::parts;
using channel::test::roundPart;
using channel::test::table2;
using nand::Opcode;
using namespace std::chrono_literals;

// The paper's three with the waits of a data sheet, and every row with fixed figures.
inline std::vector<InterfaceTiming> interfaces()
{
    std::vector<InterfaceTiming> all;
    for (const auto& kind : channel::interfaceKindTable) {
        InterfaceTiming timing = channel::resolveTiming(kind.value, table2, {});
        timing.tCS = 20ns;
        timing.tADL = 100ns;
        timing.tWB = 100ns;
        timing.tRR = 20ns;
        timing.tWHR = 60ns;
        timing.statusPollDelay = 1us;
        all.push_back(timing);
    }
    for (const auto& row : channel::interfaceRows())
        all.push_back(row.timing);
    return all;
}

inline InterfaceTiming interfaceNamed(const char* name)
{
    for (const InterfaceTiming& timing : interfaces()) {
        if (timing.name == name)
            return timing;
    }
    FAIL("no interface " << name);
    return {};
}

inline PinTwin twinOf(const InterfaceTiming& timing, const nand::Part& part)
{
    return {pinModelOf(timing, table2), part};
}

// A read that asks for 12 ns and a part with short addresses: diagrams that fit on a page.
inline std::vector<Time> edgesOf(const Waveform& waveform, Pin pin, Level to)
{
    std::vector<Time> times;
    for (const Change& change : waveform.changesOf({pin, 0})) {
        if (change.level == to)
            times.push_back(change.at);
    }
    return times;
}

inline const Stretch& stretchOf(const Waveform& waveform, const std::string& label)
{
    for (const Stretch& stretch : waveform.stretches()) {
        if (stretch.label == label)
            return stretch;
    }
    FAIL("no stretch " << label);
    return waveform.stretches().front();
}

} // namespace strobe::pins::test
