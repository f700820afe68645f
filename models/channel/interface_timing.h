#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Timing of a NAND interface: the duration of each command, address, data-in and data-out cycle on the bus, and the
// waits between them. Three interfaces compute their clock from electrical parameters (papers: "A High-Performance
// Solid-State Disk with Double-Data-Rate NAND Flash Memory", eq. 1-9):
//   CONV       asynchronous single data rate:      tP = max{(tOUT + tREA + tIN + tS) / (1 + alpha), tBYTE}   (eq. 6)
//   SYNC_ONLY  data valid strobe, single data rate: the clock of PROPOSED, one byte per cycle
//   PROPOSED   data valid strobe, double data rate: tP = max{2 (tS + tH + tDIFF), tBYTE}                     (eq. 9)
// Command and address cycles take one clock period in all three; data takes one period per byte, or half of one with
// double data rate. The equations themselves: interface_equations.h. Interfaces with fixed figures (ONFI's timing
// modes) are rows: interface_rows.h. Not modelled: the causes of tDIFF and tBYTE, and variation of the parameters.
// Derivations and numbers for a reader: docs/channel.md.

#include "models/base/enum_table.h"
#include "models/base/time.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace strobe::channel {

enum class InterfaceKind : std::uint8_t { Conv, SyncOnly, Proposed };

inline constexpr std::array<EnumRow<InterfaceKind>, 3> interfaceKindTable{
    {{InterfaceKind::Conv, "CONV", "asynchronous, single data rate"},
     {InterfaceKind::SyncOnly, "SYNC_ONLY", "data valid strobe (DVS), single data rate"},
     {InterfaceKind::Proposed, "PROPOSED", "data valid strobe (DVS), double data rate"}}};
constexpr const auto& enumTable(InterfaceKind)
{
    return interfaceKindTable;
}

// Electrical parameters; names as in Table 1 of the paper. alpha is tD / tP, 0 .. 1/2.
struct ElectricalParameters {
    Time tOUT{};
    Time tIN{};
    Time tS{};
    Time tH{};
    Time tREA{};
    Time tDIFF{};
    Time tBYTE{};
    std::int64_t alphaPermille = 500;
};

// One term of a max{…}: its text with numbers, and its value.
struct DerivationTerm {
    std::string name;    // "(tOUT + tREA + tIN + tS) / (1 + alpha)"
    std::string working; // "(7.82 + 20 + 1.65 + 0.25) / (1 + 0.5)", in nanoseconds
    Time value{};
};

// How the clock period was derived, for `strobe inspect interface`.
struct Derivation {
    std::string equation; // "eq. 6"
    std::vector<DerivationTerm> terms;
    std::size_t deciding = 0; // index of the largest term
    Time minimumPeriod{};     // exact up to rounding up to a picosecond
};

// REQUIRES: no time below zero, alpha within 0 .. 1/2.
Derivation derivePeriod(InterfaceKind kind, const ElectricalParameters& parameters);

// Separate command lines: clocks for a command or address byte, and for a status or id byte (line_use.h).
inline constexpr std::int64_t packetClocks = 3;
inline constexpr std::int64_t answerClocks = 4;

// Resolved: what the bus schedule needs. Zero means "no such wait". Where each wait applies: bus_schedule.h.
struct InterfaceTiming {
    std::string name;
    Time cycle{};                    // one command or address cycle (tP, tWC, tCAD)
    Time dataInCycle{};              // one data-in clock (tWC, tCK, tDSC); zero: as `cycle`
    Time dataOutCycle{};             // one data-out clock (tRC, tCK), also of status and id bytes; zero: as `cycle`
    std::uint32_t bytesPerCycle = 1; // data bytes per data clock: 1 (single data rate) or 2 (double)
    Time tCS{};                      // chip-enable set-up before the first cycle of a request or response
    Time tADL{};                     // last address cycle to first data-in cycle
    Time tWB{};                      // confirm command to R/B# low: R/B# is not sampled before; off the bus
    Time tRR{};                      // read: R/B# high to first data-out cycle; off the bus
    Time tWHR{};                     // status or id command to data-out
    Time tCCS{};                     // change of column or plane (E0h) to data-out
    Time dataInPreamble{};           // around each run of data-in clocks: tDQSS or tWPRE beyond tADL; tWPST, tWPSTH
    Time dataInPostamble{};
    Time dataOutPreamble{}; // around each run of data-out clocks: tDQSCK, or tRPRE + tDQSRE; tRPST if it costs time
    Time dataOutPostamble{};
    // Warm-up cycles (ONFI feature 02h): data clocks without data at the beginning of each run of data, after the
    // preamble. Status and id bytes have none.
    std::uint32_t warmUpIn = 0;
    std::uint32_t warmUpOut = 0;
    std::uint32_t mostWarmUp = 0; // that the interface allows; 0: it has none
    Time tCLS{};                  // CLE and ALE set-up. Inside tCS and the cycle: no time of their own on the bus,
    Time tALS{};                  // for drawings of the pins
    // Separate command and address lines (SCA): `cycle` is a packet, which carries a command or address byte. A status
    // or id byte comes back on one of these lines. Page data alone takes the data lines.
    bool mayHaveCommandLines = false; // the interface defines them
    bool hasCommandLines = false;
    Time answerCycle{};           // a status or id byte on a command line; zero: as data out
    bool statusAfterArray = true; // read the status byte after program, erase and copy-back
    Time statusPollDelay{};       // program, erase, copy-back: R/B# high to the controller noticing; off the bus

    Time inCycle() const { return dataInCycle > Time{} ? dataInCycle : cycle; }
    Time outCycle() const { return dataOutCycle > Time{} ? dataOutCycle : cycle; }
    // Of commands and addresses: a cycle, or the clock of their lines.
    Time busClock() const { return hasCommandLines ? cycle / packetClocks : cycle; }
    Time answerPeriod() const { return answerCycle > Time{} ? answerCycle : outCycle(); }
};

// Clock and data rate of an interface; the waits stay zero for the caller to fill in. `period` zero: run at the minimum
// period. REQUIRES: a period of zero or not below the minimum (a scenario is checked where it is read).
InterfaceTiming resolveTiming(InterfaceKind kind, const ElectricalParameters& parameters, Time period);

} // namespace strobe::channel
