/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/write_versions.h"

void make_ready(struct ftl* ftl, uint32_t number)
{
    struct slot* slot = slot_at(ftl, number);
    if (slot->held) {
        slot->state = SLOT_HELD;
        slot_queue_push(&ftl->buffer, &ftl->held, number);
        return;
    }
    slot->state = SLOT_READY;
    ftl->made_ready = true;
    ++ftl->ready_slots;
    slot_queue_push(&ftl->buffer, &ftl->ready[slot->group], number);
}

/* What has been begun goes on before what has not. */
void make_ready_first(struct ftl* ftl, uint32_t number)
{
    struct slot* slot = slot_at(ftl, number);
    slot->state = SLOT_READY;
    ftl->made_ready = true;
    ++ftl->ready_slots;
    slot_queue_push_front(&ftl->buffer, &ftl->ready[slot->group], number);
}

void take_ready(struct ftl* ftl, uint32_t number)
{
    --ftl->ready_slots;
    slot_queue_remove(&ftl->buffer, &ftl->ready[slot_at(ftl, number)->group], number);
}

void dropped_again(struct ftl* ftl)
{
    while (ftl->dropped.head != NONE) {
        const uint32_t number = ftl->dropped.head;
        slot_queue_remove(&ftl->buffer, &ftl->dropped, number);
        make_ready_first(ftl, number);
    }
}

void leave_partial(struct ftl* ftl, uint32_t number)
{
    slot_queue_remove(&ftl->buffer, &ftl->partial, number);
    make_ready(ftl, number);
}

void ftl_release(struct ftl* ftl, uint32_t number)
{
    struct slot* slot = slot_at(ftl, number);
    slot->held = false;
    if (slot->state == SLOT_HELD) {
        slot_queue_remove(&ftl->buffer, &ftl->held, number);
        make_ready(ftl, number);
    }
}
