// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/memory_check.h"

#include "models/cpu/rv32/instruction.h"

#include <algorithm>

namespace strobe::cpu {

namespace {

constexpr unsigned stackPointer = 2;

} // namespace

MemoryCheck::MemoryCheck(const ElfImage& image, std::uint32_t first, std::uint32_t bytes, const Stack& stack)
    : first_(first), stack_(stack), written_(bytes, false), lowestSp_(stack.top)
{
    for (const ElfImage::Segment& segment : image.segments())
        segments_.emplace_back(segment.address, static_cast<std::uint32_t>(segment.contents.size()));
    powerOn();
}

void MemoryCheck::powerOn()
{
    std::fill(written_.begin(), written_.end(), false);
    for (const auto& [address, bytes] : segments_)
        mark(address, bytes, true);
    sp_ = 0;
    storedBytes_ = 0;
}

void MemoryCheck::mark(std::uint32_t address, std::uint32_t bytes, bool written)
{
    const std::uint64_t end =
        std::min<std::uint64_t>(std::uint64_t{first_} + written_.size(), std::uint64_t{address} + bytes);
    for (std::uint64_t at = std::max(address, first_); at < end; ++at)
        written_[at - first_] = written;
}

bool MemoryCheck::isAnyWritten(std::uint32_t address, unsigned bytes) const
{
    for (unsigned i = 0; i < bytes; ++i) {
        if (written_[address - first_ + i])
            return true;
    }
    return false;
}

void MemoryCheck::accessed(const rv32::Core& core, std::uint32_t address, unsigned bytes, bool isStore)
{
    if (address < first_ || std::uint64_t{address} + bytes > std::uint64_t{first_} + written_.size())
        return;
    if (isStore) {
        mark(address, bytes, true);
        storedAt_ = address;
        storedBytes_ = bytes;
    } else if (address != stack_.limit && !isAnyWritten(address, bytes) && reported_.insert(core.pc()).second) {
        findings_.push_back({core.pc(), address, bytes});
    }
}

void MemoryCheck::retired(const rv32::Core& core, std::uint32_t /*pc*/, std::uint32_t bits, unsigned /*cycles*/)
{
    if (storedBytes_ == 4 && core.reg(rv32::decode(bits).rs2) == stack_.pattern && storedAt_ >= stack_.limit &&
        storedAt_ < stack_.top)
        mark(storedAt_, 4, false);
    storedBytes_ = 0;

    const std::uint32_t sp = core.reg(stackPointer);
    if (sp == sp_)
        return;
    if (sp_ >= stack_.limit && sp_ < sp && sp <= stack_.top)
        mark(sp_, sp - sp_, false);
    if (sp >= stack_.limit)
        lowestSp_ = std::min(lowestSp_, sp);
    sp_ = sp;
}

std::uint32_t MemoryCheck::deepestStack() const
{
    return stack_.top - lowestSp_;
}

} // namespace strobe::cpu
