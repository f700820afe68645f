/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/zoned/manage.h"

#include "firmware/ftl/zoned/units.h"

void manage_init(struct zoned_drive* d)
{
    const uint32_t planes = d->shape.groups * d->shape.members;
    d->jobs = d->erase_head = d->erase_tail = ZONED_NONE;
    for (uint32_t plane = 0; plane < planes; ++plane)
        d->erased_for[plane] = ZONED_NONE;
}

/* --- erases ------------------------------------------------------------------------------------------------------- */

static uint32_t die_of(const struct zoned_drive* d, uint32_t zone, uint32_t member)
{
    return zone_die(&d->shape, zone, member);
}

/* Units go to the dies of a zone in turn. */
static bool has_data(const struct zoned_drive* d, uint32_t zone, uint32_t member)
{
    return member / d->shape.planes < d->zone[zone].submitted;
}

/* Blocks are erased for a reset that has begun, or before a zone is written. */
static bool is_being_reset(const struct zone* zone)
{
    return zone->job == ZONE_JOB_RESET && zone->has_begun;
}

static bool must_erase(const struct zoned_drive* d, uint32_t zone, uint32_t member)
{
    if (is_being_reset(&d->zone[zone]))
        return has_data(d, zone, member);
    return zone_blocks_is_dirty(&d->blocks, die_of(d, zone, member), *zone_member(d, zone, member));
}

static void queue_erases(struct zoned_drive* d, uint32_t zone)
{
    d->zone[zone].cursor = 0;
    d->zone[zone].next = ZONED_NONE;
    if (d->erase_head == ZONED_NONE)
        d->erase_head = zone;
    else
        d->zone[d->erase_tail].next = zone;
    d->erase_tail = zone;
}

static void erase(struct zoned_drive* d, uint32_t zone, uint32_t member)
{
    const uint32_t plane = plane_of_member(d, zone, member);
    const struct flash_place block = {die_of(d, zone, member), *zone_member(d, zone, member), 0, false};
    d->erased_for[plane] = zone;
    flash_erase(&d->flash, op_of_erase(d, plane), block, FLASH_FOR_HOST);
}

/* In the order of the zones, as far as no other erase of their planes is in progress. */
static void run_erases(struct zoned_drive* d)
{
    while (d->erase_head != ZONED_NONE) {
        const uint32_t number = d->erase_head;
        struct zone* zone = &d->zone[number];
        for (; zone->cursor < d->shape.members; ++zone->cursor) {
            if (!must_erase(d, number, zone->cursor))
                continue;
            if (d->erased_for[plane_of_member(d, number, zone->cursor)] != ZONED_NONE)
                return;
            erase(d, number, zone->cursor);
        }
        d->erase_head = zone->next;
    }
}

/* --- blocks of a zone --------------------------------------------------------------------------------------------- */

static void give_first(struct zoned_drive* d, uint32_t zone, uint32_t members)
{
    for (uint32_t member = 0; member < members; ++member) {
        const uint32_t die = die_of(d, zone, member);
        const uint32_t block = *zone_member(d, zone, member);
        zone_blocks_give(&d->blocks, die, block, zone_blocks_is_dirty(&d->blocks, die, block));
    }
}

bool manage_take_blocks(struct zoned_drive* d, uint32_t number)
{
    struct zone* zone = &d->zone[number];
    if (zone->has_blocks)
        return true;
    for (uint32_t member = 0; member < d->shape.members; ++member) {
        const uint32_t block = zone_blocks_take(&d->blocks, plane_of_member(d, number, member));
        if (block == ZONE_NO_BLOCK) {
            give_first(d, number, member);
            zone_states_fail(&d->states, number, ZONE_OFFLINE);
            return false;
        }
        *zone_member(d, number, member) = block;
        zone->erasing += must_erase(d, number, member) ? 1 : 0;
    }
    zone->has_blocks = true;
    if (zone->erasing != 0)
        queue_erases(d, number);
    return true;
}

/* --- jobs --------------------------------------------------------------------------------------------------------- */

static void end_part(struct zoned_drive* d, uint32_t slot, enum host_status status)
{
    struct command* command = &d->command[slot];
    if (status != HOST_OK)
        command->status = status;
    if (--command->open == 0 && d->save.phase == SAVE_RESTS)
        host_complete(slot, command->status);
}

static void end_job(struct zoned_drive* d, uint32_t number, enum host_status status)
{
    d->zone[number].job = ZONE_JOB_NONE;
    end_part(d, d->zone[number].slot, status);
}

