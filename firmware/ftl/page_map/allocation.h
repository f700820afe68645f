/* SPDX-License-Identifier: Apache-2.0
 *
 * Dynamic allocation: which plane takes the next page of host data. All planes stand in a circle in allocation order
 * (boot_block.allocation_order: which of channel, way, LUN and plane changes fastest); the next page goes to the first
 * plane from the cursor on that is ready for one. By channel (boot_block.command_placement = 1) each channel is a
 * circle of its own, and a command is given to one.
 */
#ifndef STROBE_PAGE_MAP_ALLOCATION_H
#define STROBE_PAGE_MAP_ALLOCATION_H

#include "firmware/drivers/arena.h"
#include "firmware/ftl/page_map/geometry.h"

struct allocation {
    uint32_t groups;     /* circles */
    uint32_t group_size; /* planes of a circle */
    uint32_t words;      /* of a circle's bitmap */
    uint32_t next_group; /* for the next command */
    uint32_t* plane_at;  /* group * group_size + position -> plane */
    uint32_t* place_of;  /* plane -> group * group_size + position */
    uint32_t* ready;     /* bitmap per circle, by position */
    uint32_t* count;     /* of them, per circle */
    uint32_t* cursor;    /* per circle */
};

void allocation_init(struct allocation* allocation, struct arena* arena, const struct geometry* geometry,
                     uint32_t order, bool by_channel);

void allocation_set_ready(struct allocation* allocation, uint32_t plane, bool is_ready);

/* The ready plane that takes the group's next page; NONE: no plane of the group is ready. */
uint32_t allocation_next(struct allocation* allocation, uint32_t group);

/* The group for the next command. */
uint32_t allocation_group(struct allocation* allocation);

#endif
