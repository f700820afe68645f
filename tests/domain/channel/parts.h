#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Parts and interfaces for the tests of the channel: four parts with the figures of their data sheets, the parameters
// of the paper's Table 2, and a small part with round numbers for timelines that are computed by hand.

#include "models/channel/bus_schedule.h"

#include <vector>

namespace strobe::channel::test {

using namespace std::chrono_literals;

inline constexpr ElectricalParameters table2{picoseconds(7820),  picoseconds(1650), picoseconds(250),   picoseconds(20),
                                             picoseconds(20000), picoseconds(4690), picoseconds(12000), 500};

nand::Part makePart(const char* name, std::uint32_t pageBytes, std::uint32_t spareBytes, std::uint32_t rowCycles,
                    Time tR, Time tPROG, Time tBERS);

std::vector<nand::Part> parts();

// A cycle of 10 ns, pages of one sector and no spare bytes, one column and one row cycle: a read request takes 40 ns,
// a program request 5,160 ns, data out 5,120 ns, an erase request 30 ns and a status read 20 ns.
nand::Part roundPart();
InterfaceTiming roundTiming();

// Separate command lines with CA_CLK of 10 ns: a packet takes 30 ns and a status byte 40 ns; tCS 5 ns, tADL 100 ns,
// tCCS 200 ns, tWHR 50 ns, tRR 20 ns; a page of roundPart() 5,120 ns, at 20 ns for two bytes.
InterfaceTiming separateTiming();

nand::Operation operation(nand::Opcode opcode, std::uint32_t sectors = 0);
nand::Operation in(nand::Form form, nand::Opcode opcode, std::uint32_t sectors = 0); // in that form

} // namespace strobe::channel::test
