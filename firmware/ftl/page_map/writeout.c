/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/writeout.h"

#include "firmware/ftl/page_map/bad_blocks.h"
#include "firmware/ftl/page_map/ftl.h"
#include "firmware/ftl/page_map/host_page.h"
#include "firmware/ftl/page_map/page_program.h"

static struct slot* slot_at(struct ftl* ftl, uint32_t number)
{
    return buffer_slot(&ftl->buffer, number);
}

static enum version_step next_step(const struct ftl* ftl, const struct slot* slot)
{
    return writeout_next_step(slot, ftl->geometry.full_unit, ftl->epochs.current, &ftl->journal);
}

/* --- programming -------------------------------------------------------------------------------------------------- */

/* The versions of a page, linked by slot.next, were not programmed before, or their program failed. */
static inline enum flash_purpose purpose_of(struct ftl* ftl, uint32_t first)
{
    bool again = false;
    uint32_t number = first;
    do {
        struct slot* slot = slot_at(ftl, number);
        again |= slot->tried;
        slot->tried = true;
        number = slot->next;
    } while (number != NONE);
    return first == 0 ? FLASH_FOR_METADATA : again ? FLASH_FOR_REPLACEMENT : FLASH_FOR_HOST;
}

/* Always inline, as host_page_take(). */
__attribute__((always_inline)) static inline void program(struct ftl* ftl, uint32_t first, uint32_t lane,
                                                          uint32_t plane)
{
    HAL_COST(allocate_page);
    const enum flash_purpose purpose = purpose_of(ftl, first);
    const enum spare_kind kind = allocation_stream_of(&ftl->allocation, lane) == 0 ? SPARE_HOST : SPARE_HOT;
    page_program(ftl, first, host_page_take(ftl, lane, plane), kind, purpose);
}

/* Of several versions of a unit in one page, the newest one stays. */
static void map_versions(struct ftl* ftl, uint32_t first)
{
    for (uint32_t number = first; number != NONE; number = slot_at(ftl, number)->next) {
        const struct slot* slot = slot_at(ftl, number);
        if (slot->stale)
            continue;
        map_write(&ftl->map, slot->logical, slot->physical);
        if (slot->older != NONE)
            buffer_outdate_older(&ftl->buffer, number);
    }
}

