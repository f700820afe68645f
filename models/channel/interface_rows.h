#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// NAND interfaces whose figures are fixed, one row each: the timing modes of ONFI's SDR, NV-DDR, NV-DDR2, NV-DDR3 and
// NV-LPDDR4. A row is the InterfaceTiming that the bus schedule works with, and says where its figures come from and
// which of them have not been confirmed by a second source. To add an interface is to add a row (interface_rows.cpp).
// How the standards' names become fields: command and address cycles are tWC or tCAD (NV-DDR);
// data clocks tWC and tRC (SDR), tCK (NV-DDR), tDSC and tRC (the others, two bytes each).
// NV-DDR3 and NV-LPDDR4 may have separate command and address lines (line_use.h).
// Not modelled: voltage levels, tRHW, on-die termination, training, change of mode while running.

#include "models/channel/interface_timing.h"

#include <string>
#include <string_view>
#include <vector>

namespace strobe::channel {

struct InterfaceRow {
    InterfaceTiming timing; // its name is the one that a scenario uses: "ONFI_SDR_5"
    std::string_view help;
    std::string_view source;
    std::string_view unconfirmed; // figures found in one source only, or assumed; empty: all of the row is confirmed

    bool isConfirmed() const { return unconfirmed.empty(); }
};

const std::vector<InterfaceRow>& interfaceRows();
const InterfaceRow* findInterface(std::string_view name); // null: no such row
std::vector<std::string> interfaceNames();                // the computed kinds, then the rows

// The shortest clock of an interface: the meaning of "period" in a scenario.
Time shortestCycle(const InterfaceTiming& timing);
// The interface with a slower clock: no cycle is shorter than `period`. REQUIRES: period >= shortestCycle(timing).
InterfaceTiming atPeriod(InterfaceTiming timing, Time period);

} // namespace strobe::channel
