// SPDX-License-Identifier: Apache-2.0
//
// Start-up of the layer: shapes that it refuses, its capacity; where the ends of operations go.
#include "tests/firmware/ftl/page_map/layer_bench.h"

#include <string>

using namespace strobe::test;

namespace {

// The panic of a start with this boot block; empty: there is none.
std::string panicOf(const LayerBench::Change& change)
{
    try {
        LayerBench b(change);
    } catch (const Panic& panic) {
        return panic.what();
    }
    return "";
}

std::uint64_t exportedBy(const LayerBench::Change& change, const std::vector<std::uint32_t>& bad = {})
{
    return LayerBench(change, bad).layer.exported;
}

using Catch::Matchers::Contains;

} // namespace

TEST_CASE("layer: shapes that it cannot map are refused by the name of their boot word", "[layer]")
{
    CHECK(panicOf({}).empty());
    CHECK_THAT(panicOf([](boot_block& boot) { boot.superchip_bus = 2; }), Contains("SUPERCHIP_BUS"));
    CHECK_THAT(panicOf([](boot_block& boot) { boot.superchip_chip = 2; }), Contains("SUPERCHIP_CHIP"));
    CHECK_THAT(panicOf([](boot_block& boot) {
                   boot.planes = 4;
                   boot.row_planes = 2;
               }),
               Contains("ROW_PLANES"));
    CHECK_THAT(panicOf([](boot_block& boot) {
                   boot.channels = 3;
                   boot.superblock_dies = 2;
               }),
               Contains("SUPERBLOCK_DIES"));
    CHECK_THAT(panicOf([](boot_block& boot) {
                   boot.channels = boot.superblock_dies = 2;
                   boot.pages_per_block = 0x8000;
               }),
               Contains("65535"));
    CHECK_THAT(panicOf([](boot_block& boot) {
                   boot.channels = boot.superblock_dies = 2;
                   boot.command_placement = COMMAND_PLACEMENT_CHANNEL;
               }),
               Contains("placed by channel"));
}

TEST_CASE("layer: over-provisioning decides the capacity, up to what collection and tables leave", "[layer]")
{
    const auto withShare = [](std::uint32_t permille) {
        return [permille](boot_block& boot) { boot.overprovision_permille = permille; };
    };
    CHECK(exportedBy(withShare(750)) == 16 * 8 / 4);
    const std::uint64_t most = exportedBy(withShare(0));
    CHECK(most == 13 * 8 - 1 - 6 * 8); // usable blocks less zeros, two checkpoints and the journal
    CHECK(exportedBy(withShare(100)) == most);
    LayerBench reduced(withShare(0));
    REQUIRE_FALSE(reduced.hal.console.empty());
    CHECK_THAT(reduced.hal.console[0], Contains("capacity reduced"));
    CHECK(LayerBench(withShare(750)).hal.console.empty());
}

TEST_CASE("layer: bad blocks and spares leave less", "[layer]")
{
    const auto all = [](boot_block& boot) { boot.overprovision_permille = 0; };
    const auto spares = [](boot_block& boot) {
        boot.overprovision_permille = 0;
        boot.spare_blocks = 2;
    };
    CHECK(exportedBy(all) - exportedBy(all, {3}) == 8);
    CHECK(exportedBy(all) - exportedBy(spares) == 16);
}

TEST_CASE("layer: a capacity of the boot block is kept to the sector, or is refused with the most that is possible",
          "[layer]")
{
    LayerBench b([](boot_block& boot) { boot.capacity_lo = 81; });
    CHECK(b.layer.capacity == 81);
    CHECK(b.layer.exported == 21); // units of 4 sectors
    const auto most = [](boot_block& boot) { boot.capacity_lo = 55 * 4; };
    CHECK(LayerBench(most).layer.capacity == 220);
    CHECK_THAT(panicOf([](boot_block& boot) { boot.capacity_lo = 55 * 4 + 1; }),
               Contains("the capacity of 224 sectors") && Contains("hold 220"));
    CHECK_THAT(panicOf([](boot_block& boot) { boot.capacity_hi = 1; }), Contains("is not possible"));
}

TEST_CASE("layer: hidden units of zeros follow the exported ones, one for each die up to a limit", "[layer]")
{
    LayerBench one;
    CHECK(one.layer.map.logical_units == one.layer.exported + 1);
    LayerBench many([](boot_block& boot) { boot.channels = 12; });
    CHECK(many.layer.map.logical_units == many.layer.exported + ZERO_UNITS);
}

