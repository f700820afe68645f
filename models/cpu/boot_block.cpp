// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/boot_block.h"

#include "models/base/strobe_registers.h"

#include <cstring>
#include <type_traits>

namespace strobe::cpu {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the boot block is copied as it is in memory");
static_assert(std::is_trivially_copyable_v<BootBlock>);
static_assert(sizeof(BootBlock) == regs::bootBlock::size);

void BootBlock::fill(std::byte* destination) const
{
    std::memcpy(destination, this, sizeof *this);
}

} // namespace strobe::cpu
