// SPDX-License-Identifier: Apache-2.0
#include "models/thermal/thermal_network.h"
#include "tests/support/catch.h"

#include <cmath>

using namespace strobe;
using namespace strobe::thermal;
using namespace std::chrono_literals;

namespace {

NetworkConfig uncoupled()
{
    NetworkConfig config;
    config.controller = {10, 2}; // 20 s
    config.flash = {5, 8};       // 40 s
    config.coupling = 0;
    config.ambient = 30;
    return config;
}

NetworkConfig coupled()
{
    NetworkConfig config = uncoupled();
    config.coupling = 4;
    return config;
}

} // namespace

TEST_CASE("nodes that are not coupled warm up exponentially, each with its own time constant")
{
    ThermalNetwork network(uncoupled());
    network.advance(20s, {3, 4});
    CHECK(network.celsius()[Controller] == Approx(30 + 30 * (1 - std::exp(-1.0))));
    CHECK(network.celsius()[Flash] == Approx(30 + 20 * (1 - std::exp(-0.5))));
    network.advance(20s, {0, 0});
    CHECK(network.celsius()[Controller] == Approx(30 + 30 * (1 - std::exp(-1.0)) * std::exp(-1.0)));
}

TEST_CASE("a start temperature is that of both nodes, and without power they cool to the ambient")
{
    NetworkConfig config = coupled();
    config.initial = 80;
    ThermalNetwork network(config);
    CHECK(network.celsius() == PerNode{80, 80});
    network.advance(1000s, {});
    CHECK(network.celsius()[Controller] == Approx(30));
    CHECK(network.celsius()[Flash] == Approx(30));
}

TEST_CASE("the result does not depend on the length of the steps")
{
    ThermalNetwork one(coupled());
    ThermalNetwork many(coupled());
    one.advance(7s, {5, 2});
    for (int i = 0; i < 7000; ++i)
        many.advance(1ms, {5, 2});
    CHECK(many.celsius()[Controller] == Approx(one.celsius()[Controller]).epsilon(1e-9));
    CHECK(many.celsius()[Flash] == Approx(one.celsius()[Flash]).epsilon(1e-9));
}

// Against the equations themselves, in small steps of the simplest kind.
TEST_CASE("coupled nodes follow the differential equations")
{
    const PerNode watt{6, 1};
    ThermalNetwork network(coupled());
    double controller = 30;
    double flash = 30;
    constexpr double step = 1e-4;
    for (int i = 0; i < 100'000; ++i) {
        const double across = (controller - flash) / 4;
        const double up = (watt[Controller] - (controller - 30) / 10 - across) / 2;
        const double other = (watt[Flash] - (flash - 30) / 5 + across) / 8;
        controller += step * up;
        flash += step * other;
    }
    network.advance(10s, watt);
    CHECK(network.celsius()[Controller] == Approx(controller).epsilon(1e-4));
    CHECK(network.celsius()[Flash] == Approx(flash).epsilon(1e-4));
}

TEST_CASE("in the steady state all power goes to the ambient")
{
    const ThermalNetwork network(coupled());
    const PerNode steady = network.steady({6, 1});
    CHECK((steady[Controller] - 30) / 10 + (steady[Flash] - 30) / 5 == Approx(7));
    CHECK(steady[Controller] > steady[Flash]);
    ThermalNetwork later(coupled());
    later.advance(2000s, {6, 1});
    CHECK(later.celsius()[Controller] == Approx(steady[Controller]));
    CHECK(later.celsius()[Flash] == Approx(steady[Flash]));
}
