/* SPDX-License-Identifier: Apache-2.0
 *
 * Start-up on flash that holds data of an earlier power cycle: a table of named steps (recovery.c), each with its own
 * part of struct recovery (recovery_state.h). Files, from the bottom up:
 *
 *   recovery_state.c     flash operations in progress
 *   recovery_versions.c  which version of a logical unit is the newest
 *   recovery_pages.c     reading spare records
 *   recovery_tables.c    checkpoint and journal
 *   recovery_blocks.c    the new state of each block; the blocks that have to be erased before anything else
 */
#ifndef STROBE_PAGE_MAP_RECOVERY_H
#define STROBE_PAGE_MAP_RECOVERY_H

#include "firmware/ftl/page_map/recovery_state.h"

struct recovery_step {
    const char* name; /* in the message when its state does not fit into control memory */
    void (*run)(struct ftl* ftl, struct recovery* recovery);
};

/* Ends with a null name. */
extern const struct recovery_step recovery_steps[];

/* Fills the map, the block table and the journal's state. Returns when the drive can be used, with the memory of
 * recovery released. */
void recovery_run(struct ftl* ftl, struct arena* arena);

#endif
