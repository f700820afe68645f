// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_lba_status.h"
#include "tests/support/catch.h"

#include <cstring>
#include <utility>
#include <vector>

using strobe::host::nvme::UnrecoverableBlocks;

namespace {

using Ranges = std::vector<std::pair<std::uint64_t, std::uint32_t>>; // first block, number

Ranges rangesOf(const UnrecoverableBlocks& blocks, std::uint64_t lba = 0, std::uint64_t count = 0)
{
    const std::vector<std::byte> structure = blocks.status(lba, count, 4096);
    std::uint32_t entries = 0;
    std::memcpy(&entries, structure.data(), sizeof entries);
    REQUIRE(structure.size() == 8 + std::size_t{entries} * 16);
    Ranges ranges(entries);
    for (std::size_t i = 0; i < entries; ++i) {
        std::memcpy(&ranges[i].first, structure.data() + 8 + i * 16, 8);
        std::memcpy(&ranges[i].second, structure.data() + 16 + i * 16, 4);
    }
    return ranges;
}

} // namespace

TEST_CASE("ranges are reported in order, without those outside the blocks that were asked for")
{
    UnrecoverableBlocks blocks;
    CHECK(rangesOf(blocks).empty());
    blocks.readFailed(100, 8);
    blocks.readFailed(20, 4);
    CHECK(rangesOf(blocks) == Ranges{{20, 4}, {100, 8}});
    CHECK(rangesOf(blocks, 22, 80) == Ranges{{22, 2}, {100, 2}});
    CHECK(rangesOf(blocks, 24, 10).empty());
}

TEST_CASE("a block that fails twice is in one range, and a write may cut a range in two")
{
    UnrecoverableBlocks blocks;
    blocks.readFailed(100, 8);
    blocks.readFailed(104, 8);
    CHECK(rangesOf(blocks) == Ranges{{100, 4}, {104, 8}});
    blocks.replaced(106, 2);
    CHECK(rangesOf(blocks) == Ranges{{100, 4}, {104, 2}, {108, 4}});
    blocks.replaced(0, 1000);
    CHECK(blocks.isEmpty());
}

TEST_CASE("the oldest range makes room for a new one")
{
    UnrecoverableBlocks blocks;
    for (std::uint64_t i = 0; i <= UnrecoverableBlocks::rangeLimit; ++i)
        blocks.readFailed(i * 10, 1);
    const Ranges ranges = rangesOf(blocks);
    CHECK(ranges.size() == UnrecoverableBlocks::rangeLimit);
    CHECK(ranges.front().first == 10);
}
