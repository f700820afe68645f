// SPDX-License-Identifier: Apache-2.0
#include "models/nand/geometry.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::nand;

TEST_CASE("planes are the low bits of the block number")
{
    const DieGeometry geometry{2, 2048, 128, 4096, 128};
    CHECK(geometry.blocks() == 4096);
    CHECK(geometry.planeOf(0) == 0);
    CHECK(geometry.planeOf(4095) == 1);
    CHECK(geometry.sectorsPerPage() == 8);
    CHECK(geometry.dataBytes() == std::uint64_t{2} << 30);
}

TEST_CASE("a die number and its channel, way and LUN are two names of one die")
{
    const ArrayGeometry array{3, 4, 2};
    REQUIRE(array.dies() == 24);
    std::uint32_t next = 0;
    for (std::uint16_t channel = 0; channel < 3; ++channel) {
        for (std::uint16_t way = 0; way < 4; ++way) {
            for (std::uint32_t lun = 0; lun < 2; ++lun) {
                const DieId die = array.die(ChannelId{channel}, WayId{way}, lun);
                CHECK(raw(die) == next++);
                CHECK(array.channelOf(die) == ChannelId{channel});
                CHECK(array.wayOf(die) == WayId{way});
                CHECK(array.lunOf(die) == lun);
                CHECK(array.positionOf(die) == way * 2U + lun);
            }
        }
    }
}
