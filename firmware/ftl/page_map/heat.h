/* SPDX-License-Identifier: Apache-2.0
 *
 * Hot and cold host data. A version of a unit is hot if the one before it was short-lived: it is still in the buffer,
 * or in a block of host data that was opened less than HOT_AGE ago. It is cold if the unit is new, if its last version
 * is older, or if collection has moved that version. So a unit becomes hot when it is written twice in a short time,
 * and cold when it survives: data clustering by time of update (Chiang, Lee, Chang, "Using data clustering to improve
 * cleaning performance for flash memory", Software: Practice and Experience 29(3), 1999) with two classes for the host
 * and one for moved data. No memory for each unit: its block has the time. After a power loss all blocks count as old.
 *
 * Depends only on map, buffer and block table.
 */
#ifndef STROBE_PAGE_MAP_HEAT_H
#define STROBE_PAGE_MAP_HEAT_H

#include "firmware/ftl/page_map/buffer.h"
#include "firmware/ftl/page_map/map.h"
#include "firmware/ftl/page_map/policy.h"

/* Before the first block is opened. */
static inline void heat_init(struct block_table* table, struct arena* arena, const struct boot_block* boot)
{
    if (boot->host_streams == HOST_STREAMS_HOT_COLD)
        table->opened = (uint32_t*)arena_array(arena, table->geometry.blocks, sizeof(uint32_t), "ages of blocks");
}

/* Page writes of the drive, those of collection included. */
static inline uint32_t heat_hot_age(const struct geometry* g)
{
    return g->blocks * g->pages_per_block / HOT_AGE_PART;
}

/* `older`: the newest version of the unit in the buffer, or NONE. */
static inline bool heat_is_hot(const struct page_map* map, uint32_t logical, uint32_t older)
{
    if (older != NONE)
        return true;
    const struct block_table* table = map->blocks;
    const uint32_t physical = map_find(map, logical);
    if (!map_is_mapped(physical))
        return false;
    const uint32_t block = block_of_unit(&table->geometry, physical);
    return !table->block[block].moved && table->clock - table->opened[block] < heat_hot_age(&table->geometry);
}

#endif
