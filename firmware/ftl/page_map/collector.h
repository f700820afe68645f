/* SPDX-License-Identifier: Apache-2.0
 *
 * Emptying blocks, one victim per plane at a time, a few pages in progress: for free space, in the background while the
 * die is idle, for static wear levelling, and to retire failed blocks. collect_policy.h decides what and how fast.
 * Progress: a plane always has GC_RESERVE free blocks besides the open block for moves when it takes a victim, a victim
 * fills at most a block less one page (capacity_most_valid()), and emptying it gives a block back. moves.h: how its
 * units get to another block.
 *
 * Owner of: the collector of each plane, except for what moves.h names. Invariants: collector.moving counts the units
 * of the victim that are being copied; the victim is in no list of the block table. A plane is examined (collector_run)
 * after it was added to `pending`: by this file, or from blocks.to_collect.
 */
#ifndef STROBE_PAGE_MAP_COLLECTOR_H
#define STROBE_PAGE_MAP_COLLECTOR_H

#include "firmware/drivers/flash.h"
#include "firmware/ftl/page_map/buffer.h"
#include "firmware/ftl/page_map/collect_policy.h"
#include "firmware/ftl/page_map/plane_set.h"
#include "firmware/ftl/page_map/policy.h"

struct ftl;

enum collect_phase {
    COLLECT_NOTHING,
    COLLECT_MOVING,
    COLLECT_EMPTIED, /* the erase waits for an idle die */
    COLLECT_ERASING,
    COLLECT_STUCK /* no page is left to move to: a read-only drive; the victim stays as it is */
};

struct collector { /* one per plane */
    uint32_t victim;
    uint32_t cursor;            /* next flash page of the victim to examine */
    uint32_t moving;            /* units in progress */
    uint32_t reading;           /* reads in progress */
    struct slot_queue gathered; /* units that were read and wait until they fill a page */
    uint32_t erasing;           /* erases in progress, of members of the victim */
    uint8_t phase, reason;
    bool wear_due;     /* a block was erased since wear was last compared */
    bool erase_failed; /* of a member of the victim */
};

struct plain_op { /* a flash operation without a buffer slot */
    uint32_t next;
    uint32_t plane;
    uint32_t source, target; /* copy-back: first units of the pages; target NONE: an erase */
};

/* Of a plane: copy-backs, and the erases of a block. */
static inline uint32_t plain_ops(const struct geometry* g)
{
    return GC_WINDOW_COPYBACK + geometry_members(g);
}

struct collection {
    struct collector* planes;
    struct collect_policy policy;
    bool works_while_idle;      /* something may wait for an idle die */
    struct plane_set pending;   /* to be examined */
    struct plane_set no_slot;   /* wait for buffer slots to move a page */
    struct plane_set idle;      /* have background work, and their die has become idle */
    struct plane_set unwritten; /* wait with an erase for the journal */
    uint32_t turn;              /* plane that is examined first: it advances, so that no plane is always first */
    struct plain_op* plain;
    uint32_t plain_free;
};

void collector_init(struct ftl* ftl, struct arena* arena);
void collector_run(struct ftl* ftl);
void collector_go_on(struct ftl* ftl, uint32_t plane, uint32_t victim); /* recovery: with this full block */
void collector_die_idle(struct ftl* ftl, uint32_t die);
bool collector_is_busy(const struct ftl* ftl); /* some plane is being collected */
/* Background collection, and folding if the host is idle; true: something was started. */
bool collector_run_idle(struct ftl* ftl, bool host_is_idle);

/* A page of the journal is in flash. */
void collector_journal_written(struct ftl* ftl);

/* The end of a copy-back or an erase. */
void collector_plain_done(struct ftl* ftl, uint32_t op, enum flash_status status);

#endif
