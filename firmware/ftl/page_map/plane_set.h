/* SPDX-License-Identifier: Apache-2.0
 *
 * A set of planes that is drained: one part of the layer adds planes in which something has changed, another takes
 * them. Adding a member again changes nothing. Invariant: `count` is the number of bits set in `planes`.
 */
#ifndef STROBE_PAGE_MAP_PLANE_SET_H
#define STROBE_PAGE_MAP_PLANE_SET_H

#include "firmware/drivers/arena.h"
#include "firmware/drivers/bitmap.h"

struct plane_set {
    uint32_t* planes; /* bitmap */
    uint32_t size;    /* planes of the drive */
    uint32_t count;
};

static inline void plane_set_init(struct plane_set* set, struct arena* arena, uint32_t planes, const char* what)
{
    set->planes = (uint32_t*)arena_array(arena, bitmap_words(planes), sizeof(uint32_t), what);
    set->size = planes;
    set->count = 0;
}

static inline void plane_set_add(struct plane_set* set, uint32_t plane)
{
    if (bitmap_has(set->planes, plane))
        return;
    bitmap_add(set->planes, plane);
    ++set->count;
}

static inline bool plane_set_has(const struct plane_set* set, uint32_t plane)
{
    return bitmap_has(set->planes, plane);
}

/* REQUIRES: it is a member. */
static inline void plane_set_remove(struct plane_set* set, uint32_t plane)
{
    bitmap_remove(set->planes, plane);
    --set->count;
}

static inline void plane_set_add_all(struct plane_set* set, const struct plane_set* others)
{
    for (uint32_t plane = 0; plane < others->size && others->count != 0; ++plane) {
        if (plane_set_has(others, plane))
            plane_set_add(set, plane);
    }
}

/* Takes the next member at or after `from`, cyclically. REQUIRES: the set is not empty. */
static inline uint32_t plane_set_take(struct plane_set* set, uint32_t from)
{
    const uint32_t plane = bitmap_next(set->planes, set->size, from);
    bitmap_remove(set->planes, plane);
    --set->count;
    return plane;
}

/* Moves all members of `from` to `to`. */
static inline void plane_set_drain(struct plane_set* from, struct plane_set* to)
{
    while (from->count != 0)
        plane_set_add(to, plane_set_take(from, 0));
}

#endif
