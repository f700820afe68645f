// SPDX-License-Identifier: Apache-2.0
//
// Free blocks of planes: 2 dies of 2 planes with 3 blocks each.
#include "tests/firmware/ftl/zoned/zoned_headers.h"
#include "tests/support/catch.h"

#include <array>

namespace {

struct Bench {
    std::array<zone_plane, 4> planes{};
    std::array<std::uint32_t, 12> ring{};
    std::uint32_t dirty = 0, bad = 0;
    zone_blocks blocks{};

    Bench()
    {
        blocks = {2, 3, 4, planes.data(), ring.data(), &dirty, &bad};
        for (std::uint32_t die = 0; die < 2; ++die) {
            for (std::uint32_t block = 0; block < 6; ++block)
                zone_blocks_give(&blocks, die, block, false);
        }
    }
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;
};

} // namespace

TEST_CASE("zone blocks: each plane gives its own blocks, the one that has been free for longest first")
{
    Bench b;
    CHECK(zone_blocks_fewest(&b.blocks) == 3);
    CHECK(zone_blocks_take(&b.blocks, 3) == 1); // die 1, plane 1: blocks 1, 3, 5
    CHECK(zone_blocks_take(&b.blocks, 3) == 3);
    zone_blocks_give(&b.blocks, 1, 1, true);
    CHECK(zone_blocks_take(&b.blocks, 3) == 5);
    CHECK(zone_blocks_take(&b.blocks, 3) == 1);
    CHECK(zone_blocks_is_dirty(&b.blocks, 1, 1));
    CHECK_FALSE(zone_blocks_is_dirty(&b.blocks, 0, 1));
    zone_blocks_erased(&b.blocks, 1, 1);
    CHECK_FALSE(zone_blocks_is_dirty(&b.blocks, 1, 1));
    CHECK(zone_blocks_take(&b.blocks, 3) == ZONE_NO_BLOCK);
    CHECK(zone_blocks_fewest(&b.blocks) == 0);
    CHECK(zone_blocks_take(&b.blocks, 0) == 0);
}

TEST_CASE("zone blocks: a bad block is not given any more, whether it was free or not")
{
    Bench b;
    zone_blocks_fail(&b.blocks, 0, 2); // free
    CHECK(zone_blocks_take(&b.blocks, 0) == 0);
    zone_blocks_fail(&b.blocks, 0, 0); // of a zone
    zone_blocks_give(&b.blocks, 0, 0, true);
    CHECK(zone_blocks_take(&b.blocks, 0) == 4);
    CHECK(zone_blocks_take(&b.blocks, 0) == ZONE_NO_BLOCK);
}
