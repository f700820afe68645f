#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// One NAND die (LUN): command legality, array state, busy time, contents. Owns no clock: time is an argument.
// Modelled: page read, page program, block erase, copy-back, read status, read id, reset; erase before program,
// ascending page order within a block, one program per page; R/B#; factory bad blocks; blocks whose program and erase
// fail; per-block erase counts. Not modelled yet: multi-plane and cache commands, suspend/resume, wear-dependent times
// and errors. Busy times and reset behaviour: ONFI 1.0 sections 5 and 6; see docs/nand.md.
//
// The effect of an operation on the array is applied when it is issued; running() tells what is still in the array, so
// that whoever cuts it short (reset, power loss) knows what is in doubt.

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
    std::uint64_t programs = 0; // failed ones included
    std::uint64_t erases = 0;   // failed ones included
    std::uint64_t copyBacks = 0;
    std::uint64_t resets = 0;
    std::uint64_t failed = 0;  // programs, copy-backs and erases that ended with the FAIL bit
    std::uint64_t aborted = 0; // array operations cut short by a reset
    std::uint64_t illegal = 0;
    Time arrayBusy{}; // R/B# low: sum of tR, tPROG, tBERS, reset
};

// Energy that the array spent on what was counted; a copy-back is a read and a program. Idle power is not in it.
double arrayJoule(const DieEnergy& energy, const DieCounters& counters);

// Bits of the status byte (ONFI 1.0, table "Status field definition").
inline constexpr std::uint8_t statusFail = 0x01;
inline constexpr std::uint8_t statusArrayReady = 0x20;
inline constexpr std::uint8_t statusReady = 0x40;
inline constexpr std::uint8_t statusNotProtected = 0x80;

// What the first spare word of page 0 of a factory bad block reads as; that of a good erased block is 0xFFFFFFFF.
inline constexpr std::uint32_t badBlockMark = 0;

class Die {
public:
    // `badBlocks`: how many factory bad blocks to place (seeded by `rng`); block 0 is always good, as data sheets
    // promise. `part` must outlive the die. REQUIRES: badBlocks < blocks of the part.
    Die(DieId id, const Part& part, std::uint32_t badBlocks, Rng rng);

    // Asks, changes nothing. A command to a busy die is legal later: {legal = false, DieBusy, earliest}; one that would
    // not be legal then either gets its own reason.
    Verdict probe(const Operation& op, Time now) const;

    // The last cycle of the request was latched at `now`. Does the operation on the array and returns when R/B# rises.
    // An illegal command changes nothing but the counter: op.status = Illegal, op.reason; returns `now`.
    // Sets op.status, op.reason, op.blank, op.statusByte (as READ STATUS will answer at that time) and op.ready.
    // A program consumes op.data here. REQUIRES: `now` does not go back from call to call.
    Time issue(Operation& op, Time now);

    // Data out: the page register into op.data and op.spare; the identification bytes into op.spare, first byte lowest.
    // A read that was aborted yields blank sectors and spare. REQUIRES: op was issued to this die as Read or ReadId and
    // no other array operation has been issued since.
    void fetch(Operation& op) const;

    // From now on programs and erases of the block fail: FAIL bit, ProgramFailed or EraseFailed. A failed program
    // ruins its page; a failed erase ruins the whole block. Pages programmed before stay readable.
    void wearOut(std::uint32_t block);

    struct Running {
        Opcode opcode;
        PageAddress target;
        Time ready; // R/B# rises
    };
    // The array operation in flight at `now`; null when R/B# is high.
    const Running* running(Time now) const { return isReady(now) ? nullptr : &running_; }

    DieId id() const { return id_; }
    Time readyAt() const { return running_.ready; }
    bool isReady(Time now) const { return now >= running_.ready; }
    bool isFactoryBad(std::uint32_t block) const { return blocks_[block].factoryBad; }
    bool isWornOut(std::uint32_t block) const { return blocks_[block].wornOut; }
    bool hasFailed(std::uint32_t block) const { return blocks_[block].failed; } // a program or erase ended with FAIL
    std::uint32_t eraseCount(std::uint32_t block) const { return blocks_[block].erases; }
    // The lowest page that may still be programmed: pages below are programmed, skipped or ruined.
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
        bool wornOut = false;
        bool failed = false; // at least one program or erase
        bool ruined = false; // an erase failed or was aborted: no page is clean, none holds anything
    };
    enum class PageRegister : std::uint8_t { Free, Loaded, Aborted };

    IllegalReason whyIllegal(const Operation& op) const;
    bool isClean(PageAddress address) const { return !blocks_[address.block].ruined && !store_.isProgrammed(address); }
    void program(Operation& op);
    void erase(Operation& op);
    void loadPageRegister(Operation& op);
    Time reset(Time now);
    void abort(Time now);
    void ruinBlock(std::uint32_t block);
    void fail(Operation& op, Status status);
    std::uint8_t statusByte(Time now) const;

    DieId id_;
    const Part& part_;
    PageStore store_;
    std::vector<Block> blocks_;
    Running running_{Opcode::Reset, {}, Time{}}; // the last array operation
    PageRegister pageRegister_ = PageRegister::Free;
    PageAddress registerPage_; // what the page register holds after a read
    bool lastFailed_ = false;  // FAIL bit
    DieCounters counters_;
};

} // namespace strobe::nand
