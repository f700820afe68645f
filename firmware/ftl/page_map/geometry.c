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
        return (struct flash_place){die, in_group, 0};
    const uint32_t plane = g->row_planes == 1 ? in_group % g->planes_per_group : member % g->row_planes;
    return (struct flash_place){die, member_block(g, die, plane, in_group / g->planes_per_group), 0};
}

struct flash_place geometry_joined_place(const struct geometry* g, uint32_t unit, uint32_t sector)
{
    const uint32_t block = block_of_unit(g, unit);
    const uint32_t in_block = unit - block * g->units_per_block;
    const uint32_t page = in_block / g->units_per_page;
    const uint32_t in_page = in_block - page * g->units_per_page;
    const uint32_t strip = in_page / g->units_per_strip;
    struct flash_place place = geometry_member(g, block, page % g->width * g->row_planes + strip);
    place.sector =
        page / g->width * g->sectors_per_strip + (in_page - strip * g->units_per_strip) * g->sectors_per_unit + sector;
    return place;
}
