/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/placement.h"

#include "firmware/drivers/host_if.h"
#include "firmware/ftl/page_map/ftl.h"

#define ONLY_PLANE 0u /* of the layer */

static uint32_t open_unit(const struct ftl* ftl, uint32_t handle)
{
    return ftl->blocks.plane[ONLY_PLANE].open[stream_of_host(handle, STREAM_HOST)];
}

static uint32_t unit_sectors(const struct geometry* g)
{
    return g->data_units_per_block * g->sectors_per_unit;
}

/* Pages that are left for data. */
static uint32_t pages_left(const struct geometry* g, uint32_t taken)
{
    const uint32_t of_parity = g->has_parity ? g->pages_per_block / g->width - taken / g->width : 0;
    return g->pages_per_block - taken - of_parity;
}

void placement_changed(struct ftl* ftl, uint32_t handle)
{
    const struct geometry* g = &ftl->geometry;
    const uint32_t block = open_unit(ftl, handle);
    ftl->placement.entries[handle].available =
        block == NONE ? unit_sectors(g) : pages_left(g, ftl->blocks.block[block].taken) * g->sectors_per_page;
}

void placement_refreshed(struct ftl* ftl)
{
    for (uint32_t handle = 0; handle < ftl->placement.handles; ++handle)
        placement_changed(ftl, handle);
}

void placement_collects(struct ftl* ftl, uint32_t block)
{
    const struct block* b = &ftl->blocks.block[block];
    if (b->moved && !ftl->placement.is_persistent)
        return;
    ftl->placement.entries[placement_lane(&ftl->placement, b->handle)].moved +=
        b->valid * ftl->geometry.sectors_per_unit;
}

bool placement_update(struct ftl* ftl, uint32_t handle)
{
    if (handle >= ftl->placement.handles)
        return false;
    const uint32_t block = open_unit(ftl, handle);
    if (block != NONE)
        blocks_close(&ftl->blocks, block);
    placement_changed(ftl, handle);
    return true;
}

/* --- start -------------------------------------------------------------------------------------------------------- */

void placement_init(struct ftl* ftl, struct arena* arena)
{
    struct placement* placement = &ftl->placement;
    placement->handles = ftl->boot->placement_handles;
    if (placement->handles == 0)
        return;
    const uint32_t bytes = placement->handles * (uint32_t)sizeof(struct placement_entry);
    placement->is_persistent = ftl->boot->placement_isolation == PLACEMENT_ISOLATION_PERSISTENTLY;
    placement->table = arena_take(arena, 1, bytes, sizeof(uint32_t), "the placement table");
    placement->entries = hal_memory(placement->table, bytes);
    for (uint32_t handle = 0; handle < placement->handles; ++handle)
        placement->entries[handle] = (struct placement_entry){0, 0};
    ftl->room.is_isolated = true;
}

void placement_start(struct ftl* ftl)
{
    const struct placement* placement = &ftl->placement;
    if (placement->handles == 0)
        return;
    placement_refreshed(ftl);
    host_if_announce_placement(placement->handles, (enum placement_isolation)ftl->boot->placement_isolation,
                               unit_sectors(&ftl->geometry), placement->table);
}
