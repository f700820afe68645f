// SPDX-License-Identifier: Apache-2.0
#include "models/host/mismatch.h"
#include "tests/support/catch.h"

#include <array>
#include <cstring>

using namespace strobe;
using namespace strobe::host;

namespace {

constexpr std::uint32_t lba = 1000;

// Versions `floor` to 9 are allowed, no zeros.
VersionWindow from(std::uint32_t floor)
{
    VersionWindow window;
    window.floor = floor;
    window.newest = 9;
    return window;
}

std::array<std::byte, sectorBytes> tagged(SectorTag tag)
{
    std::array<std::byte, sectorBytes> sector{};
    std::memcpy(sector.data(), &tag, sizeof tag);
    return sector;
}

std::array<std::byte, sectorBytes> bytesOf(std::uint32_t sector, std::uint32_t version)
{
    std::array<std::byte, sectorBytes> bytes;
    expandSector(sector, version, bytes.data());
    return bytes;
}

MismatchKind kindOf(DataMode mode, const std::array<std::byte, sectorBytes>& sector)
{
    CHECK(allowedVersion(mode, from(7), lba, sector.data()) == std::nullopt);
    const Mismatch mismatch = mismatchOf(mode, from(7), lba, sector.data());
    CHECK(mismatch.lba == lba);
    CHECK(mismatch.expected.floor == 7);
    return mismatch.kind;
}

} // namespace

TEST_CASE("a tag of the sector with a version of the window is allowed")
{
    for (const std::uint32_t version : {7U, 8U, 9U})
        CHECK(allowedVersion(DataMode::Tags, from(7), lba, tagged(makeTag(lba, version)).data()) == version);
    CHECK(allowedVersion(DataMode::Tags, VersionWindow{}, lba, tagged(0).data()) == 0U);
}

TEST_CASE("any other tag is a mismatch of its kind")
{
    CHECK(kindOf(DataMode::Tags, tagged(0)) == MismatchKind::Lost);
    CHECK(kindOf(DataMode::Tags, tagged(makeTag(lba, 6))) == MismatchKind::Stale);
    CHECK(kindOf(DataMode::Tags, tagged(makeTag(lba, 10))) == MismatchKind::Unwritten);
    CHECK(kindOf(DataMode::Tags, tagged(makeTag(lba + 1, 8))) == MismatchKind::Misdirected);
    CHECK(kindOf(DataMode::Tags, tagged(makeTag(lba, 8) ^ 1U << 5U)) == MismatchKind::Corrupted);
}

TEST_CASE("real bytes of a version of the window are allowed; zeros and older versions are recognised")
{
    for (const std::uint32_t version : {7U, 9U})
        CHECK(allowedVersion(DataMode::Bytes, from(7), lba, bytesOf(lba, version).data()) == version);
    CHECK(allowedVersion(DataMode::Bytes, VersionWindow{}, lba, tagged(0).data()) == 0U);
    CHECK(kindOf(DataMode::Bytes, {}) == MismatchKind::Lost);
    CHECK(kindOf(DataMode::Bytes, bytesOf(lba, 5)) == MismatchKind::Stale);
    CHECK(kindOf(DataMode::Bytes, bytesOf(lba + 1, 8)) == MismatchKind::Corrupted);
    auto changed = bytesOf(lba, 8);
    changed.back() ^= std::byte{1};
    CHECK(kindOf(DataMode::Bytes, changed) == MismatchKind::Corrupted);
}
