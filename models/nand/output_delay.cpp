// SPDX-License-Identifier: Apache-2.0
#include "models/nand/output_delay.h"

#include <algorithm>
#include <cmath>

namespace strobe::nand {

namespace {

constexpr double permille = 0.001;
constexpr double roomTemperature = 25;

double cornerFactor(const OutputParameters& p, Corner corner)
{
    switch (corner) {
    case Corner::Slow: return p.slowPermille * permille;
    case Corner::Fast: return p.fastPermille * permille;
    case Corner::Typical: break;
    }
    return 1;
}

} // namespace

double delayFactor(const OutputParameters& p, const OutputConditions& c)
{
    const double supply = std::pow(c.supplyPermille * permille, -p.voltageExponent);
    return cornerFactor(p, c.corner) * supply * (1 + p.perKelvin * (c.celsius - roomTemperature)) * c.die;
}

double worstFactor(const OutputParameters& p)
{
    return delayFactor(
        p, {Corner::Slow, lowestSupplyPermille, highestCelsius, 1 + spreadCutOff * p.spreadPermille * permille});
}

double drawDieFactor(const OutputParameters& p, Rng& rng)
{
    return 1 + std::clamp(rng.normal(), -spreadCutOff, spreadCutOff) * p.spreadPermille * permille;
}

} // namespace strobe::nand
