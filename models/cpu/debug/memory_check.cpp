// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/memory_check.h"

#include "models/cpu/rv32/instruction.h"

#include <algorithm>

namespace strobe::cpu {

namespace {

constexpr unsigned stackPointer = 2;

Stacks::Move moveOf(const rv32::Instruction& instruction)
{
    const bool reads = instruction.rs1 == stackPointer;
    switch (instruction.operation) {
    case rv32::Operation::Lui:
    case rv32::Operation::Auipc: return Stacks::Move::HalfSet;
    case rv32::Operation::Addi:
    case rv32::Operation::Andi: return reads ? Stacks::Move::Relative : Stacks::Move::Set;
    case rv32::Operation::Add:
    case rv32::Operation::Sub:
    case rv32::Operation::And:
        return reads || instruction.rs2 == stackPointer ? Stacks::Move::Relative : Stacks::Move::Set;
    default: return Stacks::Move::Set;
    }
}

} // namespace

MemoryCheck::MemoryCheck(const ElfImage& image, std::uint32_t first, std::uint32_t bytes, std::uint32_t stackPattern)
    : first_(first), pattern_(stackPattern), stacks_(image), written_(bytes, false)
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
    harts_ = {};
    stacks_.powerOn();
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
        harts_[core.hart()].storedAt = address;
        harts_[core.hart()].storedBytes = bytes;
    } else if (!isAnyWritten(address, bytes) && !stacks_.isDeclaredLimit(address) &&
               reported_.insert(core.pc()).second) {
        findings_.push_back({core.pc(), address, bytes});
    }
}

void MemoryCheck::retired(const rv32::Core& core, std::uint32_t /*pc*/, std::uint32_t bits, unsigned /*cycles*/)
{
    Hart& hart = harts_[core.hart()];
    if (hart.storedBytes == 4 && core.reg(rv32::decode(bits).rs2) == pattern_ && stacks_.isDeclared(hart.storedAt))
        mark(hart.storedAt, 4, false);
    hart.storedBytes = 0;

    const std::uint32_t sp = core.reg(stackPointer);
    if (sp == hart.sp)
        return;
    if (stacks_.moved(core.hart(), sp, moveOf(rv32::decode(bits))) && hart.sp < sp)
        mark(hart.sp, sp - hart.sp, false);
    hart.sp = sp;
}

} // namespace strobe::cpu
