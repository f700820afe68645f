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
    zone->assigned += sectors;
    unit->assigned += sectors;
    if (unit->assigned == d->shape.unit_sectors)
        zone->filling = ZONED_NONE;
    host_transfer(slot, false, first, sectors, units_page(d, number, page.slot) + column * SECTOR_BYTES,
                  number << SECTOR_BITS | sectors, command->cursor == command->sectors);
    return true;
}

void writes_run(struct zoned_drive* d)
{
    while (d->writes.head != ZONED_NONE) {
        const uint32_t slot = d->writes.head;
        const struct command* command = &d->command[slot];
        while (command->cursor < command->sectors) {
            if (!place(d, slot))
                return;
        }
        d->writes.head = command->next;
    }
}

void writes_arrived(struct zoned_drive* d, uint32_t cookie)
{
    units_arrived(d, cookie >> SECTOR_BITS, cookie & ((1u << SECTOR_BITS) - 1));
}
