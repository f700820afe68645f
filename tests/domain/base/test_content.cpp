// SPDX-License-Identifier: Apache-2.0
#include "models/base/check.h"
#include "models/base/content.h"
#include "tests/support/catch.h"

#include <array>
#include <set>

using namespace strobe;

namespace {

using Tags = std::array<SectorTag, 8>;

std::byte* raw(Tags& tags)
{
    return reinterpret_cast<std::byte*>(tags.data());
}

} // namespace

TEST_CASE("a tag gives its address and version back and is intact")
{
    for (const std::uint32_t lba : {0U, 1U, 0x12345678U, 0xFFFFFFFFU}) {
        for (const std::uint32_t version : {0U, 1U, 0xFFFFFFU}) {
            const SectorTag tag = makeTag(lba, version);
            CHECK(tagLba(tag) == lba);
            CHECK(tagVersion(tag) == version);
            CHECK(isTagIntact(tag));
            CHECK(tag != 0);
        }
    }
    CHECK(isTagIntact(0)); // never written
}

TEST_CASE("a version beyond 24 bits wraps and does not spill into the checksum")
{
    CHECK(makeTag(7, 0x01000005) == makeTag(7, 5));
}

TEST_CASE("a tag with one flipped bit is nearly always noticed")
{
    int unnoticed = 0;
    for (std::uint32_t lba = 0; lba < 1000; ++lba) {
        for (int bit = 0; bit < 64; ++bit)
            unnoticed += isTagIntact(makeTag(lba, lba * 3) ^ (std::uint64_t{1} << bit)) ? 1 : 0;
    }
    CHECK(unnoticed < 64'000 / 128); // an 8-bit checksum misses one in 256
}

TEST_CASE("a run of tags is recognised, and every break in it is detected")
{
    Tags tags{};
    makeTagRun(100, 4, tags.size(), raw(tags));
    for (std::uint32_t i = 0; i < tags.size(); ++i)
        CHECK(tags[i] == makeTag(100 + i, 4));
    CHECK(isTagRun(raw(tags), tags.size()));
    CHECK(isTagRun(raw(tags), 1));
    CHECK(isTagRunOf(raw(tags), 100, 4, tags.size()));
    CHECK_FALSE(isTagRunOf(raw(tags), 101, 4, 1));
    CHECK_FALSE(isTagRunOf(raw(tags), 100, 5, 1));
    for (std::size_t at = 0; at < tags.size(); ++at) {
        for (const SectorTag broken :
             {SectorTag{0}, makeTag(100 + static_cast<std::uint32_t>(at), 5),
              makeTag(99 + static_cast<std::uint32_t>(at), 4), tags[at] ^ (SectorTag{1} << 63)}) {
            Tags other = tags;
            other[at] = broken;
            CHECK_FALSE(isTagRun(raw(other), other.size()));
            CHECK_FALSE(isTagRunOf(raw(other), 100, 4, other.size()));
        }
    }
}

TEST_CASE("a run continues at address zero after the last address")
{
    Tags tags{};
    makeTagRun(0xFFFFFFFD, 1, tags.size(), raw(tags));
    CHECK(tagLba(tags[3]) == 0);
    CHECK(isTagRun(raw(tags), tags.size()));
}

TEST_CASE("copying moves whole sectors of equal representation, and nothing if a side is empty")
{
    Tags from{};
    makeTagRun(5, 1, from.size(), raw(from));
    Tags to{};
    copySectors({raw(to), DataMode::Tags}, {raw(from), DataMode::Tags}, 3);
    CHECK(to[2] == from[2]);
    CHECK(to[3] == 0);
    const Tags before = to;
    copySectors({raw(to), DataMode::None}, {raw(from), DataMode::Tags}, 8);
    copySectors({raw(to), DataMode::Tags}, {}, 8);
    CHECK(to == before);
    CHECK_THROWS_AS(copySectors({raw(to), DataMode::Tags}, {raw(from), DataMode::Bytes}, 1), InternalError);
    clearSectors({raw(to), DataMode::Tags}, 2);
    CHECK(to[1] == 0);
    CHECK(to[2] == from[2]);
}

TEST_CASE("a run of sectors is addressed in its own stride")
{
    std::array<std::byte, 2 * sectorBytes> memory{};
    const Content bytes{memory.data(), DataMode::Bytes};
    const Content tags{memory.data(), DataMode::Tags};
    CHECK(bytes.at(1).data == memory.data() + 512);
    CHECK(tags.at(3).data == memory.data() + 24);
    CHECK(tags.at(3).mode == DataMode::Tags);
    CHECK(Content{}.at(3).empty());
    CHECK(Content{memory.data(), DataMode::None}.empty());
    CHECK(stride(DataMode::None) == 0);
}

TEST_CASE("a sector in bytes is reproducible, different for each address and version, and zero for version zero")
{
    using Sector = std::array<std::byte, sectorBytes>;
    const auto expand = [](std::uint32_t lba, std::uint32_t version) {
        Sector sector{};
        expandSector(lba, version, sector.data());
        return sector;
    };
    CHECK(expand(7, 3) == expand(7, 3));
    std::set<Sector> all;
    for (std::uint32_t lba = 0; lba < 32; ++lba) {
        for (std::uint32_t version = 1; version < 32; ++version)
            all.insert(expand(lba, version));
    }
    CHECK(all.size() == 32 * 31);
    CHECK(expand(7, 0) == Sector{});
}
