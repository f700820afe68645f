// SPDX-License-Identifier: Apache-2.0
//
// The contents of dies as bytes of a file. Equal values are next to each other, and numbers that usually rise in steps
// are written as differences, because the file is compressed. Format: docs/drive_images.md.
#include "models/base/bytes.h"
#include "models/nand/die_cells.h"

#include <cstring>
#include <utility>
#include <vector>

namespace strobe::nand {

namespace {

constexpr unsigned factoryBadBit = 1;
constexpr unsigned metadataBit = 2;
constexpr unsigned wornOutBit = 4;
constexpr unsigned failedBit = 8;
constexpr unsigned corruptedBit = 16;
constexpr unsigned pslcBit = 32;

// With the kind of a page: it has records after the first.
constexpr std::uint8_t moreRecordsBit = 0x80;

// A column of numbers, each as the difference to the one before.
class Differences {
public:
    void put(ByteWriter& file, std::uint32_t value) { file.put(value - std::exchange(last_, value)); }
    std::uint32_t take(ByteReader& file) { return last_ += file.take<std::uint32_t>(); }

private:
    std::uint32_t last_ = 0;
};

} // namespace

void PageStore::save(ByteWriter& file, std::uint32_t number) const
{
    const Page* pages = find({number, 0});
    std::vector<const Page*> programmed;
    const std::uint32_t count = pages == nullptr ? 0 : pagesPerBlock_;
    for (std::uint32_t page = 0; page < count; ++page) {
        if (pages[page].form != Form::Erased)
            programmed.push_back(pages + page);
    }
    file.put(static_cast<std::uint8_t>(programmed.empty() ? 0 : 1));
    if (programmed.empty())
        return;
    std::vector<std::vector<Spare>> further;
    for (std::uint32_t page = 0; page < count; ++page) {
        const unsigned more = pages[page].further != FurtherRecords::none ? moreRecordsBit : 0U;
        file.put(static_cast<std::uint8_t>(static_cast<unsigned>(pages[page].form) | more));
        if (more != 0)
            further.push_back(furtherOf({number, page}, pages[page]));
    }
    for (std::size_t word = 0; word < Spare{}.size(); ++word) {
        Differences column;
        for (const Page* page : programmed)
            column.put(file, page->spare[word]);
    }
    for (std::uint32_t record = 1; record < records(); ++record) {
        for (std::size_t word = 0; word < Spare{}.size(); ++word) {
            Differences column;
            for (const std::vector<Spare>& records : further)
                column.put(file, records[record - 1][word]);
        }
    }
    const auto eachOf = [&programmed](Form form, const auto& visit) {
        for (const Page* page : programmed) {
            if (page->form == form)
                visit(*page);
        }
    };
    eachOf(Form::TagRun, [&file](const Page& page) { file.put(page.first); });
    eachOf(Form::TagRun, [&file](const Page& page) { file.put(page.sectors); });
    Differences addresses;
    eachOf(Form::TagRun, [&](const Page& page) { addresses.put(file, tagLba(page.tag())); });
    eachOf(Form::TagRun, [&file](const Page& page) { file.put(tagVersion(page.tag())); });
    for (const Form form : {Form::TagPage, Form::BytePage}) {
        eachOf(form, [&](const Page& page) { file.putRun(wholePages(form)[page.slot()], wholePages(form).length()); });
    }
}

void PageStore::restore(ByteReader& file, std::uint32_t number)
{
    if (file.takeBelow<std::uint8_t>(2) == 0)
        return;
    struct Found {
        PageAddress address;
        Page* page;
    };
    std::vector<Found> programmed;
    std::vector<std::pair<Found, std::vector<Spare>>> further; // of pages that have such
    for (std::uint32_t i = 0; i < pagesPerBlock_; ++i) {
        const auto kind = file.takeBelow<std::uint8_t>(moreRecordsBit + forms);
        const auto form = static_cast<Form>(kind & ~unsigned{moreRecordsBit});
        const bool hasMore = (kind & moreRecordsBit) != 0;
        if (static_cast<std::uint8_t>(form) >= forms || (hasMore && (form == Form::Erased || records() == 1)))
            throw DamagedBytes("no such kind of page");
        if (form == Form::Erased)
            continue;
        const PageAddress address{number, i};
        programmed.push_back({address, &freshPage(address)});
        programmed.back().page->form = form;
        if (hasMore)
            further.emplace_back(programmed.back(), records() - 1);
    }
    for (std::size_t word = 0; word < Spare{}.size(); ++word) {
        Differences column;
        for (const Found& found : programmed)
            found.page->spare[word] = column.take(file);
    }
    for (std::uint32_t record = 1; record < records(); ++record) {
        for (std::size_t word = 0; word < Spare{}.size(); ++word) {
            Differences column;
            for (auto& page : further)
                page.second[record - 1][word] = column.take(file);
        }
    }
    for (const auto& [found, records] : further)
        keepFurther(found.address, *found.page, records);
    const auto eachOf = [&programmed](Form form, const auto& visit) {
        for (const Found& found : programmed) {
            if (found.page->form == form)
                visit(found);
        }
    };
    eachOf(Form::TagRun,
           [&](const Found& found) { found.page->first = file.takeBelow<std::uint8_t>(sectorsPerPage_); });
    eachOf(Form::TagRun, [&](const Found& found) {
        found.page->sectors = file.takeBelow<std::uint8_t>(sectorsPerPage_ - found.page->first + std::uint64_t{1});
    });
    Differences addresses;
    eachOf(Form::TagRun, [&](const Found& found) { found.page->setTag(addresses.take(file)); });
    eachOf(Form::TagRun, [&](const Found& found) {
        const auto version = file.takeBelow<std::uint32_t>(tagVersionMask + std::uint64_t{1});
        found.page->setTag(makeTag(tagLba(found.page->tag()), version));
    });
    for (const Form form : {Form::TagPage, Form::BytePage}) {
        eachOf(form, [&](const Found& found) {
            const std::string_view run = file.takeRun(wholePages(form).length());
            std::memcpy(wholePages(form)[takeWholePage(found.address, *found.page)], run.data(), run.size());
        });
    }
}

void DieCells::save(ByteWriter& file) const
{
    for (const Block& block : blocks_)
        file.put(block.erases);
    for (const Block& block : blocks_)
        file.put(block.nextPage);
    for (const Block& block : blocks_) {
        const unsigned flags = (block.factoryBad ? factoryBadBit : 0U) | (block.metadata ? metadataBit : 0U) |
                               (block.wornOut ? wornOutBit : 0U) | (block.failed ? failedBit : 0U) |
                               (block.corrupted ? corruptedBit : 0U) | (block.pslc ? pslcBit : 0U);
        file.put(static_cast<std::uint8_t>(flags));
    }
    for (const Block& block : blocks_) {
        if (part_.geometry.hasPslc())
            file.put(block.pslcErases);
    }
    for (const std::uint32_t count : overwrites_)
        file.put(count);
    for (std::uint32_t number = 0; number < blocks(); ++number)
        store_.save(file, number);
}

void DieCells::restore(ByteReader& file)
{
    for (Block& block : blocks_)
        block.erases = file.take<std::uint32_t>();
    for (Block& block : blocks_)
        block.nextPage = file.takeBelow<std::uint32_t>(std::uint64_t{part_.geometry.pagesPerBlock} + 1);
    for (Block& block : blocks_) {
        const unsigned flags = file.take<std::uint8_t>();
        block.factoryBad = (flags & factoryBadBit) != 0;
        block.metadata = (flags & metadataBit) != 0;
        block.wornOut = (flags & wornOutBit) != 0;
        block.failed = (flags & failedBit) != 0;
        block.corrupted = (flags & corruptedBit) != 0;
        block.pslc = (flags & pslcBit) != 0 && part_.geometry.hasPslc();
    }
    for (Block& block : blocks_) {
        if (part_.geometry.hasPslc())
            block.pslcErases = file.take<std::uint32_t>();
    }
    for (std::uint32_t& count : overwrites_)
        count = file.take<std::uint32_t>();
    for (std::uint32_t number = 0; number < blocks(); ++number)
        store_.restore(file, number);
}

} // namespace strobe::nand
