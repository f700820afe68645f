#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Bounded zipf: rank k of 1..n has probability k^-theta / sum of i^-theta. Sampled by rejection inversion (Hörmann and
// Derflinger 1996): the area under the continuous hat x^-theta is inverted and rounded to a rank, and the few draws
// that fall outside the histogram are drawn again. No tables: constant time and memory for any n.
// Range: n from 1 to 2^40, theta from 0 (uniform) to 10. Doubles: ranks beyond 2^40 would begin to be skipped.

#include "models/base/rng.h"

#include <cstdint>

namespace strobe::host {

class ZipfDistribution {
public:
    static constexpr std::uint64_t maxRanks = std::uint64_t{1} << 40;
    static constexpr double maxTheta = 10;

    ZipfDistribution(std::uint64_t ranks, double theta);

    std::uint64_t operator()(Rng& rng) const; // rank - 1: 0 is the most popular

private:
    double density(double x) const;     // x^-theta
    double area(double x) const;        // integral of the density from 1 to x
    double inverseArea(double y) const; // x with area(x) == y

    double ranks_;
    double theta_;
    double oneMinusTheta_;
    double areaBegin_;  // the hat begins where it holds exactly rank 1's probability
    double areaLength_; // … and ends at n + 1/2
    double surelyInside_;
};

} // namespace strobe::host
