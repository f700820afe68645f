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

void tables_program(struct flash* flash, const struct geometry* g, struct tables_page* page, uint32_t unit,
                    bus_address from, struct flash_spare spare)
{
    page->programs = g->row_planes;
    page->failed = false;
    for (uint32_t strip = 0; strip < g->row_planes; ++strip) {
        const struct flash_place to = place_of_unit(g, unit_of_strip(g, unit, strip), 0);
        const bus_address data = from + strip * g->sectors_per_strip * SECTOR_BYTES;
        if (g->flash_pages == 1)
            flash_program(flash, page->first_op + strip, to, g->sectors_per_strip, data, spare, FLASH_FOR_METADATA);
        else
            flash_program_pages(flash, page->first_op + strip, to, g->sectors_per_strip, data, spare,
                                FLASH_FOR_METADATA);
    }
}

bool tables_program_ended(struct tables_page* page, enum flash_status* status)
{
    page->failed |= *status != FLASH_OK;
    if (--page->programs != 0)
        return false;
    *status = page->failed ? FLASH_PROGRAM_FAILED : FLASH_OK;
    return true;
}
