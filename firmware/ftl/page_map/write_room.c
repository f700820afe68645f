/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/write_room.h"

#include "firmware/ftl/page_map/policy.h"

static void set_takes(struct write_room* room, uint32_t plane, enum plane_takes takes)
{
    const bool had_room = room->takes[plane] != TAKES_NOTHING;
    const bool has_room = takes != TAKES_NOTHING;
    room->takes[plane] = (uint8_t)takes;
    if (had_room != has_room) {
        const uint32_t group = room->allocation->place_of[plane] / room->allocation->group_size;
        room->group_planes[group] += has_room ? 1u : 0xFFFFFFFFu;
        room->planes += has_room ? 1u : 0xFFFFFFFFu;
    }
    allocation_set_ready(room->allocation, plane, takes == TAKES_NOW);
}

static enum plane_takes takes_with_room(const struct write_room* room, uint32_t die)
{
    return room->die_programs[die] <= room->most_before ? TAKES_NOW : TAKES_LATER;
}

static bool plane_has_room(const struct write_room* room, uint32_t plane)
{
    return write_room_stream(room) == STREAM_SLC ? pslc_cache_has_room(&room->cache, room->blocks, plane)
                                                 : blocks_have_page(room->blocks, plane, STREAM_HOST, GC_RESERVE);
}

static void refresh_plane(struct write_room* room, uint32_t plane)
{
    const uint32_t die = blocks_next_die(room->blocks, plane, write_room_stream(room));
    const bool has_room = plane_has_room(room, plane);
    const enum plane_takes takes = has_room ? takes_with_room(room, die) : TAKES_NOTHING;
    if (room->takes[plane] != takes)
        set_takes(room, plane, takes);
}

void write_room_die_changed(struct write_room* room, uint32_t die)
{
    const struct geometry* g = &room->blocks->geometry;
    const enum plane_takes takes = takes_with_room(room, die);
    const uint32_t first = group_of_die(g, die) * g->planes_per_group;
    for (uint32_t plane = first; plane < first + g->planes_per_group; ++plane) {
        const bool is_next = g->width == 1 || blocks_next_die(room->blocks, plane, write_room_stream(room)) == die;
        if (room->takes[plane] == TAKES_NOTHING || !is_next)
            continue;
        room->takes[plane] = (uint8_t)takes;
        allocation_set_ready(room->allocation, plane, takes == TAKES_NOW);
    }
}

void write_room_refresh(struct write_room* room)
{
    while (room->blocks->room_changed.count != 0)
        refresh_plane(room, plane_set_take(&room->blocks->room_changed, 0));
}

void write_room_choose_stream(struct write_room* room)
{
    write_room_update(room);
    if (!pslc_cache_update(&room->cache, room->blocks, room->planes))
        return;
    for (uint32_t plane = 0; plane < room->blocks->geometry.planes; ++plane)
        plane_set_add(&room->blocks->room_changed, plane);
    if (pslc_cache_must_fold(&room->cache))
        blocks_collect_all(room->blocks);
    write_room_update(room);
}

uint32_t write_room_other_group(struct write_room* room, uint32_t group)
{
    write_room_update(room);
    if (room->group_planes[group] != 0)
        return NONE;
    for (uint32_t other = 0; other < room->allocation->groups; ++other) {
        if (room->group_planes[other] != 0)
            return other;
    }
    return NONE;
}

void write_room_init(struct write_room* room, struct arena* arena, struct block_table* blocks,
                     struct allocation* allocation, uint32_t die_depth, struct pslc_cache cache)
{
    const struct geometry* g = &blocks->geometry;
    room->blocks = blocks;
    room->allocation = allocation;
    room->cache = cache;
    room->strips = g->row_planes;
    room->most_before = die_depth > g->row_planes ? die_depth - g->row_planes : 0;
    room->group_planes = arena_array(arena, allocation->groups, sizeof *room->group_planes, "write queues");
    room->takes = arena_array(arena, g->planes, sizeof *room->takes, "write queues");
    room->die_programs = arena_array(arena, g->dies, sizeof *room->die_programs, "write queues");
}