static void end_reset(struct zoned_drive* d, uint32_t number)
{
    struct zone* zone = &d->zone[number];
    zone->assigned = zone->submitted = 0;
    zone->has_blocks = zone->has_failed = false; /* it may have failed since the reset was accepted */
    zone_states_reset(&d->states, number);
    end_job(d, number, HOST_OK);
}

static void begin_reset(struct zoned_drive* d, uint32_t number)
{
    struct zone* zone = &d->zone[number];
    const bool erases = d->boot->zone_erase == ZONE_ERASE_AT_RESET;
    zone->has_begun = true;
    units_drop(d, number);
    for (uint32_t member = 0; zone->has_blocks && member < d->shape.members; ++member) {
        const bool is_dirty = has_data(d, number, member);
        if (erases && is_dirty)
            ++zone->erasing;
        else
            zone_blocks_give(&d->blocks, die_of(d, number, member), *zone_member(d, number, member), is_dirty);
    }
    if (zone->erasing == 0)
        end_reset(d, number);
    else
        queue_erases(d, number);
}

enum { SECTORS_OF_ENTRY = 8, ENTRIES_AT_A_TIME = 512 }; /* other commands are served in between */

/* A firmware that maps each 4 KiB of a zone has as many entries to invalidate. False: there are more. */
static bool clear_entries(struct zoned_drive* d, uint32_t number)
{
    struct zone* zone = &d->zone[number];
    const uint32_t left = (zone->assigned + SECTORS_OF_ENTRY - 1) / SECTORS_OF_ENTRY - zone->cleared;
    const uint32_t now = left < ENTRIES_AT_A_TIME ? left : ENTRIES_AT_A_TIME;
    HAL_COST_EXTRA_TIMES(zone_reset_unit, now);
    zone->cleared += now;
    return now == left;
}

static void run_reset(struct zoned_drive* d, uint32_t number)
{
    if (d->zone[number].has_begun || d->zone[number].erasing != 0)
        return;
    if (clear_entries(d, number))
        begin_reset(d, number);
    else
        d->is_clearing = true;
}

void manage_settle(struct zoned_drive* d)
{
    for (uint32_t number = 0; number < d->zones; ++number) {
        const struct zone* zone = &d->zone[number];
        if (!is_being_reset(zone))
            continue;
        for (uint32_t member = zone->cursor; member < d->shape.members; ++member) {
            if (has_data(d, number, member))
                zone_blocks_give(&d->blocks, die_of(d, number, member), *zone_member(d, number, member), true);
        }
        end_reset(d, number);
    }
}

void manage_restore(struct zoned_drive* d)
{
    for (uint32_t number = 0; number < d->zones; ++number) {
        struct zone* zone = &d->zone[number];
        if (!zone->has_blocks || zone->has_failed)
            continue;
        for (uint32_t member = 0; member < d->shape.members; ++member)
            zone->erasing += must_erase(d, number, member) ? 1 : 0;
        if (zone->erasing != 0)
            queue_erases(d, number);
        else
            units_pump(d, number, false);
    }
}

static void run_finish(struct zoned_drive* d, uint32_t number)
{
    struct zone* zone = &d->zone[number];
    if (zone->has_failed) {
        end_job(d, number, HOST_DEVICE_FAULT);
        return;
    }
    if (zone->erasing != 0)
        return;
    if (!zone->has_begun) {
        zone->has_begun = true;
        zone->filling = ZONED_NONE;
        units_pump(d, number, true);
    }
    while (zone->submitted < d->shape.units && units_pad(d, number)) {
    }
    if (zone->submitted == d->shape.units && zone->programs == 0)
        end_job(d, number, HOST_OK);
    if (zone->submitted < d->shape.units && !units_can_be_taken(d)) {
        units_fail(d, number);
        end_job(d, number, HOST_DEVICE_FAULT);
    }
}

static void run_jobs(struct zoned_drive* d)
{
    d->is_clearing = false;
    for (uint32_t* link = &d->jobs; *link != ZONED_NONE;) {
        const uint32_t number = *link;
        struct zone* zone = &d->zone[number];
        if (zone->job != ZONE_JOB_NONE && zone->expected == 0)
            zone->job == ZONE_JOB_FINISH ? run_finish(d, number) : run_reset(d, number);
        if (zone->job == ZONE_JOB_NONE)
            *link = zone->next_job;
        else
            link = &zone->next_job;
    }
}

void manage_run(struct zoned_drive* d)
{
    run_jobs(d);
    run_erases(d);
}

