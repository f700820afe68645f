// SPDX-License-Identifier: Apache-2.0
#include "models/base/check.h"
#include "models/base/rng.h"
#include "models/nand/page_store.h"
#include "tests/support/catch.h"

#include <array>
#include <cstring>
#include <map>
#include <vector>

using namespace strobe;
using namespace strobe::nand;

namespace {

constexpr DieGeometry geometry{1, 8, 16, 4096, 128}; // 8 sectors per page
constexpr Spare record{7, 8, 9, 10};

using Tags = std::array<SectorTag, 8>;
using Bytes = std::array<std::byte, 8 * sectorBytes>;

Content contentOf(Tags& tags)
{
    return {reinterpret_cast<std::byte*>(tags.data()), DataMode::Tags};
}
Content contentOf(Bytes& bytes)
{
    return {bytes.data(), DataMode::Bytes};
}
Tags run(std::uint32_t lba, std::uint32_t version)
{
    Tags tags{};
    makeTagRun(lba, version, tags.size(), contentOf(tags).data);
    return tags;
}
Bytes pattern(unsigned seed)
{
    Bytes bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::byte>(seed + i * 31 + i / 256);
    return bytes;
}
Tags readTags(const PageStore& store, PageAddress address)
{
    Tags out = run(999, 9);
    Spare spare{};
    store.read(address, 0, 8, contentOf(out), spare);
    return out;
}

} // namespace

TEST_CASE("a page that was never programmed reads blank in every representation")
{
    const PageStore store(geometry);
    Tags tags = run(1, 1);
    Bytes bytes = pattern(1);
    Spare spare = record;
    CHECK_FALSE(store.isProgrammed({3, 4}));
    CHECK_FALSE(store.read({3, 4}, 0, 8, contentOf(tags), spare));
    CHECK(tags == Tags{});
    CHECK(spare == blankSpare);
    CHECK_FALSE(store.read({3, 4}, 0, 8, contentOf(bytes), spare));
    CHECK(bytes[0] == std::byte{0xFF});
    CHECK(bytes.back() == std::byte{0xFF});
}

TEST_CASE("programmed data is read back, whatever the tags are")
{
    Tags tags{};
    SECTION("one run")
    {
        tags = run(800, 3);
    }
    SECTION("a run that starts at address and version zero")
    {
        tags = run(0, 0);
    }
    SECTION("a run across the end of the address space")
    {
        tags = run(0xFFFFFFFE, 0xFFFFFF);
    }
    SECTION("all blank")
    {
        tags = {};
    }
    SECTION("blank sectors before and after a run")
    {
        tags = run(16, 2);
        tags[0] = tags[1] = tags[7] = 0;
    }
    SECTION("a blank sector inside a run")
    {
        tags = run(16, 2);
        tags[3] = 0;
    }
    SECTION("two requests of different versions")
    {
        tags = run(16, 2);
        makeTagRun(20, 5, 4, contentOf(tags).at(4).data);
    }
    SECTION("one damaged checksum")
    {
        tags = run(16, 2);
        tags[5] ^= std::uint64_t{1} << 60;
    }
    SECTION("the first checksum damaged")
    {
        tags = run(16, 2);
        tags[0] ^= std::uint64_t{1} << 60;
    }
    PageStore store(geometry);
    store.program({2, 5}, 0, 8, contentOf(tags), record);
    CHECK(store.isProgrammed({2, 5}));
    CHECK_FALSE(store.isProgrammed({2, 4}));
    CHECK(readTags(store, {2, 5}) == tags);
    Spare spare{};
    CHECK(store.read({2, 5}, 0, 8, {}, spare));
    CHECK(spare == record);
}

TEST_CASE("any window of a page can be read")
{
    PageStore store(geometry);
    Tags whole = run(32, 4);
    SECTION("of a page kept as one run") {}
    SECTION("of a page kept tag by tag")
    {
        whole[2] = makeTag(7, 7);
    }
    store.program({0, 0}, 0, 8, contentOf(whole), record);
    for (std::uint32_t first = 0; first <= 8; ++first) {
        for (std::uint32_t sectors = 0; first + sectors <= 8; ++sectors) {
            Tags out{};
            Spare spare{};
            store.read({0, 0}, first, sectors, contentOf(out), spare);
            Tags expected{};
            std::copy_n(whole.begin() + first, sectors, expected.begin());
            CHECK(out == expected);
        }
    }
}

