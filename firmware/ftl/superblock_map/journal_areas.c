/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/superblock_map/journal_areas.h"

uint32_t area_next(struct area* area, uint32_t present_generation)
{
    for (uint32_t i = 1; i <= area->members; ++i) {
        const uint32_t number = (area->last + i) % area->members;
        const uint32_t generation = area->generation[number];
        if (!area->failed[number] && (generation == 0 || (int32_t)(generation - present_generation) < 0)) {
            area->last = number;
            area->generation[number] = present_generation + 1;
            return number;
        }
    }
    return NONE;
}

void area_reserve(struct area* area, struct superblocks* superblocks, uint32_t superchip, uint32_t members)
{
    if (members > AREA_MOST)
        hal_panic("superblock mapping: the tables need more superblocks than their area can have");
    for (uint32_t i = 0; i < members; ++i) {
        area->member[i] = superblocks_reserve(superblocks, superchip);
        if (area->member[i] == NONE)
            hal_panic("superblock mapping: too few superblocks for the journal");
    }
    area->members = members;
}
