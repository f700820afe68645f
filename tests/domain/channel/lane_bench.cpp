// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/channel/lane_bench.h"

#include <deque>

namespace strobe::channel::test {

nand::Operation& LaneBench::make(Time at, nand::Opcode opcode, std::uint32_t block)
{
    operations.push_back(operation(opcode, opcode == nand::Opcode::Erase ? 0 : 1));
    operations.back().submitted = at;
    operations.back().target.block = block;
    counters.submitted();
    return operations.back();
}

} // namespace strobe::channel::test
