#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// One NAND die (LUN): command legality, array state, busy time, contents. Owns no clock: time is an argument.
// Coordinates its parts:
//   DieCells        blocks, page contents, wear counts              die_cells.h
//   PageRegisters   which page the page and cache registers hold    page_registers.h
//   ArrayState      what the array executes, R/B#, status byte      array_state.h
//   CellCondition   wear, program times and bit errors that depend on it                             cell_condition.h
//   PlaneReads      reads that planes sense independently of each other   plane_reads.h
//   FlashFaults     planned faults of its operations                      flash_faults.h
//   legality table                                                  die_rules.h
// Modelled: page read, page program, block erase, copy-back (whole, or in halves with data replaced), read status, read
// id, reset; multi-plane read, program and erase; plane-independent reads; snap reads of a section of a page; programs
// of whole word lines (several pages of a block, one tPROG); cache read and cache program; suspend and resume of
// programs and erases; erase before program, ascending page order within a block, one program per page; page types with
// their own times; R/B#; factory bad blocks; blocks whose program and erase fail; per-block erase counts; pSLC mode of
// a block (one bit per cell) from its first program to its next erase. PCM: pages are overwritten in place and wear one
// by one; a page takes as many accesses as its length requires, each with a separate request. Not modelled: multi-plane
// cache commands, a reset between two accesses (the page keeps what all of them write). Busy times and reset behaviour:
// ONFI 1.0 sections 5 and 6; see docs/nand.md.
//
// The effect of an operation on the cells is applied when it is issued; ArrayState records what is still in the array,
// so that a reset or a power loss can revise it.

#include "models/base/rng.h"
#include "models/nand/array_state.h"
#include "models/nand/cell_condition.h"
#include "models/nand/die_cells.h"
#include "models/nand/die_counters.h"
#include "models/nand/die_rules.h"
#include "models/nand/flash_faults.h"
#include "models/nand/operation.h"
#include "models/nand/page_registers.h"
#include "models/nand/part.h"
#include "models/nand/plane_reads.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace strobe::nand {

class Die;

// Told of changes of the cells, when they are issued.
class DieObserver {
public:
    DieObserver() = default;
    DieObserver(const DieObserver&) = delete;
    DieObserver& operator=(const DieObserver&) = delete;
    virtual ~DieObserver() = default;
    virtual void programmed(const Die& die, const Operation& op) = 0; // or copied back; the cells hold the page
    virtual void erased(const Die& die, const Operation& op) = 0;
};

class alignas(64) Die {
public:
    // `badBlocks`: how many factory bad blocks to place (seeded by `rng`); block 0 is always good, as data sheets
    // promise. `part` must outlive the die. REQUIRES: badBlocks < blocks of the part.
    // `aging` is used only if the part has a wear curve or an error model.
    Die(DieId id, const Part& part, std::uint32_t badBlocks, Rng rng, const Aging& aging = {});

    // Whether the die accepts the command at `now` (die_rules.h). Changes nothing.
    Legality probe(const Operation& op, Time now) const { return verdictOn(op, view(), now); }

    // The last cycle of the request was latched at `now`. Executes the operation on the array and returns the time at
    // which R/B# rises. An illegal command changes nothing but the counter: op.status = Illegal, op.reason; returns
    // `now`.
    // Sets op.status, op.reason, op.blank, op.statusByte (as READ STATUS will answer at that time), op.ready and
    // op.arrayEnd. A program consumes op.data here. op.form identifies the command: the planes of a multi-plane command
    // are issued in turn and the last one starts the array; Suspend and Resume change nothing but op.ready and
    // op.arrayEnd. REQUIRES: `now` does not go back from call to call.
    Time issue(Operation& op, Time now);

    // Data out: the page register into op.data, op.spare and op.moreSpares; the identification bytes into op.spare,
    // first byte lowest. A read that was aborted yields blank sectors and spare. REQUIRES: op was issued to this die as
    // Read or ReadId, and its page is still in a register: nothing but a cache read has been issued to its plane since.
    void fetch(Operation& op) const;

