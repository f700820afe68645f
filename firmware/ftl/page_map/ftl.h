/* SPDX-License-Identifier: Apache-2.0
 *
 * The page-mapping flash translation layer: its state, and what the request layer (request.c) asks of it.
 *
 *   ftl.c         start-up, capacity, who gets the end of a flash operation
 *   writeout.c    write versions: programming; placing.c, completing.c, write_queues.c: what comes before
 *   collector.c   garbage collection, static wear levelling, emptying of failed blocks
 *   journal.c     what the spare records do not tell; tables.c: blocks that hold tables
 *   checkpoint.c  map and block table in flash, so that recovery is short
 *   recovery.c    start-up on flash that holds data
 *   bad_blocks.c  finding factory bad blocks, replacing those that go bad
 */
#ifndef STROBE_FTL_H
#define STROBE_FTL_H

#include "firmware/drivers/arena.h"
#include "firmware/drivers/flash.h"
#include "firmware/drivers/host_if.h"
#include "firmware/ftl/page_map/allocation.h"
#include "firmware/ftl/page_map/blocks.h"
#include "firmware/ftl/page_map/buffer.h"
#include "firmware/ftl/page_map/map.h"
#include "firmware/ftl/page_map/policy.h"
#include "firmware/ftl/page_map/victim.h"

/* What the request layer wants to know; called from inside flash_poll() and ftl_run(). */
struct ftl_client {
    void (*page_read)(uint32_t slot, bool ok); /* a read slot holds its sectors, or they are lost */
    void (*version_settled)(uint32_t slot, enum host_status status); /* a write slot is in flash, dropped or lost */
    void (*slot_free)(enum slot_use use);
    void (*flushed)(void);   /* ftl_is_flushed() may have changed */
    void (*read_only)(void); /* no spare block is left */
};

enum collect_phase {
    COLLECT_NOTHING,
    COLLECT_MOVING,
    COLLECT_EMPTIED, /* the erase waits for an idle die */
    COLLECT_ERASING,
    COLLECT_STUCK /* no page is left to move to: a read-only drive; the victim stays as it is */
};
enum collect_reason { COLLECT_FOR_SPACE, COLLECT_WHILE_IDLE, COLLECT_FOR_WEAR, COLLECT_FAILED };

struct collector { /* one per plane */
    uint32_t victim;
    uint32_t cursor; /* next page of the victim to look at */
    uint32_t moving; /* pages under way */
    uint8_t phase, reason;
    bool wear_due; /* a block was erased since wear was looked at */
};

struct plane_set {
    uint32_t* planes; /* bitmap */
    uint32_t count;
};

struct plain_op {
    uint32_t next;
    uint32_t plane;
    uint32_t source, target; /* copy-back: physical pages; target NONE: an erase */
};

struct journal_buffer {
    bus_address at;
    struct journal_page* page;
    uint32_t epoch; /* the oldest flush that waits for it is that of this epoch, if it holds */
    bool holds;
};

struct journal { /* journal.c */
    struct journal_buffer buffer[2];
    uint32_t capacity;    /* records of a page */
    uint32_t filling;     /* buffer */
    uint32_t writing;     /* buffer, or NONE */
    uint32_t block, page; /* where the next one goes; NONE: no block is open */
    uint32_t next;        /* block that is kept for when that one is full, or NONE */
    uint32_t blocks;      /* that hold records since the last checkpoint */
    uint32_t number;      /* of the next page */
    uint32_t written;     /* number of the last one in flash */
    uint32_t* waiting;    /* bitmap of planes that want to erase a block */
    uint32_t *live, *old; /* bitmaps of blocks: since the beginning of the last checkpoint, and before */
    bool due, stalled, any_waiting;
};

enum checkpoint_phase { CHECKPOINT_IDLE, CHECKPOINT_COMPOSING, CHECKPOINT_COMPOSED, CHECKPOINT_PROGRAMMING };

struct checkpoint { /* checkpoint.c */
    struct checkpoint_layout layout;
    bus_address at; /* the page that is composed or read */
    void* page;
    uint16_t* covered;           /* by block: pages in flash and in the map at the beginning */
    uint32_t *current, *writing; /* blocks of the complete one, and of the one under way */
    uint32_t current_blocks, taken;
    uint32_t number;   /* of the next, or the one under way */
    uint32_t sequence; /* at its beginning */
    uint32_t journal_first;
    uint32_t since; /* clock at its beginning */
    uint32_t index, entry;
    uint8_t phase; /* enum checkpoint_phase */
    bool blocked;  /* the journal has to make room */
};

