#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// How long a die takes to put out a byte, as a function of process corner, supply voltage, temperature and die. Pure.
//   factor = corner x (V / Vnom)^-a x (1 + b (T - 25 C)) x die                  of all delays inside the die
//   delay  = data sheet's maximum x factor / largest factor                     which the data sheet guarantees
// The largest factor is that of the slowest die of the slow corner at the lowest voltage and the highest temperature.
// Corner factors, a, b and the spread are assumed: the slides that this model follows ("DI-SSD: Desymmetrized
// Interconnection Architecture and Dynamic Timing Calibration for Solid-State Drives": margins of corners, +-10 % of
// voltage, 0 to 70 C) give no figures for the dies that were measured. The maxima are those of ONFI's timing mode 5.
// Not modelled: pins that differ within a die apart from tUNSTABLE, self-heating, noise of the supply. When a byte can
// be sampled: models/channel/output_timing.h.

#include "models/base/enum_table.h"
#include "models/base/rng.h"
#include "models/base/time.h"

#include <array>
#include <cstdint>

namespace strobe::nand {

enum class Corner : std::uint8_t { Slow, Typical, Fast };

inline constexpr std::array<EnumRow<Corner>, 3> cornerTable{
    {{Corner::Slow, "slow", "the slowest process that is shipped"},
     {Corner::Typical, "typical", "the middle of the process"},
     {Corner::Fast, "fast", "the fastest process that is shipped"}}};
constexpr const auto& enumTable(Corner)
{
    return cornerTable;
}

struct OutputParameters {
    Time tREA = picoseconds(16'000);     // RE# to data valid, at most (ONFI SDR mode 5)
    Time tCYCLE = picoseconds(5'000);    // page register to pins, one byte, at most (NV-DDR mode 5: tCK / 2)
    Time tUNSTABLE = picoseconds(1'850); // of each cycle: skew between pins and edges (NV-DDR mode 5: tDQSQ + tQHS)
    std::uint32_t slowPermille = 1'200;  // corner factors: assumed
    std::uint32_t fastPermille = 800;    // assumed
    double voltageExponent = 1;          // a: assumed, delay as 1 / V
    double perKelvin = 0.001;            // b: assumed
    std::uint32_t spreadPermille = 30;   // one sigma of the dies of a corner: assumed; cut off at two
};

struct OutputConditions {
    Corner corner = Corner::Typical;
    std::uint32_t supplyPermille = 1'000; // of the nominal voltage
    double celsius = 25;
    double die = 1; // factor of this die among those of its corner
};

// What the data sheet guarantees.
inline constexpr std::uint32_t lowestSupplyPermille = 900;
inline constexpr std::uint32_t highestSupplyPermille = 1'100;
inline constexpr double lowestCelsius = 0;
inline constexpr double highestCelsius = 70;
inline constexpr double spreadCutOff = 2; // sigmas

// Factor of all delays in the die, relative to a typical die at 25 C and nominal voltage.
double delayFactor(const OutputParameters& parameters, const OutputConditions& conditions);
// The largest: slow, low voltage, hot, the slowest die.
double worstFactor(const OutputParameters& parameters);
// A die's own factor: normal, cut off, seeded.
double drawDieFactor(const OutputParameters& parameters, Rng& rng);

} // namespace strobe::nand
