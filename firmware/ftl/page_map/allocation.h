/* SPDX-License-Identifier: Apache-2.0
 *
 * Dynamic allocation: which plane takes the next page of host data. All planes form a cyclic sequence in allocation
 * order (boot_block.allocation_order: which of channel, way, LUN and plane changes fastest); the next page goes to the
 * first ready plane at or after the cursor. By channel (boot_block.command_placement = 1) each channel is a separate
 * sequence, a group, and each command goes to one group.
 *
 * Where a program writes a word line of one plane, the planes of a die take data in turn: programs of several planes
 * are joined only on word lines of the same number, so the planes have to advance together. The sequence then
 * determines the die. Planes of groups of several dies form one sequence by their numbers.
 *
 * Host data of several streams, cold and hot (heat.h) or of several placement handles (placement.h), goes to different
 * open blocks, so each stream of a group is a lane of its own: it has its ready planes, cursor and turns. Lane:
 * stream * groups + group. With one stream, lanes are groups.
 *
 * Owner of: the order, the cursors, the turns and the sets of ready planes. Invariant: count[lane] is the number of
 * ready planes.
 */
#ifndef STROBE_PAGE_MAP_ALLOCATION_H
#define STROBE_PAGE_MAP_ALLOCATION_H

#include "firmware/drivers/arena.h"
#include "firmware/ftl/page_map/geometry.h"

#define ALLOCATION_STREAMS BOOT_BLOCK_PLACEMENT_HANDLES_MAX /* at most; at least two: hot and cold */

struct allocation {
    uint32_t groups;     /* sequences */
    uint32_t streams;    /* of host data */
    uint32_t group_size; /* planes of a group */
    uint32_t words;      /* of a group's bitmap */
    uint32_t next_group; /* for the next command */
    uint32_t* plane_at;  /* group * group_size + position -> plane */
    uint32_t* place_of;  /* plane -> group * group_size + position */
    uint32_t* ready;     /* bitmap per lane, by position */
    uint32_t* count;     /* of them, per lane */
    uint32_t* cursor;    /* per lane */
    uint32_t* turn;      /* per stream and die: the plane of the die that comes next; NULL: by the sequence alone */
    uint32_t dies, planes_per_group;
};

/* Planes of a die write word lines one after the other. */
static inline bool allocation_takes_turns(const struct geometry* geometry)
{
    return geometry->flash_pages > 1 && !geometry_is_joined(geometry);
}

void allocation_init(struct allocation* allocation, struct arena* arena, const struct geometry* geometry,
                     uint32_t order, bool by_channel, uint32_t streams);

static inline uint32_t allocation_lanes(const struct allocation* allocation)
{
    return allocation->groups * allocation->streams;
}
static inline uint32_t allocation_stream_of(const struct allocation* allocation, uint32_t lane)
{
    /* There is at least one group. NOLINTNEXTLINE(clang-analyzer-core.DivideZero) */
    return lane < allocation->groups ? 0 : lane / allocation->groups;
}

void allocation_set_ready(struct allocation* allocation, uint32_t stream, uint32_t plane, bool is_ready);

/* The ready plane that takes the lane's next page; NONE: no plane of the lane is ready. */
uint32_t allocation_next(struct allocation* allocation, uint32_t lane);

/* The group for the next command. */
uint32_t allocation_group(struct allocation* allocation);

#endif
