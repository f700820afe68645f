/* SPDX-License-Identifier: Apache-2.0
 *
 * Explicit wear levelling: while the drive is idle, the mapped superblock that was erased least changes places with the
 * free one of its group that was erased most, if their counts differ by more than the threshold. So data that nobody
 * writes comes to lie in worn blocks, and the little worn ones get into use.
 */
#include "firmware/ftl/superblock_map/state.h"

static void begin(struct job* job);

static void replace(struct job* job, uint32_t chip)
{
    const bool replaced = superblocks_replace(&sbm.superblocks, job->target, chip);
    journal_replacement(sbm.superblocks.replaced[sbm.superblocks.replacements - 1]);
    if (replaced)
        begin(job);
    else
        job_end(job);
}

static void moved(struct job* job, struct units_result result)
{
    if (result.status == FLASH_PROGRAM_FAILED) {
        replace(job, result.chip);
        return;
    }
    if (result.status == FLASH_OK) {
        superblocks_map(&sbm.superblocks, job->target, job->logical);
        sbm.superblocks.superblock[job->source].state = SUPERBLOCK_LEAVING;
        sbm.map[job->logical] = superblock_blocks(&sbm.superblocks, job->target);
        journal_remap(job->logical, job->target, 0, job->source);
    } else {
        superblocks_release(&sbm.superblocks, job->target); /* what cannot be read stays where it is */
    }
    job_end(job);
}

static void erased(struct job* job, struct units_result result)
{
    if (result.status != FLASH_OK) {
        replace(job, result.chip);
        return;
    }
    job_operation(job, FLASH_COPYBACK, job->target, 0, sbm.layout.sectors, FLASH_FOR_WEAR)->source_blocks =
        superblock_blocks(&sbm.superblocks, job->source);
    job_begin(job, moved);
}

static void begin(struct job* job)
{
    job_erase(job, job->target, FLASH_FOR_WEAR, erased);
}

static uint32_t most_worn_free(uint32_t group)
{
    const struct free_list* list = &sbm.superblocks.free[group];
    uint32_t best = NONE;
    for (uint32_t i = 0; i < list->count; ++i) {
        const struct superblock* candidate = &sbm.superblocks.superblock[list->member[i]];
        if ((best == NONE || candidate->erases > sbm.superblocks.superblock[best].erases) &&
            reads_have_passed(&candidate->fence))
            best = list->member[i];
    }
    return best;
}

static uint32_t least_worn_mapped(uint32_t group)
{
    uint32_t best = NONE;
    for (uint32_t i = 0; i < sbm.layout.per_superchip / sbm.layout.planes; ++i) {
        const uint32_t number = member_of_group(&sbm.layout, group, i);
        const struct superblock* candidate = &sbm.superblocks.superblock[number];
        if (candidate->state == SUPERBLOCK_MAPPED &&
            (best == NONE || candidate->erases < sbm.superblocks.superblock[best].erases))
            best = number;
    }
    return best;
}

/* True: something was found to be moved. */
static bool level(uint32_t group)
{
    const uint32_t worn = most_worn_free(group);
    const uint32_t fresh = least_worn_mapped(group);
    if (worn == NONE || fresh == NONE)
        return false;
    const struct superblock* cold = &sbm.superblocks.superblock[fresh];
    if (sbm.superblocks.superblock[worn].erases <= cold->erases + sbm.boot->wear_threshold ||
        logical_is_busy(cold->logical))
        return false;
    struct job* job = job_take(erased);
    if (job == NULL)
        return false;
    superblocks_take_this(&sbm.superblocks, worn);
    job->logical = cold->logical;
    job->source = fresh;
    job->target = worn;
    begin(job);
    return true;
}

bool wear_run(void)
{
    if (sbm.boot->wear_threshold == 0 || !sbm.superblocks.erased || sbm.read_only || !journal_has_room())
        return false;
    HAL_COST(idle_scan);
    for (uint32_t group = 0; group < sbm.layout.groups; ++group) {
        if (level(group))
            return true;
    }
    sbm.superblocks.erased = false;
    return false;
}
