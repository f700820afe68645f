/* SPDX-License-Identifier: Apache-2.0
 *
 * Jobs of the background units: a unit does one at a time, a job is a sequence of superchip operations. Its owner sets
 * `step`, which is called when the operation that the job has begun is done.
 */
#ifndef STROBE_JOBS_H
#define STROBE_JOBS_H

#include "firmware/drivers/units.h"

struct job;
typedef void (*job_step)(struct job* job, struct units_result result);

struct job {
    uint32_t unit;
    bool busy;
    job_step step;
    uint32_t logical; /* NONE: none */
    uint32_t entry;
    uint32_t source, target; /* superblocks, NONE: none */
    uint32_t copy;           /* journal: which of the copies */
    uint32_t done;           /* journal, parking: what has been written */
    uint32_t tries;
};

struct jobs {
    struct job* job; /* per background unit */
    uint32_t units;
    uint32_t busy;
};

/* Slot of a unit's descriptor is the unit's number. */
void jobs_init(struct arena* arena, uint32_t units);
void jobs_done(uint32_t unit, struct units_result result);

/* A job for an idle unit, or null. */
struct job* job_take(job_step first);
void job_end(struct job* job);

/* Operations on whole superblocks; `step` is called when they are done. */
void job_erase(struct job* job, uint32_t superblock, enum flash_purpose purpose, job_step step);
/* The descriptor for sectors of a superblock, for the rest see struct flash_descriptor; then job_begin(). */
struct flash_descriptor* job_operation(struct job* job, enum flash_opcode opcode, uint32_t superblock, uint32_t first,
                                       uint32_t sectors, enum flash_purpose purpose);
void job_begin(struct job* job, job_step step);

#endif
