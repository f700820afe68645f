/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads that cannot be corrected, reconstructed by parity (parity.h): the same sectors of the other pages of the stripe
 * are read at the same time, the XOR engine adds them up, and the last one stores the sum where the failed read would
 * have stored its data. The sum of their spare records has to be a record of the unit that is wanted; otherwise, or
 * if one of the reads fails, the data is lost. A stripe that is not full is ended, so that it gets its
 * parity, and the read waits for that. At most REBUILD_JOBS reads are reconstructed at a time; the others wait.
 *
 * The failed reads are those of whole units or parts of them, one slot each: for the host, for merges, and of
 * collection. Of a read that was reconstructed the block is due (refresh.h): its data is moved.
 *
 * Owner of: the slots between their failed read and take_ended(), linked by slot.next; the jobs; one accumulator of the
 * XOR engine each, after those of parity.h.
 */
#ifndef STROBE_PAGE_MAP_REBUILD_H
#define STROBE_PAGE_MAP_REBUILD_H

#include "firmware/drivers/arena.h"
#include "firmware/drivers/flash.h"
#include "firmware/ftl/page_map/buffer.h"
#include "firmware/ftl/page_map/policy.h"

struct ftl;

enum rebuild_end {
    REBUILD_DONE,   /* the slot holds the data, its descriptor the spare record */
    REBUILD_FAILED, /* the data is lost */
    REBUILD_MOVED,  /* the unit is elsewhere by now, or was trimmed */
    REBUILD_ENDS
};

struct rebuild_job {
    uint32_t slot;    /* NONE: free */
    uint32_t logical; /* the unit that it reads */
    uint32_t left;    /* reads in progress */
    uint32_t set;     /* for the XOR engine */
    bool failed;
    struct flash_spare spare; /* sum */
};

struct rebuild {
    struct rebuild_job* jobs;
    struct slot_queue waiting; /* for a job */
    struct slot_queue unsafe;  /* for parity */
    struct slot_queue ended[REBUILD_ENDS];
    uint32_t first_op;
};

static inline uint32_t rebuild_ops(const struct geometry* g)
{
    return g->has_parity ? REBUILD_JOBS * (g->width - 1) : 0;
}

void rebuild_init(struct ftl* ftl, struct arena* arena, uint32_t first_op);

/* The read of a slot is uncorrectable. False: it is not one of those above. */
bool rebuild_begin(struct ftl* ftl, uint32_t slot);
/* A read of this part has ended. */
void rebuild_read_ended(struct ftl* ftl, uint32_t op, enum flash_status status);
/* The parity of some stripe is in flash. */
void rebuild_parity_ended(struct ftl* ftl);
/* A slot that ended so, or NONE. */
uint32_t rebuild_take_ended(struct ftl* ftl, enum rebuild_end how);

#endif
