/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/pslc_cache.h"

struct pslc_cache pslc_cache_of(const struct boot_block* boot, const struct geometry* g, uint32_t low)
{
    struct pslc_cache cache = {0};
    if (boot->pslc_cache == PSLC_CACHE_MODE_NONE || g->slc_pages == 0)
        return cache;
    for (uint32_t plane = 0; plane < g->planes; ++plane)
        cache.total += capacity_slc_blocks(boot, g, plane);
    cache.most = capacity_slc_blocks(boot, g, 0);
    cache.resume_total = (uint32_t)((uint64_t)cache.total * boot->pslc_cache_resume / 1000);
    cache.keep = boot->pslc_cache == PSLC_CACHE_MODE_STATIC ? 0 : low;
    cache.is_reserved = boot->pslc_cache == PSLC_CACHE_MODE_STATIC;
    cache.folds = boot->pslc_cache_fold != 0;
    return cache;
}

static uint32_t blocks_in_cache(const struct block_table* table)
{
    uint32_t blocks = 0;
    for (uint32_t plane = 0; plane < table->geometry.planes; ++plane)
        blocks += table->plane[plane].slc;
    return blocks;
}

static bool has_room_again(const struct pslc_cache* cache, const struct block_table* table)
{
    uint32_t planes = 0;
    for (uint32_t plane = 0; plane < table->geometry.planes; ++plane)
        planes += pslc_cache_has_room(cache, table, plane);
    return 2 * planes >= table->geometry.planes;
}

bool pslc_cache_update(struct pslc_cache* cache, const struct block_table* table, uint32_t planes_with_room)
{
    if (cache->most == 0)
        return false;
    if (!cache->is_full) {
        cache->is_full = 2 * planes_with_room < table->geometry.planes;
        return cache->is_full;
    }
    cache->is_full = blocks_in_cache(table) > cache->resume_total || !has_room_again(cache, table);
    return !cache->is_full;
}

uint32_t pslc_cache_oldest(const struct block_table* table, uint32_t plane)
{
    const struct geometry* g = &table->geometry;
    uint32_t oldest = NONE;
    for (uint32_t i = 0; i < g->blocks_per_plane && table->plane[plane].slc != 0; ++i) {
        const uint32_t block = block_in_plane(g, plane, i);
        const struct block* b = &table->block[block];
        if (!b->slc || b->state != BLOCK_FULL || b->failed)
            continue;
        if (oldest == NONE || table->clock - b->stamp > table->clock - table->block[oldest].stamp)
            oldest = block;
    }
    return oldest;
}
