// SPDX-License-Identifier: Apache-2.0
//
// The RV32 core beside Unicorn (QEMU's translator), for scripts/check-core, which builds it against the Python wheel:
//   compare_unicorn INSTRUCTIONS [SEED]
// First every 16-bit encoding and then random blocks: arithmetic, memory, forward branches and jumps, atomics, CSR
// swaps, and words with random bits in all implemented opcodes. Both run a block from equal registers and memory to its
// end or first trap; then registers, memory, and the way in which it ended must be equal. Differences that have a
// reason (below, each with it) are counted by reason; any other is printed and makes the exit code 1.
#include "models/cpu/rv32/core.h"
#include "models/cpu/rv32/instruction.h"
#include "tests/support/rv32_random_blocks.h"

#include <unicorn/unicorn.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

using namespace strobe;
using namespace strobe::rv32;
using namespace strobe::test;

namespace {

constexpr std::int64_t endless = 20'000;   // instructions; blocks have at most some thousand
constexpr std::uint32_t handler = 0x20000; // where a wfi ends the block

enum class End : std::uint8_t { Through, Illegal, Break, Call, Fetch, Load, Store, Misaligned, Endless, Other };
const char* const endNames[] = {
    "end of block",       "illegal", "ebreak", "ecall", "fetch", "load", "store", "misaligned",
    "a loop without end", "other"};

struct Outcome {
    End end = End::Through;
    std::uint32_t pc = 0; // of what ended it
    std::array<std::uint32_t, 32> x{};
    std::uint32_t mscratch = 0;
};

// --- the core --------------------------------------------------------------------------------------------------------

class Ours : public Environment {
public:
    // One instruction a run, or with compiled blocks to the end.
    explicit Ours(bool isCompiled)
        : core(config(isCompiled), *this), data(dataBytes), budget_(isCompiled ? endless : 1), code_(codeBytes)
    {
        const std::uint32_t wait = 0x10500073; // wfi
        std::memcpy(handler_.data(), &wait, sizeof wait);
        core.map({handler, handler + 3, handler_.data(), true, false});
        core.map({codeBase, codeBase + codeBytes - 1, code_.data(), true, false});
        core.map({dataBase, dataBase + dataBytes - 1, data.data()});
    }
    Outcome run(const Block& block)
    {
        std::fill(std::copy(block.code.begin(), block.code.end(), code_.begin()), code_.end(), std::uint8_t{0});
        const auto end = codeBase + static_cast<std::uint32_t>(block.code.size());
        core.addBreakpoint(end);
        core.invalidateCode(codeBase, codeBase + codeBytes - 1);
        for (unsigned i = 1; i < 32; ++i)
            core.setReg(i, block.x[i]);
        core.setPc(codeBase);
        core.setCsr(csr::mtvec, handler);
        core.setCsr(csr::mscratch, 0);
        const std::uint64_t traps = core.traps();
        const std::uint64_t before = core.retired();
        Outcome outcome;
        while (core.traps() == traps && core.pc() != end &&
               core.retired() - before < static_cast<std::uint64_t>(endless))
            core.run(budget_);
        core.removeBreakpoint(end);
        instructions += core.retired() - before;
        outcome.pc = core.pc();
        if (core.retired() - before >= static_cast<std::uint64_t>(endless))
            outcome.end = End::Endless;
        if (core.traps() != traps) {
            outcome.pc = *core.csr(csr::mepc);
            outcome.end = endOf(static_cast<Cause>(*core.csr(csr::mcause)));
        }
        for (unsigned i = 0; i < 32; ++i)
            outcome.x[i] = core.reg(i);
        outcome.mscratch = *core.csr(csr::mscratch);
        return outcome;
    }
    BusResult load(std::uint32_t, unsigned, std::uint32_t&) override { return BusResult::Fault; }
    BusResult store(std::uint32_t, unsigned, std::uint32_t) override { return BusResult::Fault; }

    Core core;
    std::vector<std::uint8_t> data;
    std::uint64_t instructions = 0;

private:
    static CoreConfig config(bool isCompiled)
    {
        CoreConfig config;
        config.compileAfter = isCompiled ? 2 : 0;
        return config;
    }
    static End endOf(Cause cause)
    {
        switch (cause) {
        case Cause::FetchAccess: return End::Fetch;
        case Cause::IllegalInstruction: return End::Illegal;
        case Cause::Breakpoint: return End::Break;
        case Cause::LoadMisaligned:
        case Cause::StoreMisaligned: return End::Misaligned;
        case Cause::LoadAccess: return End::Load;
        case Cause::StoreAccess: return End::Store;
        case Cause::EnvironmentCall: return End::Call;
        }
        return End::Other;
    }
    std::int64_t budget_;
    std::vector<std::uint8_t> code_;
    std::array<std::uint8_t, 4> handler_{};
};

// --- Unicorn ---------------------------------------------------------------------------------------------------------

class Theirs {
public:
    Theirs() : data(dataBytes)
    {
        must(uc_open(UC_ARCH_RISCV, UC_MODE_RISCV32, &engine_));
        must(uc_ctl_set_cpu_model(engine_, UC_CPU_RISCV32_SIFIVE_E31));
        must(uc_mem_map(engine_, codeBase, codeBytes, UC_PROT_READ | UC_PROT_EXEC));
        must(uc_mem_map_ptr(engine_, dataBase, dataBytes, UC_PROT_READ | UC_PROT_WRITE, data.data()));
        uc_hook hook = 0;
        must(uc_hook_add(engine_, &hook, UC_HOOK_INTR, reinterpret_cast<void*>(&interrupted), this, 1, 0));
    }
    ~Theirs() { uc_close(engine_); }
    Theirs(const Theirs&) = delete;
    Theirs& operator=(const Theirs&) = delete;

