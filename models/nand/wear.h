#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What wear does to cells. Wear is normalised: erases of the block (PCM: overwrites of the page) divided by the rated
// endurance of the part, 1 at the end of the manufacturer's rating. A part may define points of a curve; between them
//   program time    minimum, mean and maximum, as multiples of tPROG: linear in wear
//   bit error rate  of the raw cells: its logarithm is linear in wear (linear where a point is 0)
// and before the first and after the last point they are constant. A program takes a time drawn between minimum and
// maximum with that mean: uniform below the mean and uniform above it, with the proportion that gives this mean.
// Errors of a read are those of its worst codeword: the largest of as many Poisson draws as there are codewords.
// Bit errors by retention and read disturb: error_model.h. Not modelled: wear of the read time (the paper finds none),
// of the erase time.

#include "models/base/rng.h"
#include "models/base/time.h"

#include <cstdint>
#include <string>
#include <vector>

namespace strobe::nand {

struct WearPoint {
    double wear = 0;
    double programMean = 1; // multiples of tPROG
    double programMin = 1;
    double programMax = 1;
    double bitErrorRate = 0;
};

struct WearCurve {
    std::string source;            // source of the points
    std::vector<WearPoint> points; // ascending; none: cells do not age

    bool empty() const { return points.empty(); }
    WearPoint at(double wear) const; // REQUIRES: !empty()
};

// `time` times a factor drawn between the point's minimum and maximum.
Time drawProgramTime(Time time, const WearPoint& point, Rng& rng);

// The largest of `codewords` Poisson draws of this mean, by one draw.
std::uint32_t drawWorst(double mean, std::uint32_t codewords, Rng& rng);

// Raw bit errors in the worst codeword of `sectors` sectors. REQUIRES: sectors > 0.
std::uint32_t drawErrors(double bitErrorRate, std::uint32_t sectors, std::uint32_t codewordBytes, Rng& rng);

// Settings of one die that its part does not contain.
struct Aging {
    double before = 0;                  // normalised wear of every cell when the die is made
    std::uint32_t codewordBytes = 1024; // of data
    double storedHours = 0;             // error models: age of data from before the run, at the reference temperature
    std::uint32_t storedReads = 0;      // the same: reads of its block
};

} // namespace strobe::nand
