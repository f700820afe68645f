// SPDX-License-Identifier: Apache-2.0
//
// When pages are read for their errors and ages are compared, which ones, and who has the timer.
#include "tests/firmware/ftl/page_map/layer_bench.h"

#include <algorithm>

using namespace strobe::test;

namespace {

constexpr std::uint64_t us = 1000, ms = 1000000;

struct Bench : LayerBench {
    explicit Bench(std::uint32_t interval, std::uint32_t age = 0, const Change& change = {})
        : LayerBench([&](boot_block& words) {
              words.scrub_interval = interval;
              words.refresh_age = age;
              if (change)
                  change(words);
          })
    {
        hal.writes.clear();
    }
    bool runAt(std::uint64_t now, bool hostIsIdle = true)
    {
        hal.timeNs = now;
        while (layer.blocks.to_collect.count != 0)
            plane_set_take(&layer.blocks.to_collect, 0);
        return scrub_run(&layer, hostIsIdle);
    }
    // The page that is read at this time: block * 8 + page.
    std::uint32_t readAt(std::uint64_t now)
    {
        runAt(now);
        if (flash.pending.empty())
            return NONE;
        const std::uint32_t page =
            started(0).blocks * 8 + started(0).start_sector / layer.geometry.sectors_per_flash_page;
        end();
        return page;
    }
    std::size_t timerWrites() const
    {
        return static_cast<std::size_t>(std::count_if(hal.writes.begin(), hal.writes.end(), [](const auto& write) {
            return write.first == TIMER_COMPARE_LO || write.first == TIMER_CONTROL;
        }));
    }
};

} // namespace

TEST_CASE("scrub: it is off unless the boot block names an interval or an age", "[scrub]")
{
    CHECK_FALSE(Bench(0).layer.scrub.is_on);
    CHECK(Bench(10).layer.scrub.is_on);
    CHECK(Bench(0, 10).layer.scrub.is_on);
}

TEST_CASE("scrub: one page is read per interval while the host is idle, for its errors only", "[scrub]")
{
    Bench b(100);
    b.fill(0);
    CHECK_FALSE(b.runAt(100 * us - 1));
    CHECK(b.flash.pending.empty());
    CHECK(b.runAt(100 * us));
    REQUIRE(b.flash.pending.size() == 1);
    CHECK(purposeOf(b.started(0)) == FLASH_FOR_REFRESH);
    CHECK(b.layer.buffer.used[USE_MOVE] == 1);
    CHECK(b.layer.buffer.slot[b.started(0).cookie].state == SLOT_SCRUBBING);
    CHECK_FALSE(b.runAt(300 * us)); // one at a time
    b.end();
    CHECK(b.layer.buffer.used[USE_MOVE] == 0);
    CHECK_FALSE(b.layer.scrub.is_reading);
    CHECK(map_find(&b.layer.map, 0) == 0); // nothing was moved
}

TEST_CASE("scrub: a busy host delays a read, by at most so many intervals", "[scrub]")
{
    Bench b(100);
    b.fill(0);
    const std::uint64_t latest = 100 * us + SCRUB_PATIENCE * 100 * us;
    CHECK_FALSE(b.runAt(latest - 1, false));
    CHECK(b.runAt(latest, false));
}

TEST_CASE("scrub: blocks take turns, each round reads their next page with data, and empty ones are passed", "[scrub]")
{
    Bench b(1);
    b.fill(0);
    b.fill(8, 3);
    map_forget(&b.layer.map, 1, MAP_UNMAPPED); // page 1 of block 0
    std::vector<std::uint32_t> pages;
    for (std::uint64_t now = 1; now <= 6; ++now)
        pages.push_back(b.readAt(now * us));
    // The rest of a round has no data: the search ends after REFRESH_SLICE blocks, which is more than the drive has.
    CHECK(pages == std::vector<std::uint32_t>{0, 8, 2, 9, 2, 10});
    CHECK(b.layer.scrub.round == 2);
}

TEST_CASE("scrub: blocks that are due or being collected are not read, nor is anything when there is no data",
          "[scrub]")
{
    Bench b(1);
    CHECK(b.readAt(1 * us) == NONE);
    const std::uint32_t first = b.fill(0);
    const std::uint32_t second = b.fill(8);
    const std::uint32_t third = b.fill(16);
    b.blockOf(first).due = REFRESH_DUE_BY_READS;
    blocks_collect(&b.layer.blocks, second);
    for (std::uint64_t now = 2; now <= 4; ++now)
        CHECK(b.readAt(now * us) / 8 == third);
}

TEST_CASE("scrub: a read does not take the slots that moves need to go on", "[scrub]")
{
    Bench b(1);
    b.fill(0);
    while (buffer_left(&b.layer.buffer, USE_MOVE) > 1)
        buffer_take(&b.layer.buffer, USE_MOVE);
    CHECK(b.readAt(1 * us) == NONE);
    CHECK(b.layer.scrub.due == 2 * us); // tried again an interval later
}

