#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A drive of two channels with two dies each, and operations for its dies, for tests of how operations are handed on.

#include "models/nand/geometry.h"
#include "models/nand/operation.h"

#include <cstdint>

namespace strobe::test {

constexpr nand::ArrayGeometry twoByTwo{2, 2, 1}; // dies 0 and 1 on channel 0, 2 and 3 on channel 1

inline nand::Operation operationOn(std::uint16_t die, nand::Priority priority = nand::Priority::Background)
{
    nand::Operation op;
    op.die = DieId{die};
    op.priority = priority;
    return op;
}

} // namespace strobe::test
