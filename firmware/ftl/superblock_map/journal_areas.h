/* SPDX-License-Identifier: Apache-2.0
 *
 * The areas of the journal: superblocks of one superchip that are used in turn. A superblock that fails is left out
 * from then on; at the next power-on it is tried again, so failures are not recorded.
 */
#ifndef STROBE_SUPERBLOCK_MAP_JOURNAL_AREAS_H
#define STROBE_SUPERBLOCK_MAP_JOURNAL_AREAS_H

#include "firmware/ftl/superblock_map/state.h"

void area_reserve(struct area* area, struct superblocks* superblocks, uint32_t superchip, uint32_t members);

/* The next member that has not failed and does not belong to the present generation or to the next one, which it
 * belongs to from now on; NONE: the area is worn out. */
uint32_t area_next(struct area* area, uint32_t present_generation);

#endif
