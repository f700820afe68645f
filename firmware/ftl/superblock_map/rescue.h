/* SPDX-License-Identifier: Apache-2.0
 *
 * The buffer of a read-only drive. It keeps the sectors that could not be merged, for reads, and continues to fetch
 * host writes, which it refuses. To keep the ring moving, the needed sector that blocks it moves to the place of a
 * discarded one: a flash read whose only sector is a buffered one copies it.
 */
#ifndef STROBE_SUPERBLOCK_MAP_RESCUE_H
#define STROBE_SUPERBLOCK_MAP_RESCUE_H

#include "firmware/ftl/superblock_map/state.h"

void rescue_init(struct rescue* rescue, struct arena* arena);

/* Moves the sector that blocks the ring of a read-only drive, if one does. */
void rescue_run(struct superblock_map* sbm);

#endif