enum plane_takes { TAKES_NOTHING, TAKES_LATER /* its die is busy with others */, TAKES_NOW };

struct ftl {
    const struct boot_block* boot;
    struct geometry geometry;
    struct flash flash;
    struct block_table blocks;
    struct page_map map;
    struct allocation allocation;
    struct buffer buffer;
    struct ftl_client client;
    uint64_t capacity; /* sectors */
    uint32_t exported; /* logical pages; the zero pages follow */
    bool read_only;

    /* writeout */
    uint32_t sequence;
    uint32_t unsettled;       /* versions that are not in flash yet */
    struct slot_queue* ready; /* per allocation group */
    uint32_t ready_slots;     /* in all of them */
    bool made_ready;          /* some version, since last looked at */
    struct slot_queue partial, zeroing, held, dropped;
    uint64_t partial_due;   /* time at which partial pages are completed, if the host stays idle; 0: it is not */
    uint32_t partial_limit; /* write slots in use above which partial pages are completed */
    uint32_t* die_programs; /* of host data, under way */
    uint8_t* plane_takes;   /* host data: enum plane_takes */
    uint32_t* group_room;   /* planes with room */
    uint32_t zero_pages, next_zero;
    uint32_t epoch, oldest_epoch; /* a flush ends an epoch */
    uint32_t* epoch_slots;        /* write slots in use per epoch, a ring */
    uint32_t epoch_mask;

    /* collector */
    struct collector* collectors;
    victim_policy choose_victim;
    uint32_t gc_low, gc_idle; /* free blocks per plane */
    bool works_while_idle;    /* something may wait for an idle die */
    struct plane_set pending; /* to be looked at */
    struct plane_set thirsty; /* that wait for a move slot */
    struct plane_set resting; /* whose die has become idle */
    uint32_t turn;            /* plane that is asked first: no plane is always served before the others */
    struct plain_op* plain;
    uint32_t plain_free;

    struct journal journal;
    struct checkpoint checkpoint;
    struct recovery* recovery; /* under way; NULL: the drive works */

    /* bad blocks */
    uint32_t* scan_cursor; /* per die: block that is being examined */
    uint32_t scans;        /* under way */
};

/* Starts the layer, on an empty drive or on what an earlier power cycle has left. Panics when the scenario's geometry,
 * memory or capacity do not fit. */
void ftl_init(struct ftl* ftl, const struct boot_block* boot, struct arena* arena, const struct ftl_client* client);

void ftl_run(struct ftl* ftl);                          /* starts what has become possible */
bool ftl_has_work(const struct ftl* ftl);               /* ftl_run() is to be called again at once */
bool ftl_idle_work(struct ftl* ftl, bool host_is_idle); /* background work; true: something was started */

/* --- reads -------------------------------------------------------------------------------------------------------- */

/* Reads sectors [column, column + sectors) of a mapped physical page into a read slot. */
void ftl_read(struct ftl* ftl, uint32_t slot, uint32_t physical, uint32_t column, uint32_t sectors);

/* --- writes (placing.c) ------------------------------------------------------------------------------------------ */

/* The version that takes sectors `mask` of a logical page: one that may still be written, or a new one. NONE: no write
 * slot is free. A host transfer into it is ordered by the caller and reported by ftl_arrived(). */
uint32_t ftl_place(struct ftl* ftl, uint32_t logical, uint32_t mask, uint32_t group, bool hurry);
/* A new version of a page that stays in the buffer until it is released; one that is there already stays as it is. */
uint32_t ftl_place_held(struct ftl* ftl, uint32_t logical, uint32_t mask, uint32_t group);
/* The version may be programmed. */
void ftl_release(struct ftl* ftl, uint32_t slot);
void ftl_arrived(struct ftl* ftl, uint32_t slot, uint32_t mask);
/* The host has taken what it read from a version. */
void ftl_unpin(struct ftl* ftl, uint32_t slot);
void ftl_trim(struct ftl* ftl, uint32_t logical);
/* Everything placed before is to be in flash; returns the ticket for ftl_is_flushed(). */
uint32_t ftl_flush(struct ftl* ftl);
static inline bool ftl_is_flushed(const struct ftl* ftl, uint32_t ticket)
{
    return (int32_t)(ftl->oldest_epoch - ticket) > 0;
}

#endif
