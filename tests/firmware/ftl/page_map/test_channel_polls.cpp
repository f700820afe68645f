// SPDX-License-Identifier: Apache-2.0
//
// Polls of the channels before a request begins: which registers are read, how often, and what a full unit does.
#include "tests/firmware/ftl/page_map/request_bench.h"

extern "C" {
#include "firmware/ftl/page_map/channel_polls.h"
}

#include <vector>

using namespace strobe::test;

namespace {

struct Bench : RequestBench {
    std::vector<std::uint32_t> units; // whose status was read, in order
    std::uint32_t waiting = 0;        // lists in each of them

    Bench(std::uint32_t channels, std::uint32_t readPolls, std::uint32_t writePolls)
        : RequestBench([=](boot_block& b) {
              b.channels = channels;
              b.ways = 2;
              b.units = channels * 2;
              b.unit_depth = 4;
              b.read_polls = readPolls;
              b.write_polls = writePolls;
          })
    {
        hal.onRead = [this](bus_address address) {
            units.push_back((address - FLASH_UNIT_STATUS) / FLASH_UNIT_STATUS_STEP);
            return waiting << FLASH_UNIT_STATUS_WAITING_SHIFT;
        };
    }
};

} // namespace

TEST_CASE("channel polls: none are needed with one channel, or if none are asked for", "[polls]")
{
    Bench one(1, 1, 1);
    one.put(0, HOST_READ, 0, 4);
    CHECK(channel_polls_start(&one.app, 0));
    Bench none(2, 0, 1);
    none.put(0, HOST_READ, 0, 4);
    CHECK(channel_polls_start(&none.app, 0));
    none.put(1, HOST_WRITE, 0, 4);
    CHECK_FALSE(channel_polls_start(&none.app, 1));
}

TEST_CASE("channel polls: for each sector the unit of a way is read on every channel", "[polls]")
{
    Bench b(3, 1, 2);
    b.put(0, HOST_READ, 0, 2);
    REQUIRE_FALSE(channel_polls_start(&b.app, 0));
    CHECK(channel_polls_continue(&b.app) == 0);
    CHECK(b.units == std::vector<std::uint32_t>{0, 2, 4, 0, 2, 4});
    CHECK(b.app.polls.head == NONE);
    b.units.clear();
    b.put(1, HOST_WRITE, 0, 1);
    REQUIRE_FALSE(channel_polls_start(&b.app, 1));
    CHECK(channel_polls_continue(&b.app) == 1);
    CHECK(b.units == std::vector<std::uint32_t>{0, 2, 4, 0, 2, 4});
}

TEST_CASE("channel polls: a round of the main loop polls for a few sectors of the first request in line", "[polls]")
{
    Bench b(2, 1, 1);
    b.put(0, HOST_READ, 0, POLLED_SECTORS + 1);
    b.put(1, HOST_READ, 40, 1);
    REQUIRE_FALSE(channel_polls_start(&b.app, 0));
    REQUIRE_FALSE(channel_polls_start(&b.app, 1));
    CHECK(channel_polls_continue(&b.app) == NONE);
    CHECK(b.units.size() == 2 * POLLED_SECTORS);
    CHECK(channel_polls_continue(&b.app) == 0);
    CHECK(channel_polls_continue(&b.app) == 1);
    CHECK(b.units.size() == 2 * (POLLED_SECTORS + 2));
}

TEST_CASE("channel polls: a sector is polled again as long as a unit has no room", "[polls]")
{
    Bench b(2, 1, 1);
    b.put(0, HOST_READ, 0, 1);
    REQUIRE_FALSE(channel_polls_start(&b.app, 0));
    b.waiting = 4;
    CHECK(channel_polls_continue(&b.app) == NONE);
    CHECK(channel_polls_continue(&b.app) == NONE);
    CHECK(b.units.size() == 4);
    b.waiting = 3;
    CHECK(channel_polls_continue(&b.app) == 0);
}
