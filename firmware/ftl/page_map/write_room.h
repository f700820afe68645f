/* SPDX-License-Identifier: Apache-2.0
 *
 * Which planes take host data. A plane has room if it has an open block for host data, or free blocks beyond the
 * reserve, and collection has kept up with it (pacing.h); it takes a page now if the die of its next page may have so
 * many more programs of host data in progress.
 *
 * Owner of: the pSLC cache, the programs in progress per die, the state of each plane for each stream of host data, and
 * the ready sets of `allocation`. Invariants after write_room_update(): takes[] follows from the block table and
 * die_programs; lane_planes[lane] is the number of planes of the lane with room; allocation's ready sets hold exactly
 * the planes with TAKES_NOW. Depends only on the block table and on allocation, not on versions, buffers or the flash.
 */
#ifndef STROBE_PAGE_MAP_WRITE_ROOM_H
#define STROBE_PAGE_MAP_WRITE_ROOM_H

#include "firmware/ftl/page_map/allocation.h"
#include "firmware/ftl/page_map/blocks.h"
#include "firmware/ftl/page_map/pacing.h"
#include "firmware/ftl/page_map/policy.h"
#include "firmware/ftl/page_map/pslc_cache.h"

enum plane_takes {
    TAKES_NOTHING,
    TAKES_LATER /* its die has enough programs in progress, or parity is behind */,
    TAKES_NOW
};

struct write_room {
    struct block_table* blocks;
    struct allocation* allocation;
    const struct pacing* pacing; /* NULL: a plane takes host data as long as it has a page */
    uint32_t strips;             /* programs of a page */
    uint32_t most_before;        /* programs of host data that a die may have in progress when a page is added */
    struct pslc_cache cache;
    uint32_t* lane_planes;              /* per lane: planes with room */
    uint32_t planes;                    /* with room for data of the first stream */
    uint8_t* takes[ALLOCATION_STREAMS]; /* of each stream, per plane: enum plane_takes */
    uint32_t* die_programs;             /* per die: of host data, in progress */
    bool is_isolated;                   /* the lanes are of placement handles: no lane takes a page of another one */
};

/* `die_depth`: programs of host data that a die has in progress at a time; at least those of a page. */
void write_room_init(struct write_room* room, struct arena* arena, struct block_table* blocks,
                     struct allocation* allocation, uint32_t die_depth, struct pslc_cache cache,
                     const struct pacing* pacing);

/* The stream that host data goes to now: all of it, or the cold one (lanes of stream 0). */
static inline enum stream write_room_stream(const struct write_room* room)
{
    return pslc_cache_stream(&room->cache);
}
static inline enum stream write_room_stream_of(const struct write_room* room, uint32_t lane)
{
    return stream_of_host(allocation_stream_of(room->allocation, lane), write_room_stream(room));
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

/* The plane that takes the lane's next page; NONE: no plane of the lane takes one now. */
static inline uint32_t write_room_next(struct write_room* room, uint32_t lane)
{
    write_room_update(room);
    return allocation_next(room->allocation, lane);
}

/* The lane that takes a page for which `lane` has no plane with room: the lowest with such a plane. NONE: the lane
 * has room itself, no lane has, or the lanes are isolated. */
uint32_t write_room_other_lane(struct write_room* room, uint32_t lane);

#endif
