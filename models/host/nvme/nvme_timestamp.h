#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The timestamp of an NVMe controller (NVM Express 1.4, section 5.21.1.14): milliseconds since a reset of the
// controller, or since 1970 from the value on that the host has set. It runs in simulated time.

#include "models/base/time.h"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace strobe::host::nvme {

class Timestamp {
public:
    static constexpr std::uint32_t bytes = 8; // of the structure in host memory

    void reset(Time now) { *this = Timestamp{0, 0, now}; }
    void set(std::uint64_t structure, Time now) { *this = Timestamp{structure & millisecondMask, fromHost, now}; }
    // The structure: milliseconds in bits 47:0, origin in bits 51:49. An instant before it was set: as when it was set.
    std::uint64_t read(Time now) const
    {
        const auto since = std::chrono::duration_cast<std::chrono::milliseconds>(std::max(now - at_, Time{})).count();
        return ((start_ + static_cast<std::uint64_t>(since)) & millisecondMask) | origin_ << 49U;
    }

    Timestamp() = default;

private:
    static constexpr std::uint64_t millisecondMask = (std::uint64_t{1} << 48U) - 1;
    static constexpr std::uint64_t fromHost = 1; // origin: Set Features

    Timestamp(std::uint64_t start, std::uint64_t origin, Time at) : start_(start), origin_(origin), at_(at) {}

    std::uint64_t start_ = 0;
    std::uint64_t origin_ = 0;
    Time at_{};
};

} // namespace strobe::host::nvme
