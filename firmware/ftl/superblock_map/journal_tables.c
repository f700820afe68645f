/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/superblock_map/journal_tables.h"

#include "firmware/ftl/superblock_map/journal_areas.h"
#include "firmware/ftl/superblock_map/journal_records.h"

#include <string.h>

void journal_set_spare(struct flash_descriptor* descriptor, enum page_kind kind, uint32_t generation, uint32_t part,
                       uint32_t check)
{
    descriptor->control |= FLASH_DESCRIPTOR_CONTROL_COMMON_SPARE_MASK;
    descriptor->spare0 = kind;
    descriptor->spare1 = generation;
    descriptor->spare2 = part;
    descriptor->spare3 = check;
}

/* --- the image ---------------------------------------------------------------------------------------------------- */

/* Stamps of the entries in the buffer; during recovery, of the parked runs that are still to be merged. */
static uint32_t live_stamps(const struct superblock_map* sbm, uint32_t* word)
{
    const struct journal* journal = &sbm->journal;
    uint32_t count = 0;
    if (journal->lives != 0) {
        memcpy(word, journal->live, journal->lives * sizeof *word);
        return journal->lives;
    }
    for (uint32_t i = 0; i < sbm->buffer.entries; ++i) {
        if (sbm->buffer.entry[i].state != ENTRY_FREE)
            word[count++] = sbm->buffer.entry[i].stamp;
    }
    return count;
}

/* The tables as they are now, with all pending changes. */
static void take_image(struct superblock_map* sbm)
{
    struct journal* journal = &sbm->journal;
    struct table_header* header = (struct table_header*)journal->image;
    const struct superblocks* all = &sbm->superblocks;
    uint32_t* word = journal_tables(journal);
    HAL_COST_TIMES(table_kibibyte, (sbm->logicals + sbm->layout.superblocks) / 256 + 1);
    for (uint32_t i = 0; i < sbm->logicals; ++i)
        *word++ = mapped_superblock(sbm, i);
    for (uint32_t i = 0; i < sbm->layout.superblocks; ++i)
        *word++ = all->superblock[i].erases;
    memcpy(word, all->replaced, all->replacements * sizeof *all->replaced);
    word += all->replacements * (sizeof *all->replaced / 4);
    *header = (struct table_header){.magic = PAGE_TABLE, .generation = journal->generation + 1};
    header->stamps = live_stamps(sbm, word);
    word += header->stamps;
    header->bytes = (uint32_t)(word - journal->image) * 4;
    header->logicals = sbm->logicals;
    header->superblocks = sbm->layout.superblocks;
    header->replacements = all->replacements;
    header->stamp = sbm->buffer.stamp;
    header->check = journal_tables_check(journal, (uint32_t)(word - journal_tables(journal)));
}

/* --- writing it --------------------------------------------------------------------------------------------------- */

static void erase_part(struct superblock_map* sbm, struct job* job);
static void erase_log(struct superblock_map* sbm, struct job* job);

/* The member in use has failed: takes another one. */
static void try_again(struct superblock_map* sbm, struct job* job, struct area* area,
                      void (*again)(struct superblock_map* sbm, struct job* job))
{
    area->failed[area->last] = true;
    again(sbm, job);
}

static void give_up(struct superblock_map* sbm, struct job* job)
{
    sbm->journal.records.covered = 0;
    job_end(&sbm->jobs, job);
    turn_read_only(sbm, "no superblock is left for the journal: the drive is read-only");
}

static void next_copy(struct superblock_map* sbm, struct job* job)
{
    struct journal* journal = &sbm->journal;
    job->done = 0;
    if (++job->copy < journal->copies) {
        erase_part(sbm, job);
        return;
    }
    ++journal->generation;
    for (uint32_t copy = 0; copy < journal->copies; ++copy)
        journal->log_at[copy] = journal->log[copy].last;
    journal->page = journal->logged = 0;
    journal->copying = journal->needs_copy = false;
    journal_records_written(sbm);
    job_end(&sbm->jobs, job);
}

static void log_erased(struct superblock_map* sbm, struct job* job, struct units_result result)
{
    if (result.status == FLASH_OK)
        next_copy(sbm, job);
    else
        try_again(sbm, job, &sbm->journal.log[job->copy], erase_log);
}

static void erase_log(struct superblock_map* sbm, struct job* job)
{
    struct area* area = &sbm->journal.log[job->copy];
    const uint32_t member = area_next(area, sbm->journal.generation);
    if (member == NONE)
        give_up(sbm, job);
    else
        job_erase(&sbm->jobs, job, area->member[member], FLASH_FOR_METADATA, log_erased);
}

static void part_written(struct superblock_map* sbm, struct job* job, struct units_result result)
{
    if (result.status != FLASH_OK)
        try_again(sbm, job, &sbm->journal.table[job->copy], erase_part);
    else if (++job->done < sbm->journal.table_parts)
        erase_part(sbm, job);
    else
        erase_log(sbm, job);
}

/* Programs the part of the image that goes into one superblock. A part after the end of the image has one sector, so
 * that all parts exist. */
static void part_erased(struct superblock_map* sbm, struct job* job, struct units_result result)
{
    const struct journal* journal = &sbm->journal;
    if (result.status != FLASH_OK) {
        try_again(sbm, job, &sbm->journal.table[job->copy], erase_part);
        return;
    }
    const struct table_header* header = (const struct table_header*)journal->image;
    const struct area* area = &journal->table[job->copy];
    const uint32_t all = (header->bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
    const uint32_t first = job->done * sbm->layout.sectors;
    uint32_t sectors = all > first ? all - first : 1;
    if (sectors > sbm->layout.sectors)
        sectors = sbm->layout.sectors;
    struct flash_descriptor* descriptor =
        job_operation(&sbm->jobs, job, FLASH_PROGRAM, area->member[area->last], 0, sectors, FLASH_FOR_METADATA);
    descriptor->buffer = journal->image_at + (all > first ? first : 0) * SECTOR_BYTES;
    journal_set_spare(descriptor, PAGE_TABLE, journal->generation + 1, job->done, header->check);
    job_begin(&sbm->jobs, job, part_written);
}

static void erase_part(struct superblock_map* sbm, struct job* job)
{
    struct area* area = &sbm->journal.table[job->copy];
    const uint32_t member = area_next(area, sbm->journal.generation);
    if (member == NONE)
        give_up(sbm, job);
    else
        job_erase(&sbm->jobs, job, area->member[member], FLASH_FOR_METADATA, part_erased);
}

void journal_copy_tables(struct superblock_map* sbm)
{
    struct job* job = job_take(&sbm->jobs, part_written);
    if (job == NULL)
        return;
    take_image(sbm);
    sbm->journal.copying = true;
    sbm->journal.writing = true;
    sbm->journal.records.covered = journal_pending(&sbm->journal.records);
    erase_part(sbm, job);
}
