/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/drivers/bitmap.h"
#include "firmware/ftl/page_map/ftl.h"
#include "firmware/ftl/page_map/recovery_steps.h"
#include "firmware/ftl/page_map/spare.h"

#include <string.h>

static bool is_good(const struct ftl* ftl, uint32_t block)
{
    return ftl->blocks.block[block].state != BLOCK_BAD;
}

/* --- erase counts ------------------------------------------------------------------------------------------------- */

/* The lowest count that is not below the known one and whose low half is in the record. */
static uint32_t erases_of_low_half(uint32_t known, uint32_t low)
{
    const uint32_t erases = (known & ~0xFFFFu) | low;
    return erases < known ? erases + 0x10000u : erases;
}

static void find_erases(struct ftl* ftl, uint32_t block)
{
    const struct first_page* first = &ftl->recovery->first[block];
    struct block* b = &ftl->blocks.block[block];
    if (first->kind >= FIRST_DATA) {
        b->erases = erases_of_low_half(b->erases, spare_erases(&first->spare));
        b->moved = spare_kind_of(&first->spare) == SPARE_MOVED;
        b->handle = spare_handle_of(&first->spare) & 7u;
    }
    struct plane* plane = &ftl->blocks.plane[b->plane];
    if (b->erases > plane->most_erases)
        plane->most_erases = b->erases;
}

void recovery_find_erase_counts(struct ftl* ftl, struct recovery* r)
{
    (void)r;
    for (uint32_t block = 0; block < ftl->geometry.blocks; ++block)
        find_erases(ftl, block);
}

/* --- valid pages -------------------------------------------------------------------------------------------------- */

void recovery_count_valid_pages(struct ftl* ftl, struct recovery* r)
{
    (void)r;
    for (uint32_t logical = 0; logical < ftl->map.logical_units; ++logical) {
        const uint32_t physical = ftl->map.physical[logical];
        if (map_is_mapped(physical))
            blocks_unit_valid(&ftl->blocks, block_of_unit(&ftl->geometry, physical));
    }
    HAL_COST_TIMES(recover_entry, ftl->map.logical_units);
}

/* The number of duplicates in other blocks of pages of the block that the map names; `take`: the map names them from
 * now on. */
static uint32_t replaceable(struct ftl* ftl, uint32_t block, bool take)
{
    const struct recovery_versions* v = &ftl->recovery->versions;
    uint32_t count = 0;
    for (uint32_t i = 0; i < v->duplicate_count; ++i) {
        struct duplicate* d = &v->duplicates[i];
        const uint32_t named = ftl->map.physical[d->logical];
        if (d->sequence != v->sequence[d->logical] || !map_is_mapped(named) ||
            block_of_unit(&ftl->geometry, named) != block || block_of_unit(&ftl->geometry, d->physical) == block)
            continue;
        ++count;
        if (!take)
            continue;
        ftl->map.physical[d->logical] = d->physical;
        --ftl->blocks.block[block].valid;
        blocks_unit_valid(&ftl->blocks, block_of_unit(&ftl->geometry, d->physical));
        d->physical = named;
    }
    return count;
}

/* Power was lost while collection moved pages to the plane's last free block. Either all pages of that block are still
 * in the victim too, or the victim was emptied: one of the two blocks becomes empty without a move. */
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
        if (recovery_is_empty(ftl, block_in_plane(&ftl->geometry, plane, i)))
            return true;
    }
    return false;
}

void recovery_gain_empty_blocks(struct ftl* ftl, struct recovery* r)
{
    (void)r;
    for (uint32_t plane = 0; plane < ftl->geometry.planes; ++plane) {
        if (!has_empty_block(ftl, plane))
            empty_one(ftl, plane);
    }
}

void recovery_rebuild_reverse_map(struct ftl* ftl, struct recovery* r)
{
    r->versions.sequence = NULL; /* its memory was the reverse map's */
    memset(ftl->map.logical, 0xFF, (size_t)ftl->geometry.units * sizeof *ftl->map.logical);
    for (uint32_t logical = 0; logical < ftl->map.logical_units; ++logical) {
        const uint32_t physical = ftl->map.physical[logical];
        if (map_is_mapped(physical))
            ftl->map.logical[physical] = logical;
    }
    HAL_COST_TIMES(recover_entry, ftl->map.logical_units);
}

/* --- state of each block ------------------------------------------------------------------------------------------ */

/* A blank block is not safe to program: its erase, or the program of its first page, may have been cut. Blocks that are
 * needed at once, for spares and for collection to start, are erased now; the others count as blocks without a valid
 * page, which collection takes first. */
