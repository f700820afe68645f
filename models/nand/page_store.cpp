// SPDX-License-Identifier: Apache-2.0
#include "models/nand/page_store.h"

#include "models/base/bytes.h"
#include "models/base/check.h"
#include "models/nand/page_columns.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

namespace strobe::nand {

namespace {

SectorTag tagAt(const std::byte* tags, std::uint32_t sector)
{
    SectorTag tag = 0;
    std::memcpy(&tag, tags + sector * sizeof tag, sizeof tag);
    return tag;
}

// Contents of an erased cell: ones. The tag of such a sector is the all-zero one.
void blankSectors(Content data, std::uint32_t sectors)
{
    if (!data.empty())
        std::fill_n(data.data, sectors * stride(data.mode),
                    data.mode == DataMode::Bytes ? std::byte{0xFF} : std::byte{0});
}

} // namespace

PageStore::PageStore(const DieGeometry& geometry)
    : geometry_(geometry), pagesPerBlock_(geometry.pagesPerBlock), sectorsPerPage_(geometry.sectorsPerPage()),
      blocks_(geometry.blocks()), pages_(pagesPerBlock_), tagPages_(sectorsPerPage_ * stride(DataMode::Tags)),
      bytePages_(sectorsPerPage_ * stride(DataMode::Bytes)),
      further_(geometry.pagesPerBlock, geometry.spareRecords() - 1)
{
    check(sectorsPerPage_ >= 1 && sectorsPerPage_ <= UINT8_MAX, "a page has 1 to 255 sectors");
}

const PageStore::Page* PageStore::find(PageAddress address) const
{
    const Block& block = blocks_[address.block];
    return block.pages == SlotPool<Page>::none ? nullptr : pages_[block.pages] + address.page;
}

bool PageStore::isProgrammed(PageAddress address) const
{
    const Page* page = find(address);
    return page != nullptr && page->form != Form::Erased;
}

PageStore::Page& PageStore::freshPage(PageAddress address)
{
    Block& block = blocks_[address.block];
    if (block.pages == SlotPool<Page>::none) {
        block.pages = pages_.acquire();
        std::fill_n(pages_[block.pages], pagesPerBlock_, Page{});
    }
    Page& page = pages_[block.pages][address.page];
    check(page.form == Form::Erased, "a page is programmed twice in the page store");
    return page;
}

void PageStore::program(PageAddress address, std::uint32_t firstSector, std::uint32_t sectors, Content data,
                        const Spare& spare, const Spare* more)
{
    Page& page = freshPage(address);
    page.spare = spare;
    page.form = Form::Blank;
    if (more != nullptr || firstSector >= sectorsPerRecord)
        keepRecords(address, page, geometry_.recordOf(firstSector),
                    more != nullptr ? geometry_.recordsOf(firstSector, sectors) : 1, spare, more);
    if (data.empty() || sectors == 0)
        return;
    if (data.mode == DataMode::Tags && keepAsTagRun(page, firstSector, sectors, data.data))
        return;
    keepWhole(address, page, firstSector, sectors, data);
}

// `count` records of the page from number `first` on; its others are blank.
void PageStore::keepRecords(PageAddress address, Page& page, std::uint32_t first, std::uint32_t count,
                            const Spare& spare, const Spare* more)
{
    if (first + count == 1)
        return;
    std::array<Spare, UINT8_MAX / sectorsPerRecord + 1> all;
    all.fill(blankSpare);
    all[first] = spare;
    std::copy_n(more, count - 1, all.begin() + first + 1);
    page.spare = all[0];
    page.further = further_.keep(blocks_[address.block].pages, address.page, all[0], all.data() + 1);
}

// Blank sectors around the run (a request smaller than the page, padded by firmware) do not count. False: the sectors
// between the first and the last that carry a tag are not one run.
bool PageStore::keepAsTagRun(Page& page, std::uint32_t firstSector, std::uint32_t sectors, const std::byte* tags)
{
    std::uint32_t begin = 0;
    std::uint32_t end = sectors;
    while (begin < end && tagAt(tags, begin) == 0)
        ++begin;
    if (begin == end)
        return true; // all blank: nothing to keep
    while (tagAt(tags, end - 1) == 0)
        --end;
    if (!isTagRun(tags + begin * sizeof(SectorTag), end - begin))
        return false;
    page.form = Form::TagRun;
    page.first = static_cast<std::uint8_t>(firstSector + begin);
    page.sectors = static_cast<std::uint8_t>(end - begin);
    page.setTag(tagAt(tags, begin));
    return true;
}

void PageStore::keepWhole(PageAddress address, Page& page, std::uint32_t firstSector, std::uint32_t sectors,
                          Content data)
{
    page.form = data.mode == DataMode::Tags ? Form::TagPage : Form::BytePage;
    const std::uint32_t slot = takeWholePage(address, page);
    const Content kept{wholePages(page.form)[slot], data.mode};
    blankSectors(kept, firstSector);
    copySectors(kept.at(firstSector), data, sectors);
    blankSectors(kept.at(firstSector + sectors), sectorsPerPage_ - firstSector - sectors);
}

bool PageStore::read(PageAddress address, std::uint32_t firstSector, std::uint32_t sectors, Content data, Spare& spare,
                     Spare* more) const
{
    const Page* page = find(address);
    if (page == nullptr || page->form == Form::Erased) {
        readBlank(sectors, data, spare, more, geometry_.recordsOf(firstSector, sectors) - 1);
        return false;
    }
    const std::uint32_t first = firstSector < sectorsPerRecord ? 0 : geometry_.recordOf(firstSector);
    spare = recordOf(address, *page, first);
    if (more != nullptr) {
        const std::uint32_t count = geometry_.recordsOf(firstSector, sectors);
        for (std::uint32_t i = 1; i < count; ++i)
            more[i - 1] = recordOf(address, *page, first + i);
    }
    if (data.empty())
        return true;
    switch (page->form) {
    case Form::TagRun:
        if (data.mode == DataMode::Tags) {
            const SectorTag tag = page->tag();
            const std::uint32_t end = firstSector + sectors;
            const std::uint32_t from = std::clamp<std::uint32_t>(page->first, firstSector, end);
            const std::uint32_t to = std::clamp<std::uint32_t>(page->first + page->sectors, from, end);
            blankSectors(data, from - firstSector);
            makeTagRun(tagLba(tag) + (from - page->first), tagVersion(tag), to - from,
                       data.data + (from - firstSector) * sizeof(SectorTag));
            blankSectors(data.at(to - firstSector), end - to);
            return true;
        }
        break;
    case Form::TagPage:
    case Form::BytePage:
        if (data.mode == (page->form == Form::TagPage ? DataMode::Tags : DataMode::Bytes)) {
            std::memcpy(data.data, wholePages(page->form)[page->slot()] + firstSector * stride(data.mode),
                        sectors * stride(data.mode));
            return true;
        }
        break;
    case Form::Erased:
    case Form::Blank:
    case Form::Torn:
    case Form::TornBlank: break;
    }
    blankSectors(data, sectors);
    return true;
}

void PageStore::readBlank(std::uint32_t sectors, Content data, Spare& spare, Spare* more, std::uint32_t moreRecords)
{
    blankSectors(data, sectors);
    spare = blankSpare;
    if (more != nullptr)
        std::fill_n(more, moreRecords, blankSpare);
}

std::vector<Spare> PageStore::furtherOf(PageAddress address, const Page& page) const
{
    std::vector<Spare> found(further_.perPage());
    for (std::uint32_t i = 0; i < further_.perPage(); ++i)
        found[i] = recordOf(address, page, i + 1);
    return found;
}

void PageStore::keepFurther(PageAddress address, Page& page, const std::vector<Spare>& records)
{
    page.further = further_.keep(blocks_[address.block].pages, address.page, page.spare, records.data());
}

void PageStore::copy(PageAddress source, PageAddress target)
{
    Page& page = freshPage(target);
    const Page* from = find(source); // after freshPage: the pools may have grown, runs do not move
    if (from == nullptr || from->form == Form::Erased) {
        page.spare = blankSpare;
        page.form = Form::Blank;
        return;
    }
    page = *from;
    if (page.further != FurtherRecords::none)
        keepFurther(target, page, furtherOf(source, *from));
    if (page.form == Form::TagPage || page.form == Form::BytePage) {
        const std::uint32_t slot = takeWholePage(target, page);
        SlotPool<std::byte>& pool = wholePages(page.form);
        std::memcpy(pool[slot], pool[from->slot()], pool.length());
    }
}

void PageStore::replace(PageAddress address, std::uint64_t sectors, Content data)
{
    if (sectors == 0 || data.empty())
        return;
    whole_.resize(sectorsPerPage_ * stride(data.mode));
    const Content whole{whole_.data(), data.mode};
    Spare spare;
    read(address, 0, sectorsPerPage_, whole, spare);
    for (std::uint64_t left = sectors; left != 0; left &= left - 1) {
        const auto sector = static_cast<std::uint32_t>(__builtin_ctzll(left));
        copySectors(whole.at(sector), data.at(sector), 1);
    }
    Page& page = pages_[blocks_[address.block].pages][address.page];
    const FurtherRecords::Kind further = page.further; // these records stay in their places
    undoProgram(address);
    program(address, 0, sectorsPerPage_, whole, spare);
    page.further = further;
}

void PageStore::setSpare(PageAddress address, const Spare& spare)
{
    Page& page = pages_[blocks_[address.block].pages][address.page];
    if (page.further == FurtherRecords::none) {
        page.spare = spare;
        return;
    }
    const std::vector<Spare> further = furtherOf(address, page);
    page.spare = spare;
    keepFurther(address, page, further);
}

// Of the page's form.
std::uint32_t PageStore::takeWholePage(PageAddress address, Page& page)
{
    const std::uint32_t slot = wholePages(page.form).acquire();
    page.body = {slot, 0};
    ++blocks_[address.block].wholePages;
    return slot;
}

void PageStore::dropContents(Block& block, Page& page)
{
    if (page.form == Form::TagPage || page.form == Form::BytePage) {
        wholePages(page.form).release(page.slot());
        --block.wholePages;
    }
    page.form = Form::Erased;
    page.further = FurtherRecords::none;
}

void PageStore::undoProgram(PageAddress address)
{
    Block& block = blocks_[address.block];
    if (block.pages != SlotPool<Page>::none)
        dropContents(block, pages_[block.pages][address.page]);
}

void PageStore::corrupt(PageAddress address)
{
    undoProgram(address);
    Page& page = freshPage(address);
    page.spare = blankSpare;
    page.form = Form::Blank;
}

void PageStore::markTorn(PageAddress address, bool looksBlank)
{
    corrupt(address);
    pages_[blocks_[address.block].pages][address.page].form = looksBlank ? Form::TornBlank : Form::Torn;
}

bool PageStore::isTorn(PageAddress address) const
{
    const Page* page = find(address);
    return page != nullptr && page->form == Form::Torn;
}

bool PageStore::looksBlank(PageAddress address) const
{
    const Page* page = find(address);
    return page == nullptr || page->form == Form::Erased || page->form == Form::TornBlank;
}

void PageStore::erase(std::uint32_t number)
{
    drop(setAside(number));
}

PageStore::Block PageStore::setAside(std::uint32_t number)
{
    const Block contents = blocks_[number];
    blocks_[number] = {};
    return contents;
}

void PageStore::putBack(std::uint32_t number, const Block& contents)
{
    check(blocks_[number].pages == SlotPool<Page>::none, "contents are restored to a block that is not empty");
    blocks_[number] = contents;
}

void PageStore::drop(Block block)
{
    if (block.pages == SlotPool<Page>::none)
        return;
    for (std::uint32_t i = 0; block.wholePages > 0; ++i) // usually none: runs of tags need no visit
        dropContents(block, pages_[block.pages][i]);
    further_.release(block.pages);
    pages_.release(block.pages);
}

void PageStore::save(ByteWriter& file, std::uint32_t number) const
{
    PageColumns columns(pagesPerBlock_, records(), sectorsPerPage_);
    const Page* pages = find({number, 0});
    for (std::uint32_t i = 0; pages != nullptr && i < pagesPerBlock_; ++i) {
        const Page& page = pages[i];
        if (page.form != Form::Erased)
            columns.add(
                {i, page, page.further == FurtherRecords::none ? std::vector<Spare>{} : furtherOf({number, i}, page)});
    }
    file.put(static_cast<std::uint8_t>(columns.rows().empty() ? 0 : 1));
    if (columns.rows().empty())
        return;
    columns.save(file);
    for (const Form form : {Form::TagPage, Form::BytePage}) {
        for (const PageColumns::Row& row : columns.rows()) {
            if (row.page.form == form)
                file.putRun(wholePages(form)[row.page.slot()], wholePages(form).length());
        }
    }
}

void PageStore::restore(ByteReader& file, std::uint32_t number)
{
    if (file.takeBelow<std::uint8_t>(2) == 0)
        return;
    PageColumns columns(pagesPerBlock_, records(), sectorsPerPage_);
    columns.restore(file);
    for (const PageColumns::Row& row : columns.rows()) {
        const PageAddress address{number, row.number};
        Page& page = freshPage(address);
        page = row.page;
        if (!row.further.empty())
            keepFurther(address, page, row.further);
    }
    for (const Form form : {Form::TagPage, Form::BytePage}) {
        for (const PageColumns::Row& row : columns.rows()) {
            if (row.page.form != form)
                continue;
            const std::string_view run = file.takeRun(wholePages(form).length());
            const PageAddress address{number, row.number};
            Page& page = pages_[blocks_[number].pages][row.number];
            std::memcpy(wholePages(form)[takeWholePage(address, page)], run.data(), run.size());
        }
    }
}

std::size_t PageStore::bytesInUse() const
{
    return pages_.bytes() + tagPages_.bytes() + bytePages_.bytes() + further_.bytes() + blocks_.size() * sizeof(Block);
}

} // namespace strobe::nand
