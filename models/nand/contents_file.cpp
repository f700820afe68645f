// SPDX-License-Identifier: Apache-2.0
//
// The contents of dies as bytes of a file. Format: docs/nand.md, "Contents in files".
#include "models/base/bytes.h"
#include "models/nand/die_cells.h"

#include <array>
#include <cstring>

namespace strobe::nand {

namespace {

constexpr unsigned factoryBadBit = 1;
constexpr unsigned metadataBit = 2;
constexpr unsigned wornOutBit = 4;
constexpr unsigned failedBit = 8;
constexpr unsigned ruinedBit = 16;

enum class Kept : std::uint8_t { Blank, Torn, Faint, Tags, Bytes };
constexpr std::uint8_t keptKinds = 5;

} // namespace

void PageStore::save(ByteWriter& file, std::uint32_t number) const
{
    std::uint32_t count = 0;
    for (std::uint32_t page = 0; page < pagesPerBlock_; ++page)
        count += isProgrammed({number, page}) ? 1U : 0U;
    file.put(count);
    std::vector<std::byte> sectors;
    for (std::uint32_t page = 0; page < pagesPerBlock_; ++page) {
        const PageAddress address{number, page};
        const Page* kept = find(address);
        if (kept == nullptr || kept->form == Form::Erased)
            continue;
        file.put(page);
        for (const std::uint32_t word : kept->spare)
            file.put(word);
        const auto contents = [&](Kept kind, DataMode mode) {
            file.put(static_cast<std::uint8_t>(kind));
            sectors.resize(sectorsPerPage_ * stride(mode));
            Spare ignored;
            read(address, 0, sectorsPerPage_, {sectors.data(), mode}, ignored);
            file.putRun(sectors.data(), sectors.size());
        };
        switch (kept->form) {
        case Form::Erased:
        case Form::Blank: file.put(static_cast<std::uint8_t>(Kept::Blank)); break;
        case Form::Torn: file.put(static_cast<std::uint8_t>(Kept::Torn)); break;
        case Form::Faint: file.put(static_cast<std::uint8_t>(Kept::Faint)); break;
        case Form::TagRun:
        case Form::TagPage: contents(Kept::Tags, DataMode::Tags); break;
        case Form::BytePage: contents(Kept::Bytes, DataMode::Bytes); break;
        }
    }
}

void PageStore::restore(ByteReader& file, std::uint32_t number)
{
    const auto count = file.takeBelow<std::uint32_t>(std::uint64_t{pagesPerBlock_} + 1);
    std::vector<std::byte> sectors;
    for (std::uint32_t i = 0; i < count; ++i) {
        const PageAddress address{number, file.takeBelow<std::uint32_t>(pagesPerBlock_)};
        if (isProgrammed(address))
            throw DamagedBytes("a page is in it twice");
        Spare spare;
        for (std::uint32_t& word : spare)
            word = file.take<std::uint32_t>();
        const auto contents = [&](DataMode mode) {
            const std::string_view run = file.takeRun(sectorsPerPage_ * stride(mode));
            sectors.resize(run.size());
            std::memcpy(sectors.data(), run.data(), run.size());
            program(address, 0, sectorsPerPage_, {sectors.data(), mode}, spare);
        };
        switch (static_cast<Kept>(file.takeBelow<std::uint8_t>(keptKinds))) {
        case Kept::Blank: program(address, 0, 0, {}, spare); break;
        case Kept::Torn: spoil(address, false); break;
        case Kept::Faint: spoil(address, true); break;
        case Kept::Tags: contents(DataMode::Tags); break;
        case Kept::Bytes: contents(DataMode::Bytes); break;
        }
    }
}

void DieCells::save(ByteWriter& file) const
{
    for (std::uint32_t number = 0; number < blocks_.size(); ++number) {
        const Block& block = blocks_[number];
        file.put(block.erases);
        file.put(block.nextPage);
        const unsigned flags = (block.factoryBad ? factoryBadBit : 0U) | (block.metadata ? metadataBit : 0U) |
                               (block.wornOut ? wornOutBit : 0U) | (block.failed ? failedBit : 0U) |
                               (block.ruined ? ruinedBit : 0U);
        file.put(static_cast<std::uint8_t>(flags));
        store_.save(file, number);
    }
}

void DieCells::restore(ByteReader& file)
{
    for (std::uint32_t number = 0; number < blocks_.size(); ++number) {
        Block& block = blocks_[number];
        block.erases = file.take<std::uint32_t>();
        block.nextPage = file.takeBelow<std::uint32_t>(std::uint64_t{part_.geometry.pagesPerBlock} + 1);
        const unsigned flags = file.take<std::uint8_t>();
        block.factoryBad = (flags & factoryBadBit) != 0;
        block.metadata = (flags & metadataBit) != 0;
        block.wornOut = (flags & wornOutBit) != 0;
        block.failed = (flags & failedBit) != 0;
        block.ruined = (flags & ruinedBit) != 0;
        store_.restore(file, number);
    }
}

} // namespace strobe::nand
