/* SPDX-License-Identifier: Apache-2.0
 *
 * Recovery steps for parked sectors (parking.h): batches are read in the order in which they were written, so that the
 * later copy of a sector that was parked twice is used; their sectors go into the sector buffer and are merged from
 * there. A copy of the tables that is made meanwhile contains the stamps of all valid parked runs, so a recovery after
 * an interruption finds them again.
 */
#ifndef STROBE_SUPERBLOCK_MAP_RECOVERY_PARKED_H
#define STROBE_SUPERBLOCK_MAP_RECOVERY_PARKED_H

#include "firmware/ftl/superblock_map/state.h"

/* Finds the complete batches and the stamps of the valid runs. */
void recovery_find_parked(struct superblock_map* sbm);
/* Merges the sectors of those runs. */
void recovery_merge_parked(struct superblock_map* sbm);

#endif
