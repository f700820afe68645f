// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/byte_text.h"

#include <fmt/format.h>

#include <array>

namespace strobe::host {

std::string byteText(std::uint64_t bytes)
{
    static constexpr std::array<const char*, 4> units{"TiB", "GiB", "MiB", "KiB"};
    std::uint64_t size = std::uint64_t{1} << 40;
    for (const char* unit : units) {
        if (bytes >= size)
            return fmt::format("{:.4g} {}", static_cast<double>(bytes) / static_cast<double>(size), unit);
        size >>= 10;
    }
    return fmt::format("{} B", bytes);
}

} // namespace strobe::host
