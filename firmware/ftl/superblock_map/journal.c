/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/superblock_map/journal.h"

#include "firmware/ftl/superblock_map/journal_areas.h"
#include "firmware/ftl/superblock_map/journal_records.h"
#include "firmware/ftl/superblock_map/journal_tables.h"

#include <string.h>

/* --- the log ------------------------------------------------------------------------------------------------------ */

static void program_log(struct superblock_map* sbm, struct job* job);

static void log_written(struct superblock_map* sbm, struct job* job, struct units_result result)
{
    struct journal* journal = &sbm->journal;
    if (result.status != FLASH_OK) {
        journal->log[job->copy].failed[journal->log_at[job->copy]] = true;
        journal->needs_copy = true; /* which contains what could not be written */
        journal->records.covered = 0;
        journal->writing = false;
        job_end(&sbm->jobs, job);
        return;
    }
    if (++job->copy < journal->copies) {
        program_log(sbm, job);
        return;
    }
    ++journal->page;
    journal->logged += journal->records.covered;
    journal_records_written(sbm);
    job_end(&sbm->jobs, job);
}

static void program_log(struct superblock_map* sbm, struct job* job)
{
    const struct journal* journal = &sbm->journal;
    const uint32_t superblock = journal->log[job->copy].member[journal->log_at[job->copy]];
    struct flash_descriptor* descriptor = job_operation(
        &sbm->jobs, job, FLASH_PROGRAM, superblock, sector_of_page(&sbm->layout, journal->page), 1, FLASH_FOR_METADATA);
    descriptor->buffer = journal->page_at;
    journal_set_spare(descriptor, PAGE_LOG, journal->generation, journal->page, journal->log_page[LOG_PAGE_WORDS - 1]);
    job_begin(&sbm->jobs, job, log_written);
}

uint32_t journal_compose_page(struct journal* journal)
{
    const struct journal_records* all = &journal->records;
    uint32_t* page = journal->log_page;
    const uint32_t records = journal_pending(all) < LOG_PAGE_RECORDS ? journal_pending(all) : LOG_PAGE_RECORDS;
    HAL_COST_TIMES(log_record, records);
    memset(page, 0, SECTOR_BYTES);
    page[0] = PAGE_LOG;
    page[1] = journal->generation;
    page[2] = journal->page;
    page[3] = records;
    for (uint32_t i = 0; i < records; ++i)
        memcpy(&page[LOG_HEADER_WORDS + i * LOG_RECORD_WORDS], journal_record(all, all->taken + i)->word,
               LOG_RECORD_WORDS * sizeof(uint32_t));
    page[LOG_PAGE_WORDS - 1] = check_words(CHECK_START, page, LOG_PAGE_WORDS - 1);
    return records;
}

static void write_log(struct superblock_map* sbm)
{
    struct job* job = job_take(&sbm->jobs, log_written);
    if (job == NULL)
        return;
    sbm->journal.writing = true;
    sbm->journal.records.covered = journal_compose_page(&sbm->journal);
    program_log(sbm, job);
}

/* --- running ------------------------------------------------------------------------------------------------------ */

void journal_run(struct superblock_map* sbm)
{
    const struct journal* journal = &sbm->journal;
    if (journal->writing || sbm->read_only)
        return;
    const bool has_records = journal_pending(&journal->records) != 0;
    const bool is_full = journal->page == pages_of_superblock(&sbm->layout) || journal->logged >= journal->most_logged;
    if (journal->needs_copy || (is_full && has_records))
        journal_copy_tables(sbm);
    else if (has_records)
        write_log(sbm);
}

void journal_copy_now(struct superblock_map* sbm)
{
    const uint32_t generation = sbm->journal.generation;
    sbm->journal.needs_copy = true;
    while (sbm->journal.generation == generation && !sbm->read_only) {
        journal_run(sbm);
        if (units_poll(&sbm->units) == 0)
            units_sleep(&sbm->units);
    }
}

/* --- start -------------------------------------------------------------------------------------------------------- */

void journal_init(struct superblock_map* sbm, struct arena* arena)
{
    _Static_assert(sizeof(struct table_header) == JOURNAL_HEADER_BYTES && SECTOR_BYTES == JOURNAL_SECTOR_BYTES,
                   "capacity.h computes sizes with them");
    const struct boot_block* boot = sbm->boot;
    const struct layout* layout = &sbm->layout;
    struct journal* journal = &sbm->journal;
    const uint32_t sectors = (uint32_t)capacity_table_sectors(layout, boot->units);
    *journal = (struct journal){.copies = boot->replicate_tables != 0 ? 2 : 1,
                                .most_logged = boot->checkpoint_records,
                                .image_bytes = sectors * SECTOR_BYTES};
    journal->table_parts = (uint32_t)capacity_table_parts(layout, boot->units);
    journal_records_init(&journal->records, arena, capacity_pending(boot->units));
    for (uint32_t copy = 0; copy < journal->copies; ++copy) {
        const uint32_t superchip = capacity_home(layout, copy);
        area_reserve(&journal->log[copy], &sbm->superblocks, superchip, LOG_SUPERBLOCKS);
        area_reserve(&journal->table[copy], &sbm->superblocks, superchip,
                     (uint32_t)capacity_table_area(layout, boot->units));
    }
    journal->page_at = arena_take(arena, 1, SECTOR_BYTES, SECTOR_BYTES, "the journal");
    journal->log_page = hal_memory(journal->page_at, SECTOR_BYTES);
    journal->image_at = arena_take(arena, sectors, SECTOR_BYTES, SECTOR_BYTES, "the journal");
    journal->image = hal_memory(journal->image_at, sectors * SECTOR_BYTES);
    const uint32_t pages = pages_of_superblock(layout);
    journal->spares_at = arena_take(arena, pages, sizeof(struct flash_spare), 64, "the journal");
    journal->spares = hal_memory(journal->spares_at, pages * (uint32_t)sizeof(struct flash_spare));
}
