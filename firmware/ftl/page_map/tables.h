/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks that hold tables instead of data: journal and checkpoints. They are taken from the free blocks of the plane
 * with the most free blocks, and return as full blocks without a valid unit. Each writer of tables programs one page at
 * a time (struct tables_page).
 */
#ifndef STROBE_PAGE_MAP_TABLES_H
#define STROBE_PAGE_MAP_TABLES_H

#include "firmware/drivers/flash.h"
#include "firmware/ftl/page_map/blocks.h"

enum tables_writer { TABLES_JOURNAL, TABLES_CHECKPOINT, TABLES_WRITERS };

/* A page that a writer of tables programs: one operation for each strip. */
struct tables_page {
    uint32_t first_op; /* number of the first one as a flash operation */
    uint32_t programs; /* in progress */
    bool failed;
};

static inline uint32_t tables_ops(const struct geometry* geometry)
{
    return TABLES_WRITERS * geometry->row_planes;
}

/* A block for tables; its plane keeps at least `keep` free blocks. NONE: there is none. */
uint32_t tables_take_block(struct block_table* blocks, uint32_t keep);
/* The block's contents are no longer needed. */
void tables_give_block(struct block_table* blocks, uint32_t block);

/* Programs a whole page of a table, with the same record in each page of the flash. */
void tables_program(struct flash* flash, const struct geometry* g, struct tables_page* page, uint32_t unit,
                    bus_address from, struct flash_spare spare);
/* A program has ended. True: it was the page's last one; *status is then that of the page. */
bool tables_program_ended(struct tables_page* page, enum flash_status* status);

#endif
