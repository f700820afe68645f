/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/journal.h"

#include "firmware/drivers/bitmap.h"
#include "firmware/ftl/page_map/ftl.h"
#include "firmware/ftl/page_map/spare.h"
#include "firmware/ftl/page_map/tables.h"

static void run(struct ftl* ftl)
{
    if (journal_has_work(&ftl->journal))
        journal_write(ftl);
}

static struct journal_buffer* filling(struct ftl* ftl)
{
    return &ftl->journal.buffer[ftl->journal.filling];
}

static bool is_writing(const struct ftl* ftl)
{
    return ftl->journal.writing != NONE;
}

/* --- adding ------------------------------------------------------------------------------------------------------- */

static bool add(struct ftl* ftl, struct record record)
{
    struct journal_buffer* buffer = filling(ftl);
    if (buffer->page->records == ftl->journal.capacity)
        return false;
    buffer->page->record[buffer->page->records++] = record;
    if (buffer->page->records == ftl->journal.capacity)
        ftl->journal.due = true;
    return true;
}

/* Trims come in long runs, with nothing numbered in between: one record for the run. */
static bool continues(const struct ftl* ftl, const struct record* last, enum record_kind kind, uint32_t logical)
{
    return last->kind == (uint32_t)kind && last->sequence + 1 == ftl->sequence && logical == last->first + last->count;
}

static bool holds_data(const struct ftl* ftl, uint32_t logical)
{
    return map_find(&ftl->map, logical) != MAP_UNMAPPED || buffer_find(&ftl->buffer, logical) != NONE;
}

/* A page for each buffer and one for a failed program, without a further free block: erases may wait for the journal.
 */
static bool has_place(struct ftl* ftl)
{
    struct journal* journal = &ftl->journal;
    if (journal->block != NONE && journal->page + 3 <= ftl->geometry.pages_per_block)
        return true;
    if (journal->next == NONE)
        journal->next = tables_take_block(&ftl->blocks, GC_RESERVE);
    return journal->next != NONE;
}

/* Later flushes wait for the buffer. */
static void hold(struct ftl* ftl, struct journal_buffer* buffer)
{
    if (buffer->holds)
        return;
    buffer->holds = true;
    buffer->epoch = epochs_enter(&ftl->epochs);
}

void journal_forget(struct ftl* ftl, enum record_kind kind, uint32_t logical)
{
    struct journal_buffer* buffer = filling(ftl);
    struct journal_page* page = buffer->page;
    struct record* last = page->records != 0 ? &page->record[page->records - 1] : NULL;
    if (last != NULL && continues(ftl, last, kind, logical)) {
        ++last->count;
    } else if (kind == RECORD_TRIM && !holds_data(ftl, logical)) {
        return;
    } else if (!add(ftl, (struct record){kind, logical, 1, ftl->sequence++})) {
        hal_log("the journal is full: a page that is lost may come back after a power loss");
        return;
    }
    hold(ftl, buffer);
    has_place(ftl);
}

void journal_pending(struct ftl* ftl, uint32_t logical, uint32_t checkpoint, uint32_t sequence)
{
    add(ftl, (struct record){RECORD_PENDING, logical, checkpoint, sequence});
    hold(ftl, filling(ftl));
}

void journal_note(struct ftl* ftl, enum record_kind kind, uint32_t block, uint32_t value)
{
    add(ftl, (struct record){kind, block, 1, value});
}

