// SPDX-License-Identifier: Apache-2.0
#include "models/channel/interface_rows.h"

#include "models/base/check.h"

#include <algorithm>
#include <iterator>

namespace strobe::channel {

namespace {

using namespace std::chrono_literals;

// --- SDR: asynchronous, one byte per WE# or RE# cycle ---------------------------------------------------------------

struct SdrMode {
    const char* name;
    Time tRC, tWC, tCS, tCLS, tALS, tADL, tWHR, tWB, tRR, tCCS;
};
constexpr std::array<SdrMode, 6> sdrModes{
    {{"ONFI_SDR_0", 100ns, 100ns, 70ns, 50ns, 50ns, 400ns, 120ns, 200ns, 40ns, 500ns},
     {"ONFI_SDR_1", 50ns, 45ns, 35ns, 25ns, 25ns, 400ns, 80ns, 100ns, 20ns, 500ns},
     {"ONFI_SDR_2", 35ns, 35ns, 25ns, 15ns, 15ns, 400ns, 80ns, 100ns, 20ns, 500ns},
     {"ONFI_SDR_3", 30ns, 30ns, 25ns, 10ns, 10ns, 400ns, 80ns, 100ns, 20ns, 500ns},
     {"ONFI_SDR_4", 25ns, 25ns, 20ns, 10ns, 10ns, 400ns, 80ns, 100ns, 20ns, 500ns},
     {"ONFI_SDR_5", 20ns, 20ns, 15ns, 10ns, 10ns, 400ns, 80ns, 100ns, 20ns, 500ns}}};
constexpr std::string_view sdrSource =
    "ONFI SDR timing modes; every figure agrees with Linux, drivers/mtd/nand/raw/nand_timings.c";

InterfaceTiming timingOf(const SdrMode& m)
{
    InterfaceTiming t;
    t.name = m.name;
    t.cycle = m.tWC;
    t.dataInCycle = m.tWC;
    t.dataOutCycle = m.tRC;
    t.tCS = m.tCS;
    t.tADL = m.tADL;
    t.tWB = m.tWB;
    t.tRR = m.tRR;
    t.tWHR = m.tWHR;
    t.tCCS = m.tCCS;
    t.tCLS = m.tCLS;
    t.tALS = m.tALS;
    return t;
}

// --- NV-DDR: source-synchronous, two bytes per clock, commands every tCAD -------------------------------------------

struct NvDdrMode {
    const char* name;
    Time tCK, tCS, tCALS;
};
constexpr std::array<NvDdrMode, 6> nvDdrModes{{{"NV_DDR_0", 50ns, 35ns, 10ns},
                                               {"NV_DDR_1", 30ns, 25ns, 5ns},
                                               {"NV_DDR_2", 20ns, 15ns, 4ns},
                                               {"NV_DDR_3", 15ns, 15ns, 3ns},
                                               {"NV_DDR_4", 12ns, 15ns, picoseconds(2500)},
                                               {"NV_DDR_5", 10ns, 15ns, 2ns}}};
constexpr std::string_view nvDdrSource =
    "ONFI NV-DDR timing modes; tCK, tCAD, tCS, tCALS, tADL, tWHR, tWB, tRR, tCCS and "
    "tDQSCK agree with Linux, drivers/mtd/nand/raw/nand_timings.c";
constexpr std::string_view nvDdrUnconfirmed = "tDQSS taken as one tCK, tWPST as one and a half tCK";

InterfaceTiming timingOf(const NvDdrMode& m)
{
    InterfaceTiming t;
    t.name = m.name;
    t.cycle = 45ns; // tCAD
    t.dataInCycle = m.tCK;
    t.dataOutCycle = m.tCK;
    t.bytesPerCycle = 2;
    t.tCS = m.tCS;
    t.tADL = 400ns;
    t.tWB = 100ns;
    t.tRR = 20ns;
    t.tWHR = 80ns;
    t.tCCS = 500ns;
    t.dataInPreamble = m.tCK;          // tDQSS
    t.dataInPostamble = m.tCK * 3 / 2; // tWPST
    t.dataOutPreamble = 25ns;          // tDQSCK, longest
    t.tCLS = m.tCALS;
    t.tALS = m.tCALS;
    return t;
}

// --- NV-DDR2, NV-DDR3 and NV-LPDDR4: strobed, no clock; commands by WE# ----------------------------------------------

constexpr std::string_view nvDdr2 = "NV_DDR2"; // has no separate command lines
constexpr std::uint32_t mostWarmUp = 4;        // cycles: feature 02h allows 0, 1, 2 and 4

struct StrobedMode {
    const char* name;
    Time tRC; // of two bytes; tDSC is the same
    Time tADL;
    Time tCS;
    Time tCALS;
    std::string_view source;
    std::string_view unconfirmed;
};
constexpr std::string_view slowSource =
    "ONFI clock grades of 33 to 400 MHz (NV-DDR2, NV-DDR3); command and strobe waits as in MQSim's NV-DDR2 defaults";
constexpr std::string_view slowUnconfirmed =
    "which mode number has which period; tWHR; all waits are from one simulator, not from the standard";
constexpr std::string_view tableSource =
    "ONFI 5.0 tables 4-73 to 4-80 as copied in public study notes: tRC, tDSC, tWC, tADL, tCS, tCALS, tWHR, tWB";
constexpr std::string_view tableUnconfirmed =
    "all figures come from one copy of the tables; tRR, tCCS and the waits around the strobe are those of MQSim's "
    "NV-DDR2 defaults";
constexpr std::string_view fastestUnconfirmed =
    "only the rate is published (ONFI 5.1, 3,600 MT/s); the mode number is not known, all waits are those of the modes "
    "up to 2,400 MT/s";

constexpr StrobedMode slow(const char* name, Time tRC)
{
    return {name, tRC, 70ns, 20ns, 10ns, slowSource, slowUnconfirmed};
}
constexpr StrobedMode fast(const char* name, Time tRC, std::string_view unconfirmed = tableUnconfirmed)
{
    return {name, tRC, 400ns, 20ns, 15ns, tableSource, unconfirmed};
}
constexpr std::array<StrobedMode, 48> strobedModes{{slow("NV_DDR2_0", 30ns),
                                                    slow("NV_DDR2_1", 25ns),
                                                    slow("NV_DDR2_2", 15ns),
                                                    slow("NV_DDR2_3", 12ns),
                                                    slow("NV_DDR2_4", 10ns),
                                                    slow("NV_DDR2_5", picoseconds(7500)),
                                                    slow("NV_DDR2_6", 6ns),
                                                    slow("NV_DDR2_7", 5ns),
                                                    slow("NV_DDR2_8", picoseconds(3750)),
                                                    slow("NV_DDR2_9", 3ns),
                                                    slow("NV_DDR2_10", picoseconds(2500)),
                                                    slow("NV_DDR3_0", 30ns),
                                                    slow("NV_DDR3_1", 25ns),
                                                    slow("NV_DDR3_2", 15ns),
                                                    slow("NV_DDR3_3", 12ns),
                                                    fast("NV_DDR3_4", 10ns),
                                                    fast("NV_DDR3_5", picoseconds(7500)),
                                                    fast("NV_DDR3_6", 6ns),
                                                    fast("NV_DDR3_7", 5ns),
                                                    fast("NV_DDR3_8", picoseconds(3750)),
                                                    fast("NV_DDR3_9", 3ns),
                                                    fast("NV_DDR3_10", picoseconds(2500)),
                                                    fast("NV_DDR3_11", picoseconds(1875)),
                                                    fast("NV_DDR3_12", picoseconds(1667)),
                                                    fast("NV_DDR3_13", picoseconds(1500)),
                                                    fast("NV_DDR3_14", picoseconds(1364)),
                                                    fast("NV_DDR3_15", picoseconds(1250)),
                                                    fast("NV_DDR3_16", picoseconds(1111)),
                                                    fast("NV_DDR3_17", 1ns),
                                                    fast("NV_DDR3_18", picoseconds(909)),
                                                    fast("NV_DDR3_19", picoseconds(833)),
                                                    fast("NV_LPDDR4_4", 10ns),
                                                    fast("NV_LPDDR4_5", picoseconds(7500)),
                                                    fast("NV_LPDDR4_6", 6ns),
                                                    fast("NV_LPDDR4_7", 5ns),
                                                    fast("NV_LPDDR4_8", picoseconds(3750)),
                                                    fast("NV_LPDDR4_9", 3ns),
                                                    fast("NV_LPDDR4_10", picoseconds(2500)),
                                                    fast("NV_LPDDR4_11", picoseconds(1875)),
                                                    fast("NV_LPDDR4_12", picoseconds(1667)),
                                                    fast("NV_LPDDR4_13", picoseconds(1500)),
                                                    fast("NV_LPDDR4_14", picoseconds(1364)),
                                                    fast("NV_LPDDR4_15", picoseconds(1250)),
                                                    fast("NV_LPDDR4_16", picoseconds(1111)),
                                                    fast("NV_LPDDR4_17", 1ns),
                                                    fast("NV_LPDDR4_18", picoseconds(909)),
                                                    fast("NV_LPDDR4_19", picoseconds(833)),
                                                    fast("NV_LPDDR4_3600", picoseconds(556), fastestUnconfirmed)}};

InterfaceTiming timingOf(const StrobedMode& m)
{
    InterfaceTiming t;
    t.name = m.name;
    t.cycle = 25ns; // tWC
    t.dataInCycle = m.tRC;
    t.dataOutCycle = m.tRC;
    t.bytesPerCycle = 2;
    t.tCS = m.tCS;
    t.tADL = m.tADL;
    t.tWB = 100ns;
    t.tRR = 20ns;
    t.tWHR = 80ns;
    t.tCCS = 300ns;
    t.dataInPostamble = 6ns + 15ns;  // tWPST, tWPSTH; the preamble is inside tADL
    t.dataOutPreamble = 15ns + 15ns; // tRPRE, tDQSRE
    t.mostWarmUp = mostWarmUp;
    t.mayHaveCommandLines = std::string_view(m.name).substr(0, nvDdr2.size()) != nvDdr2;
    t.tCLS = m.tCALS;
    t.tALS = m.tCALS;
    return t;
}

std::vector<InterfaceRow> makeRows()
{
    std::vector<InterfaceRow> rows;
    rows.reserve(std::size(sdrModes) + std::size(nvDdrModes) + std::size(strobedModes));
    for (const SdrMode& m : sdrModes)
        rows.push_back({timingOf(m), "ONFI SDR: asynchronous, single data rate", sdrSource, {}});
    for (const NvDdrMode& m : nvDdrModes)
        rows.push_back(
            {timingOf(m), "ONFI NV-DDR: source-synchronous, double data rate", nvDdrSource, nvDdrUnconfirmed});
    for (const StrobedMode& m : strobedModes) {
        rows.push_back(
            {timingOf(m), "ONFI NV-DDR2/NV-DDR3/NV-LPDDR4: strobed, double data rate", m.source, m.unconfirmed});
    }
    return rows;
}

} // namespace

const std::vector<InterfaceRow>& interfaceRows()
{
    static const std::vector<InterfaceRow> rows = makeRows();
    return rows;
}

const InterfaceRow* findInterface(std::string_view name)
{
    const auto& rows = interfaceRows();
    const auto row =
        std::find_if(rows.begin(), rows.end(), [name](const InterfaceRow& r) { return r.timing.name == name; });
    return row == rows.end() ? nullptr : &*row;
}

std::vector<std::string> interfaceNames()
{
    std::vector<std::string> names;
    names.reserve(interfaceKindTable.size() + interfaceRows().size());
    for (const auto& kind : interfaceKindTable)
        names.emplace_back(kind.name);
    for (const InterfaceRow& row : interfaceRows())
        names.push_back(row.timing.name);
    return names;
}

Time shortestCycle(const InterfaceTiming& timing)
{
    return std::min({timing.cycle, timing.inCycle(), timing.outCycle()});
}

InterfaceTiming atPeriod(InterfaceTiming timing, Time period)
{
    check(period >= shortestCycle(timing), "the clock period is shorter than the interface allows");
    timing.dataInCycle = std::max(timing.inCycle(), period);
    timing.dataOutCycle = std::max(timing.outCycle(), period);
    timing.cycle = std::max(timing.cycle, period);
    return timing;
}

} // namespace strobe::channel
