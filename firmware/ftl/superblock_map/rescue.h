/* SPDX-License-Identifier: Apache-2.0
 *
 * The buffer of a read-only drive. It keeps the sectors that could not be merged, for reads, and continues to fetch
 * host writes, which it refuses. To keep the ring advancing, the needed sector that blocks it is moved to the place of
 * a discarded one, by a flash read whose only sector is a buffered one. A ring may be full of needed sectors when the
 * drive becomes read-only: then as many as a piece has are moved after the ring, as far as the data buffer has room.
 */
#ifndef STROBE_SUPERBLOCK_MAP_RESCUE_H
#define STROBE_SUPERBLOCK_MAP_RESCUE_H

#include "firmware/ftl/superblock_map/state.h"

/* After the sector buffer. */
void rescue_init(struct superblock_map* sbm, struct arena* arena);

/* Moves the sector that blocks the ring of a read-only drive, if there is one. */
void rescue_run(struct superblock_map* sbm);

#endif
