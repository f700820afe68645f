#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// One NAND die (LUN): command legality, array state, busy time, contents. Owns no clock: time is an argument.
// Modelled: page read, page program, block erase, copy-back (whole, or in halves with data replaced), read status, read
// id, reset; multi-plane read, program and erase; cache read and cache program; suspend and resume of programs and
// erases; erase before program, ascending page order within a block, one program per page; page types with their own
// times; R/B#; factory bad blocks; blocks whose program and erase fail; per-block erase counts; program times and bit
// errors that grow with wear, if the part says how (wear.h). PCM: pages are overwritten in place and wear one by one;
// a page takes as many accesses as it is long, each with its own request. Not modelled yet: multi-plane cache commands,
// a reset between two accesses (the page keeps what all of them write). Busy times and reset behaviour: ONFI 1.0
// sections 5 and 6; see docs/nand.md. Power loss: die_power.cpp.
//
// The effect of an operation on the array is applied when it is issued; running() tells what is still in the array, so
// that whoever cuts it short (reset, power loss) knows what is in doubt.

#include "models/base/rng.h"
#include "models/nand/operation.h"
#include "models/nand/page_store.h"
#include "models/nand/part.h"
#include "models/nand/wear.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace strobe::nand {

struct Verdict {
    bool legal = false;
    IllegalReason reason = IllegalReason::None;
    Time earliest{}; // when the die will accept it, if it is only busy
};

struct DieCounters {
    Time arrayBusy{}; // the array is at work: tR, tPROG, tBERS, reset, and the waits inside joined commands
    std::uint64_t reads = 0;
    std::uint64_t programs = 0;  // failed ones included
    std::uint64_t erases = 0;    // failed ones included
    std::uint64_t copyBacks = 0; // whole; one in halves counts as a read and a program
    std::uint64_t resets = 0;
    std::uint64_t failed = 0;  // programs, copy-backs and erases that ended with the FAIL bit
    std::uint64_t aborted = 0; // array operations cut short by a reset
    std::uint64_t illegal = 0;
    std::uint64_t joined = 0;   // of the reads, programs and erases: planes of one command that are not its first
    std::uint64_t cached = 0;   // of the reads and programs: those in cache form
    std::uint64_t suspends = 0; // programs and erases suspended, each time
};

// Energy that the array spent on what was counted; a copy-back is a read and a program. Idle power is not in it.
double arrayJoule(const DieEnergy& energy, const DieCounters& counters);

// Bits of the status byte (ONFI 1.0, table "Status field definition").
inline constexpr std::uint8_t statusFail = 0x01;
inline constexpr std::uint8_t statusFailBefore = 0x02; // cache program: of the page before the last
inline constexpr std::uint8_t statusArrayReady = 0x20;
inline constexpr std::uint8_t statusReady = 0x40;
inline constexpr std::uint8_t statusNotProtected = 0x80;

// What the first spare word of page 0 of a factory bad block reads as; that of a good erased block is 0xFFFFFFFF.
inline constexpr std::uint32_t badBlockMark = 0;

class alignas(64) Die {
public:
    // `badBlocks`: how many factory bad blocks to place (seeded by `rng`); block 0 is always good, as data sheets
    // promise. `part` must outlive the die. REQUIRES: badBlocks < blocks of the part.
    // `aging` counts only if the part has a wear curve.
    Die(DieId id, const Part& part, std::uint32_t badBlocks, Rng rng, const Aging& aging = {});

    // Asks, changes nothing. A command to a busy die is legal later: {legal = false, DieBusy, earliest}; one that would
    // not be legal then either gets its own reason.
    Verdict probe(const Operation& op, Time now) const;

