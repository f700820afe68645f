/* SPDX-License-Identifier: Apache-2.0
 *
 * The flash controller as units that execute superchip operations: descriptor slots in control memory, one submission
 * per slot at a time, and the event ring behind them. Which unit gets what, and in which order, is the caller's
 * business; operations of one unit end in the order in which they were submitted. Who executes what a background unit
 * is given, hardware or software_units.h, the caller does not see; a software unit takes one operation at a time. On a
 * drive with two cores core 1 gives operations to the units, keeps those that are firmware and takes the events
 * (units_core.c); core 0 prepares descriptors and sends their slots (peer.h).
 */
#ifndef STROBE_UNITS_H
#define STROBE_UNITS_H

#include "firmware/drivers/arena.h"
#include "firmware/drivers/flash.h"
#include "firmware/drivers/peer.h"
#include "firmware/drivers/ring.h"
#include "firmware/drivers/software_units.h"

#define HOST_BUFFER 0xFFFFFFFFu      /* flash_descriptor.buffer: to the host */
#define UNITS_FOREGROUND 0xFFFFFFFFu /* to the other core: the foreground unit */

struct units_result {
    enum flash_status status;
    uint32_t chip; /* the first that failed */
};

typedef void (*units_handler)(uint32_t slot, struct units_result result);

struct units {
    struct peer peer; /* the core that has the units, if it is another one */
    struct ring ring;
    struct software_units software; /* none: background units are hardware */
    uint32_t slots;
    uint32_t foreground;     /* unit */
    uint32_t ended;          /* operations, by the last poll */
    bool (*is_urgent)(void); /* something else wants the CPU; null: never */
    bus_address descriptors_at;
    struct flash_descriptor* descriptors;
    units_handler on_done;
};

void units_init(struct units* units, struct arena* arena, const struct boot_block* boot, uint32_t slots,
                units_handler on_done);

/* On core 1 of two: with the descriptors that core 0 prepares. */
void units_init_behind(struct units* units, const struct boot_block* boot, struct arena* arena, uint32_t slots,
                       bus_address descriptors, units_handler on_done);

/* The slot's descriptor, cleared and filled in as far as every operation needs it. */
struct flash_descriptor* units_prepare(struct units* units, uint32_t slot, enum flash_opcode opcode, uint32_t superchip,
                                       enum flash_purpose purpose);
void units_submit(struct units* units, uint32_t slot, uint32_t unit); /* a background unit */
void units_submit_foreground(struct units* units, uint32_t slot);

/* Serves all events that are there. Software units then take their steps until an operation has ended, something is
 * urgent, or there is none to take. Returns how many events and steps that were; 0: there is nothing to do. */
uint32_t units_poll(struct units* units);

/* Nothing to do: until an interrupt, or the other core, brings something. */
void units_sleep(struct units* units);

/* The list at `head` is for that unit of the hardware. */
void units_ring(uint32_t unit, bus_address head);
/* The hardware refuses a descriptor that firmware has made. */
_Noreturn void units_refuse(const struct flash_descriptor* descriptor, uint32_t status);

#endif
