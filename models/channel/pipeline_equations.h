#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Upper bounds of the throughput of a channel and a drive, as in the NVM aging study: P chips on a bus of R bytes per
// second, pages of L bytes, array time T. Pure; they do not include the controller, erases or garbage collection. Real
// numbers, seconds: these are bounds to compare a simulation with, not simulated times.

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace strobe::channel {

struct Pipeline {
    double pageBytes = 0;      // L
    double bytesPerSecond = 0; // R
    double arraySeconds = 0;   // T: of a read or of a program

    double transferSeconds() const { return pageBytes / bytesPerSecond; }

    // eq. 1, as pages: min(R, P L R / (L + R T)) / L. The paper omits the minimum for programs, where T is so long that
    // P is always far below maxDepth().
    double pagesPerSecond(std::uint32_t depth) const
    {
        return std::min(1 / transferSeconds(), depth / (transferSeconds() + arraySeconds));
    }
    double busShare(std::uint32_t depth) const { return pagesPerSecond(depth) * transferSeconds(); }
    // The deepest pipeline whose chips do not wait for the bus: floor(R T / L) + 1.
    std::uint32_t maxDepth() const
    {
        return static_cast<std::uint32_t>(std::floor(arraySeconds / transferSeconds())) + 1;
    }
};

// Pins of a controller: Nc channels of P chips, Mc pins for the bus of a channel, chip enable and ready/busy per chip.
constexpr std::uint64_t pinsOf(std::uint64_t channels, std::uint64_t busPins, std::uint64_t depth)
{
    return channels * (busPins + 2 * depth);
}
// The most channels that a package has pins for: Pb >= Nc (Mc + 2 P).
constexpr std::uint64_t channelsOf(std::uint64_t pinBudget, std::uint64_t busPins, std::uint64_t depth)
{
    return pinBudget / (busPins + 2 * depth);
}

// Time until every cell has reached its rated cycles, with even wear: Sb E / (Wr A).
constexpr double lifetimeSeconds(double capacityBytes, double endurance, double bytesPerSecond,
                                 double writeAmplification)
{
    return capacityBytes * endurance / (bytesPerSecond * writeAmplification);
}

} // namespace strobe::channel
