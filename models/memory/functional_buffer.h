#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The memory of devices without time (functional preconditioning). It is the BulkMemory that they share with firmware,
// but a piece of the data buffer that one of them fills with a run of consecutive tags (isTagRun) is kept as the first
// tag of the run, and the tags are written out only when something else than whole pieces is needed. Most pieces are
// programmed before that. A piece is 4 KiB, the smallest unit of a mapping table, or a page if that is smaller.
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
    std::uint32_t sectorsPerPiece() const { return sectorsPerPiece_; }
    std::uint32_t pageShift() const { return pageShift_; } // log2 of sectors per page. REQUIRES: pieces are kept
    // Whole pieces of the buffer, which can be kept as runs.
    bool arePieces(BusAddress address, std::uint32_t sectors) const
    {
        const std::uint64_t offset = offsetOf(address);
        const std::uint64_t end = offset + std::uint64_t{sectors} * sectorBytes;
        return sectors != 0 && ((offset | end) & (pieceBytes_ - 1)) == 0 && end >> pieceShift_ <= runs_.size();
    }
    // The pieces are one run that begins with this address and version. REQUIRES: arePieces()
    void putRun(BusAddress address, std::uint32_t sectors, std::uint32_t lba, std::uint32_t version)
    {
        std::uint64_t run = kept | std::uint64_t{version & tagVersionMask} << 32U | lba;
        for (std::size_t piece = pieceOf(address); sectors != 0; sectors -= sectorsPerPiece_, run += sectorsPerPiece_)
            runs_[piece++] = run;
    }
    // The first tag of the one run that the pieces are; 0: they are not. REQUIRES: arePieces()
    SectorTag runAt(BusAddress address, std::uint32_t sectors) const
    {
        const std::size_t piece = pieceOf(address);
        const std::uint64_t run = runs_[piece];
        for (std::uint32_t done = sectorsPerPiece_; done < sectors; done += sectorsPerPiece_) {
            if (runs_[piece + done / sectorsPerPiece_] != run + done)
                return 0;
        }
        return run == 0 ? 0 : makeTag(tagLba(run), tagVersion(run));
    }
    // Sectors into `to`, which is not in this memory. REQUIRES: as BulkMemory::sectors()
    void copyTo(Content to, BusAddress address, std::uint32_t count);

    // As in BulkMemory.
    Content sectors(BusAddress address, std::uint32_t count);
    bool move(BusAddress address, std::uint32_t bytes, Content content, bool isWrite);

    // All contents are in memory afterwards.
    void writeOut();

private:
    static constexpr std::uint64_t kept = std::uint64_t{1} << 63;

    std::uint32_t offsetOf(BusAddress address) const { return raw(address) - base_; }
    std::size_t pieceOf(BusAddress address) const { return offsetOf(address) >> pieceShift_; }
    void writeOut(std::size_t piece);

    BulkMemory& memory_;
    std::uint32_t base_; // of the data buffer
    std::uint32_t sectorsPerPage_;
    std::uint32_t sectorsPerPiece_;
    std::uint32_t pieceBytes_;
    std::uint32_t pieceShift_ = 0; // log2 of pieceBytes_
    std::uint32_t pageShift_ = 0;
    // By piece of the buffer: `kept`, and version and address of its first sector as in a tag; 0: its contents are in
    // memory. Empty: no piece is kept.
    std::vector<std::uint64_t> runs_;
};

} // namespace strobe::memory
