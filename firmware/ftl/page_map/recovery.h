/* SPDX-License-Identifier: Apache-2.0
 *
 * Start-up on flash that holds data of an earlier power cycle: docs/firmware.md, "Recovery".
 *
 *   recovery.c         the steps
 *   recovery_tables.c  checkpoint and journal
 *   recovery_pages.c   reading spare records; which version of a logical page is the newest
 *   recovery_blocks.c  what each block is from now on; the blocks that have to be erased before anything else
 */
#ifndef STROBE_RECOVERY_H
#define STROBE_RECOVERY_H

#include "firmware/ftl/page_map/ftl.h"
#include "firmware/ftl/page_map/spare.h"

/* Fills the map, the block table and the journal's state. Ends when the drive can be used. */
void recovery_run(struct ftl* ftl, struct arena* arena);
void recovery_done(struct ftl* ftl, uint32_t op, enum flash_status status);

/* --- what the files share ----------------------------------------------------------------------------------------- */

enum first_kind {
    FIRST_BLANK,   /* reads as erased; it may have been under way to it */
    FIRST_UNKNOWN, /* cannot be read, or says nothing */
    FIRST_DATA,
    FIRST_JOURNAL,
    FIRST_CHECKPOINT
};

/* What the first page of a block says. */
struct first_page {
    struct flash_spare spare;
    uint8_t kind; /* enum first_kind */
};

/* Another copy of a version that the map names: collection had not erased the first one yet. */
struct duplicate {
    uint32_t logical, physical, sequence;
};

enum recovery_job { JOB_NONE, JOB_PAGE, JOB_VERIFY, JOB_TABLE, JOB_ERASE };

struct recovery_op {
    uint32_t die;
    uint32_t page;            /* that is being read */
    uint8_t job;              /* enum recovery_job */
    struct flash_spare spare; /* verifying: what stands in `page` */
    uint32_t named;           /* verifying: page that the map names, whose number is being read */
};

struct recovery {
    struct first_page* first; /* by block */
    struct recovery_op* ops;  /* RECOVERY_DEPTH per die */
    uint32_t *block, *page;   /* by die: where its sweep stands, block counted in the die; page NONE: not begun */
    uint32_t* erase;          /* bitmap of blocks to be erased */
    uint32_t* spare;          /* bitmap of those that become spares */
    uint32_t busy;            /* operations under way */
    bool is_first;            /* the sweep over the first pages */
    uint32_t checkpoint;      /* its number; 0: there is none */
    uint32_t begun_at;        /* sequence number at its beginning */
    uint32_t journal_first;   /* journal pages from this on count */
    uint32_t* sequence;       /* by logical page, of what the map names; 0: nothing is known */
    struct duplicate* duplicates;
    uint32_t duplicate_count, duplicate_limit;
    uint32_t highest; /* sequence number seen */
    uint32_t pages;   /* looked at */
    bool table_read;  /* the last page of a table could be read, and is not blank */
    bool table_blank;
};

#define RECOVERY_DEPTH 2u /* reads of a die under way */

/* The first page of all blocks into first[]; then the pages of data that no checkpoint covers. */
void recovery_sweep_first(struct ftl* ftl);
void recovery_sweep_data(struct ftl* ftl);
void recovery_page_read(struct ftl* ftl, uint32_t op, enum flash_status status);
/* A trimmed or lost page, from the journal. */
void recovery_forgotten(struct ftl* ftl, uint32_t logical, uint32_t sequence, uint32_t as);

void recovery_verified(struct ftl* ftl, uint32_t op);

bool recovery_load_checkpoint(struct ftl* ftl); /* false: there is none */
void recovery_replay_journal(struct ftl* ftl);
bool recovery_holds_tables(const struct ftl* ftl, uint32_t block);

void recovery_settle_blocks(struct ftl* ftl);
void recovery_erased(struct ftl* ftl, uint32_t op, enum flash_status status);

void recovery_wait(struct ftl* ftl); /* until nothing is under way */
static inline uint32_t recovery_op_number(const struct ftl* ftl, uint32_t index)
{
    return ftl->buffer.slots + index;
}

#endif
