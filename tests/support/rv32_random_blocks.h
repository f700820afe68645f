#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Random blocks of RV32 code, to compare two ways of executing them: arithmetic, memory, forward branches and jumps,
// atomics, CSR swaps, and words with random bits in all implemented opcodes, with registers that point into data often
// enough.

#include "models/cpu/rv32/instruction.h"
#include "tests/support/rv32_assembler.h"

#include <array>
#include <cstdint>
#include <random>
#include <vector>

namespace strobe::test {

using namespace strobe::rv32;
namespace as = strobe::test::rv32asm;

inline constexpr std::uint32_t codeBase = 0x10000;
inline constexpr std::uint32_t codeBytes = 0x1000;
inline constexpr std::uint32_t dataBase = 0x40000000;
inline constexpr std::uint32_t dataBytes = 0x2000;
inline constexpr std::int32_t rounds = 12; // of a block; its code is translated once

struct Block {
    std::vector<std::uint8_t> code;
    std::array<std::uint32_t, 32> x{};
};

class Generator {
public:
    explicit Generator(std::uint64_t seed) : random_(seed) {}

    std::uint32_t word() { return static_cast<std::uint32_t>(random_()); }
    std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() >> 8) % limit; }

    std::array<std::uint32_t, 32> registers()
    {
        static const std::uint32_t edges[] = {0, 1, 0xFFFFFFFF, 0x80000000, 0x7FFFFFFF, 31, 32, 0xFFFF};
        std::array<std::uint32_t, 32> x{};
        for (unsigned i = 1; i < 32; ++i)
            x[i] = below(3) == 0 ? edges[below(8)] : word();
        for (const unsigned i : pointers)
            x[i] = dataBase + dataBytes / 2 + 64 * i;
        return x;
    }

    Block block(unsigned instructions)
    {
        Block block;
        block.x = registers();
        put(block, as::li(as::x(counter), rounds));
        const std::size_t start = block.code.size();
        while (instructions-- > 0)
            append(block);
        put(block, as::addi(as::x(counter), as::x(counter), -1));
        const auto back = static_cast<std::int32_t>(start) - static_cast<std::int32_t>(block.code.size());
        put(block, as::bne(as::x(counter), as::zero, back));
        return block;
    }
    static void put(Block& block, std::uint32_t bits)
    {
        block.code.push_back(static_cast<std::uint8_t>(bits));
        block.code.push_back(static_cast<std::uint8_t>(bits >> 8));
        if (!isCompressed(bits)) {
            block.code.push_back(static_cast<std::uint8_t>(bits >> 16));
            block.code.push_back(static_cast<std::uint8_t>(bits >> 24));
        }
    }

