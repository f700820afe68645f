/* SPDX-License-Identifier: Apache-2.0
 *
 * Write versions on their way to flash (see ftl.h for what the request layer calls).
 */
#ifndef STROBE_WRITEOUT_H
#define STROBE_WRITEOUT_H

#include "firmware/ftl/page_map/ftl.h"

void writeout_init(struct ftl* ftl, struct arena* arena);
void writeout_run(struct ftl* ftl);
/* Completes partial pages though nobody waits for them; true: there were some. */
bool writeout_partial(struct ftl* ftl);

void writeout_filled(struct ftl* ftl, uint32_t slot, enum flash_status status);
void writeout_programmed(struct ftl* ftl, uint32_t slot, enum flash_status status);

/* Something about the die's blocks or programs has changed. */
void writeout_refresh(struct ftl* ftl, uint32_t die);

#endif
