/* SPDX-License-Identifier: Apache-2.0
 *
 * The pSLC cache: whether host data is programmed in pSLC mode, one bit per cell, or directly with all bits. Programs
 * in pSLC mode are short, but a block then holds only a half, a third or a quarter as much. Decisions from the block
 * table and a few numbers; no flash operation, no buffer, no map.
 *
 * A plane takes cached data while fewer than `most` of its blocks are in pSLC mode and, unless these are reserved,
 * while more than `keep` blocks are free. When fewer than half of the planes do, the cache is full, and host data goes
 * directly to other blocks. It takes data again when its blocks have fallen to the share `resume`. They leave it by
 * collection: while the host is idle, oldest first (`folds`); when a reserved cache is full, at once, as host data may
 * wait for its blocks; for space, like other blocks, if it is not reserved. A block of cached data holds few units, so
 * the greedy policy finds it early.
 *
 * Not modelled: a cache that moves data by copy-back inside the die.
 */
#ifndef STROBE_PAGE_MAP_PSLC_CACHE_H
#define STROBE_PAGE_MAP_PSLC_CACHE_H

#include "firmware/ftl/page_map/blocks.h"

struct pslc_cache {
    uint32_t most;         /* blocks of plane 0; 0: there is no cache */
    uint32_t total;        /* blocks of all planes */
    uint32_t resume_total; /* blocks of all planes at which a full cache takes data again */
    uint32_t keep;         /* free blocks that a plane keeps */
    bool is_reserved;
    bool folds; /* while the host is idle */
    bool is_full;
};

/* `low`: free blocks of a plane below which it is collected. */
struct pslc_cache pslc_cache_of(const struct boot_block* boot, const struct geometry* geometry, uint32_t low);

/* Where host data goes now. */
static inline enum stream pslc_cache_stream(const struct pslc_cache* cache)
{
    return cache->most == 0 || cache->is_full ? STREAM_HOST : STREAM_SLC;
}

static inline bool pslc_cache_has_room(const struct pslc_cache* cache, const struct block_table* table, uint32_t plane)
{
    const struct plane* p = &table->plane[plane];
    return p->open[STREAM_SLC] != NONE || (p->slc < cache->most && p->free > cache->keep);
}

/* Cached data is to be moved, whether the host is idle or not. */
static inline bool pslc_cache_must_fold(const struct pslc_cache* cache)
{
    return cache->is_full && cache->is_reserved;
}

/* `planes_with_room`: for the present stream. True: the stream has changed. */
bool pslc_cache_update(struct pslc_cache* cache, const struct block_table* table, uint32_t planes_with_room);

/* The full block of cached data that changed last of all the longest ago, or NONE. */
uint32_t pslc_cache_oldest(const struct block_table* table, uint32_t plane);

#endif
