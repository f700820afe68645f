#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Where things are on the 32-bit system bus. The numbers are generated from firmware/regs/strobe.rdl
// (models/base/registers are the tables of the single blocks); this header adds the sizes that a scenario chooses.

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
