/* SPDX-License-Identifier: Apache-2.0
 *
 * How firmware numbers the flash. Dies are flat: (channel * ways + way) * luns + lun. A plane is numbered over all dies
 * (die * planes + plane of the die): it is the unit of allocation and of garbage collection. Blocks are numbered over
 * all dies too; inside a die, block b belongs to plane b % planes.
 *
 * The layer maps units: a unit is a page, or one of units_per_page equal parts of it. A logical unit number counts over
 * the sectors of the host, a physical one over all blocks. The units of a page are neighbours and begin at a multiple
 * of units_per_page.
 *
 * A page of this layer is what one program writes. That is a page of the flash or, where a program writes a word line,
 * all flash_pages of it: only reads distinguish these.
 */
#ifndef STROBE_PAGE_MAP_GEOMETRY_H
#define STROBE_PAGE_MAP_GEOMETRY_H

#include "firmware/drivers/boot.h"
#include "firmware/drivers/flash.h"
#include "firmware/ftl/page_map/capacity.h"

#include <stdint.h>

#define NONE 0xFFFFFFFFu

static inline uint32_t die_of_block(const struct geometry* g, uint32_t block)
{
    return block / g->blocks_per_die;
}

static inline uint32_t die_of_plane(const struct geometry* g, uint32_t plane)
{
    return plane / g->planes_per_die;
}

static inline uint32_t plane_of_block(const struct geometry* g, uint32_t block)
{
    const uint32_t die = die_of_block(g, block);
    return die * g->planes_per_die + (block - die * g->blocks_per_die) % g->planes_per_die;
}

/* The blocks of a plane: block_in_plane(plane, 0 .. blocks_per_plane - 1), ascending. */
static inline uint32_t block_in_plane(const struct geometry* g, uint32_t plane, uint32_t index)
{
    const uint32_t die = die_of_plane(g, plane);
    return die * g->blocks_per_die + index * g->planes_per_die + plane % g->planes_per_die;
}

static inline uint32_t block_of_unit(const struct geometry* g, uint32_t unit)
{
    return unit / g->units_per_block;
}

/* The first unit of a page of a block. */
static inline uint32_t unit_of_page(const struct geometry* g, uint32_t block, uint32_t page)
{
    return block * g->units_per_block + page * g->units_per_page;
}

/* The page of its block that holds a unit. */
static inline uint32_t page_of_unit(const struct geometry* g, uint32_t unit)
{
    return unit % g->units_per_block / g->units_per_page;
}

/* Place of sector `sector` of a physical unit, as the flash controller numbers it. */
static inline struct flash_place place_of_unit(const struct geometry* g, uint32_t unit, uint32_t sector)
{
    const uint32_t block = block_of_unit(g, unit);
    const uint32_t die = die_of_block(g, block);
    struct flash_place place;
    place.die = die;
    place.block = block - die * g->blocks_per_die;
    place.sector = (unit - block * g->units_per_block) * g->sectors_per_unit + sector;
    return place;
}

#endif
