// SPDX-License-Identifier: Apache-2.0
#include "models/pins/pin_model.h"

#include "models/channel/interface_equations.h"
#include "models/pins/waveform.h"

#include <algorithm>

namespace strobe::pins {

namespace {

struct PinRow {
    PinName name;
    std::uint16_t idle;
};
using PinTable = std::array<PinRow, pinCount>; // by Pin

constexpr PinRow none{{"", ""}, highImpedance};
constexpr PinRow chipEnable{{"CE#", "CE_n"}, 1};
constexpr PinRow commandLatch{{"CLE", "CLE"}, 0};
constexpr PinRow addressLatch{{"ALE", "ALE"}, 0};
constexpr PinRow strobe{{"DQS", "DQS"}, highImpedance};
constexpr PinRow ready{{"R/B#", "RB_n"}, 1};
constexpr PinRow io{{"IO", "IO"}, highImpedance};
constexpr PinRow dq{{"DQ", "DQ"}, highImpedance};
constexpr PinRow writeEnable{{"WE#", "WE_n"}, 1};
constexpr PinRow readEnable{{"RE#", "RE_n"}, 1};
constexpr PinRow commandEnable{{"CA_CE#", "CA_CE_n"}, 1};
constexpr PinRow commandLine0{{"CA0", "CA0"}, 0};
constexpr PinRow commandLine1{{"CA1", "CA1"}, 0};
constexpr PinRow commandClock{{"CA_CLK", "CA_CLK"}, 0};

struct SignallingRow {
    PinTable pins;
    CycleNames cycles;
};

// By Signalling.
constexpr std::array<SignallingRow, 5> signallings{{
    {{chipEnable, commandLatch, addressLatch, writeEnable, readEnable, none, {{"DCLK", "DCLK"}, 0}, io, ready},
     {"tWC", "tWC", "tRC"}},
    {{chipEnable,
      commandLatch,
      addressLatch,
      {{"RWEB", "RWEB"}, 1},
      {{"DVS", "DVS"}, highImpedance},
      none,
      none,
      io,
      ready},
     {"tRWC", "tRWC", "tRWC"}},
    {{chipEnable, commandLatch, addressLatch, {{"CLK", "CLK"}, 0}, {{"W/R#", "WR_n"}, 1}, strobe, none, dq, ready},
     {"tCAD", "tCK", "tCK"}},
    {{chipEnable, commandLatch, addressLatch, writeEnable, readEnable, strobe, none, dq, ready},
     {"tWC", "tDSC", "tRC"}},
    {{commandEnable, commandLine0, commandLine1, commandClock, readEnable, strobe, none, dq, ready},
     {"packet", "tDSC", "tRC"}},
}};

const SignallingRow& rowOf(Signalling signalling)
{
    return signallings[static_cast<std::size_t>(signalling)];
}

struct NamedSignalling {
    std::string_view prefix; // of the interface's name
    Signalling signalling;
};
constexpr std::array<NamedSignalling, 8> byName{{{"CONV", Signalling::Conventional},
                                                 {"ONFI_SDR", Signalling::Conventional},
                                                 {"SYNC_ONLY", Signalling::DataValidStrobe},
                                                 {"PROPOSED", Signalling::DataValidStrobe},
                                                 {"NV_DDR_", Signalling::SourceSynchronous},
                                                 {"NV_DDR2", Signalling::DataStrobe},
                                                 {"NV_DDR3", Signalling::DataStrobe},
                                                 {"NV_LPDDR4", Signalling::DataStrobe}}};

} // namespace

PinName nameOf(Pin pin, Signalling signalling)
{
    return rowOf(signalling).pins[static_cast<std::size_t>(pin)].name;
}

std::uint16_t idleLevel(Pin pin, Signalling signalling)
{
    return rowOf(signalling).pins[static_cast<std::size_t>(pin)].idle;
}

CycleNames cycleNames(Signalling signalling)
{
    return rowOf(signalling).cycles;
}

Time PinTiming::tDLL() const
{
    return channel::equation::dllDelay2(tIODmax, tRWEBDmin, tIOS);
}

PinModel::ReadLatch PinModel::readLatch() const
{
    const Time cycle = dataOutCycle();
    const Time needed = pins.tOUT + pins.tREA + pins.tIN + pins.tS;
    for (std::uint32_t cycles = 0;; ++cycles) {
        const std::int64_t rest = std::max((needed - cycle * cycles).count(), std::int64_t{0});
        const std::int64_t alpha = (rest * 1000 + cycle.count() - 1) / cycle.count();
        if (alpha <= pins.alphaPermille)
            return {cycles, channel::equation::clockDelay1(alpha, cycle)};
    }
}

Signalling signallingOf(const channel::InterfaceTiming& timing)
{
    if (timing.hasCommandLines)
        return Signalling::CommandLines;
    for (const NamedSignalling& row : byName) {
        if (timing.name.compare(0, row.prefix.size(), row.prefix) == 0)
            return row.signalling;
    }
    return timing.bytesPerCycle == 1 ? Signalling::Conventional : Signalling::DataStrobe;
}

PinModel pinModelOf(const channel::InterfaceTiming& timing, const channel::ElectricalParameters& parameters)
{
    PinModel model{timing, signallingOf(timing), {}};
    PinTiming& p = model.pins;
    p.tOUT = parameters.tOUT;
    p.tREA = parameters.tREA;
    p.tIN = parameters.tIN;
    p.tS = parameters.tS;
    p.tH = parameters.tH;
    p.alphaPermille = parameters.alphaPermille;
    p.tIOS = parameters.tS + parameters.tDIFF;
    p.tIOH = parameters.tH;
    if (model.signalling != Signalling::Conventional)
        p.tDS = p.tDH = picoseconds(900);
    return model;
}

} // namespace strobe::pins