static void opened_block_failed(struct zoned_drive* d, uint32_t number, uint32_t member)
{
    struct zone* zone = &d->zone[number];
    const uint32_t block = zone_blocks_take(&d->blocks, plane_of_member(d, number, member));
    if (block == ZONE_NO_BLOCK) {
        units_fail(d, number);
        --zone->erasing;
        return;
    }
    *zone_member(d, number, member) = block;
    if (must_erase(d, number, member))
        erase(d, number, member);
    else
        --zone->erasing;
}

void manage_erased(struct zoned_drive* d, uint32_t plane, enum flash_status status)
{
    const uint32_t number = d->erased_for[plane];
    struct zone* zone = &d->zone[number];
    const uint32_t die = plane / d->shape.planes;
    const uint32_t member = die / d->shape.groups * d->shape.planes + plane % d->shape.planes;
    const uint32_t block = *zone_member(d, number, member);
    d->erased_for[plane] = ZONED_NONE;
    if (status != FLASH_OK)
        zone_blocks_fail(&d->blocks, die, block);
    if (is_being_reset(zone)) {
        zone_blocks_give(&d->blocks, die, block, false);
        if (--zone->erasing == 0)
            end_reset(d, number);
        return;
    }
    if (status == FLASH_OK) {
        zone_blocks_erased(&d->blocks, die, block);
        --zone->erasing;
    } else {
        opened_block_failed(d, number, member);
    }
    if (zone->erasing == 0)
        units_pump(d, number, false);
}

/* --- commands ----------------------------------------------------------------------------------------------------- */

static void begin_job(struct zoned_drive* d, uint32_t number, uint32_t slot, enum zone_job job)
{
    struct zone* zone = &d->zone[number];
    ++d->command[slot].open;
    zone->job = (uint8_t)job;
    zone->has_begun = false;
    zone->cleared = 0;
    zone->slot = slot;
    for (uint32_t* link = &d->jobs;; link = &d->zone[*link].next_job) { /* a job that has ended may still be listed */
        if (*link == number)
            return;
        if (*link == ZONED_NONE) {
            *link = number;
            zone->next_job = ZONED_NONE;
            return;
        }
    }
}

static enum host_status manage_zone(struct zoned_drive* d, uint32_t number, uint32_t slot, uint32_t kind)
{
    const struct zone* zone = &d->zone[number];
    if (zone->job != ZONE_JOB_NONE)
        return HOST_ZONE_INVALID_TRANSITION;
    const bool is_written = zone->assigned + zone->expected != 0;
    if (kind == HOST_ZONE_OPEN)
        return zone_states_open(&d->states, number);
    if (kind == HOST_ZONE_CLOSE)
        return zone_states_close(&d->states, number);
    if (kind == HOST_ZONE_RESET) {
        if (!zone_states_may_reset(&d->states, number))
            return HOST_ZONE_INVALID_TRANSITION;
        begin_job(d, number, slot, ZONE_JOB_RESET);
        return HOST_OK;
    }
    const bool was_full = zone_state_of(&d->states, number) == ZONE_FULL;
    const enum host_status status = zone_states_finish(&d->states, number);
    if (status == HOST_OK && !was_full && is_written)
        begin_job(d, number, slot, ZONE_JOB_FINISH);
    return status;
}

/* Which zones a command for all of them is about. */
static bool is_selected(uint32_t state, uint32_t kind)
{
    const bool is_open = state == ZONE_IMPLICITLY_OPEN || state == ZONE_EXPLICITLY_OPEN;
    if (kind == HOST_ZONE_CLOSE)
        return is_open;
    if (kind == HOST_ZONE_OPEN)
        return state == ZONE_CLOSED;
    return is_open || state == ZONE_CLOSED || (kind == HOST_ZONE_RESET && state == ZONE_FULL);
}

void manage_begin(struct zoned_drive* d, uint32_t slot, uint32_t kind)
{
    struct command* command = &d->command[slot];
    enum host_status status = HOST_OK;
    command->open = 1; /* until all of its jobs have begun */
    if (command->sectors != 0)
        status = manage_zone(d, command->zone, slot, kind);
    for (uint32_t zone = 0; command->sectors == 0 && zone < d->zones; ++zone) {
        if (!is_selected(zone_state_of(&d->states, zone), kind))
            continue;
        const enum host_status of_zone = manage_zone(d, zone, slot, kind);
        if (of_zone != HOST_OK)
            status = of_zone;
    }
    end_part(d, slot, status);
}
