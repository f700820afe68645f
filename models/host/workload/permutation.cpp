// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/permutation.h"

#include "models/base/check.h"
#include "models/base/rng.h"

#include <algorithm>

namespace strobe::host {

Permutation::Permutation(std::uint64_t size, std::uint64_t seed) : size_(size)
{
    check(size >= 1 && size <= std::uint64_t{1} << 62, "a permutation needs 1 to 2^62 values");
    unsigned bits = 0;
    while ((std::uint64_t{1} << bits) < size)
        ++bits;
    mask_ = (std::uint64_t{1} << bits) - 1;
    shift_ = std::max(1U, (bits + 1) / 2);
    key_ = Rng(seed, "permutation").next() & mask_;
}

} // namespace strobe::host
