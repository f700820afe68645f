/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/recovery.h"

#include "firmware/drivers/bitmap.h"
#include "firmware/ftl/page_map/collector.h"
#include "firmware/ftl/page_map/writeout.h"
#include "firmware/hal/text.h"

#include <string.h>

void recovery_wait(struct ftl* ftl)
{
    while (ftl->recovery->busy != 0) {
        if (flash_poll(&ftl->flash) == 0)
            flash_sleep(&ftl->flash);
    }
}

void recovery_done(struct ftl* ftl, uint32_t op, enum flash_status status)
{
    struct recovery* r = ftl->recovery;
    --r->busy;
    switch (r->ops[op - ftl->buffer.slots].job) {
    case JOB_PAGE: recovery_page_read(ftl, op, status); break;
    case JOB_VERIFY: recovery_verified(ftl, op); break;
    case JOB_ERASE: recovery_erased(ftl, op, status); break;
    default:
        r->table_blank = status == FLASH_OK && flash_was_blank(&ftl->flash, op);
        r->table_read = status == FLASH_OK && !r->table_blank;
    }
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static void begin(struct ftl* ftl, struct recovery* r, struct arena* arena)
{
    const struct geometry* g = &ftl->geometry;
    static const char what[] = "recovery after a power loss";
    *r = (struct recovery){0};
    r->first = arena_array(arena, g->blocks, sizeof *r->first, what);
    r->ops = arena_array(arena, g->dies * RECOVERY_DEPTH, sizeof *r->ops, what);
    r->block = arena_array(arena, g->dies, sizeof *r->block, what);
    r->page = arena_array(arena, g->dies, sizeof *r->page, what);
    r->erase = arena_array(arena, bitmap_words(g->blocks), sizeof *r->erase, what);
    r->spare = arena_array(arena, bitmap_words(g->blocks), sizeof *r->spare, what);
    r->duplicate_limit = g->planes * g->pages_per_block;
    r->duplicates = arena_array(arena, r->duplicate_limit, sizeof *r->duplicates, what);
    r->sequence = ftl->map.logical; /* until it is the reverse map again */
    memset(r->sequence, 0, (size_t)ftl->map.logical_pages * sizeof *r->sequence);
    ftl->recovery = r;
}

static void tell(const struct recovery* r, bool has_checkpoint)
{
    struct text text;
    text_start(&text, "recovered: ");
    text_number(&text, r->pages);
    text_add(&text, has_checkpoint ? " pages looked at, from a checkpoint on" : " pages looked at");
    hal_log(text.chars);
}

void recovery_run(struct ftl* ftl, struct arena* arena)
{
    struct recovery recovery;
    const uint64_t mark = arena->used;
    begin(ftl, &recovery, arena);
    recovery_sweep_first(ftl);
    const bool has_checkpoint = recovery_load_checkpoint(ftl);
    recovery_replay_journal(ftl);
    recovery_sweep_data(ftl);
    recovery_settle_blocks(ftl);
    ftl->sequence = recovery.highest + 1;
    ftl->blocks.clock = ftl->sequence;
    ftl->checkpoint.since = ftl->sequence - (recovery.pages < ftl->sequence ? recovery.pages : ftl->sequence);
    tell(&recovery, has_checkpoint);
    ftl->recovery = NULL;
    arena->used = mark;
    for (uint32_t die = 0; die < ftl->geometry.dies; ++die)
        writeout_refresh(ftl, die);
    for (uint32_t plane = 0; plane < ftl->geometry.planes; ++plane)
        collector_look_at(ftl, plane);
}
