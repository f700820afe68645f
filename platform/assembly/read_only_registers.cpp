// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/read_only_registers.h"

#include <algorithm>
#include <utility>

namespace strobe::platform {

ReadOnlyRegisters::ReadOnlyRegisters(const std::vector<BusMapping>& map)
{
    for (const BusMapping& mapping : map) {
        Block block{raw(mapping.region.base), {}};
        for (std::size_t i = 0; i < mapping.registerCount; ++i) {
            const RegisterInfo& row = mapping.registers[i];
            if (row.writable != 0 || row.clearOnWrite1 != 0)
                continue;
            for (std::uint32_t element = 0; element < row.count; ++element) {
                const std::size_t word = (row.offset + element * row.step) / 4;
                block.words.resize(std::max(block.words.size(), word + 1));
                block.words[word] = true;
            }
        }
        if (!block.words.empty())
            blocks_.push_back(std::move(block));
    }
}

bool ReadOnlyRegisters::has(std::uint32_t address) const
{
    return std::any_of(blocks_.begin(), blocks_.end(), [address](const Block& block) {
        const std::uint32_t word = (address - block.base) / 4;
        return word < block.words.size() && block.words[word];
    });
}

} // namespace strobe::platform
