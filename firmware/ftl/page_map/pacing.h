/* SPDX-License-Identifier: Apache-2.0
 *
 * Pacing of garbage collection by free space: how fast a plane is collected, and whether it takes host data meanwhile.
 * Decisions from the block table and the victim of each plane; no flash operation, no buffer, no map. Off unless
 * boot_block.gc_pacing is set: then collection starts when few blocks are free, and host data takes every page until
 * none is left.
 *
 * The space of a plane, in units, is what is left of its open blocks, its free blocks, and the share of its victim that
 * is empty already. It changes page by page: a page of host data takes a page of it, and a page that leaves the victim
 * adds a page less what its units take elsewhere. Two marks:
 *
 *   start   below it the plane is collected, with one page in progress at a time, and more the less space there is
 *   gate    below it, host data waits until collection has gained a page
 *
 * At the gate a plane takes host data exactly as fast as collection gains space, page by page, in place of a block's
 * worth at once. The gate is high enough that the plane can always open a block there. A plane that has nothing to
 * collect (`dry`) takes host data as long as it has pages.
 *
 * Owner of: the victim of each plane, as far as its space is concerned. Adds a plane to the sets of blocks.h when its
 * space has changed.
 */
#ifndef STROBE_PAGE_MAP_PACING_H
#define STROBE_PAGE_MAP_PACING_H

#include "firmware/drivers/arena.h"
#include "firmware/ftl/page_map/blocks.h"

struct pace {        /* of a plane */
    uint32_t victim; /* NONE: there is none */
    uint32_t valid;  /* its units when it was chosen */
    uint32_t share;  /* of a block, in units, for each unit that has left it, in 1/PACING_FRACTION; valid 0: not used */
};

struct pacing {
    struct block_table* blocks;
    struct pace* planes;  /* NULL: off */
    uint32_t gate, start; /* units of space */
};

/* `low`: free blocks of a plane below which it is collected without pacing; at least GC_RESERVE + 1. */
void pacing_init(struct pacing* pacing, struct arena* arena, const struct boot_block* boot, struct block_table* blocks,
                 uint32_t low);

static inline bool pacing_is_on(const struct pacing* pacing)
{
    return pacing->planes != NULL;
}

uint32_t pacing_space(const struct pacing* pacing, uint32_t plane);
bool pacing_needs_space(const struct pacing* pacing, uint32_t plane);
/* The plane takes no page of host data now. */
bool pacing_holds_host(const struct pacing* pacing, uint32_t plane);
/* Pages of the plane's victim that may be moving at a time while host data has a page: GC_WINDOW_IDLE to
 * GC_WINDOW_NORMAL. */
uint32_t pacing_window(const struct pacing* pacing, uint32_t plane);

/* A page of the plane was taken, a unit has left its victim, or there is nothing to collect. */
static inline void pacing_space_changed(const struct pacing* pacing, uint32_t plane)
{
    if (!pacing_is_on(pacing))
        return;
    plane_set_add(&pacing->blocks->to_collect, plane);
    plane_set_add(&pacing->blocks->room_changed, plane);
}
/* The plane's victim is this block now, or NONE. */
void pacing_set_victim(struct pacing* pacing, uint32_t plane, uint32_t victim);
/* Before a unit leaves the victim; after the victim was erased or given up. */
static inline void pacing_begin_victim(struct pacing* pacing, uint32_t plane, uint32_t victim)
{
    if (pacing_is_on(pacing))
        pacing_set_victim(pacing, plane, victim);
}
static inline void pacing_end_victim(struct pacing* pacing, uint32_t plane)
{
    if (pacing_is_on(pacing))
        pacing_set_victim(pacing, plane, NONE);
}

/* Host data waits no longer: the supply has failed, or the drive is read-only. */
void pacing_open_gate(struct pacing* pacing);

#endif
