/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/zoned/units.h"

#include "firmware/drivers/statistics.h"

static void give(struct zoned_drive* d, uint32_t number)
{
    d->unit[number].is_used = false;
    d->unit[number].next = d->free_unit;
    d->free_unit = number;
}

void units_init(struct zoned_drive* d)
{
    d->free_unit = ZONED_NONE;
    for (uint32_t number = d->units; number != 0; --number)
        give(d, number - 1);
}

static uint32_t take(struct zoned_drive* d, uint32_t zone, uint32_t number)
{
    const uint32_t taken = d->free_unit;
    if (taken == ZONED_NONE)
        return ZONED_NONE;
    struct unit* unit = &d->unit[taken];
    d->free_unit = unit->next;
    *unit = (struct unit){.zone = zone, .number = number, .next = ZONED_NONE, .is_used = true};
    statistics_slot_taken();
    return taken;
}

static void unlink_unit(struct zoned_drive* d, uint32_t number)
{
    const struct unit* unit = &d->unit[number];
    if (unit->zone == ZONED_NONE || unit->is_padding)
        return;
    uint32_t* link = &d->zone[unit->zone].buffers;
    while (*link != number)
        link = &d->unit[*link].next;
    *link = unit->next;
}

static void release_if_done(struct zoned_drive* d, uint32_t number)
{
    const struct unit* unit = &d->unit[number];
    const bool is_wanted = unit->zone != ZONED_NONE && (!unit->is_submitted || unit->has_failed);
    if (unit->programs != 0 || unit->reads != 0 || is_wanted)
        return;
    unlink_unit(d, number);
    statistics_slot_given();
    give(d, number);
}

static void link_unit(struct zoned_drive* d, uint32_t zone, uint32_t number)
{
    uint32_t* link = &d->zone[zone].buffers;
    while (*link != ZONED_NONE)
        link = &d->unit[*link].next;
    *link = number;
}

uint32_t units_take(struct zoned_drive* d, uint32_t zone)
{
    const uint32_t taken = take(d, zone, d->zone[zone].assigned / d->shape.unit_sectors);
    if (taken != ZONED_NONE)
        link_unit(d, zone, taken);
    return taken;
}

/* Of units that were submitted, those that failed are still in a buffer. */
uint32_t units_restore(struct zoned_drive* d, uint32_t zone, uint32_t number, uint32_t sectors)
{
    const uint32_t taken = take(d, zone, number);
    struct unit* unit = &d->unit[taken];
    link_unit(d, zone, taken);
    unit->assigned = unit->arrived = sectors;
    unit->is_submitted = unit->has_failed = number < d->zone[zone].submitted;
    if (sectors != d->shape.unit_sectors)
        d->zone[zone].filling = taken;
    return taken;
}

static bool will_be_free(const struct zoned_drive* d, const struct unit* unit)
{
    if (unit->zone == ZONED_NONE || unit->is_padding)
        return true;
    const struct zone* zone = &d->zone[unit->zone];
    const bool has_all = zone->expected == 0; /* so its job is not behind a write */
    if (zone->job == ZONE_JOB_RESET && has_all)
        return true;
    if (zone->has_failed)
        return unit->is_submitted && !unit->has_failed;
    return unit->is_submitted || unit->assigned == d->shape.unit_sectors || (zone->job == ZONE_JOB_FINISH && has_all);
}

bool units_can_be_taken(const struct zoned_drive* d)
{
    if (d->free_unit != ZONED_NONE)
        return true;
    for (uint32_t number = 0; number < d->units; ++number) {
        if (will_be_free(d, &d->unit[number]))
            return true;
    }
    return false;
}

void units_fail(struct zoned_drive* d, uint32_t zone)
{
    d->zone[zone].has_failed = true;
    zone_states_fail(&d->states, zone, ZONE_READ_ONLY);
}

uint32_t units_find(const struct zoned_drive* d, uint32_t zone, uint32_t number)
{
    uint32_t unit = d->zone[zone].buffers;
    while (unit != ZONED_NONE && d->unit[unit].number != number)
        unit = d->unit[unit].next;
    return unit;
}

