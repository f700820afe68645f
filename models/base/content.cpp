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

constexpr std::uint64_t tagBodyMask = 0x00FF'FFFF'FFFF'FFFFULL;

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

void xorSectors(Content destination, Content source, std::size_t sectors)
{
    if (destination.empty() || source.empty())
        return;
    check(destination.mode == source.mode, "sectors of different representation cannot be added");
    const std::size_t bytes = sectors * stride(source.mode);
    for (std::size_t i = 0; i < bytes; ++i)
        destination.data[i] ^= source.data[i];
}

SectorTag makeTag(std::uint32_t lba, std::uint32_t version)
{
    const std::uint64_t body = tagBody(lba, version);
    return (tagChecksum(body) << 56) | body;
}

bool isTagIntact(SectorTag tag)
{
    return tag == 0 || tag >> 56 == tagChecksum(tag & tagBodyMask);
}

bool isTagRun(const std::byte* tags, std::size_t sectors)
{
    // The last sector first: it usually shows that a page was gathered from several requests.
    const SectorTag first = loadTag(tags);
    const SectorTag last = loadTag(tags + (sectors - 1) * sizeof(SectorTag));
    const auto lastLba = static_cast<std::uint32_t>(tagLba(first) + sectors - 1);
    return tagLba(last) == lastLba && tagVersion(last) == tagVersion(first) &&
           isTagRunOf(tags, tagLba(first), tagVersion(first), sectors);
}

bool isTagRunOf(const std::byte* tags, std::uint32_t lba, std::uint32_t version, std::size_t sectors)
{
    std::uint64_t differences = 0; // no branch per sector
    for (std::size_t i = 0; i < sectors; ++i) {
        const std::uint64_t body = tagBody(lba + static_cast<std::uint32_t>(i), version);
        differences |= loadTag(tags + i * sizeof(SectorTag)) ^ (tagChecksum(body) << 56 | body);
    }
    return differences == 0;
}

void makeTagRun(std::uint32_t lba, std::uint32_t version, std::size_t sectors, std::byte* destination)
{
    for (std::size_t i = 0; i < sectors; ++i) {
        const SectorTag tag = makeTag(lba + static_cast<std::uint32_t>(i), version);
        std::memcpy(destination + i * sizeof tag, &tag, sizeof tag);
    }
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
