/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/tables.h"

#include "firmware/ftl/page_map/collector.h"
#include "firmware/ftl/page_map/writeout.h"

static uint32_t take_block_of(struct ftl* ftl, uint32_t plane, uint32_t keep)
{
    if (ftl->blocks.plane[plane].free <= keep)
        return NONE;
    const uint32_t block = blocks_take_for_tables(&ftl->blocks, plane);
    collector_look_at(ftl, plane);
    writeout_refresh(ftl, die_of_plane(&ftl->geometry, plane));
    return block;
}

uint32_t tables_take_block(struct ftl* ftl, uint32_t keep)
{
    uint32_t best = 0;
    for (uint32_t plane = 1; plane < ftl->geometry.planes; ++plane) {
        if (ftl->blocks.plane[plane].free > ftl->blocks.plane[best].free)
            best = plane;
    }
    return take_block_of(ftl, best, keep);
}

void tables_give_block(struct ftl* ftl, uint32_t block)
{
    blocks_add_full(&ftl->blocks, block);
    collector_look_at(ftl, ftl->blocks.block[block].plane);
}
