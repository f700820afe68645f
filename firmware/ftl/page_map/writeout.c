/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/writeout.h"

#include "firmware/ftl/page_map/bad_blocks.h"
#include "firmware/ftl/page_map/collector.h"
#include "firmware/ftl/page_map/journal.h"
#include "firmware/ftl/page_map/spare.h"
#include "firmware/ftl/page_map/write_versions.h"

/* --- programming -------------------------------------------------------------------------------------------------- */

static void plane_changes(struct ftl* ftl, uint32_t plane, enum plane_takes takes)
{
    const bool had_room = ftl->plane_takes[plane] != TAKES_NOTHING;
    const bool has_room = takes != TAKES_NOTHING;
    ftl->plane_takes[plane] = (uint8_t)takes;
    if (had_room != has_room) {
        const uint32_t group = ftl->allocation.place_of[plane] / ftl->allocation.group_size;
        ftl->group_room[group] += has_room ? 1u : 0xFFFFFFFFu;
    }
    allocation_set_ready(&ftl->allocation, plane, takes == TAKES_NOW);
}

void writeout_refresh(struct ftl* ftl, uint32_t die)
{
    const uint32_t first = die * ftl->geometry.planes_per_die;
    const enum plane_takes with_room = ftl->die_programs[die] < ftl->flash.die_depth ? TAKES_NOW : TAKES_LATER;
    for (uint32_t plane = first; plane < first + ftl->geometry.planes_per_die; ++plane) {
        const bool has_room = blocks_have_page(&ftl->blocks, plane, STREAM_HOST, GC_RESERVE);
        const enum plane_takes takes = has_room ? with_room : TAKES_NOTHING;
        if (ftl->plane_takes[plane] != takes)
            plane_changes(ftl, plane, takes);
    }
}

static void program(struct ftl* ftl, uint32_t number, uint32_t plane)
{
    HAL_COST(allocate_page);
    struct slot* slot = slot_at(ftl, number);
    const uint32_t die = die_of_plane(&ftl->geometry, plane);
    const enum flash_purpose purpose = number == 0   ? FLASH_FOR_METADATA
                                       : slot->tried ? FLASH_FOR_REPLACEMENT
                                                     : FLASH_FOR_HOST;
    slot->tried = true;
    const uint32_t free_before = ftl->blocks.plane[plane].free;
    slot->physical = blocks_take_page(&ftl->blocks, plane, STREAM_HOST, GC_RESERVE);
    slot->state = SLOT_PROGRAMMING;
    ++ftl->die_programs[die];
    writeout_refresh(ftl, die);
    if (ftl->blocks.plane[plane].free != free_before)
        collector_look_at(ftl, plane);
    const uint32_t erases = ftl->blocks.block[block_of_page(&ftl->geometry, slot->physical)].erases;
    flash_program(&ftl->flash, number, place_of_page(&ftl->geometry, slot->physical, 0), ftl->geometry.sectors_per_page,
                  buffer_address(&ftl->buffer, number), spare_record(slot->logical, slot->sequence, SPARE_HOST, erases),
                  purpose);
}

void writeout_programmed(struct ftl* ftl, uint32_t number, enum flash_status status)
{
    struct slot* slot = slot_at(ftl, number);
    const uint32_t block = block_of_page(&ftl->geometry, slot->physical);
    const uint32_t die = die_of_block(&ftl->geometry, block);
    --ftl->die_programs[die];
    if (status != FLASH_OK)
        bad_blocks_program_failed(ftl, block);
    else if (!slot->stale)
        map_write(&ftl->map, slot->logical, slot->physical);
    blocks_program_ended(&ftl->blocks, block);
    writeout_refresh(ftl, die);
    if (status == FLASH_OK)
        version_settle(ftl, number, HOST_OK);
    else
        make_ready_first(ftl, number);
}

