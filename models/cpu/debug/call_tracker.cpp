// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/call_tracker.h"

#include "models/cpu/rv32/instruction.h"

#include <algorithm>
#include <cstddef>

namespace strobe::cpu {

namespace {

constexpr std::uint32_t unknown = UINT32_MAX;
constexpr std::size_t mostFrames = 4096; // a limit of the host's memory, if firmware recurses or traps without end
constexpr std::size_t mostSuspended = 256;

std::uint32_t stackPointerOf(const rv32::Core& core)
{
    constexpr unsigned sp = 2;
    return core.reg(sp);
}

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
        newName(places_.functionAt(pc), false);
    if (at < functions_.size())
        functions_[at] = entry->second;
    return entry->second;
}

std::uint32_t CallTracker::newName(std::string name, bool isTask)
{
    names_.push_back(std::move(name));
    isTask_.push_back(isTask);
    return static_cast<std::uint32_t>(names_.size() - 1);
}

// Tasks that begin in the same function have numbers, by their stacks.
std::uint32_t CallTracker::taskOf(std::uint32_t function, std::uint32_t sp)
{
    if (const auto known = tasks_.find({function, sp}); known != tasks_.end())
        return known->second;
    std::size_t same = 1;
    for (auto other = tasks_.lower_bound({function, 0}); other != tasks_.end() && other->first.first == function;
         ++other)
        ++same;
    const std::string number = same == 1 ? "" : " " + std::to_string(same);
    return tasks_[{function, sp}] = newName("task " + names_[function] + number, true);
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

void CallTracker::enter(const Frame& frame)
{
    if (frames_.size() >= mostFrames) {
        frames_.erase(frames_.begin(), frames_.begin() + mostFrames / 2);
        forgotten(mostFrames / 2);
    }
    frames_.push_back(frame);
    entered(frame.function);
}

template <class Condition>
bool CallTracker::leaveThrough(Condition isLast)
{
    for (std::size_t depth = frames_.size(); depth > 0; --depth) {
        if (isLast(frames_[depth - 1])) {
            const std::size_t count = frames_.size() - (depth - 1);
            frames_.resize(depth - 1);
            left(count);
            return true;
        }
    }
    return false;
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
void CallTracker::arrive(std::uint32_t function, std::uint32_t sp)
{
    if (frames_.empty() || isTask_[frames_.back().function]) {
        enter({function, unknown, sp, false});
    } else if (frames_.back().function != function) { // a jump in the place of call and return
        frames_.back().function = function;
        left(1);
        entered(function);
    }
}

// The stack pointer is between those of the calls of the present chain, up to the first trap: its handler may have a
// stack of its own. At power-on it is 0.
bool CallTracker::isOnPresentStack(std::uint32_t sp) const
{
    std::uint32_t lowest = UINT32_MAX;
    std::uint32_t highest = 0;
    for (const Frame& frame : frames_) {
        if (frame.sp != 0) {
            lowest = std::min(lowest, frame.sp);
            highest = std::max(highest, frame.sp);
        }
        if (frame.isTrap)
            break;
    }
    return highest == 0 || (lowest <= sp && sp <= highest);
}

void CallTracker::suspend()
{
    if (frames_.empty())
        return;
    if (suspended_.size() >= mostSuspended)
        suspended_.erase(suspended_.begin());
    suspended_.push_back(frames_);
    leaveAll();
}

template <class Condition>
bool CallTracker::resume(Condition isLast)
{
    for (std::size_t i = 0; i < suspended_.size(); ++i) {
        const Chain& chain = suspended_[i];
        const auto last = std::find_if(chain.rbegin(), chain.rend(), isLast);
        if (last == chain.rend())
            continue;
        Chain rest(chain.begin(), last.base() - 1);
        suspended_.erase(suspended_.begin() + static_cast<std::ptrdiff_t>(i));
        suspend();
        frames_ = std::move(rest);
        for (const Frame& frame : frames_)
            resumed(frame.function);
        return true;
    }
    return false;
}

void CallTracker::beginTask(std::uint32_t function, std::uint32_t sp)
{
    suspended_.erase(std::remove_if(suspended_.begin(), suspended_.end(),
                                    [sp](const Chain& chain) { return chain.front().sp == sp; }),
                     suspended_.end());
    suspend();
    enter({taskOf(function, sp), unknown, sp, false});
}

void CallTracker::returned(std::uint32_t to, std::uint32_t sp, bool fromTrap)
{
    const auto isExact = [=](const Frame& frame) {
        return frame.sp == sp && frame.isTrap == fromTrap && (fromTrap || frame.returnsTo == to);
    };
    if (leaveThrough(isExact) || resume(isExact))
        return;
    // Code that saves registers for its caller returns with another stack pointer.
    const bool isInnermost = !frames_.empty() && !frames_.back().isTrap && frames_.back().returnsTo == to;
    if ((!fromTrap && isInnermost) || isOnPresentStack(sp))
        leaveThrough([=](const Frame& f) { return f.isTrap == fromTrap && (fromTrap || f.returnsTo == to); });
    else
        beginTask(functionAt(to), sp);
}

// The cycles until now, up to the instruction at `last`.
void CallTracker::spend(const rv32::Core& core, std::uint32_t last)
{
    const std::uint64_t cycles = core.executed() - spent_;
    spent_ += cycles;
    if (cycles == 0)
        return;
    arrive(functionAt(last), stackPointerOf(core));
    spent(cycles);
}

void CallTracker::jumped(const rv32::Core& core, std::uint32_t from, std::uint32_t to)
{
    const Jump jump = jumpAt(core, from);
    const std::uint32_t function = functionAt(to);
    const std::uint32_t sp = stackPointerOf(core);
    if (jump == Jump::Plain && functionAt(from) == function)
        return; // its cycles are counted with those that follow
    spend(core, from);
    switch (jump) {
    case Jump::Call2: enter({function, from + 2, sp, false}); return;
    case Jump::Call4: enter({function, from + 4, sp, false}); return;
    case Jump::Return: returned(to, sp, false); break;
    case Jump::LeavesTrap: returned(to, sp, true); break;
    default: break;
    }
    arrive(function, sp);
}

void CallTracker::moved(const rv32::Core& core, std::uint32_t from)
{
    spend(core, from);
}

void CallTracker::trapped(const rv32::Core& core)
{
    spend(core, core.csr(rv32::csr::mepc).value_or(0));
    enter({functionAt(core.pc()), 0, stackPointerOf(core), true});
}

void CallTracker::begin(const rv32::Core& core)
{
    leaveAll();
    suspended_.clear();
    spent_ = core.executed();
}

} // namespace strobe::cpu
