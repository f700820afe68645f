// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/ftl/page_map/ftl_invariants.h"

#include "tests/firmware/support/firmware_headers.h"

#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace strobe::test {

namespace {

void expect(bool holds, const std::string& what)
{
    if (!holds)
        throw std::runtime_error("tables: " + what);
}

void checkMaps(const ftl& ftl)
{
    const page_map& map = ftl.map;
    std::vector<std::uint32_t> valid(ftl.geometry.blocks, 0);
    for (std::uint32_t unit = 0; unit < ftl.geometry.units; ++unit) {
        const std::uint32_t logical = map.logical[unit];
        if (logical == NONE)
            continue;
        expect(logical < map.logical_units && map.physical[logical] == unit, "reverse map disagrees with the map");
        ++valid[unit / ftl.geometry.units_per_block];
    }
    for (std::uint32_t logical = 0; logical < map.logical_units; ++logical) {
        const std::uint32_t physical = map.physical[logical];
        expect(physical >= MAP_LOST || map.logical[physical] == logical, "map disagrees with the reverse map");
    }
    for (std::uint32_t block = 0; block < ftl.geometry.blocks; ++block) {
        const struct block& b = ftl.blocks.block[block];
        expect(b.valid == valid[block], "valid count of block " + std::to_string(block));
        expect(b.valid <= b.taken * ftl.geometry.units_per_page, "more valid units than were taken");
        expect(b.valid == 0 || (b.state != BLOCK_FREE && b.state != BLOCK_SPARE && b.state != BLOCK_BAD),
               "valid units in a block that holds none");
    }
}

void checkPlane(const ftl& ftl, std::uint32_t number)
{
    const block_table& table = ftl.blocks;
    const plane& plane = table.plane[number];
    std::uint32_t free = 0;
    std::uint32_t full = 0;
    std::uint32_t spares = 0;
    for (std::uint32_t i = 0; i < ftl.geometry.blocks_per_plane; ++i) {
        const struct block& block = table.block[block_in_plane(&ftl.geometry, number, i)];
        expect(block.plane == number, "plane of a block");
        free += block.state == BLOCK_FREE ? 1 : 0;
        spares += block.state == BLOCK_SPARE ? 1 : 0;
        const bool isReserved = block.slc && table.slc_reserved != 0; // in no list
        if (block.state == BLOCK_FULL && !block.failed && !isReserved) {
            ++full;
            expect(block.flying == 0 && plane.fewest <= block.valid, "a full block");
        }
    }
    expect(free == plane.free && full == plane.full && spares == plane.spares, "block counts of a plane");
    std::uint32_t listed = 0;
    for (std::uint32_t valid = 0; valid <= ftl.geometry.units_per_block; ++valid) {
        for (std::uint32_t at = *blocks_list(&table, number, valid); at != NONE; at = table.block[at].next) {
            expect(table.block[at].valid == valid && table.block[at].state == BLOCK_FULL, "list of full blocks");
            ++listed;
        }
    }
    expect(listed == full, "a full block is in no list");
}

void checkBuffer(const ftl& ftl)
{
    std::uint32_t used[USES] = {};
    std::set<std::uint32_t> givenBack;
    for (std::uint32_t slot = ftl.buffer.given_back; slot != NONE; slot = ftl.buffer.slot[slot].next)
        expect(givenBack.insert(slot).second, "a slot was given back twice");
    for (std::uint32_t slot = 1; slot < ftl.buffer.slots; ++slot) {
        const bool free = bitmap_has(ftl.buffer.free, slot) != (givenBack.count(slot) != 0);
        expect(free == (ftl.buffer.slot[slot].state == SLOT_FREE), "free slots");
        if (!free)
            ++used[ftl.buffer.slot[slot].use];
    }
    for (std::uint32_t use = 0; use < USES; ++use)
        expect(used[use] == ftl.buffer.used[use] && used[use] <= ftl.buffer.limit[use], "slots in use");
}

// `lane`: the first of its stream.
void checkPlaneRoom(const ftl& ftl, std::uint32_t lane, std::uint32_t plane)
{
    const stream next = write_room_stream_of(&ftl.room, lane);
    const bool hasRoom = next == STREAM_SLC ? pslc_cache_has_room(&ftl.room.cache, &ftl.blocks, plane)
                                            : blocks_have_page(&ftl.blocks, plane, next, GC_RESERVE);
    const std::uint32_t die = blocks_next_die(&ftl.blocks, plane, next);
    const bool isBusy = ftl.room.die_programs[die] > ftl.room.most_before || blocks_are_behind(&ftl.blocks, plane);
    const plane_takes takes = !hasRoom ? TAKES_NOTHING : isBusy ? TAKES_LATER : TAKES_NOW;
    const std::uint8_t taken = ftl.room.takes[allocation_stream_of(&ftl.allocation, lane)][plane];
    if (next != STREAM_SLC && pacing_is_on(&ftl.pacing) && taken == TAKES_NOTHING && hasRoom) {
        const bool goesOn = ftl.collection.planes[plane].phase != COLLECT_NOTHING;
        expect(goesOn || plane_set_has(&ftl.blocks.to_collect, plane) || plane_set_has(&ftl.collection.pending, plane),
               "host data waits for a plane that is not collected");
        return;
    }
    expect(taken == takes, "what plane " + std::to_string(plane) + " takes");
}

void checkWriteRoom(const ftl& ftl)
{
    std::uint32_t ready = 0;
    std::uint32_t gathered = 0;
    for (std::uint32_t slot = 0; slot < ftl.buffer.slots; ++slot) {
        const struct slot& s = ftl.buffer.slot[slot];
        ready += s.state == SLOT_READY && s.use == USE_WRITE ? 1 : 0;
        gathered += s.state == SLOT_GATHERED && s.use == USE_WRITE ? 1 : 0;
    }
    expect(ready == ftl.queues.ready_slots, "ready versions");
    expect(gathered == ftl.queues.gathered_slots, "gathered versions");
    for (std::uint32_t plane = 0; plane < ftl.geometry.planes; ++plane) {
        if (bitmap_has(ftl.blocks.room_changed.planes, plane))
            continue;
        for (std::uint32_t lane = 0; lane < allocation_lanes(&ftl.allocation); lane += ftl.allocation.groups)
            checkPlaneRoom(ftl, lane, plane);
    }
}

} // namespace

