/* SPDX-License-Identifier: Apache-2.0
 *
 * The flash controller: one descriptor per operation, a software queue per die before the units, and the event ring
 * after them. An operation is in progress from the call until on_done(context, op, status).
 *
 * Order: operations queued for a die are executed in order, except that reads for the host or a merge pass operations
 * still in software, and that after FLASH_READ_STREAK of them another operation follows, unless it is an erase and the
 * reads were queued before it. That is safe for a mapping that is changed only when a program has ended: a read never
 * depends on an operation queued before it, and an erase is queued after the last read of its block. With at least one
 * unit per die each die has its own; with fewer, a die without operations in progress takes the unit with the fewest
 * lists and keeps it until its operations have ended.
 *
 * On a drive with two cores the queues, the units and the event ring are core 1's (flash_core.c): core 0 fills in the
 * descriptor and sends the number of the operation, core 1 sends back its status (peer.h).
 *
 * Reads apart (flash_set_limits): reads for the host or a merge go to a separate unit per die, so that the hardware may
 * suspend the operation of the die for them, or start them in idle planes; an erase then waits until no such read is in
 * progress or queued before it.
 *
 * Fewer dies at a time, when the drive gets too hot or takes too much power: flash_turns.h.
 */
#ifndef STROBE_FLASH_H
#define STROBE_FLASH_H

#include "firmware/drivers/flash_queues.h"
#include "firmware/drivers/flash_turns.h"
#include "firmware/drivers/flash_unit_tables.h"
#include "firmware/drivers/peer.h"
#include "firmware/drivers/read_retry.h"
#include "firmware/drivers/ring.h"

#define FLASH_DIE_DEPTH 2u /* operations of a die in the hardware, by default: one runs, one follows without a gap */

typedef void (*flash_handler)(void* context, uint32_t op, enum flash_status status);

struct flash {
    struct peer peer; /* the core that executes operations, if it is another one */
    struct ring ring;
    bus_address descriptors_at;
    struct flash_descriptor* descriptors;
    struct flash_wait* wait; /* per operation */
    struct flash_die* dies;
    uint32_t* unit_lists; /* per unit: lists it has */
    uint32_t die_count, unit_count, unit_limit, die_depth;
    uint32_t read_units;        /* first of the units for reads apart; 0: there are none */
    uint32_t read_depth;        /* reads apart of a die in the hardware */
    struct flash_line waiting;  /* dies, for room in a unit */
    struct flash_tables tables; /* unit tables, one per operation */
    bool is_on_second_core;     /* the operations are another core's */
    bool is_special;            /* there are reads apart or a governor; all else has the short path */
    struct read_retry retry;
    void* context;
    flash_handler on_done;
    struct flash_turns turns;
};

void flash_init(struct flash* flash, struct arena* arena, uint32_t dies, uint32_t units, uint32_t unit_depth,
                uint32_t operations, void* context, flash_handler on_done);

/* On core 0 of two: core 1 executes the operations. */
void flash_init_on_first_core(struct flash* flash, const struct boot_block* boot, struct arena* arena, uint32_t dies,
                              uint32_t operations, void* context, flash_handler on_done);
/* On core 1: with the descriptors that core 0 fills in; flash_accept() takes an operation. */
void flash_init_on_second_core(struct flash* flash, const struct boot_block* boot, struct arena* arena,
                               uint32_t operations, bus_address descriptors, void* context, flash_handler on_done);
void flash_accept(struct flash* flash, uint32_t op);

/* Reads that cannot be corrected are tried again (read_retry.h), if the boot block says so; the core with the units
 * does it. An erase then waits until its die has no other operation in progress. Before use. */
void flash_init_retry(struct flash* flash, const struct boot_block* boot, struct arena* arena, uint32_t operations);

/* Operations of a die handed to the hardware at a time, the first unit for reads apart (0: none), and how many of these
 * a die may have there, from the boot block. Before use. */
void flash_set_limits(struct flash* flash, const struct boot_block* boot);

