#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A row slot: one row run of a job in progress, with its speed-matching buffer and its sector or unit table; and the
// low-level operations that the row run becomes. The functions are pure: they read job and slot and send nothing.

#include "models/controller/row_buffer.h"
#include "models/controller/sector_table.h"
#include "models/controller/unit_job.h"
#include "models/controller/unit_table.h"

#include <cstdint>

namespace strobe::controller {

struct alignas(64) RowSlot { // first what each row needs
    bool isFree = true;
    bool isWaiting = false; // for the rows before it to be sent to the host
    Stage stage = Stage::InFlash;
    bool hasFailed = false;
    bool isHeld = false; // its data is here; the other pages of its word line are not
    UnitJob* job = nullptr;
    RowRun run;
    std::uint32_t offset = 0;    // first sector, counted from the descriptor's first
    std::uint32_t firstPage = 0; // of the descriptor: number of its first spare record
    std::uint32_t pages = 0;
    std::uint32_t pending = 0;         // operations not done
    Primitive next = Primitive::None;  // of a stepped operation: which one follows …
    bool isSuspended = false;          // … when firmware issues it
    bool isBlankMerge = false;         // stepped merge: the source is blank, the transfer is a program
    const SuperchipMap* map = nullptr; // of its descriptor
    Time since{};                      // of the stage
    Time decoded{};
    RowBuffer buffer;
    SectorTable table; // if its descriptor has one
    UnitTable units;   // the same

    RowSlot(const SuperchipMap& largest, DataMode mode) : buffer(largest, mode) {}

    std::uint32_t buses() const { return map->degrees().bus; }
    Content wholeRow() { return buffer.wholeRow(buses()); }
    nand::Spare& spareOf(std::uint32_t bus)
    {
        return job->descriptor.hasUnitTable ? units.records()[0] : buffer.spares()[placeInRow(*map, run, bus)];
    }
    BusAddress memoryAddress() const // of the row's first sector in the data buffer
    {
        return job->descriptor.buffer + static_cast<std::uint32_t>(offset * job->descriptor.step * sectorBytes);
    }

    // Number of the page on `bus` among the pages of its row run, in order of the buses.
    static std::uint32_t placeInRow(const SuperchipMap& map, const RowRun& run, std::uint32_t bus);
};

// Whether the page on `bus` needs an operation.
bool needsFlashWithTable(const RowSlot& slot, std::uint32_t bus, const PageRun& share);
inline bool needsFlash(const RowSlot& slot, std::uint32_t bus, const PageRun& share)
{
    return !slot.job->descriptor.hasSectorTable || needsFlashWithTable(slot, bus, share);
}
// The operation of the page on `bus`. REQUIRES: needsFlash() if the descriptor has a sector table.
nand::Operation lowLevelOperation(RowSlot& slot, nand::Priority priority, std::uint32_t bus, const PageRun& share);
// Of a stepped operation: the primitive after its first one, and the one after `primitive`.
Primitive firstPrimitive(const nand::Operation& op);
inline Primitive primitiveAfter(Primitive primitive)
{
    return primitive == Primitive::RecordOut ? Primitive::Transfer : Primitive::StatusRead;
}
// A merge has found the source of `copyOut` blank: returns the program of the replaced sectors that is executed
// instead.
nand::Operation programOfBlankMerge(const RowSlot& slot, const nand::Operation& copyOut);

} // namespace strobe::controller