    Outcome run(const Block& block)
    {
        std::vector<std::uint8_t> code = block.code;
        code.resize(codeBytes); // what runs past the end meets an illegal instruction
        must(uc_mem_write(engine_, codeBase, code.data(), code.size()));
        must(uc_ctl_remove_cache(engine_, std::uint64_t{codeBase}, std::uint64_t{codeBase + codeBytes}));
        for (int i = 1; i < 32; ++i)
            must(uc_reg_write(engine_, UC_RISCV_REG_X0 + i, &block.x[static_cast<std::size_t>(i)]));
        const std::uint32_t zero = 0;
        must(uc_reg_write(engine_, UC_RISCV_REG_MSCRATCH, &zero));
        interrupt_ = -1;
        const uc_err error = uc_emu_start(engine_, codeBase, codeBase + block.code.size(), 0, endless);
        Outcome outcome;
        must(uc_reg_read(engine_, UC_RISCV_REG_PC, &outcome.pc));
        for (int i = 0; i < 32; ++i)
            must(uc_reg_read(engine_, UC_RISCV_REG_X0 + i, &outcome.x[static_cast<std::size_t>(i)]));
        must(uc_reg_read(engine_, UC_RISCV_REG_MSCRATCH, &outcome.mscratch));
        outcome.end = endOf(error);
        return outcome;
    }

    std::vector<std::uint8_t> data;

private:
    static void must(uc_err error)
    {
        if (error != UC_ERR_OK) {
            std::fprintf(stderr, "unicorn: %s\n", uc_strerror(error));
            std::exit(2);
        }
    }
    static void interrupted(uc_engine* engine, std::uint32_t number, void* self)
    {
        static_cast<Theirs*>(self)->interrupt_ = static_cast<int>(number);
        uc_emu_stop(engine);
    }
    End endOf(uc_err error) const
    {
        switch (interrupt_) {
        case -1: break;
        case 2: return End::Illegal;
        case 3: return End::Break;
        case 8:
        case 11: return End::Call;
        default: return End::Other;
        }
        switch (error) {
        case UC_ERR_OK: return End::Through;
        case UC_ERR_INSN_INVALID: return End::Illegal;
        case UC_ERR_FETCH_UNMAPPED:
        case UC_ERR_FETCH_PROT: return End::Fetch;
        case UC_ERR_READ_UNMAPPED:
        case UC_ERR_READ_PROT: return End::Load;
        case UC_ERR_WRITE_UNMAPPED:
        case UC_ERR_WRITE_PROT: return End::Store;
        default: return End::Other;
        }
    }

