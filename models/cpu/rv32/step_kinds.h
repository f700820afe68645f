#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Kinds of steps that threaded code distinguishes beyond the operations: constants known when decoding (Li: lui, auipc,
// loads of a small constant), branches and jumps whose target is in the same page (Near) and jumps without a link. Each
// kind has two handlers, for two-byte and four-byte instructions.

#include <cstdint>

namespace strobe::rv32 {

#define STROBE_RV32_KINDS(X)                                                                                           \
    X(Illegal)                                                                                                         \
    X(Li)                                                                                                              \
    X(Addi)                                                                                                            \
    X(Slti)                                                                                                            \
    X(Sltiu)                                                                                                           \
    X(Xori)                                                                                                            \
    X(Ori)                                                                                                             \
    X(Andi)                                                                                                            \
    X(Slli)                                                                                                            \
    X(Srli)                                                                                                            \
    X(Srai)                                                                                                            \
    X(Add)                                                                                                             \
    X(Sub)                                                                                                             \
    X(Sll)                                                                                                             \
    X(Slt)                                                                                                             \
    X(Sltu)                                                                                                            \
    X(Xor)                                                                                                             \
    X(Srl)                                                                                                             \
    X(Sra)                                                                                                             \
    X(Or)                                                                                                              \
    X(And)                                                                                                             \
    X(Mul)                                                                                                             \
    X(Mulh)                                                                                                            \
    X(Mulhsu)                                                                                                          \
    X(Mulhu)                                                                                                           \
    X(Div)                                                                                                             \
    X(Divu)                                                                                                            \
    X(Rem)                                                                                                             \
    X(Remu)                                                                                                            \
    X(Lb)                                                                                                              \
    X(Lh)                                                                                                              \
    X(Lw)                                                                                                              \
    X(Lbu)                                                                                                             \
    X(Lhu)                                                                                                             \
    X(Sb)                                                                                                              \
    X(Sh)                                                                                                              \
    X(Sw)                                                                                                              \
    X(Beq)                                                                                                             \
    X(Bne)                                                                                                             \
    X(Blt)                                                                                                             \
    X(Bge)                                                                                                             \
    X(Bltu)                                                                                                            \
    X(Bgeu)                                                                                                            \
    X(BeqNear)                                                                                                         \
    X(BneNear)                                                                                                         \
    X(BltNear)                                                                                                         \
    X(BgeNear)                                                                                                         \
    X(BltuNear)                                                                                                        \
    X(BgeuNear)                                                                                                        \
    X(Jal)                                                                                                             \
    X(JalNear)                                                                                                         \
    X(JumpNear)                                                                                                        \
    X(Jalr)                                                                                                            \
    X(Fence)                                                                                                           \
    X(FenceI)                                                                                                          \
    X(Ecall)                                                                                                           \
    X(Ebreak)                                                                                                          \
    X(Mret)                                                                                                            \
    X(Wfi)                                                                                                             \
    X(Csr)                                                                                                             \
    X(Atomic)

enum class StepKind : std::uint8_t {
#define STROBE_RV32_KIND(kind) kind,
    STROBE_RV32_KINDS(STROBE_RV32_KIND)
#undef STROBE_RV32_KIND
};

inline constexpr unsigned stepKinds = static_cast<unsigned>(StepKind::Atomic) + 1; // the last of them

// Addresses inside the threaded code: first steps that are not instructions, then by kind and length.
struct Handlers {
    const void* const* table;

    const void* decode() const { return table[0]; }
    const void* nextPage() const { return table[1]; }
    const void* breakpoint() const { return table[2]; }
    const void* of(StepKind kind, unsigned bytes) const
    {
        return table[3 + 2 * static_cast<unsigned>(kind) + bytes / 4];
    }
};

} // namespace strobe::rv32
