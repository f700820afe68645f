/* SPDX-License-Identifier: Apache-2.0
 *
 * Background units implemented in firmware. They execute the same descriptors and lists as a hardware unit, as
 * operations of single chips, primitive by primitive (docs/controller.md, "Software units"). A chip is suspended after
 * each command that takes time in the array, and after the spare record of a page that is copied; its event makes it
 * ready again. The chips of a superchip proceed independently, one operation at a time; chips and units share the CPU
 * in the order in which they become ready, one step (the next page of one chip, or the next primitive) at a time.
 *
 * The results equal those of hardware: pages and their contents, status, spare records, and the work that an error
 * stops. Not supported, and refused as malformed: reads to the host, inline spare records. One list per unit at a time.
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
    uint16_t row, bus;       /* its place in the superchip */
    uint32_t page;           /* its next superpage */
    uint16_t next_primitive; /* of its page, when it is ready; 0: a page is to be begun */
    uint16_t last_primitive; /* issued; 0: none since the page was begun */
    uint32_t next;           /* in a queue */
};

struct software_unit {
    struct flash_descriptor* descriptor; /* in execution; null: idle */
    const uint32_t* blocks;              /* null: nothing is mapped */
    const uint32_t* source_blocks;
    const uint32_t* table;          /* of sectors, null: none */
    uint32_t first_page, last_page; /* superpages */
    uint32_t source_page;           /* superpage of the source that first_page is copied from */
    uint32_t open;                  /* chips that have pages left */
    uint32_t status;                /* as FLASH_DESCRIPTOR_STATUS; code: the first failure, or ok */
};

struct software_die {
    uint32_t under_way;            /* operations in its low-level controller */
    struct software_queue waiting; /* chips that wait for room there */
};

/* Called when a descriptor that reports, or that has failed, has ended. */
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

/* Begins the list at `head`; steps execute it. REQUIRES: the unit is idle. */
void software_units_submit(struct software_units* units, uint32_t unit, bus_address head);

/* Takes a step: the next page or primitive of the chip that has been ready longest; false: no chip is ready. */
bool software_units_step(struct software_units* units);

/* A low-level operation is suspended after a primitive (FLASH_SUSPENDED), or has ended. */
void software_units_event(struct software_units* units, uint32_t chip_number, uint32_t status);

static inline bool software_units_are_ready(const struct software_units* units)
{
    return units->units != 0 && units->ready.head != UINT32_MAX;
}

#endif
