/* SPDX-License-Identifier: Apache-2.0
 *
 * Host writes: the data is already in the ring of the sector buffer. A write is complete when its sectors are in the
 * tables of their superblocks, a write-through command when they are in flash.
 */
#ifndef STROBE_SUPERBLOCK_MAP_WRITES_H
#define STROBE_SUPERBLOCK_MAP_WRITES_H

#include "firmware/ftl/superblock_map/state.h"

/* Sectors `first` ... of a command have arrived in the ring; the first piece begins the command. */
void writes_fed(struct superblock_map* sbm, const struct piece* piece);

/* Places the pieces for which there are entries, in order. */
void writes_place(struct superblock_map* sbm);

#endif
