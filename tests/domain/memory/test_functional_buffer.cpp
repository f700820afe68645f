// SPDX-License-Identifier: Apache-2.0
//
// Pages of the data buffer that are kept as runs of tags, and what makes them contents.
#include "models/memory/functional_buffer.h"
#include "tests/support/catch.h"

#include <cstring>

using namespace strobe;
using namespace strobe::memory;

namespace {

constexpr Region dataBuffer{BusAddress{0x80010000}, 0x10000};
constexpr std::uint32_t pageSectors = 8;
constexpr std::uint32_t pageBytes = 4096;

BulkMemoryConfig memoryConfig(DataMode mode = DataMode::Tags)
{
    BulkMemoryConfig config;
    config.region = {BusAddress{0x80000000}, 0x20000};
    config.dataBuffer = dataBuffer;
    config.dataMode = mode;
    return config;
}

bool holdsRun(BulkMemory& memory, BusAddress address, std::uint32_t lba, std::uint32_t sectors)
{
    return isTagRunOf(memory.sectors(address, sectors).data, lba, 3, sectors);
}

} // namespace

TEST_CASE("a run becomes contents when something else than a whole page is needed")
{
    BulkMemory memory(memoryConfig());
    FunctionalBuffer buffer(memory, pageSectors);
    const BusAddress first = dataBuffer.base;
    const BusAddress second = first + pageBytes;
    buffer.putRun(first, pageSectors, 100, 3);
    buffer.putRun(second, pageSectors, 200, 3);
    CHECK(buffer.runAt(first, pageSectors) == makeTag(100, 3));
    CHECK_FALSE(holdsRun(memory, first, 100, pageSectors)); // not written yet

    SECTION("sectors of both pages")
    {
        CHECK(buffer.sectors(first + 7 * 512, 2).data == memory.sectors(first + 7 * 512, 2).data);
    }
    SECTION("a burst")
    {
        std::array<std::byte, 2 * sizeof(SectorTag)> tags{};
        CHECK(buffer.move(first + 7 * 512, 2 * 512, {tags.data(), DataMode::Tags}, false));
        CHECK(isTagRunOf(tags.data(), 107, 3, 1));
        CHECK(isTagRunOf(tags.data() + sizeof(SectorTag), 200, 3, 1));
    }
    SECTION("all of them")
    {
        buffer.writeOut();
    }

    CHECK(holdsRun(memory, first, 100, pageSectors));
    CHECK(holdsRun(memory, second, 200, pageSectors));
    CHECK(buffer.runAt(first, pageSectors) == 0);
    CHECK(buffer.runAt(second, pageSectors) == 0);
}

TEST_CASE("a page that changes is no run any more, and its neighbours stay what they are")
{
    BulkMemory memory(memoryConfig());
    FunctionalBuffer buffer(memory, pageSectors);
    buffer.putRun(dataBuffer.base, pageSectors, 100, 3);
    buffer.putRun(dataBuffer.base + pageBytes, pageSectors, 200, 3);
    makeTagRun(900, 3, 1, buffer.sectors(dataBuffer.base + 512, 1).data);
    CHECK(buffer.runAt(dataBuffer.base, pageSectors) == 0);
    CHECK(holdsRun(memory, dataBuffer.base, 100, 1));
    CHECK(holdsRun(memory, dataBuffer.base + 512, 900, 1));
    CHECK(buffer.runAt(dataBuffer.base + pageBytes, pageSectors) == makeTag(200, 3));
}

TEST_CASE("pieces of 4 KiB make up a run of several, and are copied without being written out")
{
    BulkMemory memory(memoryConfig());
    FunctionalBuffer buffer(memory, 4 * pageSectors);
    CHECK(buffer.sectorsPerPiece() == pageSectors);
    buffer.putRun(dataBuffer.base, 2 * pageSectors, 100, 3);
    buffer.putRun(dataBuffer.base + 2 * pageBytes, pageSectors, 116, 3);
    buffer.putRun(dataBuffer.base + 3 * pageBytes, pageSectors, 124, 4); // of another version
    makeTagRun(700, 3, pageSectors, buffer.sectors(dataBuffer.base + 4 * pageBytes, pageSectors).data);
    CHECK(buffer.runAt(dataBuffer.base, 3 * pageSectors) == makeTag(100, 3));
    CHECK(buffer.runAt(dataBuffer.base + pageBytes, 2 * pageSectors) == makeTag(108, 3));
    CHECK(buffer.runAt(dataBuffer.base, 4 * pageSectors) == 0);
    CHECK(buffer.runAt(dataBuffer.base + 3 * pageBytes, 2 * pageSectors) == 0);

    std::array<std::byte, 5 * pageSectors * sizeof(SectorTag)> tags{};
    const Content copy{tags.data(), DataMode::Tags};
    SECTION("copied")
    {
        buffer.copyTo(copy, dataBuffer.base, 5 * pageSectors);
    }
    SECTION("read in a burst")
    {
        CHECK(buffer.move(dataBuffer.base, 5 * pageBytes, copy, false));
    }
    CHECK(isTagRunOf(tags.data(), 100, 3, 3 * pageSectors));
    CHECK(isTagRunOf(copy.at(3 * pageSectors).data, 124, 4, pageSectors));
    CHECK(isTagRunOf(copy.at(4 * pageSectors).data, 700, 3, pageSectors));
    CHECK(buffer.runAt(dataBuffer.base, 3 * pageSectors) == makeTag(100, 3));

    buffer.copyTo(copy, dataBuffer.base + 7 * 512, 2); // not whole pieces
    CHECK(isTagRunOf(tags.data(), 107, 3, 2));
    CHECK(buffer.runAt(dataBuffer.base, pageSectors) == 0);
}

TEST_CASE("only whole pieces of pages of a power of two, with tags, are kept as runs")
{
    BulkMemory memory(memoryConfig());
    const FunctionalBuffer buffer(memory, pageSectors);
    CHECK(buffer.arePieces(dataBuffer.base, pageSectors));
    CHECK(buffer.arePieces(dataBuffer.base + 15 * pageBytes, pageSectors));
    CHECK_FALSE(buffer.arePieces(dataBuffer.base + 16 * pageBytes, pageSectors)); // behind the buffer
    CHECK_FALSE(buffer.arePieces(BusAddress{0x80000000}, pageSectors));           // before it
    CHECK_FALSE(buffer.arePieces(dataBuffer.base + 512, pageSectors));
    CHECK_FALSE(buffer.arePieces(dataBuffer.base, pageSectors - 1));
    CHECK_FALSE(FunctionalBuffer(memory, 9).arePieces(dataBuffer.base, 9));
    BulkMemory bytes(memoryConfig(DataMode::Bytes));
    CHECK_FALSE(FunctionalBuffer(bytes, pageSectors).arePieces(dataBuffer.base, pageSectors));
}
