#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The names of bus addresses: "HOST.XFER_START", "FLASH.UNIT_HEAD[3]"; an address without a register in hexadecimal.

#include "platform/assembly/memory_map.h"

#include <string>
#include <vector>

namespace strobe::platform {

class RegisterNames {
public:
    RegisterNames(const MemoryLayout& layout, std::uint32_t cores) : map_(memoryMap(layout, cores)) {}

    std::string of(std::uint32_t address) const;
    // "intc", of a second core "intc1". REQUIRES: it has registers
    static std::string blockOf(const BusMapping& mapping);

private:
    std::vector<BusMapping> map_;
};

} // namespace strobe::platform
