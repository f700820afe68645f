#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The row slots of a flash unit: take row runs of jobs from memory to flash or from flash to memory or host.
//   read       in flash, decoding, storing data                program   fetching data, encoding, in flash
//   erase, copy-back   in flash; a copy-back is sent only after earlier programs, whose data must arrive first
// With a sector table (sector_table.h) buffered sectors are fetched first, with a unit table (unit_table.h) its words;
// the units of a program are gathered, those of a read are distributed. Reads to the host leave a slot by the
// splitter, in order of their sectors; the slot is free when the host interface has taken them.
// With several slots the die's next operation can wait in the channel's queue while the current one executes.
// The pages of a word line (DieGeometry::pagesPerProgram) are sent when the data of all of them is here, so that no
// part of one reaches its die. A unit needs slots for the pages of a word line. After a failed row the job is stopped:
// no further row of it starts, and no more of its data is sent to the host. Owns no clock: wake-ups are ordered with
// the slot's number as the token.

#include "models/controller/row_slot.h"

#include <cstdint>
#include <vector>

namespace strobe::controller {

class RowSlots {
public:
    static constexpr std::uint32_t none = UINT32_MAX;

    explicit RowSlots(const UnitContext& unit);

    std::uint32_t findFree() const // none if all are taken
    {
        for (std::size_t i = 0; i < slots_.size(); ++i) {
            if (slots_[i].isFree)
                return static_cast<std::uint32_t>(i);
        }
        return none;
    }
    // The next row of the job has to wait for an earlier one of the same dies: pages that a merge programs and pages
    // that it copies take different paths to the die, but the pages of a block must arrive in order.
    bool mustWait(const UnitJob& job) const
    {
        const bool isMerge = job.descriptor.hasSectorTable && job.descriptor.opcode != SuperchipOpcode::Read;
        return isMerge && job.rowsOpen != 0 && isRowTaken(job);
    }
    // The job's next row run takes the slot. REQUIRES: slot is free, !job.isStarted()
    void start(UnitContext& unit, std::uint32_t slot, UnitJob& job, Time now);

    void wake(UnitContext& unit, std::uint32_t slot, Time now);
    // False: other operations of its row are still in progress.
    bool operationDone(UnitContext& unit, std::uint16_t lane, const nand::Operation& op, Time now);
    void hostTook(UnitContext& unit, std::uint16_t lane, Time now);
    // A primitive of a stepped operation has ended: firmware is told. Then it issues the next one, which is refused if
    // it is not the one that follows.
    void primitiveEnded(UnitContext& unit, std::uint16_t lane, Time now);
    void issuePrimitive(UnitContext& unit, std::uint32_t primitive, Time now);

private:
    bool isRowTaken(const UnitJob& job) const; // the dies of the job's next row have an earlier row of it
    Time fetchRow(UnitContext& unit, RowSlot& slot, Time now);
    Time fetchBuffered(UnitContext& unit, RowSlot& slot, Time now);
    Time fetchUnits(UnitContext& unit, RowSlot& slot, Time now);
    static void passXorEngine(const UnitContext& unit, RowSlot& slot);
    void send(UnitContext& unit, std::uint32_t index, Time dataAt);
    void suspend(const UnitContext& unit, RowSlot& slot, Time now);
    void programBlankMerge(UnitContext& unit, std::uint16_t lane, const nand::Operation& copyOut, Time now);
    void hold(UnitContext& unit, std::uint32_t index, Time dataAt, Time now);
    void sendWordLine(UnitContext& unit, const UnitJob& job, Time now);
    void dropHeld(const UnitContext& unit, const UnitJob& job, Time now);
    void store(UnitContext& unit, std::uint32_t index, Time now);
    void storeUnits(UnitContext& unit, std::uint32_t index, Time now);
    void storing(UnitContext& unit, std::uint32_t index, const Moved& moved, MalformedReason reason, Time now);
    void sendToHost(UnitContext& unit, UnitJob& job, Time now);
    static Moved moveRow(const UnitContext& unit, RowSlot& slot, Direction direction, Time at);
    static Moved moveSpares(const UnitContext& unit, RowSlot& slot, Direction direction, Time at);
    void finish(const UnitContext& unit, RowSlot& slot, Time now)
    {
        slot.isFree = true;
        --slot.job->rowsOpen;
        if (unit.observer != nullptr)
            unit.observer->rowEnded(unit.id, static_cast<std::uint32_t>(&slot - slots_.data()), now);
    }

    std::vector<RowSlot> slots_;
    Time programsSent_{}; // the last row with data is at its channels
};

} // namespace strobe::controller
