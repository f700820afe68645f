/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/tables.h"

uint32_t tables_take_block(struct block_table* blocks, uint32_t keep)
{
    uint32_t best = 0;
    for (uint32_t plane = 1; plane < blocks->geometry.planes; ++plane) {
        if (blocks->plane[plane].free > blocks->plane[best].free)
            best = plane;
    }
    return blocks->plane[best].free > keep ? blocks_take_for_tables(blocks, best) : NONE;
}

void tables_give_block(struct block_table* blocks, uint32_t block)
{
    blocks_add_full(blocks, block);
}
