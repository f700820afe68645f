// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/call_tracker.h"

#include "models/cpu/rv32/instruction.h"

namespace strobe::cpu {

namespace {

constexpr std::uint32_t unknown = UINT32_MAX;
constexpr std::size_t mostFrames = 4096; // a limit of the host's memory, if firmware recurses or traps without end

} // namespace

CallTracker::CallTracker(const CodePlaces& places)
    : places_(places), code_(places.image()), functions_(code_.size(), unknown), jumps_(code_.size(), Jump::Unknown)
{
}

std::uint32_t CallTracker::functionAt(std::uint32_t pc)
{
    const std::size_t at = code_.indexOf(pc);
    if (at < functions_.size() && functions_[at] != unknown)
        return functions_[at];
    const ElfImage::Symbol* symbol = places_.image().functionAt(pc);
    const std::uint32_t address = symbol != nullptr ? symbol->address : pc;
    const auto [entry, isNew] = numbers_.emplace(address, static_cast<std::uint32_t>(names_.size()));
    if (isNew)
        names_.push_back(places_.functionAt(pc));
    if (at < functions_.size())
        functions_[at] = entry->second;
    return entry->second;
}

CallTracker::Jump CallTracker::jumpAt(const rv32::Core& core, std::uint32_t pc)
{
    const std::size_t at = code_.indexOf(pc);
    if (at < jumps_.size() && jumps_[at] != Jump::Unknown)
        return jumps_[at];
    std::uint32_t bits = 0;
    for (std::uint32_t half = 0; half < 2; ++half) { // the second may be in another page
        if (const std::uint8_t* memory = core.memory().find(pc + 2 * half, 2, false))
            bits |= (memory[0] | std::uint32_t{memory[1]} << 8U) << 16U * half;
    }
    const rv32::Instruction i = rv32::decode(bits);
    Jump jump = Jump::Plain;
    if (i.operation == rv32::Operation::Mret)
        jump = Jump::LeavesTrap;
    else if (rv32::isCall(i))
        jump = i.bytes == 2 ? Jump::Call2 : Jump::Call4;
    else if (i.operation == rv32::Operation::Jalr && rv32::isLink(i.rs1))
        jump = Jump::Return;
    if (at < jumps_.size())
        jumps_[at] = jump;
    return jump;
}

void CallTracker::enter(std::uint32_t function, std::uint32_t returnsTo, bool isTrap)
{
    if (frames_.size() >= mostFrames) {
        frames_.erase(frames_.begin(), frames_.begin() + mostFrames / 2);
        forgotten(mostFrames / 2);
    }
    frames_.push_back({function, returnsTo, isTrap});
    entered(function);
}

template <class Condition>
void CallTracker::leaveThrough(Condition isLast)
{
    for (std::size_t depth = frames_.size(); depth > 0; --depth) {
        if (isLast(frames_[depth - 1])) {
            const std::size_t count = frames_.size() - (depth - 1);
            frames_.resize(depth - 1);
            left(count);
            return;
        }
    }
}

void CallTracker::leaveAll()
{
    if (frames_.empty())
        return;
    const std::size_t count = frames_.size();
    frames_.clear();
    left(count);
}

// Execution is in this function.
void CallTracker::arrive(std::uint32_t function)
{
    if (frames_.empty()) {
        enter(function, unknown);
    } else if (frames_.back().function != function) { // a jump in the place of call and return
        frames_.back().function = function;
        left(1);
        entered(function);
    }
}

// The cycles until now, up to the instruction at `last`.
void CallTracker::spend(const rv32::Core& core, std::uint32_t last)
{
    const std::uint64_t cycles = core.executed() - spent_;
    spent_ += cycles;
    if (cycles == 0)
        return;
    arrive(functionAt(last));
    spent(cycles);
}

void CallTracker::jumped(const rv32::Core& core, std::uint32_t from, std::uint32_t to)
{
    const Jump jump = jumpAt(core, from);
    const std::uint32_t function = functionAt(to);
    if (jump == Jump::Plain && functionAt(from) == function)
        return; // its cycles are counted with those that follow
    spend(core, from);
    switch (jump) {
    case Jump::Call2: enter(function, from + 2); return;
    case Jump::Call4: enter(function, from + 4); return;
    case Jump::Return: leaveThrough([to](const Frame& f) { return !f.isTrap && f.returnsTo == to; }); break;
    case Jump::LeavesTrap: leaveThrough([](const Frame& f) { return f.isTrap; }); break;
    default: break;
    }
    arrive(function);
}

void CallTracker::moved(const rv32::Core& core, std::uint32_t from)
{
    spend(core, from);
}

void CallTracker::trapped(const rv32::Core& core)
{
    spend(core, core.csr(rv32::csr::mepc).value_or(0));
    enter(functionAt(core.pc()), 0, true);
}

void CallTracker::begin(const rv32::Core& core)
{
    leaveAll();
    spent_ = core.executed();
}

} // namespace strobe::cpu
