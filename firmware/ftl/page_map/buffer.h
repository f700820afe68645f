/* SPDX-License-Identifier: Apache-2.0
 *
 * The data buffer, divided into slots of one mapping unit. Slot 0 is never written and supplies zeros; each other slot
 * in use belongs to one of three uses. Each use has a limit, so that no use can starve another.
 *
 * Write slots are versions of logical units. The newest version of a unit is found by find(); a version that is being
 * programmed is not written again: newer data opens a newer version (slot.newer / slot.older). Versions of a unit may
 * be programmed at the same time and end in any order: a version that is older than a mapped one or than a trim is
 * `stale` and does not change the map.
 *
 * Owner of: the slots and the versions of each unit. Invariants: used[use] <= limit[use]; the limits together are at
 * most the slots; the versions of a unit form one list by slot.older, newest first.
 */
#ifndef STROBE_PAGE_MAP_BUFFER_H
#define STROBE_PAGE_MAP_BUFFER_H

#include "firmware/drivers/arena.h"
#include "firmware/ftl/page_map/geometry.h"

enum slot_use { USE_READ, USE_WRITE, USE_MOVE, USES };

enum slot_state {
    SLOT_FREE,
    SLOT_READING,     /* read: flash to buffer */
    SLOT_SENDING,     /* read: buffer to host */
    SLOT_AHEAD,       /* read: flash to buffer, ahead of the host */
    SLOT_CACHED,      /* read: was read ahead */
    SLOT_RECEIVING,   /* write: host to buffer */
    SLOT_PARTIAL,     /* write: sectors are missing and no command waits for it; in the partial queue */
    SLOT_READY,       /* write: to be completed and programmed; in a ready queue */
    SLOT_GATHERED,    /* write: complete, until a page is full; in a gathered queue */
    SLOT_HELD,        /* write: complete, but its command's turn has not come; in the held queue */
    SLOT_WAITING,     /* write: needs sectors from an older version that is being programmed */
    SLOT_ZEROING,     /* write: needs zeros while the unit of zeros is being written; in the zeroing queue */
    SLOT_FILLING,     /* write: missing sectors are being read */
    SLOT_DROPPED,     /* write: trimmed, and a command or flush waits for the record of the trim; dropped queue */
    SLOT_SCRUBBING,   /* move: flash to buffer, only for its errors */
    SLOT_PROGRAMMING, /* write, move: buffer to flash */
    SLOT_PINNED       /* write: in flash, kept until the host has taken what it reads */
};

#define BUFFER_MOST_SLOTS 524288u /* a larger buffer is not used beyond them */

struct slot {
    uint32_t logical;  /* unit; move: NONE */
    uint32_t physical; /* programming: target; read: source */
    uint32_t valid;    /* sectors that hold data */
    union {
        uint32_t filling; /* write: sectors that are being read */
        uint32_t source;  /* move: unit that is moved */
        uint32_t first;   /* read: first sector within the command */
    };
    uint32_t sequence;   /* of the version, for its spare record */
    uint32_t epoch;      /* write: flushes that came before it */
    uint32_t ticket;     /* trimmed: for journal_is_written() */
    uint32_t next, prev; /* in a queue; next: of the slots of one flash operation, which ends with NONE */
    uint32_t hash_next;
    uint32_t older, newer;
    uint16_t sectors;
    union {
        uint16_t lane;   /* write: of allocation.h */
        uint16_t column; /* read ahead: first sector of the unit that a command waits for */
    };
    union {
        uint16_t transfers; /* write: host transfers on their way in */
        uint16_t command;   /* read: host slot */
    };
    uint16_t pins; /* write, read ahead: host transfers on their way out */
    uint8_t state, use;
    bool stale;   /* superseded by a trim or by a newer version that is already mapped; read ahead: not to be kept */
    bool trimmed; /* stale because of a trim */
    bool lost;    /* a missing sector cannot be read: the unit is lost */
    bool urgent;  /* a command waits for it to be in flash */
    bool held;    /* not to be programmed before the turn of a command that waits for it */
    bool tried;   /* has been programmed before, and failed */
};

struct slot_queue {
    uint32_t head, tail, count;
};

/* The slots of one flash operation, linked by slot.next; the last one has NONE. */
struct slot_chain {
    uint32_t first, last; /* NONE: it is empty */
};

struct buffer {
    bus_address base;
    uint32_t unit_bytes;
    uint32_t slots; /* including slot 0 */
    struct slot* slot;
    uint32_t* free; /* bitmap */
    uint32_t cursor;
    uint32_t given_back; /* slots of reads and moves, linked by slot.next: the last one is taken first */
    uint32_t used[USES], limit[USES];
    uint32_t* hash;
    uint32_t hash_mask;
};

/* Shares the slots out among the uses, as the boot block says. Panics if the buffer is too small. */
void buffer_init(struct buffer* buffer, struct arena* arena, const struct boot_block* boot,
                 const struct geometry* geometry);

static inline bus_address buffer_address(const struct buffer* buffer, uint32_t slot)
{
    return buffer->base + slot * buffer->unit_bytes;
}

static inline struct slot* buffer_slot(const struct buffer* buffer, uint32_t slot)
{
    return &buffer->slot[slot];
}

/* A slot cleared for its use, or NONE. Write slots: neighbours in time are neighbours in memory where possible. Others:
 * those used last, which are still in the caches. */
uint32_t buffer_take(struct buffer* buffer, enum slot_use use);
static inline uint32_t buffer_left(const struct buffer* buffer, enum slot_use use)
{
    return buffer->limit[use] - buffer->used[use];
}
void buffer_give(struct buffer* buffer, uint32_t slot);

/* Newest version of a logical unit, or NONE. */
uint32_t buffer_find(const struct buffer* buffer, uint32_t logical);
/* Makes a write slot the newest version of its logical unit. */
void buffer_publish(struct buffer* buffer, uint32_t slot);
/* The data of a version is in flash, or is lost: buffer lookups no longer return it, and older versions are stale. */
void buffer_settle(struct buffer* buffer, uint32_t slot);
/* A version is mapped: older ones no longer change the map. */
static inline void buffer_outdate_older(const struct buffer* buffer, uint32_t slot)
{
    for (uint32_t older = buffer->slot[slot].older; older != NONE; older = buffer->slot[older].older)
        buffer->slot[older].stale = true;
}
/* A version into which nothing has come: the others of its unit stay as they are. */
void buffer_withdraw(struct buffer* buffer, uint32_t slot);
/* A trim: no version of the unit may change the map any more, and lookups return none. */
void buffer_forget(struct buffer* buffer, uint32_t logical);

static inline void slot_chain_append(const struct buffer* buffer, struct slot_chain* chain, uint32_t slot)
{
    buffer->slot[slot].next = NONE;
    if (chain->last == NONE)
        chain->first = slot;
    else
        buffer->slot[chain->last].next = slot;
    chain->last = slot;
}

void slot_queue_init(struct slot_queue* queue);
void slot_queue_push(struct buffer* buffer, struct slot_queue* queue, uint32_t slot);
void slot_queue_push_front(struct buffer* buffer, struct slot_queue* queue, uint32_t slot);
void slot_queue_remove(struct buffer* buffer, struct slot_queue* queue, uint32_t slot);

#endif