TEST_CASE("layer: operations have numbers of their own, for slots, moves, tables and padding", "[layer]")
{
    LayerBench b([](boot_block& boot) {
        boot.planes = boot.row_planes = 2;
        boot.buffer_size = 128 * 2048;
    });
    const ftl& layer = b.layer;
    const std::uint32_t plain = layer.geometry.planes * plain_ops(&layer.geometry);
    CHECK(layer.tables[TABLES_JOURNAL].first_op == layer.buffer.slots + plain);
    CHECK(layer.tables[TABLES_CHECKPOINT].first_op == layer.tables[TABLES_JOURNAL].first_op + 2);
    CHECK(layer.padding.first_op == layer.tables[TABLES_CHECKPOINT].first_op + 2);
}

TEST_CASE("layer: a host read ends at the client, and units that fail together are read one by one", "[layer]")
{
    LayerBench b([](boot_block& boot) {
        boot.page_bytes = 8192;
        boot.mapping_unit = 4096;
        boot.buffer_size = 128 * 4096;
    });
    b.fill(0);
    const std::uint32_t first = buffer_take(&b.layer.buffer, USE_READ);
    const std::uint32_t second = buffer_take(&b.layer.buffer, USE_READ);
    for (const std::uint32_t number : {first, second}) {
        b.slotOf(number).state = SLOT_READING;
        b.slotOf(number).logical = b.slotOf(number).physical = number == first ? 2 : 3;
    }
    b.slotOf(first).next = second;
    b.slotOf(second).next = NONE;
    ftl_read_units(&b.layer, first, 2);
    CHECK(b.started(0).start_sector == 16);
    CHECK(b.started(0).sectors == 16);
    map_forget(&b.layer.map, 3, MAP_UNMAPPED); // trimmed meanwhile
    b.end(FLASH_UNCORRECTABLE);
    CHECK(b.unitsRead == std::vector<std::pair<std::uint32_t, bool>>{{second, false}}); // there is nothing to read
    REQUIRE(b.flash.pending.size() == 1);
    b.end();
    CHECK(b.unitsRead.back() == std::make_pair(first, true));
}

TEST_CASE("layer: one round brings a version to flash, and its end settles it", "[layer]")
{
    LayerBench b;
    const std::uint32_t version = b.write(7);
    ftl_run(&b.layer);
    REQUIRE(b.flash.pending.size() == 1);
    CHECK(purposeOf(b.started(0)) == FLASH_FOR_HOST);
    b.end();
    CHECK(map_find(&b.layer.map, 7) == 0);
    CHECK(b.settled == std::vector<std::pair<std::uint32_t, host_status>>{{version, HOST_OK}});
    CHECK(b.layer.unsettled == 0);
    CHECK_FALSE(ftl_has_work(&b.layer));
}

TEST_CASE("layer: while the host is idle partial units are completed, after a time, and not while it is busy",
          "[layer]")
{
    LayerBench b;
    const std::uint32_t version = ftl_place(&b.layer, 3, 0x1, 0, false);
    ftl_arrived(&b.layer, version, 0x1);
    CHECK_FALSE(ftl_idle_work(&b.layer, false));
    CHECK(b.layer.completing.partial_due == 0);
    CHECK_FALSE(ftl_idle_work(&b.layer, true));
    CHECK(b.layer.completing.partial_due == IDLE_NS);
    b.hal.timeNs = IDLE_NS;
    CHECK(ftl_idle_work(&b.layer, true));
    CHECK(b.slotOf(version).state == SLOT_READY);
}

TEST_CASE("layer: a page of the journal in flash lets the dropped versions and the erases go on", "[layer]")
{
    LayerBench b;
    const std::uint32_t version = b.write(3);
    queues_take_ready(&b.layer.queues, version);
    queues_wait_for_journal(&b.layer.queues, version);
    plane_set_add(&b.layer.collection.unwritten, 0);
    journal_forget(&b.layer, RECORD_LOST, 9);
    journal_flush(&b.layer);
    CHECK(b.slotOf(version).state == SLOT_DROPPED);
    b.end();
    CHECK(b.slotOf(version).state == SLOT_READY);
    CHECK(b.layer.collection.unwritten.count == 0);
    CHECK(plane_set_has(&b.layer.collection.pending, 0));
}

TEST_CASE("layer: the end of an operation tells the collector only where something may wait for an idle die", "[layer]")
{
    for (const std::uint32_t idle : {0u, 15u}) {
        CAPTURE(idle);
        LayerBench b([idle](boot_block& boot) { boot.gc_idle_blocks = idle; });
        b.fill(0);
        b.fill(8);
        ftl_read(&b.layer, buffer_take(&b.layer.buffer, USE_READ), 3, 0, 4);
        b.end();
        CHECK(b.layer.collection.idle.count == (idle == 0 ? 0 : 1));
    }
}
