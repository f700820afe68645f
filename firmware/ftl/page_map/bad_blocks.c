/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/bad_blocks.h"

#include "firmware/ftl/page_map/ftl.h"

/* --- factory bad blocks ------------------------------------------------------------------------------------------- */

static void block_is_good(struct ftl* ftl, uint32_t block)
{
    ftl->blocks.block[block].state = BLOCK_FREE;
    ++ftl->blocks.plane[ftl->blocks.block[block].plane].good;
}

/* A block of the flash: it is one of the layer, or the next member for its plane of the flash. */
static void found_good(struct ftl* ftl, uint32_t die, uint32_t block)
{
    const struct geometry* g = &ftl->geometry;
    if (!geometry_is_joined(g)) {
        block_is_good(ftl, die * g->blocks_per_group + block);
        return;
    }
    const uint32_t plane = die * g->planes_per_die + block % g->planes_per_die;
    ftl->scan.members[plane * g->blocks_per_plane + ftl->scan.good[plane]++] = (uint16_t)(block / g->planes_per_die);
}

static uint32_t flash_blocks_per_die(const struct geometry* g)
{
    return g->planes_per_die * g->blocks_per_plane;
}

static void read_table(struct ftl* ftl)
{
    const uint32_t per_die = flash_blocks_per_die(&ftl->geometry);
    const uint32_t blocks = ftl->geometry.dies * per_die;
    const uint8_t* table = hal_memory(ftl->boot->bad_block_table, (blocks + 7) / 8);
    for (uint32_t block = 0; block < blocks; ++block) {
        if ((table[block / 8] >> block % 8 & 1) == 0)
            found_good(ftl, block / per_die, block % per_die);
    }
}

/* Reads one sector of each block's first page, one block per die at a time, into a slot that is not in use. */
static void scan_next(struct ftl* ftl, uint32_t die)
{
    if (ftl->scan.cursor[die] == flash_blocks_per_die(&ftl->geometry))
        return;
    const struct flash_place place = {die, ftl->scan.cursor[die], 0, false};
    ++ftl->scan.in_progress;
    flash_read(&ftl->flash, ftl->buffer.slots + die, place, 1, buffer_address(&ftl->buffer, 1), FLASH_FOR_METADATA);
}

void bad_blocks_scanned(struct ftl* ftl, uint32_t op, enum flash_status status)
{
    const uint32_t die = op - ftl->buffer.slots;
    /* An uncorrectable page is not a mark if a power loss may have damaged it. */
    const bool good = status == FLASH_OK ? flash_spare_of(&ftl->flash, op).word[0] != 0 : ftl->boot->recover != 0;
    if (good)
        found_good(ftl, die, ftl->scan.cursor[die]);
    ++ftl->scan.cursor[die];
    --ftl->scan.in_progress;
    scan_next(ftl, die);
}

static void scan(struct ftl* ftl, struct arena* arena)
{
    ftl->scan.cursor = arena_array(arena, ftl->geometry.dies, sizeof(uint32_t), "the bad block scan");
    for (uint32_t die = 0; die < ftl->geometry.dies; ++die)
        scan_next(ftl, die);
    while (ftl->scan.in_progress != 0) {
        if (flash_poll(&ftl->flash) == 0)
            flash_sleep(&ftl->flash);
    }
}

/* The last good blocks of each plane are its spares. */
static void distribute(struct ftl* ftl, uint32_t plane)
{
    const struct geometry* g = &ftl->geometry;
    uint32_t spares = share_of_plane(g, plane, ftl->boot->spare_blocks);
    for (uint32_t i = g->blocks_per_plane; i > 0; --i) {
        const uint32_t block = block_in_plane(g, plane, i - 1);
        if (ftl->blocks.block[block].state == BLOCK_BAD)
            continue;
        if (spares != 0) {
            --spares;
            blocks_add_spare(&ftl->blocks, block);
        } else {
            blocks_add_free(&ftl->blocks, block);
        }
    }
}

