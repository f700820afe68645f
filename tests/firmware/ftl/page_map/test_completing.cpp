// SPDX-License-Identifier: Apache-2.0
//
// Where the missing sectors of a write version come from, and how long it waits for the host to send them.
#include "tests/firmware/ftl/page_map/layer_bench.h"

#include <algorithm>

using namespace strobe::test;

namespace {

struct Bench : LayerBench {
    using LayerBench::LayerBench;

    // A version with these sectors, out of its queue, as write-out hands it to version_fill().
    std::uint32_t version(std::uint32_t logical, std::uint32_t valid)
    {
        const std::uint32_t number = ftl_place(&layer, logical, valid, 0, true);
        ftl_arrived(&layer, number, valid);
        queues_take_ready(&layer.queues, number);
        return number;
    }
    std::uint32_t written(std::uint32_t address) const
    {
        const auto found = std::find_if(hal.writes.rbegin(), hal.writes.rend(),
                                        [address](const auto& write) { return write.first == address; });
        return found == hal.writes.rend() ? NONE : found->second;
    }
};

} // namespace

TEST_CASE("completing: missing sectors are read from flash, one gap at a time", "[completing]")
{
    Bench b;
    b.fill(0);
    const std::uint32_t number = b.version(3, 0x4);
    version_fill(&b.layer, number);
    CHECK(b.slotOf(number).state == SLOT_FILLING);
    REQUIRE(b.flash.pending.size() == 1);
    CHECK(purposeOf(b.started(0)) == FLASH_FOR_MERGE);
    CHECK(b.started(0).start_sector == 3 * 4);
    CHECK(b.started(0).sectors == 2);
    CHECK(b.started(0).buffer == buffer_address(&b.layer.buffer, number));
    b.end();
    CHECK(b.slotOf(number).valid == 0x7);
    CHECK(b.slotOf(number).filling == 0);
    CHECK(b.slotOf(number).state == SLOT_READY);
    queues_take_ready(&b.layer.queues, number);
    version_fill(&b.layer, number);
    CHECK(b.started(0).start_sector == 3 * 4 + 3);
    CHECK(b.started(0).sectors == 1);
    CHECK(b.started(0).buffer == buffer_address(&b.layer.buffer, number) + 3 * 512);
    b.end();
    CHECK(b.slotOf(number).valid == 0xF);
}

TEST_CASE("completing: the last sector of a unit of 32 sectors can be missing alone", "[completing]")
{
    Bench b([](boot_block& boot) {
        boot.page_bytes = 32 * 512;
        boot.buffer_size = 64 * boot.page_bytes;
    });
    b.fill(0);
    const std::uint32_t number = b.version(0, 0x7FFFFFFF);
    version_fill(&b.layer, number);
    CHECK(b.started(0).start_sector == 31);
    CHECK(b.started(0).sectors == 1);
    b.end();
    CHECK(b.slotOf(number).valid == 0xFFFFFFFF);
    const std::uint32_t first = b.version(1, 0x80000000);
    version_fill(&b.layer, first);
    CHECK(b.started(0).sectors == 31);
}

TEST_CASE("completing: a version waits for an older one that is on its way to flash", "[completing]")
{
    Bench b;
    const std::uint32_t older = b.write(3);
    queues_take_ready(&b.layer.queues, older);
    b.slotOf(older).state = SLOT_PROGRAMMING;
    const std::uint32_t number = b.version(3, 0x1);
    version_fill(&b.layer, number);
    CHECK(b.slotOf(number).state == SLOT_WAITING);
    CHECK(b.flash.pending.empty());
}

TEST_CASE("completing: a unit whose missing sectors cannot be read is lost, and the journal keeps that", "[completing]")
{
    Bench b;
    b.fill(0);
    const std::uint32_t number = b.version(3, 0x1);
    version_fill(&b.layer, number);
    b.end(FLASH_UNCORRECTABLE);
    CHECK(map_find(&b.layer.map, 3) == MAP_LOST);
    CHECK(b.slotOf(number).lost);
    CHECK(b.slotOf(number).stale);
    CHECK(b.slotOf(number).state == SLOT_READY);
    const journal_page* page = b.layer.journal.buffer[b.layer.journal.filling].page;
    REQUIRE(page->records == 1);
    CHECK(page->record[0].kind == RECORD_LOST);
    CHECK(page->record[0].first == 3);

    queues_take_ready(&b.layer.queues, number);
    version_settle(&b.layer, number, HOST_UNCORRECTABLE);
    const std::uint32_t next = b.version(3, 0x1); // of a unit that is lost already: nothing is read
    version_fill(&b.layer, next);
    CHECK(b.flash.pending.empty());
    CHECK(b.slotOf(next).lost);
}

TEST_CASE("completing: a failed read does not lose a unit whose version was trimmed meanwhile", "[completing]")
{
    Bench b;
    b.fill(0);
    const std::uint32_t number = b.version(3, 0x1);
    version_fill(&b.layer, number);
    ftl_trim(&b.layer, 3);
    b.end(FLASH_UNCORRECTABLE);
    CHECK(map_find(&b.layer.map, 3) == MAP_UNMAPPED);
    CHECK_FALSE(b.slotOf(number).lost);
    CHECK(b.slotOf(number).state == SLOT_READY);
}