/* Fewer dies at a time, if the boot block says so; the core with the units does it. Before use. */
void flash_init_governor(struct flash* flash, const struct boot_block* boot);
/* After a sleep: looks at the temperature sensor. */
void flash_govern(struct flash* flash);

/* Memory for the unit tables of all operations. Before flash_units_of(). */
static inline void flash_init_units(struct flash* flash, struct arena* arena, uint32_t operations, uint32_t page_bytes,
                                    uint32_t unit_bytes)
{
    flash_tables_init(&flash->tables, arena, operations, page_bytes, unit_bytes);
}
/* The unit table of operation `op` on `units` mapping units. */
static inline struct flash_units flash_units_of(const struct flash* flash, uint32_t op, uint32_t units)
{
    return flash_tables_of(&flash->tables, op, units);
}

/* Mapping units side by side in one page, by their table; a program writes a whole page. */
void flash_read_units(struct flash* flash, uint32_t op, struct flash_place from, uint32_t sectors,
                      enum flash_purpose purpose);
void flash_program_units(struct flash* flash, uint32_t op, struct flash_place to, uint32_t sectors,
                         enum flash_purpose purpose);

void flash_read(struct flash* flash, uint32_t op, struct flash_place from, uint32_t sectors, bus_address buffer,
                enum flash_purpose purpose);
void flash_program(struct flash* flash, uint32_t op, struct flash_place to, uint32_t sectors, bus_address buffer,
                   struct flash_spare spare, enum flash_purpose purpose);
/* Several pages, with the same record. */
void flash_program_pages(struct flash* flash, uint32_t op, struct flash_place to, uint32_t sectors, bus_address buffer,
                         struct flash_spare spare, enum flash_purpose purpose);
/* The same, with the XOR engine: `order` is flash_parity_order(). */
void flash_read_parity(struct flash* flash, uint32_t op, struct flash_place from, uint32_t sectors, bus_address buffer,
                       uint32_t order, enum flash_purpose purpose);
void flash_program_parity(struct flash* flash, uint32_t op, struct flash_place to, uint32_t sectors, bus_address buffer,
                          struct flash_spare spare, uint32_t order, enum flash_purpose purpose);
void flash_program_units_parity(struct flash* flash, uint32_t op, struct flash_place to, uint32_t sectors,
                                uint32_t order, enum flash_purpose purpose);
/* `block`: its sector has no meaning. */
void flash_erase(struct flash* flash, uint32_t op, struct flash_place block, enum flash_purpose purpose);
/* The spare record travels with the page. */
void flash_copyback(struct flash* flash, uint32_t op, struct flash_place to, uint32_t source_block,
                    uint32_t source_sector, uint32_t sectors, enum flash_purpose purpose);

/* Serves all pending events; returns how many. */
uint32_t flash_serve(struct flash* flash);
static inline bool flash_has_event(const struct flash* flash)
{
    return ring_has_entry(peer_is_there(&flash->peer) ? &flash->peer.in : &flash->ring);
}
static inline uint32_t flash_poll(struct flash* flash)
{
    return flash_has_event(flash) ? flash_serve(flash) : 0;
}

/* Sleeps until an interrupt or a message from the other core. */
void flash_sleep(struct flash* flash);

/* Spare record of the FLASH_UNIT_BYTES in which the ended read `op`, without a unit table, began. */
struct flash_spare flash_spare_of(const struct flash* flash, uint32_t op);

/* The page that the ended read `op` has read was blank. */
bool flash_was_blank(const struct flash* flash, uint32_t op);

static inline bool flash_die_is_idle(const struct flash* flash, uint32_t die)
{
    const struct flash_die* d = &flash->dies[die];
    return d->outstanding == 0 && d->reads_apart == 0 && d->queued == 0;
}
static inline bool flash_is_idle(const struct flash* flash)
{
    for (uint32_t die = 0; die < flash->die_count; ++die) {
        if (!flash_die_is_idle(flash, die))
            return false;
    }
    return true;
}

#endif
