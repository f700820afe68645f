#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// How flash is numbered. The array: channels x ways (chip enables on a channel) x LUNs (dies on one chip enable).
// A die: planes x blocks x pages, each page with data bytes (whole 512-byte sectors) and spare bytes.
// Block numbers run over the whole die; the plane of a block is block % planes (the low block-address bits, as ONFI
// does).

#include "models/base/content.h"
#include "models/base/ids.h"

#include <cstdint>

namespace strobe::nand {

inline constexpr std::uint32_t sectorsPerRecord = 8; // of a page's data, for each spare record: 4 KiB
inline constexpr std::uint32_t recordBytes = 16;

struct DieGeometry {
    std::uint32_t planes = 1;
    std::uint32_t blocksPerPlane = 0;
    std::uint32_t pagesPerBlock = 0;
    std::uint32_t pageBytes = 0;  // data bytes, a multiple of 512
    std::uint32_t spareBytes = 0; // out-of-band bytes of a page
    // Pages [k p, k p + p) of a block are a word line, which one program writes whole. 1: pages are programmed one by
    // one.
    std::uint32_t pagesPerProgram = 1;
    // Pages of a block in pSLC mode, one for each word line, programmed one by one. 0: the part has no such mode.
    std::uint32_t pslcPages = 0;

    constexpr std::uint32_t blocks() const { return planes * blocksPerPlane; }
    constexpr std::uint32_t planeOf(std::uint32_t block) const { return block % planes; }
    constexpr std::uint32_t sectorsPerPage() const { return pageBytes / static_cast<std::uint32_t>(sectorBytes); }
    // Spare records of a page: one for each 4 KiB of data. One, if the page does not consist of such or its spare bytes
    // do not hold them.
    constexpr std::uint32_t spareRecords() const
    {
        const std::uint32_t records = sectorsPerPage() / sectorsPerRecord;
        const bool areHeld = sectorsPerPage() % sectorsPerRecord == 0 && records * recordBytes <= spareBytes;
        return areHeld && records != 0 ? records : 1;
    }
    // Number of the record of a sector of the page.
    constexpr std::uint32_t recordOf(std::uint32_t sector) const
    {
        const std::uint32_t last = spareRecords() - 1;
        return sector / sectorsPerRecord < last ? sector / sectorsPerRecord : last;
    }
    // Number of records of `sectors` neighbouring sectors; of none: one.
    constexpr std::uint32_t recordsOf(std::uint32_t firstSector, std::uint32_t sectors) const
    {
        return sectors == 0 ? 1 : recordOf(firstSector + sectors - 1) - recordOf(firstSector) + 1;
    }
    constexpr bool hasPslc() const { return pslcPages != 0; }
    // Of a block in pSLC mode, or not.
    constexpr std::uint32_t pagesOfBlock(bool isPslc) const { return isPslc ? pslcPages : pagesPerBlock; }
    // Pages that share the cells of one page of pSLC mode. REQUIRES: hasPslc()
    constexpr std::uint32_t pagesPerPslcPage() const { return pagesPerBlock / pslcPages; }
    constexpr bool hasWordLines() const { return pagesPerProgram != 1; }
    constexpr std::uint32_t wordLineOf(std::uint32_t page) const { return page / pagesPerProgram; }
    constexpr bool isLastOfWordLine(std::uint32_t page) const { return (page + 1) % pagesPerProgram == 0; }
    constexpr std::uint64_t pages() const { return std::uint64_t{blocks()} * pagesPerBlock; }
    constexpr std::uint64_t dataBytes() const { return pages() * pageBytes; }
};

struct ArrayGeometry {
    std::uint16_t channels = 1;
    std::uint16_t ways = 1;
    std::uint16_t luns = 1;

    constexpr std::uint32_t dies() const { return std::uint32_t{channels} * ways * luns; }
    constexpr std::uint32_t diesPerChannel() const { return std::uint32_t{ways} * luns; }
    constexpr DieId die(ChannelId channel, WayId way, std::uint32_t lun) const
    {
        return DieId{static_cast<std::uint16_t>((std::uint32_t{raw(channel)} * ways + raw(way)) * luns + lun)};
    }
    constexpr ChannelId channelOf(DieId die) const
    {
        return ChannelId{static_cast<std::uint16_t>(raw(die) / diesPerChannel())};
    }
    constexpr WayId wayOf(DieId die) const { return WayId{static_cast<std::uint16_t>(raw(die) / luns % ways)}; }
    constexpr std::uint32_t lunOf(DieId die) const { return raw(die) % luns; }
    // Position of the die on its channel: way * luns + lun.
    constexpr std::uint32_t positionOf(DieId die) const { return raw(die) % diesPerChannel(); }
};

} // namespace strobe::nand
