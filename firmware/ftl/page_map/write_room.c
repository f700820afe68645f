/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/write_room.h"

#include "firmware/ftl/page_map/policy.h"

static void set_takes(struct write_room* room, uint32_t stream, uint32_t plane, enum plane_takes takes)
{
    uint8_t* at = &room->takes[stream][plane];
    const bool had_room = *at != TAKES_NOTHING;
    const bool has_room = takes != TAKES_NOTHING;
    *at = (uint8_t)takes;
    if (had_room != has_room) {
        const uint32_t group = room->allocation->place_of[plane] / room->allocation->group_size;
        room->lane_planes[stream * room->allocation->groups + group] += has_room ? 1u : 0xFFFFFFFFu;
        if (stream == 0)
            room->planes += has_room ? 1u : 0xFFFFFFFFu;
    }
    allocation_set_ready(room->allocation, stream, plane, takes == TAKES_NOW);
}

static enum plane_takes takes_with_room(const struct write_room* room, uint32_t die)
{
    return room->die_programs[die] <= room->most_before ? TAKES_NOW : TAKES_LATER;
}

static bool must_catch_up(const struct write_room* room, uint32_t plane)
{
    return room->blocks->geometry.has_parity && blocks_are_behind(room->blocks, plane);
}

static enum stream stream_of(const struct write_room* room, uint32_t stream)
{
    return stream_of_host(stream, write_room_stream(room));
}

static bool plane_has_room(const struct write_room* room, enum stream stream, uint32_t plane)
{
    if (stream == STREAM_SLC)
        return pslc_cache_has_room(&room->cache, room->blocks, plane);
    return blocks_have_page(room->blocks, plane, stream, GC_RESERVE) &&
           !(room->pacing != NULL && pacing_holds_host(room->pacing, plane));
}

static inline void refresh_plane(struct write_room* room, uint32_t stream, uint32_t plane)
{
    const enum stream of = stream_of(room, stream);
    const uint32_t die = blocks_next_die(room->blocks, plane, of);
    const bool has_room = plane_has_room(room, of, plane);
    enum plane_takes takes = has_room ? takes_with_room(room, die) : TAKES_NOTHING;
    if (takes == TAKES_NOW && must_catch_up(room, plane))
        takes = TAKES_LATER;
    if (room->takes[stream][plane] != takes)
        set_takes(room, stream, plane, takes);
}

static inline void die_changed(struct write_room* room, uint32_t stream, uint32_t die)
{
    const struct geometry* g = &room->blocks->geometry;
    const enum plane_takes takes = takes_with_room(room, die);
    const uint32_t first = group_of_die(g, die) * g->planes_per_group;
    for (uint32_t plane = first; plane < first + g->planes_per_group; ++plane) {
        uint8_t* at = &room->takes[stream][plane];
        const bool is_next = g->width == 1 || blocks_next_die(room->blocks, plane, stream_of(room, stream)) == die;
        if (*at == TAKES_NOTHING || !is_next || (takes == TAKES_NOW && must_catch_up(room, plane)))
            continue;
        *at = (uint8_t)takes;
        allocation_set_ready(room->allocation, stream, plane, takes == TAKES_NOW);
    }
}

/* The same for all streams but the first. */
HAL_RARE static void die_changed_for_others(struct write_room* room, uint32_t die)
{
    for (uint32_t stream = 1; stream < room->allocation->streams; ++stream)
        die_changed(room, stream, die);
}
HAL_RARE static void refresh_for_others(struct write_room* room, uint32_t plane)
{
    for (uint32_t stream = 1; stream < room->allocation->streams; ++stream)
        refresh_plane(room, stream, plane);
}

void write_room_die_changed(struct write_room* room, uint32_t die)
{
    die_changed(room, 0, die);
    if (room->allocation->streams != 1)
        die_changed_for_others(room, die);
}

void write_room_refresh(struct write_room* room)
{
    while (room->blocks->room_changed.count != 0) {
        const uint32_t plane = plane_set_take(&room->blocks->room_changed, 0);
        refresh_plane(room, 0, plane);
        if (room->allocation->streams != 1)
            refresh_for_others(room, plane);
    }
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

uint32_t write_room_other_lane(struct write_room* room, uint32_t lane)
{
    write_room_update(room);
    if (room->lane_planes[lane] != 0 || room->is_isolated)
        return NONE;
    for (uint32_t other = 0; other < allocation_lanes(room->allocation); ++other) {
        if (room->lane_planes[other] != 0)
            return other;
    }
    return NONE;
}

void write_room_init(struct write_room* room, struct arena* arena, struct block_table* blocks,
                     struct allocation* allocation, uint32_t die_depth, struct pslc_cache cache,
                     const struct pacing* pacing)
{
    const struct geometry* g = &blocks->geometry;
    room->blocks = blocks;
    room->allocation = allocation;
    room->cache = cache;
    room->pacing = pacing;
    room->strips = g->row_planes;
    room->most_before = die_depth > g->row_planes ? die_depth - g->row_planes : 0;
    room->lane_planes = arena_array(arena, allocation_lanes(allocation), sizeof *room->lane_planes, "write queues");
    for (uint32_t stream = 0; stream < allocation->streams; ++stream)
        room->takes[stream] = arena_array(arena, g->planes, sizeof *room->takes[stream], "write queues");
    room->die_programs = arena_array(arena, g->dies, sizeof *room->die_programs, "write queues");
}