static void prepare_members(struct ftl* ftl, struct arena* arena)
{
    static const char what[] = "members of blocks";
    const uint32_t planes = ftl->geometry.dies * ftl->geometry.planes_per_die;
    ftl->scan.members = arena_array(arena, (uint64_t)planes * ftl->geometry.blocks_per_plane, sizeof(uint16_t), what);
    ftl->scan.good = arena_array(arena, planes, sizeof(uint32_t), what);
    ftl->geometry.members = ftl->scan.members;
}

/* A plane has as many blocks as each of its planes of the flash has good ones. */
static void join(struct ftl* ftl, uint32_t plane)
{
    const struct geometry* g = &ftl->geometry;
    uint32_t good = g->blocks_per_plane;
    for (uint32_t member = 0; member < geometry_members(g); ++member) {
        const struct flash_place at = geometry_member(g, block_in_plane(g, plane, 0), member);
        const uint32_t found = ftl->scan.good[at.die * g->planes_per_die + at.block % g->planes_per_die];
        good = found < good ? found : good;
    }
    for (uint32_t i = 0; i < good; ++i)
        block_is_good(ftl, block_in_plane(g, plane, i));
}

void bad_blocks_find(struct ftl* ftl, struct arena* arena)
{
    const bool is_joined = geometry_is_joined(&ftl->geometry);
    if (is_joined)
        prepare_members(ftl, arena);
    if (ftl->boot->bad_block_table != 0)
        read_table(ftl);
    else
        scan(ftl, arena);
    for (uint32_t plane = 0; is_joined && plane < ftl->geometry.planes; ++plane)
        join(ftl, plane);
}

void bad_blocks_distribute(struct ftl* ftl)
{
    for (uint32_t plane = 0; plane < ftl->geometry.planes; ++plane)
        distribute(ftl, plane);
}

/* --- blocks that go bad ------------------------------------------------------------------------------------------- */

static uint32_t take_spare_of_group(struct ftl* ftl, uint32_t plane)
{
    const uint32_t first = plane - plane % ftl->geometry.planes_per_group;
    uint32_t spare = blocks_take_spare(&ftl->blocks, plane);
    for (uint32_t other = first; spare == NONE && other < first + ftl->geometry.planes_per_group; ++other)
        spare = blocks_take_spare(&ftl->blocks, other);
    return spare;
}

/* A spare that is still among the other blocks replaces one without being moved. */
static bool take_owed_of_group(struct ftl* ftl, uint32_t plane)
{
    const uint32_t first = plane - plane % ftl->geometry.planes_per_group;
    for (uint32_t i = 0; i < ftl->geometry.planes_per_group; ++i) {
        struct plane* other = &ftl->blocks.plane[first + (plane - first + i) % ftl->geometry.planes_per_group];
        if (other->owed != 0) {
            --other->owed;
            return true;
        }
    }
    return false;
}

static void replace(struct ftl* ftl, uint32_t plane)
{
    const uint32_t spare = take_spare_of_group(ftl, plane);
    if (spare != NONE) {
        blocks_add_free(&ftl->blocks, spare);
        return;
    }
    if (take_owed_of_group(ftl, plane))
        return;
    if (!ftl->read_only) {
        ftl->read_only = true;
        pacing_open_gate(&ftl->pacing);
        hal_log("no spare block is left: the drive is read-only");
        ftl->client.read_only(ftl->client.context);
    }
}

void bad_blocks_program_failed(struct ftl* ftl, uint32_t block)
{
    const uint32_t plane = ftl->blocks.block[block].plane;
    if (!blocks_fail(&ftl->blocks, block))
        return;
    journal_note(ftl, RECORD_BAD, block, 0);
    replace(ftl, plane);
}

void bad_blocks_spare_failed(struct ftl* ftl, uint32_t block)
{
    blocks_retire(&ftl->blocks, block);
    journal_note(ftl, RECORD_BAD, block, 0);
}

void bad_blocks_erase_failed(struct ftl* ftl, uint32_t block)
{
    bad_blocks_spare_failed(ftl, block);
    replace(ftl, ftl->blocks.block[block].plane);
}
