#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A region of the 32-bit system bus: base address and size in bytes. Which regions a drive has is decided by the
// scenario (platform/assembly/memory_layout.h); which target answers an address, by the fabric
// (models/fabric/address_map.h).

#include "models/base/ids.h"

#include <cstdint>

namespace strobe::memory {

struct Region {
    BusAddress base{};
    std::uint32_t size = 0;

    constexpr bool contains(BusAddress address, std::uint32_t length = 1) const
    {
        return raw(address) >= raw(base) && std::uint64_t{raw(address)} + length <= std::uint64_t{raw(base)} + size;
    }
};

} // namespace strobe::memory
