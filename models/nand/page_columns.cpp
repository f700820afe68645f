// SPDX-License-Identifier: Apache-2.0
#include "models/nand/page_columns.h"

#include "models/base/bytes.h"

#include <utility>

namespace strobe::nand {

namespace {

// With the form of a page: it has records after the first.
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

void PageColumns::save(ByteWriter& file) const
{
    std::vector<std::uint8_t> kinds(pages_, static_cast<std::uint8_t>(StoredPage::Form::Erased));
    for (const Row& row : rows_)
        kinds[row.number] = static_cast<std::uint8_t>(static_cast<unsigned>(row.page.form) |
                                                      (row.further.empty() ? 0U : moreRecordsBit));
    for (const std::uint8_t kind : kinds)
        file.put(kind);
    for (std::size_t word = 0; word < Spare{}.size(); ++word) {
        Differences column;
        for (const Row& row : rows_)
            column.put(file, row.page.spare[word]);
    }
    for (std::uint32_t record = 1; record < records_; ++record) {
        for (std::size_t word = 0; word < Spare{}.size(); ++word) {
            Differences column;
            for (const Row& row : rows_) {
                if (!row.further.empty())
                    column.put(file, row.further[record - 1][word]);
            }
        }
    }
    eachTagRun(rows_, [&file](const StoredPage& page) { file.put(page.first); });
    eachTagRun(rows_, [&file](const StoredPage& page) { file.put(page.sectors); });
    Differences addresses;
    eachTagRun(rows_, [&](const StoredPage& page) { addresses.put(file, tagLba(page.tag())); });
    eachTagRun(rows_, [&file](const StoredPage& page) { file.put(tagVersion(page.tag())); });
}

void PageColumns::restore(ByteReader& file)
{
    restoreKinds(file);
    restoreRecords(file);
    restoreTagRuns(file);
}

void PageColumns::restoreKinds(ByteReader& file)
{
    for (std::uint32_t number = 0; number < pages_; ++number) {
        const auto kind = file.takeBelow<std::uint8_t>(moreRecordsBit + StoredPage::forms);
        const auto form = static_cast<StoredPage::Form>(kind & ~unsigned{moreRecordsBit});
        const bool hasMore = (kind & moreRecordsBit) != 0;
        if (static_cast<std::uint8_t>(form) >= StoredPage::forms ||
            (hasMore && (form == StoredPage::Form::Erased || records_ == 1)))
            throw DamagedBytes("no such kind of page");
        if (form == StoredPage::Form::Erased)
            continue;
        rows_.push_back({number, {}, std::vector<Spare>(hasMore ? records_ - 1 : 0)});
        rows_.back().page.form = form;
    }
}

void PageColumns::restoreRecords(ByteReader& file)
{
    for (std::size_t word = 0; word < Spare{}.size(); ++word) {
        Differences column;
        for (Row& row : rows_)
            row.page.spare[word] = column.take(file);
    }
    for (std::uint32_t record = 1; record < records_; ++record) {
        for (std::size_t word = 0; word < Spare{}.size(); ++word) {
            Differences column;
            for (Row& row : rows_) {
                if (!row.further.empty())
                    row.further[record - 1][word] = column.take(file);
            }
        }
    }
}

void PageColumns::restoreTagRuns(ByteReader& file)
{
    eachTagRun(rows_, [&](StoredPage& page) { page.first = file.takeBelow<std::uint8_t>(sectors_); });
    eachTagRun(rows_, [&](StoredPage& page) {
        page.sectors = file.takeBelow<std::uint8_t>(sectors_ - page.first + std::uint64_t{1});
    });
    Differences addresses;
    eachTagRun(rows_, [&](StoredPage& page) { page.setTag(addresses.take(file)); });
    eachTagRun(rows_, [&](StoredPage& page) {
        const auto version = file.takeBelow<std::uint32_t>(tagVersionMask + std::uint64_t{1});
        page.setTag(makeTag(tagLba(page.tag()), version));
    });
}

} // namespace strobe::nand
