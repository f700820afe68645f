// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/spare_layout.h"

#include "firmware/hal/spare_layout.h"
#include "models/base/config_error.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace strobe::cpu {

namespace {

using Table = struct strobe_spare_layout; // a constant has the same name
using TableField = struct strobe_spare_field;

constexpr const char* symbolName = "strobe_spare_layout";

[[noreturn]] void refuse(const ElfImage& image, const std::string& why)
{
    throw ConfigError("firmware image \"" + image.name() + "\": " + symbolName + ": " + why +
                      " (firmware/hal/spare_layout.h)");
}

unsigned lowestBit(std::uint32_t mask) // REQUIRES: mask != 0
{
    unsigned bit = 0;
    while ((mask >> bit & 1) == 0)
        ++bit;
    return bit;
}

bool isOneRun(std::uint32_t mask)
{
    const std::uint32_t run = mask >> lowestBit(mask);
    return (run & (run + 1)) == 0;
}

void checkField(const ElfImage& image, const char* name, const TableField& field)
{
    if (field.mask == 0)
        return;
    if (field.word >= std::tuple_size<SpareLayout::Record>::value)
        refuse(image, std::string(name) + ".word is " + std::to_string(field.word) + "; a record has the words 0 to 3");
    if (!isOneRun(field.mask))
        refuse(image, std::string(name) + ".mask must be of neighbouring bits");
}

Table tableOf(const ElfImage& image, const ElfImage::Symbol& symbol)
{
    Table table;
    if (symbol.size != 0 && symbol.size != sizeof table)
        refuse(image,
               "the table has " + std::to_string(symbol.size) + " bytes, must have " + std::to_string(sizeof table));
    const auto& segments = image.segments();
    const auto holder = std::find_if(segments.begin(), segments.end(), [&symbol](const ElfImage::Segment& segment) {
        return segment.address <= symbol.address &&
               symbol.address - segment.address + sizeof table <= segment.contents.size();
    });
    if (holder == segments.end())
        refuse(image, "the table is not in the contents of the image");
    std::memcpy(&table, holder->contents.data() + (symbol.address - holder->address), sizeof table);
    return table;
}

} // namespace

SpareLayout::SpareLayout() = default;

std::uint32_t SpareLayout::Field::of(const Record& record) const
{
    return mask == 0 ? 0 : (record[word] & mask) >> lowestBit(mask);
}

std::optional<SpareLayout> SpareLayout::of(const ElfImage& image)
{
    const ElfImage::Symbol* const symbol = image.find(symbolName);
    if (symbol == nullptr)
        return std::nullopt;
    const Table table = tableOf(image, *symbol);
    if (table.version != STROBE_SPARE_LAYOUT_VERSION)
        refuse(image, "version " + std::to_string(table.version) + " is not known, must be " +
                          std::to_string(STROBE_SPARE_LAYOUT_VERSION));
    if (table.logical.mask == 0)
        refuse(image, "logical.mask is 0: a record must name its logical page");
    checkField(image, "logical", table.logical);
    checkField(image, "sequence", table.sequence);
    checkField(image, "kind", table.kind);
    SpareLayout layout;
    layout.unitSectors_ = table.unit_sectors;
    layout.logical_ = {table.logical.word, table.logical.mask};
    layout.logicalOffset_ = table.logical_offset;
    layout.sequence_ = {table.sequence.word, table.sequence.mask};
    layout.kind_ = {table.kind.word, table.kind.mask};
    layout.kindOfData_ = table.kind_of_data;
    Record largest;
    largest.fill(UINT32_MAX);
    if (layout.kindOfData_ > layout.kind_.of(largest))
        refuse(image, "kind_of_data " + std::to_string(table.kind_of_data) + " does not fit into kind.mask");
    return layout;
}

void SpareLayout::mustFit(std::uint32_t sectorsPerPage, std::uint32_t recordsPerPage, const ElfImage& image) const
{
    if (unitSectors_ == 0)
        return;
    const std::uint32_t units = sectorsPerPage / unitSectors_;
    if (sectorsPerPage % unitSectors_ != 0 || recordsPerPage % units != 0)
        refuse(image, "unit_sectors is " + std::to_string(unitSectors_) + "; a flash page has " +
                          std::to_string(sectorsPerPage) + " sectors and " + std::to_string(recordsPerPage) +
                          " spare record" + (recordsPerPage == 1 ? "" : "s") +
                          ", and must consist of whole units with whole records");
}

std::optional<std::uint32_t> SpareLayout::logicalOf(const Record& record) const
{
    const std::uint32_t value = logical_.of(record);
    const bool isNone = value == logical_.mask >> lowestBit(logical_.mask) || value < logicalOffset_;
    if (isNone || kind_.of(record) != kindOfData_)
        return std::nullopt;
    return value - logicalOffset_;
}

bool SpareLayout::isNewer(std::uint32_t sequence, std::uint32_t than) const
{
    if (!hasSequence())
        return false;
    const std::uint32_t all = sequence_.mask >> lowestBit(sequence_.mask);
    const std::uint32_t ahead = (sequence - than) & all;
    return ahead != 0 && ahead <= all / 2;
}

} // namespace strobe::cpu
