/* SPDX-License-Identifier: Apache-2.0
 *
 * What outlives a power loss. When the supply fails, capacitors supply the drive; it ends the operations in progress,
 * then writes its tables (image.h) and the units that are not in the flash to blocks of its own, all planes at once.
 * There are two sets of these blocks, used in turn, so that what was saved is there until the next save is complete.
 *
 * A record is what one program takes. Its spare words: SAVE_MAGIC, the generation, its number, how many there are. A
 * record whose program fails is written again in another plane. A plane with a block of the set that could not be
 * erased takes none; records of older generations that are left there do not count.
 *
 * Owner of: struct zone_save.
 */
#ifndef STROBE_ZONED_SAVE_H
#define STROBE_ZONED_SAVE_H

#include "firmware/drivers/arena.h"
#include "firmware/ftl/zoned/drive.h"

#define SAVE_MAGIC 0x5A534156u

/* Takes the blocks of both sets. REQUIRES: all good blocks are free */
void save_init(struct zoned_drive* d, struct arena* arena);

void save_begin(struct zoned_drive* d); /* the supply fails */
/* Everything that is possible; false: there is nothing to do before the next interrupt. */
bool save_run(struct zoned_drive* d);
void save_done(struct zoned_drive* d, uint32_t plane, enum flash_status status); /* an operation of the save */

/* Block of a set that has the word line `row` of a plane, over the die; none: the plane has too few good blocks. */
uint32_t save_block(const struct zoned_drive* d, uint32_t set, uint32_t plane, uint32_t row);
uint32_t save_rows(const struct zoned_drive* d); /* of each plane, in a set */

#endif
