/* SPDX-License-Identifier: Apache-2.0
 *
 * The program of a page from slots of the data buffer, one for each of its units: the slots are linked by slot.next,
 * and the first one is the number of the flash operation. Units without a slot become zeros without a spare record.
 * Owner of: nothing.
 */
#ifndef STROBE_PAGE_MAP_PAGE_PROGRAM_H
#define STROBE_PAGE_MAP_PAGE_PROGRAM_H

#include "firmware/ftl/page_map/ftl.h"
#include "firmware/ftl/page_map/spare.h"

/* Of a page with several units, or of several flash pages. */
void page_program_units(struct ftl* ftl, uint32_t first, uint32_t unit, enum spare_kind kind,
                        enum flash_purpose purpose);

/* `unit`: the first unit of the page. Sets slot.physical and slot.state. REQUIRES: slot.logical and slot.sequence of
 * each slot are those of its data. */
static inline void page_program(struct ftl* ftl, uint32_t first, uint32_t unit, enum spare_kind kind,
                                enum flash_purpose purpose)
{
    const struct geometry* g = &ftl->geometry;
    if (g->units_per_page != 1) {
        page_program_units(ftl, first, unit, kind, purpose);
        return;
    }
    struct slot* slot = buffer_slot(&ftl->buffer, first);
    slot->physical = unit;
    slot->state = SLOT_PROGRAMMING;
    const uint32_t erases = ftl->blocks.block[block_of_unit(g, unit)].erases;
    flash_program(&ftl->flash, first, place_of_unit(g, unit, 0), g->sectors_per_page,
                  buffer_address(&ftl->buffer, first), spare_record(slot->logical, slot->sequence, kind, erases),
                  purpose);
}

#endif
