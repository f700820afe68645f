#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// One seeded generator per consumer: Rng(scenario seed, "consumer name"). The range functions are our own because the
// std:: distributions differ between libraries and reports must be identical everywhere.

#include <cstdint>
#include <random>
#include <string_view>

namespace strobe {

class Rng {
public:
    Rng(std::uint64_t seed, std::string_view consumer);

    std::uint64_t next() { return engine_(); }
    std::uint64_t below(std::uint64_t bound); // uniform in [0, bound). REQUIRES: bound > 0
    double unit();                            // uniform in [0, 1), 53 bits
    bool chance(double probability) { return unit() < probability; }
    double exponential(double mean); // REQUIRES: mean > 0
    double normal();                 // mean 0, deviation 1

private:
    std::mt19937_64 engine_;
};

} // namespace strobe
