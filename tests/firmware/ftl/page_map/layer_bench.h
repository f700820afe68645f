#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The state of a small page-mapping drive for tests of single files of the layer: started by ftl_init() on an empty
// flash (fake_flash.h), without the request layer. What the layer reports to its client is kept in lists.
//
// One channel of one die with one plane of 16 blocks of 8 pages of 2 KiB, a page is a unit; no over-provisioning
// limits, no spares; the test may change the boot block.

#include "tests/firmware/support/fake_flash.h"
#include "tests/support/catch.h"

#include <functional>
#include <utility>
#include <vector>

namespace strobe::test {

struct LayerBench {
    using Change = std::function<void(boot_block&)>;

    static boot_block bootOf(FakeHal& hal, const Change& change, const std::vector<std::uint32_t>& bad)
    {
        boot_block boot{};
        boot.channels = boot.ways = boot.luns = boot.planes = 1;
        boot.blocks_per_plane = 16;
        boot.pages_per_block = 8;
        boot.page_bytes = 2048;
        boot.program_pages = boot.row_planes = boot.superblock_dies = 1;
        boot.units = 1;
        boot.unit_depth = 8;
        boot.cores = 1;
        boot.host_slots = 4;
        boot.overprovision_permille = 500;
        boot.allocation_order = 0x3210;
        boot.gc_low_blocks = 2;
        boot.buffer_base = 0x08000000; // not in the memory of the HAL: data is not kept
        boot.buffer_size = 64 * boot.page_bytes;
        boot.bad_block_table = arena_take(&hal.arena, 64, 4, 4, "the bad block table");
        for (const std::uint32_t block : bad)
            hal.words(boot.bad_block_table)[block / 32] |= 1u << block % 32;
        if (change)
            change(boot);
        if (boot.mapping_unit == 0)
            boot.mapping_unit = boot.page_bytes;
        return boot;
    }

    // `bad`: factory bad blocks, counted over all dies; `prepare`: what the flash holds before the layer starts.
    explicit LayerBench(const Change& change = {}, const std::vector<std::uint32_t>& bad = {},
                        const std::function<void(FakeFlash&)>& prepare = {})
        : boot(bootOf(hal, change, bad)), flash(hal, boot.page_bytes)
    {
        if (prepare)
            prepare(flash);
        const ftl_client client = {
            this,
            [](void* context, std::uint32_t slot, bool ok) { at(context).unitsRead.emplace_back(slot, ok); },
            [](void* context, std::uint32_t slot, host_status status) {
                at(context).settled.emplace_back(slot, status);
            },
            [](void* context, slot_use use) { at(context).slotsFree.push_back(use); },
            [](void* context) { ++at(context).flushed; },
            [](void* context) { ++at(context).readOnly; },
        };
        ftl_init(&layer, &boot, &hal.arena, &client);
        statistics_start(0, 0);
    }
    LayerBench(const LayerBench&) = delete;
    LayerBench& operator=(const LayerBench&) = delete;

    // Ends the oldest operation, or all of them and those that follow, and tells the layer.
    void end(flash_status status = FLASH_OK)
    {
        flash.end(status);
        flash_poll(&layer.flash);
    }
    void endAll()
    {
        while (!flash.pending.empty())
            end();
    }
    const flash_descriptor& started(std::size_t i) const { return *flash.pending.at(i); }

    // A block whose first `pages` pages hold logical units from `logical` on, in flash and in the map; the next block
    // that data of the stream goes to, so that blocks are filled one after the other.
    std::uint32_t fill(std::uint32_t logical, std::uint32_t pages = 8, enum stream stream = STREAM_HOST,
                       std::uint32_t plane = 0)
    {
        const geometry& g = layer.geometry;
        std::uint32_t block = NONE;
        for (std::uint32_t page = 0; page < pages; ++page) {
            const std::uint32_t unit = blocks_take_page(&layer.blocks, plane, stream, 0);
            block = block_of_unit(&g, unit);
            for (std::uint32_t i = 0; i < g.units_per_page; ++i)
                map_write(&layer.map, logical++, unit + i);
            for (std::uint32_t strip = 0; strip < g.row_planes; ++strip)
                blocks_program_ended(&layer.blocks, block);
        }
        return block;
    }
    // A complete version of a unit, as if the host had transferred it.
    std::uint32_t write(std::uint32_t logical, bool urgent = false)
    {
        const std::uint32_t mask = layer.geometry.full_unit;
        const std::uint32_t version = ftl_place(&layer, logical, mask, 0, urgent);
        REQUIRE(version != NONE);
        ftl_arrived(&layer, version, mask);
        return version;
    }
    slot& slotOf(std::uint32_t number) { return layer.buffer.slot[number]; }
    block& blockOf(std::uint32_t number) { return layer.blocks.block[number]; }

    FakeHal hal;
    boot_block boot;
    FakeFlash flash;
    ::ftl layer{};
    std::vector<std::pair<std::uint32_t, bool>> unitsRead;
    std::vector<std::pair<std::uint32_t, host_status>> settled;
    std::vector<slot_use> slotsFree;
    std::uint32_t flushed = 0, readOnly = 0;

private:
    static LayerBench& at(void* context) { return *static_cast<LayerBench*>(context); }
};

} // namespace strobe::test
