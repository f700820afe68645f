// SPDX-License-Identifier: Apache-2.0
#include "platform/config/resolve_sections.h"

#include <fmt/format.h>

#include <algorithm>

namespace strobe::platform {

namespace {

constexpr std::uint64_t maxPages = 0xFFFF'FF00;  // page numbers are 32 bits in firmware
constexpr std::uint32_t smallestBufferPages = 8; // firmware: zeros, reads, writes and moves

// What superblock mapping puts into control memory, rounded up: block lists, map, erase counts and the copy of both
// on its way to flash; tables of buffered sectors; rings.
std::uint64_t superblockTables(const ScenarioFile& file)
{
    constexpr std::uint64_t perBlock = 5;
    constexpr std::uint64_t perSuperblock = 68;
    constexpr std::uint64_t perSector = 8;
    constexpr std::uint64_t rest = 256 * 1024;
    const nand::DieGeometry& geometry = file.nand.part.geometry;
    const std::uint64_t chips = file.controller.superchip.chips();
    const std::uint64_t dies = file.nand.array.dies();
    const std::uint64_t sectors = chips * geometry.pages() / geometry.blocks() * geometry.sectorsPerPage();
    const SuperblockMapConfig& map = file.firmware.config.superblockMap;
    const std::uint64_t tables = std::uint64_t{map.superblockLimit} + *file.controller.units + 16;
    constexpr std::uint64_t perUnit = 192;
    return perUnit * *file.controller.units + perBlock * geometry.blocks() * dies +
           perSuperblock * geometry.blocks() * dies / chips + perSector * map.sectorBuffer + 4 * sectors * tables +
           16 * std::uint64_t{file.firmware.config.spareBlocks} * dies + rest;
}

// What Start-Gap puts there, rounded up: two bits per page, pieces, commands, queues, rings.
std::uint64_t startGapTables(const ScenarioFile& file)
{
    constexpr std::uint64_t perDie = 256;
    constexpr std::uint64_t rest = 128 * 1024;
    const std::uint64_t dies = file.nand.array.dies();
    return file.nand.part.geometry.pages() * dies / 4 + perDie * dies + rest;
}

// What firmware puts into control memory, rounded up: maps, block table, free lists, buffer slots, rings; and the
// table of bad blocks beside it.
std::uint64_t firmwareTables(const ScenarioFile& file)
{
    switch (file.firmware.config.ftl) {
    case Ftl::SuperblockMap: return superblockTables(file);
    case Ftl::StartGap: return startGapTables(file);
    case Ftl::PageMap: break;
    }
    constexpr std::uint64_t perPage = 8;
    constexpr std::uint64_t perBlock = 40;
    constexpr std::uint64_t perBufferPage = 256;
    constexpr std::uint64_t rest = 128 * 1024;
    const nand::DieGeometry& geometry = file.nand.part.geometry;
    const std::uint64_t dies = file.nand.array.dies();
    const std::uint64_t blocks = geometry.blocks() * dies;
    return perPage * geometry.pages() * dies + perBlock * blocks + blocks / 8 +
           4 * dies * geometry.planes * (std::uint64_t{geometry.pagesPerBlock} + 1) +
           perBufferPage * (file.memory.bufferSize / std::max(geometry.pageBytes, 512U)) + rest;
}

} // namespace

void resolveMemory(Resolving& r)
{
    const MemoryConfig& c = r.file.memory;
    const nand::DieGeometry& geometry = r.file.nand.part.geometry;
    const std::uint64_t dies = r.file.nand.array.dies();
    r.checks.expect(c.bufferSize % sectorBytes == 0 && c.size % sectorBytes == 0, "/memory",
                    "size and bufferSize must be whole numbers of 512-byte sectors");
    r.checks.expectOfFlash(
        dies * geometry.pages() < maxPages, "/nand",
        fmt::format("{} pages of flash are too many; less than {} are allowed", dies * geometry.pages(), maxPages));
    const std::uint64_t smallest = std::uint64_t{smallestBufferPages} * geometry.pageBytes;
    r.checks.expect(c.bufferSize >= smallest, "/memory/bufferSize",
                    fmt::format("{} is too small: firmware needs {} pages of {}, {}", sizeText(c.bufferSize),
                                smallestBufferPages, sizeText(geometry.pageBytes), sizeText(smallest)));
    if (!r.checks.expect(c.bufferSize < c.size, "/memory/bufferSize",
                         fmt::format("{} leaves nothing of the memory of {} for firmware", sizeText(c.bufferSize),
                                     sizeText(c.size))))
        return;
    const std::uint64_t tables = firmwareTables(r.file);
    constexpr std::uint64_t mebibyte = 1024 * 1024;
    const std::uint64_t suffices = (tables + c.bufferSize + mebibyte - 1) / mebibyte * mebibyte;
    r.checks.expect(
        tables <= c.size - c.bufferSize, "/memory/size",
        fmt::format("{} less the buffer of {} is too small for firmware's tables: {:.1f} MiB for {:.1f} million "
                    "pages; {} suffices",
                    sizeText(c.size), sizeText(c.bufferSize), static_cast<double>(tables) / mebibyte,
                    static_cast<double>(geometry.pages() * dies) * 1e-6, sizeText(suffices)));
}

} // namespace strobe::platform
