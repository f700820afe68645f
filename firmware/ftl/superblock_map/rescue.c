/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/superblock_map/rescue.h"

static void moved(struct superblock_map* sbm, struct job* job, struct units_result result)
{
    if (result.status == FLASH_OK)
        buffer_move(&sbm->buffer, sbm->buffer.tail, job->done);
    job_end(&sbm->jobs, job);
}

void rescue_run(struct superblock_map* sbm)
{
    const struct sector_buffer* buffer = &sbm->buffer;
    if (!sbm->read_only || sbm->jobs.busy != 0 || buffer_free(buffer) >= FEED_PIECE_MOST ||
        buffer_owner(buffer, buffer->tail) == NONE)
        return;
    const uint32_t place = buffer_unneeded(buffer);
    if (place == NONE)
        return;
    struct job* job = job_take(&sbm->jobs, moved);
    job->done = place;
    sbm->rescue.table[0] = buffer_address(buffer, buffer->tail);
    struct flash_descriptor* descriptor = job_operation(&sbm->jobs, job, FLASH_READ, 0, 0, 1, FLASH_FOR_METADATA);
    descriptor->control |= FLASH_DESCRIPTOR_CONTROL_SECTOR_TABLE_MASK;
    descriptor->blocks = 0;
    descriptor->buffer = buffer_address(buffer, place);
    descriptor->spare_address = sbm->rescue.table_at;
    job_begin(&sbm->jobs, job, moved);
}

void rescue_init(struct rescue* rescue, struct arena* arena)
{
    rescue->table_at = arena_take(arena, 1, sizeof *rescue->table, 64, "the buffer of a read-only drive");
    rescue->table = hal_memory(rescue->table_at, sizeof *rescue->table);
}
