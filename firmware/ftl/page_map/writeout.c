/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/writeout.h"

#include "firmware/ftl/page_map/bad_blocks.h"
#include "firmware/ftl/page_map/ftl.h"
#include "firmware/ftl/page_map/spare.h"

static struct slot* slot_at(struct ftl* ftl, uint32_t number)
{
    return buffer_slot(&ftl->buffer, number);
}

/* --- programming -------------------------------------------------------------------------------------------------- */

static void program(struct ftl* ftl, uint32_t number, uint32_t plane)
{
    HAL_COST(allocate_page);
    struct slot* slot = slot_at(ftl, number);
    const uint32_t die = die_of_plane(&ftl->geometry, plane);
    const enum flash_purpose purpose = number == 0   ? FLASH_FOR_METADATA
                                       : slot->tried ? FLASH_FOR_REPLACEMENT
                                                     : FLASH_FOR_HOST;
    slot->tried = true;
    slot->physical = blocks_take_page(&ftl->blocks, plane, STREAM_HOST, GC_RESERVE);
    slot->state = SLOT_PROGRAMMING;
    write_room_program_begun(&ftl->room, die);
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
    if (status != FLASH_OK)
        bad_blocks_program_failed(ftl, block);
    else if (!slot->stale)
        map_write(&ftl->map, slot->logical, slot->physical);
    blocks_program_ended(&ftl->blocks, block);
    write_room_program_ended(&ftl->room, die);
    if (status == FLASH_OK)
        version_settle(ftl, number, HOST_OK);
    else
        queues_make_ready_first(&ftl->queues, number);
}

/* A channel without space passes a page on to one with space. */
static bool pass_on(struct ftl* ftl, uint32_t group)
{
    const uint32_t other = write_room_other_group(&ftl->room, group);
    if (other == NONE)
        return false;
    const uint32_t number = ftl->queues.ready[group].head;
    queues_take_ready(&ftl->queues, number);
    slot_at(ftl, number)->group = (uint16_t)other;
    queues_make_ready(&ftl->queues, number);
    return true;
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

/* Advances the first version of a group's queue by one step; false: it has to wait. */
static bool advance(struct ftl* ftl, uint32_t group)
{
    const uint32_t number = ftl->queues.ready[group].head;
    struct slot* slot = slot_at(ftl, number);
    const enum version_step step =
        writeout_next_step(slot, ftl->geometry.full_page, ftl->epochs.current, &ftl->journal);
    const uint32_t plane = step == STEP_PROGRAM ? write_room_next(&ftl->room, group) : NONE;
    if (step == STEP_PROGRAM && plane == NONE)
        return pass_on(ftl, group);
    queues_take_ready(&ftl->queues, number);
    switch (step) {
    case STEP_RECEIVE: slot->state = SLOT_RECEIVING; break;
    case STEP_WAIT_FOR_JOURNAL:
        queues_wait_for_journal(&ftl->queues, number);
        journal_flush(ftl);
        break;
    case STEP_DROP: version_settle(ftl, number, slot->lost ? HOST_UNCORRECTABLE : HOST_OK); break;
    case STEP_FILL: version_fill(ftl, number); break;
    case STEP_PROGRAM: program(ftl, number, plane); break;
    }
    return true;
}

void writeout_run(struct ftl* ftl)
{
    struct write_queues* queues = &ftl->queues;
    while (queues->partial.head != NONE && ftl->buffer.used[USE_WRITE] > queues->partial_limit)
        queues_leave_partial(queues, queues->partial.head);
    do {
        queues->made_ready = false;
        for (uint32_t group = 0; queues->ready_slots != 0 && group < queues->groups; ++group) {
            while (queues->ready[group].head != NONE && advance(ftl, group))
                continue;
        }
    } while (queues->made_ready); /* perhaps in a group before */
}

/* --- start -------------------------------------------------------------------------------------------------------- */

void writeout_init(struct ftl* ftl, struct arena* arena)
{
    queues_init(&ftl->queues, arena, &ftl->buffer, ftl->allocation.groups);
    write_room_init(&ftl->room, arena, &ftl->blocks, &ftl->allocation, ftl->flash.die_depth);
    epochs_init(&ftl->epochs, arena, ftl->boot->host_slots, ftl->client.flushed, ftl->client.context);
    ftl->sequence = 1;
}
