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

// --- NV-DDR2 and NV-DDR3: strobed, no clock; commands by WE# --------------------------------------------------------

struct StrobedMode {
    const char* name;
    Time tRC; // of two bytes; tDSC is the same
    std::string_view unconfirmed;
};
constexpr std::string_view strobedSource =
    "ONFI clock grades of 33 to 400 MHz (NV-DDR2, NV-DDR3); command and strobe waits as in MQSim's NV-DDR2 defaults";
constexpr std::string_view strobedUnconfirmed =
    "which mode number has which period; tWHR; all waits are from one simulator, not from the standard";
constexpr std::string_view fastUnconfirmed = "mode number and period of the grades above 800 MT/s; tWHR; all waits are "
                                             "one simulator's, not read in the standard";
constexpr std::array<StrobedMode, 27> strobedModes{{{"NV_DDR2_0", 30ns, strobedUnconfirmed},
                                                    {"NV_DDR2_1", 25ns, strobedUnconfirmed},
                                                    {"NV_DDR2_2", 15ns, strobedUnconfirmed},
                                                    {"NV_DDR2_3", 12ns, strobedUnconfirmed},
                                                    {"NV_DDR2_4", 10ns, strobedUnconfirmed},
                                                    {"NV_DDR2_5", picoseconds(7500), strobedUnconfirmed},
                                                    {"NV_DDR2_6", 6ns, strobedUnconfirmed},
                                                    {"NV_DDR2_7", 5ns, strobedUnconfirmed},
                                                    {"NV_DDR2_8", picoseconds(3750), strobedUnconfirmed},
                                                    {"NV_DDR2_9", 3ns, strobedUnconfirmed},
                                                    {"NV_DDR2_10", picoseconds(2500), strobedUnconfirmed},
                                                    {"NV_DDR3_0", 30ns, strobedUnconfirmed},
                                                    {"NV_DDR3_1", 25ns, strobedUnconfirmed},
                                                    {"NV_DDR3_2", 15ns, strobedUnconfirmed},
                                                    {"NV_DDR3_3", 12ns, strobedUnconfirmed},
                                                    {"NV_DDR3_4", 10ns, strobedUnconfirmed},
                                                    {"NV_DDR3_5", picoseconds(7500), strobedUnconfirmed},
                                                    {"NV_DDR3_6", 6ns, strobedUnconfirmed},
                                                    {"NV_DDR3_7", 5ns, strobedUnconfirmed},
                                                    {"NV_DDR3_8", picoseconds(3750), strobedUnconfirmed},
                                                    {"NV_DDR3_9", 3ns, strobedUnconfirmed},
                                                    {"NV_DDR3_10", picoseconds(2500), strobedUnconfirmed},
                                                    {"NV_DDR3_11", picoseconds(1875), fastUnconfirmed},
                                                    {"NV_DDR3_12", picoseconds(1667), fastUnconfirmed},
                                                    {"NV_DDR3_13", picoseconds(1500), fastUnconfirmed},
                                                    {"NV_DDR3_14", picoseconds(1364), fastUnconfirmed},
                                                    {"NV_DDR3_15", picoseconds(1250), fastUnconfirmed}}};

InterfaceTiming timingOf(const StrobedMode& m)
{
    InterfaceTiming t;
    t.name = m.name;
    t.cycle = 25ns; // tWC
    t.dataInCycle = m.tRC;
    t.dataOutCycle = m.tRC;
    t.bytesPerCycle = 2;
    t.tCS = 20ns;
    t.tADL = 70ns;
    t.tWB = 100ns;
    t.tRR = 20ns;
    t.tWHR = 80ns;
    t.tCCS = 300ns;
    t.dataInPostamble = 6ns + 15ns;  // tWPST, tWPSTH; the preamble is inside tADL
    t.dataOutPreamble = 15ns + 15ns; // tRPRE, tDQSRE
    t.tCLS = 10ns;
    t.tALS = 10ns;
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
        rows.push_back({timingOf(m), "ONFI NV-DDR2/NV-DDR3: strobed, double data rate", strobedSource, m.unconfirmed});
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
