/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/geometry.h"

/* Of a plane of the flash: its i-th good block, counted in the die. */
static uint32_t member_block(const struct geometry* g, uint32_t die, uint32_t plane, uint32_t index)
{
    return g->members[(die * g->planes_per_die + plane) * g->blocks_per_plane + index] * g->planes_per_die + plane;
}

struct flash_place geometry_member(const struct geometry* g, uint32_t block, uint32_t member)
{
    const uint32_t group = group_of_block(g, block);
    const uint32_t in_group = block - group * g->blocks_per_group;
    const uint32_t die = die_in_group(g, group, member / g->row_planes);
    if (!geometry_is_joined(g))
        return (struct flash_place){die, in_group, 0, false};
    const uint32_t plane = g->row_planes == 1 ? in_group % g->planes_per_group : member % g->row_planes;
    return (struct flash_place){die, member_block(g, die, plane, in_group / g->planes_per_group), 0, false};
}

/* The index of a block among the good ones of its plane; as many less than its number as are bad before it. */
static uint32_t index_of_member(const struct geometry* g, uint32_t die, uint32_t block)
{
    const uint16_t* members = &g->members[(die * g->planes_per_die + block % g->planes_per_die) * g->blocks_per_plane];
    uint32_t index = block / g->planes_per_die;
    while (members[index] != block / g->planes_per_die)
        --index;
    return index;
}

uint32_t geometry_block_at(const struct geometry* g, uint32_t die, uint32_t block)
{
    const uint32_t first = group_of_die(g, die) * g->blocks_per_group;
    if (!geometry_is_joined(g))
        return first + block;
    return first + index_of_member(g, die, block) * g->planes_per_group + block % g->planes_per_group;
}

/* `per_strip`: sectors of a strip in one plane of the flash. */
static struct flash_place place_in_strip(const struct geometry* g, uint32_t unit, uint32_t sector, uint32_t per_strip)
{
    const uint32_t block = block_of_unit(g, unit);
    const uint32_t in_block = unit - block * g->units_per_block;
    const uint32_t page = in_block / g->units_per_page;
    const uint32_t in_page = in_block - page * g->units_per_page;
    struct flash_place place = geometry_member(g, block, page % g->width * g->row_planes + strip_of_unit(g, in_page));
    place.sector = page / g->width * per_strip + unit_in_strip(g, in_page) * g->sectors_per_unit + sector;
    return place;
}

struct flash_place geometry_joined_place(const struct geometry* g, uint32_t unit, uint32_t sector)
{
    return place_in_strip(g, unit, sector, g->sectors_per_strip);
}

struct flash_place geometry_slc_place(const struct geometry* g, uint32_t unit, uint32_t sector)
{
    struct flash_place place = place_in_strip(g, unit, sector, g->sectors_per_flash_page);
    place.pslc = true;
    return place;
}