TEST_CASE("scrub: where a page has several units all of them are read, and dropped", "[scrub]")
{
    Bench b(1, 0, [](boot_block& boot) {
        boot.page_bytes = 8192;
        boot.mapping_unit = 4096;
        boot.buffer_size = 128 * 4096;
    });
    b.fill(0);
    map_forget(&b.layer.map, 0, MAP_UNMAPPED); // the other unit of the page is still there
    b.runAt(1 * us);
    REQUIRE(b.flash.pending.size() == 1);
    CHECK(b.started(0).start_sector == 0);
    CHECK(b.started(0).sectors == 16);
    const flash_units table = flash_units_of(&b.layer.flash, b.started(0).cookie, 2);
    CHECK(table.data[0] == 0);
    CHECK(table.data[1] == 0);
}

TEST_CASE("scrub: the timer is set for what is due next, and only when that changes", "[scrub]")
{
    Bench b(100);
    b.fill(0);
    b.runAt(1);
    CHECK(b.layer.scrub.alarm == 100 * us);
    const std::size_t writes = b.timerWrites();
    CHECK(writes > 0);
    b.runAt(2);
    CHECK(b.timerWrites() == writes);
    b.runAt(3, false);
    CHECK(b.layer.scrub.alarm == 900 * us);
    b.runAt(900 * us, false); // a read begins: nothing else is due
    CHECK(b.layer.scrub.alarm == 0);
    CHECK(b.hal.writes.back() == std::make_pair(std::uint32_t{TIMER_CONTROL}, 0u));
}

TEST_CASE("scrub: partial units that wait have the timer", "[scrub]")
{
    Bench b(100);
    b.fill(0);
    b.runAt(1);
    b.layer.completing.partial_due = 50 * us;
    const std::size_t writes = b.timerWrites();
    b.runAt(2);
    CHECK(b.layer.scrub.alarm == 0);
    CHECK(b.timerWrites() == writes);
    b.layer.completing.partial_due = 0;
    b.runAt(3);
    CHECK(b.layer.scrub.alarm == 100 * us);
}

TEST_CASE("scrub: a read-only drive, or one that saves its buffer, reads nothing and has no alarm", "[scrub]")
{
    for (const bool isSaving : {false, true}) {
        CAPTURE(isSaving);
        Bench b(100);
        b.fill(0);
        b.runAt(1);
        b.layer.read_only = !isSaving;
        b.layer.is_saving = isSaving;
        CHECK_FALSE(b.runAt(200 * us));
        CHECK(b.flash.pending.empty());
        CHECK(b.layer.scrub.alarm == 0);
        CHECK(b.hal.writes.back() == std::make_pair(std::uint32_t{TIMER_CONTROL}, 0u));
    }
}

TEST_CASE("scrub: ages of all blocks are compared in slices, round after round", "[scrub]")
{
    Bench b(0, 6400, [](boot_block& boot) { // ms: a comparison of every age each 100 ms
        boot.blocks_per_plane = 2 * REFRESH_SLICE + 10;
        boot.bad_block_table = 0;
    });
    scrub& scrub = b.layer.scrub;
    CHECK(scrub.step > 6400 * ms / REFRESH_ROUNDS / 3);
    CHECK(scrub.step < 6400 * ms / REFRESH_ROUNDS / 3 + 20 * us);
    std::vector<std::uint32_t> compared;
    for (std::uint32_t step = 0; step < 4; ++step) {
        b.runAt(step * scrub.step);
        compared.push_back(scrub.compared);
        b.runAt((step + 1) * scrub.step - 1); // not due yet
        CHECK(scrub.compared == compared.back());
    }
    CHECK(compared == std::vector<std::uint32_t>{REFRESH_SLICE, 2 * REFRESH_SLICE, 0, REFRESH_SLICE});
    CHECK(scrub.alarm == 4 * scrub.step);
}

TEST_CASE("scrub: comparing ages leaves the CPU most of its time, however short the limit is", "[scrub]")
{
    Bench b(0, 1, [](boot_block& boot) { boot.blocks_per_plane = REFRESH_SLICE; });
    b.hal.costNs = 100 * us;
    for (std::uint64_t now = 0; now < 1000 * ms; now = b.layer.scrub.alarm) {
        b.runAt(now);
        const std::uint64_t spent = b.hal.timeNs - now;
        CHECK(spent >= 100 * us);
        CHECK(b.layer.scrub.alarm - now >= 8 * spent);
    }
}

TEST_CASE("scrub: a block that is too old is due, and its plane is to be collected", "[scrub]")
{
    Bench b(0, 1000);
    b.fill(0);
    CHECK_FALSE(b.runAt(5 * ms)); // found in use
    CHECK_FALSE(b.runAt(1005 * ms - 1));
    CHECK(b.runAt(1005 * ms + b.layer.scrub.step));
    CHECK(b.blockOf(0).due == REFRESH_DUE_BY_AGE);
    CHECK(plane_set_has(&b.layer.blocks.to_collect, 0));
}
