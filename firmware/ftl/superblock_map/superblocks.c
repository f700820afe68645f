/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/superblock_map/superblocks.h"

#include "firmware/drivers/bitmap.h"

/* --- the free superblocks of a group: a heap with the next one to be taken on top --------------------------------- */

static bool is_before(const struct superblocks* all, uint32_t a, uint32_t b)
{
    const struct superblock* first = &all->superblock[a];
    const struct superblock* second = &all->superblock[b];
    if (all->least_worn_first && first->erases != second->erases)
        return first->erases < second->erases;
    return (int32_t)(first->freed_at - second->freed_at) < 0;
}

static void put(struct superblocks* all, struct free_list* list, uint32_t place, uint32_t number)
{
    list->heap[place] = number;
    all->superblock[number].rank = place;
}

static void sift_up(struct superblocks* all, struct free_list* list, uint32_t place, uint32_t number)
{
    while (place != 0 && is_before(all, number, list->heap[(place - 1) / 2])) {
        put(all, list, place, list->heap[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    put(all, list, place, number);
}

static void sift_down(struct superblocks* all, struct free_list* list, uint32_t place, uint32_t number)
{
    for (;;) {
        uint32_t child = 2 * place + 1;
        if (child >= list->count)
            break;
        if (child + 1 < list->count && is_before(all, list->heap[child + 1], list->heap[child]))
            ++child;
        if (!is_before(all, list->heap[child], number))
            break;
        put(all, list, place, list->heap[child]);
        place = child;
    }
    put(all, list, place, number);
}

static void pool_add(struct superblocks* all, uint32_t number)
{
    struct free_list* list = &all->free[group_of(all->layout, number)];
    all->superblock[number].place = list->count;
    list->member[list->count] = number;
    sift_up(all, list, list->count++, number);
}

static void pool_remove(struct superblocks* all, uint32_t number)
{
    struct free_list* list = &all->free[group_of(all->layout, number)];
    const struct superblock* superblock = &all->superblock[number];
    const uint32_t moved = list->member[--list->count];
    list->member[superblock->place] = moved;
    all->superblock[moved].place = superblock->place;
    const uint32_t rank = superblock->rank;
    const uint32_t last = list->heap[list->count];
    if (last == number)
        return;
    if (rank != 0 && is_before(all, last, list->heap[(rank - 1) / 2]))
        sift_up(all, list, rank, last);
    else
        sift_down(all, list, rank, last);
}

/* --- blocks and spares -------------------------------------------------------------------------------------------- */

static uint32_t* block_of(struct superblocks* all, uint32_t number, uint32_t chip)
{
    return &all->blocks[number * all->layout->chips + chip];
}

/* The lowest spare block of the plane, or NONE. */
static uint32_t take_spare(struct superblocks* all, uint32_t die, uint32_t plane)
{
    const struct layout* l = all->layout;
    for (uint32_t block = l->per_superchip + plane; block < l->blocks_per_die; block += l->planes) {
        if (bitmap_has(all->spares, die * l->blocks_per_die + block)) {
            bitmap_remove(all->spares, die * l->blocks_per_die + block);
            return block;
        }
    }
    return NONE;
}

static uint32_t spare_for(struct superblocks* all, uint32_t number, uint32_t chip)
{
    const struct layout* l = all->layout;
    const uint32_t plane = number % l->per_superchip % l->planes;
    return take_spare(all, layout_die(l, superchip_of(l, number), chip), plane);
}

static void record(struct superblocks* all, uint32_t number, uint32_t chip, uint32_t block)
{
    if (all->replacements == all->most_replacements)
        hal_panic("superblock mapping: the table of replaced blocks is full");
    all->replaced[all->replacements++] = (struct replacement){number, chip << 24 | block};
}

static void drop(struct superblocks* all, uint32_t number)
{
    struct superblock* superblock = &all->superblock[number];
    if (superblock->state != SUPERBLOCK_RESERVED)
        --all->usable[group_of(all->layout, number)];
    superblock->state = SUPERBLOCK_UNUSABLE;
}

bool superblocks_replace(struct superblocks* all, uint32_t number, uint32_t chip)
{
    const uint32_t spare = spare_for(all, number, chip);
    record(all, number, chip, spare == NONE ? SUPERBLOCK_DROPPED : spare);
    if (spare == NONE)
        drop(all, number);
    else
        *block_of(all, number, chip) = spare;
    return spare != NONE;
}

void superblocks_replace_again(struct superblocks* all, struct replacement replacement)
{
    const struct layout* l = all->layout;
    const uint32_t number = replacement.superblock;
    const uint32_t chip = replacement.chip_and_block >> 24;
    const uint32_t block = replacement.chip_and_block & SUPERBLOCK_DROPPED;
    record(all, number, chip, block);
    if (block != SUPERBLOCK_DROPPED) {
        *block_of(all, number, chip) = block;
        bitmap_remove(all->spares, layout_die(l, superchip_of(l, number), chip) * l->blocks_per_die + block);
    } else if (all->superblock[number].state != SUPERBLOCK_UNUSABLE) {
        pool_remove(all, number);
        drop(all, number);
    }
}

/* --- the pool ----------------------------------------------------------------------------------------------------- */

/* The better of `best` and the best superblock without reads in the subheap at that rank. The search is short: only
 * superblocks that were freed recently have reads. */
static uint32_t best_below(const struct superblocks* all, const struct free_list* list, uint32_t rank, uint32_t best)
{
    if (rank >= list->count || (best != NONE && !is_before(all, list->heap[rank], best)))
        return best;
    if (read_fence_has_passed(all->reads, &all->superblock[list->heap[rank]].fence))
        return list->heap[rank];
    best = best_below(all, list, 2 * rank + 1, best);
    return best_below(all, list, 2 * rank + 2, best);
}

uint32_t superblocks_take(struct superblocks* all, uint32_t group)
{
    const uint32_t number = best_below(all, &all->free[group], 0, NONE);
    if (number != NONE)
        superblocks_take_this(all, number);
    return number;
}

void superblocks_take_this(struct superblocks* all, uint32_t number)
{
    pool_remove(all, number);
    all->superblock[number].state = SUPERBLOCK_TARGET;
}

void superblocks_map(struct superblocks* all, uint32_t number, uint32_t logical)
{
    all->superblock[number].state = SUPERBLOCK_MAPPED;
    all->superblock[number].logical = logical;
}

void superblocks_release(struct superblocks* all, uint32_t number)
{
    struct superblock* superblock = &all->superblock[number];
    superblock->state = SUPERBLOCK_FREE;
    superblock->fence = read_fence(all->reads);
    superblock->freed_at = all->releases++;
    pool_add(all, number);
}

uint32_t superblocks_reserve(struct superblocks* all, uint32_t superchip)
{
    const struct layout* l = all->layout;
    for (uint32_t number = superchip * l->per_superchip; number < (superchip + 1) * l->per_superchip; ++number) {
        if (all->superblock[number].state == SUPERBLOCK_FREE) {
            superblocks_take_this(all, number);
            all->superblock[number].state = SUPERBLOCK_RESERVED;
            --all->usable[group_of(l, number)];
            return number;
        }
    }
    return NONE;
}

void superblocks_rebuild_pool(struct superblocks* all)
{
    for (uint32_t group = 0; group < all->layout->groups; ++group)
        all->free[group].count = 0;
    for (uint32_t number = 0; number < all->layout->superblocks; ++number) {
        if (all->superblock[number].state == SUPERBLOCK_FREE)
            superblocks_release(all, number);
    }
}

/* --- start -------------------------------------------------------------------------------------------------------- */

/* Factory bad blocks of a superblock are replaced in the same way at each start, so they are not recorded. */
static void compose(struct superblocks* all, const uint8_t* bad, uint32_t number)
{
    const struct layout* l = all->layout;
    bool whole = true;
    for (uint32_t chip = 0; chip < l->chips; ++chip) {
        uint32_t block = number % l->per_superchip;
        const uint32_t flat = layout_die(l, superchip_of(l, number), chip) * l->blocks_per_die + block;
        if ((bad[flat / 8] >> flat % 8 & 1) != 0)
            block = spare_for(all, number, chip);
        *block_of(all, number, chip) = block;
        whole = whole && block != NONE;
    }
    all->superblock[number].logical = NONE;
    if (!whole)
        return;
    ++all->usable[group_of(l, number)];
    superblocks_release(all, number);
}

void superblocks_init(struct superblocks* all, const struct layout* layout, struct read_progress* reads,
                      const struct boot_block* boot, struct arena* arena)
{
    const uint32_t blocks = layout->dies * layout->blocks_per_die;
    const uint8_t* bad = hal_memory(boot->bad_block_table, (blocks + 7) / 8);
    *all = (struct superblocks){.layout = layout, .reads = reads, .least_worn_first = boot->implicit_wear != 0};
    all->superblock = arena_array(arena, layout->superblocks, sizeof *all->superblock, "the superblock table");
    const uint64_t words = (uint64_t)layout->superblocks * layout->chips;
    all->blocks_at = arena_take(arena, words, 4, 64, "the block lists");
    all->blocks = hal_memory(all->blocks_at, (uint32_t)words * 4);
    all->free = arena_array(arena, layout->groups, sizeof *all->free, "the free superblocks");
    all->usable = arena_array(arena, layout->groups, sizeof *all->usable, "the free superblocks");
    const uint32_t members = layout->per_superchip / layout->planes;
    for (uint32_t group = 0; group < layout->groups; ++group) {
        all->free[group].member = arena_array(arena, members, sizeof(uint32_t), "the free superblocks");
        all->free[group].heap = arena_array(arena, members, sizeof(uint32_t), "the free superblocks");
    }
    all->most_replacements = capacity_replacements(layout);
    all->replaced = arena_array(arena, all->most_replacements, sizeof *all->replaced, "the replaced blocks");
    all->spares = arena_array(arena, bitmap_words(blocks), sizeof(uint32_t), "the spare blocks");
    for (uint32_t die = 0; die < layout->dies; ++die) {
        for (uint32_t block = layout->per_superchip; block < layout->blocks_per_die; ++block) {
            const uint32_t flat = die * layout->blocks_per_die + block;
            bitmap_set(all->spares, flat, (bad[flat / 8] >> flat % 8 & 1) == 0);
        }
    }
    for (uint32_t number = 0; number < layout->superblocks; ++number)
        compose(all, bad, number);
}
