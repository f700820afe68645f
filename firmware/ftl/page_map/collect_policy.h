/* SPDX-License-Identifier: Apache-2.0
 *
 * What a plane collects next, and how fast: decisions from the block table and a few numbers. No flash operation, no
 * buffer, no map. collector.h executes the decisions.
 *
 * Order of reasons: a failed block is emptied first; then static wear levelling, once after each block that was erased
 * for another reason; then free space, below `low` free blocks. Background collection (while the die is idle, below
 * `idle` free blocks) begins only by collect_idle_victim(), folding of cached data by collect_fold_victim(), and moving
 * data that is due by refresh_choose() (refresh.h).
 */
#ifndef STROBE_PAGE_MAP_COLLECT_POLICY_H
#define STROBE_PAGE_MAP_COLLECT_POLICY_H

#include "firmware/ftl/page_map/blocks.h"
#include "firmware/ftl/page_map/pacing.h"
#include "firmware/ftl/page_map/victim.h"

enum collect_reason {
    COLLECT_FOR_SPACE,
    COLLECT_WHILE_IDLE,
    COLLECT_FOR_WEAR,
    COLLECT_FAILED,
    COLLECT_TO_FOLD,
    COLLECT_DUE
};

struct collect_policy {
    victim_policy choose_victim;
    uint32_t low, idle;          /* free blocks per plane */
    uint32_t wear_threshold;     /* erases; 0: no static wear levelling */
    const struct pacing* pacing; /* NULL: `low` decides when a plane needs space */
};

struct collect_choice {
    uint32_t victim; /* NONE: there is nothing to collect */
    enum collect_reason reason;
};

/* Shares of plane 0 in the blocks per die that the boot block names; `low` leaves room for the reserve. */
struct collect_policy collect_policy_of(const struct boot_block* boot, const struct geometry* geometry);

static inline bool collect_needs_space(const struct collect_policy* policy, const struct block_table* table,
                                       uint32_t plane)
{
    return policy->pacing != NULL ? pacing_needs_space(policy->pacing, plane) : blocks_free(table, plane) < policy->low;
}

/* The plane's next victim, removed from the lists of the block table. `wear_due`: a block was erased since wear was
 * last compared; cleared when it is compared. */
struct collect_choice collect_choose(const struct collect_policy* policy, struct block_table* table, uint32_t plane,
                                     bool* wear_due);

/* A victim for background collection, removed from the lists. NONE: no block has enough invalid units. */
uint32_t collect_idle_victim(const struct collect_policy* policy, struct block_table* table, uint32_t plane);

/* A block of cached data to be emptied while the host is idle, removed from the lists, or NONE. */
uint32_t collect_fold_victim(struct block_table* table, uint32_t plane);

/* Pages of the plane's victim that may be moving at a time. */
uint32_t collect_window(const struct collect_policy* policy, const struct block_table* table, uint32_t plane,
                        enum collect_reason reason);

#endif
