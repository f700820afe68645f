/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks that hold tables instead of data: journal and checkpoints. They are taken from the free blocks of the plane
 * with the most free blocks, and return as full blocks without a valid unit. Each writer of tables has one flash
 * operation. No state.
 */
#ifndef STROBE_PAGE_MAP_TABLES_H
#define STROBE_PAGE_MAP_TABLES_H

#include "firmware/ftl/page_map/blocks.h"
#include "firmware/ftl/page_map/policy.h"

enum tables_op { TABLES_JOURNAL, TABLES_CHECKPOINT, TABLES_OPS };

/* Numbers of flash operations: buffer slots, then operations without a slot (collector.h), then tables. */
static inline uint32_t tables_op(const struct geometry* geometry, uint32_t buffer_slots, enum tables_op which)
{
    return buffer_slots + geometry->planes * PLAIN_OPS + (uint32_t)which;
}

/* A block for tables; its plane keeps at least `keep` free blocks. NONE: there is none. */
uint32_t tables_take_block(struct block_table* blocks, uint32_t keep);
/* The block's contents are no longer needed. */
void tables_give_block(struct block_table* blocks, uint32_t block);

/* Programs a whole page of a table. */
static inline void tables_program(struct flash* flash, const struct geometry* g, uint32_t op, uint32_t unit,
                                  bus_address from, struct flash_spare spare)
{
    const struct flash_place to = place_of_unit(g, unit, 0);
    if (g->flash_pages == 1)
        flash_program(flash, op, to, g->sectors_per_page, from, spare, FLASH_FOR_METADATA);
    else
        flash_program_pages(flash, op, to, g->sectors_per_page, from, spare, FLASH_FOR_METADATA);
}

#endif
