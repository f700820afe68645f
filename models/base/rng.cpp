// SPDX-License-Identifier: Apache-2.0
#include "models/base/rng.h"

#include "models/base/check.h"

#include <cmath>

namespace strobe {

namespace {
std::uint64_t seedFor(std::uint64_t seed, std::string_view consumer)
{
    std::uint64_t hash = 0xCBF29CE484222325ULL ^ seed; // FNV-1a over the name, started from the seed
    for (const char c : consumer)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    return hash;
}
} // namespace

Rng::Rng(std::uint64_t seed, std::string_view consumer) : engine_(seedFor(seed, consumer)) {}

std::uint64_t Rng::below(std::uint64_t bound)
{
    check(bound > 0, "a random range needs at least one value");
    const std::uint64_t limit = UINT64_MAX - UINT64_MAX % bound; // reject the uneven tail
    std::uint64_t value = engine_();
    while (value >= limit)
        value = engine_();
    return value % bound;
}

double Rng::unit()
{
    return static_cast<double>(engine_() >> 11) * 0x1p-53;
}

double Rng::exponential(double mean)
{
    check(mean > 0, "an exponential distribution needs a mean above zero");
    return -mean * std::log1p(-unit());
}

double Rng::normal()
{
    constexpr double twoPi = 6.283185307179586;
    const double radius = std::sqrt(-2 * std::log1p(-unit()));
    return radius * std::cos(twoPi * unit());
}

} // namespace strobe
