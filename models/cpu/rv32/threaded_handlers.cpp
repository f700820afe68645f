// SPDX-License-Identifier: Apache-2.0
//
// The instances of ThreadedCode: one handler per kind of step and length, each of which ends by jumping to the next
// step's. Computed gotos are an extension of gcc and clang. What lasts from one run to the next is in
// threaded_code.cpp.
//
// While it runs, the present step is `op` in `page` and the budget `left`, from which the present step's cycles are
// already subtracted. LEAVE() sets hart.pc and hart.left to their values before the present step, ENTER() reloads left.
#include "models/cpu/rv32/threaded_code.h"
#include "models/cpu/rv32/word_arithmetic.h"

#include <cstring>

#pragma GCC diagnostic ignored "-Wpedantic"

namespace strobe::rv32 {

// Bodies see a (rs1), b (rs2), imm and the length of the instruction in halfwords.
#define STEP(kind, ...)                                                                                                \
    kind##_2:                                                                                                          \
    {                                                                                                                  \
        [[maybe_unused]] constexpr int halves = 1;                                                                     \
        __VA_ARGS__                                                                                                    \
    }                                                                                                                  \
    kind##_4:                                                                                                          \
    {                                                                                                                  \
        [[maybe_unused]] constexpr int halves = 2;                                                                     \
        __VA_ARGS__                                                                                                    \
    }

#define COST() (Timed ? op->cycles : 1)
#define LEAVE() (hart.pc = page->pcOf(op), hart.left = left + COST())
#define ENTER() (left = hart.left - COST())
// The present step is completed, `op` still points to it.
#define DONE()                                                                                                         \
    do {                                                                                                               \
        if constexpr (isObserved) {                                                                                    \
            LEAVE();                                                                                                   \
            system_.reportRetired(COST());                                                                             \
            ENTER();                                                                                                   \
        }                                                                                                              \
        if constexpr (Timed)                                                                                           \
            hart.extraCycles += op->cycles - 1U;                                                                       \
    } while (false)
#define DISPATCH()                                                                                                     \
    do {                                                                                                               \
        if constexpr (isObserved) {                                                                                    \
            if (hart.attention)                                                                                        \
                goto checkPending;                                                                                     \
        }                                                                                                              \
        if constexpr (Timed) {                                                                                         \
            if (left <= 0)                                                                                             \
                goto exhausted;                                                                                        \
            left -= op->cycles;                                                                                        \
        } else if (--left < 0) {                                                                                       \
            goto exhausted;                                                                                            \
        }                                                                                                              \
        goto * op->handler;                                                                                            \
    } while (false)
#define NEXT()                                                                                                         \
    DONE();                                                                                                            \
    op += halves;                                                                                                      \
    DISPATCH()
// The present step is a jump that is completed.
#define JUMPED(from, to)                                                                                               \
    do {                                                                                                               \
        if constexpr (Watched != Watch::Nothing) {                                                                     \
            hart.left = left;                                                                                          \
            system_.reportJump(from, to);                                                                              \
            left = hart.left;                                                                                          \
        }                                                                                                              \
    } while (false)
// At an instruction that a jump has reached: it may begin a block.
#define ARRIVE()                                                                                                       \
    do {                                                                                                               \
        if constexpr (Watched == Watch::Calls || Watched == Watch::Jumps) {                                            \
            if (hart.attention)                                                                                        \
                goto checkPending;                                                                                     \
        }                                                                                                              \
        if constexpr (isPlain)                                                                                         \
            goto arrive;                                                                                               \
        DISPATCH();                                                                                                    \
    } while (false)
// After something outside was called, before which a block has ended: another may begin here.
#define NEXT_WITH_CARE()                                                                                               \
    DONE();                                                                                                            \
    op += halves;                                                                                                      \
    if (hart.attention)                                                                                                \
        goto checkPending;                                                                                             \
    ARRIVE()
#define JUMP(to)                                                                                                       \
    do {                                                                                                               \
        const std::uint32_t target = (to);                                                                             \
        DONE();                                                                                                        \
        JUMPED(page->pcOf(op), target);                                                                                \
        CodePage* const there = code[target >> pageBits];                                                              \
        if (there == nullptr) {                                                                                        \
            hart.pc = target;                                                                                          \
            hart.left = left;                                                                                          \
            goto enter;                                                                                                \
        }                                                                                                              \
        page = there;                                                                                                  \
        op = page->stepOf(target);                                                                                     \
        ARRIVE();                                                                                                      \
    } while (false)

#define A x[op->rs1]
#define B x[op->rs2]
#define IMM asUnsigned(op->imm)

#define COMPUTE(kind, value) STEP(kind, x[op->rd] = (value); NEXT();)

#define LOAD(kind, Type)                                                                                               \
    STEP(                                                                                                              \
        kind, const std::uint32_t address = A + IMM; OBSERVE(address, sizeof(Type), false);                            \
        const std::uintptr_t bias = loads[address >> pageBits];                                                        \
        if (__builtin_expect(bias != 0 && address % sizeof(Type) == 0, 1)) {                                           \
            Type value;                                                                                                \
            std::memcpy(&value, reinterpret_cast<const void*>(bias + address), sizeof value);                          \
            x[op->rd] = static_cast<Word>(value);                                                                      \
            NEXT();                                                                                                    \
        } Word slowValue = 0;                                                                                          \
        LEAVE(); if (const Done done = memory_.load(address, sizeof(Type), slowValue); done != Done::Ok) {             \
            if (done == Done::Later)                                                                                   \
                return Stop::Later;                                                                                    \
            goto trap;                                                                                                 \
        } ENTER();                                                                                                     \
        x[op->rd] = static_cast<Word>(static_cast<Type>(slowValue)); NEXT_WITH_CARE();)

#define STORE(kind, Type)                                                                                              \
    STEP(                                                                                                              \
        kind, const std::uint32_t address = A + IMM; OBSERVE(address, sizeof(Type), true);                             \
        const std::uintptr_t bias = stores[address >> pageBits]; const auto value = static_cast<Type>(B);              \
        if (__builtin_expect(bias != 0 && address % sizeof(Type) == 0, 1)) {                                           \
            std::memcpy(reinterpret_cast<void*>(bias + address), &value, sizeof value);                                \
            NEXT();                                                                                                    \
        } if (address - window.first < window.bytes && address % sizeof(Type) == 0) {                                  \
            std::memcpy(reinterpret_cast<void*>(window.bias + address), &value, sizeof value);                         \
            NEXT();                                                                                                    \
        } LEAVE();                                                                                                     \
        if (const Done done = memory_.store(address, sizeof(Type), value); done != Done::Ok) {                         \
            if (done == Done::Later)                                                                                   \
                return Stop::Later;                                                                                    \
            goto trap;                                                                                                 \
        } ENTER();                                                                                                     \
        NEXT_WITH_CARE();)

#define TAKEN()                                                                                                        \
    do {                                                                                                               \
        if constexpr (Timed) {                                                                                         \
            left -= branchTaken;                                                                                       \
            hart.extraCycles += branchTaken;                                                                           \
        }                                                                                                              \
    } while (false)
#define BRANCH(kind, condition)                                                                                        \
    STEP(                                                                                                              \
        kind, if (condition) {                                                                                         \
            TAKEN();                                                                                                   \
            JUMP(page->pcOf(op) + IMM);                                                                                \
        } NEXT();)                                                                                                     \
    STEP(                                                                                                              \
        kind##Near, if (condition) {                                                                                   \
            TAKEN();                                                                                                   \
            DONE();                                                                                                    \
            JUMPED(page->pcOf(op), page->pcOf(op + op->imm));                                                          \
            op += op->imm;                                                                                             \
            ARRIVE();                                                                                                  \
        } NEXT();)