static void choose_to_erase(struct ftl* ftl, uint32_t plane)
{
    const struct recovery_erases* r = &ftl->recovery->erases;
    uint32_t free = GC_RESERVE + 1;
    uint32_t spares = recovery_spares(ftl, plane);
    for (uint32_t i = 0; i < ftl->geometry.blocks_per_plane && free != 0; ++i) {
        const uint32_t block = block_in_plane(&ftl->geometry, plane, i);
        if (recovery_is_empty(ftl, block)) {
            bitmap_add(r->erase, block);
            --free;
        }
    }
    for (uint32_t i = ftl->geometry.blocks_per_plane; i > 0 && spares != 0; --i) {
        const uint32_t block = block_in_plane(&ftl->geometry, plane, i - 1);
        if (recovery_is_empty(ftl, block) && !bitmap_has(r->erase, block)) {
            bitmap_add(r->erase, block);
            bitmap_add(r->spare, block);
            --spares;
        }
    }
    ftl->blocks.plane[plane].owed = spares;
}

void recovery_choose_to_erase(struct ftl* ftl, struct recovery* r)
{
    r->erases.erase = recovery_array(r, bitmap_words(ftl->geometry.blocks), sizeof(uint32_t));
    r->erases.spare = recovery_array(r, bitmap_words(ftl->geometry.blocks), sizeof(uint32_t));
    for (uint32_t plane = 0; plane < ftl->geometry.planes; ++plane) {
        if (!recovery_plane_goes_on(ftl, plane))
            choose_to_erase(ftl, plane);
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
    else if (ftl->recovery->first[block].goes_on != GOES_ON_AS_FOUND)
        recovery_block_goes_on(ftl, block);
    else if (!bitmap_has(ftl->recovery->erases.erase, block))
        blocks_add_full(&ftl->blocks, block);
    else
        b->state = BLOCK_COLLECTING;
}

void recovery_settle_blocks(struct ftl* ftl, struct recovery* r)
{
    (void)r;
    for (uint32_t block = 0; block < ftl->geometry.blocks; ++block) {
        if (is_good(ftl, block))
            settle(ftl, block);
    }
    recovery_collection_goes_on(ftl);
}

/* --- erases ------------------------------------------------------------------------------------------------------- */

static void erased(struct ftl* ftl, uint32_t index, enum flash_status status);

/* As many members at a time as the group has operations. */
static void erase_members(struct ftl* ftl, uint32_t group, uint32_t block)
{
    struct group_erase* erase = &ftl->recovery->erases.group[group];
    const uint32_t members = geometry_members(&ftl->geometry);
    const uint32_t depth = recovery_depth(&ftl->geometry);
    const uint32_t begin = members < depth ? members : depth;
    *erase = (struct group_erase){begin, members, false};
    for (uint32_t member = 0; member < begin; ++member)
        recovery_erase(ftl, group * depth + member, block, member, erased);
}

/* Spares before the others, so that there is one for each of the others whose erase fails. */
static void erase_next(struct ftl* ftl, uint32_t group)
{
    const struct recovery_erases* r = &ftl->recovery->erases;
    const uint32_t blocks = ftl->geometry.blocks_per_group;
    for (; r->cursor[group] < 2 * blocks; ++r->cursor[group]) {
        const bool spares = r->cursor[group] < blocks;
        const uint32_t block = group * blocks + r->cursor[group] % blocks;
        if (!bitmap_has(r->erase, block) || bitmap_has(r->spare, block) != spares)
            continue;
        ++r->cursor[group];
        erase_members(ftl, group, block);
        return;
    }
}

static void block_erased(struct ftl* ftl, uint32_t block, bool has_failed)
{
    const bool is_spare = bitmap_has(ftl->recovery->erases.spare, block);
    if (has_failed && is_spare) {
        bad_blocks_spare_failed(ftl, block);
    } else if (has_failed) {
        bad_blocks_erase_failed(ftl, block);
    } else if (is_spare) {
        ++ftl->blocks.block[block].erases;
        blocks_add_spare(&ftl->blocks, block);
    } else {
        blocks_erased(&ftl->blocks, block);
    }
}

static void erased(struct ftl* ftl, uint32_t index, enum flash_status status)
{
    const uint32_t block = ftl->recovery->io.ops[index].at;
    const uint32_t group = group_of_block(&ftl->geometry, block);
    struct group_erase* erase = &ftl->recovery->erases.group[group];
    erase->has_failed |= status != FLASH_OK;
    if (erase->next != geometry_members(&ftl->geometry))
        recovery_erase(ftl, index, block, erase->next++, erased);
    if (--erase->left != 0)
        return;
    block_erased(ftl, block, erase->has_failed);
    erase_next(ftl, group);
}

void recovery_erase_blocks(struct ftl* ftl, struct recovery* r)
{
    r->erases.cursor = recovery_array(r, ftl->geometry.groups, sizeof *r->erases.cursor);
    r->erases.group = recovery_array(r, ftl->geometry.groups, sizeof *r->erases.group);
    for (uint32_t group = 0; group < ftl->geometry.groups; ++group)
        erase_next(ftl, group);
    recovery_wait(ftl);
}