private:
    static constexpr std::array<unsigned, 3> pointers{2, 8, 9};
    static constexpr unsigned counter = 31;
    static bool isReserved(unsigned number) { return number == 2 || number == 8 || number == 9 || number == counter; }

    as::X any() { return as::x(below(32)); }
    as::X pointer() { return as::x(pointers[below(3)]); }
    as::X target() // not a pointer or the counter
    {
        for (;;) {
            const unsigned number = below(32);
            if (!isReserved(number))
                return as::x(number);
        }
    }

    void append(Block& block)
    {
        switch (below(12)) {
        case 0:
        case 1: put(block, as::op(below(3) == 0 ? 1 : 0, below(8), target(), any(), any())); break;
        case 2: put(block, as::op(0x20, below(2) * 5, target(), any(), any())); break;
        case 3:
        case 4: put(block, immediate()); break;
        case 5:
            put(block, below(2) == 0 ? as::lui(target(), below(1 << 20)) : as::auipc(target(), below(1 << 20)));
            break;
        case 6: put(block, access()); break;
        case 7: compressed(block); break;
        case 8: jump(block); break;
        case 9: atomic(block); break;
        case 10: put(block, as::csrType(csr::mscratch, below(32), 1 + below(3) + 4 * below(2), target())); break;
        default: raw(block); break;
        }
    }
    std::uint32_t immediate()
    {
        const std::uint32_t funct3 = below(8);
        const bool isShift = funct3 == 1 || funct3 == 5;
        const std::uint32_t upper = isShift ? (funct3 == 5 ? below(2) << 10 : 0) | below(32) : below(1 << 12);
        return upper << 20 | below(32) << 15 | funct3 << 12 | target().number << 7 | 0x13;
    }
    std::uint32_t access()
    {
        static const unsigned loads[] = {0, 1, 2, 4, 5};
        const bool isStore = below(2) == 0;
        const unsigned funct3 = isStore ? below(3) : loads[below(5)];
        const std::int32_t offset = static_cast<std::int32_t>(below(1024) & ~((1U << (funct3 & 3)) - 1)) - 512;
        return isStore ? as::sType(offset, below(32), pointer().number, funct3, 0x23)
                       : as::iType(offset, pointer().number, funct3, target().number, 0x03);
    }
    // A legal one that leaves the pointers alone and does not jump.
    void compressed(Block& block)
    {
        for (;;) {
            const std::uint32_t bits = word() & 0xFFFF;
            if (!isCompressed(bits))
                continue;
            const Instruction i = decode(bits);
            const bool isMemory = i.operation == Operation::Lw || i.operation == Operation::Sw;
            const bool hasPointer = i.rs1 == 2 || i.rs1 == 8 || i.rs1 == 9;
            if (i.operation == Operation::Illegal || isReserved(i.rd) || (isMemory && !hasPointer) ||
                classOf(i.operation) == InstructionClass::Jump || classOf(i.operation) == InstructionClass::Branch ||
                i.operation == Operation::Ebreak)
                continue;
            put(block, bits);
            return;
        }
    }
    // Over a few compressed instructions.
    void jump(Block& block)
    {
        const unsigned over = below(3);
        const auto distance = static_cast<std::int32_t>(4 + 2 * over);
        static const unsigned branches[] = {0, 1, 4, 5, 6, 7};
        switch (below(4)) {
        case 0: put(block, as::jal(target(), distance)); break;
        case 1: {
            const as::X base = as::x(5 + below(3));
            put(block, as::auipc(base, 0));
            put(block, as::jalr(target(), distance + 4 + static_cast<std::int32_t>(below(2)), base));
            break;
        }
        default: put(block, as::bType(distance, below(32), below(32), branches[below(6)])); break;
        }
        for (unsigned i = 0; i < over; ++i)
            put(block, as::cLi(as::x(10 + below(6)), static_cast<std::int32_t>(below(64)) - 32));
    }
    void atomic(Block& block)
    {
        static const unsigned functions[] = {0x00, 0x01, 0x04, 0x08, 0x0C, 0x10, 0x14, 0x18, 0x1C};
        const as::X address = pointer();
        const std::uint32_t order = below(4) << 25;
        if (below(3) != 0) {
            put(block, as::atomic(functions[below(9)], target(), any(), address) | order);
            return;
        }
        put(block, as::lrW(target(), address) | order);
        put(block, as::addi(target(), any(), 1));
        put(block, as::scW(target(), any(), address) | order);
    }
    // Any bits, in opcodes that exist or not.
    void raw(Block& block)
    {
        static const unsigned opcodes[] = {0x03, 0x0F, 0x13, 0x17, 0x23, 0x2F, 0x33, 0x37, 0x63, 0x67, 0x73};
        if (below(6) != 0) // most are illegal and would end the block
            return;
        const std::uint32_t bits = word();
        switch (below(3)) {
        case 0: put(block, bits & 0xFFFF); break; // may be the first half of a long one
        case 1: put(block, bits | 3); break;
        default: put(block, (bits & ~0x7FU) | opcodes[below(11)]); break;
        }
    }

    std::mt19937_64 random_;
};

} // namespace strobe::test
