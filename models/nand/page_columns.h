#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The pages of a block as bytes of a file, without the contents that are in slots: column by column, so that equal
// values are next to each other, and with numbers that usually rise in steps as differences, because the file is
// compressed. Format: docs/drive_images.md.

#include "models/nand/stored_page.h"

#include <cstdint>
#include <vector>

namespace strobe {
class ByteReader;
class ByteWriter;
} // namespace strobe

namespace strobe::nand {

class PageColumns {
public:
    struct Row {
        std::uint32_t number = 0;
        StoredPage page;
        std::vector<Spare> further; // records after the first; empty: there are none
    };

    // Of a block of `pages` pages, of `records` records and `sectors` sectors each.
    PageColumns(std::uint32_t pages, std::uint32_t records, std::uint32_t sectors)
        : pages_(pages), records_(records), sectors_(sectors)
    {
    }

    void add(Row row) { rows_.push_back(std::move(row)); } // a page that is programmed, in their order
    const std::vector<Row>& rows() const { return rows_; }

    void save(ByteWriter& file) const;
    // All rows. Slots of pages, and FurtherRecords::Kind, are left to the caller. Throws DamagedBytes.
    void restore(ByteReader& file);

private:
    template <class Rows, class Visit>
    static void eachTagRun(Rows& rows, Visit visit)
    {
        for (auto& row : rows) {
            if (row.page.form == StoredPage::Form::TagRun)
                visit(row.page);
        }
    }
    void restoreKinds(ByteReader& file);
    void restoreRecords(ByteReader& file);
    void restoreTagRuns(ByteReader& file);

    std::uint32_t pages_;
    std::uint32_t records_;
    std::uint32_t sectors_;
    std::vector<Row> rows_;
};

} // namespace strobe::nand
