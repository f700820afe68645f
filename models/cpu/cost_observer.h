#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Measures firmware's cost points on the RV32 core. An image built with STROBE_COST_MARKERS marks each of its points
// with a hint instruction (firmware/hal/rv32/hal_rv32.h); the cycles from one mark to the next belong to the point that
// was marked, so that the points' shares add up to everything the core has executed. The marks themselves cost nothing;
// sleep and bus waits are not instructions. Cycles before the first mark are attributed to no point.

#include "models/cpu/cost_table.h"
#include "models/cpu/rv32/environment.h"

#include <cstdint>
#include <vector>

namespace strobe::cpu {

class CostObserver : public rv32::Observer {
public:
    explicit CostObserver(const rv32::Core& core); // whose cycles from now on are counted

    rv32::Detail detail() const override { return rv32::Detail::Calls; }
    bool sees(std::uint32_t /*from*/, std::uint32_t /*to*/) override { return false; }
    bool seesHints() const override { return true; }
    void retired(const rv32::Core& core, std::uint32_t pc, std::uint32_t bits, unsigned cycles) override;

    std::vector<CostMeter::Row> rows() const;            // without the one in progress
    std::uint64_t unmarked() const { return unmarked_; } // cycles that belong to no point
    void reset();                                        // resets the counts only; the current point is kept

private:
    struct Sum {
        std::uint64_t times = 0;
        std::uint64_t cycles = 0;
        double squares = 0;
    };
    void close(std::uint64_t cycles);

    std::vector<Sum> sums_;
    std::uint32_t point_;     // at work; sums_.size(): none
    std::uint32_t times_ = 1; // of the mark
    std::uint64_t begun_ = 0; // cycles that the core had worked after the mark
    std::uint64_t unmarked_ = 0;
};

} // namespace strobe::cpu
