// SPDX-License-Identifier: Apache-2.0
//
// Registers while compiled code runs: those of arithmetic_code_x86_64.h, rbp what is left of the budget, r15 and r14
// the tables of loads and stores. A way out finds the next pc in eax.
#include "models/cpu/rv32/block_emitter.h"

#include "models/cpu/rv32/arithmetic_code_x86_64.h"

#include <cstddef>
#include <list>
#include <optional>
#include <sys/mman.h>
#include <utility>

namespace strobe::rv32 {

namespace {

constexpr std::size_t codeBytes = 8U << 20;
constexpr std::size_t blockBytes = 16U << 10; // the longest block needs less

void* map()
{
    void* const memory = mmap(nullptr, codeBytes, PROT_READ | PROT_WRITE | PROT_EXEC,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? nullptr : memory;
}

unsigned sizeOf(Operation operation)
{
    switch (operation) {
    case Operation::Lb:
    case Operation::Lbu:
    case Operation::Sb: return 1;
    case Operation::Lh:
    case Operation::Lhu:
    case Operation::Sh: return 2;
    default: return 4;
    }
}

} // namespace

class BlockEmitter::Code : private ArithmeticCode {
public:
    Code(HartMemory& memory, void* bytes) : ArithmeticCode(codeBytes, bytes), memory_(memory), bytes_(bytes)
    {
        emitEnds();
        endsBytes_ = getSize();
    }
    ~Code() override { munmap(bytes_, codeBytes); }
    Code(const Code&) = delete;
    Code& operator=(const Code&) = delete;

    bool hasSpace() const { return getSize() + blockBytes <= codeBytes; }
    void clear() { setSize(endsBytes_); }
    const void* emit(const CodePage& page, const std::vector<BlockInstruction>& block);
    const void* arrival() const { return arrival_; }
    const void* asSteps() const { return asSteps_; }
    bool run(Hart& hart, const void* entry) const { return enter_(&hart, entry) != 0; }

private:
    // Finished after the block, out of the way.
    struct Exception {
        Xbyak::Label from;
        Xbyak::Label back;
        std::size_t index = 0; // in the block
        bool isStore = false;
        std::optional<std::uint32_t> target; // of a taken branch
    };

    void emitEnds();
    void emitFinish(unsigned result);
    void emitInstruction(const Instruction& instruction, std::uint32_t pc);
    void emitException(Exception& exception);
    void emitLoad(const Instruction& instruction);
    void emitStore(const Instruction& instruction);
    void emitBranch(const Instruction& instruction, std::uint32_t pc);
    void emitJump(const Instruction& instruction, std::uint32_t pc);
    void emitIndirectJump(const Instruction& instruction, std::uint32_t pc);

    // Memory: eax = address, rcx = entry of its page.
    void emitAddress(const Instruction& instruction);
    void emitLookUp(const Instruction& instruction, const Xbyak::Reg64& table, bool isStore);

    void leaveBudget(std::size_t executed); // gives back what the block has not executed
    void goOn(std::uint32_t pc);            // with the entry of this instruction
    void goOnAtEax();

    HartMemory& memory_;
    void* bytes_;
    std::size_t endsBytes_ = 0;
    unsigned (*enter_)(Hart*, const void*) = nullptr;
    const void* arrival_ = nullptr;
    const void* asSteps_ = nullptr;
    const void* window_ = nullptr;

