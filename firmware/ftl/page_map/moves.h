/* SPDX-License-Identifier: Apache-2.0
 *
 * How the units of a victim get to another block: through slots of the data buffer, or by copy-back. The valid units of
 * a page are read by one operation; where a page has several units, they wait in the plane's gathered queue until they
 * fill a page. The rest of a victim, less than a page, is programmed as it is, so that the victim can be erased.
 *
 * Progress: at most a page less one unit per plane waits for more, and the buffer has slots for these and a page
 * (capacity_least_moves()), so some plane can always read the next page of its victim.
 *
 * Owner of: moving, reading and gathered of each struct collector, the operations without a buffer slot, and the planes
 * that wait for slots.
 */
#ifndef STROBE_PAGE_MAP_MOVES_H
#define STROBE_PAGE_MAP_MOVES_H

#include "firmware/drivers/flash.h"
#include "firmware/ftl/page_map/collector.h"

struct ftl;

/* The valid units of a flash page whose first unit is `source`, by the reverse map: bit i for unit source + i. */
static inline uint32_t moves_valid_units(const uint32_t* logical, uint32_t source, uint32_t units)
{
    uint32_t valid = logical[source] != NONE;
    for (uint32_t i = 1; i < units; ++i)
        valid |= (uint32_t)(logical[source + i] != NONE) << i;
    return valid;
}

/* Begins to move these units of a flash page of the plane's victim. False: later, when a slot or an operation has
 * ended. */
bool moves_begin(struct ftl* ftl, uint32_t plane, uint32_t source, uint32_t valid, enum flash_purpose purpose);
/* Programs gathered units of the plane, up to a page, though they may not fill it. */
void moves_program_rest(struct ftl* ftl, uint32_t plane, enum flash_purpose purpose);

/* Ends of flash operations. A copy-back: `number` of the operation without a slot. */
void moves_read_done(struct ftl* ftl, uint32_t slot, enum flash_status status);
void moves_programmed(struct ftl* ftl, uint32_t slot, enum flash_status status);
void moves_copied(struct ftl* ftl, uint32_t number, enum flash_status status);

/* A plane that waits for slots is examined again if there are slots for a page of it. False: there is none. */
bool moves_serve_waiting_plane(struct ftl* ftl);

/* Operations without a buffer slot. REQUIRES: at most plain_ops() of a plane are taken. */
uint32_t moves_take_op(struct ftl* ftl, uint32_t plane);
void moves_give_op(struct ftl* ftl, uint32_t number);

#endif
