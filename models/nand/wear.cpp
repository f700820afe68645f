// SPDX-License-Identifier: Apache-2.0
#include "models/nand/wear.h"

#include "models/base/check.h"
#include "models/base/content.h"

#include <algorithm>
#include <cmath>

namespace strobe::nand {

namespace {

double between(double low, double high, double share)
{
    return low + (high - low) * share;
}

double rateBetween(double low, double high, double share)
{
    return low > 0 && high > 0 ? std::exp(between(std::log(low), std::log(high), share)) : between(low, high, share);
}

} // namespace

WearPoint WearCurve::at(double wear) const
{
    check(!points.empty(), "a part that does not age has no wear curve");
    const auto next =
        std::find_if(points.begin(), points.end(), [wear](const WearPoint& point) { return point.wear > wear; });
    if (next == points.begin())
        return points.front();
    const WearPoint& low = *(next - 1);
    if (next == points.end())
        return low;
    const double share = (wear - low.wear) / (next->wear - low.wear);
    return {wear, between(low.programMean, next->programMean, share), between(low.programMin, next->programMin, share),
            between(low.programMax, next->programMax, share), rateBetween(low.bitErrorRate, next->bitErrorRate, share)};
}

Time drawProgramTime(Time time, const WearPoint& point, Rng& rng)
{
    const double spread = point.programMax - point.programMin;
    double factor = point.programMean;
    if (spread > 0) {
        const bool isBelow = rng.chance((point.programMax - point.programMean) / spread);
        factor = isBelow ? between(point.programMin, point.programMean, rng.unit())
                         : between(point.programMean, point.programMax, rng.unit());
    }
    return Time{std::llround(static_cast<double>(time.count()) * factor)};
}

// The distribution function is summed from the first term that matters; P(worst <= k) = P(one <= k) ^ codewords.
std::uint32_t drawWorst(double mean, std::uint32_t codewords, Rng& rng)
{
    if (!(mean > 0) || codewords == 0)
        return 0;
    const double wanted = std::pow(rng.unit(), 1.0 / codewords);
    constexpr double deviations = 12; // below it terms underflow a double
    double k = std::max(0.0, std::floor(mean - deviations * std::sqrt(mean)));
    double term = std::exp(k * std::log(mean) - mean - std::lgamma(k + 1));
    const double end = mean + deviations * std::sqrt(mean) + 2 * deviations;
    for (double sum = term; sum < wanted && k < end; sum += term) {
        k += 1;
        term *= mean / k;
    }
    return static_cast<std::uint32_t>(k);
}

std::uint32_t drawErrors(double bitErrorRate, std::uint32_t sectors, std::uint32_t codewordBytes, Rng& rng)
{
    constexpr double bitsPerByte = 8;
    const auto bytes = static_cast<std::uint32_t>(sectors * sectorBytes);
    return drawWorst(bitErrorRate * bitsPerByte * std::min(codewordBytes, bytes),
                     (bytes + codewordBytes - 1) / codewordBytes, rng);
}

} // namespace strobe::nand
