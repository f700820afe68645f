/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/checkpoint.h"

#include "firmware/ftl/page_map/bad_blocks.h"
#include "firmware/ftl/page_map/ftl.h"
#include "firmware/ftl/page_map/spare.h"
#include "firmware/ftl/page_map/tables.h"

#include <string.h>

/* --- beginning ---------------------------------------------------------------------------------------------------- */

/* Programs of a block end in order on each die, so the pages whose programs have ended are its first, less those that
 * another die may have finished before. */
static uint16_t covered_pages(const struct geometry* g, const struct block* block)
{
    const uint32_t flying = (block->flying + g->row_planes - 1u) / g->row_planes * g->width;
    switch (block->state) {
    case BLOCK_OPEN:
    case BLOCK_CLOSING:
    case BLOCK_FULL:
    case BLOCK_COLLECTING: return (uint16_t)(block->taken > flying ? block->taken - flying : 0);
    default: return 0;
    }
}

static void begin(struct ftl* ftl)
{
    struct checkpoint* c = &ftl->checkpoint;
    for (uint32_t block = 0; block < ftl->geometry.blocks; ++block)
        c->covered[block] = covered_pages(&ftl->geometry, &ftl->blocks.block[block]);
    HAL_COST_TIMES(recover_entry, ftl->geometry.blocks);
    c->sequence = ++ftl->sequence; /* no run of trims goes on across the beginning (journal.c) */
    c->since = ftl->blocks.clock;
    c->journal_first = journal_begin_anew(ftl);
    c->index = c->entry = c->taken = 0;
    c->phase = CHECKPOINT_COMPOSING;
}

/* --- composing a page --------------------------------------------------------------------------------------------- */

static void compose_blocks(struct ftl* ftl)
{
    struct checkpoint* c = &ftl->checkpoint;
    struct checkpoint_block* rows = c->page;
    const uint32_t first = c->index * c->layout.blocks_per_page;
    for (uint32_t i = 0; i < c->layout.blocks_per_page && first + i < ftl->geometry.blocks; ++i) {
        const struct block* block = &ftl->blocks.block[first + i];
        rows[i] =
            (struct checkpoint_block){block->erases, c->covered[first + i], block->failed || block->state == BLOCK_BAD};
    }
    c->phase = CHECKPOINT_COMPOSED;
}

/* The lowest number of a version of the unit in the buffer, which may still be programmed; 0: there is none. */
static uint32_t oldest_in_buffer(const struct ftl* ftl, uint32_t logical)
{
    uint32_t oldest = 0;
    for (uint32_t slot = buffer_find(&ftl->buffer, logical); slot != NONE; slot = ftl->buffer.slot[slot].older)
        oldest = ftl->buffer.slot[slot].sequence;
    return oldest;
}

/* An entry, or false: the journal has to make space first. */
static bool compose_entry(struct ftl* ftl, uint32_t logical, uint32_t* entry)
{
    *entry = map_find(&ftl->map, logical);
    if (map_is_mapped(*entry))
        return true;
    const uint32_t oldest = oldest_in_buffer(ftl, logical);
    if (oldest == 0)
        return true;
    if (!journal_has_room(ftl))
        return false;
    const uint32_t lost = *entry == MAP_LOST ? PENDING_IS_LOST : 0;
    journal_pending(ftl, logical, ftl->checkpoint.number | lost, oldest - 1);
    *entry = ENTRY_PENDING;
    return true;
}

/* A few entries at a time, so that other work is served in between. */
static void compose_map(struct ftl* ftl)
{
    struct checkpoint* c = &ftl->checkpoint;
    uint32_t* entries = c->page;
    const uint32_t first = (c->index - c->layout.block_pages) * c->layout.entries_per_page;
    HAL_COST_TIMES(recover_entry, CHECKPOINT_SLICE);
    for (uint32_t i = 0; i < CHECKPOINT_SLICE && c->entry < c->layout.entries_per_page; ++i, ++c->entry) {
        if (first + c->entry < ftl->map.logical_units && !compose_entry(ftl, first + c->entry, &entries[c->entry])) {
            c->blocked = true;
            return;
        }
    }
    if (c->entry == c->layout.entries_per_page)
        c->phase = CHECKPOINT_COMPOSED;
}

