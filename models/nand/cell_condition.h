#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// How the condition of a die's cells affects its operations: normalised wear, program times, bit errors. A die has at
// most two models of it, both optional: CellAging (the part has a wear curve) and CellErrors (the part has an error
// model). Without either, times are those of the part and no read has errors. Cycles themselves are counted by
// DieCells.

#include "models/nand/cell_aging.h"
#include "models/nand/cell_errors.h"
#include "models/nand/die_cells.h"
#include "models/nand/operation.h"
#include "models/nand/part.h"

#include <cstdint>
#include <memory>

namespace strobe::nand {

class CellCondition {
public:
    // `part` must outlive this object.
    CellCondition(const Part& part, const Aging& aging, const Rng& rng)
    {
        if (!part.wear.empty())
            aging_ = std::make_unique<CellAging>(part.wear, aging, Rng(Rng(rng).next(), "wear"));
        if (part.errors.isOn())
            errors_ = std::make_unique<CellErrors>(part, aging, Rng(Rng(rng).next(), "bit errors"));
    }

    // Cycles of the page over the rated endurance; 0 without one. Cycles in pSLC mode count by their own endurance.
    double wear(const Part& part, const DieCells& cells, PageAddress page) const
    {
        if (part.endurance == 0)
            return 0;
        const double before = aging_ ? aging_->before() : errors_ ? errors_->before() : 0;
        const std::uint32_t pslc = cells.block(page.block).pslcErases;
        const std::uint32_t pslcEndurance = part.pslc.endurance != 0 ? part.pslc.endurance : part.endurance;
        return before + static_cast<double>(cells.cycles(page) - pslc) / part.endurance +
               static_cast<double>(pslc) / pslcEndurance;
    }

    // Time of a program of op.target. `moreFollow`: further planes or pages are programmed with it.
    Time programTime(const Part& part, const DieCells& cells, const Operation& op, bool moreFollow)
    {
        const Time fresh = part.tPROG(op.target.page, op.pslc);
        return aging_ ? aging_->programTime(fresh, wear(part, cells, op.target), moreFollow) : fresh;
    }
    bool drawsProgramTimes() const { return aging_ != nullptr; }
    Time drawn() const { return aging_ ? aging_->drawn() : Time{}; } // what programTime() drew last
    // The longest time drawn for pages that are latched. REQUIRES: drawsProgramTimes()
    Time takeGroup() { return aging_->takeGroup(); }
    void dropGroup()
    {
        if (aging_)
            aging_->dropGroup();
    }

    // Raw bit errors in the worst codeword of a read. REQUIRES: op.sectors > 0, the page is programmed.
    std::uint32_t drawErrors(const Part& part, const DieCells& cells, const Operation& op)
    {
        if (errors_)
            return errors_->errors(op.target, op.sectors, wear(part, cells, op.target) * part.endurance, op.readOption,
                                   op.pslc);
        return aging_ ? aging_->readErrors(op.sectors, wear(part, cells, op.target)) : 0;
    }

    // What the error model has to follow; no effect without one.
    void enterTime(Time now)
    {
        if (errors_)
            errors_->enterTime(now);
    }
    void leaveTime()
    {
        if (errors_)
            errors_->leaveTime();
    }
    void sensed(std::uint32_t block)
    {
        if (errors_)
            errors_->sensed(block);
    }
    void programmed(std::uint32_t block)
    {
        if (errors_)
            errors_->programmed(block);
    }
    void erased(std::uint32_t block)
    {
        if (errors_)
            errors_->erased(block);
    }
    void powerOff(Time at)
    {
        dropGroup();
        if (errors_)
            errors_->powerOff(at);
    }
    void resetCounters()
    {
        if (errors_)
            errors_->resetCounters();
    }
    std::uint32_t readOption() const { return errors_ ? errors_->option() : 0; } // as set by SET FEATURES
    CellErrors* errors() const { return errors_.get(); }                         // null: the part has no error model

private:
    std::unique_ptr<CellAging> aging_;
    std::unique_ptr<CellErrors> errors_;
};

} // namespace strobe::nand
