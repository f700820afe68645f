/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/page_program.h"

void page_program_units(struct ftl* ftl, uint32_t first, uint32_t unit, enum spare_kind kind,
                        enum flash_purpose purpose)
{
    const struct geometry* g = &ftl->geometry;
    const struct flash_spare no_record = {{NONE, NONE, NONE, NONE}};
    const struct flash_units table = flash_units_of(&ftl->flash, first, g->units_per_page);
    const uint32_t erases = ftl->blocks.block[block_of_unit(g, unit)].erases;
    uint32_t number = first;
    for (uint32_t i = 0; i < g->units_per_page; ++i) {
        if (number == NONE) {
            flash_set_unit(&table, i, 0, no_record);
            continue;
        }
        HAL_COST(table_unit);
        struct slot* slot = buffer_slot(&ftl->buffer, number);
        slot->physical = unit + i;
        slot->state = SLOT_PROGRAMMING;
        flash_set_unit(&table, i, buffer_address(&ftl->buffer, number),
                       spare_record(slot->logical, slot->sequence, kind, erases));
        number = slot->next;
    }
    flash_program_units(&ftl->flash, first, place_of_unit(g, unit, 0), g->sectors_per_page, purpose);
}
