/* SPDX-License-Identifier: Apache-2.0
 *
 * Which planes take host data. A plane has room if it has an open block for host data, or free blocks beyond the
 * reserve; it takes a page now if the die of its next page may have so many more programs of host data in progress.
 *
 * Owner of: the pSLC cache, the programs in progress per die, the state of each plane, and the ready set of
 * `allocation`. Invariants after write_room_update(): takes[plane] follows from the block table and die_programs;
 * group_planes[group] is the number of planes of the group with room; allocation's ready set holds exactly the planes
 * with TAKES_NOW. Depends only on the block table and on allocation, not on versions, buffers or the flash.
 */
#ifndef STROBE_PAGE_MAP_WRITE_ROOM_H
#define STROBE_PAGE_MAP_WRITE_ROOM_H

#include "firmware/ftl/page_map/allocation.h"
#include "firmware/ftl/page_map/blocks.h"
#include "firmware/ftl/page_map/policy.h"
#include "firmware/ftl/page_map/pslc_cache.h"

enum plane_takes { TAKES_NOTHING, TAKES_LATER /* its die has enough programs in progress */, TAKES_NOW };

struct write_room {
    struct block_table* blocks;
    struct allocation* allocation;
    uint32_t strips;      /* programs of a page */
    uint32_t most_before; /* programs of host data that a die may have in progress when a page is added */
    struct pslc_cache cache;
    uint32_t* group_planes; /* per allocation group: planes with room */
    uint32_t planes;        /* with room */
    uint8_t* takes;         /* per plane: enum plane_takes */
    uint32_t* die_programs; /* per die: of host data, in progress */
};

/* `die_depth`: programs of host data that a die has in progress at a time; at least those of a page. */
void write_room_init(struct write_room* room, struct arena* arena, struct block_table* blocks,
                     struct allocation* allocation, uint32_t die_depth, struct pslc_cache cache);

/* The stream that host data goes to now. */
static inline enum stream write_room_stream(const struct write_room* room)
{
    return pslc_cache_stream(&room->cache);
}
/* The free blocks that remain in a plane when a page of the stream is taken. */
static inline uint32_t write_room_keep(const struct write_room* room)
{
    return write_room_stream(room) == STREAM_SLC ? room->cache.keep : GC_RESERVE;
}
/* Goes over to the other stream if the cache is full, or has room again. */
void write_room_choose_stream(struct write_room* room);

/* The die has become able, or unable, to take a program: for the two functions below. */
void write_room_die_changed(struct write_room* room, uint32_t die);
static inline void write_room_page_begun(struct write_room* room, uint32_t die)
{
    room->die_programs[die] += room->strips;
    if (room->die_programs[die] > room->most_before)
        write_room_die_changed(room, die);
}
static inline void write_room_program_ended(struct write_room* room, uint32_t die)
{
    if (--room->die_programs[die] == room->most_before)
        write_room_die_changed(room, die);
}
/* Takes over the planes whose room has changed since the last call (blocks.room_changed). */
void write_room_refresh(struct write_room* room);
static inline void write_room_update(struct write_room* room)
{
    if (room->blocks->room_changed.count != 0)
        write_room_refresh(room);
}

/* The plane that takes the group's next page; NONE: no plane of the group takes one now. */
static inline uint32_t write_room_next(struct write_room* room, uint32_t group)
{
    write_room_update(room);
    return allocation_next(room->allocation, group);
}

/* The group that takes a page for which `group` has no plane with room: the lowest with such a plane. NONE: the group
 * has room itself, or no group has. */
uint32_t write_room_other_group(struct write_room* room, uint32_t group);

#endif
