/* SPDX-License-Identifier: Apache-2.0
 *
 * Host reads: each is cut at superblocks, and each piece is one operation of the foreground unit, which routes the data
 * to the host and replaces sectors that are buffered. Operations end in the order in which they begin
 * (read_progress.h).
 */
#ifndef STROBE_SUPERBLOCK_MAP_READS_H
#define STROBE_SUPERBLOCK_MAP_READS_H

#include "firmware/ftl/superblock_map/state.h"

void reads_init(struct superblock_map* sbm, struct arena* arena, uint32_t first_slot, uint32_t slots);
/* Begins a read command. */
void reads_start(struct superblock_map* sbm, uint32_t host_slot);
/* The operation in that descriptor slot has ended. */
void reads_done(struct superblock_map* sbm, uint32_t slot, struct units_result result);

#endif
