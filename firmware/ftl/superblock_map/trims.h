/* SPDX-License-Identifier: Apache-2.0
 *
 * Trims: a trim is a write of zeros to the whole pages (mapping units) in its range, which takes no space in the ring.
 * It proceeds by one logical superblock per round of the loop.
 */
#ifndef STROBE_SUPERBLOCK_MAP_TRIMS_H
#define STROBE_SUPERBLOCK_MAP_TRIMS_H

#include "firmware/ftl/superblock_map/state.h"

/* One step of the first trim in the line; false: there is none, or it finds no entry. */
bool trims_continue(struct superblock_map* sbm);

#endif
