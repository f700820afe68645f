#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// How the store keeps one page (page_store.h): 28 bytes, with a run of tags in place; other contents are elsewhere, in
// a slot.

#include "models/base/content.h"
#include "models/nand/further_records.h"
#include "models/nand/operation.h"

#include <array>
#include <cstdint>

namespace strobe::nand {

struct StoredPage {
    // How the contents are kept. The numbers are in files (page_columns.h).
    enum class Form : std::uint8_t {
        Erased,    // not programmed
        Blank,     // programmed, nothing kept: timing only, or blank sectors
        Torn,      // interrupted by a power loss: beyond correction
        TornBlank, // interrupted by a power loss: reads as if it were not programmed
        TagRun,    // sectors [first, first + sectors) carry consecutive tags, from `tag` on
        TagPage,   // in a slot for the tags of a page
        BytePage   // in a slot for the bytes of a page
    };
    static constexpr std::uint8_t forms = 7;

    Spare spare{};
    std::array<std::uint32_t, 2> body{}; // TagRun: the first tag, lower half first; whole pages: their slot
    Form form = Form::Erased;
    std::uint8_t first = 0; // TagRun only
    std::uint8_t sectors = 0;
    FurtherRecords::Kind further = FurtherRecords::none; // records after the first

    SectorTag tag() const { return body[0] | (SectorTag{body[1]} << 32U); }
    void setTag(SectorTag tag) { body = {static_cast<std::uint32_t>(tag), static_cast<std::uint32_t>(tag >> 32U)}; }
    std::uint32_t slot() const { return body[0]; }
};
static_assert(sizeof(StoredPage) == 28);

} // namespace strobe::nand
