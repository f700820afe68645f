#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// One NAND die (LUN): command legality, array state, busy time, contents. Owns no clock: time is an argument.
// Modelled: page read, page program, block erase, copy-back, read status, read id, reset; erase before program,
// ascending page order within a block, one program per page; R/B#; factory bad blocks; per-block erase counts. Not
// modelled yet: multi-plane and cache commands, suspend/resume, wear-dependent times and errors.

#include "models/base/rng.h"
#include "models/nand/operation.h"
#include "models/nand/page_store.h"
#include "models/nand/part.h"

#include <cstdint>
#include <vector>

namespace strobe::nand {

struct Verdict {
    bool legal = false;
    IllegalReason reason = IllegalReason::None;
    Time earliest{}; // when the die will accept it, if it is only busy
};

struct DieCounters {
    std::uint64_t reads = 0;
    std::uint64_t programs = 0;
    std::uint64_t erases = 0;
    std::uint64_t copyBacks = 0;
    std::uint64_t illegal = 0;
    Time arrayBusy{}; // sum of tR, tPROG, tBERS, reset
};

class Die {
public:
    // `badBlocks`: how many factory bad blocks to place (seeded by `rng`); block 0 is always good, as data sheets
    // promise.
    Die(DieId id, const Part& part, std::uint32_t badBlocks, Rng rng);

    // Asks, changes nothing. A command to a busy die is legal later: {legal = false, DieBusy, earliest}.
    Verdict probe(const Operation& op, Time now) const;

    // The last cycle of the request was latched at `now`. Does the operation on the array and returns when R/B# rises.
    // An illegal command changes nothing but the counter: op.status = Illegal, op.reason; returns `now`.
    // Sets op.status, op.reason, op.ready (and statusByte for ReadStatus). A program consumes op.data here.
    Time issue(Operation& op, Time now);

    // Data out of the page register into op.data and op.spare. REQUIRES: op was issued to this die as Read or ReadId
    // and no other array operation has been issued since.
    void fetch(Operation& op) const;

    DieId id() const { return id_; }
    Time readyAt() const { return readyAt_; }
    bool isReady(Time now) const { return now >= readyAt_; }
    bool isFactoryBad(std::uint32_t block) const { return blocks_[block].factoryBad; }
    std::uint32_t eraseCount(std::uint32_t block) const { return blocks_[block].erases; }
    std::uint32_t pagesProgrammed(std::uint32_t block) const { return blocks_[block].nextPage; }
    const DieCounters& counters() const { return counters_; }
    void resetCounters() { counters_ = {}; }
    std::size_t contentBytes() const { return store_.bytesInUse(); }
    const Part& part() const { return part_; }

private:
    struct Block {
        std::uint32_t erases = 0;
        std::uint32_t nextPage = 0; // lowest page that may still be programmed
        bool factoryBad = false;
    };
    IllegalReason whyIllegal(const Operation& op) const;

    DieId id_;
    const Part& part_;
    PageStore store_;
    std::vector<Block> blocks_;
    PageAddress registerPage_; // what the page register holds after a read
    Opcode running_ = Opcode::Read;
    bool lastFailed_ = false;
    Time readyAt_{};
    DieCounters counters_;
};

} // namespace strobe::nand
