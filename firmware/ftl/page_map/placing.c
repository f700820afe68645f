/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/placing.h"

#include "firmware/drivers/statistics.h"
#include "firmware/ftl/page_map/ftl.h"
#include "firmware/ftl/page_map/heat.h"

static struct slot* slot_at(struct ftl* ftl, uint32_t number)
{
    return buffer_slot(&ftl->buffer, number);
}

/* --- settling ----------------------------------------------------------------------------------------------------- */

static void zeros_written(struct ftl* ftl)
{
    slot_at(ftl, 0)->state = SLOT_FREE;
    queues_zeros_written(&ftl->queues);
}

static void give_back(struct ftl* ftl, uint32_t number)
{
    buffer_give(&ftl->buffer, number);
    statistics_slot_given();
    ftl->client.slot_free(ftl->client.context, USE_WRITE);
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
        queues_make_ready_first(&ftl->queues, newer);
    ftl->client.version_settled(ftl->client.context, number, status);
    epochs_leave(&ftl->epochs, slot->epoch);
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

/* --- flush -------------------------------------------------------------------------------------------------------- */

uint32_t ftl_flush(struct ftl* ftl)
{
    const uint32_t ticket = epochs_end(&ftl->epochs);
    queues_complete_partial(&ftl->queues);
    journal_flush(ftl);
    return ticket;
}

uint32_t ftl_supply_fails(struct ftl* ftl)
{
    ftl->is_saving = true;
    ftl->room.is_isolated = false; /* any room will do */
    pacing_open_gate(&ftl->pacing);
    for (uint32_t number = 1; number < ftl->buffer.slots; ++number) {
        struct slot* slot = slot_at(ftl, number);
        if (slot->state == SLOT_FREE || slot->use != USE_WRITE)
            continue;
        slot->transfers = 0;
        queues_release(&ftl->queues, number);
        if (slot->state != SLOT_RECEIVING)
            continue;
        if (slot->valid == 0 && !slot->stale)
            buffer_withdraw(&ftl->buffer, number);
        queues_make_ready(&ftl->queues, number);
    }
    return ftl_flush(ftl);
}

/* --- placing ------------------------------------------------------------------------------------------------------ */

static bool may_still_be_written(const struct slot* slot, uint32_t mask)
{
    if (slot->state == SLOT_FILLING)
        return (slot->filling & mask) == 0;
    return slot->state != SLOT_PROGRAMMING && !slot->stale;
}

/* The version before it, in the buffer: `older`, or NONE. */
static uint32_t lane_of(const struct ftl* ftl, uint32_t logical, uint32_t older, uint32_t group)
{
    if (ftl->allocation.streams == 1 || ftl->placement.handles != 0 || !heat_is_hot(&ftl->map, logical, older))
        return group;
    return ftl->allocation.groups + group;
}

static uint32_t new_version(struct ftl* ftl, uint32_t logical, uint32_t older, uint32_t group)
{
    const uint32_t number = buffer_take(&ftl->buffer, USE_WRITE);
    if (number == NONE)
        return NONE;
    statistics_slot_taken();
    struct slot* slot = slot_at(ftl, number);
    slot->logical = logical;
    slot->lane = (uint16_t)lane_of(ftl, logical, older, group);
    slot->state = SLOT_RECEIVING;
    ++ftl->unsettled;
    slot->sequence = ftl->sequence++;
    slot->epoch = epochs_enter(&ftl->epochs);
    ftl->queues.short_due = false; /* the host is not idle */
    buffer_publish(&ftl->buffer, number);
    return number;
}

static uint32_t place(struct ftl* ftl, uint32_t logical, uint32_t mask, uint32_t group, bool held)
{
    HAL_COST(host_write_page);
    uint32_t number = buffer_find(&ftl->buffer, logical);
    if (number == NONE || !may_still_be_written(slot_at(ftl, number), mask)) {
        number = new_version(ftl, logical, number, group);
        if (number == NONE)
            return NONE;
        slot_at(ftl, number)->held = held;
    } else if (ftl->placement.handles != 0 && slot_at(ftl, number)->lane != group) {
        queues_change_lane(&ftl->queues, number, group); /* the last write tells where the unit goes */
    }
    ++slot_at(ftl, number)->transfers;
    return number;
}

uint32_t ftl_place(struct ftl* ftl, uint32_t logical, uint32_t mask, uint32_t group, bool urgent)
{
    const uint32_t number = place(ftl, logical, mask, group, false);
    if (number == NONE)
        return NONE;
    struct slot* slot = slot_at(ftl, number);
    slot->urgent = slot->urgent || urgent;
    queues_release(&ftl->queues, number);
    return number;
}

uint32_t ftl_place_held(struct ftl* ftl, uint32_t logical, uint32_t mask, uint32_t group)
{
    const uint32_t number = place(ftl, logical, mask, group, true);
    if (number != NONE)
        slot_at(ftl, number)->urgent = true;
    return number;
}

static bool is_urgent(const struct ftl* ftl, const struct slot* slot)
{
    return slot->valid == ftl->geometry.full_unit || slot->urgent || slot->stale || slot->epoch != ftl->epochs.current;
}

void ftl_arrived(struct ftl* ftl, uint32_t number, uint32_t mask)
{
    struct slot* slot = slot_at(ftl, number);
    slot->valid |= mask;
    if (--slot->transfers != 0)
        return;
    if (slot->state == SLOT_PARTIAL && is_urgent(ftl, slot)) {
        queues_leave_partial(&ftl->queues, number);
    } else if (slot->state == SLOT_RECEIVING) {
        if (is_urgent(ftl, slot)) {
            queues_make_ready(&ftl->queues, number);
        } else {
            queues_make_partial(&ftl->queues, number);
        }
    }
}

void ftl_trim(struct ftl* ftl, uint32_t logical)
{
    HAL_COST(host_trim_page);
    journal_forget(ftl, RECORD_TRIM, logical);
    const uint32_t ticket = journal_ticket(&ftl->journal);
    uint32_t number = buffer_find(&ftl->buffer, logical);
    while (number !=
           NONE) { /* versions that have no transfer or program in progress are dropped through the ready queue */
        struct slot* slot = slot_at(ftl, number);
        slot->trimmed = true;
        slot->ticket = ticket;
        if (slot->held)
            queues_release(&ftl->queues, number);
        if (slot->state == SLOT_PARTIAL)
            queues_leave_partial(&ftl->queues, number);
        else if (slot->state == SLOT_WAITING)
            queues_make_ready(&ftl->queues, number);
        number = slot->older;
    }
    buffer_forget(&ftl->buffer, logical);
    map_forget(&ftl->map, logical, MAP_UNMAPPED);
}
