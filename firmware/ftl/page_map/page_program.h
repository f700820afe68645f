/* SPDX-License-Identifier: Apache-2.0
 *
 * The program of a page from slots of the data buffer, one for each of its units in their order: the slots are linked
 * by slot.next, and are divided among the strips. Units without a slot become zeros without a spare record. Each strip
 * of the page is one flash operation, whose number is that of its first slot, and ends by itself. A strip without a
 * slot is padding: it is programmed all the same, so that the word lines of all planes advance together; its operation
 * is one of the pool below.
 *
 * Owner of: the operations for padding (struct padding). Invariant: every operation that is not free is in progress.
 */
#ifndef STROBE_PAGE_MAP_PAGE_PROGRAM_H
#define STROBE_PAGE_MAP_PAGE_PROGRAM_H

#include "firmware/drivers/arena.h"
#include "firmware/drivers/flash.h"
#include "firmware/ftl/page_map/geometry.h"
#include "firmware/ftl/page_map/policy.h"
#include "firmware/ftl/page_map/spare.h"

struct ftl;

struct padding_op {
    uint32_t next; /* free */
    uint32_t unit; /* the first one of the strip */
    uint32_t die;
    bool is_host; /* the page is counted by write_room.h */
};

struct padding {
    struct padding_op* ops;
    uint32_t free;
    uint32_t first_op; /* number of the first one as a flash operation */
};

/* Pages that may be padded at a time: those of host data in progress and, for each plane, one of moved data and one
 * that follows a failed program. */
static inline uint32_t padding_ops(const struct geometry* g, uint32_t die_depth)
{
    const uint32_t pages = g->dies * (die_depth / g->row_planes + 1) + 2 * g->planes;
    return (g->row_planes - 1) * pages;
}

void padding_init(struct ftl* ftl, struct arena* arena, uint32_t first_op, uint32_t die_depth);
/* A strip of padding is programmed. */
void padding_ended(struct ftl* ftl, uint32_t op, enum flash_status status);

/* `unit`: the first unit of the page. Sets slot.physical and slot.state; afterwards slot.next links the slots of a
 * strip. REQUIRES: slot.logical and slot.sequence of each slot are those of its data. */
void page_program(struct ftl* ftl, uint32_t first, uint32_t unit, enum spare_kind kind, enum flash_purpose purpose);

#endif
