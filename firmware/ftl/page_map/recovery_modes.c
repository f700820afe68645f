/* SPDX-License-Identifier: Apache-2.0
 *
 * The mode of blocks whose first pages hold no record in either mode. The program of a first page may have failed while
 * later ones of the block were in progress, and these hold data. Such a block is in pSLC mode if any of its pages has a
 * record in that mode. There are few of them, so one page is read at a time.
 */
#include "firmware/ftl/page_map/ftl.h"
#include "firmware/ftl/page_map/recovery_steps.h"
#include "firmware/ftl/page_map/spare.h"

static void examine(struct ftl* ftl, uint32_t index, enum flash_status status)
{
    struct recovery_modes* modes = &ftl->recovery->modes;
    const struct flash_spare spare = recovery_spare(ftl, index);
    modes->is_blank = status == FLASH_OK && recovery_was_blank(ftl, index);
    modes->has_record |= !modes->is_blank && spare_is_record(&spare);
}

/* Reads the strips of a page, up to one with a record. False: it is blank. */
static bool read_page(struct ftl* ftl, uint32_t block, uint32_t page)
{
    const struct geometry* g = &ftl->geometry;
    struct recovery_modes* modes = &ftl->recovery->modes;
    for (uint32_t strip = 0; strip < g->row_planes && !modes->has_record; ++strip) {
        ftl->recovery->io.ops[0].is_slc = true;
        recovery_read(ftl, 0, unit_of_strip(g, unit_of_page(g, block, page), strip), 1, buffer_address(&ftl->buffer, 1),
                      examine);
        recovery_wait(ftl);
        HAL_COST(recover_page);
        if (modes->is_blank)
            return false;
    }
    return true;
}

/* The pages of a block are striped over its dies: it ends where all of them are blank. */
static bool is_slc(struct ftl* ftl, uint32_t block)
{
    struct recovery_modes* modes = &ftl->recovery->modes;
    uint32_t blanks = 0;
    modes->has_record = false;
    for (uint32_t page = 0; page < ftl->geometry.slc_pages && blanks < ftl->geometry.width; ++page) {
        if (is_parity_page(&ftl->geometry, page)) /* its records are sums */
            continue;
        blanks = read_page(ftl, block, page) ? 0 : blanks + 1;
        if (modes->has_record)
            return true;
    }
    return false;
}

void recovery_find_modes(struct ftl* ftl, struct recovery* r)
{
    if (ftl->geometry.slc_pages == 0)
        return;
    for (uint32_t block = 0; block < ftl->geometry.blocks; ++block) {
        if (r->first[block].kind == FIRST_UNKNOWN && ftl->blocks.block[block].state != BLOCK_BAD && is_slc(ftl, block))
            blocks_enter_slc(&ftl->blocks, block);
    }
    r->io.ops[0].is_slc = false;
}
