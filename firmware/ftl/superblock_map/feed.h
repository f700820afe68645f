/* SPDX-License-Identifier: Apache-2.0
 *
 * Feeding by firmware, where the host interface has no inbound feeder: host writes arrive as commands, and firmware
 * fetches their data into the ring piece by piece, in order of arrival, as the feeder would.
 */
#ifndef STROBE_SUPERBLOCK_MAP_FEED_H
#define STROBE_SUPERBLOCK_MAP_FEED_H

#include "firmware/ftl/superblock_map/state.h"

void feed_start(struct superblock_map* sbm, uint32_t slot); /* of a write command */
void feed_run(struct superblock_map* sbm);
/* The piece whose transfer has ended: transfers end in order. */
struct piece feed_done(struct feed* feed);

#endif
