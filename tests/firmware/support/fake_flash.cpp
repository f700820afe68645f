// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/support/fake_flash.h"

#include <algorithm>

namespace strobe::test {

namespace {

constexpr std::uint32_t sectorBytes = 512;
constexpr flash_spare blankRecord = {{~0u, ~0u, ~0u, ~0u}};
constexpr flash_spare noise = {{0x5A5A5A5A, 0x5A5A5A5A, 0x5A5A5A5A, 0x5A5A5A5A}};

bool hasTable(const flash_descriptor& operation)
{
    return (operation.control & FLASH_DESCRIPTOR_CONTROL_UNIT_TABLE_MASK) != 0;
}

bool isPslc(const flash_descriptor& operation)
{
    return (operation.control & FLASH_DESCRIPTOR_CONTROL_PSLC_MASK) != 0;
}

} // namespace

FakeFlash::FakeFlash(FakeHal& hal, std::uint32_t pageBytes) : hal_(hal), pageBytes_(pageBytes)
{
    hal.onWrite = [this](std::uint32_t address, std::uint32_t value) {
        hal_.writes.emplace_back(address, value);
        if (address == FLASH_RING_BASE)
            ringAt_ = value;
        if (address == FLASH_RING_ENTRIES)
            ringEntries_ = value;
        if (address >= FLASH_UNIT_HEAD && address < FLASH_DIE_CAPTURE)
            pending.push_back(reinterpret_cast<flash_descriptor*>(hal_.words(value)));
    };
    hal.onWait = [this] {
        if (pending.empty())
            throw Panic("the firmware sleeps, and no operation is in progress");
        end(outcome ? outcome(*pending.front()) : FLASH_OK);
    };
}

void FakeFlash::put(const Place& place, const flash_spare& record, bool pslc)
{
    const std::uint32_t records = std::max(1u, pageBytes_ / FLASH_UNIT_BYTES);
    pages[place] = Page{std::vector<flash_spare>(records, record), {}, pslc};
}

bool FakeFlash::isInMemory(std::uint32_t address, std::uint32_t bytes) const
{
    return address >= FakeHal::base && address + bytes <= FakeHal::base + FakeHal::size;
}

std::uint32_t* FakeFlash::tableOf(const flash_descriptor& operation)
{
    return hal_.words(operation.spare_address);
}

void FakeFlash::program(const flash_descriptor& operation, flash_status status)
{
    const std::uint32_t perPage = pageBytes_ / sectorBytes;
    const std::uint32_t first = operation.start_sector / perPage;
    const std::uint32_t count = operation.sectors / perPage;
    const std::uint32_t records = std::max(1u, pageBytes_ / FLASH_UNIT_BYTES);
    for (std::uint32_t i = 0; i < count; ++i) {
        Page page{std::vector<flash_spare>(records, recordOf(operation)), {}, isPslc(operation)};
        if (hasTable(operation)) {
            const std::uint32_t* spares = tableOf(operation) + std::size_t{records} * count;
            for (std::uint32_t r = 0; r < records; ++r)
                std::copy_n(spares + 4 * (std::size_t{i} * records + r), 4, page.records[r].word);
        }
        const std::uint32_t from = operation.buffer + i * pageBytes_;
        if (!hasTable(operation) && isInMemory(from, pageBytes_))
            page.words.assign(hal_.words(from), hal_.words(from) + pageBytes_ / 4);
        page.isTorn = status != FLASH_OK;
        pages[{operation.superchip, operation.blocks, first + i}] = page;
    }
}

void FakeFlash::read(flash_descriptor& operation, flash_status& status)
{
    const std::uint32_t perPage = pageBytes_ / sectorBytes;
    const std::uint32_t column = operation.start_sector % perPage;
    const auto found = pages.find({operation.superchip, operation.blocks, operation.start_sector / perPage});
    const bool isBlank = found == pages.end();
    const bool isNoise = !isBlank && (found->second.isTorn || found->second.pslc != isPslc(operation));
    if (isBlank)
        operation.status |= FLASH_DESCRIPTOR_STATUS_BLANK_MASK;
    if (status == FLASH_OK && (isNoise || (!isBlank && found->second.isUncorrectable)))
        status = FLASH_UNCORRECTABLE;
    const auto recordAt = [&](std::uint32_t sector) {
        return isBlank   ? blankRecord
               : isNoise ? noise
                         : found->second.records.at(sector * sectorBytes / FLASH_UNIT_BYTES);
    };
    if (hasTable(operation)) {
        const std::uint32_t entries = operation.sectors * sectorBytes / FLASH_UNIT_BYTES;
        for (std::uint32_t i = 0; i < entries; ++i) {
            const flash_spare record = recordAt(column + i * FLASH_UNIT_BYTES / sectorBytes);
            std::copy_n(record.word, 4, tableOf(operation) + entries + 4 * std::size_t{i});
        }
        return;
    }
    const flash_spare record = recordAt(column);
    operation.spare0 = record.word[0];
    operation.spare1 = record.word[1];
    operation.spare2 = record.word[2];
    operation.spare3 = record.word[3];
    if (status != FLASH_OK || isBlank || !isInMemory(operation.buffer, operation.sectors * sectorBytes))
        return;
    const std::vector<std::uint32_t>& words = found->second.words;
    for (std::uint32_t i = 0; i < operation.sectors * sectorBytes / 4 && !words.empty(); ++i)
        hal_.words(operation.buffer)[i] = words.at(column * sectorBytes / 4 + i);
}

void FakeFlash::execute(flash_descriptor& operation, flash_status& status)
{
    const std::uint32_t perPage = pageBytes_ / sectorBytes;
    switch (opcodeOf(operation)) {
    case FLASH_READ:
        ++reads;
        read(operation, status);
        break;
    case FLASH_PROGRAM:
        ++programs;
        program(operation, status);
        break;
    case FLASH_ERASE:
        ++erases;
        for (auto page = pages.begin(); page != pages.end();) {
            const bool isErased = std::get<0>(page->first) == operation.superchip &&
                                  std::get<1>(page->first) == operation.blocks && status == FLASH_OK;
            page = isErased ? pages.erase(page) : std::next(page);
        }
        break;
    case FLASH_COPYBACK:
        if (status == FLASH_OK)
            pages[{operation.superchip, operation.blocks, operation.start_sector / perPage}] =
                pages[{operation.superchip, operation.source_blocks, operation.source_sector / perPage}];
        break;
    }
}

void FakeFlash::end(flash_status status)
{
    flash_descriptor& operation = *pending.at(0);
    pending.pop_front();
    operation.status = 0;
    execute(operation, status);
    operation.status |= static_cast<std::uint32_t>(status);
    std::uint32_t* entry = hal_.words(ringAt_ + events_ % ringEntries_ * RING_ENTRY_BYTES);
    const bool isOddRound = events_ / ringEntries_ % 2 != 0;
    entry[2] = operation.cookie;
    entry[0] = static_cast<std::uint32_t>(status) | (isOddRound ? 0u : RING_PHASE);
    ++events_;
}

} // namespace strobe::test
