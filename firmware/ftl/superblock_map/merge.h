/* SPDX-License-Identifier: Apache-2.0
 *
 * Materialisation: a background unit merges the buffered sectors of a logical superblock with the contents of its
 * physical superblock into another one: it erases the destination, then copies back with the sector table. If a block
 * of the destination fails, a spare block replaces it and the merge begins again; the old superblock and the buffered
 * sectors are kept until the new superblock is complete. merge_choice.h chooses.
 */
#ifndef STROBE_SUPERBLOCK_MAP_MERGE_H
#define STROBE_SUPERBLOCK_MAP_MERGE_H

#include "firmware/ftl/superblock_map/state.h"

/* Begins the merges that are due, one per idle background unit; true: some ended at once. */
bool merge_run(struct superblock_map* sbm);

#endif
