/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/drivers/statistics.h"
#include "firmware/ftl/page_map/epochs.h"
#include "firmware/ftl/page_map/journal.h"
#include "firmware/ftl/page_map/write_versions.h"
#include "firmware/ftl/page_map/writeout.h"

/* --- epochs ------------------------------------------------------------------------------------------------------- */

uint32_t epoch_enter(struct ftl* ftl)
{
    ++ftl->epoch_slots[ftl->epoch & ftl->epoch_mask];
    return ftl->epoch;
}

static bool advance_epochs(struct ftl* ftl)
{
    const uint32_t before = ftl->oldest_epoch;
    while (ftl->oldest_epoch != ftl->epoch && ftl->epoch_slots[ftl->oldest_epoch & ftl->epoch_mask] == 0)
        ++ftl->oldest_epoch;
    return before != ftl->oldest_epoch;
}

void epoch_leave(struct ftl* ftl, uint32_t epoch)
{
    --ftl->epoch_slots[epoch & ftl->epoch_mask];
    if (advance_epochs(ftl))
        ftl->client.flushed();
}

uint32_t ftl_flush(struct ftl* ftl)
{
    const uint32_t ticket = ftl->epoch++;
    advance_epochs(ftl);
    while (ftl->partial.head != NONE)
        leave_partial(ftl, ftl->partial.head);
    journal_flush(ftl);
    return ticket;
}

/* --- settling ----------------------------------------------------------------------------------------------------- */

static void zeros_written(struct ftl* ftl)
{
    slot_at(ftl, 0)->state = SLOT_FREE;
    while (ftl->zeroing.head != NONE) {
        const uint32_t waiter = ftl->zeroing.head;
        slot_queue_remove(&ftl->buffer, &ftl->zeroing, waiter);
        make_ready(ftl, waiter);
    }
}

static void give_back(struct ftl* ftl, uint32_t number)
{
    buffer_give(&ftl->buffer, number);
    statistics_slot_given();
    ftl->client.slot_free(USE_WRITE);
}

void version_settle(struct ftl* ftl, uint32_t number, enum host_status status)
{
    struct slot* slot = slot_at(ftl, number);
    const uint32_t newer = slot->newer;
    if (number == 0) {
        zeros_written(ftl);
        return;
    }
    --ftl->unsettled;
    buffer_settle(&ftl->buffer, number);
    if (newer != NONE && slot_at(ftl, newer)->state == SLOT_WAITING)
        make_ready_first(ftl, newer);
    ftl->client.version_settled(number, status);
    epoch_leave(ftl, slot->epoch);
    if (slot->pins != 0)
        slot->state = SLOT_PINNED;
    else
        give_back(ftl, number);
}

void ftl_unpin(struct ftl* ftl, uint32_t number)
{
    struct slot* slot = slot_at(ftl, number);
    if (--slot->pins == 0 && slot->state == SLOT_PINNED)
        give_back(ftl, number);
}

/* --- placing ------------------------------------------------------------------------------------------------------ */

static bool may_still_be_written(const struct slot* slot, uint32_t mask)
{
    if (slot->state == SLOT_FILLING)
        return (slot->filling & mask) == 0;
    return slot->state != SLOT_PROGRAMMING && !slot->stale;
}

static uint32_t new_version(struct ftl* ftl, uint32_t logical, uint32_t group)
{
    const uint32_t number = buffer_take(&ftl->buffer, USE_WRITE);
    if (number == NONE)
        return NONE;
    statistics_slot_taken();
    struct slot* slot = slot_at(ftl, number);
    slot->logical = logical;
    slot->group = (uint16_t)group;
    slot->state = SLOT_RECEIVING;
    ++ftl->unsettled;
    slot->sequence = ftl->sequence++;
    slot->epoch = epoch_enter(ftl);
    buffer_publish(&ftl->buffer, number);
    return number;
}

static uint32_t place(struct ftl* ftl, uint32_t logical, uint32_t mask, uint32_t group, bool held)
{
    HAL_COST(host_write_page);
    uint32_t number = buffer_find(&ftl->buffer, logical);
    if (number == NONE || !may_still_be_written(slot_at(ftl, number), mask)) {
        number = new_version(ftl, logical, group);
        if (number == NONE)
            return NONE;
        slot_at(ftl, number)->held = held;
    }
    ++slot_at(ftl, number)->transfers;
    return number;
}

uint32_t ftl_place(struct ftl* ftl, uint32_t logical, uint32_t mask, uint32_t group, bool hurry)
{
    const uint32_t number = place(ftl, logical, mask, group, false);
    if (number == NONE)
        return NONE;
    struct slot* slot = slot_at(ftl, number);
    slot->hurry = slot->hurry || hurry;
    ftl_release(ftl, number);
    return number;
}

uint32_t ftl_place_held(struct ftl* ftl, uint32_t logical, uint32_t mask, uint32_t group)
{
    const uint32_t number = place(ftl, logical, mask, group, true);
    if (number != NONE)
        slot_at(ftl, number)->hurry = true;
    return number;
}

static bool is_urgent(const struct ftl* ftl, const struct slot* slot)
{
    return slot->valid == ftl->geometry.full_page || slot->hurry || slot->stale || slot->epoch != ftl->epoch;
}

void ftl_arrived(struct ftl* ftl, uint32_t number, uint32_t mask)
{
    struct slot* slot = slot_at(ftl, number);
    slot->valid |= mask;
    if (--slot->transfers != 0)
        return;
    if (slot->state == SLOT_PARTIAL && is_urgent(ftl, slot)) {
        leave_partial(ftl, number);
    } else if (slot->state == SLOT_RECEIVING) {
        if (is_urgent(ftl, slot)) {
            make_ready(ftl, number);
        } else {
            slot->state = SLOT_PARTIAL;
            slot_queue_push(&ftl->buffer, &ftl->partial, number);
        }
    }
}

void ftl_trim(struct ftl* ftl, uint32_t logical)
{
    HAL_COST(host_trim_page);
    journal_forget(ftl, RECORD_TRIM, logical);
    const uint32_t ticket = journal_ticket(ftl);
    uint32_t number = buffer_find(&ftl->buffer, logical);
    while (number != NONE) { /* versions that nothing would end are dropped through the ready queue */
        struct slot* slot = slot_at(ftl, number);
        slot->trimmed = true;
        slot->ticket = ticket;
        if (slot->held)
            ftl_release(ftl, number);
        if (slot->state == SLOT_PARTIAL)
            leave_partial(ftl, number);
        else if (slot->state == SLOT_WAITING)
            make_ready(ftl, number);
        number = slot->older;
    }
    buffer_forget(&ftl->buffer, logical);
    map_forget(&ftl->map, logical, MAP_UNMAPPED);
}
