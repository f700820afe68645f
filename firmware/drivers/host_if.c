/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/drivers/host_if.h"

void host_if_init(struct host_if* host, struct arena* arena, uint32_t slots, uint32_t events,
                  host_command_handler on_command, host_transfer_handler on_transfer)
{
    const uint32_t entries = ring_size(events);
    const bus_address commands = arena_take(arena, slots, sizeof(struct host_command), 32, "host command records");
    const bus_address ring = arena_take(arena, entries, RING_ENTRY_BYTES, 64, "the host event ring");
    host->commands = hal_memory(commands, slots * (uint32_t)sizeof(struct host_command));
    host->on_command = on_command;
    host->on_transfer = on_transfer;
    ring_init(&host->ring, hal_memory(ring, entries * RING_ENTRY_BYTES), entries);
    reg_write(HOST_COMMANDS, commands);
    reg_write(HOST_RING_BASE, ring);
    reg_write(HOST_RING_ENTRIES, entries);
}

void host_if_feed(struct host_if* host, bus_address base, uint32_t sectors, uint32_t piece, host_fed_handler on_fed)
{
    host->on_fed = on_fed;
    reg_write(HOST_FEED_BASE, base);
    reg_write(HOST_FEED_PIECE, piece);
    reg_write(HOST_FEED_SECTORS, sectors);
}

void host_if_watch_supply(struct host_if* host, host_supply_handler handler)
{
    host->on_supply_failure = handler;
}

void host_if_saved(void)
{
    reg_write(HOST_CONTROL, HOST_CONTROL_ENABLE_MASK | HOST_CONTROL_SAVED_MASK);
}

void host_if_announce_zones(uint32_t sectors, uint32_t capacity, uint32_t open, uint32_t active, bus_address table)
{
    reg_write(HOST_ZONE_SECTORS, sectors);
    reg_write(HOST_ZONE_CAPACITY, capacity);
    reg_write(HOST_ZONE_LIMITS, open | active << HOST_ZONE_LIMITS_ACTIVE_SHIFT);
    reg_write(HOST_ZONE_TABLE, table);
}

void host_if_announce_placement(uint32_t handles, enum placement_isolation isolation, uint32_t unit_sectors,
                                bus_address table)
{
    reg_write(HOST_PLACEMENT, handles | (uint32_t)isolation << HOST_PLACEMENT_ISOLATION_SHIFT);
    reg_write(HOST_PLACEMENT_UNIT, unit_sectors);
    reg_write(HOST_PLACEMENT_TABLE, table);
}

void host_if_enable(uint64_t capacity_sectors)
{
    reg_write(HOST_CAPACITY_LO, (uint32_t)capacity_sectors);
    reg_write(HOST_CAPACITY_HI, (uint32_t)(capacity_sectors >> 32));
    reg_write(HOST_CONTROL, HOST_CONTROL_ENABLE_MASK);
}

uint32_t host_if_poll(struct host_if* host)
{
    uint32_t events = 0;
    for (const volatile uint32_t* entry; (entry = ring_take(&host->ring)) != NULL; ++events) {
        const uint32_t kind = entry[0] & HOST_EVENT_KIND_KIND_MASK;
        const uint32_t slot = entry[1];
        if (kind == HOST_EVENT_COMMAND) {
            host->on_command(slot, &host->commands[slot]);
        } else if (kind == HOST_EVENT_TRANSFER) {
            host->on_transfer(slot, entry[2]);
        } else if (kind == HOST_EVENT_SUPPLY_FAILS) {
            host->on_supply_failure();
        } else {
            const uint32_t range = entry[3];
            host->on_fed(slot, entry[2], range & HOST_EVENT_RANGE_FIRST_MASK,
                         (range >> HOST_EVENT_RANGE_MORE_SHIFT) + 1);
        }
    }
    if (events != 0)
        reg_write(HOST_RING_CONSUMER, host->ring.taken);
    return events;
}

void host_transfer(uint32_t slot, bool to_host, uint32_t first, uint32_t sectors, bus_address buffer, uint32_t cookie,
                   bool last)
{
    HAL_COST(host_transfer);
    reg_write(HOST_XFER_RANGE, first | (sectors - 1) << HOST_XFER_RANGE_MORE_SHIFT);
    reg_write(HOST_XFER_BUFFER, buffer);
    reg_write(HOST_XFER_COOKIE, cookie);
    reg_write(HOST_XFER_START, slot | (to_host ? HOST_XFER_START_TO_HOST_MASK : 0) | HOST_XFER_START_NOTIFY_MASK |
                                   (last ? HOST_XFER_START_COMPLETE_MASK : 0));
}

void host_place(uint32_t slot, uint32_t sector)
{
    reg_write(HOST_PLACE_SECTOR, sector);
    reg_write(HOST_PLACE, slot);
}

void host_complete(uint32_t slot, enum host_status status)
{
    HAL_COST(host_complete);
    reg_write(HOST_COMPLETE, slot | (uint32_t)status << HOST_COMPLETE_STATUS_SHIFT);
}
