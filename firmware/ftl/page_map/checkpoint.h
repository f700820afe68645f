/* SPDX-License-Identifier: Apache-2.0
 *
 * Checkpoints: the block table and the map, written page by page into their own blocks while the drive works, so that
 * recovery has to read only what was programmed since. One page at a time, in the background. A checkpoint is valid
 * when its last page, the commit page, is in flash; then the previous checkpoint, and the journal up to its beginning,
 * are freed.
 *
 * At its beginning, atomically, it records for each block how many of its pages were in flash and in the map: these are
 * covered. The map is written later and may have changed: recovery ignores entries that name units of uncovered pages,
 * and finds those itself. An entry without a unit means that every version numbered before the beginning is dead,
 * unless versions were in the buffer: a journal record (RECORD_PENDING) describes those.
 *
 * Owner of: struct checkpoint. Invariants: current[] names the blocks of the last complete checkpoint, writing[] those
 * of the one in progress; covered[block] is 0 for a block erased since the beginning.
 */
#ifndef STROBE_PAGE_MAP_CHECKPOINT_H
#define STROBE_PAGE_MAP_CHECKPOINT_H

#include "firmware/drivers/flash.h"
#include "firmware/ftl/page_map/geometry.h"

struct ftl;

#define CHECKPOINT_MAGIC 0x54504B43u /* "CKPT" */
#define ENTRY_PENDING 0xFFFFFFFDu    /* in place of MAP_UNMAPPED or MAP_LOST: see the journal */
#define PENDING_IS_LOST 0x80000000u  /* in the count of the record */

struct checkpoint_commit {
    uint32_t magic, number;
    uint32_t sequence;      /* of the beginning */
    uint32_t journal_first; /* number of the first journal page that was written after it */
    uint32_t pages, logical_units, blocks;
};

enum checkpoint_phase { CHECKPOINT_IDLE, CHECKPOINT_COMPOSING, CHECKPOINT_COMPOSED, CHECKPOINT_PROGRAMMING };

struct checkpoint {
    struct checkpoint_layout layout;
    bus_address at; /* the page that is composed or read */
    void* page;
    uint16_t* covered;           /* by block: pages in flash and in the map at the beginning */
    uint32_t *current, *writing; /* blocks of the complete one, and of the one in progress */
    uint32_t current_blocks, taken;
    uint32_t number;   /* of the next, or the one in progress */
    uint32_t sequence; /* at its beginning */
    uint32_t journal_first;
    uint32_t since; /* clock at its beginning */
    uint32_t index, entry;
    uint8_t phase; /* enum checkpoint_phase */
    bool blocked;  /* the journal has to make room */
};

void checkpoint_init(struct ftl* ftl, struct arena* arena);
void checkpoint_run(struct ftl* ftl); /* a step of the one in progress, or of one that is due */
void checkpoint_programmed(struct ftl* ftl, enum flash_status status);

/* A block was erased: the checkpoint in progress covers none of its pages. */
static inline void checkpoint_block_erased(struct checkpoint* checkpoint, uint32_t block)
{
    checkpoint->covered[block] = 0;
}

/* There is a step that can run now. */
static inline bool checkpoint_has_work(const struct checkpoint* checkpoint)
{
    return checkpoint->phase == CHECKPOINT_COMPOSING && !checkpoint->blocked &&
           checkpoint->index + 1 < checkpoint->layout.pages;
}

#endif
