// SPDX-License-Identifier: Apache-2.0
//
// Windows of whole groups of sectors against windows of each part.
#include "models/base/rng.h"
#include "models/host/sector_versions.h"
#include "tests/support/catch.h"

#include <algorithm>

using namespace strobe;
using namespace strobe::host;

namespace {

constexpr std::uint64_t sectors = 4096; // two megabytes: sixteen groups

bool areEqual(const SectorVersions& a, const SectorVersions& b)
{
    for (std::uint64_t sector = 0; sector < sectors; ++sector) {
        const auto within = static_cast<std::uint32_t>(sector % SectorVersions::chunkSectors);
        if (!(a.window(sector / SectorVersions::chunkSectors, within) ==
              b.window(sector / SectorVersions::chunkSectors, within)))
            return false;
    }
    return true;
}

// The same part by part.
std::vector<std::uint32_t> advanceParts(SectorVersions& versions, std::uint64_t lba, std::uint64_t count)
{
    std::vector<std::uint32_t> given;
    forEachPart(lba, count, [&](const SectorVersions::Part& part) { given.push_back(versions.advance(part, false)); });
    return given;
}

} // namespace

TEST_CASE("versions of whole groups are those of their parts, whatever is written between")
{
    Rng draws(1, "writes");
    SectorVersions whole(sectors);
    SectorVersions parts(sectors);
    for (std::uint32_t i = 0; i < 300; ++i) {
        // Whole groups, chunks, or any sectors; in the first rounds only groups.
        const std::uint64_t unit = i < 20 || draws.chance(0.4) ? 256 : draws.chance(0.5) ? 8 : 1;
        const std::uint64_t lba = draws.below(sectors / unit) * unit;
        const std::uint64_t count = std::min((draws.below(4) + 1) * unit, sectors - lba);
        std::vector<std::uint32_t> given;
        whole.advance(lba, count, given);
        const std::vector<std::uint32_t> expected = advanceParts(parts, lba, count);
        REQUIRE(given == expected);
        if (draws.chance(0.8)) { // acknowledged
            whole.raiseFloors(lba, count, given.data());
            std::size_t next = 0;
            forEachPart(lba, count,
                        [&](const SectorVersions::Part& part) { parts.raiseFloor(part, expected[next++]); });
        }
        REQUIRE(areEqual(whole, parts));
    }
}

TEST_CASE("sectors that are written in whole groups take little memory")
{
    SectorVersions versions(sectors);
    const std::uint64_t before = versions.bytesUsed();
    std::vector<std::uint32_t> given;
    versions.advance(0, sectors, given);
    CHECK(given == std::vector<std::uint32_t>(sectors / SectorVersions::chunkSectors, 1));
    CHECK(versions.bytesUsed() - before < 1024);
    CHECK(versions.uniform(17)->newest == 1);
    versions.advance(8, 8, given); // one group has windows of its chunks now
    CHECK(versions.bytesUsed() - before < 2048);
    CHECK(versions.uniform(0)->newest == 1);
    CHECK(versions.uniform(1)->newest == 2);
}
