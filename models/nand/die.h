#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// One NAND die (LUN) as the platform sees it: accepts or refuses commands, executes them, gives data out. Owns no
// clock: time is an argument. Its state and its commands have files of their own:
//   die_state.h          the parts that make its state, and their invariants
//     array_state.h        what the array executes, R/B#, status byte
//     page_registers.h     which page the page and cache registers hold
//     plane_reads.h        reads that planes sense independently of each other
//     cell_condition.h     wear, program times and bit errors that depend on it
//     die_cells.h          blocks, page contents, wear counts
//     flash_faults.h       planned faults of its operations
//     die_counters.h       what it counts
//   die_rules.h          which commands are legal
//   array_operations.h   read, program, erase, copy-back of one page or block
//   latched_pages.h      multi-plane commands, word lines
//   command_sequences.h  cache commands, copy-back in halves, senses and accesses, plane-independent reads
//   interruption.h       suspend and resume, reset, power loss
//   at_once.h            operations without time
// Modelled: page read, page program, block erase, copy-back (whole, or in halves with data replaced), read status, read
// id, reset; multi-plane read, program and erase; plane-independent reads; snap reads of a section of a page; programs
// of whole word lines (several pages of a block, one tPROG); cache read and cache program; suspend and resume of
// programs and erases; erase before program, ascending page order within a block, one program per page; page types with
// their own times; R/B#; factory bad blocks; blocks whose program and erase fail; per-block erase counts; pSLC mode of
// a block (one bit per cell) from its first program to its next erase. PCM: pages are overwritten in place and wear one
// by one; a page takes as many accesses as its length requires, each with a separate request. Not modelled: multi-plane
// cache commands, a reset between two accesses (the page keeps what all of them write). Busy times and reset behaviour:
// ONFI 1.0 sections 5 and 6; see docs/nand.md.

#include "models/base/rng.h"
#include "models/nand/at_once.h"
#include "models/nand/die_rules.h"
#include "models/nand/die_state.h"
#include "models/nand/operation.h"

#include <cstdint>
#include <vector>

namespace strobe::nand {

class Die {
public:
    // `badBlocks`: how many factory bad blocks to place (seeded by `rng`); block 0 is always good, as data sheets
    // promise. `part` must outlive the die. REQUIRES: badBlocks < blocks of the part.
    // `aging` is used only if the part has a wear curve or an error model.
    Die(DieId id, const Part& part, std::uint32_t badBlocks, const Rng& rng, const Aging& aging = {})
        : state_(id, part, badBlocks, rng, aging)
    {
    }

    // Whether the die accepts the command at `now` (die_rules.h). Changes nothing.
    Legality probe(const Operation& op, Time now) const { return verdictOn(op, state_, now); }

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

    // Without time: at_once.h.
    void executeAtOnce(Operation& op) { nand::executeAtOnce(state_, op); }
    bool programRunAtOnce(PageAddress page, SectorTag first, const Spare& spare, Purpose purpose,
                          const Spare* more = nullptr)
    {
        return nand::programRunAtOnce(state_, page, first, spare, purpose, more);
    }

    // Power is gone at `at`; operations in progress are left partly done; the outcome of each page is drawn from the
    // die's own random stream. Everything volatile is as after power-on: the die's clock may start again at any time.
    // Operations issued for later than `at` (a request still on the bus) have not happened. Returns how many operations
    // were interrupted in the array.
    std::uint32_t powerOff(Time at);

    // Everything that survives a power loss, into a file and back, to the bit (DieCells). REQUIRES: powerOff() before
    // save(); restore() into a new die of the same part.
    void save(ByteWriter& file) const { state_.cells.save(file); }
    void restore(ByteReader& file) { state_.cells.restore(file); } // throws DamagedBytes

    // From now on programs and erases of the block fail: FAIL bit, ProgramFailed or EraseFailed. A failed program
    // corrupts its page; a failed erase corrupts the whole block. Pages programmed before stay readable.
    void wearOut(std::uint32_t block) { state_.cells.wearOut(block); }

    // The faults of the plan that concern this die, from now on. `draws`: as for the constructor. Those that fail are
    // as in a worn block. What dead flash returns is as after a reset (blank sectors and spare), with Operation::torn;
    // a copy-back from it leaves a page beyond correction.
    void planFaults(const std::vector<FlashFault>& plan, Rng draws);
    FlashFaultCounters faultCounters() const
    {
        return state_.faults ? state_.faults->counters() : FlashFaultCounters{};
    }

    DieId id() const { return state_.id; }
    const Part& part() const { return state_.part; }
    // Blocks and pages as they are, without an operation, errors or time.
    const DieCells& cells() const { return state_.cells; }
    const DieCells::Block& block(std::uint32_t number) const { return state_.cells.block(number); }
    // Cycles of the page over the rated endurance, by mode; 0 without one.
    double wear(PageAddress page) const { return state_.condition.wear(state_.part, state_.cells, page); }
    // Null: the part has no error model. A rate does not count as a read.
    CellErrors* errors() const { return state_.condition.errors(); }

    using Running = ArrayState::Running;
    // The array operation in flight at `now`, the last plane of several, the longest of independent reads; null when
    // R/B# is high. R/B# is low while any plane is at work.
    const Running* running(Time now) const
    {
        if (!state_.array.isReady(now))
            return &state_.array.running();
        return state_.planes.areAllReady(now) ? nullptr : &state_.planes.longest();
    }
    bool isSuspended() const { return state_.array.isSuspended(); }
    Time readyAt() const { return state_.readyAt(); }
    bool isReady(Time now) const { return now >= readyAt(); }

    const DieCounterSet& counters() const { return state_.counters; }
    void resetCounters()
    {
        state_.counters = {};
        state_.condition.resetCounters();
    }
    // Null: none.
    void observe(DieObserver* observer) { state_.observer = observer; }

private:
    Time issueForm(Operation& op, Time now);
    Time refuse(Operation& op, Time now);

    DieState state_;
};

} // namespace strobe::nand
