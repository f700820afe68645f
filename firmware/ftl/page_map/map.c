/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/map.h"

#include <string.h>

static void invalidate(struct page_map* map, uint32_t physical)
{
    map->logical[physical] = NONE;
    blocks_unit_invalid(map->blocks, block_of_unit(&map->blocks->geometry, physical));
}

static void connect(struct page_map* map, uint32_t logical, uint32_t physical)
{
    map->physical[logical] = physical;
    map->logical[physical] = logical;
    blocks_unit_valid(map->blocks, block_of_unit(&map->blocks->geometry, physical));
}

#ifdef STROBE_FTL_LOSE_UPDATE
/* Broken on purpose: the integrity checks of tests and of the host have to detect a lost update. */
static bool update_is_lost(void)
{
    static uint32_t updates;
    return ++updates % 1000 == 0;
}
#endif

void map_write(struct page_map* map, uint32_t logical, uint32_t physical)
{
    HAL_COST(map_update);
#ifdef STROBE_FTL_LOSE_UPDATE
    if (update_is_lost())
        return;
#endif
    const uint32_t old = map->physical[logical];
    connect(map, logical, physical);
    if (map_is_mapped(old))
        invalidate(map, old);
}

void map_write_units(struct page_map* map, uint32_t logical, uint32_t physical, uint32_t units)
{
#ifdef STROBE_FTL_LOSE_UPDATE
    for (uint32_t i = 0; i < units; ++i)
        map_write(map, logical + i, physical + i);
#else
    blocks_units_valid(map->blocks, block_of_unit(&map->blocks->geometry, physical), units);
    for (uint32_t i = 0; i < units; ++i) {
        const uint32_t old = map->physical[logical + i];
        map->physical[logical + i] = physical + i;
        map->logical[physical + i] = logical + i;
        if (map_is_mapped(old))
            invalidate(map, old);
    }
#endif
}

void map_move(struct page_map* map, uint32_t from, uint32_t to)
{
    HAL_COST(map_update);
    const uint32_t logical = map->logical[from];
    if (logical == NONE)
        return;
    connect(map, logical, to);
    invalidate(map, from);
}

void map_forget(struct page_map* map, uint32_t logical, uint32_t as)
{
    const uint32_t old = map->physical[logical];
    map->physical[logical] = as;
    if (map_is_mapped(old))
        invalidate(map, old);
}

void map_init(struct page_map* map, struct arena* arena, struct block_table* blocks, uint32_t logical_units)
{
    const uint32_t physical_units = blocks->geometry.units;
    map->physical = arena_array(arena, logical_units, sizeof *map->physical, "the mapping table");
    map->logical = arena_array(arena, physical_units, sizeof *map->logical, "the reverse mapping table");
    map->logical_units = logical_units;
    map->blocks = blocks;
    memset(map->physical, 0xFF, (size_t)logical_units * sizeof *map->physical);
    memset(map->logical, 0xFF, (size_t)physical_units * sizeof *map->logical);
}
