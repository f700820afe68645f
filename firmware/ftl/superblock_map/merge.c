/* SPDX-License-Identifier: Apache-2.0
 *
 * Materialisation: the buffered sectors of a logical superblock and what its physical superblock holds are merged into
 * another one, in a background unit: erase the destination, copy back with the sector table. Which superblocks, and
 * when:
 *
 *   somebody waits for it (flush, write-through)      at once, oldest first
 *   less free space than the high-watermark, or more
 *   open superblocks than the limit                   oldest first, until only the one written last is left
 *   no space, or no entry, for what the host sends    the one written last too
 *
 * Superchips that have nothing to do come first. A destination whose block fails gets a spare block, and the merge
 * begins again: nothing of the old superblock or of the buffer is given up before the new one is complete.
 */
#include "firmware/ftl/superblock_map/state.h"

bool logical_is_busy(uint32_t logical)
{
    for (uint32_t unit = 0; unit < sbm.jobs.units; ++unit) {
        if (sbm.jobs.job[unit].logical == logical)
            return true;
    }
    return false;
}

/* --- one merge ---------------------------------------------------------------------------------------------------- */

static void begin(struct job* job);

static void finish(struct job* job)
{
    const struct entry* entry = &sbm.buffer.entry[job->entry];
    sbm.map[job->logical] = 0;
    if (job->target != NONE) {
        sbm.map[job->logical] = superblock_blocks(&sbm.superblocks, job->target);
        superblocks_map(&sbm.superblocks, job->target, job->logical);
    }
    if (job->source != NONE)
        sbm.superblocks.superblock[job->source].state = SUPERBLOCK_LEAVING;
    HAL_COST(map_update);
    journal_remap(job->logical, job->target, entry->stamp, job->source);
    entry_release(&sbm.buffer, job->entry);
    job_end(job);
}

/* The job cannot be done: its sectors stay where they are, in the buffer. */
static void give_up(struct job* job, const char* why)
{
    if (job->target != NONE && sbm.superblocks.superblock[job->target].state == SUPERBLOCK_TARGET)
        superblocks_release(&sbm.superblocks, job->target);
    job_end(job);
    turn_read_only(why);
}

/* A block of the destination has failed. */
static void replace(struct job* job, uint32_t chip)
{
    const bool replaced = superblocks_replace(&sbm.superblocks, job->target, chip);
    journal_replacement(sbm.superblocks.replaced[sbm.superblocks.replacements - 1]);
    if (!replaced)
        job->target = superblocks_take(&sbm.superblocks, job->logical % sbm.layout.groups);
    if (job->target == NONE)
        give_up(job, "no spare block and no free superblock is left: the drive is read-only");
    else
        begin(job);
}

static void merged(struct job* job, struct units_result result)
{
    if (result.status == FLASH_OK)
        finish(job);
    else if (result.status == FLASH_PROGRAM_FAILED)
        replace(job, result.chip);
    else if (++job->tries < MERGE_TRIES)
        begin(job);
    else
        give_up(job, "a superblock cannot be read and not be merged: the drive is read-only");
}

static void erased(struct job* job, struct units_result result)
{
    if (result.status != FLASH_OK) {
        replace(job, result.chip);
        return;
    }
    struct flash_descriptor* descriptor = job_operation(job, job->source == NONE ? FLASH_PROGRAM : FLASH_COPYBACK,
                                                        job->target, 0, sbm.layout.sectors, FLASH_FOR_MERGE);
    descriptor->control |= FLASH_DESCRIPTOR_CONTROL_SECTOR_TABLE_MASK;
    descriptor->spare_address = entry_table_at(&sbm.buffer, job->entry);
    descriptor->control |= FLASH_DESCRIPTOR_CONTROL_COMMON_SPARE_MASK; /* a page with a blank record is blank */
    descriptor->spare0 = PAGE_DATA;
    descriptor->spare1 = job->logical;
    descriptor->spare2 = sbm.buffer.entry[job->entry].stamp;
    descriptor->spare3 = 0;
    if (job->source != NONE)
        descriptor->source_blocks = superblock_blocks(&sbm.superblocks, job->source);
    job_begin(job, merged);
}

static void begin(struct job* job)
{
    job_erase(job, job->target, FLASH_FOR_MERGE, erased);
}

/* --- choice ------------------------------------------------------------------------------------------------------- */

static bool superchip_is_busy(uint32_t superchip)
{
    for (uint32_t unit = 0; unit < sbm.jobs.units; ++unit) {
        const uint32_t logical = sbm.jobs.job[unit].logical;
        if (logical != NONE && superchip_of_group(&sbm.layout, logical % sbm.layout.groups) == superchip)
            return true;
    }
    return false;
}

