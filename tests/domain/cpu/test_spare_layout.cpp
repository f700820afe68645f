// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/spare_layout.h"

#include "firmware/hal/spare_layout.h"
#include "models/base/config_error.h"
#include "tests/support/catch.h"
#include "tests/support/elf_builder.h"

#include <cstring>
#include <functional>

using namespace strobe;
using namespace strobe::cpu;

namespace {

using Table = struct strobe_spare_layout;

// Word 1: kind in bits 31:28, 5 is data; logical page + 3 in bits 19:4. Word 2: a sequence number in bits 7:0.
Table table()
{
    Table t{};
    t.version = STROBE_SPARE_LAYOUT_VERSION;
    t.logical = {1, 0x000FFFF0};
    t.logical_offset = 3;
    t.sequence = {2, 0xFF};
    t.kind = {1, 0xF0000000};
    t.kind_of_data = 5;
    return t;
}

ElfImage image(const Table& t, std::uint32_t size = sizeof(Table))
{
    test::ElfBuilder elf;
    std::vector<unsigned char> bytes(sizeof t);
    std::memcpy(bytes.data(), &t, sizeof t);
    elf.add(0x3000, sizeof t, PF_R, bytes);
    elf.symbols.push_back({"strobe_spare_layout", 0x3000, size, STT_OBJECT});
    return ElfImage::parse(elf.file(), "my.elf");
}

std::string refusal(const ElfImage& elf)
{
    try {
        SpareLayout::of(elf);
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "";
}

} // namespace

TEST_CASE("an image without a table has none; records are read as those of page mapping by default")
{
    CHECK_FALSE(SpareLayout::of(ElfImage::parse(test::ElfBuilder().file(), "my.elf")));
    const SpareLayout layout;
    CHECK(layout.logicalOf({8, 20, 0, 0}) == 7U);
    CHECK_FALSE(layout.logicalOf({UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX})); // blank
    CHECK_FALSE(layout.logicalOf({0, 0, 0, 0}));                                     // mark of a bad block
    CHECK(layout.sequenceOf({8, 20, 0, 0}) == 20);
    CHECK(layout.isNewer(2, 0xFFFFFFFE));
    CHECK_FALSE(layout.isNewer(2, 2));
}

TEST_CASE("records are read as the table of the image says")
{
    const SpareLayout layout = SpareLayout::of(image(table())).value();
    CHECK(layout.logicalOf({0, 0x5FF00130, 0, 0}) == 0x10U);
    CHECK_FALSE(layout.logicalOf({0, 0x40000130, 0, 0})); // of another kind
    CHECK_FALSE(layout.logicalOf({0, 0x50000020, 0, 0})); // below the offset
    CHECK_FALSE(layout.logicalOf({0, 0x500FFFF0, 0, 0})); // all ones
    CHECK(layout.sequenceOf({0, 0, 0x1234, 0}) == 0x34);
    CHECK(layout.isNewer(0x02, 0xFE)); // wraps at 8 bits
    CHECK_FALSE(layout.isNewer(0xFE, 0x02));
    Table without = table();
    without.sequence.mask = 0;
    CHECK_FALSE(SpareLayout::of(image(without))->hasSequence());
}

TEST_CASE("a wrong table is refused with its reason")
{
    struct Case {
        const char* reason;
        std::function<void(Table&)> change;
    };
    const std::vector<Case> cases{
        {"version 2 is not known, must be 1", [](auto& t) { t.version = 2; }},
        {"logical.mask is 0: a record must name its logical page", [](auto& t) { t.logical.mask = 0; }},
        {"logical.word is 4; a record has the words 0 to 3", [](auto& t) { t.logical.word = 4; }},
        {"sequence.word is 4294967295; a record has", [](auto& t) { t.sequence.word = UINT32_MAX; }},
        {"kind.mask must be of neighbouring bits", [](auto& t) { t.kind.mask = 0x101; }},
        {"kind_of_data 16 does not fit into kind.mask", [](auto& t) { t.kind_of_data = 16; }}};
    for (const Case& c : cases) {
        Table t = table();
        c.change(t);
        const std::string text = refusal(image(t));
        CAPTURE(text);
        CHECK(text.rfind("firmware image \"my.elf\": strobe_spare_layout: " + std::string(c.reason), 0) == 0);
    }
    CHECK(refusal(image(table(), 36)).find("the table has 36 bytes, must have 40") != std::string::npos);

    test::ElfBuilder elf;
    elf.symbols.push_back({"strobe_spare_layout", 0x2000, 0, STT_OBJECT}); // the file has two bytes there
    CHECK(refusal(ElfImage::parse(elf.file(), "my.elf")).find("not in the contents of the image") != std::string::npos);
}

TEST_CASE("a page has whole units with whole records")
{
    const auto fits = [](std::uint32_t unit, std::uint32_t sectors, std::uint32_t records) {
        Table t = table();
        t.unit_sectors = unit;
        const ElfImage elf = image(t);
        try {
            SpareLayout::of(elf)->mustFit(sectors, records, elf);
        } catch (const ConfigError&) {
            return false;
        }
        return true;
    };
    CHECK(fits(0, 4, 1));
    CHECK(fits(4, 4, 1));
    CHECK(fits(8, 32, 4));
    CHECK(fits(32, 32, 4));
    CHECK_FALSE(fits(2, 4, 1)); // two units, one record
    CHECK_FALSE(fits(8, 4, 1)); // of several pages
    CHECK_FALSE(fits(3, 4, 1));
}
