/* SPDX-License-Identifier: Apache-2.0
 *
 * The state of a drive with superblock mapping. Every function of the layer gets it, or the part of it that it needs,
 * as a parameter; request.c owns the one instance of an image. Layers, from the bottom; a file calls only files on
 * lines above its own, or to the left on its own line:
 *
 *   read_progress                                    fences: which reads have ended
 *   superblocks, sector_buffer                       the pool of physical superblocks; buffered sectors
 *   jobs                                             what the background units are doing
 *   state                                            this file: map, read-only state
 *   commands                                         host commands, from their arrival to their completion
 *   journal_records, journal_areas, journal_tables, journal      the log and copies of the tables
 *   merge_choice, merge; parking; wear; rescue       what background units do, and when
 *   reads, feed, durability, writes, trims           host commands, by kind
 *   recovery_read, recovery_tables, recovery_log, recovery_parked, recovery      from flash to RAM at power-on
 *   request                                          the loop, and the start
 *
 * Invariants of the whole, which tests/firmware/ftl/superblock_map/small_superblocks.cpp checks:
 *   - map[l] is the block list of a superblock in state SUPERBLOCK_MAPPED with `logical` l, in the group of l, or 0
 *   - a superblock is in state SUPERBLOCK_LEAVING exactly while a pending record of the journal frees it
 *   - at rest no superblock is in state SUPERBLOCK_TARGET or SUPERBLOCK_LEAVING
 */
#ifndef STROBE_SUPERBLOCK_MAP_STATE_H
#define STROBE_SUPERBLOCK_MAP_STATE_H

#include "firmware/drivers/boot.h"
#include "firmware/drivers/host_if.h"
#include "firmware/drivers/units.h"
#include "firmware/ftl/superblock_map/flash_format.h"
#include "firmware/ftl/superblock_map/jobs.h"
#include "firmware/ftl/superblock_map/layout.h"
#include "firmware/ftl/superblock_map/policy.h"
#include "firmware/ftl/superblock_map/read_progress.h"
#include "firmware/ftl/superblock_map/sector_buffer.h"
#include "firmware/ftl/superblock_map/superblocks.h"

/* --- host commands (commands.c, reads.c, feed.c, writes.c, trims.c, durability.c) --------------------------------- */

struct command { /* one per slot of the host port */
    uint64_t lba;
    uint32_t kind, sectors;
    uint32_t cursor;    /* sectors that are done; trim: the next sector */
    uint32_t pieces;    /* read: operations in progress */
    uint32_t waits_for; /* flush, write-through: stamp of the last write that has to be in flash */
    uint32_t next;      /* in a line */
    enum host_status status;
    bool active, through;
};

struct command_line { /* slots in order of arrival, linked by command.next; head NONE: empty */
    uint32_t head, tail;
};

struct commands {
    struct command* slot;
    uint32_t active;
};

struct reads {
    uint32_t first_slot, slots; /* descriptor slots, used in turn */
    uint32_t* command;          /* per descriptor slot: host slot */
    bus_address scratch_at;     /* per descriptor slot READ_MOST words: its sector table */
    uint32_t* scratch;
    bus_address no_sectors;   /* a sector table of a whole superblock that contains only zeros */
    struct command_line line; /* commands with operations that have not begun */
};

struct piece { /* sectors in the buffer that have no entry yet */
    uint32_t slot, number, first, sectors;
};

struct feed {                 /* host writes that firmware fetches itself */
    struct command_line line; /* writes whose transfers are not all ordered */
    uint32_t ordered;         /* sectors of the first of them */
    uint32_t taken;           /* sectors of the ring that transfers have been ordered for */
    struct piece* flying;     /* a ring of pieces whose transfer is ordered */
    uint32_t put, done;       /* counts of them */
    uint32_t mask;
};

struct writes {
    struct piece* pieces; /* a ring of pieces in the buffer */
    uint32_t mask, taken, put;
};

/* --- the journal (journal*.c) ------------------------------------------------------------------------------------- */

#define COPIES_MOST 2u

struct record {
    uint32_t word[LOG_RECORD_WORDS];
    uint32_t leaving; /* superblock that becomes free when the record is in the log, or NONE */
};

struct journal_records {    /* changes that are not in the log yet */
    struct record* pending; /* a ring */
    uint32_t mask, most;
    uint32_t put, taken;
    uint32_t covered; /* of those pending: how many the write in progress contains */
};

struct area { /* superblocks that are used in turn */
    uint32_t member[AREA_MOST];
    uint32_t generation[AREA_MOST]; /* that the member's contents belong to, 0: none */
    bool failed[AREA_MOST];
    uint32_t members, last;
};