#define OBSERVE(address, bytes, isStore)                                                                               \
    do {                                                                                                               \
        if constexpr (isObserved) {                                                                                    \
            LEAVE();                                                                                                   \
            system_.reportAccess(address, bytes, isStore);                                                             \
            ENTER();                                                                                                   \
        }                                                                                                              \
    } while (false)

template <bool Timed, ThreadedCode::Watch Watched>
__attribute__((noinline, noclone)) Stop ThreadedCode::execute(Handlers* handlers)
{
    [[maybe_unused]] constexpr bool isObserved = Watched == Watch::Instructions;
    constexpr bool isPlain = !Timed && (Watched == Watch::Nothing || Watched == Watch::Calls);
    if (handlers != nullptr) {
        static const void* const table[] = {&&decodeStep, &&nextPage, &&breakpoint,
#define STROBE_RV32_LABELS(kind) &&kind##_2, &&kind##_4,
                                            STROBE_RV32_KINDS(STROBE_RV32_LABELS)
#undef STROBE_RV32_LABELS
        };
        *handlers = {table};
        return Stop::Budget;
    }

    Hart& hart = hart_;
    std::uint32_t* const x = hart.x.data();
    const std::uintptr_t* const loads = memory_.direct().loadTable();
    const std::uintptr_t* const stores = memory_.direct().storeTable();
    const StoreWindow& window = memory_.direct().window();
    CodePage* const* const code = memory_.code().table();
    [[maybe_unused]] const std::uint32_t branchTaken = cycles_.branchTaken;
    CodePage* page = nullptr;
    Step* op = nullptr;
    std::int64_t left = 0;
    goto enter;

    // --- between instructions: hart.pc and hart.left hold where to continue
    // ----------------------------------------------

checkPending:
    hart.pc = page->pcOf(op);
    hart.left = left;
enter:
    if (hart.attention) {
        Stop why{};
        if (serveAttention(why))
            return why;
    }
    page = memory_.enterCode(hart.pc);
    if (page == nullptr) {
        if (hart.left <= 0)
            return Stop::Budget;
        if (hart.mustHold())
            return holdTrap(1);
        --hart.left;
        ++hart.trapCycles;
        system_.enterTrap();
        goto enter;
    }
    op = page->stepOf(hart.pc);
    left = hart.left;
    ARRIVE();

    // --- compiled blocks: as far as they go ------------------------------------------------------------------------

arrive:
    __attribute__((unused));
    if constexpr (isPlain) {
        for (bool isArrival = true; isArrival;) {
            const void* const entry = blocks_.arrive(*page, *op);
            if (entry == nullptr)
                break;
            hart.left = left;
            isArrival = blocks_.run(entry);
            page = code[hart.pc >> pageBits];
            if (page == nullptr)
                goto enter;
            op = page->stepOf(hart.pc);
            left = hart.left;
        }
        DISPATCH();
    }
    __builtin_unreachable();

exhausted:
    hart.pc = page->pcOf(op);
    hart.left = Timed ? left : left + 1;
    return Stop::Budget;

    // hart.pc and hart.left are those before the step that traps.
trap:
    if (hart.mustHold())
        return holdTrap(COST());
    hart.left -= COST();
    hart.trapCycles += COST();
    system_.enterTrap();
    goto enter;

    // --- steps that are not instructions ----------------------------------------------------------------------------

decodeStep:
    LEAVE(); // cost of an earlier instruction here, 0 at first
    if (!translator_.translate(hart.pc, *op)) {
        if (hart.mustHold())
            return holdTrap(1);
        hart.left -= Timed ? 1 : 0;
        goto fetchFault;
    }
    ENTER();
    goto * op->handler;

fetchFault:
    hart.left -= Timed ? 0 : 1;
    ++hart.trapCycles;
    system_.enterTrap();
    goto enter;

nextPage : {
    const std::uint32_t pc = page->pcOf(op);
    CodePage* const there = code[pc >> pageBits];
    if (there == nullptr) {
        LEAVE();
        goto enter;
    }
    page = there;
    op = page->stepOf(pc);
    if constexpr (Timed)
        left -= op->cycles;
    goto * op->handler;
}

breakpoint:
    LEAVE();
    if (passBreakpoint_ != hart.pc) {
        passBreakpoint_ = hart.pc;
        return Stop::Breakpoint;
    }
    passBreakpoint_.reset();
    goto* translator_.handlerAt(hart.pc);

    // --- instructions ----------------------------------------------------------------------------------------------

    COMPUTE(Li, IMM)
    COMPUTE(Addi, A + IMM)
    STEP(
        Slti, x[op->rd] = asSigned(A) < op->imm ? 1 : 0;
        if constexpr (Watched == Watch::Calls || Watched == Watch::Jumps) {
            if (op->rd == 32) { // before it a block has ended
                LEAVE();
                system_.reportRetired(COST());
                ENTER();
                NEXT_WITH_CARE();
            }
        } NEXT();)
    COMPUTE(Sltiu, A < IMM ? 1 : 0)
    COMPUTE(Xori, A ^ IMM)
    COMPUTE(Ori, A | IMM)
    COMPUTE(Andi, A & IMM)
    COMPUTE(Slli, A << IMM)
    COMPUTE(Srli, A >> IMM)
    COMPUTE(Srai, asUnsigned(asSigned(A) >> IMM))
    COMPUTE(Add, A + B)
    COMPUTE(Sub, A - B)
    COMPUTE(Sll, A << (B & 31))
    COMPUTE(Slt, asSigned(A) < asSigned(B) ? 1 : 0)
    COMPUTE(Sltu, A < B ? 1 : 0)
    COMPUTE(Xor, A ^ B)
    COMPUTE(Srl, A >> (B & 31))
    COMPUTE(Sra, asUnsigned(asSigned(A) >> (B & 31)))
    COMPUTE(Or, A | B)
    COMPUTE(And, A & B)

    COMPUTE(Mul, A * B)
    COMPUTE(Mulh, highOf(std::int64_t{asSigned(A)} * asSigned(B)))
    COMPUTE(Mulhsu, highOf(std::int64_t{asSigned(A)} * std::int64_t{B}))
    COMPUTE(Mulhu, static_cast<Word>(std::uint64_t{A} * B >> 32))
    COMPUTE(Div, quotientOf(A, B))
    COMPUTE(Divu, B == 0 ? ~Word{0} : A / B)
    COMPUTE(Rem, remainderOf(A, B))
    COMPUTE(Remu, B == 0 ? A : A % B)

    // An entry of the tables is a distance between addresses, and the extension of a sign is what lb and lh are for.
    // NOLINTBEGIN(performance-no-int-to-ptr,bugprone-signed-char-misuse)
    LOAD(Lb, std::int8_t)
    LOAD(Lh, std::int16_t)
    LOAD(Lw, std::uint32_t)
    LOAD(Lbu, std::uint8_t)
    LOAD(Lhu, std::uint16_t)
    STORE(Sb, std::uint8_t)
    STORE(Sh, std::uint16_t)
    STORE(Sw, std::uint32_t)
    // NOLINTEND(performance-no-int-to-ptr,bugprone-signed-char-misuse)

    BRANCH(Beq, A == B)
    BRANCH(Bne, A != B)
    BRANCH(Blt, asSigned(A) < asSigned(B))
    BRANCH(Bge, asSigned(A) >= asSigned(B))
    BRANCH(Bltu, A < B)
    BRANCH(Bgeu, A >= B)

    STEP(Jal, const std::uint32_t pc = page->pcOf(op); x[op->rd] = pc + 2 * halves; JUMP(pc + IMM);)
    STEP(JalNear, x[op->rd] = page->pcOf(op) + 2 * halves; DONE(); JUMPED(page->pcOf(op), page->pcOf(op + op->imm));
         op += op->imm; ARRIVE();)
    STEP(JumpNear, DONE(); JUMPED(page->pcOf(op), page->pcOf(op + op->imm)); op += op->imm; ARRIVE();)
    STEP(Jalr, const std::uint32_t to = (A + IMM) & ~1U; x[op->rd] = page->pcOf(op) + 2 * halves; JUMP(to);)

    STEP(Fence, NEXT();)
    STEP(FenceI, memory_.code().forgetAll(); NEXT();)
    STEP(Illegal, LEAVE(); hart.raise(Cause::IllegalInstruction, IMM); goto trap;)
    STEP(Ecall, LEAVE(); hart.raise(Cause::EnvironmentCall, 0); goto trap;)
    STEP(Ebreak, LEAVE(); if (system_.breakInstruction() != Done::Ok) goto trap; ENTER(); NEXT_WITH_CARE();)
    STEP(
        Csr, LEAVE(); if (const Done done = system_.accessCsr(*op); done != Done::Ok) {
            if (done == Done::Later)
                return Stop::Later;
            goto trap;
        } ENTER();
        NEXT_WITH_CARE();)
    STEP(Atomic, LEAVE(); if (atomics_.execute(*op) != Done::Ok) goto trap; ENTER(); NEXT_WITH_CARE();)
    STEP(Mret, LEAVE(); const std::uint32_t to = system_.returnFromTrap(); ENTER(); DONE(); JUMPED(page->pcOf(op), to);
         hart.pc = to; hart.left = left; goto enter;)
    STEP(
        Wfi, LEAVE(); const bool isKnown = system_.senseInterrupts(); ENTER(); DONE(); op += halves;
        hart.pc = page->pcOf(op); hart.left = left; if (!isKnown || !system_.csrs().isPending()) {
            hart.isWaiting = true;
            return Stop::Waiting;
        } system_.passWait();
        if (hart.attention) goto checkPending; ARRIVE();)
}

template Stop ThreadedCode::execute<false, ThreadedCode::Watch::Nothing>(Handlers*);
template Stop ThreadedCode::execute<false, ThreadedCode::Watch::Calls>(Handlers*);
template Stop ThreadedCode::execute<false, ThreadedCode::Watch::Jumps>(Handlers*);
template Stop ThreadedCode::execute<true, ThreadedCode::Watch::Nothing>(Handlers*);
template Stop ThreadedCode::execute<true, ThreadedCode::Watch::Jumps>(Handlers*);
template Stop ThreadedCode::execute<true, ThreadedCode::Watch::Instructions>(Handlers*);

} // namespace strobe::rv32