/* The checkpoint is valid once this page is in flash, so the journal's part of it has to be in flash before. */
static void compose_commit(struct ftl* ftl)
{
    struct checkpoint* c = &ftl->checkpoint;
    if (!journal_is_durable(&ftl->journal)) {
        journal_flush(ftl);
        return;
    }
    memset(c->page, 0, ftl->geometry.page_bytes);
    *(struct checkpoint_commit*)c->page = (struct checkpoint_commit){
        CHECKPOINT_MAGIC,       c->number,           c->sequence, c->journal_first, c->layout.pages,
        ftl->map.logical_units, ftl->geometry.blocks};
    c->phase = CHECKPOINT_COMPOSED;
}

static void compose(struct ftl* ftl)
{
    const struct checkpoint* c = &ftl->checkpoint;
    if (c->index < c->layout.block_pages)
        compose_blocks(ftl);
    else if (c->index + 1 < c->layout.pages)
        compose_map(ftl);
    else
        compose_commit(ftl);
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static void program(struct ftl* ftl)
{
    struct checkpoint* c = &ftl->checkpoint;
    const uint32_t pages = ftl->geometry.pages_per_block;
    if (c->taken == c->index / pages) {
        const uint32_t block = tables_take_block(&ftl->blocks, GC_RESERVE);
        if (block == NONE)
            return; /* again, when collection has freed one */
        c->writing[c->taken++] = block;
    }
    const uint32_t block = c->writing[c->index / pages];
    c->phase = CHECKPOINT_PROGRAMMING;
    tables_program(&ftl->flash, &ftl->geometry, &ftl->tables[TABLES_CHECKPOINT],
                   unit_of_page(&ftl->geometry, block, c->index % pages), c->at,
                   spare_record(c->index, c->number, SPARE_CHECKPOINT, ftl->blocks.block[block].erases));
}

static void give_back(struct ftl* ftl, uint32_t* blocks, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
        tables_give_block(&ftl->blocks, blocks[i]);
}

static void commit(struct ftl* ftl)
{
    struct checkpoint* c = &ftl->checkpoint;
    uint32_t* before = c->current;
    give_back(ftl, before, c->current_blocks);
    c->current = c->writing;
    c->current_blocks = c->taken;
    c->writing = before;
    journal_give_up_old(ftl);
    ++c->number;
    c->phase = CHECKPOINT_IDLE;
}

void checkpoint_programmed(struct ftl* ftl, enum flash_status status)
{
    struct checkpoint* c = &ftl->checkpoint;
    if (status != FLASH_OK) { /* begins again later */
        bad_blocks_program_failed(ftl, c->writing[c->taken - 1]);
        give_back(ftl, c->writing, c->taken);
        ++c->number;
        c->phase = CHECKPOINT_IDLE;
        return;
    }
    c->entry = 0;
    if (++c->index == c->layout.pages)
        commit(ftl);
    else
        c->phase = CHECKPOINT_COMPOSING;
}

static bool is_due(const struct ftl* ftl)
{
    const uint32_t interval = ftl->boot->checkpoint_pages;
    return ftl->journal.blocks > JOURNAL_BLOCKS ||
           (interval != 0 &&
            (ftl->blocks.clock - ftl->checkpoint.since) * ftl->geometry.flash_pages_per_page >= interval);
}

void checkpoint_run(struct ftl* ftl)
{
    struct checkpoint* c = &ftl->checkpoint;
    if (c->phase == CHECKPOINT_IDLE && (ftl->is_saving || !is_due(ftl)))
        return;
    c->blocked = false;
    if (c->phase == CHECKPOINT_IDLE && !ftl->read_only && journal_may_begin_anew(ftl))
        begin(ftl);
    if (c->phase == CHECKPOINT_COMPOSING)
        compose(ftl);
    if (c->phase == CHECKPOINT_COMPOSED)
        program(ftl);
}

void checkpoint_init(struct ftl* ftl, struct arena* arena)
{
    struct checkpoint* c = &ftl->checkpoint;
    static const char what[] = "checkpoints";
    c->layout = checkpoint_layout_of(&ftl->geometry, ftl->map.logical_units);
    c->at = arena_take(arena, 1, ftl->geometry.page_bytes, SECTOR_BYTES, what);
    c->page = hal_memory(c->at, ftl->geometry.page_bytes);
    c->covered = arena_array(arena, ftl->geometry.blocks, sizeof *c->covered, what);
    c->current = arena_array(arena, c->layout.blocks, sizeof *c->current, what);
    c->writing = arena_array(arena, c->layout.blocks, sizeof *c->writing, what);
    c->number = 1;
}