TEST_CASE("the rest of a partly programmed page is blank, in every window")
{
    PageStore store(geometry);
    Tags part = run(64, 6);
    SECTION("kept as one run") {}
    SECTION("kept tag by tag")
    {
        part[1] = makeTag(7, 7);
    }
    store.program({1, 1}, 2, 3, contentOf(part), record);
    Tags whole{};
    std::copy_n(part.begin(), 3, whole.begin() + 2);
    for (std::uint32_t first = 0; first <= 8; ++first) {
        for (std::uint32_t sectors = 0; first + sectors <= 8; ++sectors) {
            Tags out = run(1, 1);
            Tags expected = out;
            std::copy_n(whole.begin() + first, sectors, expected.begin());
            Spare spare{};
            store.read({1, 1}, first, sectors, contentOf(out), spare);
            CHECK(out == expected);
        }
    }

    Bytes bytes = pattern(5);
    store.program({1, 2}, 6, 1, contentOf(bytes), record);
    Bytes out{};
    Spare spare{};
    store.read({1, 2}, 0, 8, contentOf(out), spare);
    CHECK(out[6 * sectorBytes - 1] == std::byte{0xFF});
    CHECK(std::memcmp(out.data() + 6 * sectorBytes, bytes.data(), sectorBytes) == 0);
    CHECK(out[7 * sectorBytes] == std::byte{0xFF});
}

TEST_CASE("tags, bytes and spare-only pages coexist in one block")
{
    PageStore store(geometry);
    Tags tags = run(8, 1);
    Bytes bytes = pattern(9);
    store.program({0, 0}, 0, 8, contentOf(tags), record);
    store.program({0, 1}, 0, 8, contentOf(bytes), record);
    store.program({0, 2}, 0, 8, {}, record);

    Bytes out{};
    Spare spare{};
    CHECK(store.read({0, 1}, 0, 8, contentOf(out), spare));
    CHECK(out == bytes);
    CHECK(readTags(store, {0, 0}) == tags);

    // Read in another representation, a page is blank.
    CHECK(readTags(store, {0, 1}) == Tags{});
    CHECK(readTags(store, {0, 2}) == Tags{});
    CHECK(store.read({0, 0}, 0, 8, contentOf(out), spare));
    CHECK(out[100] == std::byte{0xFF});
    CHECK(spare == record);
}

TEST_CASE("a copy carries contents and spare and is independent of its source")
{
    PageStore store(geometry);
    Tags tags = run(8, 1);
    SECTION("one run") {}
    SECTION("tag by tag")
    {
        tags[4] = makeTag(1, 1);
    }
    SECTION("blank")
    {
        tags = {};
    }
    store.program({0, 3}, 0, 8, contentOf(tags), record);
    store.copy({0, 3}, {5, 0});
    store.erase(0);
    CHECK(readTags(store, {5, 0}) == tags);
    Spare spare{};
    CHECK(store.read({5, 0}, 0, 8, {}, spare));
    CHECK(spare == record);

    Bytes bytes = pattern(3);
    store.program({0, 0}, 0, 8, contentOf(bytes), record);
    store.copy({0, 0}, {0, 1});
    Bytes out{};
    store.read({0, 1}, 0, 8, contentOf(out), spare);
    CHECK(out == bytes);
}

TEST_CASE("a copy of a page that is not programmed is a programmed page without contents")
{
    PageStore store(geometry);
    store.copy({4, 0}, {5, 0});
    CHECK(store.isProgrammed({5, 0}));
    CHECK(readTags(store, {5, 0}) == Tags{});
}

TEST_CASE("a corrupted page counts as programmed and holds nothing")
{
    PageStore store(geometry);
    Tags mixed = run(8, 1);
    mixed[4] = makeTag(1, 1);
    store.program({0, 0}, 0, 8, contentOf(mixed), record);
    store.corrupt({0, 0});
    store.corrupt({6, 2}); // as well if it was never programmed
    for (const PageAddress address : {PageAddress{0, 0}, PageAddress{6, 2}}) {
        CHECK(store.isProgrammed(address));
        CHECK(readTags(store, address) == Tags{});
        Spare spare = record;
        store.read(address, 0, 8, {}, spare);
        CHECK(spare == blankSpare);
    }
}

