/* SPDX-License-Identifier: Apache-2.0
 *
 * Data placement by the host (flexible data placement, NVMe TP4146): each write names a placement handle, and data of
 * different handles goes to different blocks. A reclaim unit is a block of the layer, which spans all dies and planes;
 * all of them are one reclaim group. The handles are the streams of host data of allocation.h and blocks.h. A page is
 * never shared by handles, and a handle without a page waits for collection: it takes none of another handle, except
 * while the supply fails. Data that collection moves goes to one open block (initially isolated), or to one of its
 * handle (persistently isolated).
 *
 * Owner of: the placement table, which the host interface reads (boot words PLACEMENT_HANDLES, PLACEMENT_ISOLATION).
 * Calls blocks.c only.
 */
#ifndef STROBE_PAGE_MAP_PLACEMENT_H
#define STROBE_PAGE_MAP_PLACEMENT_H

#include "firmware/drivers/arena.h"
#include "firmware/drivers/boot.h"

#include <stdbool.h>
#include <stdint.h>

struct ftl;

struct placement {
    uint32_t handles;                /* 0: no data placement */
    bool is_persistent;              /* moved data stays with its handle */
    bus_address table;               /* of these entries */
    struct placement_entry* entries; /* per handle */
};

/* Of a write with this handle; a number that does not exist: of handle 0. */
static inline uint32_t placement_lane(const struct placement* placement, uint32_t handle)
{
    return handle < placement->handles ? handle : 0;
}

void placement_init(struct ftl* ftl, struct arena* arena); /* before recovery */
void placement_start(struct ftl* ftl);                     /* the open blocks are known: announces the table */

/* Pages of the handle's reclaim unit were taken. */
void placement_changed(struct ftl* ftl, uint32_t handle);
/* Refresh may have closed the reclaim units of handles. */
void placement_refreshed(struct ftl* ftl);
/* The block becomes a victim. What was moved before, without its handle, is not counted. */
void placement_collects(struct ftl* ftl, uint32_t block);
/* The handle's reclaim unit takes no more data; what is in the buffer goes to its next one. False: there is no such
 * handle. */
bool placement_update(struct ftl* ftl, uint32_t handle);

#endif
