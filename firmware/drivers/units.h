/* SPDX-License-Identifier: Apache-2.0
 *
 * The flash controller as units that execute superchip operations. The driver has descriptor slots in control memory
 * and one submission per slot at a time, and it serves the event ring of the flash controller. The caller chooses the
 * unit and the order; operations of one unit end in the order of submission. A background unit is hardware, or firmware
 * (software_units.h), which makes no difference to the caller; a software unit takes one operation at a time.
 *
 * On a drive with two cores, core 1 gives operations to the units, runs the software units and takes the events
 * (units_core.c); core 0 prepares descriptors and sends their slots (peer.h).
 *
 * Layers, each one calls only those below it: units_core.c, units.c, software_units.c, unit_lists.c.
 */
#ifndef STROBE_UNITS_H
#define STROBE_UNITS_H

#include "firmware/drivers/arena.h"
#include "firmware/drivers/flash.h"
#include "firmware/drivers/peer.h"
#include "firmware/drivers/ring.h"
#include "firmware/drivers/software_units.h"
#include "firmware/drivers/unit_lists.h"

#define UNITS_FOREGROUND 0xFFFFFFFFu /* in a message to the other core: the foreground unit */

struct units_result {
    enum flash_status status;
    uint32_t chip; /* the first that failed */
};

typedef void (*units_handler)(void* context, uint32_t slot, struct units_result result);

/* The caller's callback: it is called with `context` when an operation has ended. */
struct units_client {
    units_handler on_done;
    bool (*is_urgent)(void* context); /* whether software units have to yield to other work; null: never */
    void* context;
};

struct units {
    struct peer peer; /* the core that executes operations, if it is another one */
    struct ring ring;
    struct software_units software; /* no units: background units are hardware */
    uint32_t slots;
    uint32_t foreground; /* unit */
    uint32_t ended;      /* operations that ended in the last poll */
    bus_address descriptors_at;
    struct flash_descriptor* descriptors;
    struct units_client client;
};

void units_init(struct units* units, struct arena* arena, const struct boot_block* boot, uint32_t slots,
                struct units_client client);

/* On core 1 of two: uses the descriptors that core 0 prepares. */
void units_init_second_core(struct units* units, const struct boot_block* boot, struct arena* arena, uint32_t slots,
                            bus_address descriptors, struct units_client client);

/* The slot's descriptor, cleared, with the fields set that every operation needs. */
struct flash_descriptor* units_prepare(struct units* units, uint32_t slot, enum flash_opcode opcode, uint32_t superchip,
                                       enum flash_purpose purpose);
void units_submit(struct units* units, uint32_t slot, uint32_t unit); /* to a background unit */
void units_submit_foreground(struct units* units, uint32_t slot);

/* Serves all events in the ring. Then software units take steps until an operation has ended, other work is urgent, or
 * no step is left. Returns the number of events and steps; 0: nothing to do. */
uint32_t units_poll(struct units* units);

/* Sleeps until an interrupt or a message of the other core. */
void units_sleep(struct units* units);

#endif
