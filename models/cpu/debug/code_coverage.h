#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// How often each instruction of an image was executed, and each conditional branch taken. Only jumps are observed: the
// count of an instruction is the number of jumps into the code before it, less the number of jumps out of that code.
// Counts add up over several harts and several runs of the same image. Not counted: code outside the image's executable
// segments.

#include "models/cpu/debug/code_range.h"
#include "models/cpu/rv32/core.h"

#include <cstdint>
#include <vector>

namespace strobe::cpu {

class CodeCoverage final : public rv32::Observer {
public:
    explicit CodeCoverage(const ElfImage& image);

    rv32::Detail detail() const override { return rv32::Detail::Jumps; }
    void jumped(const rv32::Core& core, std::uint32_t from, std::uint32_t to) override;
    void moved(const rv32::Core& core, std::uint32_t from) override;
    void trapped(const rv32::Core& core) override;

    // A hart executes from its pc() on, and no longer. Each begin has its end before counts are asked for.
    void begin(const rv32::Core& core) { ++begun_[code_.indexOf(core.pc())]; }
    void end(const rv32::Core& core) { ++left_[code_.indexOf(core.pc())]; }

    class Counts {
    public:
        std::uint64_t executedAt(std::uint32_t pc) const { return executed_[code_.indexOf(pc)]; } // 0 outside
        std::uint64_t jumpedFrom(std::uint32_t pc) const { return jumped_[code_.indexOf(pc)]; }

    private:
        friend class CodeCoverage;
        explicit Counts(const CodeRange& code) : code_(code) {}

        CodeRange code_;
        std::vector<std::uint64_t> executed_; // only those where an instruction begins are right
        std::vector<std::uint64_t> jumped_;
    };
    Counts counts() const;

private:
    CodeRange code_;                    // the last index of each table: outside
    std::vector<std::uint64_t> begun_;  // before the instruction there
    std::vector<std::uint64_t> left_;   // before it, by a trap or the end
    std::vector<std::uint64_t> jumped_; // after it
};

} // namespace strobe::cpu
