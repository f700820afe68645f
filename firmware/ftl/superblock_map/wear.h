/* SPDX-License-Identifier: Apache-2.0
 *
 * Explicit wear levelling: while the drive is idle, the data of the mapped superblock with the fewest erases moves to
 * the free superblock of its group with the most, if their counts differ by more than the threshold. Thus data that is
 * never rewritten moves to worn blocks, and little-worn blocks return to use.
 */
#ifndef STROBE_SUPERBLOCK_MAP_WEAR_H
#define STROBE_SUPERBLOCK_MAP_WEAR_H

#include "firmware/ftl/superblock_map/state.h"

struct wear_pair {
    uint32_t cold; /* a mapped superblock, or NONE: nothing to move … */
    uint32_t worn; /* … and the free one that its data goes to */
};

/* The pair of a group whose erase counts differ by more than the threshold. */
struct wear_pair wear_choose(const struct superblocks* all, uint32_t group, uint32_t threshold);

/* Begins to move a superblock if one is to be moved; true: it has. REQUIRES: the drive is idle. */
bool wear_run(struct superblock_map* sbm);

#endif
