#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Interfaces, parts and operations for the tests of the pins.

#include "models/channel/bus_schedule.h"
#include "models/channel/interface_rows.h"
#include "models/channel/line_use.h"
#include "models/pins/bus_sequences.h"
#include "models/pins/replay.h"
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
    InterfaceTiming warmedUp = channel::findInterface("NV_DDR3_10")->timing;
    warmedUp.name = "NV_DDR3_10 with warm-up";
    warmedUp.warmUpIn = 1;
    warmedUp.warmUpOut = 4;
    all.push_back(warmedUp);
    return all;
}

// Separate command lines, with clocks that six edges do not divide evenly.
inline std::vector<InterfaceTiming> separateInterfaces()
{
    InterfaceTiming fast =
        channel::withCommandLines(channel::findInterface("NV_LPDDR4_19")->timing, picoseconds(2'501));
    fast.warmUpIn = 2;
    fast.warmUpOut = 4;
    fast.statusPollDelay = 1us;
    return {channel::withCommandLines(channel::findInterface("NV_DDR3_10")->timing, 5ns), fast};
}
inline std::vector<InterfaceTiming> allInterfaces()
{
    std::vector<InterfaceTiming> all = interfaces();
    for (const InterfaceTiming& timing : separateInterfaces())
        all.push_back(timing);
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

// A read that needs 12 ns and a part with short addresses: diagrams that fit on a page.
inline std::vector<Time> edgesOf(const Waveform& waveform, Pin pin, Level to)
{
    std::vector<Time> times;
    for (const Change& change : waveform.changesOf({pin, 0})) {
        if (change.level == to)
            times.push_back(change.at);
    }
    return times;
}

// A part with all features: two planes, page types, suspensions of short programs, and odd amounts of data.
inline nand::Part versatilePart()
{
    nand::Part part = channel::test::makePart("versatile", 1536, 49, 3, 20us, 200us, 700us);
    part.geometry.planes = 2;
    part.multiPlaneCache = true;
    part.pageTypes = {{"LSB", 15us, 150us}, {"MSB", 25us, 250us}};
    part.times.tRCBSY = 3'001ns;
    part.times.tPSUSP = 17us;
    part.cell = nand::CellTechnology::Mlc;
    part.pslc.tR = 11us;
    part.pslc.tPROG = 80us;
    part.pslc.tBERS = 600us;
    part.geometry.pslcPages = part.geometry.pagesPerBlock / 2;
    return part;
}
// A program writes two pages.
inline nand::Part wordLinePart()
{
    nand::Part part = versatilePart();
    part.name = "word lines";
    part.geometry.pagesPerProgram = 2;
    part.times.tPBSY = 700ns;
    return part;
}
// PCM: a page of three accesses.
inline nand::Part phaseChangePart()
{
    nand::Part part = channel::test::makePart("phase change", 1536, 49, 3, 100ns, 1us, 0us);
    part.cell = nand::CellTechnology::Pcm;
    part.accessBytes = 512;
    part.multiPlane = nand::MultiPlaneRule::None;
    part.maxSuspends = 0;
    return part;
}

// What the die latches at rising WE#, RWEB or CLK while CLE or ALE is high, in order: "C00 A05 …".
inline std::string latched(const Waveform& waveform)
{
    std::string text;
    for (const Capture& capture : waveform.captures()) {
        if (!capture.byDie)
            continue;
        const bool command = waveform.levelAt({Pin::CommandLatch}, capture.at) == 1;
        const bool address = waveform.levelAt({Pin::AddressLatch}, capture.at) == 1;
        if (command == address)
            continue; // data
        static constexpr char digits[] = "0123456789ABCDEF";
        text += std::string(text.empty() ? "" : " ") + (command ? "C" : "A") + digits[capture.byte >> 4] +
                digits[capture.byte & 15];
    }
    return text;
}

inline std::vector<std::uint8_t> dataBytes(const Waveform& waveform, bool byDie)
{
    std::vector<std::uint8_t> bytes;
    for (const Capture& capture : waveform.captures()) {
        const bool isData =
            waveform.levelAt({Pin::CommandLatch}, capture.at) == waveform.levelAt({Pin::AddressLatch}, capture.at);
        if (capture.byDie == byDie && isData)
            bytes.push_back(capture.byte);
    }
    return bytes;
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
