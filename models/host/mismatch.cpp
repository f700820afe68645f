// SPDX-License-Identifier: Apache-2.0
#include "models/host/mismatch.h"

#include <array>
#include <cstdio>
#include <cstring>

namespace strobe::host {

namespace {

constexpr std::uint32_t staleSearch = 256; // versions below the floor that are tried by content

std::uint64_t firstWord(const std::byte* data)
{
    std::uint64_t word = 0;
    std::memcpy(&word, data, sizeof word);
    return word;
}

bool isAllZero(const std::byte* sector)
{
    return firstWord(sector) == 0 && std::memcmp(sector, sector + 8, sectorBytes - 8) == 0;
}

bool isVersion(const std::byte* sector, std::uint32_t lba, std::uint32_t version)
{
    std::array<std::byte, sectorBytes> expected;
    expandSector(lba, version, expected.data());
    return std::memcmp(expected.data(), sector, sectorBytes) == 0;
}

std::optional<std::uint32_t> allowedVersionOfBytes(const VersionWindow& window, std::uint32_t lba,
                                                   const std::byte* sector)
{
    if (window.mayBeZero() && isAllZero(sector))
        return 0;
    for (std::uint32_t version = window.newest; version > 0 && version >= window.floor; --version) {
        if (version != window.zero && isVersion(sector, lba, version))
            return version;
    }
    return std::nullopt;
}

} // namespace

std::optional<std::uint32_t> allowedVersion(DataMode mode, const VersionWindow& window, std::uint32_t lba,
                                            const std::byte* sector)
{
    if (mode == DataMode::Bytes)
        return allowedVersionOfBytes(window, lba, sector);
    const SectorTag tag = firstWord(sector);
    const std::uint32_t version = tagVersion(tag);
    const bool isRight =
        tag == 0 ? window.mayBeZero() : version != 0 && window.mayBe(version) && tag == makeTag(lba, version);
    return isRight ? std::optional(version) : std::nullopt;
}

Mismatch mismatchOf(DataMode mode, const VersionWindow& window, std::uint32_t lba, const std::byte* sector)
{
    Mismatch mismatch;
    mismatch.lba = lba;
    mismatch.expected = window;
    mismatch.foundWord = firstWord(sector);
    if (mode == DataMode::Tags) {
        mismatch.foundLba = tagLba(mismatch.foundWord);
        mismatch.foundVersion = tagVersion(mismatch.foundWord);
        if (mismatch.foundWord == 0)
            mismatch.kind = MismatchKind::Lost;
        else if (!isTagIntact(mismatch.foundWord))
            mismatch.kind = MismatchKind::Corrupted;
        else if (mismatch.foundLba != lba)
            mismatch.kind = MismatchKind::Misdirected;
        else
            mismatch.kind = mismatch.foundVersion < window.floor ? MismatchKind::Stale : MismatchKind::Unwritten;
        return mismatch;
    }
    // Real bytes do not name their sector: zeros and older versions of this one can be recognised.
    if (isAllZero(sector)) {
        mismatch.kind = MismatchKind::Lost;
        return mismatch;
    }
    for (std::uint32_t back = 1; back <= staleSearch && back < window.floor; ++back) {
        if (isVersion(sector, lba, window.floor - back)) {
            mismatch.kind = MismatchKind::Stale;
            mismatch.foundLba = lba;
            mismatch.foundVersion = window.floor - back;
            break;
        }
    }
    return mismatch;
}

std::string Mismatch::text() const
{
    std::array<char, 320> line{};
    const std::string_view what = enumName(request);
    const int used = std::snprintf(
        line.data(), line.size(), "%s: sector %llu at %s (%.*s of %u sectors at %llu): ", enumName(kind).data(),
        static_cast<unsigned long long>(lba), toText(at).c_str(), static_cast<int>(what.size()), what.data(),
        requestSectors, static_cast<unsigned long long>(requestLba));
    std::string text(line.data(), static_cast<std::size_t>(used));
    if (kind == MismatchKind::Missing)
        return text + std::to_string(missing) + " sectors were not moved";
    text += "expected version " + std::to_string(expected.floor);
    if (expected.newest != expected.floor)
        text += " to " + std::to_string(expected.newest);
    if (expected.mayBeZero())
        text += expected.newest == 0 ? " (zeros)" : " or zeros";
    std::snprintf(line.data(), line.size(), ", found %016llx", static_cast<unsigned long long>(foundWord));
    text += line.data();
    if (kind == MismatchKind::Lost)
        text += " (zeros)";
    else if (kind != MismatchKind::Corrupted)
        text += " (version " + std::to_string(foundVersion) + " of sector " + std::to_string(foundLba) + ")";
    return text;
}

} // namespace strobe::host
