/* SPDX-License-Identifier: Apache-2.0
 *
 * The blocks that zones are made of: for each plane the blocks that no zone has, the one that has been free for longest
 * first, so that all wear alike. A block is erased, or dirty: it must be erased before a zone can use it. A bad block
 * is never given to a zone.
 *
 * Owner of: struct zone_blocks.
 */
#ifndef STROBE_ZONED_BLOCKS_H
#define STROBE_ZONED_BLOCKS_H

#include "firmware/drivers/arena.h"
#include "firmware/drivers/boot.h"

#define ZONE_NO_BLOCK 0xFFFFFFFFu

struct zone_plane { /* a ring of free blocks */
    uint32_t head, count;
};

struct zone_blocks {
    uint32_t planes_per_die, blocks_per_plane, planes;
    struct zone_plane* plane;
    uint32_t* ring;  /* blocks_per_plane entries for each plane: block over the whole die */
    uint32_t* dirty; /* bitmaps over all blocks of the drive: die * blocks of a die + block */
    uint32_t* bad;
};

/* Knows the factory bad blocks; all others are free and erased. */
void zone_blocks_init(struct zone_blocks* blocks, struct arena* arena, const struct boot_block* boot);
uint32_t zone_blocks_fewest(const struct zone_blocks* blocks); /* free ones, of the plane that has the fewest */

/* `plane`: die * planes of a die + plane of the die. ZONE_NO_BLOCK: none is free. */
uint32_t zone_blocks_take(struct zone_blocks* blocks, uint32_t plane);
bool zone_blocks_is_dirty(const struct zone_blocks* blocks, uint32_t die, uint32_t block);
void zone_blocks_erased(struct zone_blocks* blocks, uint32_t die, uint32_t block); /* it is not dirty any more */
void zone_blocks_give(struct zone_blocks* blocks, uint32_t die, uint32_t block, bool is_dirty); /* not if it is bad */
void zone_blocks_fail(struct zone_blocks* blocks, uint32_t die, uint32_t block);                /* it is bad */

#endif