    // The last cycle of the request was latched at `now`. Does the operation on the array and returns when R/B# rises.
    // An illegal command changes nothing but the counter: op.status = Illegal, op.reason; returns `now`.
    // Sets op.status, op.reason, op.blank, op.statusByte (as READ STATUS will answer at that time), op.ready and
    // op.arrayEnd. A program consumes op.data here. op.form says which command it is: of several planes, each is issued
    // in turn and the last one starts the array; Suspend and Resume change nothing but op.ready and op.arrayEnd.
    // REQUIRES: `now` does not go back from call to call.
    Time issue(Operation& op, Time now);

    // Data out: the page register into op.data and op.spare; the identification bytes into op.spare, first byte lowest.
    // A read that was aborted yields blank sectors and spare. REQUIRES: op was issued to this die as Read or ReadId,
    // and its page is still in a register: nothing but a cache read has been issued to its plane since.
    void fetch(Operation& op) const;

    // Power is gone at `at`; what is under way is neither done nor undone, each page by a draw of the die's own stream.
    // Everything volatile is as after power-on: the die's clock may start again at any time. What was issued for later
    // than `at` (a request still on the bus) has not happened. Returns how many operations were cut in the array.
    std::uint32_t powerOff(Time at);

    // Everything that outlives a power loss, into a file and back, to the bit (contents_file.cpp; format:
    // docs/nand.md). REQUIRES: powerOff() before save(); restore() into a new die of the same part.
    void save(ByteWriter& file) const;
    void restore(ByteReader& file); // throws DamagedBytes

    // From now on programs and erases of the block fail: FAIL bit, ProgramFailed or EraseFailed. A failed program
    // ruins its page; a failed erase ruins the whole block. Pages programmed before stay readable.
    void wearOut(std::uint32_t block);

    struct Running {
        Opcode opcode;
        PageAddress target;
        Time ready;      // R/B# rises
        Time cells = {}; // of it the program time, if the die ages
    };
    // The array operation in flight at `now`, the last plane of several; null when R/B# is high.
    const Running* running(Time now) const { return isReady(now) ? nullptr : &running_; }
    bool isSuspended() const { return suspended_; }

    DieId id() const { return id_; }
    Time readyAt() const { return running_.ready; }
    bool isReady(Time now) const { return now >= running_.ready; }
    bool isFactoryBad(std::uint32_t block) const { return blocks_[block].factoryBad; }
    bool isWornOut(std::uint32_t block) const { return blocks_[block].wornOut; }
    bool hasFailed(std::uint32_t block) const { return blocks_[block].failed; } // a program or erase ended with FAIL
    // The last erase or program of the block was for metadata: it is no place for the host's data.
    bool holdsMetadata(std::uint32_t block) const { return blocks_[block].metadata; }
    std::uint32_t eraseCount(std::uint32_t block) const { return blocks_[block].erases; }
    std::uint32_t overwrites(PageAddress page) const; // PCM: programs of the page; else 0
    double wear(PageAddress page) const;              // normalised; 0 without a rated endurance
    // The lowest page that may still be programmed: pages below are programmed, skipped or ruined.
    std::uint32_t pagesProgrammed(std::uint32_t block) const { return blocks_[block].nextPage; }
    const DieCounters& counters() const { return counters_; }
    void resetCounters() { counters_ = {}; }
    Spare spareOf(PageAddress address) const; // as it stands in the array, for an observer; blank: not programmed
    std::size_t contentBytes() const { return store_.bytesInUse(); }
    bool isProgrammed(PageAddress address) const { return store_.isProgrammed(address); }
    const Part& part() const { return part_; }

private:
    struct Block {
        std::uint32_t erases = 0;
        std::uint32_t nextPage = 0; // lowest page that may still be programmed
        bool factoryBad = false;
        bool metadata = false; // purpose of the last erase or program
        bool wornOut = false;
        bool failed = false; // at least one program or erase
        bool ruined = false; // an erase failed or was aborted: no page is clean, none holds anything
    };
    struct PageRegister {
        enum class State : std::uint8_t { Free, Loaded, Aborted };
        State state = State::Free;
        PageAddress page; // what it holds after a read
    };

