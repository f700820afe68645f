// SPDX-License-Identifier: Apache-2.0
#include "models/base/content.h"

#include "models/base/check.h"

namespace strobe {

namespace {

// Finaliser of SplitMix64: every input bit reaches every output bit.
constexpr std::uint64_t mix(std::uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31);
}

constexpr std::uint64_t tagBody(std::uint32_t lba, std::uint32_t version)
{
    return (static_cast<std::uint64_t>(version & tagVersionMask) << 32) | lba;
}

constexpr std::uint64_t tagChecksum(std::uint64_t body)
{
    return mix(body + 0x9E3779B97F4A7C15ULL) & 0xFF;
}

SectorTag loadTag(const std::byte* from)
{
    SectorTag tag = 0;
    std::memcpy(&tag, from, sizeof tag);
    return tag;
}

} // namespace

void copySectors(Content destination, Content source, std::size_t sectors)
{
    if (destination.empty() || source.empty())
        return;
    check(destination.mode == source.mode, "sectors of different representation cannot be copied");
    std::memcpy(destination.data, source.data, sectors * stride(source.mode));
}

void clearSectors(Content destination, std::size_t sectors)
{
    if (!destination.empty())
        std::memset(destination.data, 0, sectors * stride(destination.mode));
}

SectorTag makeTag(std::uint32_t lba, std::uint32_t version)
{
    const std::uint64_t body = tagBody(lba, version);
    return (tagChecksum(body) << 56) | body;
}

bool isTagIntact(SectorTag tag)
{
    return tag == 0 || tag >> 56 == tagChecksum(tag & 0x00FF'FFFF'FFFF'FFFFULL);
}

bool isTagRun(const std::byte* tags, std::size_t sectors)
{
    const SectorTag first = loadTag(tags);
    for (std::size_t i = 0; i < sectors; ++i) {
        if (loadTag(tags + i * sizeof(SectorTag)) !=
            makeTag(tagLba(first) + static_cast<std::uint32_t>(i), tagVersion(first)))
            return false;
    }
    return true;
}

void expandSector(std::uint32_t lba, std::uint32_t version, std::byte* destination)
{
    const std::uint64_t seed = mix(tagBody(lba, version));
    for (std::size_t i = 0; i < sectorBytes / sizeof(std::uint64_t); ++i) {
        const std::uint64_t word = version == 0 ? 0 : mix(seed + i * 0x9E3779B97F4A7C15ULL);
        std::memcpy(destination + i * sizeof word, &word, sizeof word);
    }
}

} // namespace strobe
