/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/superblock_map/jobs.h"

#include "firmware/ftl/superblock_map/state.h"

void jobs_init(struct arena* arena, uint32_t units)
{
    sbm.jobs = (struct jobs){.units = units};
    sbm.jobs.job = arena_array(arena, units, sizeof *sbm.jobs.job, "the background units");
    for (uint32_t unit = 0; unit < units; ++unit)
        sbm.jobs.job[unit] = (struct job){.unit = unit, .logical = NONE};
}

void jobs_done(uint32_t unit, struct units_result result)
{
    struct job* job = &sbm.jobs.job[unit];
    job->step(job, result);
}

struct job* job_take(job_step first)
{
    if (sbm.jobs.busy == sbm.jobs.units)
        return NULL;
    uint32_t unit = 0;
    while (sbm.jobs.job[unit].busy)
        ++unit;
    ++sbm.jobs.busy;
    struct job* job = &sbm.jobs.job[unit];
    *job = (struct job){.unit = unit, .busy = true, .step = first, .logical = NONE, .entry = NONE, .source = NONE};
    job->target = NONE;
    return job;
}

void job_end(struct job* job)
{
    job->busy = false;
    job->logical = NONE;
    --sbm.jobs.busy;
}

struct flash_descriptor* job_operation(struct job* job, enum flash_opcode opcode, uint32_t superblock, uint32_t first,
                                       uint32_t sectors, enum flash_purpose purpose)
{
    struct flash_descriptor* descriptor =
        units_prepare(&sbm.units, job->unit, opcode, superchip_of(&sbm.layout, superblock), purpose);
    descriptor->start_sector = first;
    descriptor->sectors = sectors;
    descriptor->blocks = superblock_blocks(&sbm.superblocks, superblock);
    return descriptor;
}

void job_begin(struct job* job, job_step step)
{
    job->step = step;
    units_submit(&sbm.units, job->unit, job->unit);
}

void job_erase(struct job* job, uint32_t superblock, enum flash_purpose purpose, job_step step)
{
    ++sbm.superblocks.superblock[superblock].erases;
    sbm.superblocks.erased = true;
    job_operation(job, FLASH_ERASE, superblock, 0, 0, purpose);
    job_begin(job, step);
}
