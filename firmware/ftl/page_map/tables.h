/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks that hold tables instead of data: journal and checkpoints. They come from the free blocks, wherever there are
 * most, and go back as blocks without a valid page.
 */
#ifndef STROBE_TABLES_H
#define STROBE_TABLES_H

#include "firmware/ftl/page_map/ftl.h"

enum tables_op { TABLES_JOURNAL, TABLES_CHECKPOINT, TABLES_OPS };

/* The flash operation of its own that each writer of tables has. */
static inline uint32_t tables_op(const struct ftl* ftl, enum tables_op which)
{
    return ftl->buffer.slots + ftl->geometry.planes * PLAIN_OPS + (uint32_t)which;
}

/* A block for tables, of which the plane keeps at least `keep` free ones; NONE: there is none. */
uint32_t tables_take_block(struct ftl* ftl, uint32_t keep);
/* Nothing in it is needed any more. */
void tables_give_block(struct ftl* ftl, uint32_t block);

#endif
