/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/write_queues.h"

static struct slot* slot_of(const struct write_queues* queues, uint32_t number)
{
    return buffer_slot(queues->buffer, number);
}

static void enter(struct write_queues* queues, struct slot_queue* queue, uint32_t number, enum slot_state state)
{
    slot_of(queues, number)->state = (uint8_t)state;
    slot_queue_push(queues->buffer, queue, number);
}

/* --- ready -------------------------------------------------------------------------------------------------------- */

void queues_make_ready(struct write_queues* queues, uint32_t number)
{
    const struct slot* slot = slot_of(queues, number);
    if (slot->held) {
        enter(queues, &queues->held, number, SLOT_HELD);
        return;
    }
    queues->made_ready = true;
    ++queues->ready_slots;
    enter(queues, &queues->ready[slot->lane], number, SLOT_READY);
}

void queues_make_ready_first(struct write_queues* queues, uint32_t number)
{
    struct slot* slot = slot_of(queues, number);
    slot->state = SLOT_READY;
    queues->made_ready = true;
    ++queues->ready_slots;
    slot_queue_push_front(queues->buffer, &queues->ready[slot->lane], number);
}

void queues_take_ready(struct write_queues* queues, uint32_t number)
{
    --queues->ready_slots;
    slot_queue_remove(queues->buffer, &queues->ready[slot_of(queues, number)->lane], number);
}

/* --- gathered ----------------------------------------------------------------------------------------------------- */

void queues_gather(struct write_queues* queues, uint32_t number)
{
    ++queues->gathered_slots;
    enter(queues, &queues->gathered[slot_of(queues, number)->lane], number, SLOT_GATHERED);
}

void queues_leave_gathered(struct write_queues* queues, uint32_t number)
{
    if (--queues->gathered_slots == 0)
        queues->short_due = false;
    slot_queue_remove(queues->buffer, &queues->gathered[slot_of(queues, number)->lane], number);
}

void queues_change_lane(struct write_queues* queues, uint32_t number, uint32_t lane)
{
    struct slot* slot = slot_of(queues, number);
    const enum slot_state state = (enum slot_state)slot->state;
    if (state == SLOT_READY)
        queues_take_ready(queues, number);
    else if (state == SLOT_GATHERED)
        queues_leave_gathered(queues, number);
    slot->lane = (uint16_t)lane;
    if (state == SLOT_READY)
        queues_make_ready(queues, number);
    else if (state == SLOT_GATHERED)
        queues_gather(queues, number);
}

/* --- partial and held --------------------------------------------------------------------------------------------- */

void queues_make_partial(struct write_queues* queues, uint32_t number)
{
    enter(queues, &queues->partial, number, SLOT_PARTIAL);
}

void queues_leave_partial(struct write_queues* queues, uint32_t number)
{
    slot_queue_remove(queues->buffer, &queues->partial, number);
    queues_make_ready(queues, number);
}

bool queues_complete_partial(struct write_queues* queues)
{
    const bool any = queues->partial.head != NONE;
    while (queues->partial.head != NONE)
        queues_leave_partial(queues, queues->partial.head);
    return any;
}

bool queues_make_short_due(struct write_queues* queues)
{
    const bool was_due = queues->short_due;
    queues->short_due = queues->gathered_slots != 0;
    return queues->short_due && !was_due;
}

void queues_release(struct write_queues* queues, uint32_t number)
{
    struct slot* slot = slot_of(queues, number);
    slot->held = false;
    if (slot->state == SLOT_HELD) {
        slot_queue_remove(queues->buffer, &queues->held, number);
        queues_make_ready(queues, number);
    }
}

/* --- waiting for something in flash ------------------------------------------------------------------------------- */

void queues_wait_for_zeros(struct write_queues* queues, uint32_t number)
{
    enter(queues, &queues->zeroing, number, SLOT_ZEROING);
}

void queues_zeros_written(struct write_queues* queues)
{
    while (queues->zeroing.head != NONE) {
        const uint32_t number = queues->zeroing.head;
        slot_queue_remove(queues->buffer, &queues->zeroing, number);
        queues_make_ready(queues, number);
    }
}

void queues_wait_for_journal(struct write_queues* queues, uint32_t number)
{
    enter(queues, &queues->dropped, number, SLOT_DROPPED);
}

void queues_journal_written(struct write_queues* queues)
{
    while (queues->dropped.head != NONE) {
        const uint32_t number = queues->dropped.head;
        slot_queue_remove(queues->buffer, &queues->dropped, number);
        queues_make_ready_first(queues, number);
    }
}

/* --- start -------------------------------------------------------------------------------------------------------- */

void queues_init(struct write_queues* queues, struct arena* arena, struct buffer* buffer, uint32_t lanes)
{
    *queues = (struct write_queues){.buffer = buffer, .lanes = lanes};
    queues->ready = arena_array(arena, lanes, sizeof *queues->ready, "write queues");
    queues->gathered = arena_array(arena, lanes, sizeof *queues->gathered, "write queues");
    for (uint32_t lane = 0; lane < lanes; ++lane) {
        slot_queue_init(&queues->ready[lane]);
        slot_queue_init(&queues->gathered[lane]);
    }
    slot_queue_init(&queues->partial);
    slot_queue_init(&queues->zeroing);
    slot_queue_init(&queues->held);
    slot_queue_init(&queues->dropped);
    queues->partial_limit = buffer->limit[USE_WRITE] / 2;
}
