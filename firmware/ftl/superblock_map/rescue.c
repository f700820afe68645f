/* SPDX-License-Identifier: Apache-2.0
 *
 * A read-only drive keeps what it could not merge in the buffer, for reads, and goes on fetching host writes that it
 * will refuse. So that the circle does not stand still, the sector that blocks it is moved on to the place of one that
 * came in vain: a read of nothing but a buffered sector copies it.
 */
#include "firmware/ftl/superblock_map/state.h"

static void moved(struct job* job, struct units_result result)
{
    if (result.status == FLASH_OK)
        buffer_move(&sbm.buffer, sbm.buffer.tail, job->done);
    job_end(job);
}

void rescue_run(void)
{
    struct sector_buffer* buffer = &sbm.buffer;
    if (!sbm.read_only || sbm.jobs.busy != 0 || buffer_free(buffer) >= FEED_PIECE_MOST ||
        buffer_owner(buffer, buffer->tail) == NONE)
        return;
    const uint32_t place = buffer_vain(buffer);
    if (place == NONE)
        return;
    struct job* job = job_take(moved);
    job->done = place;
    sbm.parking.table[0] = buffer_address(buffer, buffer->tail);
    struct flash_descriptor* descriptor = job_operation(job, FLASH_READ, 0, 0, 1, FLASH_FOR_METADATA);
    descriptor->control |= FLASH_DESCRIPTOR_CONTROL_SECTOR_TABLE_MASK;
    descriptor->blocks = 0;
    descriptor->buffer = buffer_address(buffer, place);
    descriptor->spare_address = sbm.parking.table_at;
    job_begin(job, moved);
}