TEST_CASE("completing: sectors that were never written come from a unit of zeros, which is written first",
          "[completing]")
{
    Bench b;
    REQUIRE(b.layer.completing.zero_units == 1);
    const std::uint32_t number = b.version(3, 0x1);
    version_fill(&b.layer, number);
    CHECK(b.slotOf(number).state == SLOT_ZEROING);
    CHECK(b.slotOf(0).state == SLOT_READY);
    CHECK(b.slotOf(0).logical == b.layer.exported);
    CHECK(b.slotOf(0).valid == b.layer.geometry.full_unit);
    const std::uint32_t other = b.version(4, 0x1);
    version_fill(&b.layer, other); // waits for the same zeros
    CHECK(b.slotOf(other).state == SLOT_ZEROING);
    CHECK(b.layer.queues.ready_slots == 1);

    queues_take_ready(&b.layer.queues, 0);
    map_write(&b.layer.map, b.layer.exported, 40);
    version_settle(&b.layer, 0, HOST_OK);
    REQUIRE(b.slotOf(number).state == SLOT_READY);
    queues_take_ready(&b.layer.queues, number);
    version_fill(&b.layer, number);
    REQUIRE(b.flash.pending.size() == 1);
    CHECK(b.started(0).blocks == 5);       // unit 40
    CHECK(b.started(0).start_sector == 1); // the same sectors of the unit of zeros
    CHECK(b.started(0).sectors == 3);
}

TEST_CASE("completing: units of zeros are used in turn, and while one is missing another one serves", "[completing]")
{
    Bench b([](boot_block& boot) { boot.channels = 4; });
    REQUIRE(b.layer.completing.zero_units == 4);
    map_write(&b.layer.map, b.layer.exported + 1, 40);
    b.slotOf(0).state = SLOT_PROGRAMMING; // the first one
    map_write(&b.layer.map, b.layer.exported + 2, 81);
    std::vector<std::uint32_t> blocks;
    for (std::uint32_t logical = 3; logical < 7; ++logical) {
        version_fill(&b.layer, b.version(logical, 0x1));
        blocks.push_back(b.started(0).blocks);
        b.end();
    }
    CHECK(blocks == std::vector<std::uint32_t>{5, 5, 10, 5}); // for the first and the fourth the lowest serves
    CHECK(b.layer.completing.next_zero == 0);
}

TEST_CASE("completing: partial versions are completed when the host has been idle for long enough", "[completing]")
{
    Bench b;
    const std::uint32_t number = ftl_place(&b.layer, 3, 0x1, 0, false);
    ftl_arrived(&b.layer, number, 0x1);
    REQUIRE(b.slotOf(number).state == SLOT_PARTIAL);
    b.hal.timeNs = 5000;
    CHECK_FALSE(completing_idle(&b.layer, true));
    CHECK(b.layer.completing.partial_due == 5000 + IDLE_NS);
    CHECK(b.written(TIMER_COMPARE_LO) == 5000 + IDLE_NS);
    CHECK(b.written(TIMER_CONTROL) == TIMER_CONTROL_ENABLE_MASK);
    b.hal.timeNs = 4999 + IDLE_NS;
    CHECK_FALSE(completing_idle(&b.layer, true));
    CHECK(b.slotOf(number).state == SLOT_PARTIAL);
    b.hal.timeNs = 5000 + IDLE_NS;
    CHECK(completing_idle(&b.layer, true));
    CHECK(b.slotOf(number).state == SLOT_READY);
    CHECK_FALSE(completing_idle(&b.layer, true)); // nothing is left
}

TEST_CASE("completing: a host that is not idle any more cancels the timer, and the time begins anew", "[completing]")
{
    Bench b;
    const std::size_t before = b.hal.writes.size();
    CHECK_FALSE(completing_idle(&b.layer, false));
    CHECK(b.hal.writes.size() == before); // there is no timer to cancel
    completing_idle(&b.layer, true);
    CHECK_FALSE(completing_idle(&b.layer, false));
    CHECK(b.layer.completing.partial_due == 0);
    CHECK(b.written(TIMER_CONTROL) == 0);
    b.hal.timeNs = 700;
    completing_idle(&b.layer, true);
    CHECK(b.layer.completing.partial_due == 700 + IDLE_NS);
}

TEST_CASE("completing: gathered versions are programmed after the same time though they do not fill a page",
          "[completing]")
{
    Bench b([](boot_block& boot) {
        boot.page_bytes = 8192;
        boot.mapping_unit = 4096;
    });
    const std::uint32_t number = b.write(3);
    queues_take_ready(&b.layer.queues, number);
    queues_gather(&b.layer.queues, number);
    completing_idle(&b.layer, true);
    CHECK_FALSE(b.layer.queues.short_due);
    b.hal.timeNs = IDLE_NS + 1;
    CHECK(completing_idle(&b.layer, true));
    CHECK(b.layer.queues.short_due);
}
