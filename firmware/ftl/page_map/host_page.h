/* SPDX-License-Identifier: Apache-2.0
 *
 * How a page of host data gets its place in the flash, whether its units come from the buffer (writeout.h) or go past
 * it (page_fill.h). The plane is chosen before, by write_room_next().
 */
#ifndef STROBE_PAGE_MAP_HOST_PAGE_H
#define STROBE_PAGE_MAP_HOST_PAGE_H

#include "firmware/ftl/page_map/ftl.h"

/* The next page of the plane, in the stream to which host data of the lane goes now; it counts as begun on its die
 * until its strips have ended (write_room_program_ended()). Returns its first unit. REQUIRES: the plane takes a page
 * now. Always inline, so that the cycles of write-out on the RV32 core do not depend on an estimate of the compiler. */
__attribute__((always_inline)) static inline uint32_t host_page_take(struct ftl* ftl, uint32_t lane, uint32_t plane)
{
    const enum stream stream = write_room_stream_of(&ftl->room, lane);
    const uint32_t die = blocks_next_die(&ftl->blocks, plane, stream);
    const uint32_t unit = blocks_take_page(&ftl->blocks, plane, stream, write_room_keep(&ftl->room));
    pacing_space_changed(&ftl->pacing, plane);
    write_room_page_begun(&ftl->room, die);
    return unit;
}

#endif