TEST_CASE("an erase blanks every page of its block and no other")
{
    PageStore store(geometry);
    Tags tags = run(8, 1);
    Tags mixed = tags;
    mixed[4] = 0;
    store.program({0, 0}, 0, 8, contentOf(tags), record);
    store.program({0, 1}, 0, 8, contentOf(mixed), record);
    store.program({1, 0}, 0, 8, contentOf(tags), record);
    store.erase(0);
    CHECK_FALSE(store.isProgrammed({0, 0}));
    CHECK_FALSE(store.isProgrammed({0, 1}));
    CHECK(readTags(store, {1, 0}) == tags);
    store.program({2, 3}, 0, 8, contentOf(mixed), record); // takes the memory of block 0 over
    CHECK_FALSE(store.isProgrammed({2, 0}));
    CHECK(readTags(store, {2, 3}) == mixed);
}

TEST_CASE("programming a page twice is an internal error")
{
    PageStore store(geometry);
    store.program({0, 0}, 0, 8, {}, record);
    CHECK_THROWS_AS(store.program({0, 0}, 0, 8, {}, record), InternalError);
    CHECK_THROWS_AS(store.copy({1, 0}, {0, 0}), InternalError);
}

TEST_CASE("a page has at most 255 sectors")
{
    CHECK_NOTHROW(PageStore(DieGeometry{1, 1, 1, 255 * 512, 0}));
    CHECK_THROWS_AS(PageStore(DieGeometry{1, 1, 1, 256 * 512, 0}), InternalError);
}

TEST_CASE("memory follows what is written: 28 bytes a page, with tags and without")
{
    constexpr DieGeometry die{2, 2048, 128, 4096, 128}; // 2 GiB
    constexpr std::uint32_t blocks = 512;
    constexpr double pages = blocks * 128.0;
    PageStore store(die);
    const std::size_t empty = store.bytesInUse();
    CHECK(empty < 64 * 1024);
    Tags tags = run(0, 1);
    const bool withTags = GENERATE(false, true);
    for (std::uint32_t page = 0; page < blocks * 128; ++page)
        store.program({page / 128, page % 128}, 0, 8, withTags ? contentOf(tags) : Content{}, record);
    const double perPage = static_cast<double>(store.bytesInUse() - empty) / pages;
    CHECK(perPage >= 28.0);
    CHECK(perPage < 28.5);
}

TEST_CASE("erased memory is used again, of whole pages too")
{
    PageStore store(geometry);
    Bytes bytes = pattern(1);
    Tags mixed = run(8, 1);
    mixed[4] = 0;
    const auto fill = [&](std::uint32_t block) {
        for (std::uint32_t page = 0; page < 16; ++page)
            store.program({block, page}, 0, 8, page % 2 == 0 ? contentOf(bytes) : contentOf(mixed), record);
    };
    fill(0);
    const std::size_t once = store.bytesInUse();
    for (std::uint32_t i = 0; i < 500; ++i) {
        store.erase(i % 8);
        fill((i + 1) % 8);
    }
    CHECK(store.bytesInUse() == once);
}

TEST_CASE("a long random life agrees with a plain model")
{
    PageStore store(geometry);
    std::map<std::pair<std::uint32_t, std::uint32_t>, Tags> model;
    Rng rng(11, "page store test");
    std::uint32_t version = 0;
    for (int step = 0; step < 20000; ++step) {
        const auto block = static_cast<std::uint32_t>(rng.below(8));
        const auto page = static_cast<std::uint32_t>(rng.below(16));
        const std::pair<std::uint32_t, std::uint32_t> key{block, page};
        if (rng.chance(0.02)) {
            store.erase(block);
            for (std::uint32_t i = 0; i < 16; ++i)
                model.erase({block, i});
        } else if (model.count(key) == 0) {
            const auto first = static_cast<std::uint32_t>(rng.below(8));
            const auto sectors = static_cast<std::uint32_t>(rng.below(8 - first) + 1);
            Tags tags = run(static_cast<std::uint32_t>(rng.below(1000)), ++version);
            if (rng.chance(0.3))
                tags[rng.below(8)] = rng.chance(0.5) ? 0 : makeTag(5, 5);
            store.program({block, page}, first, sectors, contentOf(tags), record);
            Tags& expected = model[key];
            std::copy_n(tags.begin(), sectors, expected.begin() + first);
        } else {
            REQUIRE(readTags(store, {block, page}) == model[key]);
        }
    }
}
