#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What a sector (512 bytes) holds while it travels host -> buffer -> ECC -> die and back. Three data modes:
//   tags  (default) 8 bytes per sector: address, version, checksum. Proves that a read returned the last acknowledged
//         write, at almost no cost.
//   bytes 512 real bytes per sector.
//   none  nothing: timing alone.
// Everything that moves sectors treats them as opaque runs of stride(mode) bytes each; only the host driver (which
// makes and checks them) and error injection interpret them. Firmware metadata (tables, logs) is always `bytes`, in
// every mode.

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace strobe {

inline constexpr std::size_t sectorBytes = 512;

enum class DataMode : std::uint8_t { None, Tags, Bytes };

constexpr std::size_t stride(DataMode mode)
{
    return mode == DataMode::Bytes ? sectorBytes : mode == DataMode::Tags ? sizeof(std::uint64_t) : 0;
}

// A run of sectors somewhere in host memory. Null data or DataMode::None: nothing is carried.
struct Content {
    std::byte* data = nullptr;
    DataMode mode = DataMode::None;

    bool empty() const { return data == nullptr || mode == DataMode::None; }
    Content at(std::size_t sector) const { return empty() ? Content{} : Content{data + sector * stride(mode), mode}; }
};

// Copies `sectors` sectors. Nothing moves if either side is empty. REQUIRES: equal modes otherwise.
void copySectors(Content destination, Content source, std::size_t sectors);
void clearSectors(Content destination, std::size_t sectors);
// Adds (XOR) the sectors of the source to those of the destination, as copySectors().
void xorSectors(Content destination, Content source, std::size_t sectors);

// --- tags ---------------------------------------------------------------------------------------------------------
// lba (32 bit) | version (24 bit) | checksum (8 bit). The all-zero tag means "never written or trimmed".
using SectorTag = std::uint64_t;

inline constexpr std::uint32_t tagVersionMask = 0xFFFFFF;

SectorTag makeTag(std::uint32_t lba, std::uint32_t version);
constexpr std::uint32_t tagLba(SectorTag tag)
{
    return static_cast<std::uint32_t>(tag);
}
constexpr std::uint32_t tagVersion(SectorTag tag)
{
    return static_cast<std::uint32_t>(tag >> 32) & tagVersionMask;
}
bool isTagIntact(SectorTag tag); // checksum agrees (the all-zero tag is intact)

// True if sector i of the run is exactly makeTag(lba + i, version) for the lba and version of sector 0.
// REQUIRES: sectors != 0
bool isTagRun(const std::byte* tags, std::size_t sectors);
// True if it is the run of this lba and version.
bool isTagRunOf(const std::byte* tags, std::uint32_t lba, std::uint32_t version, std::size_t sectors);
// Such a run without its tags.
struct TagRun {
    std::uint32_t lba = 0;
    std::uint32_t version = 0;
    std::uint32_t sectors = 0; // 0: there is none
};
// Writes such a run: makeTag(lba + i, version) for each sector i.
void makeTagRun(std::uint32_t lba, std::uint32_t version, std::size_t sectors, std::byte* destination);

// The 512 bytes of (lba, version) in `bytes` mode: reproducible, so that a check needs no stored copy.
// Version 0: zeros.
void expandSector(std::uint32_t lba, std::uint32_t version, std::byte* destination);

} // namespace strobe
