/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands that complete when data is in flash: flushes wait for everything written before them, write-through commands
 * for their own data. Entries that they wait for are parked (parking.h), or marked for a merge.
 */
#ifndef STROBE_SUPERBLOCK_MAP_DURABILITY_H
#define STROBE_SUPERBLOCK_MAP_DURABILITY_H

#include "firmware/ftl/superblock_map/state.h"

/* The command completes when everything written until now that concerns it is in flash. */
void durability_wait(struct superblock_map* sbm, uint32_t slot);

/* Completes the commands whose data is in flash. */
void durability_run(struct superblock_map* sbm);

#endif
