/* SPDX-License-Identifier: Apache-2.0
 *
 * Logical unit -> physical unit and back. Owner of both tables and of the valid counts of blocks. Invariants: a
 * physical unit is valid exactly if page_map.logical names a logical unit; the entry of that logical unit names the
 * physical unit; a block's valid count is the number of its valid units. The conversion between units and blocks is in
 * geometry.h, between sectors and units in request_state.h.
 */
#ifndef STROBE_PAGE_MAP_MAP_H
#define STROBE_PAGE_MAP_MAP_H

#include "firmware/ftl/page_map/blocks.h"

#define MAP_UNMAPPED 0xFFFFFFFFu /* never written, or trimmed: reads as zeros */
#define MAP_LOST 0xFFFFFFFEu     /* its data was lost: reads fail until it is written again */

struct page_map {
    uint32_t* physical; /* by logical unit: physical unit, MAP_UNMAPPED or MAP_LOST */
    uint32_t* logical;  /* by physical unit: logical unit or NONE */
    uint32_t logical_units;
    struct block_table* blocks;
};

void map_init(struct page_map* map, struct arena* arena, struct block_table* blocks, uint32_t logical_units);

static inline uint32_t map_find(const struct page_map* map, uint32_t logical)
{
    return map->physical[logical];
}

static inline bool map_is_mapped(uint32_t physical)
{
    return physical < MAP_LOST;
}

/* New data of a logical unit is in a physical unit. */
void map_write(struct page_map* map, uint32_t logical, uint32_t physical);

/* The same for `units` of both, side by side; the physical ones are in one block. */
void map_write_units(struct page_map* map, uint32_t logical, uint32_t physical, uint32_t units);

/* map_write_units() will need the entry of a physical unit soon; no more than a hint to the caches of a host. */
static inline void map_expect(const struct page_map* map, uint32_t physical)
{
    __builtin_prefetch(&map->logical[physical], 1);
}

/* A copy of `from` is in `to`: moves the mapping if `from` is still valid. */
void map_move(struct page_map* map, uint32_t from, uint32_t to);

/* Forgets a logical unit; `as` is MAP_UNMAPPED or MAP_LOST. */
void map_forget(struct page_map* map, uint32_t logical, uint32_t as);

#endif
