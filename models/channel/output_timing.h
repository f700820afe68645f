#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// When a byte that a die puts out can be sampled, for interfaces without a data strobe: its data valid window, in
// picoseconds from the edge of RE# (at the controller) that requests the byte. Pure. tREA, tUNSTABLE and tCYCLE are the
// die's under its conditions (models/nand/output_delay.h), the others the controller's.
//   opens  = tOUT + tREA + tIN + tS                   the byte is at the controller's latch, set-up time included
//   closes = tOUT + tREA + tIN + tP - tUNSTABLE - tH  the next byte begins to replace it
// Outputs overlap: a byte is on its way while the next is requested, so a period tP may be shorter than tREA; the
// limits are the window (closes - opens) and the cycle tCYCLE of the die's page register: with a shorter period there
// is no window. A sample takes a wrong bit with the probability 1/2 (Q(opens..sample) + Q(sample..closes)) in sigmas of
// the jitter (normal; Q is its tail): outside the window the bits are those of the previous or next byte, half of which
// differ. Not modelled: delay of pads and board over temperature.

#include "models/base/rng.h"
#include "models/base/time.h"
#include "models/channel/interface_timing.h"
#include "models/nand/output_delay.h"

#include <algorithm>
#include <cstdint>

namespace strobe::channel {

struct OutputWindow { // opens >= closes: there is none
    double opens = 0; // picoseconds
    double closes = 0;

    double width() const { return closes > opens ? closes - opens : 0; }
};

// The window of bytes output every `cycle`. `electrical`: tOUT, tIN, tS and tH of the controller's side.
OutputWindow outputWindow(const nand::OutputParameters& parameters, const ElectricalParameters& electrical,
                          const nand::OutputConditions& conditions, Time cycle);
// One sigma of the sampling instant relative to the data: assumed.
inline constexpr Time samplingJitter = picoseconds(60);
// Probability that a bit sampled at `sample` is wrong; exactly zero if it is eight sigmas or more inside the window.
double bitErrorProbability(const OutputWindow& window, Time sample, Time jitter = samplingJitter);

// Where an uncalibrated interface samples: at the next edge, or later by as much as tREA requires (the longer of the
// interface's and the part's), at most alpha periods, as in eq. 6.
inline Time uncalibratedSample(const nand::OutputParameters& parameters, const ElectricalParameters& electrical,
                               Time cycle)
{
    const Time opens = electrical.tOUT + std::max(electrical.tREA, parameters.tREA) + electrical.tIN + electrical.tS +
                       8 * samplingJitter;
    return std::clamp(opens, cycle, cycle + scaled(cycle, electrical.alphaPermille, 1'000));
}

// How many of `bits` independent bits are wrong. Exact for small expectations, normal with the right mean and variance
// for large ones.
std::uint64_t drawBitErrors(Rng& rng, std::uint64_t bits, double probability);

} // namespace strobe::channel