void checkTables(const ftl& ftl)
{
    checkMaps(ftl);
    checkBuffer(ftl);
    checkWriteRoom(ftl);
    for (std::uint32_t plane = 0; plane < ftl.geometry.planes; ++plane)
        checkPlane(ftl, plane);
}

// The read slots that keep units that have been read ahead.
static std::uint32_t heldAhead(const ftl& ftl)
{
    const read_ahead& ahead = request_app()->ahead;
    std::set<std::uint32_t> units;
    for (std::uint32_t i = 0; i < 2 * ahead.window * ahead.streams; ++i) {
        const ahead_unit& held = ahead.held[i];
        if (held.slot == NONE)
            continue;
        const slot& slot = ftl.buffer.slot[held.slot];
        expect(slot.state == SLOT_CACHED && slot.pins == 0 && !slot.stale, "a unit read ahead is in use");
        expect(slot.logical == held.unit && units.insert(held.unit).second, "a unit is held twice");
    }
    return static_cast<std::uint32_t>(units.size());
}

void checkAtRest(const ftl& ftl)
{
    checkTables(ftl);
    for (std::uint32_t die = 0; die < ftl.geometry.dies; ++die)
        expect(flash_die_is_idle(&ftl.flash, die) && ftl.room.die_programs[die] == 0, "a die has something to do");
    for (std::uint32_t block = 0; block < ftl.geometry.blocks; ++block)
        expect(ftl.blocks.block[block].flying == 0, "a program never ended");
    if (ftl.read_only)
        return;
    expect(ftl.unsettled == 0 && ftl.queues.ready_slots == 0 && ftl.queues.gathered_slots == 0,
           "write data was left in the buffer");
    const std::uint32_t held[USES] = {heldAhead(ftl), 0, 0};
    for (std::uint32_t use = 0; use < USES; ++use)
        expect(ftl.buffer.used[use] == held[use], "a buffer slot was not given back");
    for (std::uint32_t plane = 0; plane < ftl.geometry.planes; ++plane) {
        const collector& collector = ftl.collection.planes[plane];
        expect(collector.moving == 0 && collector.reading == 0 && collector.gathered.count == 0 &&
                   collector.phase != COLLECT_ERASING,
               "a collector hangs");
        expect(collector.phase == COLLECT_NOTHING || collector.reason == COLLECT_WHILE_IDLE,
               "a victim was not emptied");
        expect(ftl.blocks.plane[plane].failed_list == NONE, "a failed block was not emptied");
    }
}

} // namespace strobe::test