    // Legality (die_rules.cpp).
    IllegalReason whyIllegal(const Operation& op) const;
    IllegalReason whyFormIllegal(const Operation& op) const;
    bool touchesSuspended(const Operation& op) const;
    bool isClean(PageAddress address) const { return !blocks_[address.block].ruined && !store_.isProgrammed(address); }

    bool mayCut(const Operation& op, Time now) const;

    Time refuse(Operation& op, Time now);
    void beginCommand(Time now);
    Time arrayTime(const Operation& op);
    Time programTime(PageAddress target);
    std::uint32_t readErrors(const Operation& op);
    Time enterArray(Operation& op, Time now, Time busy, Time behind);
    void apply(Operation& op);
    void program(Operation& op);
    void erase(Operation& op);
    void loadPageRegister(Operation& op);
    Time reset(Time now);
    void abort(Time now);
    void ruinBlock(std::uint32_t block);
    void fail(Operation& op, Status status);
    PageRegister& registerOf(PageAddress address) { return registers_[part_.geometry.planeOf(address.block)]; }

    // Operations joined or cut in two (die_joined.cpp).
    Time issueJoined(Operation& op, Time now);
    Time issuePlane(Operation& op, Time now);
    Time issueCache(Operation& op, Time now);
    Time issueCopyOut(Operation& op, Time now);
    Time issueCopyIn(Operation& op, Time now);
    Time issueAccess(Operation& op, Time now);
    Time startLatched(Operation& op, Time now);
    Time suspend(Operation& op, Time now);
    Time resume(Operation& op, Time now);
    void ruinTargets(Opcode opcode, const std::vector<PageAddress>& targets);
    void dropSuspended();

    // Power loss (die_power.cpp).
    struct Erasing { // an erase that is not over: what it takes away
        std::uint32_t block;
        PageStore::Block contents;
        std::uint32_t nextPage;
        bool ruined;
    };
    Time arrayStart(const Running& running) const;
    void undo(Opcode opcode, PageAddress target);
    void interrupt(Opcode opcode, PageAddress target);
    void interruptErase(std::uint32_t block);
    void endErases();

    std::uint8_t statusByte(Time now) const;

    // First what each operation needs.
    struct AgingState {
        Aging aging;
        Rng draws;
        Time drawn{};      // the program time of the operation that is being issued
        Time groupDrawn{}; // the longest of the planes that are latched
    };
    DieId id_;
    bool groupOpen_ = false; // planes are latched and the last one has not come
    bool suspended_ = false;
    bool lastFailed_ = false;   // FAIL bit
    bool failedBefore_ = false; // FAILC bit
    const Part& part_;
    std::vector<Block> blocks_;
    Time startedAt_{};                           // running_ was issued
    Time arrayFree_{};                           // the array is done; later than running_.ready after cache forms
    std::unique_ptr<AgingState> aging_;          // null: the part does not age
    Running running_{Opcode::Reset, {}, Time{}}; // the last array operation
    Running before_{Opcode::Reset, {}, Time{}};  // the command before; `ready`: the array is done with it
    std::vector<PageRegister> registers_;        // by plane
    std::vector<PageAddress> others_;            // in the array beside running_.target: planes, the page before it
    std::vector<Erasing> erasing_;               // in the array or latched; dropped when the next command begins
    PageRegister cacheRegister_;                 // cache read: the page before
    std::uint32_t suspends_ = 0;                 // of the operation in the array
    DieCounters counters_;
    PageStore store_;
    Running suspendedOp_{Opcode::Reset, {}, Time{}}; // `ready`: how much was left
    std::vector<PageAddress> suspendedOthers_;
    Rng draws_; // what a power loss leaves
    std::uint64_t cut_ = 0;
    std::vector<std::uint32_t> overwrites_; // PCM: by page
};

} // namespace strobe::nand
