// SPDX-License-Identifier: Apache-2.0
#include "models/channel/output_timing.h"

#include <algorithm>
#include <cmath>

namespace strobe::channel {

namespace {

constexpr double farInside = 8; // sigmas
constexpr double neighbourDiffers = 0.5;

// Tail of the normal distribution.
double tail(double sigmas)
{
    return 0.5 * std::erfc(sigmas / std::sqrt(2.0));
}

} // namespace

OutputWindow outputWindow(const nand::OutputParameters& p, const ElectricalParameters& e,
                          const nand::OutputConditions& c, Time cycle)
{
    const double share = delayFactor(p, c) / worstFactor(p); // of the data sheet's maxima
    const auto period = static_cast<double>(cycle.count());
    if (period < share * static_cast<double>(p.tCYCLE.count()))
        return {};
    const double arrives = static_cast<double>((e.tOUT + e.tIN).count()) + share * static_cast<double>(p.tREA.count());
    return {arrives + static_cast<double>(e.tS.count()),
            arrives + period - share * static_cast<double>(p.tUNSTABLE.count()) - static_cast<double>(e.tH.count())};
}

double bitErrorProbability(const OutputWindow& window, Time sample, Time jitter)
{
    if (window.width() <= 0)
        return neighbourDiffers;
    const auto at = static_cast<double>(sample.count());
    const double before = at - window.opens;
    const double after = window.closes - at;
    const auto sigma = static_cast<double>(std::max<std::int64_t>(jitter.count(), 1));
    if (std::min(before, after) >= farInside * sigma)
        return 0;
    return std::min(neighbourDiffers, neighbourDiffers * (tail(before / sigma) + tail(after / sigma)));
}

std::uint64_t drawBitErrors(Rng& rng, std::uint64_t bits, double probability)
{
    constexpr double few = 64;
    if (probability <= 0 || bits == 0)
        return 0;
    const double mean = static_cast<double>(bits) * probability;
    if (mean > few) {
        const double drawn = std::round(mean + std::sqrt(mean * (1 - probability)) * rng.normal());
        return static_cast<std::uint64_t>(std::clamp(drawn, 0.0, static_cast<double>(bits)));
    }
    // From one wrong bit to the next: geometrically distributed steps.
    const double perBit = std::log1p(-probability);
    const auto step = [&] { return std::floor(std::log1p(-rng.unit()) / perBit); };
    std::uint64_t errors = 0;
    double at = step();
    while (at < static_cast<double>(bits)) {
        ++errors;
        at += 1 + step();
    }
    return errors;
}

} // namespace strobe::channel
