#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The state of one die: its parts, each of which keeps its own rules, and what they have in common. Below the commands:
// what commands do to it is in array_operations.h, latched_pages.h, command_sequences.h, interruption.h and at_once.h,
// which commands are accepted in die_rules.h, and die.h is the die that the rest of the platform sees. Owns no clock.
//
// Invariants, between two commands:
//   - An operation has its effect on `cells` when it is issued. `array` and `planes` record what is still in progress,
//     so that a reset or a power loss can revise it. `counters.array.arrayBusy` is counted in advance as well.
//   - `cells` can undo the erases that are in the array or latched, and keep them open for that, at least until the
//     array has done them and at most until the next command enters it. A suspended erase stays open.
//   - A read that leaves the other planes alone (`planes`) senses only while the array as a whole is idle or suspended.
//   - While a group is open, `array` has at least one latched page, and `condition` the longest time drawn for one.
//   - A page register names a page of its own plane, which a read has loaded, and no program or erase in that plane
//     came after that read.
//   - `faults` is null unless a fault of the plan can concern this die.

#include "models/base/rng.h"
#include "models/nand/array_state.h"
#include "models/nand/cell_condition.h"
#include "models/nand/die_cells.h"
#include "models/nand/die_counters.h"
#include "models/nand/die_observer.h"
#include "models/nand/flash_faults.h"
#include "models/nand/page_registers.h"
#include "models/nand/part.h"
#include "models/nand/plane_reads.h"

#include <algorithm>
#include <cstdint>
#include <memory>

namespace strobe::nand {

struct alignas(64) DieState {
    // As for Die (die.h).
    DieState(DieId dieId, const Part& diePart, std::uint32_t badBlocks, const Rng& rng, const Aging& aging = {});

    // R/B# is high once the array and all planes are ready.
    Time readyAt() const { return std::max(array.readyAt(), planes.allReadyAt()); }
    // Answer to READ STATUS. `arePlanesReady`: those that it is about.
    std::uint8_t statusByte(bool arePlanesReady, Time now) const
    {
        return arePlanesReady ? array.statusByte(now) : statusNotProtected;
    }

    // A command reaches the cells at `now`: erases that are done can no longer be undone.
    void enterTime(Time now)
    {
        condition.enterTime(now);
        if (cells.hasOpenErases() && !array.isSuspended()) // only reads while suspended
            cells.endErases();
    }

    // First what each operation needs, in as few cache lines as possible.
    const Part& part;
    std::unique_ptr<FlashFaults> faults;
    ArrayState array;
    DieId id;
    PageRegisters registers;
    PlaneReads planes;
    CellCondition condition;
    DieObserver* observer = nullptr;
    DieCounterSet counters;
    DieCells cells;
    Rng draws; // what a power loss leaves
};

} // namespace strobe::nand
