/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/superblock_map/wear.h"

#include "firmware/ftl/superblock_map/journal_records.h"

/* --- moving a superblock ------------------------------------------------------------------------------------------ */

static void begin(struct superblock_map* sbm, struct job* job);

static void replace(struct superblock_map* sbm, struct job* job, uint32_t chip)
{
    if (journal_replace_block(sbm, job->target, chip))
        begin(sbm, job);
    else
        job_end(&sbm->jobs, job);
}

static void moved(struct superblock_map* sbm, struct job* job, struct units_result result)
{
    if (result.status == FLASH_PROGRAM_FAILED) {
        replace(sbm, job, result.chip);
        return;
    }
    if (result.status == FLASH_OK) {
        change_mapped_superblock(sbm, job->logical, job->target, job->source);
        journal_remap(&sbm->journal.records, job->logical, job->target, 0, job->source);
    } else {
        superblocks_release(&sbm->superblocks, job->target); /* data that cannot be read is not moved */
    }
    job_end(&sbm->jobs, job);
}

static void erased(struct superblock_map* sbm, struct job* job, struct units_result result)
{
    if (result.status != FLASH_OK) {
        replace(sbm, job, result.chip);
        return;
    }
    struct flash_descriptor* descriptor =
        job_operation(&sbm->jobs, job, FLASH_COPYBACK, job->target, 0, sbm->layout.sectors, FLASH_FOR_WEAR);
    descriptor->source_blocks = superblock_blocks(&sbm->superblocks, job->source);
    job_writes_data(descriptor, job->logical, 0);
    job_begin(&sbm->jobs, job, moved);
}

static void begin(struct superblock_map* sbm, struct job* job)
{
    job_erase(&sbm->jobs, job, job->target, FLASH_FOR_WEAR, erased);
}

/* --- choice ------------------------------------------------------------------------------------------------------- */

static uint32_t most_worn_free(const struct superblocks* all, uint32_t group)
{
    const struct free_list* list = &all->free[group];
    uint32_t best = NONE;
    for (uint32_t i = 0; i < list->count; ++i) {
        const struct superblock* candidate = &all->superblock[list->member[i]];
        if ((best == NONE || candidate->erases > all->superblock[best].erases) &&
            read_fence_has_passed(all->reads, &candidate->fence))
            best = list->member[i];
    }
    return best;
}

static uint32_t least_worn_mapped(const struct superblocks* all, uint32_t group)
{
    const struct layout* l = all->layout;
    uint32_t best = NONE;
    for (uint32_t i = 0; i < l->per_superchip / l->planes; ++i) {
        const uint32_t number = member_of_group(l, group, i);
        const struct superblock* candidate = &all->superblock[number];
        if (candidate->state == SUPERBLOCK_MAPPED && (best == NONE || candidate->erases < all->superblock[best].erases))
            best = number;
    }
    return best;
}

struct wear_pair wear_choose(const struct superblocks* all, uint32_t group, uint32_t threshold)
{
    const uint32_t worn = most_worn_free(all, group);
    const uint32_t cold = least_worn_mapped(all, group);
    if (worn == NONE || cold == NONE || all->superblock[worn].erases <= all->superblock[cold].erases + threshold)
        return (struct wear_pair){NONE, NONE};
    return (struct wear_pair){cold, worn};
}

/* True: a superblock of the group is being moved. */
static bool level(struct superblock_map* sbm, uint32_t group)
{
    const struct wear_pair pair = wear_choose(&sbm->superblocks, group, sbm->boot->wear_threshold);
    if (pair.cold == NONE)
        return false;
    const uint32_t logical = sbm->superblocks.superblock[pair.cold].logical;
    if (jobs_have_logical(&sbm->jobs, logical))
        return false;
    struct job* job = job_take(&sbm->jobs, erased);
    if (job == NULL)
        return false;
    superblocks_take_this(&sbm->superblocks, pair.worn);
    job->logical = logical;
    job->source = pair.cold;
    job->target = pair.worn;
    begin(sbm, job);
    return true;
}

bool wear_run(struct superblock_map* sbm)
{
    if (sbm->boot->wear_threshold == 0 || !sbm->superblocks.erased || sbm->read_only || !journal_has_room(sbm))
        return false;
    HAL_COST(idle_scan);
    for (uint32_t group = 0; group < sbm->layout.groups; ++group) {
        if (level(sbm, group))
            return true;
    }
    sbm->superblocks.erased = false;
    return false;
}
