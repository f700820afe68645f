/* SPDX-License-Identifier: Apache-2.0
 *
 * The superblock-mapping layer as a whole, and what its files ask of each other.
 *
 *   request.c        host commands: writes, trims, flushes        reads.c       host reads, by the foreground unit
 *   feed.c           host writes without a feeder
 *   sector_buffer.c  buffered sectors per logical superblock      superblocks.c physical superblocks, spares
 *   jobs.c           what a background unit is doing              merge.c       materialisation
 *   wear.c           explicit wear levelling                      parking.c     the optimised flush
 *   rescue.c         the buffer of a read-only drive
 *   journal.c        log of remaps, copies of the tables          recovery.c    from flash to RAM at power-on
 */
#ifndef STROBE_STATE_H
#define STROBE_STATE_H

#include "firmware/app/request.h"
#include "firmware/ftl/superblock_map/jobs.h"
#include "firmware/ftl/superblock_map/journal.h"
#include "firmware/ftl/superblock_map/parking.h"
#include "firmware/ftl/superblock_map/policy.h"
#include "firmware/ftl/superblock_map/reads.h"
#include "firmware/ftl/superblock_map/sector_buffer.h"
#include "firmware/ftl/superblock_map/superblocks.h"

struct command { /* a host command on its way, one per slot */
    uint64_t lba;
    uint32_t kind, sectors;
    uint32_t cursor;    /* sectors dealt with; trim: the next sector */
    uint32_t pieces;    /* read: operations under way */
    uint32_t waits_for; /* flush, write-through: stamp of the last write that has to be in flash */
    uint32_t next;      /* in a line */
    enum host_status status;
    bool active, through;
};

struct piece { /* sectors that the feeder has brought and that have no entry yet */
    uint32_t slot, number, first, sectors;
};

struct feed {            /* host writes that firmware fetches itself */
    uint32_t head, tail; /* slots whose data is not all ordered */
    uint32_t ordered;    /* sectors of the first of them */
    uint32_t taken;      /* sectors of the circle that were given out */
    uint32_t put, done;  /* pieces on their way */
};

struct superblock_map {
    const struct boot_block* boot;
    struct layout layout;
    struct units units;
    struct reads reads;
    struct superblocks superblocks;
    struct sector_buffer buffer;
    struct jobs jobs;
    struct journal journal;
    struct parking parking;
    struct host_if host;
    uint32_t logicals; /* logical superblocks */
    uint64_t capacity; /* sectors */
    bool read_only;

    bus_address map_at;
    bus_address* map; /* the block mapping table: block list of the physical superblock, 0: none */

    struct command* commands;
    uint32_t active;
    uint32_t waiting_head, waiting_tail; /* commands that wait for what they wrote to be in flash */
    uint32_t trim_head, trim_tail;       /* trims that have more to do */
    struct piece* pieces;                /* a ring of those without an entry */
    struct piece* flying;                /* the same of those that firmware has ordered */
    struct feed feed;
    uint32_t pieces_mask, pieces_taken, pieces_put;

    bool at_rest;        /* the last round has found nothing to do */
    bool wants_entry;    /* sectors or a trim find no entry */
    bool draining;       /* materialisation goes on until one superblock is left */
    uint32_t high_water; /* sectors: it begins when fewer are free … */
    uint32_t limit;      /* … or more superblocks are open */
    uint32_t turn;       /* superchip that was served last */
};

extern struct superblock_map sbm;

/* --- request.c ---------------------------------------------------------------------------------------------------- */

void command_complete(uint32_t slot, enum host_status status);
void command_end(uint32_t slot); /* the hardware completes it */
/* No write may be acknowledged any more: `why` goes to the console. */
void turn_read_only(const char* why);

/* --- feed.c ------------------------------------------------------------------------------------------------------- */

void feed_start(uint32_t slot); /* a write command */
void feed_run(void);
struct piece feed_done(void); /* the piece whose transfer has ended */

/* --- merge.c ------------------------------------------------------------------------------------------------------ */

/* Begins the merges that are due, one per idle background unit; true: some are done already. */
bool merge_run(void);
/* Whether a merge or a levelling of that superblock is under way. */
bool logical_is_busy(uint32_t logical);

/* --- rescue.c ----------------------------------------------------------------------------------------------------- */

/* Keeps the circle of a read-only drive going. */
void rescue_run(void);

/* --- wear.c ------------------------------------------------------------------------------------------------------- */

/* Looks for a superblock to move while the drive is idle; true: one is being moved. */
bool wear_run(void);

#endif
