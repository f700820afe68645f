// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_prp.h"
#include "tests/support/catch.h"

#include <utility>

using namespace strobe::host;
using namespace strobe::host::nvme;

namespace {

constexpr std::uint32_t page = 4096;

SubmissionEntry with(std::uint64_t prp1, std::uint64_t prp2)
{
    SubmissionEntry s;
    s.setQuad(6, prp1);
    s.setQuad(8, prp2);
    return s;
}

using Pieces = std::vector<std::pair<std::uint64_t, std::uint32_t>>;
Pieces piecesOf(const PrpPages& pages, std::uint64_t first, std::uint64_t bytes)
{
    Pieces pieces;
    std::uint64_t before = 0;
    pages.eachPiece(first, bytes, [&](std::uint64_t address, std::uint64_t done, std::uint32_t part) {
        CHECK(done == before);
        before += part;
        pieces.emplace_back(address, part);
    });
    CHECK(before == bytes);
    return pieces;
}

} // namespace

TEST_CASE("up to two pages are described by the command itself")
{
    PrpPages pages;
    CHECK(pages.begin(with(0x1'0E00, 0), 512, page, 512) == NvmeStatus::Success);
    CHECK(pages.isComplete());
    CHECK(piecesOf(pages, 0, 512) == Pieces{{0x1'0E00, 512}});
    CHECK(pages.begin(with(0x1'0E00, 0x8000), 1024, page, 512) == NvmeStatus::Success);
    CHECK(pages.isComplete());
    CHECK(piecesOf(pages, 0, 1024) == Pieces{{0x1'0E00, 512}, {0x8000, 512}});
    CHECK(piecesOf(pages, 512, 512) == Pieces{{0x8000, 512}});
    CHECK(pages.first() == 0x1'0E00);
    CHECK(pages.offset() == 0xE00);
}

TEST_CASE("offsets are allowed where the specification allows them")
{
    PrpPages pages;
    CHECK(pages.begin(with(0x1'0002, 0), 512, page, 4) == NvmeStatus::PrpOffsetInvalid);
    CHECK(pages.begin(with(0x1'0004, 0), 512, page, 4) == NvmeStatus::Success);
    CHECK(pages.begin(with(0x1'0004, 0), 512, page, 512) == NvmeStatus::PrpOffsetInvalid);
    CHECK(pages.begin(with(0x1'0000, 0x8200), 8192, page, 4) == NvmeStatus::PrpOffsetInvalid);  // second page
    CHECK(pages.begin(with(0x1'0000, 0x8004), 12288, page, 4) == NvmeStatus::PrpOffsetInvalid); // list
    CHECK(pages.begin(with(0x1'0000, 0x8008), 12288, page, 4) == NvmeStatus::Success);
    CHECK_FALSE(pages.isComplete());
}

TEST_CASE("a list that ends with its page is continued where its last entry points")
{
    DriverMemory memory;
    const std::uint64_t lists = memory.allocate(2 * page);
    PrpPages pages;
    REQUIRE(pages.begin(with(0x1'0000, lists + page - 24), 5 * page, page, 4) == NvmeStatus::Success);
    CHECK(pages.nextList().address == lists + page - 24);
    CHECK(pages.nextList().entries == 3); // to the end of the page, though four are needed
    const std::array<std::uint64_t, 3> first{0x2'0000, 0x3'0000, lists + page};
    memory.write(lists + page - 24, first.data(), 24);
    CHECK(pages.readList(memory) == NvmeStatus::Success);
    CHECK_FALSE(pages.isComplete());
    CHECK(pages.nextList().address == lists + page);
    CHECK(pages.nextList().entries == 2);
    const std::array<std::uint64_t, 2> second{0x4'0000, 0x5'0000};
    memory.write(lists + page, second.data(), 16);
    CHECK(pages.readList(memory) == NvmeStatus::Success);
    CHECK(pages.isComplete());
    CHECK(piecesOf(pages, page, 3 * page) == Pieces{{0x2'0000, page}, {0x3'0000, page}, {0x4'0000, page}});
}

TEST_CASE("a list that is not in memory or has offsets fails")
{
    DriverMemory memory;
    PrpPages pages;
    REQUIRE(pages.begin(with(0x1'0000, 0x8000), 3 * page, page, 4) == NvmeStatus::Success);
    CHECK(pages.readList(memory) == NvmeStatus::DataTransferError);
    const std::uint64_t list = memory.allocate(page);
    REQUIRE(pages.begin(with(0x1'0000, list), 3 * page, page, 4) == NvmeStatus::Success);
    const std::array<std::uint64_t, 2> entries{0x2'0000, 0x3'0040};
    memory.write(list, entries.data(), 16);
    CHECK(pages.readList(memory) == NvmeStatus::PrpOffsetInvalid);
}

TEST_CASE("pieces follow the memory page size of the controller")
{
    PrpPages pages;
    REQUIRE(pages.begin(with(0x1'1000, 0x8'0000), 16384, 16384, 512) == NvmeStatus::Success);
    CHECK(piecesOf(pages, 0, 16384) == Pieces{{0x1'1000, 12288}, {0x8'0000, 4096}});
}
