// SPDX-License-Identifier: Apache-2.0
//
// Output delay of a die by corner, supply, temperature and die.
#include "models/nand/output_delay.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <cmath>

using namespace strobe;
using namespace strobe::nand;

namespace {

bool near(double a, double b)
{
    return std::abs(a - b) < 1e-9;
}

} // namespace

TEST_CASE("the delay factor is the product of corner, supply, temperature and die")
{
    const OutputParameters p;
    CHECK(near(delayFactor(p, {}), 1));
    CHECK(near(delayFactor(p, {Corner::Slow, 1'000, 25, 1}), 1.2));
    CHECK(near(delayFactor(p, {Corner::Fast, 1'000, 25, 1}), 0.8));
    CHECK(near(delayFactor(p, {Corner::Typical, 900, 25, 1}), 1 / 0.9));
    CHECK(near(delayFactor(p, {Corner::Typical, 1'000, 70, 1}), 1.045));
    CHECK(near(delayFactor(p, {Corner::Typical, 1'000, 0, 1.03}), 0.975 * 1.03));
    OutputParameters steep;
    steep.voltageExponent = 2;
    CHECK(near(delayFactor(steep, {Corner::Slow, 1'100, 70, 0.97}), 1.2 / 1.21 * 1.045 * 0.97));
}

TEST_CASE("no die within the limits of the data sheet is slower than the largest factor")
{
    const OutputParameters p;
    CHECK(near(worstFactor(p), 1.2 / 0.9 * 1.045 * 1.06));
    Rng rng(7, "dies");
    double least = 1;
    double most = 1;
    double sum = 0;
    constexpr int dies = 10'000;
    for (int i = 0; i < dies; ++i) {
        const double die = drawDieFactor(p, rng);
        least = std::min(least, die);
        most = std::max(most, die);
        sum += die;
        CHECK(delayFactor(p, {Corner::Slow, 900, 70, die}) <= worstFactor(p));
    }
    CHECK(near(least, 0.94)); // cut off at two sigmas
    CHECK(near(most, 1.06));
    CHECK(std::abs(sum / dies - 1) < 0.001);
}

TEST_CASE("the spread of dies depends on the seed")
{
    const OutputParameters p;
    Rng one(1, "die 0");
    Rng same(1, "die 0");
    Rng other(2, "die 0");
    const double drawn = drawDieFactor(p, one);
    CHECK(drawDieFactor(p, same) == drawn);
    CHECK(drawDieFactor(p, other) != drawn);
}
