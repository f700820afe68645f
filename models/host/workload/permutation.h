#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A fixed, seeded one-to-one shuffle of 0..size-1 without a table: spreads popular blocks over the whole region. It
// mixes within the next power of two and walks on while the result is beyond the size: below two steps on average.

#include <cstdint>

namespace strobe::host {

class Permutation {
public:
    Permutation(std::uint64_t size, std::uint64_t seed); // REQUIRES: 1 <= size <= 2^62

    std::uint64_t operator()(std::uint64_t value) const // REQUIRES: value < size
    {
        do {
            value = mix(value);
        } while (value >= size_);
        return value;
    }

private:
    // Each step is invertible modulo 2^bits: xor with the value's own upper half, multiplication by an odd number.
    std::uint64_t mix(std::uint64_t value) const
    {
        value = ((value ^ key_) * 0x9E3779B97F4A7C15ULL) & mask_;
        value ^= value >> shift_;
        value = (value * 0xBF58476D1CE4E5B9ULL) & mask_;
        value ^= value >> shift_;
        return (value * 0x94D049BB133111EBULL + key_) & mask_;
    }

    std::uint64_t size_;
    std::uint64_t mask_;
    std::uint64_t key_;
    unsigned shift_;
};

} // namespace strobe::host
