/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/ftl.h"
#include "firmware/ftl/page_map/recovery_steps.h"
#include "firmware/ftl/page_map/spare.h"

#define READ_RETRIES 3u

static void table_read(struct ftl* ftl, uint32_t index, enum flash_status status)
{
    struct recovery_tables* t = &ftl->recovery->tables;
    t->is_blank = status == FLASH_OK && recovery_was_blank(ftl, index);
    t->is_read = status == FLASH_OK && !t->is_blank;
}

/* One flash page after the other: the record that is kept is that of the last one, and they are all the same. A power
 * loss tears all flash pages of a word line, but not those of all planes. The data of a strip is in one piece. */
static void read_page(struct ftl* ftl, uint32_t physical, bus_address to)
{
    const struct geometry* g = &ftl->geometry;
    struct recovery_tables* t = &ftl->recovery->tables;
    bool is_read = true;
    for (uint32_t i = 0; i < g->flash_pages_per_page; ++i) {
        const uint32_t in_table = i % g->row_planes * g->flash_pages + i / g->row_planes;
        recovery_read(ftl, 0, physical + i * g->units_per_flash_page, g->sectors_per_flash_page,
                      to + in_table * g->sectors_per_flash_page * SECTOR_BYTES, table_read);
        recovery_wait(ftl);
        is_read = is_read && t->is_read;
    }
    t->is_read = is_read;
}

/* --- checkpoint --------------------------------------------------------------------------------------------------- */

/* The blocks of checkpoint `number` into current[]; false: not all are there. */
static bool gather(struct ftl* ftl, uint32_t number)
{
    struct checkpoint* c = &ftl->checkpoint;
    uint32_t found = 0;
    for (uint32_t block = 0; block < ftl->geometry.blocks; ++block) {
        const struct first_page* first = &ftl->recovery->first[block];
        const uint32_t place = spare_subject(&first->spare) / ftl->geometry.pages_per_block;
        if (first->kind != FIRST_CHECKPOINT || first->spare.word[1] != number || place >= c->layout.blocks)
            continue;
        c->current[place] = block;
        ++found;
    }
    return found == c->layout.blocks;
}

static bool read_checkpoint_page(struct ftl* ftl, uint32_t index)
{
    const struct checkpoint* c = &ftl->checkpoint;
    const uint32_t pages = ftl->geometry.pages_per_block;
    read_page(ftl, unit_of_page(&ftl->geometry, c->current[index / pages], index % pages), c->at);
    const struct flash_spare spare = recovery_spare(ftl, 0);
    return ftl->recovery->tables.is_read && spare_is_record(&spare) && spare_kind_of(&spare) == SPARE_CHECKPOINT &&
           spare_subject(&spare) == index;
}

/* A second read may have fewer bit errors, few enough for ECC. */
static bool read_checkpoint_page_again(struct ftl* ftl, uint32_t index)
{
    for (uint32_t times = 0; times < READ_RETRIES; ++times) {
        if (read_checkpoint_page(ftl, index))
            return true;
    }
    return false;
}

static bool is_complete(struct ftl* ftl, uint32_t number)
{
    struct checkpoint* c = &ftl->checkpoint;
    if (!gather(ftl, number) || !read_checkpoint_page(ftl, c->layout.pages - 1))
        return false;
    const struct checkpoint_commit* commit = c->page;
    c->sequence = commit->sequence;
    c->journal_first = commit->journal_first;
    return commit->magic == CHECKPOINT_MAGIC && commit->number == number && commit->pages == c->layout.pages &&
           commit->logical_units == ftl->map.logical_units && commit->blocks == ftl->geometry.blocks;
}

/* Its number, or 0. */
static uint32_t newest_complete(struct ftl* ftl)
{
    for (uint32_t below = NONE;;) {
        uint32_t number = 0;
        for (uint32_t block = 0; block < ftl->geometry.blocks; ++block) {
            const struct first_page* first = &ftl->recovery->first[block];
            if (first->kind == FIRST_CHECKPOINT && first->spare.word[1] < below && first->spare.word[1] > number)
                number = first->spare.word[1];
        }
        if (number >= ftl->checkpoint.number)
            ftl->checkpoint.number = number + 1;
        if (number == 0 || is_complete(ftl, number))
            return number;
        below = number;
    }
}

static void load_block(struct ftl* ftl, uint32_t block, const struct checkpoint_block* row)
{
    struct block* b = &ftl->blocks.block[block];
    const struct first_page* first = &ftl->recovery->first[block];
    b->failed = row->bad != 0 && b->state != BLOCK_BAD; /* a factory bad block was found before, and has no spare */
    b->erases = row->erases;
    const bool is_unchanged = first->kind == FIRST_DATA && spare_erases(&first->spare) == (row->erases & 0xFFFFu);
    ftl->checkpoint.covered[block] = is_unchanged ? row->covered : 0;
    if (first->kind == FIRST_BLANK && row->covered != 0)
        ++b->erases; /* at least once since */
}

static bool is_covered(const struct ftl* ftl, uint32_t physical)
{
    const uint32_t block = block_of_unit(&ftl->geometry, physical);
    return physical < ftl->geometry.units && page_of_unit(&ftl->geometry, physical) < ftl->checkpoint.covered[block];
}