    // Without time (functional preconditioning): the effect of a read, program, erase or copy-back by the rules and
    // with the outcome of issue(), at once. The die's clock stands still; fetch() follows as usual. A copy-back in
    // halves (CopyOut) is executed as a whole unless its source is blank; its form is CopyIn then. The pages of a word
    // line come one by one, in order and without a form.
    // REQUIRES: the array is idle, and so it stays.
    void executeAtOnce(Operation& op);
    // The same for a program of a whole page with the run of consecutive tags that begins with `first`; `more`: as in
    // Operation::moreSpares. False: it is not simply accepted, and nothing has happened; executeAtOnce() has the
    // outcome.
    bool programRunAtOnce(PageAddress page, SectorTag first, const Spare& spare, Purpose purpose,
                          const Spare* more = nullptr)
    {
        if (array_.isGroupOpen() || array_.isSuspended() || condition_.errors() != nullptr || faults_ != nullptr ||
            !cells_.programRun(page, first, spare, purpose == Purpose::Metadata, more))
            return false;
        ++counters_.programs;
        registers_.free(page);
        array_.beginChange();
        cells_.expect({page.block, page.page + 1});
        return true;
    }

    // Power is gone at `at`; operations in progress are left partly done; the outcome of each page is drawn from the
    // die's own random stream. Everything volatile is as after power-on: the die's clock may start again at any time.
    // Operations issued for later than `at` (a request still on the bus) have not happened. Returns how many operations
    // were interrupted in the array.
    std::uint32_t powerOff(Time at);

    // Everything that survives a power loss, into a file and back, to the bit (DieCells). REQUIRES: powerOff() before
    // save(); restore() into a new die of the same part.
    void save(ByteWriter& file) const { cells_.save(file); }
    void restore(ByteReader& file) { cells_.restore(file); } // throws DamagedBytes

    // From now on programs and erases of the block fail: FAIL bit, ProgramFailed or EraseFailed. A failed program
    // corrupts its page; a failed erase corrupts the whole block. Pages programmed before stay readable.
    void wearOut(std::uint32_t block) { cells_.wearOut(block); }

    // The faults of the plan that concern this die, from now on. `draws`: as for the constructor. Those that fail are
    // as in a worn block. What dead flash returns is as after a reset (blank sectors and spare), with Operation::torn;
    // a copy-back from it leaves a page beyond correction.
    void planFaults(const std::vector<FlashFault>& plan, Rng draws);
    FlashFaultCounters faultCounters() const { return faults_ ? faults_->counters() : FlashFaultCounters{}; }

    using Running = ArrayState::Running;
    // The array operation in flight at `now`, the last plane of several, the longest of independent reads; null when
    // R/B# is high. R/B# is low while any plane is at work.
    const Running* running(Time now) const
    {
        if (!array_.isReady(now))
            return &array_.running();
        return planes_.areAllReady(now) ? nullptr : &planes_.longest();
    }
    bool isSuspended() const { return array_.isSuspended(); }

