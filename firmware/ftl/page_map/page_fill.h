/* SPDX-License-Identifier: Apache-2.0
 *
 * Pages of host data that are programmed without the buffer, where no time passes (hal_can_store()): what fills a drive
 * by functional preconditioning. Where the next page goes (write_room.h, host_page.h), spare records and the map
 * are as in writeout.c; versions, unit tables, descriptors and events are left out, because each program ends at once.
 *
 * A round begins while the flash has no operation in progress, and stores pages until each die has as many programs as
 * it takes at a time; they count as in progress until the round ends.
 *
 * Not for drives with data refresh, a pSLC cache, two cores, or planned order of commands (serial writes, groups,
 * scans).
 */
#ifndef STROBE_PAGE_MAP_PAGE_FILL_H
#define STROBE_PAGE_MAP_PAGE_FILL_H

#include "firmware/hal/hal.h"

struct ftl;

#define FILL_PIECES 64u  /* of a page, and of a strip */
#define FILL_RECORDS 64u /* spare records of a strip */

struct fill_run { /* neighbouring units of a host write */
    struct hal_piece piece;
    uint32_t logical, units;
};

bool page_fill_is_possible(const struct ftl* ftl); /* on this drive */
/* Host data may bypass the buffer now: no version is in it, no plane is being collected, the drive takes writes. */
bool page_fill_may_begin(const struct ftl* ftl);

/* `runs`: the units of a page, in order. False: no plane takes a page in this round. failed: strips whose program has
 * failed, by bit; the host still has their units. */
bool page_fill(struct ftl* ftl, const struct fill_run* runs, uint32_t* failed);

/* The next units of the runs, at most `most`, that are side by side: a part of a run. */
struct fill_cursor {
    const struct fill_run* run;
    uint32_t unit; /* of the run */
};
static inline uint32_t fill_take(struct fill_cursor* at, uint32_t most, uint32_t* unit)
{
    if (at->unit == at->run->units) {
        ++at->run;
        at->unit = 0;
    }
    const uint32_t left = at->run->units - at->unit;
    const uint32_t units = left < most ? left : most;
    *unit = at->unit;
    at->unit += units;
    return units;
}
void page_fill_end_round(struct ftl* ftl);

#endif
