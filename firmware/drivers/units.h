/* SPDX-License-Identifier: Apache-2.0
 *
 * The flash controller as units that execute superchip operations: descriptor slots in control memory, one submission
 * per slot at a time, and the event ring behind them. Which unit gets what, and in which order, is the caller's
 * business; operations of one unit end in the order in which they were submitted.
 */
#ifndef STROBE_UNITS_H
#define STROBE_UNITS_H

#include "firmware/drivers/arena.h"
#include "firmware/drivers/flash.h"
#include "firmware/drivers/ring.h"

#define HOST_BUFFER 0xFFFFFFFFu /* flash_descriptor.buffer: to the host */

struct units_result {
    enum flash_status status;
    uint32_t chip; /* the first that failed */
};

typedef void (*units_handler)(uint32_t slot, struct units_result result);

struct units {
    struct ring ring;
    bus_address descriptors_at;
    struct flash_descriptor* descriptors;
    units_handler on_done;
};

void units_init(struct units* units, struct arena* arena, uint32_t slots, units_handler on_done);

/* The slot's descriptor, cleared and filled in as far as every operation needs it. */
struct flash_descriptor* units_prepare(struct units* units, uint32_t slot, enum flash_opcode opcode, uint32_t superchip,
                                       enum flash_purpose purpose);
void units_submit(struct units* units, uint32_t slot, uint32_t unit);

/* Serves all events that are there; returns how many. */
uint32_t units_poll(struct units* units);

#endif
