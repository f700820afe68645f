#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What the descriptions of several sections use (describe_<section>.cpp): units and kinds of parameters.

#include "models/base/boot_enums.h"
#include "platform/config/fields.h"

#include <vector>

namespace strobe::platform {

namespace bounds = regs::bounds; // of what firmware gets in its boot block

constexpr Range within(const bounds::Bounds& b)
{
    return {b.minimum, b.maximum};
}

inline constexpr std::int64_t nanosecond = 1'000;
inline constexpr std::int64_t microsecond = 1'000 * nanosecond;
inline constexpr std::int64_t millisecond = 1'000 * microsecond;
inline constexpr std::int64_t second = 1'000 * millisecond;
inline constexpr std::int64_t kibibyte = 1'024;
inline constexpr std::int64_t mebibyte = 1'024 * kibibyte;
inline constexpr std::int64_t gibibyte = 1'024 * mebibyte;
inline constexpr std::int64_t megahertz = 1'000'000;
inline constexpr std::int64_t megabytePerSecond = 1'000'000;

// A list of ascending simulated times above 0.
void instants(Fields& f, const char* name, std::vector<Time>& values, const char* text);

// Energies and powers are doubles in the models and integers (fJ, nW) in a scenario.
void physical(Fields& f, std::string_view name, Quantity kind, double& value, std::string_view text);

// A size ("64MiB"), a share of a total ("25%"), or a word for "not given", which is zero in the model: where a zero
// would be useless (`zeroIsNothing`), it is refused.
struct SizeOrShareField {
    std::uint64_t& bytes;
    double& share;
    std::string_view word;
    bool zeroIsNothing;
};
void sizeOrShare(Fields& f, std::string_view name, const SizeOrShareField& value, std::string_view text);

inline constexpr std::uint32_t mostNamespaces = 64;

} // namespace strobe::platform
