// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/zipf_distribution.h"

#include "models/base/check.h"

#include <algorithm>
#include <cmath>

namespace strobe::host {

namespace {
constexpr double logarithmic = 1e-12; // closer to 1 than this, theta is 1
constexpr double cancelling = 1e-3;   // closer than this, 1 + (1 - theta) y loses digits that a rank needs
} // namespace

ZipfDistribution::ZipfDistribution(std::uint64_t ranks, double theta)
    : ranks_(static_cast<double>(ranks)), theta_(theta), oneMinusTheta_(1 - theta)
{
    check(ranks >= 1 && ranks <= maxRanks, "zipf needs 1 to 2^40 ranks");
    check(theta >= 0 && theta <= maxTheta, "zipf needs theta in 0..10");
    areaBegin_ = area(1.5) - 1;
    areaLength_ = area(ranks_ + 0.5) - areaBegin_;
    // A draw this close below its rank lies inside the histogram whatever the rank; it is tightest at rank 2.
    surelyInside_ = 2 - inverseArea(area(2.5) - density(2));
}

std::uint64_t ZipfDistribution::operator()(Rng& rng) const
{
    for (;;) {
        const double y = areaBegin_ + (1 - rng.unit()) * areaLength_; // in (begin, end]
        const double x = inverseArea(y);
        const double rank = std::clamp(std::floor(x + 0.5), 1.0, ranks_);
        if (rank - x <= surelyInside_ || y >= area(rank + 0.5) - density(rank))
            return static_cast<std::uint64_t>(rank) - 1;
    }
}

double ZipfDistribution::density(double x) const
{
    return std::exp(-theta_ * std::log(x));
}

// expm1 and log1p keep their digits where theta is close to 1 and the textbook quotients cancel.
double ZipfDistribution::area(double x) const
{
    const double logX = std::log(x);
    return std::abs(oneMinusTheta_) < logarithmic ? logX : std::expm1(oneMinusTheta_ * logX) / oneMinusTheta_;
}

double ZipfDistribution::inverseArea(double y) const
{
    if (std::abs(oneMinusTheta_) < logarithmic)
        return std::exp(y);
    // Rounding may carry the argument to the pole at -1; the rank is clamped there.
    const double argument = std::max(oneMinusTheta_ * y, -1.0);
    if (std::abs(oneMinusTheta_) < cancelling)
        return std::exp(std::log1p(argument) / oneMinusTheta_);
    return std::exp(std::log(1 + argument) / oneMinusTheta_); // half the time of log1p
}

} // namespace strobe::host