bool journal_has_room(struct ftl* ftl)
{
    if (!has_place(ftl))
        return false;
    if (filling(ftl)->page->records + JOURNAL_RESERVE < ftl->journal.capacity)
        return true;
    ftl->journal.due = true;
    return false;
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

void journal_flush(struct ftl* ftl)
{
    ftl->journal.due = ftl->journal.due || filling(ftl)->holds;
    run(ftl);
}

uint32_t journal_ticket(const struct journal* journal)
{
    return journal->buffer[journal->filling].holds ? journal->number : journal->number - 1;
}

bool journal_is_durable(const struct journal* journal)
{
    return !journal->buffer[0].holds && !journal->buffer[1].holds;
}

bool journal_allows_erase(struct ftl* ftl)
{
    if (journal_is_durable(&ftl->journal))
        return true;
    ftl->journal.erase_waits = true;
    journal_flush(ftl);
    return false;
}

/* Erases may wait for the journal, and lost pages are added without journal_has_room(): then the block comes out of the
 * reserve of some plane. The waiting erase returns it. */
static bool open_block(struct ftl* ftl)
{
    struct journal* journal = &ftl->journal;
    journal->block = journal->next;
    if (journal->block == NONE)
        journal->block = tables_take_block(&ftl->blocks, journal->erase_waits ? 0 : GC_RESERVE);
    journal->next = NONE;
    journal->page = 0;
    if (journal->block == NONE)
        return false;
    ++journal->blocks;
    bitmap_add(journal->live, journal->block);
    return true;
}

static void program(struct ftl* ftl)
{
    struct journal* journal = &ftl->journal;
    struct journal_buffer* buffer = &journal->buffer[journal->writing];
    const uint32_t physical = unit_of_page(&ftl->geometry, journal->block, journal->page++);
    journal->target = journal->block;
    tables_program(&ftl->flash, &ftl->geometry, &ftl->tables[TABLES_JOURNAL], physical, buffer->at,
                   spare_record(0, buffer->page->number, SPARE_JOURNAL, ftl->blocks.block[journal->block].erases));
}

void journal_write(struct ftl* ftl)
{
    struct journal* journal = &ftl->journal;
    if (journal->stalled && open_block(ftl)) {
        journal->stalled = false;
        program(ftl);
    }
    if (!journal->due || is_writing(ftl) || filling(ftl)->page->records == 0)
        return;
    if (journal->block != NONE && journal->page >= ftl->geometry.pages_per_block)
        journal->block = NONE;
    if (journal->block == NONE && !open_block(ftl))
        return;
    journal->due = false;
    journal->writing = journal->filling;
    journal->filling ^= 1u;
    filling(ftl)->page->records = 0;
    journal->buffer[journal->writing].page->magic = JOURNAL_MAGIC;
    journal->buffer[journal->writing].page->number = journal->number++;
    program(ftl);
}

void journal_written(struct ftl* ftl)
{
    struct journal* journal = &ftl->journal;
    struct journal_buffer* buffer = &journal->buffer[journal->writing];
    journal->writing = NONE;
    journal->written = buffer->page->number;
    if (buffer->holds) {
        buffer->holds = false;
        epochs_leave(&ftl->epochs, buffer->epoch);
    }
    journal->erase_waits = false;
    run(ftl);
}

/* The pages that are in the block already can still be read. */
void journal_program_failed(struct ftl* ftl)
{
    ftl->journal.block = NONE;
    ftl->journal.stalled = true;
    run(ftl);
}

/* --- checkpoints -------------------------------------------------------------------------------------------------- */

bool journal_may_begin_anew(struct ftl* ftl)
{
    if (ftl->journal.next == NONE)
        ftl->journal.next = tables_take_block(&ftl->blocks, GC_RESERVE);
    return ftl->journal.next != NONE;
}

uint32_t journal_begin_anew(struct ftl* ftl)
{
    struct journal* journal = &ftl->journal;
    for (uint32_t word = 0; word < bitmap_words(ftl->geometry.blocks); ++word) {
        journal->old[word] |= journal->live[word];
        journal->live[word] = 0;
    }
    journal->block = NONE;
    journal->blocks = 0;
    return journal->number;
}

void journal_give_up_old(struct ftl* ftl)
{
    for (uint32_t block = 0; block < ftl->geometry.blocks; ++block) {
        if (bitmap_has(ftl->journal.old, block)) {
            bitmap_remove(ftl->journal.old, block);
            tables_give_block(&ftl->blocks, block);
        }
    }
}

void journal_found(struct ftl* ftl, uint32_t block, uint32_t newest)
{
    struct journal* journal = &ftl->journal;
    ++journal->blocks;
    bitmap_add(journal->live, block);
    if (newest >= journal->number)
        journal->number = newest + 1;
}

void journal_found_all(struct ftl* ftl, uint32_t first)
{
    struct journal* journal = &ftl->journal;
    if (journal->number < first)
        journal->number = first;
    if (journal->number == 0)
        journal->number = 1;
    journal->buffer[0].page->records = 0;
    journal->written = journal->number - 1;
}

/* --- start -------------------------------------------------------------------------------------------------------- */

void journal_init(struct ftl* ftl, struct arena* arena)
{
    struct journal* journal = &ftl->journal;
    for (uint32_t i = 0; i < 2; ++i) {
        journal->buffer[i].at = arena_take(arena, 1, ftl->geometry.page_bytes, SECTOR_BYTES, "the journal");
        journal->buffer[i].page = hal_memory(journal->buffer[i].at, ftl->geometry.page_bytes);
    }
    journal->live = arena_array(arena, bitmap_words(ftl->geometry.blocks), sizeof(uint32_t), "the journal");
    journal->old = arena_array(arena, bitmap_words(ftl->geometry.blocks), sizeof(uint32_t), "the journal");
    journal->capacity = (ftl->geometry.page_bytes - (uint32_t)sizeof(struct journal_page)) / sizeof(struct record);
    journal->block = journal->next = journal->writing = NONE;
    journal->number = 1;
}
