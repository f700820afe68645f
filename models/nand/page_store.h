#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What the pages of one die hold: sparse, so memory follows what was written and not the capacity. A block takes memory
// at its first program and returns it to a free list when it is erased. Host memory per page of such a block:
//   spare record, state, and one run of tags   28 bytes: consecutive tags of one version, with blank sectors before and
//                                              after allowed (the usual case: a page written by one request)
//   other contents                             sectors per page x stride(mode) bytes more
//   spare records after the first              4 bytes each if they count up, for all pages of a block in which one
//                                              page has some; 16 bytes each besides if others occur
//                                              (further_records.h)
// All that a usual page needs is in one place: pages are visited in an order that no cache can predict.
// The representation belongs to the page, not to the store: firmware metadata is real bytes in every data mode.
// Not modelled here: legality (Die), errors and aging. Limit: at most 255 sectors per page.

#include "models/base/content.h"
#include "models/nand/further_records.h"
#include "models/nand/geometry.h"
#include "models/nand/operation.h"
#include "models/nand/slot_pool.h"
#include "models/nand/stored_page.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace strobe {
class ByteReader;
class ByteWriter;
} // namespace strobe

namespace strobe::nand {

class PageStore {
public:
    explicit PageStore(const DieGeometry& geometry);

    bool isProgrammed(PageAddress address) const;
    // Stores sectors [firstSector, firstSector + sectors) of the page, the rest reads back as blank (zero tags / 0xFF
    // bytes), the spare record of the first sector, and in `more` those after it (DieGeometry::recordsOf() - 1); null:
    // there are none. All other records of the page are blank. `data` may be empty (timing only).
    // REQUIRES: !isProgrammed(address).
    void program(PageAddress address, std::uint32_t firstSector, std::uint32_t sectors, Content data,
                 const Spare& spare, const Spare* more = nullptr);
    // The same for a whole page of consecutive tags, of which `first` is the first one. False: the page is programmed.
    bool programRun(PageAddress address, SectorTag first, const Spare& spare, const Spare* more = nullptr)
    {
        const Block& block = blocks_[address.block];
        Page& page = block.pages == SlotPool<Page>::none ? freshPage(address) : pages_[block.pages][address.page];
        if (page.form != Form::Erased)
            return false;
        page.spare = spare;
        page.form = Form::TagRun;
        page.first = 0;
        page.sectors = static_cast<std::uint8_t>(sectorsPerPage_);
        page.setTag(first);
        __builtin_prefetch(&page + pagesAhead, 1);
        if (more != nullptr)
            page.further = further_.keep(block.pages, address.page, spare, more);
        return true;
    }
    // Copies sectors out into `data` in its own representation (a page that holds another one yields blank sectors).
    // `spare` is the record of the first sector, `more` has place for those after it; null: they are not wanted.
    // Returns false for a page that is not programmed: blank sectors, blank records.
    bool read(PageAddress address, std::uint32_t firstSector, std::uint32_t sectors, Content data, Spare& spare,
              Spare* more = nullptr) const;
    // What read() gives for such a page, with `moreRecords` after the first.
    static void readBlank(std::uint32_t sectors, Content data, Spare& spare, Spare* more, std::uint32_t moreRecords);
    void copy(PageAddress source, PageAddress target); // contents and records; REQUIRES: target not programmed
    // Sectors of a programmed page, by bit, replaced by those of `data`, a whole page; its first record replaced.
    void replace(PageAddress address, std::uint64_t sectors, Content data);
    void setSpare(PageAddress address, const Spare& spare);
    void corrupt(PageAddress address); // programmed afterwards, contents and spare lost (an aborted program)
    // State of a page after a power loss: programmed afterwards; reads as beyond correction, or as if it were blank.
    void markTorn(PageAddress address, bool looksBlank);
    bool isTorn(PageAddress address) const;     // interrupted by a power loss: reads are beyond correction
    bool looksBlank(PageAddress address) const; // not programmed, or torn and reads as if it were not
    void undoProgram(PageAddress address);      // not programmed afterwards
    void erase(std::uint32_t block);

    // An erase that may have to be undone: the contents are kept until they are restored or dropped.
    struct Block {
        std::uint32_t pages = SlotPool<std::byte>::none;
        std::uint32_t wholePages = 0; // how many of its pages hold a slot of their own
    };
    Block setAside(std::uint32_t block);
    void putBack(std::uint32_t block, const Block& contents); // REQUIRES: nothing was programmed since
    void drop(Block contents);

    // A block's pages into a file and back, to the bit (page_columns.h). REQUIRES: the block to restore holds nothing.
    void save(ByteWriter& file, std::uint32_t block) const;
    void restore(ByteReader& file, std::uint32_t block); // throws DamagedBytes

    std::size_t bytesInUse() const; // host memory held for contents, for the report

    // The page is likely to be accessed soon: prefetches its record into the host's caches. These hold little of a
    // large drive, and the pages of a block are programmed, and mostly read, one after the other.
    void expect(PageAddress address) const
    {
        const Block& block = blocks_[address.block];
        if (block.pages != SlotPool<Page>::none && address.page < pagesPerBlock_)
            __builtin_prefetch(pages_[block.pages] + address.page);
    }

private:
    // Pages of a block are programmed in order, but those of other blocks come between: by then the next one is in the
    // host's caches.
    static constexpr std::uint32_t pagesAhead = 3;

    using Page = StoredPage;
    using Form = StoredPage::Form;

    const Page* find(PageAddress address) const; // null: the block holds nothing
    Page& freshPage(PageAddress address);
    static bool keepAsTagRun(Page& page, std::uint32_t firstSector, std::uint32_t sectors, const std::byte* tags);
    void keepRecords(PageAddress address, Page& page, std::uint32_t first, std::uint32_t count, const Spare& spare,
                     const Spare* more);
    Spare recordOf(PageAddress address, const Page& page, std::uint32_t record) const
    {
        return record == 0 ? page.spare
                           : further_.at(blocks_[address.block].pages, address.page, page.further, page.spare, record);
    }
    // Those after the first. REQUIRES: the page has some, or is given some
    std::vector<Spare> furtherOf(PageAddress address, const Page& page) const;
    void keepFurther(PageAddress address, Page& page, const std::vector<Spare>& records);
    std::uint32_t records() const { return further_.perPage() + 1; } // of a page
    void keepWhole(PageAddress address, Page& page, std::uint32_t firstSector, std::uint32_t sectors, Content data);
    std::uint32_t takeWholePage(PageAddress address, Page& page);
    void dropContents(Block& block, Page& page);
    SlotPool<std::byte>& wholePages(Form form) { return form == Form::TagPage ? tagPages_ : bytePages_; }
    const SlotPool<std::byte>& wholePages(Form form) const { return form == Form::TagPage ? tagPages_ : bytePages_; }

    DieGeometry geometry_;
    std::uint32_t pagesPerBlock_;
    std::uint32_t sectorsPerPage_;
    std::vector<Block> blocks_;
    SlotPool<Page> pages_;          // one run per block in use
    SlotPool<std::byte> tagPages_;  // one run per page
    SlotPool<std::byte> bytePages_; // one run per page
    FurtherRecords further_;        // of pages, by the run of their block
    std::vector<std::byte> whole_;  // scratch of replace()
};

} // namespace strobe::nand
