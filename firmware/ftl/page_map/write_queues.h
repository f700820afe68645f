/* SPDX-License-Identifier: Apache-2.0
 *
 * The queues that a write version passes through on its way to flash. Files of the write path, from the bottom up:
 *
 *   write_queues.c  the queues                write_room.c  which planes take host data
 *   placing.c       a version is made, filled by the host, settled; trim and flush
 *   completing.c    sectors that a version is missing
 *   writeout.c      programming
 *
 * Owner of: struct write_queues. Invariants: a slot is in at most one queue, and its state names the queue (SLOT_READY,
 * SLOT_GATHERED, SLOT_PARTIAL, SLOT_ZEROING, SLOT_HELD, SLOT_DROPPED); ready_slots and gathered_slots are the numbers
 * of slots in all ready and all gathered queues.
 */
#ifndef STROBE_PAGE_MAP_WRITE_QUEUES_H
#define STROBE_PAGE_MAP_WRITE_QUEUES_H

#include "firmware/ftl/page_map/buffer.h"

struct write_queues {
    struct buffer* buffer;
    struct slot_queue* ready;    /* per lane (allocation.h) */
    struct slot_queue* gathered; /* per lane: complete, until they fill a page */
    uint32_t gathered_slots;
    bool short_due; /* the host is idle: gathered versions are programmed though they do not fill a page; ends with
                       the next new version */
    uint32_t lanes;
    uint32_t ready_slots;
    bool made_ready; /* a version became ready since write-out last cleared this */
    struct slot_queue partial, zeroing, held, dropped;
    uint32_t partial_limit; /* write slots in use above which partial units are completed */
};

void queues_init(struct write_queues* queues, struct arena* arena, struct buffer* buffer, uint32_t lanes);

/* Into the ready queue of its lane, or the held one. */
void queues_make_ready(struct write_queues* queues, uint32_t slot);
/* To the front of its ready queue: a version in progress continues before a new one begins. */
void queues_make_ready_first(struct write_queues* queues, uint32_t slot);
void queues_take_ready(struct write_queues* queues, uint32_t slot);

/* A complete version waits for others to fill a page with. */
void queues_gather(struct write_queues* queues, uint32_t slot);
void queues_leave_gathered(struct write_queues* queues, uint32_t slot);

/* The version goes to flash in another lane. */
void queues_change_lane(struct write_queues* queues, uint32_t slot, uint32_t lane);

void queues_make_partial(struct write_queues* queues, uint32_t slot);
void queues_leave_partial(struct write_queues* queues, uint32_t slot);
/* Partial versions, or gathered ones that are not to be programmed yet. */
static inline bool queues_have_incomplete(const struct write_queues* queues)
{
    return queues->partial.head != NONE || (queues->gathered_slots != 0 && !queues->short_due);
}
/* All partial versions become ready; true: there was one. */
bool queues_complete_partial(struct write_queues* queues);

/* Gathered versions are to be programmed though they do not fill a page; true: there are some for which that is new. */
bool queues_make_short_due(struct write_queues* queues);

/* The version may be programmed: ends `held`. */
void queues_release(struct write_queues* queues, uint32_t slot);

/* Zeroing: until the unit of zeros is in flash. Dropped: until the journal is written. */
void queues_wait_for_zeros(struct write_queues* queues, uint32_t slot);
void queues_zeros_written(struct write_queues* queues);
void queues_wait_for_journal(struct write_queues* queues, uint32_t slot);
void queues_journal_written(struct write_queues* queues);

#endif