/* A channel without room passes its pages on to one that has some. */
static bool pass_on(struct ftl* ftl, uint32_t group)
{
    if (ftl->group_room[group] != 0)
        return false;
    for (uint32_t other = 0; other < ftl->allocation.groups; ++other) {
        if (ftl->group_room[other] != 0) {
            const uint32_t number = ftl->ready[group].head;
            take_ready(ftl, number);
            slot_at(ftl, number)->group = (uint16_t)other;
            make_ready(ftl, number);
            return true;
        }
    }
    return false;
}

/* It was promised to be durable, and a trim has come before it was: now the trim has to be. */
static bool waits_for_journal(const struct ftl* ftl, const struct slot* slot)
{
    return slot->trimmed && (slot->hurry || slot->epoch != ftl->epoch) && !journal_is_written(ftl, slot->ticket);
}

/* Brings the first version of a group's queue a step further; false: it has to wait. */
static bool advance(struct ftl* ftl, uint32_t group)
{
    const uint32_t number = ftl->ready[group].head;
    struct slot* slot = slot_at(ftl, number);
    if (slot->transfers != 0) {
        take_ready(ftl, number);
        slot->state = SLOT_RECEIVING;
    } else if (slot->stale && waits_for_journal(ftl, slot)) {
        take_ready(ftl, number);
        slot->state = SLOT_DROPPED;
        slot_queue_push(&ftl->buffer, &ftl->dropped, number);
        journal_flush(ftl);
    } else if (slot->stale) {
        take_ready(ftl, number);
        version_settle(ftl, number, slot->lost ? HOST_UNCORRECTABLE : HOST_OK);
    } else if (slot->valid != ftl->geometry.full_page) {
        take_ready(ftl, number);
        version_fill(ftl, number);
    } else {
        const uint32_t plane = allocation_next(&ftl->allocation, group);
        if (plane == NONE)
            return pass_on(ftl, group);
        take_ready(ftl, number);
        program(ftl, number, plane);
    }
    return true;
}

void writeout_run(struct ftl* ftl)
{
    while (ftl->partial.head != NONE && ftl->buffer.used[USE_WRITE] > ftl->partial_limit)
        leave_partial(ftl, ftl->partial.head);
    do {
        ftl->made_ready = false;
        for (uint32_t group = 0; ftl->ready_slots != 0 && group < ftl->allocation.groups; ++group) {
            while (ftl->ready[group].head != NONE && advance(ftl, group))
                continue;
        }
    } while (ftl->made_ready); /* perhaps in a group before */
}

/* --- start -------------------------------------------------------------------------------------------------------- */

void writeout_init(struct ftl* ftl, struct arena* arena)
{
    const struct geometry* g = &ftl->geometry;
    const uint32_t groups = ftl->allocation.groups;
    ftl->ready = arena_array(arena, groups, sizeof *ftl->ready, "write queues");
    ftl->group_room = arena_array(arena, groups, sizeof *ftl->group_room, "write queues");
    ftl->plane_takes = arena_array(arena, g->planes, sizeof *ftl->plane_takes, "write queues");
    ftl->die_programs = arena_array(arena, g->dies, sizeof *ftl->die_programs, "write queues");
    uint32_t epochs = 4; /* at most one per outstanding flush, and the current one */
    while (epochs < ftl->boot->host_slots + 2)
        epochs *= 2;
    ftl->epoch_slots = arena_array(arena, epochs, sizeof *ftl->epoch_slots, "write queues");
    ftl->epoch_mask = epochs - 1;
    for (uint32_t group = 0; group < groups; ++group)
        slot_queue_init(&ftl->ready[group]);
    slot_queue_init(&ftl->partial);
    slot_queue_init(&ftl->zeroing);
    slot_queue_init(&ftl->held);
    slot_queue_init(&ftl->dropped);
    ftl->partial_limit = ftl->buffer.limit[USE_WRITE] / 2;
    ftl->sequence = 1;
    for (uint32_t die = 0; die < g->dies; ++die)
        writeout_refresh(ftl, die);
}
