#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The memory of devices without time (functional preconditioning). It is the BulkMemory that they share with firmware,
// but a page of the data buffer that one of them fills with a run of consecutive tags (isTagRun) is kept as the first
// tag of the run, and the tags are written out only when something else than a whole page is needed. Most pages are
// programmed before that.
//
// REQUIRES: while the object exists, the data buffer is accessed through it only; writeOut() at the end.

#include "models/memory/bulk_memory.h"

#include <cstdint>
#include <vector>

namespace strobe::memory {

class FunctionalBuffer {
public:
    // Pages of so many sectors. `memory` must outlive the object.
    FunctionalBuffer(BulkMemory& memory, std::uint32_t sectorsPerPage);

    // Control memory, and rules that do not depend on contents.
    BulkMemory& memory() { return memory_; }
    const BulkMemory& memory() const { return memory_; }

    std::uint32_t sectorsPerPage() const { return sectorsPerPage_; }
    std::uint32_t sectorShift() const { return pageShift_ - 9; } // log2 of it. REQUIRES: pages are kept
    // A whole page of the buffer, which can be kept as a run.
    bool isPage(BusAddress address, std::uint32_t sectors) const
    {
        return sectors == sectorsPerPage_ && pageOf(address) < runs_.size() &&
               (offsetOf(address) & (pageBytes_ - 1)) == 0;
    }
    // The page is the run that begins with this tag. REQUIRES: isPage(), a tag that is not 0
    void putRun(BusAddress address, SectorTag first) { runs_[pageOf(address)] = first; }
    // The first tag of the page's run; 0: the page is not kept as a run. REQUIRES: isPage()
    SectorTag runAt(BusAddress address) const { return runs_[pageOf(address)]; }

    // As in BulkMemory.
    Content sectors(BusAddress address, std::uint32_t count);
    bool move(BusAddress address, std::uint32_t bytes, Content content, bool isWrite);

    // All contents are in memory afterwards.
    void writeOut();

private:
    std::uint32_t offsetOf(BusAddress address) const { return raw(address) - base_; }
    std::size_t pageOf(BusAddress address) const { return offsetOf(address) >> pageShift_; }
    void writeOut(std::size_t page);

    BulkMemory& memory_;
    std::uint32_t base_; // of the data buffer
    std::uint32_t sectorsPerPage_;
    std::uint32_t pageBytes_;
    std::uint32_t pageShift_ = 0;
    std::vector<SectorTag> runs_; // by page of the buffer; 0: its contents are in memory. Empty: no page is kept
};

} // namespace strobe::memory
