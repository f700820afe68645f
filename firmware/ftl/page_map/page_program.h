/* SPDX-License-Identifier: Apache-2.0
 *
 * The program of a page from slots of the data buffer, one for each of its units: the slots are linked by slot.next,
 * and the first one is the number of the flash operation. Units without a slot become zeros without a spare record.
 * Owner of: nothing.
 */
#ifndef STROBE_PAGE_MAP_PAGE_PROGRAM_H
#define STROBE_PAGE_MAP_PAGE_PROGRAM_H

#include "firmware/drivers/flash.h"
#include "firmware/ftl/page_map/spare.h"

struct ftl;

/* `unit`: the first unit of the page. Sets slot.physical and slot.state. REQUIRES: slot.logical and slot.sequence of
 * each slot are those of its data. */
void page_program(struct ftl* ftl, uint32_t first, uint32_t unit, enum spare_kind kind, enum flash_purpose purpose);

#endif
