// SPDX-License-Identifier: Apache-2.0
//
// The request layer's one promise to the main loop: it sleeps only if nothing is left that it could do without an
// event.
#include "tests/firmware/policies/fake_hal.h"
#include "tests/support/catch.h"

#include <algorithm>

using namespace strobe::test;

namespace {

constexpr std::uint32_t sectorsPerPage = 4;

struct Bench {
    FakeHal hal;
    boot_block boot{};

    Bench()
    {
        boot.channels = boot.ways = boot.luns = boot.planes = 1;
        boot.blocks_per_plane = 16;
        boot.pages_per_block = 8;
        boot.page_bytes = sectorsPerPage * 512;
        boot.units = boot.unit_depth = 1;
        boot.host_slots = 2;
        boot.overprovision_permille = 400;
        boot.allocation_order = 0x3210;
        boot.gc_low_blocks = 2;
        boot.buffer_size = 32 * boot.page_bytes;
        boot.bad_block_table = FakeHal::base; // one word of it, in memory that the arena has not handed out yet
        *hal.words(FakeHal::base) = 0;
        hal.arena.used += 64;
        request_init(&boot, &hal.arena);
    }

    // A version of page 0 that has been trimmed while it was in the buffer: to be dropped without any flash operation.
    void leaveDroppedVersion()
    {
        const std::uint32_t version = ftl_place(&app.ftl, 0, 1, 0, false);
        ftl_arrived(&app.ftl, version, 1);
        ftl_trim(&app.ftl, 0);
    }
    bool isCompleted(std::uint32_t slot) const
    {
        return std::any_of(hal.writes.begin(), hal.writes.end(), [slot](const auto& write) {
            return write.first == HOST_COMPLETE && (write.second & 0xFFFFu) == slot;
        });
    }
};

} // namespace

TEST_CASE("with nothing to do the request layer lets the CPU sleep")
{
    const Bench bench;
    CHECK_FALSE(request_serve());
}

TEST_CASE("a flush that ends because a version was dropped is noticed before the CPU sleeps")
{
    Bench bench;
    bench.leaveDroppedVersion();
    app.requests[1] = {};
    app.requests[1].kind = 3;
    app.requests[1].active = true;
    ++app.active;
    app.requests[1].ticket = ftl_flush(&app.ftl);
    line_join(&app.for_flush, 1);
    journal_programmed(&app.ftl, FLASH_OK); // the record of the trim
    REQUIRE(request_serve());               // no event comes that would wake the CPU for it
    request_serve();
    CHECK(bench.isCompleted(1));
}

TEST_CASE("a write slot that comes free because a version was dropped is noticed before the CPU sleeps")
{
    Bench bench;
    bench.leaveDroppedVersion();
    app.write_slot_free = false;
    CHECK(request_serve());
    CHECK(app.ftl.buffer.used[USE_WRITE] == 0);
}

TEST_CASE("a moved page that finds no place leaves its collector stuck, with nothing under way and no slot taken")
{
    Bench bench;
    collector& victims = app.ftl.collectors[0];
    victims.phase = COLLECT_MOVING;
    victims.victim = 0;
    victims.moving = 1;
    app.ftl.map.logical[0] = 0;       // page 0 holds data that is to be moved …
    app.ftl.blocks.plane[0].free = 0; // … but no block is free: the last spares are used up
    const std::uint32_t number = buffer_take(&app.ftl.buffer, USE_MOVE);
    app.ftl.buffer.slot[number].source = 0;
    const std::size_t writes = bench.hal.writes.size();
    collector_moved_read(&app.ftl, number, FLASH_OK);
    CHECK(victims.phase == COLLECT_STUCK);
    CHECK(victims.moving == 0);
    CHECK(app.ftl.buffer.used[USE_MOVE] == 0);
    collector_run(&app.ftl);
    CHECK(victims.phase == COLLECT_STUCK);
    CHECK(app.ftl.map.logical[0] == 0);       // it stays readable where it is
    CHECK(bench.hal.writes.size() == writes); // nothing is asked of the flash
}
