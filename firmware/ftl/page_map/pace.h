/* SPDX-License-Identifier: Apache-2.0
 *
 * Pacing of garbage collection. Without it, a plane takes host data at full speed until it has no page left, and then
 * none until a victim is empty: writes come in bursts, and the longest ones take as long as a victim. With it, host data
 * uses up the pages of a plane in step with the victim:
 *
 *     pages that the plane has left for host data       valid units that the victim still has
 *     ------------------------------------------- >= ----------------------------------------
 *          those when the victim was chosen               those when the victim was chosen
 *
 * While this does not hold, the plane takes no host data, and moves go as fast as they can. While host data lags behind
 * by more than PACE_AHEAD pages, moves wait, if there is a free block beyond the reserve; they leave the die to others.
 * Only collection for free space is paced. Decisions from the block table alone; no flash operation.
 *
 * Owner of: the victim that paces each plane, and block.paced. The block table adds the plane to room_changed when the
 * victim loses a valid unit. Invariant: at most one of the two sides waits, so pacing alone stops neither.
 */
#ifndef STROBE_PAGE_MAP_PACE_H
#define STROBE_PAGE_MAP_PACE_H

#include "firmware/ftl/page_map/blocks.h"
#include "firmware/ftl/page_map/policy.h"

struct paced_plane {
    uint32_t victim;  /* NONE: the plane is not paced */
    uint32_t units;   /* valid ones of the victim when it was chosen */
    uint32_t allowed; /* pages of host data until the victim is empty */
    uint32_t taken;   /* of them */
    uint32_t spare;   /* further ones: room beyond what collection needs */
};

struct pace {
    struct block_table* blocks;
    struct paced_plane* planes; /* NULL: no pacing */
    int32_t target;              /* pages: room that collection keeps */
    bool has_released;          /* a victim no longer holds host data back, since pace_take_released() */
};

void pace_init(struct pace* pace, struct arena* arena, struct block_table* blocks, uint32_t low);

/* The collector begins, or no longer empties, a victim for free space. */
void pace_begin(struct pace* pace, uint32_t plane, uint32_t victim);
void pace_end(struct pace* pace, uint32_t plane);
/* No plane is paced any more: the buffer is to be saved as fast as possible. */
void pace_stop(struct pace* pace);

static inline bool pace_is_paced(const struct pace* pace, uint32_t plane)
{
    return pace->planes != NULL && pace->planes[plane].victim != NONE;
}

/* Decisions for a plane that is paced. */
bool pace_holds_host(const struct pace* pace, uint32_t plane);
bool pace_holds_moves(const struct pace* pace, uint32_t plane);

/* The plane may take a page of host data now, as far as pacing is concerned. */
static inline bool pace_allows_host(const struct pace* pace, uint32_t plane)
{
    return !pace_is_paced(pace, plane) || !pace_holds_host(pace, plane);
}
static inline bool pace_allows_moves(const struct pace* pace, uint32_t plane)
{
    return !pace_is_paced(pace, plane) || !pace_holds_moves(pace, plane);
}

/* The plane has taken a page of host data. */
static inline void pace_page_taken(struct pace* pace, uint32_t plane)
{
    if (!pace_is_paced(pace, plane))
        return;
    ++pace->planes[plane].taken;
    plane_set_add(&pace->blocks->room_changed, plane);
    plane_set_add(&pace->blocks->to_collect, plane);
}

/* True once after a victim that held host data back was given up. */
static inline bool pace_take_released(struct pace* pace)
{
    const bool has = pace->has_released;
    pace->has_released = false;
    return has;
}

#endif
