#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Temperature of a drive as a lumped network of two nodes, controller and flash packages: each has a heat capacity and
// a thermal resistance to the ambient, and a resistance connects them. The differential equations are solved exactly
// for powers that are constant during a step, so the result does not depend on the length of the steps. Owns no clock.
// Units: degrees Celsius, W, J/K, K/W, picoseconds. Not modelled: differences inside a node (one die is as warm as all
// others), resistances that depend on temperature or air flow, powers that depend on temperature.

#include "models/base/time.h"

#include <array>
#include <cstddef>
#include <optional>

namespace strobe::thermal {

enum Node : std::size_t { Controller, Flash, nodes };
using PerNode = std::array<double, nodes>;

struct NetworkConfig {
    struct NodeConfig {
        double resistance = 1; // to the ambient, K/W
        double capacity = 1;   // J/K
    };
    NodeConfig controller{25, 8};
    NodeConfig flash{20, 12};
    double coupling = 10;         // between the nodes, K/W; 0: none
    double ambient = 25;          // degrees
    std::optional<int> initial{}; // of both nodes; nothing: the ambient
};

class ThermalNetwork {
public:
    // REQUIRES: resistances and capacities above 0
    explicit ThermalNetwork(const NetworkConfig& config);

    void advance(Time step, const PerNode& watt);
    const PerNode& celsius() const { return celsius_; }
    PerNode steady(const PerNode& watt) const; // what the temperatures become if these powers last

private:
    NetworkConfig config_;
    PerNode root_{};            // of the capacities
    std::array<double, 4> g_{}; // conductances, row by row
    PerNode rate_{};            // of both modes, 1/s
    double cosine_ = 1;         // of the first mode: (cosine, sine); of the second: (-sine, cosine)
    double sine_ = 0;
    PerNode celsius_{};
};

} // namespace strobe::thermal
