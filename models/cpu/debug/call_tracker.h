#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Which functions of an image a hart is in, from the innermost to the outermost. Calls and returns are recognised from
// the instructions (jal and jalr that link ra or t0, jalr through them, traps, mret), so code that the compiler has
// turned into a jump to another function counts for that function, under the caller of the one that jumped. Jumps
// inside a function are not looked at, so that the core need not report them. What is executed between two of the
// others belongs to the function that holds the second one. Code outside every function is a function by its address.
// The chain has a limit; beyond it the outermost half is forgotten. Not supported: code that changes after it has been
// executed.
//
// Tasks: each stack has its own chain. A return or mret that belongs to no call of the present chain, and leads to a
// stack pointer outside of it, is a switch: to the chain that was left there or, if none was, to a new task, which is
// named after its first function and is the outermost "function" of its chain. A trap is in the chain of what it
// interrupted, so one that returns to another task is a switch, too. The chain of a task that ended is kept until its
// stack is used again, at most 256 of them.

#include "models/cpu/code_places.h"
#include "models/cpu/debug/code_range.h"
#include "models/cpu/rv32/core.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace strobe::cpu {

class CallTracker : public rv32::Observer {
public:
    rv32::Detail detail() const override { return rv32::Detail::Calls; }
    bool sees(std::uint32_t from, std::uint32_t to) override { return functionAt(from) != functionAt(to); }
    void jumped(const rv32::Core& core, std::uint32_t from, std::uint32_t to) override;
    void moved(const rv32::Core& core, std::uint32_t from) override;
    void trapped(const rv32::Core& core) override;

    void begin(const rv32::Core& core); // the hart starts: it is in no function yet

protected:
    explicit CallTracker(const CodePlaces& places); // which must outlive it

    // Functions are numbered in the order in which they are first seen.
    virtual void entered(std::uint32_t function) = 0;
    virtual void resumed(std::uint32_t function) = 0; // entered before, with its task; the outermost one first
    virtual void left(std::size_t count) = 0;         // the innermost ones
    virtual void forgotten(std::size_t count) = 0;    // the outermost ones
    virtual void spent(std::uint64_t /*cycles*/) {}   // by the innermost one, before it calls or ends

    void update(const rv32::Core& core) { spend(core, core.pc()); } // what was spent until now
    void leaveAll();
    std::size_t functions() const { return names_.size(); } // known so far
    const std::string& nameOf(std::uint32_t function) const { return names_[function]; }
    bool isTask(std::uint32_t function) const { return isTask_[function]; }

private:
    struct Frame {
        std::uint32_t function = 0;
        std::uint32_t returnsTo = 0;
        std::uint32_t sp = 0; // when it was entered
        bool isTrap = false;  // left by mret, wherever it returns to
    };
    using Chain = std::vector<Frame>;
    enum class Jump : std::uint8_t { Unknown, Plain, Call2, Call4, Return, LeavesTrap }; // Call: by length

    std::uint32_t functionAt(std::uint32_t pc);
    Jump jumpAt(const rv32::Core& core, std::uint32_t pc);
    std::uint32_t newName(std::string name, bool isTask);
    std::uint32_t taskOf(std::uint32_t function, std::uint32_t sp);
    void enter(const Frame& frame);
    void arrive(std::uint32_t function, std::uint32_t sp);
    void returned(std::uint32_t to, std::uint32_t sp, bool fromTrap);
    bool isOnPresentStack(std::uint32_t sp) const;
    void suspend();
    void beginTask(std::uint32_t function, std::uint32_t sp);
    template <class Condition>
    bool resume(Condition isLast); // the chain with such a frame, up to it. False: there is none
    void spend(const rv32::Core& core, std::uint32_t last);
    // The innermost frame that is, and all inside it. False: none is.
    template <class Condition>
    bool leaveThrough(Condition isLast);

    const CodePlaces& places_;
    CodeRange code_;
    std::deque<std::string> names_;                                          // by function
    std::vector<bool> isTask_;                                               // the same
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> tasks_; // by first function and stack pointer
    std::unordered_map<std::uint32_t, std::uint32_t> numbers_;               // function by the address of its symbol
    std::vector<std::uint32_t> functions_;                                   // by halfword of code
    std::vector<Jump> jumps_;                                                // the same
    Chain frames_;
    std::vector<Chain> suspended_; // of other tasks
    std::uint64_t spent_ = 0;      // of the hart's cycles
};

} // namespace strobe::cpu
