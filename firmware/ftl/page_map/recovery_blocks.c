/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/drivers/bitmap.h"
#include "firmware/ftl/page_map/bad_blocks.h"
#include "firmware/ftl/page_map/recovery.h"

#include <string.h>

static bool is_good(const struct ftl* ftl, uint32_t block)
{
    return ftl->blocks.block[block].state != BLOCK_BAD;
}

static bool is_empty(const struct ftl* ftl, uint32_t block)
{
    return is_good(ftl, block) && !ftl->blocks.block[block].failed && !recovery_holds_tables(ftl, block) &&
           ftl->blocks.block[block].valid == 0;
}

/* --- erase counts ------------------------------------------------------------------------------------------------- */

/* The lowest count, not below what is known, whose low half the record has. */
static uint32_t erases_of_generation(uint32_t known, uint32_t generation)
{
    const uint32_t erases = (known & ~0xFFFFu) | generation;
    return erases < known ? erases + 0x10000u : erases;
}

static void find_erases(struct ftl* ftl, uint32_t block)
{
    const struct first_page* first = &ftl->recovery->first[block];
    struct block* b = &ftl->blocks.block[block];
    if (first->kind >= FIRST_DATA)
        b->erases = erases_of_generation(b->erases, spare_generation(&first->spare));
    struct plane* plane = &ftl->blocks.plane[b->plane];
    if (b->erases > plane->most_erases)
        plane->most_erases = b->erases;
}

/* --- valid pages -------------------------------------------------------------------------------------------------- */

static void count_valid_pages(struct ftl* ftl)
{
    for (uint32_t logical = 0; logical < ftl->map.logical_pages; ++logical) {
        const uint32_t physical = ftl->map.physical[logical];
        if (map_is_mapped(physical))
            blocks_page_valid(&ftl->blocks, block_of_page(&ftl->geometry, physical));
    }
    HAL_COST_TIMES(recover_entry, ftl->map.logical_pages);
}

/* Duplicates that stand elsewhere for pages of the block that the map names; `take`: the map names them from now on. */
static uint32_t replaceable(struct ftl* ftl, uint32_t block, bool take)
{
    struct recovery* r = ftl->recovery;
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->duplicate_count; ++i) {
        struct duplicate* d = &r->duplicates[i];
        const uint32_t named = ftl->map.physical[d->logical];
        if (d->sequence != r->sequence[d->logical] || !map_is_mapped(named) ||
            block_of_page(&ftl->geometry, named) != block || block_of_page(&ftl->geometry, d->physical) == block)
            continue;
        ++count;
        if (!take)
            continue;
        ftl->map.physical[d->logical] = d->physical;
        --ftl->blocks.block[block].valid;
        blocks_page_valid(&ftl->blocks, block_of_page(&ftl->geometry, d->physical));
        d->physical = named;
    }
    return count;
}

/* Collection was under way in the plane's last free block. Either all pages that it holds still stand in the victim
 * too, or the victim was emptied: one of the two can be had without moving anything. */
static void empty_one(struct ftl* ftl, uint32_t plane)
{
    for (uint32_t i = 0; i < ftl->geometry.blocks_per_plane; ++i) {
        const uint32_t block = block_in_plane(&ftl->geometry, plane, i);
        const struct block* b = &ftl->blocks.block[block];
        if (is_good(ftl, block) && !b->failed && b->valid != 0 && replaceable(ftl, block, false) == b->valid) {
            replaceable(ftl, block, true);
            return;
        }
    }
}

static bool has_empty_block(const struct ftl* ftl, uint32_t plane)
{
    for (uint32_t i = 0; i < ftl->geometry.blocks_per_plane; ++i) {
        if (is_empty(ftl, block_in_plane(&ftl->geometry, plane, i)))
            return true;
    }
    return false;
}

static void rebuild_reverse_map(struct ftl* ftl)
{
    memset(ftl->map.logical, 0xFF, (size_t)ftl->geometry.pages * sizeof *ftl->map.logical);
    for (uint32_t logical = 0; logical < ftl->map.logical_pages; ++logical) {
        const uint32_t physical = ftl->map.physical[logical];
        if (map_is_mapped(physical))
            ftl->map.logical[physical] = logical;
    }
    HAL_COST_TIMES(recover_entry, ftl->map.logical_pages);
}

/* --- erasing what is needed at once ------------------------------------------------------------------------------- */

