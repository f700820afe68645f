/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/completing.h"

#include "firmware/drivers/timer.h"
#include "firmware/ftl/page_map/ftl.h"

static struct slot* slot_at(struct ftl* ftl, uint32_t number)
{
    return buffer_slot(&ftl->buffer, number);
}

/* --- missing sectors ---------------------------------------------------------------------------------------------- */

/* The missing sectors cannot be read: the unit is lost, and this version of it is dropped through the ready queue. */
static void lose(struct ftl* ftl, uint32_t number)
{
    struct slot* slot = slot_at(ftl, number);
    journal_forget(ftl, RECORD_LOST, slot->logical);
    map_forget(&ftl->map, slot->logical, MAP_LOST);
    slot->stale = slot->lost = true;
    queues_make_ready_first(&ftl->queues, number);
}

/* A hidden unit of zeros in flash, or MAP_UNMAPPED while the first one is being written (from slot 0). Units of zeros
 * are made one by one as they are needed and used in turn, so that the reads spread over dies. */
static uint32_t unit_of_zeros(struct ftl* ftl)
{
    const uint32_t logical = ftl->exported + ftl->completing.next_zero;
    struct slot* zeros = slot_at(ftl, 0);
    ftl->completing.next_zero =
        ftl->completing.next_zero + 1 == ftl->completing.zero_units ? 0 : ftl->completing.next_zero + 1;
    const uint32_t physical = map_find(&ftl->map, logical);
    if (map_is_mapped(physical))
        return physical;
    if (zeros->state == SLOT_FREE) {
        *zeros = (struct slot){.logical = logical, .valid = ftl->geometry.full_unit, .older = NONE, .newer = NONE};
        zeros->use = USE_WRITE;
        zeros->sequence = ftl->sequence++;
        zeros->lane = (uint16_t)allocation_group(&ftl->allocation);
        queues_make_ready_first(&ftl->queues, 0);
    }
    for (uint32_t i = 0; i < ftl->completing.zero_units; ++i) {
        const uint32_t other = map_find(&ftl->map, ftl->exported + i);
        if (map_is_mapped(other))
            return other;
    }
    return MAP_UNMAPPED;
}

void version_fill(struct ftl* ftl, uint32_t number)
{
    struct slot* slot = slot_at(ftl, number);
    if (slot->older != NONE) { /* an older version with the missing sectors is on its way to flash */
        slot->state = SLOT_WAITING;
        return;
    }
    uint32_t physical = map_find(&ftl->map, slot->logical);
    if (physical == MAP_LOST) {
        lose(ftl, number);
        return;
    }
    if (physical == MAP_UNMAPPED)
        physical = unit_of_zeros(ftl);
    if (physical == MAP_UNMAPPED) {
        queues_wait_for_zeros(&ftl->queues, number);
        return;
    }
    const uint32_t missing = ftl->geometry.full_unit & ~slot->valid;
    const uint32_t first = (uint32_t)__builtin_ctz(missing);
    const uint32_t sectors = (uint32_t)__builtin_ctzll(~((uint64_t)missing >> first));
    slot->filling = (uint32_t)((1ull << sectors) - 1) << first;
    slot->state = SLOT_FILLING;
    flash_read(&ftl->flash, number, blocks_place(&ftl->blocks, physical, first), sectors,
               buffer_address(&ftl->buffer, number) + first * SECTOR_BYTES, FLASH_FOR_MERGE);
}

void version_filled(struct ftl* ftl, uint32_t number, enum flash_status status)
{
    struct slot* slot = slot_at(ftl, number);
    if (status != FLASH_OK && !slot->stale) {
        lose(ftl, number);
        return;
    }
    slot->valid |= slot->filling;
    slot->filling = 0;
    queues_make_ready_first(&ftl->queues, number);
}

/* --- partial units and pages while the host is idle --------------------------------------------------------------- */

bool completing_idle(struct ftl* ftl, bool is_wanted)
{
    struct completing* completing = &ftl->completing;
    if (!is_wanted) {
        if (completing->partial_due != 0)
            timer_cancel();
        completing->partial_due = 0;
        return false;
    }
    const uint64_t now = hal_time_ns();
    if (completing->partial_due == 0) {
        completing->partial_due = now + IDLE_NS;
        timer_set(completing->partial_due);
    }
    if (now < completing->partial_due)
        return false;
    const bool any_partial = queues_complete_partial(&ftl->queues);
    return queues_make_short_due(&ftl->queues) || any_partial;
}