    const CodePage* page_ = nullptr; // of the block that is emitted
    const std::vector<BlockInstruction>* block_ = nullptr;
    std::size_t index_ = 0; // of the instruction that is emitted
    Xbyak::Label* start_ = nullptr;
    std::list<Exception> exceptions_;
};

// --- ways in and out ------------------------------------------------------------------------------------------------

// Laid out once: the function that enters compiled code, the two ways out, and the search in the window of stores.
void BlockEmitter::Code::emitEnds()
{
    const auto saved = {rbx, rbp, r12, r13, r14, r15};
    enter_ = getCurr<unsigned (*)(Hart*, const void*)>();
    for (const Xbyak::Reg64& reg : saved)
        push(reg);
    mov(rbx, rdi);
    mov(rax, rsi);
    mov(rbp, ptr[rbx + offsetof(Hart, left)]);
    mov(r15, reinterpret_cast<std::size_t>(memory_.direct().loadTable()));
    mov(r14, reinterpret_cast<std::size_t>(memory_.direct().storeTable()));
    for (const unsigned reg : kept)
        mov(*keptIn(reg), in(reg));
    jmp(rax);

    asSteps_ = getCurr();
    emitFinish(0);
    arrival_ = getCurr();
    emitFinish(1);

    // eax = address; rcx = entry of the window, or 0 if the address is outside. Changes rdx.
    window_ = getCurr();
    const StoreWindow& window = memory_.direct().window();
    mov(rdx, reinterpret_cast<std::size_t>(&window));
    mov(ecx, eax);
    sub(ecx, ptr[rdx + offsetof(StoreWindow, first)]);
    cmp(ecx, ptr[rdx + offsetof(StoreWindow, bytes)]);
    mov(ecx, 0);
    cmovb(rcx, ptr[rdx + offsetof(StoreWindow, bias)]);
    ret();
}

void BlockEmitter::Code::emitFinish(unsigned result)
{
    mov(ptr[rbx + offsetof(Hart, pc)], eax);
    mov(ptr[rbx + offsetof(Hart, left)], rbp);
    for (const unsigned reg : kept)
        mov(in(reg), *keptIn(reg));
    mov(eax, result);
    for (const Xbyak::Reg64& reg : {r15, r14, r13, r12, rbp, rbx})
        pop(reg);
    ret();
}

// --- blocks ---------------------------------------------------------------------------------------------------------

const void* BlockEmitter::Code::emit(const CodePage& page, const std::vector<BlockInstruction>& block)
{
    Xbyak::Label start;
    Xbyak::Label notCovered;
    page_ = &page;
    block_ = &block;
    start_ = &start;
    exceptions_.clear();
    const void* const entry = getCurr();

    L(start);
    sub(rbp, static_cast<std::uint32_t>(block.size()));
    js(notCovered, T_NEAR);
    for (index_ = 0; index_ < block.size(); ++index_)
        emitInstruction(block[index_].instruction, block[index_].pc);
    const BlockInstruction& last = block.back();
    if (last.instruction.operation != Operation::Jal && last.instruction.operation != Operation::Jalr)
        goOn(last.pc + last.instruction.bytes);

    L(notCovered);
    leaveBudget(0);
    mov(eax, block.front().pc);
    jmp(asSteps_, T_NEAR);
    for (Exception& exception : exceptions_)
        emitException(exception);
    return entry;
}

void BlockEmitter::Code::emitInstruction(const Instruction& instruction, std::uint32_t pc)
{
    const bool hasEffect = instruction.rd != 0;
    switch (classOf(instruction.operation)) {
    case InstructionClass::Load: emitLoad(instruction); return;
    case InstructionClass::Store: emitStore(instruction); return;
    case InstructionClass::Branch: emitBranch(instruction, pc); return;
    case InstructionClass::Jump:
        if (instruction.operation == Operation::Jal)
            emitJump(instruction, pc);
        else
            emitIndirectJump(instruction, pc);
        return;
    case InstructionClass::Divide:
        if (hasEffect)
            emitDivide(instruction);
        return;
    case InstructionClass::Multiply:
        if (hasEffect && instruction.operation == Operation::Mul)
            emitRegister(instruction);
        else if (hasEffect)
            emitMultiplyHigh(instruction);
        return;
    default: break; // Simple, and fence, which orders nothing here
    }
    if (!hasEffect || instruction.operation == Operation::Fence)
        return;
    if (instruction.operation == Operation::Lui)
        setConstant(instruction.rd, static_cast<std::uint32_t>(instruction.imm));
    else if (instruction.operation == Operation::Auipc)
        setConstant(instruction.rd, pc + static_cast<std::uint32_t>(instruction.imm));
    else if (instruction.operation >= Operation::Addi && instruction.operation <= Operation::Srai)
        emitImmediate(instruction);
    else
        emitRegister(instruction);
}

void BlockEmitter::Code::emitException(Exception& exception)
{
    L(exception.from);
    if (exception.target) {
        leaveBudget(exception.index + 1);
        goOn(*exception.target);
        return;
    }
    if (exception.isStore) {
        call(window_);
        test(rcx, rcx);
        jnz(exception.back, T_NEAR);
    }
    leaveBudget(exception.index);
    mov(eax, (*block_)[exception.index].pc);
    jmp(asSteps_, T_NEAR);
}

void BlockEmitter::Code::leaveBudget(std::size_t executed)
{
    if (executed < block_->size())
        add(rbp, static_cast<std::uint32_t>(block_->size() - executed));
}

void BlockEmitter::Code::goOn(std::uint32_t pc)
{
    if (pc == block_->front().pc) {
        jmp(*start_, T_NEAR);
        return;
    }
    mov(eax, pc);
    if (pc >> pageBits == page_->base >> pageBits) {
        mov(rcx, reinterpret_cast<std::size_t>(&page_->entries[page_->indexOf(pc)]));
        jmp(ptr[rcx]);
    } else {
        goOnAtEax();
    }
}

// An even address, of any page.
void BlockEmitter::Code::goOnAtEax()
{
    static_assert(sizeof(void*) == 8 && pageBytes == 4096);
    mov(ecx, eax);
    shr(ecx, pageBits);
    mov(rdx, reinterpret_cast<std::size_t>(memory_.code().table()));
    mov(rcx, ptr[rdx + rcx * 8]);
    test(rcx, rcx);
    jz(arrival_);
    mov(edx, eax);
    and_(edx, pageBytes - 2); // twice the index of the entry
    jmp(ptr[rcx + rdx * 4 + offsetof(CodePage, entries)]);
}

// --- memory ---------------------------------------------------------------------------------------------------------

void BlockEmitter::Code::emitAddress(const Instruction& instruction)
{
    const Xbyak::Reg32* const base = keptIn(instruction.rs1);
    if (instruction.rs1 == 0) {
        mov(eax, static_cast<std::uint32_t>(instruction.imm));
    } else if (base != nullptr && instruction.imm != 0) {
        lea(eax, ptr[base->cvt64() + static_cast<std::size_t>(std::int64_t{instruction.imm})]);
    } else {
        load(eax, instruction.rs1);
        if (instruction.imm != 0)
            add(eax, static_cast<std::uint32_t>(instruction.imm));
    }
}

void BlockEmitter::Code::emitLookUp(const Instruction& instruction, const Xbyak::Reg64& table, bool isStore)
{
    Exception& slow = exceptions_.emplace_back();
    slow.index = index_;
    slow.isStore = isStore;
    emitAddress(instruction);
    const unsigned size = sizeOf(instruction.operation);
    mov(ecx, eax);
    shr(ecx, pageBits);
    if (size > 1) { // a window ends with its page and its first byte may be anywhere, so this comes first
        Exception& misaligned = exceptions_.emplace_back();
        misaligned.index = index_;
        test(al, size - 1);
        jnz(misaligned.from, T_NEAR);
    }
    mov(rcx, ptr[table + rcx * 8]);
    test(rcx, rcx);
    jz(slow.from, T_NEAR);
    L(slow.back);
}

void BlockEmitter::Code::emitLoad(const Instruction& instruction)
{
    emitLookUp(instruction, r15, false);
    const Xbyak::Reg32* const keptResult = keptIn(instruction.rd);
    const Xbyak::Reg32 result = keptResult == nullptr ? eax : *keptResult;
    switch (instruction.operation) {
    case Operation::Lb: movsx(result, byte[rcx + rax]); break;
    case Operation::Lh: movsx(result, word[rcx + rax]); break;
    case Operation::Lbu: movzx(result, byte[rcx + rax]); break;
    case Operation::Lhu: movzx(result, word[rcx + rax]); break;
    default: mov(result, dword[rcx + rax]); break;
    }
    if (instruction.rd != 0)
        store(instruction.rd, result);
}

void BlockEmitter::Code::emitStore(const Instruction& instruction)
{
    emitLookUp(instruction, r14, true);
    const Xbyak::Reg32* const keptValue = keptIn(instruction.rs2);
    const Xbyak::Reg32 value = keptValue == nullptr ? edx : *keptValue;
    load(value, instruction.rs2);
    switch (instruction.operation) {
    case Operation::Sb: mov(byte[rcx + rax], value.cvt8()); break;
    case Operation::Sh: mov(word[rcx + rax], value.cvt16()); break;
    default: mov(dword[rcx + rax], value); break;
    }
}

// --- branches and jumps ---------------------------------------------------------------------------------------------

void BlockEmitter::Code::emitBranch(const Instruction& instruction, std::uint32_t pc)
{
    Exception& taken = exceptions_.emplace_back();
    taken.index = index_;
    taken.target = pc + static_cast<std::uint32_t>(instruction.imm);
    const Xbyak::Reg32* const keptFirst = keptIn(instruction.rs1);
    const Xbyak::Reg32 first = keptFirst == nullptr ? eax : *keptFirst;
    load(first, instruction.rs1);
    if (instruction.rs2 == 0)
        test(first, first); // clears carry and overflow
    else
        withOperand(instruction.rs2, [&](const auto& operand) { cmp(first, operand); });
    switch (instruction.operation) {
    case Operation::Beq: je(taken.from, T_NEAR); break;
    case Operation::Bne: jne(taken.from, T_NEAR); break;
    case Operation::Blt: jl(taken.from, T_NEAR); break;
    case Operation::Bge: jge(taken.from, T_NEAR); break;
    case Operation::Bltu: jb(taken.from, T_NEAR); break;
    default: jae(taken.from, T_NEAR); break;
    }
}

void BlockEmitter::Code::emitJump(const Instruction& instruction, std::uint32_t pc)
{
    if (instruction.rd != 0)
        setConstant(instruction.rd, pc + instruction.bytes);
    goOn(pc + static_cast<std::uint32_t>(instruction.imm));
}

void BlockEmitter::Code::emitIndirectJump(const Instruction& instruction, std::uint32_t pc)
{
    emitAddress(instruction);
    and_(eax, ~1U);
    if (instruction.rd != 0)
        setConstant(instruction.rd, pc + instruction.bytes);
    goOnAtEax();
}

// --- interface ------------------------------------------------------------------------------------------------------

std::unique_ptr<BlockEmitter> BlockEmitter::make(HartMemory& memory)
{
    void* const bytes = map();
    if (bytes == nullptr)
        return nullptr;
    return std::unique_ptr<BlockEmitter>(new BlockEmitter(std::make_unique<Code>(memory, bytes)));
}

bool BlockEmitter::canEmit(const Instruction& instruction)
{
    switch (classOf(instruction.operation)) {
    case InstructionClass::System: return instruction.operation == Operation::Fence;
    case InstructionClass::Atomic: return false;
    default: return true;
    }
}

BlockEmitter::BlockEmitter(std::unique_ptr<Code> code) : code_(std::move(code)) {}
BlockEmitter::~BlockEmitter() = default;

bool BlockEmitter::hasSpace() const
{
    return code_->hasSpace();
}
void BlockEmitter::clear()
{
    code_->clear();
}
const void* BlockEmitter::emit(const CodePage& page, const std::vector<BlockInstruction>& block)
{
    return code_->emit(page, block);
}
const void* BlockEmitter::arrival() const
{
    return code_->arrival();
}
const void* BlockEmitter::asSteps() const
{
    return code_->asSteps();
}
bool BlockEmitter::run(Hart& hart, const void* entry) const
{
    return code_->run(hart, entry);
}

} // namespace strobe::rv32