    uc_engine* engine_ = nullptr;
    int interrupt_ = -1;
};

// --- comparison ------------------------------------------------------------------------------------------------------

std::uint32_t bitsAt(const Block& block, std::uint32_t pc)
{
    std::uint32_t bits = 0;
    if (pc >= codeBase && pc - codeBase < block.code.size())
        std::memcpy(&bits, &block.code[pc - codeBase], std::min<std::size_t>(4, block.code.size() - (pc - codeBase)));
    return isCompressed(bits) ? bits & 0xFFFF : bits;
}

// Why our end of the block may differ from theirs; null: it may not.
const char* reason(const Block& block, const Outcome& ours, const Outcome& theirs)
{
    const std::uint32_t bits = bitsAt(block, ours.pc);
    if (ours.end == End::Break && theirs.end == End::Illegal && bits == 0x9002)
        return "c.ebreak: told as an invalid instruction there";
    if (ours.end == End::Store && theirs.end == End::Load &&
        classOf(decode(bits).operation) == InstructionClass::Atomic)
        return "an atomic outside memory: a store/AMO access fault, as the specification says; there its load is named";
    if (ours.end == End::Misaligned)
        return "misaligned access: traps here, is done there (both are allowed)";
    if (ours.end == End::Illegal && ours.pc >= dataBase && theirs.end == End::Fetch && theirs.pc == ours.pc)
        return "a jump into data: memory may be executed here, is mapped without that right there";
    if (ours.end == End::Illegal && theirs.pc != ours.pc) {
        if ((bits & 0xFE007FFF) == 0x12000073)
            return "sfence.vma: belongs to supervisor mode, which is not here";
        if ((bits & 0x707F) >= 0x1073 && (bits & 0x7F) == 0x73)
            return "CSR that is not here (or read-only), but in the other's model";
        if ((bits & 0xF003) == 0x1002 || (bits & 0xF803) == 0x9001)
            return "c.slli, c.srli or c.srai by 32 and more: reserved on RV32";
        const std::uint32_t column = bits & 0xE003;
        if (column == 0x2000 || column == 0x6000 || column == 0xA000 || column == 0xE000 || column == 0x2002 ||
            column == 0x6002 || column == 0xA002 || column == 0xE002)
            return "compressed floating point: not here, its registers are in the other's model";
        if (column == 0x8000)
            return "the reserved column of quadrant 0: taken as a nop there";
        if ((bits & 0xFC03) == 0x9C01)
            return "c.subw, c.addw and two reserved ones: RV64 only";
        if ((bits & 0xE003) == 0x6001)
            return "c.lui or c.addi16sp by 0: reserved";
    }
    return nullptr;
}

struct Tally {
    std::uint64_t blocks = 0;
    std::uint64_t unexplained = 0;
    std::map<std::string, std::uint64_t> explained;
    std::array<std::uint64_t, 10> ends{};
};

void show(const Block& block, const Outcome& ours, const Outcome& theirs)
{
    const std::uint32_t bits = bitsAt(block, ours.pc);
    std::printf("difference: ours ends with %s at 0x%x (%08x %s), theirs with %s at 0x%x\n",
                endNames[static_cast<int>(ours.end)], ours.pc, bits,
                std::string(mnemonicOf(decode(bits).operation)).c_str(), endNames[static_cast<int>(theirs.end)],
                theirs.pc);
    for (unsigned i = 0; i < 32; ++i) {
        if (ours.x[i] != theirs.x[i])
            std::printf("  x%u: %08x %08x\n", i, ours.x[i], theirs.x[i]);
    }
    std::printf("  code:");
    for (const std::uint8_t byte : block.code)
        std::printf("%02x", byte);
    std::printf("\n");
}

void compare(Ours& ours, Theirs& theirs, const Block& block, Tally& tally)
{
    const Outcome a = ours.run(block);
    ++tally.blocks;
    ++tally.ends[static_cast<std::size_t>(a.end)];
    if (a.end == End::Endless) {
        theirs.data = ours.data;
        return;
    }
    const Outcome b = theirs.run(block);
    if (a.end == b.end && a.x == b.x && a.mscratch == b.mscratch && ours.data == theirs.data &&
        (a.end != End::Through || a.pc == b.pc))
        return;
    if (const char* why = reason(block, a, b); why != nullptr)
        ++tally.explained[why];
    else if (++tally.unexplained <= 20)
        show(block, a, b);
    theirs.data = ours.data; // in place: Unicorn has the pointer
}

// True: no unexplained difference.
bool compareAll(bool isCompiled, std::uint64_t wanted, std::uint64_t seed)
{
    Ours ours(isCompiled);
    Theirs theirs;
    Generator generator(seed);
    Tally tally;

    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        if (!isCompressed(bits))
            continue;
        Block block;
        block.x = generator.registers();
        for (unsigned i = 10; i < 16; ++i)
            block.x[i] = dataBase + 256 * i;
        Generator::put(block, bits);
        compare(ours, theirs, block, tally);
    }
    std::printf("%s\n16-bit encodings: %llu compared\n", isCompiled ? "compiled blocks" : "one by one",
                static_cast<unsigned long long>(tally.blocks));
    while (ours.instructions < wanted)
        compare(ours, theirs, generator.block(8 + generator.below(48)), tally);

    std::printf("seed %llu: %llu instructions in %llu blocks\n", static_cast<unsigned long long>(seed),
                static_cast<unsigned long long>(ours.instructions), static_cast<unsigned long long>(tally.blocks));
    for (std::size_t i = 0; i < tally.ends.size(); ++i)
        std::printf("  %10llu ended with %s\n", static_cast<unsigned long long>(tally.ends[i]), endNames[i]);
    for (const auto& [why, count] : tally.explained)
        std::printf("  %10llu differ, explained: %s\n", static_cast<unsigned long long>(count), why.c_str());
    std::printf("  %10llu differ, unexplained\n", static_cast<unsigned long long>(tally.unexplained));
    return tally.unexplained == 0;
}

} // namespace

int main(int argc, char** argv)
{
    const std::uint64_t wanted = argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 10'000'000;
    const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 0) : 1;
    const bool isSame = compareAll(false, wanted, seed);
    return compareAll(true, wanted, seed) && isSame ? 0 : 1;
}
