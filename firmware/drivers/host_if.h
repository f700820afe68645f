/* SPDX-License-Identifier: Apache-2.0
 *
 * The host interface block: takes commands and transfer events from its ring, orders transfers and completions.
 */
#ifndef STROBE_HOST_IF_H
#define STROBE_HOST_IF_H

#include "firmware/drivers/arena.h"
#include "firmware/drivers/ring.h"
#include "firmware/regs/strobe_regs.h"

typedef void (*host_command_handler)(uint32_t slot, const struct host_command* command);
typedef void (*host_supply_handler)(void);
typedef void (*host_transfer_handler)(uint32_t slot, uint32_t cookie);
/* Sectors [first, first + sectors) of a write are in the circular buffer, from sector `number` on. */
typedef void (*host_fed_handler)(uint32_t slot, uint32_t number, uint32_t first, uint32_t sectors);

struct host_if {
    struct ring ring;
    const struct host_command* commands;
    host_command_handler on_command;
    host_transfer_handler on_transfer;
    host_fed_handler on_fed;               /* only with the inbound feeder */
    host_supply_handler on_supply_failure; /* only with a protected write cache */
};

/* `events`: the most events that may wait at a time. */
void host_if_init(struct host_if* host, struct arena* arena, uint32_t slots, uint32_t events,
                  host_command_handler on_command, host_transfer_handler on_transfer);
/* The inbound feeder fetches the data of host writes into a circular buffer, in pieces. Before host_if_enable(). */
void host_if_feed(struct host_if* host, bus_address base, uint32_t sectors, uint32_t piece, host_fed_handler on_fed);
/* `handler` is called when the supply fails; then host_if_saved() ends the time that the capacitors have to give. */
void host_if_watch_supply(struct host_if* host, host_supply_handler handler);
void host_if_saved(void);
/* The drive has zones, all alike: sectors from one to the next, sectors that can be written, limits of open and active
 * zones, and the table of their states. Before host_if_enable(). */
void host_if_announce_zones(uint32_t sectors, uint32_t capacity, uint32_t open, uint32_t active, bus_address table);
/* The drive has data placement: handles, sectors of a reclaim unit, and the table of the handles. Before
 * host_if_enable(). */
void host_if_announce_placement(uint32_t handles, enum placement_isolation isolation, uint32_t unit_sectors,
                                bus_address table);
void host_if_enable(uint64_t capacity_sectors);

/* Serves all pending events; returns how many. */
uint32_t host_if_poll(struct host_if* host);
static inline bool host_if_has_event(const struct host_if* host)
{
    return ring_has_entry(&host->ring);
}

/* Orders a transfer of sectors [first, first + sectors) of a command from or to the data buffer; its event returns
 * `cookie`. `last`: the command completes with HOST_OK after it. */
void host_transfer(uint32_t slot, bool to_host, uint32_t first, uint32_t sectors, bus_address buffer, uint32_t cookie,
                   bool last);
/* Where the append in the slot is written, in its zone. Before its first transfer. */
void host_place(uint32_t slot, uint32_t sector);
void host_complete(uint32_t slot, enum host_status status);

#endif