static void load_entry(struct ftl* ftl, uint32_t logical, uint32_t entry)
{
    if (entry == MAP_UNMAPPED || entry == MAP_LOST) {
        ftl->map.physical[logical] = entry;
        ftl->recovery->versions.sequence[logical] = ftl->checkpoint.sequence - 1; /* older versions are dead */
    } else if (entry != ENTRY_PENDING && is_covered(ftl, entry)) {
        ftl->map.physical[logical] = entry; /* its number is read when it is needed */
    }
}

static void load_page(struct ftl* ftl, uint32_t index)
{
    const struct checkpoint* c = &ftl->checkpoint;
    const bool is_map = index >= c->layout.block_pages;
    const uint32_t per_page = is_map ? c->layout.entries_per_page : c->layout.blocks_per_page;
    const uint32_t first = (is_map ? index - c->layout.block_pages : index) * per_page;
    const uint32_t end = is_map ? ftl->map.logical_units : ftl->geometry.blocks;
    for (uint32_t i = 0; i < per_page && first + i < end; ++i) {
        if (is_map)
            load_entry(ftl, first + i, ((const uint32_t*)c->page)[i]);
        else
            load_block(ftl, first + i, &((const struct checkpoint_block*)c->page)[i]);
    }
    HAL_COST_TIMES(recover_entry, per_page);
}

void recovery_load_checkpoint(struct ftl* ftl, struct recovery* r)
{
    struct checkpoint* c = &ftl->checkpoint;
    r->tables = (struct recovery_tables){.checkpoint = newest_complete(ftl)};
    if (r->tables.checkpoint == 0)
        return;
    r->versions.begun_at = r->versions.highest = c->sequence;
    r->tables.journal_first = c->journal_first;
    c->current_blocks = c->layout.blocks;
    for (uint32_t index = 0; index + 1 < c->layout.pages; ++index) {
        if (!read_checkpoint_page(ftl, index) && !read_checkpoint_page_again(ftl, index))
            hal_panic("recovery: a checkpoint page cannot be read; the mapping is lost");
        load_page(ftl, index);
    }
}

/* --- journal ------------------------------------------------------------------------------------------------------ */

static void note_erases(struct ftl* ftl, uint32_t block, uint32_t erases)
{
    if (block < ftl->geometry.blocks && erases > ftl->blocks.block[block].erases)
        ftl->blocks.block[block].erases = erases;
}

static void replay_pending(struct ftl* ftl, const struct record* record)
{
    const uint32_t as = (record->count & PENDING_IS_LOST) != 0 ? MAP_LOST : MAP_UNMAPPED;
    if ((record->count & ~PENDING_IS_LOST) == ftl->recovery->tables.checkpoint)
        recovery_forgotten(ftl, record->first, record->sequence, as);
}

static void replay(struct ftl* ftl, const struct journal_page* page)
{
    for (uint32_t i = 0; i < page->records && i < ftl->journal.capacity; ++i) {
        const struct record record = page->record[i];
        HAL_COST(recover_page);
        if (record.kind == RECORD_TRIM || record.kind == RECORD_LOST) {
            const uint32_t as = record.kind == RECORD_TRIM ? MAP_UNMAPPED : MAP_LOST;
            for (uint32_t j = 0; j < record.count; ++j)
                recovery_forgotten(ftl, record.first + j, record.sequence, as);
            HAL_COST_TIMES(recover_entry, record.count);
        } else if (record.kind == RECORD_BAD && record.first < ftl->geometry.blocks) {
            ftl->blocks.block[record.first].failed = true;
        } else if (record.kind == RECORD_ERASED) {
            note_erases(ftl, record.first, record.sequence);
        } else if (record.kind == RECORD_PENDING) {
            replay_pending(ftl, &record);
        }
    }
}

/* One block; the program of one of its pages may have been cut by the power loss. */
static void replay_block(struct ftl* ftl, uint32_t block)
{
    struct journal* journal = &ftl->journal;
    struct journal_buffer* buffer = &journal->buffer[0];
    uint32_t newest = 0;
    for (uint32_t page = 0; page < ftl->geometry.pages_per_block; ++page) {
        read_page(ftl, unit_of_page(&ftl->geometry, block, page), buffer->at);
        if (ftl->recovery->tables.is_blank)
            break;
        if (!ftl->recovery->tables.is_read || buffer->page->magic != JOURNAL_MAGIC)
            continue;
        newest = buffer->page->number;
        replay(ftl, buffer->page);
    }
    journal_found(ftl, block, newest);
}

void recovery_replay_journal(struct ftl* ftl, struct recovery* r)
{
    ftl->journal.number = 0;
    for (uint32_t block = 0; block < ftl->geometry.blocks; ++block) {
        const struct first_page* first = &r->first[block];
        if (first->kind == FIRST_JOURNAL && first->spare.word[1] >= r->tables.journal_first)
            replay_block(ftl, block);
    }
    journal_found_all(ftl, r->tables.journal_first);
}

/* --- blocks that hold the tables ---------------------------------------------------------------------------------- */

bool recovery_holds_tables(const struct ftl* ftl, uint32_t block)
{
    const struct recovery* r = ftl->recovery;
    const struct first_page* first = &r->first[block];
    if (first->kind == FIRST_CHECKPOINT)
        return r->tables.checkpoint != 0 && first->spare.word[1] == r->tables.checkpoint;
    return first->kind == FIRST_JOURNAL && first->spare.word[1] >= r->tables.journal_first;
}
