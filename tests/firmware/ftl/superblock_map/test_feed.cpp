// SPDX-License-Identifier: Apache-2.0
//
// Host writes that firmware fetches.
#include "tests/firmware/ftl/superblock_map/policy_bench.h"
#include "tests/support/catch.h"

using strobe::test::PolicyBench;

namespace {

void start(PolicyBench& bench, std::uint32_t slot, std::uint32_t sectors)
{
    bench.putCommand(slot, HOST_WRITE, 0, sectors);
    command_take(&bench.sbm, slot);
    feed_start(&bench.sbm, slot);
}

} // namespace

TEST_CASE("feed: writes are fetched in order, in pieces that fit and do not cross the end of the ring")
{
    PolicyBench bench;
    feed& feed = bench.sbm.feed;
    feed.taken = bench.sbm.buffer.given_back = PolicyBench::ringSectors - 10;
    start(bench, 1, FEED_PIECE_MOST + 6);
    start(bench, 0, 3);
    feed_run(&bench.sbm);
    REQUIRE(feed.put == 3);
    const piece first = feed_done(&feed);
    CHECK(first.slot == 1);
    CHECK(first.number == PolicyBench::ringSectors - 10);
    CHECK(first.sectors == 10);
    const piece second = feed_done(&feed);
    CHECK(second.first == 10);
    CHECK(second.sectors == FEED_PIECE_MOST + 6 - 10);
    const piece third = feed_done(&feed);
    CHECK(third.slot == 0);
    CHECK(third.first == 0);
    CHECK(third.sectors == 3);
    CHECK(bench.written(HOST_XFER_BUFFER) == buffer_address(&bench.sbm.buffer, third.number));
}

TEST_CASE("feed: a piece waits until the buffer has space for it")
{
    PolicyBench bench;
    feed& feed = bench.sbm.feed;
    feed.taken = PolicyBench::ringSectors - 5;
    bench.sbm.buffer.given_back = 0;
    start(bench, 0, 6);
    feed_run(&bench.sbm);
    CHECK(feed.put == 1); // up to the end of the ring
    bench.sbm.buffer.given_back = 1;
    feed_run(&bench.sbm);
    CHECK(feed.put == 2);
    CHECK(feed.line.head == NONE);
}
