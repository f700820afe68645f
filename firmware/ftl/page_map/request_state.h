/* SPDX-License-Identifier: Apache-2.0
 *
 * The request layer: host commands in progress, and the queues ("lines") in which they wait. Every function gets the
 * layer as a parameter; the one instance of an image is in request.c. Files, from the bottom up:
 *
 *   request_state.c  lines, completion
 *   channel_polls.c  polls of the channels before a request begins
 *   request_read.c   reads        request_write.c   writes
 *   request_fill.c   writes where no time passes
 *   request.c        arrival, trim, flush, the round of the main loop
 *
 * Owner of: struct app. Invariants: app.active counts the requests with `active`; a request is in at most one line, and
 * in_line says so; a request is completed when all its sectors are processed and it has no pieces and no unsettled
 * versions left; bit `slot` of waiters[version] is set exactly while the request in that slot counts the version in
 * `unsettled`.
 */
#ifndef STROBE_PAGE_MAP_REQUEST_STATE_H
#define STROBE_PAGE_MAP_REQUEST_STATE_H

#include "firmware/app/request.h"
#include "firmware/ftl/page_map/ftl.h"
#include "firmware/ftl/page_map/read_ahead.h"

struct request {
    uint64_t lba;
    uint32_t kind;
    uint32_t sectors;
    uint32_t first_unit, first_column; /* lba as logical unit and sector within it */
    uint32_t cursor;                   /* sectors that have been processed; trim: the next unit */
    uint32_t unordered;                /* read: sectors whose transfer is not ordered yet */
    uint32_t pieces;                   /* units in progress between host and buffer, or flash and buffer */
    uint32_t unsettled;                /* write: versions that it waits for to be in flash */
    uint32_t ticket;                   /* flush */
    uint32_t group;                    /* write: allocation group */
    uint32_t next;                     /* in a line */
    uint32_t after;                    /* write: the one with the next turn */
    uint32_t unpolled;                 /* sectors left that the channels are polled for (channel_polls.h) */
    uint64_t waits_since;              /* write: for a write slot, if it waits */
    enum host_status status;
    bool active, through, in_line;
    bool waits;     /* write: for a write slot */
    bool begun;     /* write: its turn has begun */
    uint8_t handle; /* write: of data placement */
};

struct line { /* of requests that wait for the same thing, first come first served */
    uint32_t head, tail;
};

/* Whole units side by side in a page are read by one operation. */
struct units_to_read {
    uint32_t first, last; /* slots, linked by slot.next */
    uint32_t units, end;  /* end: the physical unit after the last one */
};

struct app {
    struct ftl ftl;
    struct host_if host;
    struct request* requests;
    uint32_t slots;
    uint32_t active;
    uint32_t* waiters; /* per buffer slot: bitmap of write requests that wait for it to be in flash */
    uint32_t waiter_words;
    struct line* turns; /* serial writes, per allocation group: the one that is being written, and those after it */
    struct line for_read_slot, for_write_slot, for_flush, trims, polls;
    struct read_ahead ahead;
    struct units_to_read to_read; /* while a read command is continued; else empty */
    uint32_t read_refill;         /* a read goes on when no more of its units than this are in progress */
    uint32_t raised;              /* enum raised: events that let requests in a line continue */
    enum { SUPPLY_GOOD, SUPPLY_FAILS, SUPPLY_SAVED } supply;
    uint32_t save_ticket; /* supply fails: what was acknowledged is in flash when its epoch is over */
    struct line fills;    /* writes whose pages are programmed without the buffer (request_fill.h) */
    uint32_t fill_units;
    bool can_fill;
};

enum raised {
    RAISED_READ_SLOT = 1,  /* one is free */
    RAISED_WRITE_SLOT = 2, /* one is free */
    RAISED_FLUSH = 4,      /* one may have ended */
    RAISED_READ_ONLY = 8,  /* the drive has become read-only */
    RAISED_TURN = 16       /* the turn of a write begins */
};

/* For tests: the instance of the image (request.c). */
struct app* request_app(void);

void app_init(struct app* app, const struct boot_block* boot);
/* After the flash translation layer has started: memory for requests. */
void app_allocate(struct app* app, struct arena* arena);

void line_join(struct app* app, struct line* line, uint32_t slot);
/* REQUIRES: the line is not empty. */
static inline uint32_t line_leave(struct app* app, struct line* line)
{
    const uint32_t slot = line->head;
    line->head = app->requests[slot].next;
    app->requests[slot].in_line = false;
    return slot;
}

/* The command is completed: by its last transfer, or now. */
void request_end(struct app* app, uint32_t slot);
void request_complete(struct app* app, uint32_t slot, enum host_status status);

/* --- units and transfers ------------------------------------------------------------------------------------------ */

struct piece { /* the part of a command within one logical unit */
    uint32_t unit;
    uint32_t column; /* first sector within the unit */
    uint32_t sectors;
};

/* Avoids a 64-bit division where 32 bits suffice, which saves 100 instructions on a 32-bit core. */
static inline uint32_t unit_of_lba(const struct app* app, uint64_t lba)
{
    const uint32_t per_unit = app->ftl.geometry.sectors_per_unit;
    return lba >> 32 == 0 ? (uint32_t)lba / per_unit : (uint32_t)(lba / per_unit);
}

static inline struct piece piece_at(const struct app* app, const struct request* request, uint32_t cursor)
{
    const uint32_t per_unit = app->ftl.geometry.sectors_per_unit;
    const uint32_t at = request->first_column + cursor;
    struct piece piece;
    piece.unit = request->first_unit + at / per_unit;
    piece.column = at % per_unit;
    piece.sectors = per_unit - piece.column;
    if (piece.sectors > request->sectors - cursor)
        piece.sectors = request->sectors - cursor;
    return piece;
}

static inline uint32_t sector_mask(uint32_t column, uint32_t sectors)
{
    return (0xFFFFFFFFu >> (32 - sectors)) << column;
}

/* The cookie of a transfer's event: its kind, the buffer slot, and for writes the sectors or the number of units. */
enum cookie_kind { COOKIE_ZEROS, COOKIE_READ, COOKIE_PINNED, COOKIE_AHEAD, COOKIE_WRITE, COOKIE_RUN };
enum { COOKIE_SLOT_BITS = 19 }; /* then 5 bits each for the column and the count, and 3 for the kind */
_Static_assert(BUFFER_MOST_SLOTS <= 1u << COOKIE_SLOT_BITS, "a cookie names every slot");

static inline uint32_t cookie_of(enum cookie_kind kind, uint32_t slot, uint32_t column, uint32_t count)
{
    return slot | column << COOKIE_SLOT_BITS | (count - 1) << (COOKIE_SLOT_BITS + 5) | (uint32_t)kind << 29;
}
static inline enum cookie_kind cookie_kind(uint32_t cookie)
{
    return (enum cookie_kind)(cookie >> 29);
}
static inline uint32_t cookie_slot(uint32_t cookie)
{
    return cookie & ((1u << COOKIE_SLOT_BITS) - 1);
}
static inline uint32_t cookie_column(uint32_t cookie)
{
    return cookie >> COOKIE_SLOT_BITS & 0x1Fu;
}
static inline uint32_t cookie_count(uint32_t cookie)
{
    return (cookie >> (COOKIE_SLOT_BITS + 5) & 0x1Fu) + 1;
}

#endif
