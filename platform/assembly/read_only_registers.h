#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Which addresses of the bus are registers that a write does not change. Pure; for each register access of a core.

#include "platform/assembly/memory_map.h"

#include <cstdint>
#include <vector>

namespace strobe::platform {

class ReadOnlyRegisters {
public:
    explicit ReadOnlyRegisters(const std::vector<BusMapping>& map);
    bool has(std::uint32_t address) const;

private:
    struct Block {
        std::uint32_t base;
        std::vector<bool> words; // up to the last one that is read-only
    };
    std::vector<Block> blocks_;
};

} // namespace strobe::platform
