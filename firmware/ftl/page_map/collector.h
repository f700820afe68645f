/* SPDX-License-Identifier: Apache-2.0
 *
 * Emptying blocks, one victim per plane at a time, a few pages under way: for free space (below gc_low free blocks),
 * in the background while the die is idle (below gc_idle), for static wear levelling, and to retire failed blocks.
 * Progress: a plane always has GC_RESERVE free blocks besides the open block for moves when it takes a victim, a victim
 * has at most a block of valid pages, and emptying it gives a block back.
 */
#ifndef STROBE_COLLECTOR_H
#define STROBE_COLLECTOR_H

#include "firmware/ftl/page_map/ftl.h"

void collector_init(struct ftl* ftl, struct arena* arena);
void collector_look_at(struct ftl* ftl, uint32_t plane); /* something has changed there */
void collector_die_idle(struct ftl* ftl, uint32_t die);
void collector_run(struct ftl* ftl);
bool collector_rest(struct ftl* ftl); /* background collection; true: something was started */

void collector_moved_read(struct ftl* ftl, uint32_t slot, enum flash_status status);
void collector_moved_program(struct ftl* ftl, uint32_t slot, enum flash_status status);
void collector_plain_done(struct ftl* ftl, uint32_t op, enum flash_status status);

#endif
