/* SPDX-License-Identifier: Apache-2.0
 *
 * The journal keeps information that recovery cannot obtain from the data pages: trims, lost units, blocks that went
 * bad, erase counts of empty blocks. Records are gathered in a page and programmed into journal blocks, which are taken
 * from the free blocks as they are needed; a block may be a journal block now and hold data later.
 *
 * A flush ends when the records of the trims before it are in flash. No block is erased before they are: an old version
 * of a trimmed unit may still be in some block, and without the record recovery would treat it as the newest version.
 *
 * Records are valid in any order of reading: those of units have sequence numbers, bad blocks stay bad, and
 * erase counts only grow.
 *
 * Owner of: struct journal. Invariants: two page buffers, of which one is filled and at most the other one is being
 * programmed; a buffer that `holds` has entered an epoch and leaves it when it is in flash; `number` - 1 is the highest
 * page number handed to the flash. The journal calls neither the collector nor write-out: after journal_written() the
 * caller serves the waiters (ftl.c).
 */
#ifndef STROBE_PAGE_MAP_JOURNAL_H
#define STROBE_PAGE_MAP_JOURNAL_H

#include "firmware/drivers/arena.h"
#include "firmware/ftl/page_map/geometry.h"

struct ftl;

enum record_kind {
    RECORD_TRIM = 1,   /* logical units [first, first + count): versions below `sequence` are trimmed */
    RECORD_LOST = 2,   /* the same: they are lost, reads fail */
    RECORD_BAD = 3,    /* block `first` has failed */
    RECORD_ERASED = 4, /* block `first` has been erased `sequence` times */
    RECORD_PENDING = 5 /* of checkpoint `count`: logical unit `first` has no version below `sequence` */
};

struct record {
    uint32_t kind, first, count, sequence;
};

#define JOURNAL_MAGIC 0x4C4E524Au /* "JRNL" */
struct journal_page {
    uint32_t magic, number, records, reserved;
    struct record record[];
};

struct journal_buffer {
    bus_address at;
    struct journal_page* page;
    uint32_t epoch; /* entered, if it holds */
    bool holds;     /* records that a flush has to wait for */
};

struct journal {
    struct journal_buffer buffer[2];
    uint32_t capacity;    /* records of a page */
    uint32_t filling;     /* buffer */
    uint32_t writing;     /* buffer, or NONE */
    uint32_t block, page; /* where the next page is programmed; NONE: no block is open */
    uint32_t next;        /* reserve block for when that one is full, or NONE */
    uint32_t blocks;      /* that hold records since the last checkpoint */
    uint32_t number;      /* of the next page */
    uint32_t written;     /* number of the last page in flash */
    uint32_t target;      /* block of the page in progress; a checkpoint may have closed it since */
    uint32_t *live, *old; /* bitmaps of blocks: since the beginning of the last checkpoint, and before */
    bool due;             /* the filling buffer is to be programmed */
    bool stalled;         /* a program failed: the page is programmed again in another block */
    bool erase_waits;     /* an erase was refused since the last page was written */
};

void journal_init(struct ftl* ftl, struct arena* arena);
/* A logical unit is trimmed or lost from now on. */
void journal_forget(struct ftl* ftl, enum record_kind kind, uint32_t logical);
/* Of a checkpoint: a logical unit without a unit in flash has no version up to `sequence`. REQUIRES:
 * journal_has_room(). */
void journal_pending(struct ftl* ftl, uint32_t logical, uint32_t checkpoint, uint32_t sequence);
/* An optional record: dropped when there is no space. */
void journal_note(struct ftl* ftl, enum record_kind kind, uint32_t block, uint32_t value);
/* A unit may be trimmed. False: later, after an operation of the flash has ended. */
bool journal_has_room(struct ftl* ftl);
/* Programs everything added so far soon. */
void journal_flush(struct ftl* ftl);
/* Everything added so far is in flash when journal_is_written(ticket). */
uint32_t journal_ticket(const struct journal* journal);
static inline bool journal_is_written(const struct journal* journal, uint32_t ticket)
{
    return (int32_t)(journal->written - ticket) >= 0;
}
bool journal_is_durable(const struct journal* journal);
/* False: no block may be erased yet; the caller tries again after the next journal_written(). */
bool journal_allows_erase(struct ftl* ftl);

/* Programs the due pages, as far as buffers and blocks allow. */
void journal_write(struct ftl* ftl);
static inline bool journal_has_work(const struct journal* journal)
{
    return journal->due || journal->stalled;
}
/* Ends of the program of a page, in journal.block. */
void journal_written(struct ftl* ftl);
void journal_program_failed(struct ftl* ftl); /* the block takes no more pages */

/* A checkpoint may begin: there is a block for the records after its beginning. */
bool journal_may_begin_anew(struct ftl* ftl);
/* A checkpoint begins: records from now on go to other blocks; the first of their pages has the returned number. */
uint32_t journal_begin_anew(struct ftl* ftl);
/* The checkpoint is complete: the journal blocks before it are freed. */
void journal_give_up_old(struct ftl* ftl);
/* Recovery has read a block, whose last readable page is `newest`. The block takes no more pages: which of them may
 * still be programmed is not known. */
void journal_found(struct ftl* ftl, uint32_t block, uint32_t newest);
void journal_found_all(struct ftl* ftl, uint32_t first);

#endif
