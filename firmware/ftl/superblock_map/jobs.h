/* SPDX-License-Identifier: Apache-2.0
 *
 * Jobs of the background units. A unit has one job at a time; a job is a sequence of superchip operations. The owner of
 * a job (merge.c, journal.c, ...) sets `step`, which is called when the operation of the job has ended.
 */
#ifndef STROBE_SUPERBLOCK_MAP_JOBS_H
#define STROBE_SUPERBLOCK_MAP_JOBS_H

#include "firmware/drivers/units.h"
#include "firmware/ftl/superblock_map/superblocks.h"

struct job;
struct superblock_map; /* the steps' context: the drive (state.h) */
typedef void (*job_step)(struct superblock_map* sbm, struct job* job, struct units_result result);

struct job {
    uint32_t unit;
    bool busy;
    job_step step;
    uint32_t logical; /* the logical superblock that is merged or moved; NONE: none */
    uint32_t entry;
    uint32_t source, target; /* superblocks, NONE: none */
    uint32_t copy;           /* journal: number of the copy */
    uint32_t done;           /* journal: parts written; parking: end of the batch; rescue: destination */
    uint32_t tries;
};

struct jobs {
    struct job* job; /* per background unit */
    uint32_t units;
    uint32_t busy;
    struct units* driver;
    struct superblocks* superblocks;
    struct superblock_map* context;
};

/* The descriptor slot of a background unit has the unit's number. */
void jobs_init(struct jobs* jobs, struct arena* arena, uint32_t units, struct units* driver,
               struct superblocks* superblocks, struct superblock_map* context);
void jobs_done(const struct jobs* jobs, uint32_t unit, struct units_result result);

/* Whether a job works on that logical superblock, or on one of that superchip. */
bool jobs_have_logical(const struct jobs* jobs, uint32_t logical);
bool jobs_have_superchip(const struct jobs* jobs, uint32_t superchip);

/* A job for an idle unit, or null. */
struct job* job_take(struct jobs* jobs, job_step first);
void job_end(struct jobs* jobs, struct job* job);

/* Erases a whole superblock; `step` is called when that has ended. */
void job_erase(const struct jobs* jobs, struct job* job, uint32_t superblock, enum flash_purpose purpose,
               job_step step);
/* A descriptor for sectors of a superblock; the caller fills in the rest (struct flash_descriptor), then calls
 * job_begin(). */
struct flash_descriptor* job_operation(const struct jobs* jobs, const struct job* job, enum flash_opcode opcode,
                                       uint32_t superblock, uint32_t first, uint32_t sectors,
                                       enum flash_purpose purpose);
/* Pages of host data: each gets a record, as a page with a blank record counts as blank; pages that are blank in the
 * source of a copy-back stay blank. `stamp`: of the entry; 0: the data is moved as it is. */
void job_writes_data(struct flash_descriptor* descriptor, uint32_t logical, uint32_t stamp);
void job_begin(const struct jobs* jobs, struct job* job, job_step step);

#endif
