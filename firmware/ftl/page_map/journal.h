/* SPDX-License-Identifier: Apache-2.0
 *
 * What recovery cannot learn from the pages of the data: trims, lost pages, blocks that went bad, erase counts of
 * blocks that are empty. Records are gathered in a page and programmed into journal blocks, which are taken from the
 * free blocks as they are needed; a block may be a journal block today and hold data tomorrow.
 *
 * A flush ends when the records of trims before it are in flash. Nothing is erased before they are: an old version of a
 * trimmed page may still stand somewhere, and without the record it would be taken for the newest one.
 *
 * A record holds whatever the order in which records are read: those of pages have sequence numbers, blocks that are
 * bad stay so, and erase counts only grow.
 */
#ifndef STROBE_JOURNAL_H
#define STROBE_JOURNAL_H

#include "firmware/ftl/page_map/ftl.h"

enum record_kind {
    RECORD_TRIM = 1,   /* logical pages [first, first + count): versions below `sequence` are trimmed */
    RECORD_LOST = 2,   /* the same: they are lost, reads fail */
    RECORD_BAD = 3,    /* block `first` has failed */
    RECORD_ERASED = 4, /* block `first` has been erased `sequence` times */
    RECORD_PENDING = 5 /* of checkpoint `count`: logical page `first` has no version below `sequence` */
};

struct record {
    uint32_t kind, first, count, sequence;
};

#define JOURNAL_MAGIC 0x4C4E524Au /* "JRNL" */
struct journal_page {
    uint32_t magic, number, records, reserved;
    struct record record[];
};

void journal_init(struct ftl* ftl, struct arena* arena);
/* A logical page is trimmed or lost from now on. */
void journal_forget(struct ftl* ftl, enum record_kind kind, uint32_t logical);
/* Of a checkpoint: a logical page without a page has no version up to `sequence`. REQUIRES: journal_has_room() */
void journal_pending(struct ftl* ftl, uint32_t logical, uint32_t checkpoint, uint32_t sequence);
/* What may be left out without harm: dropped when there is no room. */
void journal_note(struct ftl* ftl, enum record_kind kind, uint32_t block, uint32_t value);
/* A page may be trimmed. False: later, when something has ended in flash. */
bool journal_has_room(struct ftl* ftl);
/* Everything added so far is to be in flash soon. */
void journal_flush(struct ftl* ftl);
/* What was added up to now is in flash as soon as journal_is_written(). */
uint32_t journal_ticket(const struct ftl* ftl);
static inline bool journal_is_written(const struct ftl* ftl, uint32_t ticket)
{
    return (int32_t)(ftl->journal.written - ticket) >= 0;
}
/* False: the block must not be erased yet; the plane is looked at again when it may. */
bool journal_allows_erase(struct ftl* ftl, uint32_t plane);
bool journal_is_durable(const struct ftl* ftl);
void journal_write(struct ftl* ftl);
static inline void journal_run(struct ftl* ftl)
{
    if (ftl->journal.due || ftl->journal.stalled)
        journal_write(ftl);
}
void journal_programmed(struct ftl* ftl, enum flash_status status);

/* There is a block for it. */
bool journal_may_begin_anew(struct ftl* ftl);
/* A checkpoint begins: records from now on go to blocks of their own, the first of their pages has this number. */
uint32_t journal_begin_anew(struct ftl* ftl);
/* It is complete: the blocks before it are given up. */
void journal_give_up_old(struct ftl* ftl);
/* Recovery has read a block, whose last page that could be read is `newest`. No more is written to it: which of its
 * pages may still be programmed cannot be told. */
void journal_found(struct ftl* ftl, uint32_t block, uint32_t newest);
void journal_found_all(struct ftl* ftl, uint32_t first);

#endif
