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

// Pairs: a step of one of the first kinds, followed by one of the other kinds, has a handler that executes the first
// and continues in the handler of the second without a dispatch. Such pairs make up most compiled code.
#define STROBE_RV32_PAIRS_OF(X, first)                                                                                 \
    X(first, Li)                                                                                                       \
    X(first, Addi)                                                                                                     \
    X(first, Slli)                                                                                                     \
    X(first, Srli)                                                                                                     \
    X(first, Andi)                                                                                                     \
    X(first, Add)                                                                                                      \
    X(first, Sub)                                                                                                      \
    X(first, And)                                                                                                      \
    X(first, Or)                                                                                                       \
    X(first, Mul)                                                                                                      \
    X(first, Lw)                                                                                                       \
    X(first, Lbu)                                                                                                      \
    X(first, Lhu)                                                                                                      \
    X(first, Sw)                                                                                                       \
    X(first, Sb)                                                                                                       \
    X(first, BeqNear)                                                                                                  \
    X(first, BneNear)                                                                                                  \
    X(first, BgeuNear)                                                                                                 \
    X(first, BltuNear)                                                                                                 \
    X(first, JumpNear)                                                                                                 \
    X(first, JalNear)                                                                                                  \
    X(first, Jalr)
#define STROBE_RV32_PAIRS(X)                                                                                           \
    STROBE_RV32_PAIRS_OF(X, Li)                                                                                        \
    STROBE_RV32_PAIRS_OF(X, Addi)                                                                                      \
    STROBE_RV32_PAIRS_OF(X, Slli)                                                                                      \
    STROBE_RV32_PAIRS_OF(X, Srli)                                                                                      \
    STROBE_RV32_PAIRS_OF(X, Andi)                                                                                      \
    STROBE_RV32_PAIRS_OF(X, Add)                                                                                       \
    STROBE_RV32_PAIRS_OF(X, Sub)                                                                                       \
    STROBE_RV32_PAIRS_OF(X, And)                                                                                       \
    STROBE_RV32_PAIRS_OF(X, Mul)                                                                                       \
    STROBE_RV32_PAIRS_OF(X, Lw)                                                                                        \
    STROBE_RV32_PAIRS_OF(X, Lbu)                                                                                       \
    STROBE_RV32_PAIRS_OF(X, Lhu)                                                                                       \
    STROBE_RV32_PAIRS_OF(X, Sw)                                                                                        \
    STROBE_RV32_PAIRS_OF(X, Sb)

inline constexpr unsigned stepKinds = static_cast<unsigned>(StepKind::Atomic) + 1; // the last of them

// Addresses inside the threaded code: first steps that are not instructions, then by kind and length, then pairs by
// both lengths.
struct Handlers {
    const void* const* table;

    const void* decode() const { return table[0]; }
    const void* nextPage() const { return table[1]; }
    const void* breakpoint() const { return table[2]; }
    const void* of(StepKind kind, unsigned bytes) const
    {
        return table[3 + 2 * static_cast<unsigned>(kind) + bytes / 4];
    }
    // Null: there is no such pair.
    const void* of(StepKind first, unsigned firstBytes, StepKind second, unsigned secondBytes) const
    {
        unsigned at = 3 + 2 * stepKinds + firstBytes / 4 * 2 + secondBytes / 4;
#define STROBE_RV32_FIND(a, b)                                                                                         \
    if (first == StepKind::a && second == StepKind::b)                                                                 \
        return table[at];                                                                                              \
    at += 4;
        STROBE_RV32_PAIRS(STROBE_RV32_FIND)
#undef STROBE_RV32_FIND
        return nullptr;
    }
};

} // namespace strobe::rv32
