/* SPDX-License-Identifier: Apache-2.0
 *
 * How firmware numbers the flash. Dies are flat: (channel * ways + way) * luns + lun. The flash has planes and blocks;
 * inside a die, block b of the flash belongs to plane b % planes of the die.
 *
 * The layer maps units: a unit is a page of the flash, or one of several equal parts of it. A logical unit number
 * counts over the sectors of the host, a physical one over all blocks.
 *
 * A page of this layer is what is programmed at a time: a page of the flash or, where a program writes a word line, all
 * flash_pages of it, in one plane of a die or in all of them (a row). The part of a page in one plane of the flash is a
 * strip; each strip is one program. Reads distinguish the pages of the flash. The units of a row are numbered planes
 * first: those of the first flash page of every strip, then those of the second ones. So neighbours are in flash pages
 * of the same number in all planes, which one multi-plane read delivers.
 *
 * A block of this layer is the unit of erasing and of collection. It spans `width` dies, a group, whose pages take
 * turns: page p is on die p % width of the group. With rows and groups of several dies, a block consists of several
 * blocks of the flash, its members: the i-th good ones of each plane and die, so that a factory bad block does not cost
 * a whole block of the layer. A plane of this layer is a set of blocks with its own open blocks and its own collector:
 * the planes of a die with rows, or the same plane of all dies of a group. Without rows and with a width of 1, planes
 * and blocks are those of the flash.
 */
#ifndef STROBE_PAGE_MAP_GEOMETRY_H
#define STROBE_PAGE_MAP_GEOMETRY_H

#include "firmware/drivers/boot.h"
#include "firmware/drivers/flash.h"
#include "firmware/ftl/page_map/capacity.h"

#include <stdint.h>

#define NONE 0xFFFFFFFFu

static inline uint32_t group_of_block(const struct geometry* g, uint32_t block)
{
    return block / g->blocks_per_group;
}

static inline uint32_t group_of_plane(const struct geometry* g, uint32_t plane)
{
    return plane / g->planes_per_group;
}

static inline uint32_t plane_of_block(const struct geometry* g, uint32_t block)
{
    const uint32_t group = group_of_block(g, block);
    return group * g->planes_per_group + (block - group * g->blocks_per_group) % g->planes_per_group;
}

/* The blocks of a plane: block_in_plane(plane, 0 .. blocks_per_plane - 1), ascending. */
static inline uint32_t block_in_plane(const struct geometry* g, uint32_t plane, uint32_t index)
{
    const uint32_t group = group_of_plane(g, plane);
    return group * g->blocks_per_group + index * g->planes_per_group + plane % g->planes_per_group;
}

static inline uint32_t group_of_die(const struct geometry* g, uint32_t die)
{
    if (g->width == 1)
        return die;
    const uint32_t chip = die / g->luns % g->ways + g->ways * (die % g->luns);
    return (die / (g->ways * g->luns) + g->channels * chip) / g->width;
}

/* The die that page `page` of any block of the plane is on. */
static inline uint32_t die_of_page(const struct geometry* g, uint32_t plane, uint32_t page)
{
    return die_in_group(g, group_of_plane(g, plane), page % g->width);
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

/* With parity: the page that is the parity of the stripe of a page of the same block; whether a page is one. */
static inline uint32_t parity_page_of(const struct geometry* g, uint32_t page)
{
    return page / g->width * g->width + g->width - 1;
}
static inline bool is_parity_page(const struct geometry* g, uint32_t page)
{
    return g->has_parity && page % g->width == g->width - 1;
}

/* Of the units of a page, the strip that number `index` is in; how many units of that strip come before it. */
static inline uint32_t strip_of_unit(const struct geometry* g, uint32_t index)
{
    return g->row_planes == 1 ? 0 : index / g->units_per_flash_page % g->row_planes;
}
static inline uint32_t unit_in_strip(const struct geometry* g, uint32_t index)
{
    if (g->row_planes == 1)
        return index;
    const uint32_t flash_page = index / g->units_per_flash_page;
    return index - (flash_page - flash_page / g->row_planes) * g->units_per_flash_page;
}

/* From unit `index` of a page to the first one of another strip, or to the end of the page. */
static inline uint32_t units_to_next_strip(const struct geometry* g, uint32_t index)
{
    return g->row_planes == 1 ? g->units_per_page - index : g->units_per_flash_page - index % g->units_per_flash_page;
}

/* The first unit of a strip of the page that begins with `unit`; also in pSLC mode. */
static inline uint32_t unit_of_strip(const struct geometry* g, uint32_t unit, uint32_t strip)
{
    return unit + strip * g->units_per_flash_page;
}

/* geometry.c: the same for blocks with several members; a member as the flash controller numbers it. Members of a
 * block: strip by strip of one die after the other. */
struct flash_place geometry_joined_place(const struct geometry* g, uint32_t unit, uint32_t sector);
struct flash_place geometry_member(const struct geometry* g, uint32_t block, uint32_t member);
/* The block of the layer that a block of the flash belongs to. REQUIRES: it is one of its members. */
uint32_t geometry_block_at(const struct geometry* g, uint32_t die, uint32_t block);
static inline uint32_t geometry_members(const struct geometry* g)
{
    return g->row_planes * g->width;
}

/* Of a unit of a block in pSLC mode. A strip of it is one page of the flash, so that only the first numbers of each
 * page are in use: row_planes * units_per_flash_page. */
struct flash_place geometry_slc_place(const struct geometry* g, uint32_t unit, uint32_t sector);

/* Place of sector `sector` of a physical unit, as the flash controller numbers it. */
static inline struct flash_place place_of_unit(const struct geometry* g, uint32_t unit, uint32_t sector)
{
    if (geometry_is_joined(g))
        return geometry_joined_place(g, unit, sector);
    const uint32_t block = block_of_unit(g, unit);
    const uint32_t die = group_of_block(g, block);
    struct flash_place place;
    place.die = die;
    place.block = block - die * g->blocks_per_group;
    place.sector = (unit - block * g->units_per_block) * g->sectors_per_unit + sector;
    place.pslc = false;
    return place;
}

#endif
