/* SPDX-License-Identifier: Apache-2.0
 *
 * The state of recovery, by the step that owns it, and the flash operations of all steps. A step reads the state of
 * earlier steps and writes its own. Exception: loading the checkpoint sets the sequence numbers that versions start
 * from.
 */
#ifndef STROBE_PAGE_MAP_RECOVERY_STATE_H
#define STROBE_PAGE_MAP_RECOVERY_STATE_H

#include "firmware/drivers/arena.h"
#include "firmware/drivers/flash.h"
#include "firmware/ftl/page_map/geometry.h"

struct ftl;

#define RECOVERY_DEPTH 2u /* reads in progress for each die of a group */

/* --- flash operations (recovery_state.c) -------------------------------------------------------------------------- */

/* The end of operation `index`. */
typedef void (*recovery_handler)(struct ftl* ftl, uint32_t index, enum flash_status status);

struct recovery_op {
    uint32_t group; /* of dies */
    uint32_t at;    /* first unit of the flash page that is being read; or block that is being erased */
    uint32_t unit;  /* data pages: the unit of the flash page whose record is examined; erases: the member */
    recovery_handler on_done;
    bool is_slc;              /* first pages: the page is read in pSLC mode */
    struct flash_spare spare; /* verifying: the record of the unit */
    uint32_t named;           /* verifying: unit that the map names, whose number is being read */
};

struct recovery_io {
    struct recovery_op* ops; /* RECOVERY_DEPTH for each die of a group, group by group */
    uint32_t in_progress;
    uint32_t pages; /* read so far */
};

/* --- state of the steps ------------------------------------------------------------------------------------------- */

enum first_kind {
    FIRST_BLANK,   /* reads as erased; an erase may have been in progress */
    FIRST_UNKNOWN, /* cannot be read, or holds no record */
    FIRST_DATA,
    FIRST_JOURNAL,
    FIRST_CHECKPOINT
};

enum block_goes_on { /* what a block is again after an orderly power-off (recovery_orderly.c) */
                     GOES_ON_AS_FOUND,
                     GOES_ON_FREE,
                     GOES_ON_SPARE,
                     GOES_ON_OPEN /* + enum stream */
};

struct first_page { /* contents of the first page of a block: of the first page of each of its dies, one with a record
                     */
    struct flash_spare spare;
    uint8_t kind : 7;  /* enum first_kind */
    bool has_room : 1; /* the second sweep read a blank page */
    uint8_t goes_on;   /* enum block_goes_on */
    uint16_t taken;    /* pages up to the last one that is not blank, of those that the second sweep read */
};

struct recovery_modes { /* recovery_modes.c: of the read that has ended, and of the block */
    bool is_blank, has_record;
};

struct recovery_sweep {     /* recovery_pages.c: first pages, data pages */
    uint32_t *block, *page; /* by group: position, block counted in the group, flash page; NONE: block not begun */
    uint32_t* blanks;       /* by group: blank pages of the block read since the last one that is not */
    bool is_first;          /* the sweep over the first pages */
};

/* Another copy of a version that the map names: collection had not erased the first copy yet. */
struct duplicate {
    uint32_t logical, physical, sequence;
};

struct recovery_versions { /* recovery_versions.c */
    uint32_t* sequence;    /* by logical unit, of the version that the map names; 0: not read yet */
    struct duplicate* duplicates;
    uint32_t duplicate_count, duplicate_limit;
    uint32_t highest;  /* sequence number found */
    uint32_t begun_at; /* sequence number at the beginning of the checkpoint; 0: there is none */
};

struct recovery_tables {    /* recovery_tables.c: checkpoint, journal */
    uint32_t checkpoint;    /* its number; 0: there is none */
    uint32_t journal_first; /* journal pages with this number or a higher one are valid */
    bool is_read;           /* the last page of a table could be read, and is not blank */
    bool is_blank;
};

struct recovery_erases { /* recovery_blocks.c: blocks to erase, erases */
    uint32_t* erase;     /* bitmap of blocks to be erased */
    uint32_t* spare;     /* bitmap of those that become spares */
    uint32_t* cursor;    /* by group: blocks examined, spares first, then the others */
    struct group_erase {
        uint32_t next, left; /* members of the block: to be erased, not erased yet */
        bool has_failed;
    }* group; /* the block of each group that is being erased */
};

struct recovery {
    struct arena* arena;
    const char* step; /* name of the one that is running */
    struct recovery_io io;
    struct first_page* first; /* by block */
    struct recovery_sweep sweep;
    struct recovery_modes modes;
    struct recovery_versions versions;
    struct recovery_tables tables;
    struct recovery_erases erases;
};

/* --- for the steps ------------------------------------------------------------------------------------------------ */

/* Zeroed memory for the state of the running step. */
/* Operations that serve a group. */
static inline uint32_t recovery_depth(const struct geometry* g)
{
    return RECOVERY_DEPTH * g->width;
}
void* recovery_array(struct recovery* recovery, uint64_t count, uint32_t size);

void recovery_prepare_io(struct ftl* ftl, struct recovery* recovery);

/* Reads `sectors` from a unit on; the records of all units of a flash page, without its data; erases a member of a
 * block. One operation per index at a time. */
void recovery_read(struct ftl* ftl, uint32_t index, uint32_t unit, uint32_t sectors, bus_address to,
                   recovery_handler on_done);
void recovery_read_records(struct ftl* ftl, uint32_t index, uint32_t unit, recovery_handler on_done);
void recovery_erase(struct ftl* ftl, uint32_t index, uint32_t block, uint32_t member, recovery_handler on_done);

/* Of the ended read; the record of unit `i` after recovery_read_records(), which a later recovery_read() keeps. */
struct flash_spare recovery_record(const struct ftl* ftl, uint32_t index, uint32_t i);
struct flash_spare recovery_spare(const struct ftl* ftl, uint32_t index);
bool recovery_was_blank(const struct ftl* ftl, uint32_t index);

void recovery_wait(struct ftl* ftl); /* until no operation is in progress */

/* An operation of the flash driver has ended. */
void recovery_done(struct ftl* ftl, uint32_t op, enum flash_status status);

#endif
