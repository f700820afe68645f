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

TEST_CASE("a page has a spare record for each 4 KiB of data, if its spare bytes hold them")
{
    DieGeometry geometry;
    const auto records = [&geometry](std::uint32_t pageBytes, std::uint32_t spareBytes) {
        geometry.pageBytes = pageBytes;
        geometry.spareBytes = spareBytes;
        return geometry.spareRecords();
    };
    CHECK(records(16384, 64) == 4);
    CHECK(records(16384, 63) == 1);
    CHECK(records(8192, 1024) == 2);
    CHECK(records(4096, 0) == 1);
    CHECK(records(2048, 64) == 1);
    CHECK(records(10240, 640) == 1); // not whole units of 4 KiB
    CHECK(records(16384, 1024) == 4);
    CHECK(geometry.recordOf(0) == 0);
    CHECK(geometry.recordOf(7) == 0);
    CHECK(geometry.recordOf(8) == 1);
    CHECK(geometry.recordOf(31) == 3);
    CHECK(geometry.recordOf(32) == 3); // a run of no sectors at the end
    CHECK(geometry.recordsOf(0, 32) == 4);
    CHECK(geometry.recordsOf(7, 2) == 2);
    CHECK(geometry.recordsOf(8, 8) == 1);
    CHECK(geometry.recordsOf(9, 0) == 1);
    geometry.spareBytes = 16;
    CHECK(geometry.recordOf(31) == 0);
    CHECK(geometry.recordsOf(0, 32) == 1);
}
