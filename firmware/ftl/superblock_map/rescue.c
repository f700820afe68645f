/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/superblock_map/rescue.h"

static bus_address free_room(const struct rescue* rescue)
{
    return rescue->room_at + rescue->used * SECTOR_BYTES;
}

static void moved(struct superblock_map* sbm, struct job* job, struct units_result result)
{
    struct sector_buffer* buffer = &sbm->buffer;
    if (result.status == FLASH_OK && job->done != NONE)
        buffer_move(buffer, buffer->tail, job->done);
    else if (result.status == FLASH_OK && buffer_move_out(buffer, buffer->tail, free_room(&sbm->rescue)))
        ++sbm->rescue.used;
    job_end(&sbm->jobs, job);
}

void rescue_run(struct superblock_map* sbm)
{
    const struct sector_buffer* buffer = &sbm->buffer;
    if (!sbm->read_only || sbm->jobs.busy != 0 || buffer_free(buffer) >= FEED_PIECE_MOST ||
        buffer_owner(buffer, buffer->tail) == NONE)
        return;
    const uint32_t place = buffer_unneeded(buffer);
    if (place == NONE && sbm->rescue.used == sbm->rescue.room)
        return;
    struct job* job = job_take(&sbm->jobs, moved);
    job->done = place;
    sbm->rescue.table[0] = buffer_address(buffer, buffer->tail);
    struct flash_descriptor* descriptor = job_operation(&sbm->jobs, job, FLASH_READ, 0, 0, 1, FLASH_FOR_METADATA);
    descriptor->control |= FLASH_DESCRIPTOR_CONTROL_SECTOR_TABLE_MASK;
    descriptor->blocks = 0;
    descriptor->buffer = place != NONE ? buffer_address(buffer, place) : free_room(&sbm->rescue);
    descriptor->spare_address = sbm->rescue.table_at;
    job_begin(&sbm->jobs, job, moved);
}

void rescue_init(struct superblock_map* sbm, struct arena* arena)
{
    struct rescue* rescue = &sbm->rescue;
    rescue->table_at = arena_take(arena, 1, sizeof *rescue->table, 64, "the buffer of a read-only drive");
    rescue->table = hal_memory(rescue->table_at, sizeof *rescue->table);
    rescue->room_at = sbm->buffer.zeros + SECTOR_BYTES;
    const uint32_t rest = (sbm->boot->buffer_base + sbm->boot->buffer_size - rescue->room_at) / SECTOR_BYTES;
    rescue->room = rest < FEED_PIECE_MOST ? rest : FEED_PIECE_MOST;
}
