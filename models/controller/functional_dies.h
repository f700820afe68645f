#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Dies and their ECC without time: operations of one die, one after the other, with the outcome that a flash unit would
// report, and the log of those that failed.

#include "models/controller/flash_controller.h"
#include "models/nand/die.h"

#include <cstdint>
#include <utility>

namespace strobe::controller {

class FunctionalDies {
public:
    using Dies = IdVector<DieId, nand::Die*>;

    // `config`: without time; it and the dies must outlive the object.
    FunctionalDies(const FlashControllerConfig& config, Dies dies, Time now);

    std::size_t size() const { return dies_.size(); }
    nand::Die& operator[](DieId die) const { return *dies_[die]; }
    Outcome execute(nand::Operation& op);
    IdVector<ChannelId, EccEngines>& ecc() { return ecc_; }

    // A page without a descriptor, whose spare records begin with `records`: one if `hasOne`, else all of the page.
    struct Page {
        DieId die{};
        nand::PageAddress at;
        nand::Spare* records = nullptr;
        bool hasOne = true;
    };
    bool isPage(const Page& page) const; // of these dies
    bool isWornOut(DieId die, std::uint32_t block) const
    {
        return raw(die) < dies_.size() && block < config_.die.blocks() && dies_[die]->block(block).wornOut;
    }
    bool programRun(const Page& page, SectorTag first); // whole page of a run of tags; false: not simply accepted
    StatusCode program(const Page& page, Content data);

    void note(const Failure& failure) { failures_.note(failure); }
    void noteFailure(FailureKind kind, UnitId unit, BusAddress descriptor, const nand::Operation& op);
    const FailureLog& failures() const { return failures_; }

private:
    const FlashControllerConfig& config_;
    Dies dies_;
    IdVector<ChannelId, EccEngines> ecc_;
    FailureLog failures_;
    Time now_;
};

} // namespace strobe::controller
