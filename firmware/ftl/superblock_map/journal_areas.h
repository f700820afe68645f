/* SPDX-License-Identifier: Apache-2.0
 *
 * The areas of the journal: superblocks of one superchip that are used in turn. A superblock that fails is skipped from
 * then on; at the next power-on it is tried again, so failures are not recorded.
 */
#ifndef STROBE_SUPERBLOCK_MAP_JOURNAL_AREAS_H
#define STROBE_SUPERBLOCK_MAP_JOURNAL_AREAS_H

#include "firmware/ftl/superblock_map/state.h"

void area_reserve(struct area* area, struct superblocks* superblocks, uint32_t superchip, uint32_t members);

/* The next member that has not failed and belongs neither to the present generation nor to the next one; it is assigned
 * to the next one. NONE: the area is worn out. */
uint32_t area_next(struct area* area, uint32_t present_generation);

#endif
