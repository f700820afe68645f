/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/allocation.h"

#include "firmware/drivers/bitmap.h"

enum { DIMENSIONS = 4 }; /* enum dimension */

static uint32_t plane_number(const struct geometry* g, const uint32_t at[DIMENSIONS])
{
    return ((at[DIMENSION_CHANNEL] * g->ways + at[DIMENSION_WAY]) * g->luns + at[DIMENSION_LUN]) * g->planes_per_group +
           at[DIMENSION_PLANE];
}

/* Coordinates of position `position` in the sequence over `sizes`, the dimensions counted in `order`. */
static void unfold(uint32_t position, uint32_t order, const uint32_t sizes[DIMENSIONS], uint32_t at[DIMENSIONS])
{
    for (uint32_t i = 0; i < DIMENSIONS; ++i) {
        const uint32_t dimension = order >> 4 * i & 0xFu;
        at[dimension] = position % sizes[dimension];
        position /= sizes[dimension];
    }
}

void allocation_init(struct allocation* allocation, struct arena* arena, const struct geometry* geometry,
                     uint32_t order, bool by_channel, uint32_t streams)
{
    const uint32_t sizes[DIMENSIONS] = {by_channel ? 1 : geometry->channels, geometry->ways, geometry->luns,
                                        geometry->planes_per_group};
    allocation->groups = by_channel ? geometry->channels : 1;
    allocation->streams = streams;
    allocation->group_size = geometry->planes / allocation->groups;
    allocation->words = bitmap_words(allocation->group_size);
    const uint32_t lanes = allocation_lanes(allocation);
    allocation->next_group = 0;
    allocation->plane_at = arena_array(arena, geometry->planes, sizeof(uint32_t), "the allocation order");
    allocation->place_of = arena_array(arena, geometry->planes, sizeof(uint32_t), "the allocation order");
    allocation->ready =
        arena_array(arena, (uint64_t)lanes * allocation->words, sizeof(uint32_t), "the allocation order");
    allocation->count = arena_array(arena, lanes, sizeof(uint32_t), "the allocation order");
    allocation->cursor = arena_array(arena, lanes, sizeof(uint32_t), "the allocation order");
    allocation->dies = geometry->dies;
    allocation->planes_per_group = geometry->planes_per_group;
    allocation->turn = NULL;
    if (allocation_takes_turns(geometry))
        allocation->turn =
            arena_array(arena, (uint64_t)streams * geometry->dies, sizeof(uint32_t), "the allocation order");
    for (uint32_t place = 0; place < geometry->planes; ++place) {
        uint32_t at[DIMENSIONS];
        unfold(place % allocation->group_size, order, sizes, at);
        at[DIMENSION_CHANNEL] += place / allocation->group_size;
        const uint32_t plane = geometry->width == 1 ? plane_number(geometry, at) : place;
        allocation->plane_at[place] = plane;
        allocation->place_of[plane] = place;
    }
}

void allocation_set_ready(struct allocation* allocation, uint32_t stream, uint32_t plane, bool is_ready)
{
    const uint32_t place = allocation->place_of[plane];
    const uint32_t group = place / allocation->group_size;
    const uint32_t position = place - group * allocation->group_size;
    const uint32_t lane = stream * allocation->groups + group;
    uint32_t* ready = &allocation->ready[lane * allocation->words];
    if (bitmap_has(ready, position) == is_ready)
        return;
    bitmap_set(ready, position, is_ready);
    allocation->count[lane] += is_ready ? 1u : 0xFFFFFFFFu;
}

/* The first ready plane of the die at or after its turn. REQUIRES: the lane has a ready plane of the die. */
static uint32_t plane_in_turn(struct allocation* allocation, uint32_t lane, uint32_t group, uint32_t die)
{
    const uint32_t planes = allocation->planes_per_group;
    const uint32_t* ready = &allocation->ready[lane * allocation->words];
    uint32_t* turn = &allocation->turn[allocation_stream_of(allocation, lane) * allocation->dies + die];
    const uint32_t* place = &allocation->place_of[die * planes];
    uint32_t at = *turn;
    while (!bitmap_has(ready, place[at] - group * allocation->group_size))
        at = at + 1 == planes ? 0 : at + 1;
    *turn = at + 1 == planes ? 0 : at + 1;
    return die * planes + at;
}

uint32_t allocation_next(struct allocation* allocation, uint32_t lane)
{
    const uint32_t group = lane < allocation->groups ? lane : lane % allocation->groups;
    if (allocation->count[lane] == 0)
        return NONE;
    const uint32_t* ready = &allocation->ready[lane * allocation->words];
    const uint32_t position = bitmap_next(ready, allocation->group_size, allocation->cursor[lane]);
    allocation->cursor[lane] = position + 1 == allocation->group_size ? 0 : position + 1;
    const uint32_t plane = allocation->plane_at[group * allocation->group_size + position];
    return allocation->turn == NULL ? plane
                                    : plane_in_turn(allocation, lane, group, plane / allocation->planes_per_group);
}

uint32_t allocation_group(struct allocation* allocation)
{
    const uint32_t group = allocation->next_group;
    allocation->next_group = group + 1 == allocation->groups ? 0 : group + 1;
    return group;
}
