#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The cells of one die: state of its blocks, contents of its pages (page_store.h), erase and overwrite counts, and the
// effect of programs, erases, aborts and power losses on them. Neither time nor command legality is decided here.
// An erase keeps the old contents until endErases(), so that it can be undone.
// Not modelled: loss of finished pages that share their cells with an interrupted program, disturbance of neighbours.

#include "models/base/rng.h"
#include "models/nand/operation.h"
#include "models/nand/page_store.h"
#include "models/nand/part.h"

#include <cstdint>
#include <vector>

namespace strobe::nand {

// Value of the first spare word of page 0 of a factory bad block; in a good erased block it is 0xFFFFFFFF.
inline constexpr std::uint32_t badBlockMark = 0;

class DieCells {
public:
    struct Block {
        std::uint32_t erases = 0;
        std::uint32_t pslcErases = 0; // of these, in pSLC mode
        std::uint32_t nextPage = 0; // lowest that may still be programmed; those below: programmed, skipped, corrupted
        bool factoryBad = false;
        bool metadata = false; // the last erase or program was for metadata: no host data
        bool wornOut = false;
        bool failed = false;    // at least one program or erase gave FAIL
        bool pslc = false;      // mode of the first program since the last erase; until then, of that erase
        bool corrupted = false; // an erase failed or was aborted: no page is clean, none holds anything
    };

    // `part` must outlive the object. REQUIRES: badBlocks < blocks of the part.
    DieCells(const Part& part, std::uint32_t badBlocks, Rng rng);

    const Part& part() const { return part_; }
    std::uint32_t blocks() const { return static_cast<std::uint32_t>(blocks_.size()); }
    const Block& block(std::uint32_t number) const { return blocks_[number]; }
    bool isClean(PageAddress page) const { return !blocks_[page.block].corrupted && !store_.isProgrammed(page); }
    bool isProgrammed(PageAddress page) const { return store_.isProgrammed(page); }
    bool holdsMark(PageAddress page) const { return blocks_[page.block].factoryBad && page.page == 0; }
    std::uint32_t overwrites(PageAddress page) const // PCM: programs of the page; else 0
    {
        return overwrites_.empty() ? 0 : overwrites_[number(page)];
    }
    std::uint32_t cycles(PageAddress page) const // that wear the page: overwrites, or erases of its block
    {
        return overwrites_.empty() ? blocks_[page.block].erases : overwrites_[number(page)];
    }
    std::size_t bytesInUse() const { return store_.bytesInUse(); }

    // Reads. The page is likely to be accessed soon after expect().
    bool looksBlank(PageAddress page) const // erased, or torn and reads as if it were; the mark is not blank
    {
        return store_.looksBlank(page) && !blocks_[page.block].corrupted && !holdsMark(page);
    }
    bool isTorn(PageAddress page) const
    {
        return store_.isTorn(page);
    } // interrupted by a power loss: reads are beyond correction
    // Of a page of a block that is in the other mode than `isPslc`: something is programmed in its cells.
    bool holdsOtherMode(PageAddress page, bool isPslc) const;
    void read(Operation& op) const; // op.target's sectors into op.data, their records into op.spare and op.moreSpares
    // Contents of a page as stored, without errors, in the representation of `data`, a whole page; blank if the page
    // holds another one. False: it is not programmed.
    bool peek(PageAddress page, Content data) const;
    // Spare record as stored; blank: not programmed. REQUIRES: record < spareRecords() of the geometry
    Spare spareOf(PageAddress page, std::uint32_t record = 0) const;
    void expect(PageAddress page) const { store_.expect(page); }

    // Program or copy-back (op.opcode). False: it fails, or the block is worn out: the page is corrupted.
    bool program(const Operation& op, bool fails = false);
    // What was programmed last in the page is not what was meant: reads are beyond correction.
    void spoil(PageAddress page) { store_.markTorn(page, false); }
    // Program of a whole page with the run of consecutive tags that begins with `first`, in the usual case: a page that
    // may be programmed, of a good block that is not overwritten. False: another case, nothing has happened.
    bool programRun(PageAddress page, SectorTag first, const Spare& spare, bool isMetadata, const Spare* more)
    {
        if (page.block >= blocks_.size() || page.page >= part_.geometry.pagesPerBlock || !overwrites_.empty())
            return false;
        Block& block = blocks_[page.block];
        if (block.factoryBad || block.wornOut || block.corrupted || (block.pslc && block.nextPage != 0) ||
            page.page < block.nextPage || (part_.geometry.hasWordLines() && page.page != block.nextPage) ||
            !store_.programRun(page, first, spare, more))
            return false;
        block.pslc = false;
        block.nextPage = page.page + 1;
        block.metadata = isMetadata;
        return true;
    }
    // The block is in pSLC mode, or not, until its first program. False: it fails, or is worn out, and is corrupted.
    bool erase(std::uint32_t block, bool isMetadata, bool isPslc = false, bool fails = false);
    // Drops the contents that erases have kept: those erases can no longer be undone.
    bool hasOpenErases() const { return !erasing_.empty(); }
    void endErases();

    // The operation was aborted in the array: neither the old nor the new contents.
    void corrupt(Opcode opcode, PageAddress target);
    // A power loss: the operation has not begun / was in progress, and each page is decided by a draw.
    void undo(Opcode opcode, PageAddress target);
    void interrupt(Opcode opcode, PageAddress target, Rng& draws);

    // From now on programs and erases of the block fail.
    void wearOut(std::uint32_t block);

    // Everything, into a file and back, to the bit (format: docs/drive_images.md). REQUIRES: no open
    // erase; restore() into new cells of the same part.
    void save(ByteWriter& file) const;
    void restore(ByteReader& file); // throws DamagedBytes

private:
    struct Erasing { // what an erase takes away
        std::uint32_t block;
        PageStore::Block contents;
        std::uint32_t nextPage;
        bool corrupted;
        bool pslc;
    };

    std::size_t number(PageAddress page) const
    {
        return static_cast<std::size_t>(std::uint64_t{page.block} * part_.geometry.pagesPerBlock + page.page);
    }
    std::vector<Erasing>::iterator findErasing(std::uint32_t block);
    void corruptBlock(std::uint32_t block);
    void interruptErase(std::uint32_t block, Rng& draws);

    // First what each operation needs.
    const Part& part_;
    std::vector<Block> blocks_;
    std::vector<Erasing> erasing_;          // in the array or latched
    std::vector<std::uint32_t> overwrites_; // PCM: by page; else empty
    PageStore store_;
};

} // namespace strobe::nand
