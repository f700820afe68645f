/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/superblock_map/recovery_read.h"

static void ended(struct superblock_map* sbm, struct job* job, struct units_result result)
{
    (void)job;
    sbm->recovery.wait.status = result.status;
    sbm->recovery.wait.ended = true;
}

/* Begins the operation of the job and waits for its end; true: it succeeded. */
static bool execute(struct superblock_map* sbm, struct job* job)
{
    sbm->recovery.wait.ended = false;
    job_begin(&sbm->jobs, job, ended);
    while (!sbm->recovery.wait.ended) {
        if (units_poll(&sbm->units) == 0)
            units_sleep(&sbm->units);
    }
    job_end(&sbm->jobs, job);
    return sbm->recovery.wait.status == FLASH_OK;
}

bool recovery_read(struct superblock_map* sbm, uint32_t superblock, uint32_t first, uint32_t sectors, bus_address to,
                   bus_address spares)
{
    struct job* job = job_take(&sbm->jobs, ended);
    struct flash_descriptor* descriptor =
        job_operation(&sbm->jobs, job, FLASH_READ, superblock, first, sectors, FLASH_FOR_METADATA);
    descriptor->buffer = to;
    descriptor->spare_address = spares;
    return execute(sbm, job);
}

struct flash_spare recovery_page(struct superblock_map* sbm, uint32_t superblock, uint32_t first, bus_address to)
{
    static const struct flash_spare none = {{0, 0, 0, 0}};
    const struct journal* journal = &sbm->journal;
    return recovery_read(sbm, superblock, first, 1, to, journal->spares_at) ? journal->spares[0] : none;
}

/* A read of a superblock that is not mapped: sectors that are not buffered read as zeros. */
void recovery_write_zeros(struct superblock_map* sbm)
{
    struct job* job = job_take(&sbm->jobs, ended);
    struct flash_descriptor* descriptor = job_operation(&sbm->jobs, job, FLASH_READ, 0, 0, 1, FLASH_FOR_METADATA);
    descriptor->control |= FLASH_DESCRIPTOR_CONTROL_SECTOR_TABLE_MASK;
    descriptor->blocks = 0;
    descriptor->buffer = sbm->buffer.zeros;
    descriptor->spare_address = sbm->reads.no_sectors;
    execute(sbm, job);
}