/* Spares before the others, that one is there for each of those whose erase fails. */
static void erase_next(struct ftl* ftl, uint32_t index)
{
    struct recovery* r = ftl->recovery;
    const uint32_t die = r->ops[index].die;
    const uint32_t blocks = ftl->geometry.blocks_per_die;
    for (; r->block[die] < 2 * blocks; ++r->block[die]) {
        const bool spares = r->block[die] < blocks;
        const uint32_t block = die * blocks + r->block[die] % blocks;
        if (!bitmap_has(r->erase, block) || bitmap_has(r->spare, block) != spares)
            continue;
        ++r->block[die];
        r->ops[index].job = JOB_ERASE;
        r->ops[index].page = block;
        ++r->busy;
        flash_erase(&ftl->flash, recovery_op_number(ftl, index), die, block - die * blocks, FLASH_FOR_METADATA);
        return;
    }
}

void recovery_erased(struct ftl* ftl, uint32_t op, enum flash_status status)
{
    struct recovery* r = ftl->recovery;
    const uint32_t index = op - ftl->buffer.slots;
    const uint32_t block = r->ops[index].page;
    const bool is_spare = bitmap_has(r->spare, block);
    if (status != FLASH_OK && is_spare) {
        bad_blocks_spare_failed(ftl, block);
    } else if (status != FLASH_OK) {
        bad_blocks_erase_failed(ftl, block);
    } else if (is_spare) {
        ++ftl->blocks.block[block].erases;
        blocks_add_spare(&ftl->blocks, block);
    } else {
        blocks_erased(&ftl->blocks, block);
    }
    erase_next(ftl, index);
}

/* No blank block is trusted: its erase, or the program of its first page, may have been cut. Those that are needed at
 * once, spares and what collection starts from, are erased now; the others are blocks without a valid page, which
 * collection takes first. */
static void choose_to_erase(struct ftl* ftl, uint32_t plane)
{
    struct recovery* r = ftl->recovery;
    uint32_t bad = 0; /* that spares have replaced */
    for (uint32_t i = 0; i < ftl->geometry.blocks_per_plane; ++i)
        bad += ftl->blocks.block[block_in_plane(&ftl->geometry, plane, i)].failed;
    const uint32_t share = share_of_plane(&ftl->geometry, plane, ftl->boot->spare_blocks);
    uint32_t free = GC_RESERVE + 1;
    uint32_t spares = share > bad ? share - bad : 0;
    for (uint32_t i = 0; i < ftl->geometry.blocks_per_plane && free != 0; ++i) {
        const uint32_t block = block_in_plane(&ftl->geometry, plane, i);
        if (is_empty(ftl, block)) {
            bitmap_add(r->erase, block);
            --free;
        }
    }
    for (uint32_t i = ftl->geometry.blocks_per_plane; i > 0 && spares != 0; --i) {
        const uint32_t block = block_in_plane(&ftl->geometry, plane, i - 1);
        if (is_empty(ftl, block) && !bitmap_has(r->erase, block)) {
            bitmap_add(r->erase, block);
            bitmap_add(r->spare, block);
            --spares;
        }
    }
}

static void settle(struct ftl* ftl, uint32_t block)
{
    struct block* b = &ftl->blocks.block[block];
    b->stamp = ftl->recovery->first[block].kind == FIRST_DATA ? ftl->recovery->first[block].spare.word[1] : 0;
    if (recovery_holds_tables(ftl, block))
        b->state = BLOCK_TABLES;
    else if (b->failed && b->valid == 0)
        blocks_retire(&ftl->blocks, block);
    else if (!bitmap_has(ftl->recovery->erase, block))
        blocks_add_full(&ftl->blocks, block);
    else
        b->state = BLOCK_COLLECTING;
}

void recovery_settle_blocks(struct ftl* ftl)
{
    struct recovery* r = ftl->recovery;
    for (uint32_t block = 0; block < ftl->geometry.blocks; ++block)
        find_erases(ftl, block);
    count_valid_pages(ftl);
    for (uint32_t plane = 0; plane < ftl->geometry.planes; ++plane) {
        if (!has_empty_block(ftl, plane))
            empty_one(ftl, plane);
    }
    for (uint32_t plane = 0; plane < ftl->geometry.planes; ++plane)
        choose_to_erase(ftl, plane);
    rebuild_reverse_map(ftl);
    for (uint32_t block = 0; block < ftl->geometry.blocks; ++block) {
        if (is_good(ftl, block))
            settle(ftl, block);
    }
    for (uint32_t die = 0; die < ftl->geometry.dies; ++die) {
        r->block[die] = 0;
        r->ops[die].die = die;
        erase_next(ftl, die);
    }
    recovery_wait(ftl);
}
