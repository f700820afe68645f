/* SPDX-License-Identifier: Apache-2.0
 *
 * Factory bad blocks: from the platform's table, or by reading the mark in the spare bytes of each block's
 * first page (word 0 is zero; data never has a zero there). Blocks that go bad later are replaced from the spares of
 * their group of dies; when there is no spare, the drive becomes read-only. A block whose member fails is replaced as a
 * whole.
 *
 * Owner of: the scan (struct bad_block_scan) and ftl.read_only.
 */
#ifndef STROBE_PAGE_MAP_BAD_BLOCKS_H
#define STROBE_PAGE_MAP_BAD_BLOCKS_H

#include "firmware/drivers/flash.h"

struct ftl;

struct bad_block_scan {
    uint32_t* cursor;     /* per die: block of the flash that is being examined */
    uint32_t in_progress; /* reads */
    uint16_t* members;    /* geometry.members, as far as they are found */
    uint32_t* good;       /* per plane of the flash: good blocks found */
};

/* Returns when all factory bad blocks are known (a scan waits for the flash). Good blocks are counted, but are in no
 * list yet. */
void bad_blocks_find(struct ftl* ftl, struct arena* arena);
/* A new drive: all good blocks are erased, and become the planes' free blocks and spares. */
void bad_blocks_distribute(struct ftl* ftl);
void bad_blocks_scanned(struct ftl* ftl, uint32_t op, enum flash_status status);

/* A program of the block has failed: it takes no more data, is emptied and retired. */
void bad_blocks_program_failed(struct ftl* ftl, uint32_t block);
/* The erase of an emptied block has failed. */
void bad_blocks_erase_failed(struct ftl* ftl, uint32_t block);
void bad_blocks_spare_failed(struct ftl* ftl, uint32_t block); /* the same, of a block that was to be a spare */

#endif
