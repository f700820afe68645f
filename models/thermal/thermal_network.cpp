// SPDX-License-Identifier: Apache-2.0
#include "models/thermal/thermal_network.h"

#include "models/base/check.h"

#include <cmath>

namespace strobe::thermal {

// C dT/dt = P - G (T - ambient). With y = sqrt(C) (T - steady) this is dy/dt = -S y with the symmetric matrix
// S = C^(-1/2) G C^(-1/2), whose eigenvectors are the modes.
ThermalNetwork::ThermalNetwork(const NetworkConfig& config) : config_(config)
{
    check(config.controller.resistance > 0 && config.flash.resistance > 0 && config.controller.capacity > 0 &&
              config.flash.capacity > 0 && config.coupling >= 0,
          "a thermal resistance or capacity is not above 0");
    root_ = {std::sqrt(config.controller.capacity), std::sqrt(config.flash.capacity)};
    const double between = config.coupling > 0 ? 1 / config.coupling : 0;
    g_ = {1 / config.controller.resistance + between, -between, -between, 1 / config.flash.resistance + between};
    const double a = g_[0] / config.controller.capacity;
    const double b = g_[1] / (root_[Controller] * root_[Flash]);
    const double c = g_[3] / config.flash.capacity;
    const double angle = std::atan2(2 * b, a - c) / 2;
    cosine_ = std::cos(angle);
    sine_ = std::sin(angle);
    const double middle = (a + c) / 2;
    const double half = std::hypot((a - c) / 2, b);
    rate_ = {middle + half, middle - half};
    celsius_.fill(config.initial ? *config.initial : config.ambient);
}

PerNode ThermalNetwork::steady(const PerNode& watt) const
{
    const double determinant = g_[0] * g_[3] - g_[1] * g_[2];
    return {config_.ambient + (g_[3] * watt[Controller] - g_[1] * watt[Flash]) / determinant,
            config_.ambient + (g_[0] * watt[Flash] - g_[2] * watt[Controller]) / determinant};
}

void ThermalNetwork::advance(Time step, const PerNode& watt)
{
    const PerNode end = steady(watt);
    const double seconds = toSeconds(step);
    const double y0 = root_[Controller] * (celsius_[Controller] - end[Controller]);
    const double y1 = root_[Flash] * (celsius_[Flash] - end[Flash]);
    const double first = (cosine_ * y0 + sine_ * y1) * std::exp(-rate_[0] * seconds);
    const double second = (cosine_ * y1 - sine_ * y0) * std::exp(-rate_[1] * seconds);
    celsius_[Controller] = end[Controller] + (cosine_ * first - sine_ * second) / root_[Controller];
    celsius_[Flash] = end[Flash] + (sine_ * first + cosine_ * second) / root_[Flash];
}

} // namespace strobe::thermal
