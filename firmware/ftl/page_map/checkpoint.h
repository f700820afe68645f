/* SPDX-License-Identifier: Apache-2.0
 *
 * Checkpoints: the block table and the map, written page by page into blocks of their own while the drive works, so
 * that recovery has to look only at what was programmed since. One page at a time, in the background. A checkpoint
 * counts when its last page, the commit page, is in flash; then the one before it, and the journal up to its beginning,
 * are given up.
 *
 * At its beginning, in one instant, it notes of each block how many of its pages were in flash and in the map: they are
 * covered. The map is written later and may have changed: entries that name pages that are not covered are of no use to
 * recovery, which finds those pages itself. An entry without a page means that every version numbered before the
 * beginning is dead, unless versions were in the buffer: those are told by a record in the journal (RECORD_PENDING).
 */
#ifndef STROBE_CHECKPOINT_H
#define STROBE_CHECKPOINT_H

#include "firmware/ftl/page_map/ftl.h"

#define CHECKPOINT_MAGIC 0x54504B43u /* "CKPT" */
#define ENTRY_PENDING 0xFFFFFFFDu    /* in place of MAP_UNMAPPED or MAP_LOST: see the journal */
#define PENDING_IS_LOST 0x80000000u  /* in the count of the record */

struct checkpoint_commit {
    uint32_t magic, number;
    uint32_t sequence;      /* of the beginning */
    uint32_t journal_first; /* number of the first journal page that was written after it */
    uint32_t pages, logical_pages, blocks;
};

void checkpoint_init(struct ftl* ftl, struct arena* arena);
void checkpoint_go_on(struct ftl* ftl); /* REQUIRES: one is under way, or due */
void checkpoint_programmed(struct ftl* ftl, enum flash_status status);

static inline bool checkpoint_is_due(const struct ftl* ftl)
{
    const uint32_t interval = ftl->boot->checkpoint_pages;
    return ftl->journal.blocks > JOURNAL_BLOCKS ||
           (interval != 0 && ftl->blocks.clock - ftl->checkpoint.since >= interval);
}

static inline void checkpoint_run(struct ftl* ftl)
{
    if (ftl->checkpoint.phase != CHECKPOINT_IDLE || checkpoint_is_due(ftl))
        checkpoint_go_on(ftl);
}

/* That waits for nothing. */
static inline bool checkpoint_has_work(const struct ftl* ftl)
{
    return ftl->checkpoint.phase == CHECKPOINT_COMPOSING && !ftl->checkpoint.blocked &&
           ftl->checkpoint.index + 1 < ftl->checkpoint.layout.pages;
}

#endif