void writeout_programmed(struct ftl* ftl, uint32_t number, enum flash_status status)
{
    const uint32_t physical = slot_at(ftl, number)->physical;
    const uint32_t block = block_of_unit(&ftl->geometry, physical);
    const uint32_t plane = ftl->blocks.block[block].plane;
    if (status != FLASH_OK)
        bad_blocks_program_failed(ftl, block);
    else
        map_versions(ftl, number);
    blocks_program_ended(&ftl->blocks, block);
    if (ftl->room.is_isolated) /* with data placement, but while the supply fails */
        placement_changed(ftl, ftl->blocks.block[block].handle);
    write_room_program_ended(&ftl->room, die_of_page(&ftl->geometry, plane, page_of_unit(&ftl->geometry, physical)));
    for (uint32_t next; number != NONE; number = next) {
        next = slot_at(ftl, number)->next;
        if (status == FLASH_OK)
            version_settle(ftl, number, HOST_OK);
        else
            queues_make_ready_first(&ftl->queues, number);
    }
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

/* A lane without space passes a version on to one with space. */
static bool pass_on_alone(struct ftl* ftl, uint32_t number, uint32_t lane)
{
    const uint32_t other = write_room_other_lane(&ftl->room, lane);
    if (other == NONE)
        return false;
    queues_take_ready(&ftl->queues, number);
    slot_at(ftl, number)->lane = (uint16_t)other;
    queues_make_ready(&ftl->queues, number);
    return true;
}

/* A page is one unit: programs the complete version. False: it has to wait. */
static inline bool program_alone(struct ftl* ftl, uint32_t number, uint32_t lane)
{
    const uint32_t plane = write_room_next(&ftl->room, lane);
    if (plane == NONE)
        return pass_on_alone(ftl, number, lane);
    queues_take_ready(&ftl->queues, number);
    slot_at(ftl, number)->next = NONE;
    program(ftl, number, lane, plane);
    return true;
}

/* Advances the first version of a lane's queue by one step; false: it has to wait. */
static bool advance(struct ftl* ftl, uint32_t lane)
{
    const uint32_t number = ftl->queues.ready[lane].head;
    struct slot* slot = slot_at(ftl, number);
    const enum version_step step = next_step(ftl, slot);
    if (step == STEP_PROGRAM && ftl->geometry.units_per_page == 1)
        return program_alone(ftl, number, lane);
    queues_take_ready(&ftl->queues, number);
    switch (step) {
    case STEP_RECEIVE: slot->state = SLOT_RECEIVING; break;
    case STEP_WAIT_FOR_JOURNAL:
        queues_wait_for_journal(&ftl->queues, number);
        journal_flush(ftl);
        break;
    case STEP_DROP: version_settle(ftl, number, slot->lost ? HOST_UNCORRECTABLE : HOST_OK); break;
    case STEP_FILL: version_fill(ftl, number); break;
    case STEP_PROGRAM: queues_gather(&ftl->queues, number); break;
    }
    return true;
}

/* --- gathered versions -------------------------------------------------------------------------------------------- */

/* Something waits for the version: a command, a flush, a newer version that may need its sectors. */
static bool is_due(const struct ftl* ftl, uint32_t number, const struct slot* slot)
{
    return slot->urgent || slot->stale || slot->tried || slot->newer != NONE || number == 0 ||
           slot->epoch != ftl->epochs.current;
}

static uint32_t units_of_page(const struct ftl* ftl)
{
    return blocks_units_of_page(&ftl->blocks, write_room_stream(&ftl->room));
}

static bool page_is_due(struct ftl* ftl, const struct slot_queue* queue)
{
    if (queue->count >= units_of_page(ftl) || (ftl->queues.short_due && queue->count != 0))
        return true;
    for (uint32_t number = queue->head; number != NONE; number = slot_at(ftl, number)->next) {
        if (is_due(ftl, number, slot_at(ftl, number)))
            return true;
    }
    return false;
}

/* Versions of the next page that were written again or trimmed since they were gathered become ready again; true: there
 * was one. */
static bool return_changed(struct ftl* ftl, const struct slot_queue* queue)
{
    bool any = false;
    uint32_t number = queue->head;
    for (uint32_t i = 0, next; i < units_of_page(ftl) && number != NONE; ++i, number = next) {
        next = slot_at(ftl, number)->next;
        if (next_step(ftl, slot_at(ftl, number)) == STEP_PROGRAM)
            continue;
        queues_leave_gathered(&ftl->queues, number);
        queues_make_ready_first(&ftl->queues, number);
        any = true;
    }
    return any;
}

/* Takes the versions of the next page out of the queue; returns the first. */
static uint32_t take_page(struct ftl* ftl, const struct slot_queue* queue)
{
    struct slot_chain page = {NONE, NONE};
    for (uint32_t i = 0; i < units_of_page(ftl) && queue->head != NONE; ++i) {
        const uint32_t number = queue->head;
        queues_leave_gathered(&ftl->queues, number);
        slot_chain_append(&ftl->buffer, &page, number);
    }
    return page.first;
}

static void pass_on(struct ftl* ftl, const struct slot_queue* queue, uint32_t other)
{
    for (uint32_t i = 0; i < units_of_page(ftl) && queue->head != NONE; ++i) {
        const uint32_t number = queue->head;
        queues_leave_gathered(&ftl->queues, number);
        slot_at(ftl, number)->lane = (uint16_t)other;
        queues_gather(&ftl->queues, number);
    }
    ftl->queues.made_ready = true;
}

/* Programs the next page of a lane's gathered versions; false: it has to wait. */
static bool program_next(struct ftl* ftl, uint32_t lane)
{
    const struct slot_queue* queue = &ftl->queues.gathered[lane];
    if (!page_is_due(ftl, queue) || return_changed(ftl, queue))
        return false;
    const uint32_t plane = write_room_next(&ftl->room, lane);
    const uint32_t other = plane == NONE ? write_room_other_lane(&ftl->room, lane) : NONE;
    if (plane == NONE && other == NONE)
        return false;
    if (plane == NONE)
        pass_on(ftl, queue, other);
    else
        program(ftl, take_page(ftl, queue), lane, plane);
    return true;
}

static void program_gathered(struct ftl* ftl)
{
    for (uint32_t lane = 0; ftl->queues.gathered_slots != 0 && lane < ftl->queues.lanes; ++lane) {
        while (ftl->queues.gathered[lane].count != 0 && program_next(ftl, lane))
            continue;
    }
}

void writeout_run(struct ftl* ftl)
{
    struct write_queues* queues = &ftl->queues;
    if (ftl->room.cache.most != 0)
        write_room_choose_stream(&ftl->room);
    while (queues->partial.head != NONE && ftl->buffer.used[USE_WRITE] > queues->partial_limit)
        queues_leave_partial(queues, queues->partial.head);
    do {
        queues->made_ready = false;
        for (uint32_t lane = 0; queues->ready_slots != 0 && lane < queues->lanes; ++lane) {
            while (queues->ready[lane].head != NONE && advance(ftl, lane))
                continue;
        }
        if (queues->gathered_slots != 0)
            program_gathered(ftl);
    } while (queues->made_ready); /* perhaps in a lane before */
}

/* --- start -------------------------------------------------------------------------------------------------------- */

void writeout_init(struct ftl* ftl, struct arena* arena)
{
    queues_init(&ftl->queues, arena, &ftl->buffer, allocation_lanes(&ftl->allocation));
    write_room_init(&ftl->room, arena, &ftl->blocks, &ftl->allocation, ftl->flash.die_depth,
                    pslc_cache_of(ftl->boot, &ftl->geometry, ftl->collection.policy.low),
                    ftl->collection.policy.pacing);
    epochs_init(&ftl->epochs, arena, ftl->boot->host_slots, ftl->client.flushed, ftl->client.context);
    ftl->sequence = FIRST_SEQUENCE;
}
