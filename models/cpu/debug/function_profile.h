#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Where the cycles of a hart's instructions go, by function and by chain of callers, as call_tracker.h finds them. Not
// included: cycles asleep, and the bus time of a register access.

#include "models/cpu/debug/call_tracker.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace strobe::cpu {

class FunctionProfile final : public CallTracker {
public:
    explicit FunctionProfile(const CodePlaces& places) : CallTracker(places), nodes_(1) {}

    // From now on cycles and calls are counted, or not; at first not. The caller must turn counting off before the
    // end.
    void count(const rv32::Core& core, bool counts);

    struct Row {
        std::string function;
        std::uint64_t calls = 0;
        std::uint64_t own = 0;   // cycles in it
        std::uint64_t total = 0; // and in what it called; a recursive call counts once
    };
    std::vector<Row> rows() const;                   // the most expensive one first
    std::vector<Row> tasks() const;                  // the same, by task; `calls`: how often it got its turn
    std::uint64_t cycles() const { return cycles_; } // all of them
    std::string folded() const;                      // "a;b;c 123" a line: what flame graph programs read

private:
    using Node = std::uint32_t; // index of nodes_
    struct CallNode {
        std::uint32_t function = 0;
        Node parent = 0;
        std::uint32_t depth = 0; // in its chain of callers
        Node lastChild = 0;      // that was entered; 0: none
        std::uint64_t calls = 0;
        std::uint64_t cycles = 0;
    };
    void entered(std::uint32_t function) override { enter(function, true); }
    void resumed(std::uint32_t function) override { enter(function, isTask(function)); }
    void enter(std::uint32_t function, bool isCall);
    std::vector<Row> allRows() const; // by function, also those without cycles
    void left(std::size_t count) override { stack_.resize(stack_.size() - count); }
    void forgotten(std::size_t count) override;
    void spent(std::uint64_t cycles) override;
    Node child(Node parent, std::uint32_t function);
    std::string chain(Node node) const;

    std::vector<CallNode> nodes_;                      // parents before children; 0 is above all
    std::unordered_map<std::uint64_t, Node> children_; // by parent and function
    std::vector<Node> stack_;
    bool counts_ = false;
    std::uint64_t cycles_ = 0;
};

} // namespace strobe::cpu
