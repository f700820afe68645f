/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/superblock_map/jobs.h"

#include "firmware/ftl/superblock_map/flash_format.h"

void jobs_init(struct jobs* jobs, struct arena* arena, uint32_t units, struct units* driver,
               struct superblocks* superblocks, struct superblock_map* context)
{
    *jobs = (struct jobs){.units = units, .driver = driver, .superblocks = superblocks, .context = context};
    jobs->job = arena_array(arena, units, sizeof *jobs->job, "the background units");
    for (uint32_t unit = 0; unit < units; ++unit)
        jobs->job[unit] = (struct job){.unit = unit, .logical = NONE};
}

void jobs_done(const struct jobs* jobs, uint32_t unit, struct units_result result)
{
    struct job* job = &jobs->job[unit];
    job->step(jobs->context, job, result);
}

bool jobs_have_logical(const struct jobs* jobs, uint32_t logical)
{
    for (uint32_t unit = 0; unit < jobs->units; ++unit) {
        if (jobs->job[unit].logical == logical)
            return true;
    }
    return false;
}

bool jobs_have_superchip(const struct jobs* jobs, uint32_t superchip)
{
    const struct layout* l = jobs->superblocks->layout;
    for (uint32_t unit = 0; unit < jobs->units; ++unit) {
        const uint32_t logical = jobs->job[unit].logical;
        if (logical != NONE && superchip_of_group(l, logical % l->groups) == superchip)
            return true;
    }
    return false;
}

struct job* job_take(struct jobs* jobs, job_step first)
{
    if (jobs->busy == jobs->units)
        return NULL;
    uint32_t unit = 0;
    while (jobs->job[unit].busy)
        ++unit;
    ++jobs->busy;
    struct job* job = &jobs->job[unit];
    *job = (struct job){.unit = unit, .busy = true, .step = first, .logical = NONE, .entry = NONE, .source = NONE};
    job->target = NONE;
    return job;
}

void job_end(struct jobs* jobs, struct job* job)
{
    job->busy = false;
    job->logical = NONE;
    --jobs->busy;
}

struct flash_descriptor* job_operation(const struct jobs* jobs, const struct job* job, enum flash_opcode opcode,
                                       uint32_t superblock, uint32_t first, uint32_t sectors,
                                       enum flash_purpose purpose)
{
    const uint32_t superchip = superchip_of(jobs->superblocks->layout, superblock);
    struct flash_descriptor* descriptor = units_prepare(jobs->driver, job->unit, opcode, superchip, purpose);
    descriptor->start_sector = first;
    descriptor->sectors = sectors;
    descriptor->blocks = superblock_blocks(jobs->superblocks, superblock);
    return descriptor;
}

void job_writes_data(struct flash_descriptor* descriptor, uint32_t logical, uint32_t stamp)
{
    descriptor->control |= FLASH_DESCRIPTOR_CONTROL_COMMON_SPARE_MASK;
    descriptor->spare0 = PAGE_DATA;
    descriptor->spare1 = logical;
    descriptor->spare2 = stamp;
    descriptor->spare3 = 0;
}

void job_begin(const struct jobs* jobs, struct job* job, job_step step)
{
    job->step = step;
    units_submit(jobs->driver, job->unit, job->unit);
}

void job_erase(const struct jobs* jobs, struct job* job, uint32_t superblock, enum flash_purpose purpose, job_step step)
{
    ++jobs->superblocks->superblock[superblock].erases;
    jobs->superblocks->erased = true;
    job_operation(jobs, job, FLASH_ERASE, superblock, 0, 0, purpose);
    job_begin(jobs, job, step);
}