bus_address units_page(const struct zoned_drive* d, uint32_t unit, uint32_t slot)
{
    return d->unit_data + (unit * d->shape.unit_pages + slot) * d->boot->page_bytes;
}

static void submit(struct zoned_drive* d, uint32_t number)
{
    struct unit* unit = &d->unit[number];
    struct zone* zone = &d->zone[unit->zone];
    unit->is_submitted = true;
    ++zone->submitted;
    unit->programs = d->shape.planes;
    zone->programs += d->shape.planes;
    const struct flash_spare spare = {{unit->zone + 1, unit->number, unit->assigned, 0}};
    for (uint32_t plane = 0; plane < d->shape.planes; ++plane) {
        const struct zone_page page = zone_page_of(&d->shape, unit->number * d->shape.unit_pages + plane);
        const struct flash_place to = {zone_die(&d->shape, unit->zone, page.member),
                                       *zone_member(d, unit->zone, page.member), page.sector, false};
        const bus_address data = unit->is_padding ? d->zeros : units_page(d, number, plane * d->shape.program_pages);
        flash_program_pages(&d->flash, op_of_unit(d, number, plane), to, d->shape.program_pages * d->shape.page_sectors,
                            data, spare, FLASH_FOR_HOST);
    }
}

bool units_pad(struct zoned_drive* d, uint32_t zone)
{
    const uint32_t taken = take(d, zone, d->zone[zone].submitted);
    if (taken == ZONED_NONE)
        return false;
    d->unit[taken].is_padding = true;
    submit(d, taken);
    return true;
}

void units_pump(struct zoned_drive* d, uint32_t zone, bool last)
{
    const struct zone* z = &d->zone[zone];
    if (z->erasing != 0 || z->has_failed)
        return;
    for (uint32_t number = z->buffers; number != ZONED_NONE; number = d->unit[number].next) {
        const struct unit* unit = &d->unit[number];
        const bool is_whole = unit->arrived == (last ? unit->assigned : d->shape.unit_sectors);
        if (!unit->is_submitted && is_whole)
            submit(d, number);
    }
}

void units_arrived(struct zoned_drive* d, uint32_t number, uint32_t sectors)
{
    struct unit* unit = &d->unit[number];
    unit->arrived += sectors;
    d->zone[unit->zone].expected -= sectors;
    if (unit->arrived == d->shape.unit_sectors)
        units_pump(d, unit->zone, false);
}

void units_programmed(struct zoned_drive* d, uint32_t number, uint32_t plane, enum flash_status status)
{
    struct unit* unit = &d->unit[number];
    const bool is_of_zone = unit->zone != ZONED_NONE;
    --unit->programs;
    if (is_of_zone)
        --d->zone[unit->zone].programs;
    if (status != FLASH_OK) {
        const struct flash_descriptor* descriptor = &d->flash.descriptors[op_of_unit(d, number, plane)];
        zone_blocks_fail(&d->blocks, descriptor->superchip, descriptor->blocks);
        if (is_of_zone) {
            unit->has_failed = !unit->is_padding;
            units_fail(d, unit->zone);
        }
    }
    release_if_done(d, number);
}

void units_read_begins(struct zoned_drive* d, uint32_t unit)
{
    ++d->unit[unit].reads;
}

void units_read_ends(struct zoned_drive* d, uint32_t unit)
{
    --d->unit[unit].reads;
    release_if_done(d, unit);
}

void units_drop(struct zoned_drive* d, uint32_t zone)
{
    struct zone* z = &d->zone[zone];
    uint32_t number = z->buffers;
    z->buffers = z->filling = ZONED_NONE;
    z->programs = 0;
    while (number != ZONED_NONE) {
        const uint32_t next = d->unit[number].next;
        d->unit[number].zone = ZONED_NONE;
        release_if_done(d, number);
        number = next;
    }
}
