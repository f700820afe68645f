/* SPDX-License-Identifier: Apache-2.0
 *
 * Background units that are firmware. They execute the descriptors that a hardware unit would execute, lists included,
 * by giving operations of single chips to the low-level controllers of the dies (docs/controller.md, "One chip"). Each
 * chip of a superchip goes through its pages by itself, one operation at a time; chips and units share the CPU in the
 * order in which they have become ready, one step (the next page of one chip) at a time.
 *
 * Same results as hardware: the pages that are touched, what is in them, status, spare records, what an error stops.
 * Not supported, and refused as malformed: reads to the host, inline spare records. One list per unit at a time.
 */
#ifndef STROBE_SOFTWARE_UNITS_H
#define STROBE_SOFTWARE_UNITS_H

#include "firmware/drivers/arena.h"
#include "firmware/drivers/boot.h"
#include "firmware/drivers/superchip.h"

struct software_queue { /* of chips, linked by software_chip.next */
    uint32_t head, tail;
};

struct software_chip { /* of a unit's superchip */
    uint32_t die;
    uint32_t row, bus; /* where it stands in the superchip */
    uint32_t page;     /* superpage that is its next one */
    uint32_t next;     /* in a queue */
};

struct software_unit {
    struct flash_descriptor* descriptor; /* that is executed; null: idle */
    const uint32_t* blocks;              /* null: nothing is mapped */
    const uint32_t* source_blocks;
    const uint32_t* table;          /* of sectors, null: none */
    uint32_t first_page, last_page; /* superpages */
    uint32_t source_page;           /* of the source, that the first one is copied from */
    uint32_t open;                  /* chips that are not done */
    uint32_t status;                /* as FLASH_DESCRIPTOR_STATUS; code: the first failure, or ok */
};

struct software_die {
    uint32_t under_way;            /* operations in its low-level controller */
    struct software_queue waiting; /* for room there */
};

/* The end of a descriptor that reports, or that has failed. */
typedef void (*software_handler)(void* context, const struct flash_descriptor* descriptor, uint32_t status);

struct software_units {
    uint32_t units; /* 0: background units are hardware */
    struct superchip_degrees degrees;
    uint32_t chips; /* of a superchip */
    uint32_t page_sectors, row_sectors, superpage_sectors;
    uint32_t die_limit; /* operations in a low-level controller, at most */
    struct software_unit* unit;
    struct software_chip* chip; /* by unit, then by chip of the superchip: a chip's number */
    struct software_die* die;
    struct software_queue ready;
    bus_address low_at; /* a descriptor for the low-level controllers per chip number … */
    struct flash_descriptor* low;
    bus_address words_at; /* … and a sector table of one page */
    uint32_t* words;
    software_handler on_done;
    void* context; /* of on_done */
};

/* Events of low-level controllers have the cookie `first_cookie` + chip number. */
void software_units_init(struct software_units* units, struct arena* arena, const struct boot_block* boot,
                         uint32_t first_cookie, software_handler on_done, void* context);

/* Begins the list at `head`; steps do the rest. REQUIRES: the unit is idle. */
void software_units_submit(struct software_units* units, uint32_t unit, bus_address head);

/* The next page of the chip that has been ready for longest; false: no chip is ready. */
bool software_units_step(struct software_units* units);

/* A low-level operation has ended. */
void software_units_ended(struct software_units* units, uint32_t chip_number, uint32_t status);

static inline bool software_units_are_ready(const struct software_units* units)
{
    return units->units != 0 && units->ready.head != UINT32_MAX;
}

#endif
