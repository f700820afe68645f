/* SPDX-License-Identifier: Apache-2.0
 *
 * Factory bad blocks: from the table that the platform kept, or by reading the mark in the spare bytes of each block's
 * first page (word 0 is zero; data never has a zero there). Blocks that go bad are replaced from the spares of their
 * die; when there is none, the drive becomes read-only.
 */
#ifndef STROBE_BAD_BLOCKS_H
#define STROBE_BAD_BLOCKS_H

#include "firmware/ftl/page_map/ftl.h"

/* Ends when all is known (a scan waits for the flash). Good blocks count as free, but stand nowhere yet. */
void bad_blocks_find(struct ftl* ftl, struct arena* arena);
/* A new drive: all good blocks are erased, and become the planes' free blocks and spares. */
void bad_blocks_distribute(struct ftl* ftl);
void bad_blocks_scanned(struct ftl* ftl, uint32_t op, enum flash_status status);

/* A program of the block has failed: no more data goes there, it will be emptied and retired. */
void bad_blocks_program_failed(struct ftl* ftl, uint32_t block);
/* The block, which holds nothing, could not be erased. */
void bad_blocks_erase_failed(struct ftl* ftl, uint32_t block);
void bad_blocks_spare_failed(struct ftl* ftl, uint32_t block); /* one that would have been a spare */

#endif
