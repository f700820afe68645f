/* SPDX-License-Identifier: Apache-2.0
 *
 * Management of zones: open, close, finish, reset, and the blocks that zones take and give.
 *
 *   finish  waits for the data of accepted writes, programs the unit that is not full, then all others with zeros; a
 *           zone without data becomes full without the flash
 *   reset   waits for the data of accepted writes, then gives the blocks back: erased at once, before the command
 *           completes, or when a zone takes them again (ZONE_ERASE). Blocks without data are not erased
 *
 * A zone has one such job at a time; another one, and a write meanwhile, are refused.
 */
#ifndef STROBE_ZONED_MANAGE_H
#define STROBE_ZONED_MANAGE_H

#include "firmware/ftl/zoned/drive.h"

void manage_init(struct zoned_drive* d);

/* A command of these kinds, of one zone or of all (no sectors). It completes when its jobs have ended. */
void manage_begin(struct zoned_drive* d, uint32_t slot, uint32_t kind);
void manage_run(struct zoned_drive* d); /* everything that is possible */
void manage_erased(struct zoned_drive* d, uint32_t plane, enum flash_status status);

/* Before a save: a reset that has begun is complete, though blocks are not erased. REQUIRES: no erase is in progress */
void manage_settle(struct zoned_drive* d);
/* After a power loss: erases and programs that were not done go on. */
void manage_restore(struct zoned_drive* d);

/* The zone has blocks, or gets them now: it is about to take data. False: there are none, it is offline. */
bool manage_take_blocks(struct zoned_drive* d, uint32_t zone);

#endif
