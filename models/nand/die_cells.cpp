// SPDX-License-Identifier: Apache-2.0
#include "models/nand/die_cells.h"

#include "models/base/bytes.h"
#include "models/base/check.h"
#include "models/nand/bad_blocks.h"

#include <algorithm>
#include <utility>

namespace strobe::nand {

namespace {

// Of a block, in a file.
constexpr unsigned factoryBadBit = 1;
constexpr unsigned metadataBit = 2;
constexpr unsigned wornOutBit = 4;
constexpr unsigned failedBit = 8;
constexpr unsigned corruptedBit = 16;
constexpr unsigned pslcBit = 32;

} // namespace

DieCells::DieCells(const Part& part, std::uint32_t badBlocks, Rng rng)
    : part_(part), blocks_(part.geometry.blocks()), store_(part.geometry)
{
    if (part.isOverwritable())
        overwrites_.resize(part.geometry.pages());
    erasing_.reserve(part.geometry.planes);
    const std::vector<bool> isBad = drawBadBlocks(part.geometry, badBlocks, rng);
    for (std::size_t block = 0; block < blocks_.size(); ++block)
        blocks_[block].factoryBad = isBad[block];
}

void DieCells::read(Operation& op) const
{
    if (blocks_[op.target.block].pslc != op.pslc) { // what is stored under this page number is another page
        PageStore::readBlank(op.sectors, op.data, op.spare, op.moreSpares,
                             part_.geometry.recordsOf(op.firstSector, op.sectors) - 1);
        return;
    }
    store_.read(op.target, op.firstSector, op.sectors, op.data, op.spare, op.moreSpares);
    if (holdsMark(op.target))
        op.spare[0] = badBlockMark;
}

// Cells are compared by their pages: one page of pSLC mode, and those that share its cells in the other mode.
bool DieCells::holdsOtherMode(PageAddress page, bool isPslc) const
{
    if (!part_.geometry.hasPslc())
        return false;
    const std::uint32_t shared = part_.geometry.pagesPerPslcPage();
    if (!isPslc)
        return !store_.looksBlank({page.block, page.page / shared});
    for (std::uint32_t i = 0; i < shared; ++i) {
        if (!store_.looksBlank({page.block, page.page * shared + i}))
            return true;
    }
    return false;
}

Spare DieCells::spareOf(PageAddress page, std::uint32_t record) const
{
    Spare spare = blankSpare;
    store_.read(page, record * sectorsPerRecord, 0, {}, spare);
    return spare;
}

bool DieCells::peek(PageAddress page, Content data) const
{
    Spare spare = blankSpare;
    return store_.read(page, 0, part_.geometry.sectorsPerPage(), data, spare);
}

// A worn-out block programs something, but its contents are unreliable.
bool DieCells::program(const Operation& op, bool fails)
{
    Block& block = blocks_[op.target.block];
    if (block.nextPage == 0)
        block.pslc = op.pslc;
    block.nextPage = op.target.page + 1;
    block.metadata = op.purpose == Purpose::Metadata;
    if (!overwrites_.empty()) {
        store_.undoProgram(op.target);
        ++overwrites_[number(op.target)];
    }
    if (fails || block.wornOut) {
        store_.corrupt(op.target);
        block.failed = true;
        return false;
    }
    if (op.opcode == Opcode::CopyBack) {
        store_.copy(op.source, op.target);
        store_.replace(op.target, op.replaced, op.data);
        if (op.replacesSpare)
            store_.setSpare(op.target, op.spare);
    } else {
        store_.program(op.target, op.firstSector, op.sectors, op.data, op.spare, op.moreSpares);
    }
    return true;
}

bool DieCells::erase(std::uint32_t number, bool isMetadata, bool isPslc, bool fails)
{
    Block& block = blocks_[number];
    ++block.erases;
    block.pslcErases += isPslc ? 1 : 0;
    block.metadata = isMetadata;
    const bool wasPslc = std::exchange(block.pslc, isPslc);
    if (fails || block.wornOut) {
        corruptBlock(number);
        block.failed = true;
        return false;
    }
    erasing_.push_back({number, store_.setAside(number), block.nextPage, block.corrupted, wasPslc});
    block.nextPage = 0;
    block.corrupted = false;
    return true;
}

void DieCells::endErases()
{
    for (const Erasing& erasing : erasing_)
        store_.drop(erasing.contents);
    erasing_.clear();
}

void DieCells::corruptBlock(std::uint32_t number)
{
    store_.erase(number);
    blocks_[number].nextPage = part_.geometry.pagesPerBlock;
    blocks_[number].corrupted = true;
}

void DieCells::corrupt(Opcode opcode, PageAddress target)
{
    if (opcode == Opcode::Erase)
        corruptBlock(target.block);
    else
        store_.corrupt(target);
}

std::vector<DieCells::Erasing>::iterator DieCells::findErasing(std::uint32_t block)
{
    return std::find_if(erasing_.begin(), erasing_.end(), [block](const Erasing& e) { return e.block == block; });
}

void DieCells::undo(Opcode opcode, PageAddress target)
{
    Block& block = blocks_[target.block];
    if (opcode != Opcode::Erase) {
        store_.undoProgram(target);
        block.nextPage = std::min(block.nextPage, target.page);
        return;
    }
    --block.erases;
    block.pslcErases -= block.pslc ? 1 : 0;
    const auto erasing = findErasing(target.block);
    if (erasing == erasing_.end())
        return; // it would have failed: the block is corrupted either way
    store_.putBack(target.block, erasing->contents);
    block.nextPage = erasing->nextPage;
    block.corrupted = erasing->corrupted;
    block.pslc = erasing->pslc;
    erasing_.erase(erasing);
}

void DieCells::interrupt(Opcode opcode, PageAddress target, Rng& draws)
{
    if (opcode == Opcode::Erase)
        interruptErase(target.block, draws);
    else
        store_.markTorn(target, draws.chance(0.5));
}

// Early in an erase all pages may still be readable, late none; in between each page is decided separately. In any case
// the block has to be erased again before it is programmed.
void DieCells::interruptErase(std::uint32_t number, Rng& draws)
{
    enum Left : std::uint64_t { Intact, TornBlank, Torn, PageByPage };
    const auto left = static_cast<Left>(draws.below(4));
    Block& block = blocks_[number];
    if (const auto erasing = findErasing(number); erasing != erasing_.end()) {
        store_.putBack(number, erasing->contents);
        block.pslc = erasing->pslc; // as what is left was programmed
        erasing_.erase(erasing);
    }
    for (std::uint32_t page = 0; page < part_.geometry.pagesPerBlock; ++page) {
        const Left fate = left == PageByPage ? static_cast<Left>(draws.below(3)) : left;
        const PageAddress address{number, page};
        if (fate != Intact || !store_.isProgrammed(address))
            store_.markTorn(address, fate != Torn);
    }
    block.nextPage = part_.geometry.pagesPerBlock;
    block.corrupted = false;
}

void DieCells::wearOut(std::uint32_t block)
{
    check(block < blocks_.size(), "no such block on this die");
    blocks_[block].wornOut = true;
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
