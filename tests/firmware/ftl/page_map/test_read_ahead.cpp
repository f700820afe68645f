// SPDX-License-Identifier: Apache-2.0
//
// The policy of read-ahead: streams, windows, and which units are held.
#include "tests/firmware/support/fake_hal.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <vector>

using namespace strobe::test;

namespace {

struct Bench {
    FakeHal hal;
    read_ahead ahead{};
    std::vector<std::uint32_t> dropped;

    explicit Bench(std::uint32_t streams, std::uint32_t window, std::uint32_t batch = 1)
    {
        boot_block boot{};
        boot.read_ahead_streams = streams;
        boot.read_ahead_window = window;
        read_ahead_init(
            &ahead, &hal.arena, &boot, batch,
            [](void* context, std::uint32_t slot) { static_cast<Bench*>(context)->dropped.push_back(slot); }, this);
    }
    std::uint32_t read(std::uint32_t first, std::uint32_t units = 1)
    {
        return read_ahead_observe(&ahead, first, first + units, false);
    }
    // The units that are read ahead now; unit u goes into slot 1000 + u.
    std::vector<std::uint32_t> order(std::uint32_t stream, std::uint32_t limit = 1 << 20)
    {
        std::vector<std::uint32_t> units;
        if (stream == NONE)
            return units;
        for (std::uint32_t unit; (unit = read_ahead_next(&ahead, stream, limit)) != NONE;) {
            units.push_back(unit);
            read_ahead_ordered(&ahead, stream, 1000 + unit);
        }
        return units;
    }
};

using Units = std::vector<std::uint32_t>;

} // namespace

TEST_CASE("the third read in a row begins read-ahead of a window, and each later one continues it", "[read-ahead]")
{
    Bench b(2, 4);
    CHECK(b.read(10) == NONE);
    CHECK(b.read(11) == NONE);
    const std::uint32_t stream = b.read(12);
    REQUIRE(stream != NONE);
    CHECK(b.order(stream) == Units{13, 14, 15, 16});
    CHECK(b.order(b.read(13)) == Units{17});
    CHECK(b.order(b.read(14, 2)) == Units{18, 19});
    CHECK(read_ahead_find(&b.ahead, 15) == 1015);
    CHECK(read_ahead_find(&b.ahead, 20) == NONE);
}

TEST_CASE("reads that are not in a row are no stream", "[read-ahead]")
{
    Bench b(2, 4);
    for (const std::uint32_t unit : {10U, 12U, 14U, 16U, 8U, 6U, 4U, 2U})
        CHECK(b.read(unit) == NONE);
}

TEST_CASE("reads of parts of a unit continue a stream", "[read-ahead]")
{
    Bench b(1, 4);
    CHECK(read_ahead_observe(&b.ahead, 5, 6, false) == NONE);
    CHECK(read_ahead_observe(&b.ahead, 5, 6, true) == NONE);
    CHECK(read_ahead_observe(&b.ahead, 5, 6, true) == 0);
    CHECK(b.order(0) == Units{6, 7, 8, 9});
}

TEST_CASE("units are read ahead in batches, and not beyond the end of the drive", "[read-ahead]")
{
    Bench b(1, 8, 4);
    b.read(0);
    b.read(1);
    CHECK(b.order(b.read(2)) == Units{3, 4, 5, 6, 7});
    CHECK(b.order(b.read(3)) == Units{8, 9, 10, 11});
    CHECK(b.order(b.read(4, 2)).empty());
    CHECK(b.order(b.read(6)).empty());
    CHECK(b.order(b.read(7, 4), 14) == Units{12, 13});
}

TEST_CASE("an established stream follows reads that come in another order, by up to a window", "[read-ahead]")
{
    Bench b(1, 4);
    b.read(0);
    b.read(1);
    CHECK(b.order(b.read(2)) == Units{3, 4, 5, 6});
    CHECK(b.order(b.read(4)) == Units{7, 8});
    CHECK(b.order(b.read(3)).empty()); // belongs to it, and brings it no further
    CHECK(b.read(3) == 0);
    CHECK(b.read(20) == NONE);
}

TEST_CASE("several streams are followed; a new one takes the place of the one that was not read for longest",
          "[read-ahead]")
{
    Bench b(2, 4);
    for (std::uint32_t i = 0; i < 2; ++i) {
        b.read(100 + i);
        b.read(200 + i);
    }
    CHECK(b.order(b.read(102)) == Units{103, 104, 105, 106});
    CHECK(b.order(b.read(202)) == Units{203, 204, 205, 206});
    CHECK(b.dropped.empty());
    CHECK(b.read(300) == NONE);
    std::sort(b.dropped.begin(), b.dropped.end());
    CHECK(b.dropped == Units{1103, 1104, 1105, 1106});
    CHECK(read_ahead_find(&b.ahead, 103) == NONE);
    CHECK(read_ahead_find(&b.ahead, 203) == 1203);
}

TEST_CASE("a stream that is read no more gives its units up to one that needs slots, and no other does", "[read-ahead]")
{
    Bench b(2, 4);
    for (std::uint32_t i = 0; i < 2; ++i)
        b.read(100 + i);
    CHECK(b.order(b.read(102)) == Units{103, 104, 105, 106});
    b.read(200);
    std::uint32_t stream = NONE;
    for (std::uint32_t i = 1; i <= READ_AHEAD_PATIENCE - 1; ++i)
        stream = b.read(200 + i);
    REQUIRE(stream != NONE);
    CHECK_FALSE(read_ahead_give_way(&b.ahead, stream)); // the other stream was read so many reads ago
    b.read(200 + READ_AHEAD_PATIENCE);
    CHECK(read_ahead_give_way(&b.ahead, stream));
    std::sort(b.dropped.begin(), b.dropped.end());
    CHECK(b.dropped == Units{1103, 1104, 1105, 1106});
    CHECK(read_ahead_find(&b.ahead, 103) == NONE);
    CHECK_FALSE(read_ahead_give_way(&b.ahead, stream));
    CHECK(b.read(103) == NONE); // the stream has ended
}

TEST_CASE("a unit is dropped when it has been read to its end, written, or passed by a window", "[read-ahead]")
{
    Bench b(1, 2);
    b.read(0);
    b.read(1);
    b.order(b.read(2)); // 3, 4
    read_ahead_used(&b.ahead, 3, false);
    CHECK(read_ahead_find(&b.ahead, 3) == 1003);
    read_ahead_used(&b.ahead, 3, true);
    CHECK(b.dropped == Units{1003});
    read_ahead_forget(&b.ahead, 4);
    read_ahead_forget(&b.ahead, 77); // not held
    CHECK(b.dropped == Units{1003, 1004});
    CHECK(b.order(b.read(3, 2)) == Units{5, 6});
    CHECK(b.order(b.read(5, 4)) == Units{9, 10}); // 9 and 10 take the places of 5 and 6
    CHECK(b.dropped == Units{1003, 1004, 1005, 1006});
}

TEST_CASE("a unit that is left out is not held", "[read-ahead]")
{
    Bench b(1, 2);
    b.read(0);
    b.read(1);
    const std::uint32_t stream = b.read(2);
    read_ahead_ordered(&b.ahead, stream, NONE);
    read_ahead_ordered(&b.ahead, stream, 1004);
    CHECK(read_ahead_find(&b.ahead, 3) == NONE);
    CHECK(read_ahead_find(&b.ahead, 4) == 1004);
}
