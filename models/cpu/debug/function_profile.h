#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Where the cycles of a hart's instructions go, by function and by chain of callers. Only jumps are observed. Calls and
// returns are recognised from the instructions (jal and jalr that link ra or t0, jalr through them, traps, mret), so
// code that the compiler has turned into a jump to another function counts for that function, under the caller of the
// one that jumped. What is executed between two jumps counts for the function that holds the second one. Not included:
// cycles asleep, and the bus time of a register access; code outside every function is called by its address.
// Not supported: code that changes after it has been executed.

#include "models/cpu/code_places.h"
#include "models/cpu/debug/code_range.h"
#include "models/cpu/rv32/core.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace strobe::cpu {

class FunctionProfile final : public rv32::Observer {
public:
    explicit FunctionProfile(const CodePlaces& places);

    rv32::Detail detail() const override { return rv32::Detail::Jumps; }
    void jumped(const rv32::Core& core, std::uint32_t from, std::uint32_t to) override;
    void moved(const rv32::Core& core, std::uint32_t from) override;
    void trapped(const rv32::Core& core) override;

    void begin(const rv32::Core& core); // the hart starts: the chain of callers is empty
    // From now on cycles and calls are counted, or not; at first not. Before the end, it must be told that they are
    // not.
    void count(const rv32::Core& core, bool counts);

    struct Row {
        std::string function;
        std::uint64_t calls = 0;
        std::uint64_t own = 0;   // cycles in it
        std::uint64_t total = 0; // and in what it called; a recursive call counts once
    };
    std::vector<Row> rows() const;                   // the most expensive one first
    std::uint64_t cycles() const { return cycles_; } // all of them
    std::string folded() const;                      // "a;b;c 123" a line: what flame graph programs read

private:
    using Node = std::uint32_t; // index of nodes_
    struct CallNode {
        std::uint32_t function = 0;
        Node parent = 0;
        std::uint32_t depth = 0; // in its chain of callers
        std::uint64_t calls = 0;
        std::uint64_t cycles = 0;
    };
    struct Frame {
        Node node = 0;
        std::uint32_t returnsTo = 0;
        bool isTrap = false; // left by mret, wherever it returns to
    };
    enum class Jump : std::uint8_t { Unknown, Plain, Call2, Call4, Return, LeavesTrap }; // Call: by length

    std::uint32_t functionAt(std::uint32_t pc);
    Jump jumpAt(const rv32::Core& core, std::uint32_t pc);
    Node child(Node parent, std::uint32_t function);
    void enter(std::uint32_t function, std::uint32_t returnsTo, bool isTrap = false);
    void arrive(std::uint32_t function);
    void spend(const rv32::Core& core, std::uint32_t last);
    template <class Condition>
    void leaveThrough(Condition isLast); // the innermost frame that is, and all inside it; nothing if none is
    std::string chain(Node node) const;

    const CodePlaces& places_;
    CodeRange code_;
    std::vector<std::string> names_;                           // by function
    std::unordered_map<std::uint32_t, std::uint32_t> numbers_; // function by the address of its symbol
    std::vector<std::uint32_t> functions_;                     // by halfword of code
    std::vector<Jump> jumps_;                                  // the same
    std::vector<CallNode> nodes_;                              // parents before children; 0 is above all
    std::unordered_map<std::uint64_t, Node> children_;         // by parent and function
    std::vector<Frame> stack_;
    bool counts_ = false;
    std::uint64_t spent_ = 0; // of the hart's cycles
    std::uint64_t cycles_ = 0;
};

} // namespace strobe::cpu
