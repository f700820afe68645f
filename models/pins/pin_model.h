#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// How an interface uses its pins, beyond what InterfaceTiming says: which signals there are, and the propagation,
// set-up and hold times that place their edges inside a cycle. All times in picoseconds.
//   Conventional       WE# and RE#; read data is latched by DCLK, the clock delayed by tD   (paper, Fig. 3 and 4)
//   DataValidStrobe    RWEB for both directions; the die sends DVS beside its data         (paper, Fig. 5 and 6)
//   SourceSynchronous  CLK, W/R#, DQS                                                       (ONFI NV-DDR)
//   DataStrobe         WE#, RE#, DQS                                                        (ONFI NV-DDR2, NV-DDR3)
//   CommandLines       CA[1:0] with CA_CLK, selected by CA_CE#; RE#, DQS                    (the same with SCA)
// Not modelled: spread of the parameters, complementary strobes, termination, the analogue side of any edge.

#include "models/base/enum_table.h"
#include "models/channel/interface_timing.h"
#include "models/nand/part.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace strobe::pins {

enum class Signalling : std::uint8_t { Conventional, DataValidStrobe, SourceSynchronous, DataStrobe, CommandLines };

// By role; the name of a role, and whether it exists, depends on the signalling.
enum class Pin : std::uint8_t {
    ChipEnable,
    CommandLatch, // CLE, CA0
    AddressLatch, // ALE, CA1
    Write,        // WE#, RWEB, CLK, CA_CLK
    Read,         // RE#, DVS, W/R#
    Strobe,       // DQS
    LatchClock,   // DCLK: inside the controller
    Data,         // IO[7:0], DQ[7:0]
    Ready         // R/B#
};
inline constexpr std::size_t pinCount = 9;

struct PinName {
    std::string_view text;       // "CE#"; empty: the signalling has no such pin
    std::string_view identifier; // "CE_n": for VCD files
};
PinName nameOf(Pin pin, Signalling signalling);
// Level of the pin while the bus is idle: 0, 1 or highImpedance (waveform.h).
std::uint16_t idleLevel(Pin pin, Signalling signalling);

// Names of the cycles, for tables: "tWC", "tRC", "tRWC", …
struct CycleNames {
    std::string_view latch; // command and address cycles
    std::string_view dataIn;
    std::string_view dataOut;
};
CycleNames cycleNames(Signalling signalling);

// Names as in Table 1 of the paper. Defaults that are not in its Table 2 say where they come from.
struct PinTiming {
    Time tOUT{}; // controller's flip-flops to the strobe pads of the die
    Time tREA{}; // RE# at the die to data at the controller's pad
    Time tIN{};  // pad to FIFO
    Time tS{};   // set-up and hold time of that FIFO
    Time tH{};
    std::int64_t alphaPermille = 500; // at most: tD = alpha tP (eq. 1)
    // Data to WE#, RWEB or DQS at the die. Conventional: ONFI SDR mode 5 (7 and 5 ns). With a data strobe: ONFI NV-DDR
    // at tCK = 10 ns (0.9 ns each).
    Time tDS = picoseconds(7'000);
    Time tDH = picoseconds(5'000);
    // CA to CA_CLK, both sides. Assumed.
    Time tCAS = picoseconds(400);
    Time tCAH = picoseconds(400);
    // Data stays this long after the next falling RE# (ONFI tRLOH, mode 5).
    Time tOH = picoseconds(5'000);
    // RLAT to the die's pads. Assumed: burst access time of the OneNAND part at 83 MHz from which the paper takes
    // tBYTE.
    Time tIODmax = picoseconds(9'000);
    // RWEB at the die's pad to its DLL. Assumed: an input path like the controller's tIN.
    Time tRWEBDmin = picoseconds(1'650);
    // Data to DVS at the die's pads. Derived: the FIFO's requirement after the skew of the board, tIOS = tS + tDIFF and
    // tIOH = tH, so that eq. 8 and eq. 9 agree.
    Time tIOS{};
    Time tIOH{};

    Time tDLL() const; // eq. 2
};

struct PinModel {
    channel::InterfaceTiming timing;
    Signalling signalling = Signalling::Conventional;
    PinTiming pins;

    Time dataInCycle() const { return timing.inCycle(); }
    Time dataOutCycle() const { return timing.outCycle(); }
    // The DCLK edge that latches a byte of a conventional read: `cycles` periods and tD after RE# falls. D_CON is
    // set (in steps of a thousandth of a period, to alpha at most) to the earliest edge that leaves set-up time. At the
    // minimum period of eq. 6 that is one cycle and alpha tP, the paper's case.
    struct ReadLatch {
        std::uint32_t cycles = 0;
        Time tD{};
    };
    ReadLatch readLatch() const;
};

// By the interface's name; unknown interfaces are conventional, or strobed if they move two bytes per cycle.
Signalling signallingOf(const channel::InterfaceTiming& timing);
PinModel pinModelOf(const channel::InterfaceTiming& timing, const channel::ElectricalParameters& parameters);

} // namespace strobe::pins