struct journal {
    struct journal_records records;
    uint32_t copies, table_parts; /* a copy of the tables takes so many superblocks */
    struct area log[COPIES_MOST], table[COPIES_MOST];
    uint32_t generation;
    uint32_t log_at[COPIES_MOST]; /* member of the log area in use */
    uint32_t page;                /* of the log, the next one */
    uint32_t logged;              /* records in this log */
    uint32_t most_logged;         /* after which the tables are copied */
    bool writing, copying, needs_copy;
    bus_address page_at, image_at, spares_at;
    uint32_t* log_page;
    uint32_t* image;            /* a copy of the tables, also for recovery */
    struct flash_spare* spares; /* of the pages of a superblock, for recovery */
    uint32_t image_bytes;       /* size of its memory */
    uint32_t* live;             /* recovery: stamps of parked runs that are not merged yet; copies name them … */
    uint32_t lives, most_lives; /* … in place of the stamps in the buffer, while lives is not 0 */
};

/* --- merging, parking, rescue (merge*.c, parking.c, rescue.c) ----------------------------------------------------- */

struct merging {
    bool needs_entry;    /* sectors or a trim find no entry */
    bool draining;       /* merges go on until one superblock is left */
    uint32_t high_water; /* sectors: draining begins when fewer are free … */
    uint32_t limit;      /* … or more superblocks are open */
};

#define PARKING_MOST BOOT_BLOCK_PARKING_SUPERBLOCKS_MAX /* superblocks of the area */

struct parking {
    uint32_t member[PARKING_MOST];
    uint32_t last_stamp[PARKING_MOST]; /* of what is parked there */
    uint32_t members;
    uint32_t current, row;       /* where the next batch goes; current NONE: nowhere yet */
    uint32_t batch;              /* number of the last one */
    uint32_t position;           /* of the ring: all sectors before it are parked or merged */
    uint32_t stamp;              /* all writes up to it are */
    uint32_t until, until_stamp; /* of the round in progress */
    bool running, requested;
    bus_address table_at, index_at;
    uint32_t* table; /* addresses of the batch's sectors */
    struct parking_index* index;
};

struct rescue {
    bus_address table_at;
    uint32_t* table; /* the sector table of one sector */
    bus_address room_at;
    uint32_t room, used; /* sectors after the ring, and those that hold one */
};

/* --- recovery (recovery*.c) --------------------------------------------------------------------------------------- */

struct area_contents { /* by the spare record of each member's first page; generation 0: none */
    uint32_t generation[AREA_MOST], part[AREA_MOST];
};

struct batch { /* in the parking area */
    uint32_t number, superblock, row, sectors;
};

struct recovery {     /* a part per step, in the order of the steps */
    const char* step; /* name of the step in progress or of the last one */
    struct {
        bool ended; /* the operation that a step waits for */
        enum flash_status status;
    } wait;
    struct {
        struct area_contents table[COPIES_MOST], log[COPIES_MOST];
        uint32_t newest; /* generation of which anything was found */
    } scan;
    struct {
        uint32_t generation;    /* that was loaded; 0: none, the drive is new */
        const uint32_t* stamps; /* of the entries that the buffer held when the tables were copied */
    } tables;
    struct {
        struct batch* batch;
        uint32_t batches, most_batches;
    } parked;
};

/* --- the drive ---------------------------------------------------------------------------------------------------- */

struct superblock_map {
    const struct boot_block* boot;
    struct layout layout;
    uint32_t logicals; /* logical superblocks */
    uint64_t capacity; /* sectors */
    bool read_only;
    bool at_rest; /* the last round of the loop found nothing to do */
    bus_address map_at;
    bus_address* map; /* per logical superblock: block list of its physical superblock, 0: none */

    struct host_if host;
    struct units units;
    struct read_progress read_progress;
    struct superblocks superblocks;
    struct sector_buffer buffer;
    struct jobs jobs;
    struct commands commands;
    struct journal journal;
    struct merging merging;
    struct parking parking;
    struct rescue rescue;
    struct reads reads;
    struct feed feed;
    struct writes writes;
    struct command_line trims;
    struct command_line flushes; /* and write-through commands: they wait for what they wrote to be in flash */
    struct recovery recovery;
};

/* The physical superblock of a logical one, or NONE. */
static inline uint32_t mapped_superblock(const struct superblock_map* sbm, uint32_t logical)
{
    return sbm->map[logical] == 0 ? NONE : superblock_at(&sbm->superblocks, sbm->map[logical]);
}

/* Changes only the map. */
static inline void set_mapped_superblock(struct superblock_map* sbm, uint32_t logical, uint32_t number)
{
    sbm->map[logical] = number == NONE ? 0 : superblock_blocks(&sbm->superblocks, number);
}

/* The map refers to `target` (NONE: nothing) from now on; `source` (or NONE) is free when the log contains the record.
 * */
void change_mapped_superblock(struct superblock_map* sbm, uint32_t logical, uint32_t target, uint32_t source);

/* From now on no write is acknowledged; the first `why` goes to the console. */
void turn_read_only(struct superblock_map* sbm, const char* why);

#endif
