/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/superblock_map/merge.h"

#include "firmware/ftl/superblock_map/journal_records.h"
#include "firmware/ftl/superblock_map/merge_choice.h"

/* --- one merge ---------------------------------------------------------------------------------------------------- */

static void begin(struct superblock_map* sbm, struct job* job);

static void finish(struct superblock_map* sbm, struct job* job)
{
    const struct entry* entry = &sbm->buffer.entry[job->entry];
    change_mapped_superblock(sbm, job->logical, job->target, job->source);
    HAL_COST(map_update);
    journal_remap(&sbm->journal.records, job->logical, job->target, entry->stamp, job->source);
    entry_release(&sbm->buffer, job->entry);
    job_end(&sbm->jobs, job);
}

/* The merge is impossible: its sectors stay in the buffer. */
static void give_up(struct superblock_map* sbm, struct job* job, const char* why)
{
    if (job->target != NONE && sbm->superblocks.superblock[job->target].state == SUPERBLOCK_TARGET)
        superblocks_release(&sbm->superblocks, job->target);
    job_end(&sbm->jobs, job);
    turn_read_only(sbm, why);
}

/* A block of the destination has failed. */
static void replace(struct superblock_map* sbm, struct job* job, uint32_t chip)
{
    if (!journal_replace_block(sbm, job->target, chip))
        job->target = superblocks_take(&sbm->superblocks, job->logical % sbm->layout.groups);
    if (job->target == NONE)
        give_up(sbm, job, "no spare block and no free superblock is left: the drive is read-only");
    else
        begin(sbm, job);
}

static void merged(struct superblock_map* sbm, struct job* job, struct units_result result)
{
    if (result.status == FLASH_OK)
        finish(sbm, job);
    else if (result.status == FLASH_PROGRAM_FAILED)
        replace(sbm, job, result.chip);
    else if (++job->tries < MERGE_TRIES)
        begin(sbm, job);
    else
        give_up(sbm, job, "a superblock cannot be read and not be merged: the drive is read-only");
}

static void erased(struct superblock_map* sbm, struct job* job, struct units_result result)
{
    if (result.status != FLASH_OK) {
        replace(sbm, job, result.chip);
        return;
    }
    const enum flash_opcode opcode = job->source == NONE ? FLASH_PROGRAM : FLASH_COPYBACK;
    struct flash_descriptor* descriptor =
        job_operation(&sbm->jobs, job, opcode, job->target, 0, sbm->layout.sectors, FLASH_FOR_MERGE);
    descriptor->control |= FLASH_DESCRIPTOR_CONTROL_SECTOR_TABLE_MASK;
    descriptor->spare_address = entry_table_at(&sbm->buffer, job->entry);
    job_writes_data(descriptor, job->logical, sbm->buffer.entry[job->entry].stamp);
    if (job->source != NONE)
        descriptor->source_blocks = superblock_blocks(&sbm->superblocks, job->source);
    job_begin(&sbm->jobs, job, merged);
}

static void begin(struct superblock_map* sbm, struct job* job)
{
    job_erase(&sbm->jobs, job, job->target, FLASH_FOR_MERGE, erased);
}

/* False: no free superblock for it. An entry that contains only zeros is merged at once: then `at_once` is set. */
static bool start(struct superblock_map* sbm, uint32_t number, bool* at_once)
{
    const struct entry* entry = &sbm->buffer.entry[number];
    const bool is_all_zeros = entry->trimmed == sbm->layout.sectors;
    uint32_t target = NONE;
    if (!is_all_zeros) {
        target = superblocks_take(&sbm->superblocks, entry->logical % sbm->layout.groups);
        if (target == NONE)
            return false;
    }
    struct job* job = job_take(&sbm->jobs, erased);
    HAL_COST(merge_start);
    job->logical = entry->logical;
    job->entry = number;
    job->target = target;
    job->source = mapped_superblock(sbm, entry->logical);
    entry_freeze(&sbm->buffer, number);
    if (target == NONE) {
        *at_once = true;
        finish(sbm, job);
    } else {
        begin(sbm, job);
    }
    return true;
}

/* --- all that are due --------------------------------------------------------------------------------------------- */

/* No job, no pending record and no read will free a superblock. */
static bool nothing_will_be_free(const struct superblock_map* sbm)
{
    const struct read_progress* reads = &sbm->read_progress;
    return sbm->jobs.busy == 0 && journal_pending(&sbm->journal.records) == 0 && reads->begun == reads->ended &&
           !reads->awaits_synthesizer;
}

static uint32_t next_entry(const struct superblock_map* sbm, uint32_t kept)
{
    const uint32_t next = merge_choose(&sbm->merging, &sbm->buffer, &sbm->jobs, true, kept);
    return next != NONE ? next : merge_choose(&sbm->merging, &sbm->buffer, &sbm->jobs, false, kept);
}

bool merge_run(struct superblock_map* sbm)
{
    struct sector_buffer* buffer = &sbm->buffer;
    struct merging* merging = &sbm->merging;
    bool at_once = false;
    if (sbm->read_only)
        return false;
    const bool stuck = merge_host_is_stuck(merging, buffer);
    if (buffer->open == 0 && !stuck) { /* the usual case during host reads: there is nothing to choose from */
        merging->draining = buffer_free(buffer) < merging->high_water;
        return false;
    }
    const uint32_t last = merge_written_last(buffer);
    const uint32_t kept = stuck ? NONE : last;
    for (uint32_t i = 0; i < buffer->entries; ++i)
        buffer->entry[i].starved = false;
    merging->draining = merge_drains(merging, buffer, last) || stuck;
    while (sbm->jobs.busy < sbm->jobs.units && journal_has_room(sbm) && !sbm->read_only) {
        const uint32_t next = next_entry(sbm, kept);
        if (next == NONE)
            break;
        if (!start(sbm, next, &at_once)) {
            buffer->entry[next].starved = true;
            if (nothing_will_be_free(sbm))
                turn_read_only(sbm, "no free superblock is left for a merge: the drive is read-only");
        }
    }
    return at_once;
}
