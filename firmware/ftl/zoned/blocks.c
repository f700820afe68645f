/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/zoned/blocks.h"

#include "firmware/drivers/bitmap.h"

static uint32_t number_of(const struct zone_blocks* blocks, uint32_t die, uint32_t block)
{
    return die * blocks->planes_per_die * blocks->blocks_per_plane + block;
}

static void push(struct zone_blocks* blocks, uint32_t plane, uint32_t block)
{
    struct zone_plane* p = &blocks->plane[plane];
    blocks->ring[plane * blocks->blocks_per_plane + (p->head + p->count++) % blocks->blocks_per_plane] = block;
}

static void find_bad(struct zone_blocks* blocks, const struct boot_block* boot, uint32_t all)
{
    if (boot->bad_block_table == 0)
        return;
    const uint8_t* table = hal_memory(boot->bad_block_table, (all + 7) / 8);
    for (uint32_t i = 0; i < all; ++i) {
        if ((table[i / 8] >> i % 8 & 1) != 0)
            bitmap_add(blocks->bad, i);
    }
}

void zone_blocks_init(struct zone_blocks* blocks, struct arena* arena, const struct boot_block* boot)
{
    const uint32_t dies = boot->channels * boot->ways * boot->luns;
    *blocks = (struct zone_blocks){
        .planes_per_die = boot->planes, .blocks_per_plane = boot->blocks_per_plane, .planes = dies * boot->planes};
    const uint32_t all = blocks->planes * blocks->blocks_per_plane;
    blocks->plane = arena_array(arena, blocks->planes, sizeof *blocks->plane, "planes");
    blocks->ring = arena_array(arena, all, sizeof *blocks->ring, "free blocks");
    blocks->dirty = arena_array(arena, bitmap_words(all), sizeof *blocks->dirty, "dirty blocks");
    blocks->bad = arena_array(arena, bitmap_words(all), sizeof *blocks->bad, "bad blocks");
    find_bad(blocks, boot, all);
    for (uint32_t die = 0; die < dies; ++die) {
        for (uint32_t block = 0; block < blocks->planes_per_die * blocks->blocks_per_plane; ++block)
            zone_blocks_give(blocks, die, block, false);
    }
}

uint32_t zone_blocks_fewest(const struct zone_blocks* blocks)
{
    uint32_t fewest = blocks->blocks_per_plane;
    for (uint32_t plane = 0; plane < blocks->planes; ++plane) {
        if (blocks->plane[plane].count < fewest)
            fewest = blocks->plane[plane].count;
    }
    return fewest;
}

uint32_t zone_blocks_take(struct zone_blocks* blocks, uint32_t plane)
{
    struct zone_plane* p = &blocks->plane[plane];
    while (p->count != 0) {
        const uint32_t block = blocks->ring[plane * blocks->blocks_per_plane + p->head];
        p->head = (p->head + 1) % blocks->blocks_per_plane;
        --p->count;
        if (!bitmap_has(blocks->bad, number_of(blocks, plane / blocks->planes_per_die, block)))
            return block;
    }
    return ZONE_NO_BLOCK;
}

bool zone_blocks_is_dirty(const struct zone_blocks* blocks, uint32_t die, uint32_t block)
{
    return bitmap_has(blocks->dirty, number_of(blocks, die, block));
}

void zone_blocks_erased(struct zone_blocks* blocks, uint32_t die, uint32_t block)
{
    bitmap_remove(blocks->dirty, number_of(blocks, die, block));
}

void zone_blocks_give(struct zone_blocks* blocks, uint32_t die, uint32_t block, bool is_dirty)
{
    const uint32_t number = number_of(blocks, die, block);
    if (is_dirty)
        bitmap_add(blocks->dirty, number);
    else
        bitmap_remove(blocks->dirty, number);
    if (!bitmap_has(blocks->bad, number))
        push(blocks, die * blocks->planes_per_die + block % blocks->planes_per_die, block);
}

void zone_blocks_fail(struct zone_blocks* blocks, uint32_t die, uint32_t block)
{
    bitmap_add(blocks->bad, number_of(blocks, die, block));
}
