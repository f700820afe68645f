/* SPDX-License-Identifier: Apache-2.0
 *
 * Work for data refresh (refresh.h) while nothing else is to be done: comparing the ages of blocks, and scrub reads. A
 * scrub read reads one page of a block that holds data and drops what it has read; its errors say whether the block is
 * due. Blocks take turns, and each round takes the next page of every block. One read at a time, at an interval, while
 * the host is idle; a read that is late by SCRUB_PATIENCE intervals is done though the host is busy.
 *
 * Owner of: struct scrub, and the timer while no partial units wait (completing.h).
 */
#ifndef STROBE_PAGE_MAP_SCRUB_H
#define STROBE_PAGE_MAP_SCRUB_H

#include "firmware/drivers/arena.h"
#include "firmware/drivers/flash.h"
#include "firmware/ftl/page_map/geometry.h"

struct ftl;

struct scrub {
    bool is_on;        /* there is something to do: reads or ages */
    bool is_reading;   /* a scrub read is in progress */
    uint64_t interval; /* ns, of scrub reads; 0: none */
    uint64_t due;      /* ns, of the next one */
    uint32_t block;    /* to be read next */
    uint32_t round;
    uint64_t step; /* ns, from one comparison of REFRESH_SLICE ages to the next; 0: none */
    uint64_t step_due;
    uint32_t compared; /* blocks of this round */
    uint64_t alarm;    /* ns, for which the timer is set; 0: it is not */
};

void scrub_init(struct scrub* scrub, const struct boot_block* boot, const struct geometry* geometry);

/* What is due now; sets the timer for what is due next. True: something was started. */
bool scrub_run(struct ftl* ftl, bool host_is_idle);

/* The end of a scrub read. */
void scrub_read_ended(struct ftl* ftl, uint32_t slot);

#endif