    DieId id() const { return id_; }
    Time readyAt() const { return std::max(array_.readyAt(), planes_.allReadyAt()); }
    bool isReady(Time now) const { return now >= readyAt(); }
    bool isFactoryBad(std::uint32_t block) const { return cells_.block(block).factoryBad; }
    bool isWornOut(std::uint32_t block) const { return cells_.block(block).wornOut; }
    bool hasFailed(std::uint32_t block) const { return cells_.block(block).failed; } // a program or erase gave FAIL
    // The last erase or program of the block was for metadata: it holds no host data.
    bool holdsMetadata(std::uint32_t block) const { return cells_.block(block).metadata; }
    std::uint32_t eraseCount(std::uint32_t block) const { return cells_.block(block).erases; }
    bool isPslc(std::uint32_t block) const { return cells_.block(block).pslc; }
    std::uint32_t pslcEraseCount(std::uint32_t block) const
    {
        return cells_.block(block).pslcErases;
    }                                                                                    // of eraseCount()
    std::uint32_t overwrites(PageAddress page) const { return cells_.overwrites(page); } // PCM; else 0
    double wear(PageAddress page) const
    {
        return condition_.wear(part_, cells_, page);
    } // normalised; 0 without a rated endurance
    // The lowest page that may still be programmed: pages below are programmed, skipped or corrupted.
    std::uint32_t pagesProgrammed(std::uint32_t block) const { return cells_.block(block).nextPage; }
    const DieCounters& counters() const { return counters_; }
    const PslcCounters& pslcCounters() const { return pslcCounters_; }
    // Null: the part has no error model. A rate does not count as a read.
    CellErrors* errors() const { return condition_.errors(); }
    const PlaneReadCounters& planeReadCounters() const { return planeReadCounters_; }
    const SnapReadCounters& snapReads() const { return snapReads_; }
    void resetCounters()
    {
        counters_ = {};
        planeReadCounters_ = {};
        snapReads_ = {};
        pslcCounters_ = {};
        condition_.resetCounters();
    }
    // Spare record as stored; blank: not programmed. REQUIRES: record < part().geometry.spareRecords()
    Spare spareOf(PageAddress page, std::uint32_t record = 0) const { return cells_.spareOf(page, record); }
    std::size_t contentBytes() const { return cells_.bytesInUse(); }
    bool isProgrammed(PageAddress page) const { return cells_.isProgrammed(page); }
    // The sectors of a page without an operation, errors or time, in the representation of `data`, a whole page; blank
    // if the page holds another one. False: it is not programmed.
    bool peek(PageAddress page, Content data) const { return cells_.peek(page, data); }
    // Null: none. Not told of programRunAtOnce().
    void observe(DieObserver* observer) { observer_ = observer; }
    const Part& part() const { return part_; }

private:
    DieView view() const { return {part_, cells_, registers_, array_, planes_, condition_.readOption()}; }
    Time refuse(Operation& op, Time now);
    void beginCommand(Time now);
    Time arrayTime(const Operation& op);
    Time programTime(const Operation& op) { return condition_.programTime(part_, cells_, op, array_.isGroupOpen()); }
    Time enterArray(Operation& op, Time now, Time busy, Time after = {})
    {
        return enterArray(op, op.opcode, op.target, now, busy, after);
    }
    Time enterArray(Operation& op, Opcode opcode, PageAddress target, Time now, Time busy, Time after);
    void apply(Operation& op, Time now);
    void read(Operation& op, Time now);
    void disturb(Operation& op, bool hasData, Time now);
    std::uint32_t furtherAccesses(const Operation& op) const;
    void program(Operation& op, Time now);
    void erase(Operation& op, Time now);
    void fail(Operation& op, Status status);
    Time reset(Time now);
    void abort(Time now);
    void abortTargets(Opcode opcode, const std::vector<PageAddress>& targets);

    // Joined operations and operations in two halves.
    Time issueForm(Operation& op, Time now);
    Time issuePlane(Operation& op, Time now);
    Time startLatched(Operation& op, Time now);
    void dropPartsOfWordLines(std::uint32_t last);
    Time issueSense(Operation& op, Time now);
    Time issueCache(Operation& op, Time now);
    Time issueCopyOut(Operation& op, Time now);
    Time issueCopyIn(Operation& op, Time now);
    Time issuePlaneRead(Operation& op, Time now);
    std::uint8_t statusByte(bool planesReady, Time now) const;
    Time suspend(Operation& op, Time now);
    Time resume(Operation& op, Time now);

    // First what each operation needs, in as few cache lines as possible.
    DieId id_;
    const Part& part_;
    ArrayState array_;
    PageRegisters registers_;
    PlaneReads planes_;
    CellCondition condition_;
    DieCounters counters_;
    PslcCounters pslcCounters_;
    PlaneReadCounters planeReadCounters_;
    SnapReadCounters snapReads_;
    DieCells cells_;
    Rng draws_; // what a power loss leaves
    DieObserver* observer_ = nullptr;
    std::unique_ptr<FlashFaults> faults_; // null: none are planned
};

} // namespace strobe::nand