static bool is_older(uint32_t a, uint32_t b)
{
    return b == NONE || (int32_t)(sbm.buffer.entry[a].stamp - sbm.buffer.entry[b].stamp) < 0;
}

static uint32_t written_last(void)
{
    uint32_t best = NONE;
    for (uint32_t i = 0; i < sbm.buffer.entries; ++i) {
        const struct entry* entry = &sbm.buffer.entry[i];
        if (entry->state == ENTRY_OPEN && (best == NONE || (int32_t)(entry->last - sbm.buffer.entry[best].last) > 0))
            best = i;
    }
    return best;
}

/* The host cannot go on: what is new finds no entry, or the circle is full up to a sector of the entry written last. */
static bool host_is_stuck(void)
{
    return sbm.wants_entry || buffer_free(&sbm.buffer) < FEED_PIECE_MOST;
}

/* The oldest entry that is due and can be merged now, of an idle superchip if `idle`; NONE: there is none. */
static uint32_t choose(bool idle, uint32_t kept)
{
    uint32_t best = NONE;
    for (uint32_t i = 0; i < sbm.buffer.entries; ++i) {
        const struct entry* entry = &sbm.buffer.entry[i];
        const bool is_due = entry->must || (sbm.draining && i != kept);
        if (entry->state != ENTRY_OPEN || entry->sectors == 0 || !is_due || entry->older != NONE || entry->starved ||
            !is_older(i, best))
            continue;
        if (idle && superchip_is_busy(superchip_of_group(&sbm.layout, entry->logical % sbm.layout.groups)))
            continue;
        if (!logical_is_busy(entry->logical))
            best = i;
    }
    return best;
}

static bool is_nothing_but_zeros(const struct entry* entry)
{
    return entry->trimmed == sbm.layout.sectors;
}

/* False: no free superblock for it. Nothing but zeros is merged at once: then `at_once` is set. */
static bool start(uint32_t number, bool* at_once)
{
    const struct entry* entry = &sbm.buffer.entry[number];
    uint32_t target = NONE;
    if (!is_nothing_but_zeros(entry)) {
        target = superblocks_take(&sbm.superblocks, entry->logical % sbm.layout.groups);
        if (target == NONE)
            return false;
    }
    struct job* job = job_take(erased);
    HAL_COST(merge_start);
    job->logical = entry->logical;
    job->entry = number;
    job->target = target;
    job->source = sbm.map[entry->logical] == 0 ? NONE : superblock_at(&sbm.superblocks, sbm.map[entry->logical]);
    entry_freeze(&sbm.buffer, number);
    if (target == NONE) {
        *at_once = true;
        finish(job);
    } else {
        begin(job);
    }
    return true;
}

static void decide(uint32_t last)
{
    if (sbm.buffer.open > sbm.limit || buffer_free(&sbm.buffer) < sbm.high_water)
        sbm.draining = true;
    else if (sbm.buffer.open == 0 || (sbm.buffer.open == 1 && last != NONE))
        sbm.draining = false;
}

/* No job, no change on its way to the log and no read keeps a superblock from being free. */
static bool nothing_will_be_free(void)
{
    return sbm.jobs.busy == 0 && sbm.journal.put == sbm.journal.taken && sbm.reads.begun == sbm.reads.ended &&
           !sbm.reads.awaits_synthesizer;
}

bool merge_run(void)
{
    bool at_once = false;
    if (sbm.read_only)
        return false;
    if (sbm.buffer.open == 0 && !host_is_stuck()) { /* the usual case of a host that reads: nothing to choose from */
        sbm.draining = buffer_free(&sbm.buffer) < sbm.high_water;
        return false;
    }
    const uint32_t last = written_last();
    const bool stuck = host_is_stuck();
    for (uint32_t i = 0; i < sbm.buffer.entries; ++i)
        sbm.buffer.entry[i].starved = false;
    decide(last);
    sbm.draining = sbm.draining || stuck;
    while (sbm.jobs.busy < sbm.jobs.units && journal_has_room() && !sbm.read_only) {
        const uint32_t kept = stuck ? NONE : last;
        uint32_t next = choose(true, kept);
        if (next == NONE)
            next = choose(false, kept);
        if (next == NONE)
            break;
        if (!start(next, &at_once)) {
            sbm.buffer.entry[next].starved = true;
            if (nothing_will_be_free())
                turn_read_only("no free superblock is left for a merge: the drive is read-only");
        }
    }
    return at_once;
}
