// SPDX-License-Identifier: Apache-2.0
//
// For machines whose code is not emitted: nothing is compiled.
#include "models/cpu/rv32/block_emitter.h"

#include <utility>

namespace strobe::rv32 {

class BlockEmitter::Code {};

std::unique_ptr<BlockEmitter> BlockEmitter::make(HartMemory&)
{
    return nullptr;
}
bool BlockEmitter::canEmit(const Instruction&)
{
    return false;
}

BlockEmitter::BlockEmitter(std::unique_ptr<Code> code) : code_(std::move(code)) {}
BlockEmitter::~BlockEmitter() = default;

bool BlockEmitter::hasSpace() const
{
    return false;
}
void BlockEmitter::clear() {}
const void* BlockEmitter::emit(const CodePage&, const std::vector<BlockInstruction>&)
{
    return nullptr;
}
const void* BlockEmitter::arrival() const
{
    return nullptr;
}
const void* BlockEmitter::asSteps() const
{
    return nullptr;
}
bool BlockEmitter::run(Hart&, const void*) const
{
    return false;
}

} // namespace strobe::rv32
