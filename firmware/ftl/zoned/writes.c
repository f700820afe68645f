/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/zoned/writes.h"

#include "firmware/drivers/statistics.h"
#include "firmware/ftl/zoned/manage.h"
#include "firmware/ftl/zoned/units.h"

enum { SECTOR_BITS = 6 }; /* of a cookie: the sectors of a transfer, at most those of a page, 32 */

enum host_status writes_begin(struct zoned_drive* d, uint32_t slot, bool appends)
{
    struct command* command = &d->command[slot];
    struct zone* zone = &d->zone[command->zone];
    if (zone->job != ZONE_JOB_NONE)
        return HOST_ZONE_INVALID_WRITE;
    if (!zone->has_failed && zone->filling == ZONED_NONE && !units_can_be_taken(d))
        return HOST_DEVICE_FAULT;
    if (appends)
        command->sector = d->states.entry[command->zone].pointer;
    enum host_status status = zone_states_write(&d->states, command->zone, command->sector, command->sectors);
    if (status == HOST_OK && !manage_take_blocks(d, command->zone))
        status = HOST_ZONE_OFFLINE;
    if (status != HOST_OK)
        return status;
    HAL_COST_EXTRA(write_command_overhead);
    if (appends) { /* its place is found before the write, and reported */
        HAL_COST_EXTRA(write_command_overhead);
        host_place(slot, command->sector);
    }
    zone->expected += command->sectors;
    command_list_add(d, &d->writes, slot);
    return HOST_OK;
}

/* The next transfer of the command; false: there is no buffer. */
static bool place(struct zoned_drive* d, uint32_t slot)
{
    struct command* command = &d->command[slot];
    struct zone* zone = &d->zone[command->zone];
    if (zone->filling == ZONED_NONE)
        zone->filling = units_take(d, command->zone);
    if (zone->filling == ZONED_NONE)
        return false;
    HAL_COST(host_write_page);
    struct unit* unit = &d->unit[zone->filling];
    const uint32_t number = zone->filling;
    const struct zone_page page = zone_page_of(&d->shape, zone->assigned / d->shape.page_sectors);
    const uint32_t column = zone->assigned % d->shape.page_sectors;
    uint32_t sectors = d->shape.page_sectors - column;
    if (sectors > command->sectors - command->cursor)
        sectors = command->sectors - command->cursor;
    const uint32_t first = command->cursor;
    command->cursor += sectors;
    ++command->open;
    zone->assigned += sectors;
    unit->assigned += sectors;
    if (unit->assigned == d->shape.unit_sectors)
        zone->filling = ZONED_NONE;
    host_transfer(slot, false, first, sectors, units_page(d, number, page.slot) + column * SECTOR_BYTES,
                  number << SECTOR_BITS | sectors, command->cursor == command->sectors);
    return true;
}

/* Its zone has failed. The command ends when the transfers that were ordered have ended. */
static void refuse_rest(struct zoned_drive* d, uint32_t slot)
{
    struct command* command = &d->command[slot];
    const uint32_t rest = command->sectors - command->cursor;
    d->zone[command->zone].expected -= rest;
    zone_states_refuse(&d->states, command->zone, rest);
    command->status = HOST_ZONE_READ_ONLY;
    if (command->open == 0)
        host_complete(slot, command->status);
}

/* Orders transfers of the command as far as there are buffers. False: it waits for one. */
static bool advance(struct zoned_drive* d, uint32_t slot)
{
    const struct command* command = &d->command[slot];
    const struct zone* zone = &d->zone[command->zone];
    while (command->cursor < command->sectors && !zone->has_failed) {
        if (place(d, slot))
            continue;
        if (units_can_be_taken(d))
            return false;
        units_fail(d, command->zone);
    }
    if (command->cursor < command->sectors)
        refuse_rest(d, slot);
    return true;
}

void writes_run(struct zoned_drive* d)
{
    while (d->writes.head != ZONED_NONE && advance(d, d->writes.head))
        d->writes.head = d->command[d->writes.head].next;
}

void writes_arrived(struct zoned_drive* d, uint32_t slot, uint32_t cookie)
{
    struct command* command = &d->command[slot];
    units_arrived(d, cookie >> SECTOR_BITS, cookie & ((1u << SECTOR_BITS) - 1));
    if (--command->open == 0 && command->status != HOST_OK)
        host_complete(slot, command->status);
}
