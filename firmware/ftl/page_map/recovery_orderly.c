/* SPDX-License-Identifier: Apache-2.0
 *
 * Recovery after an orderly power-off (boot word RECOVER = 2): no program and no erase was in progress, so a page that
 * reads as blank is blank. A plane goes on with the blocks that were open, free and spare. If all planes began with an
 * empty open block and equally many free blocks instead, they would fill and collect their blocks at the same time, and
 * the drive would alternate for a long time between intervals with much and with little collection.
 */
#include "firmware/ftl/page_map/ftl.h"
#include "firmware/ftl/page_map/recovery_steps.h"
#include "firmware/ftl/page_map/spare.h"
#include "firmware/ftl/page_map/victim.h"

#define ORDERLY 2u /* boot_block.recover */

/* --- of any plane, after any loss of power ------------------------------------------------------------------------ */

bool recovery_is_empty(const struct ftl* ftl, uint32_t block)
{
    const struct block* b = &ftl->blocks.block[block];
    return b->state != BLOCK_BAD && !b->failed && !recovery_holds_tables(ftl, block) && b->valid == 0;
}

uint32_t recovery_spares(const struct ftl* ftl, uint32_t plane)
{
    uint32_t bad = 0; /* replaced by spares */
    for (uint32_t i = 0; i < ftl->geometry.blocks_per_plane; ++i)
        bad += ftl->blocks.block[block_in_plane(&ftl->geometry, plane, i)].failed;
    const uint32_t share = share_of_plane(&ftl->geometry, plane, ftl->boot->spare_blocks);
    return share > bad ? share - bad : 0;
}

/* --- of a plane that goes on -------------------------------------------------------------------------------------- */

static struct first_page* first_page_of(const struct ftl* ftl, uint32_t plane, uint32_t index)
{
    return &ftl->recovery->first[block_in_plane(&ftl->geometry, plane, index)];
}

static bool is_blank(const struct ftl* ftl, uint32_t plane, uint32_t index)
{
    return first_page_of(ftl, plane, index)->kind == FIRST_BLANK &&
           recovery_is_empty(ftl, block_in_plane(&ftl->geometry, plane, index));
}

static enum spare_kind kind_of(enum stream stream)
{
    return stream_is_moved(stream) ? SPARE_MOVED : stream >= STREAM_HOT ? SPARE_HOT : SPARE_HOST;
}

/* By the record of its first page. Records of hot data without data placement may have no number. */
static bool is_of_stream(const struct flash_spare* spare, enum stream stream)
{
    const uint32_t handle = spare_handle_of(spare);
    return spare_kind_of(spare) == kind_of(stream) &&
           (handle == stream_handle(stream) || (stream == STREAM_HOT && handle == 0));
}

/* Pages that hold data: those that the checkpoint covers were not read. */
static uint32_t taken_of(const struct ftl* ftl, const struct first_page* first)
{
    const uint32_t covered = ftl->checkpoint.covered[first - ftl->recovery->first];
    return first->taken > covered ? first->taken : covered;
}

/* The block has pages left for this data: its first page tells for which. */
static bool has_room(const struct ftl* ftl, uint32_t plane, uint32_t index, enum stream stream)
{
    const struct first_page* first = first_page_of(ftl, plane, index);
    const struct block* b = &ftl->blocks.block[block_in_plane(&ftl->geometry, plane, index)];
    const struct geometry* g = &ftl->geometry;
    if (g->has_parity && taken_of(ftl, first) % g->width != 0) /* what the XOR engine had added up is gone */
        return false;
    return b->state != BLOCK_BAD && !b->failed && first->kind == FIRST_DATA && first->has_room &&
           b->slc == (stream == STREAM_SLC) && is_of_stream(&first->spare, stream);
}

/* The plane's open block; NULL: there is none. If there are several with room, all but one were closed by an earlier
 * recovery, and it is unknown which. */
static struct first_page* open_block(const struct ftl* ftl, uint32_t plane, enum stream stream)
{
    struct first_page* found = NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < ftl->geometry.blocks_per_plane; ++i) {
        if (!has_room(ftl, plane, i, stream))
            continue;
        found = first_page_of(ftl, plane, i);
        ++count;
    }
    return count == 1 ? found : NULL;
}

/* Of the blocks that collection may choose, the one with the fewest valid units has so many. */
static uint32_t fewest_valid(const struct ftl* ftl, uint32_t plane)
{
    uint32_t fewest = ftl->geometry.units_per_block;
    for (uint32_t i = 0; i < ftl->geometry.blocks_per_plane; ++i) {
        const uint32_t block = block_in_plane(&ftl->geometry, plane, i);
        const struct block* b = &ftl->blocks.block[block];
        const struct first_page* first = &ftl->recovery->first[block];
        const bool is_full = b->state != BLOCK_BAD && !b->failed && !recovery_holds_tables(ftl, block) &&
                             first->kind != FIRST_BLANK && !first->has_room;
        if (is_full && b->valid < fewest)
            fewest = b->valid;
    }
    return fewest;
}

/* Without a free block, collection was in progress: what was left of its victim fits into the open block. Not known if
 * moved data has several. */
static bool can_collect(const struct ftl* ftl, uint32_t plane, const struct first_page* open)
{
    return open != NULL && !ftl->placement.is_persistent &&
           fewest_valid(ftl, plane) <=
               (ftl->geometry.pages_per_block - taken_of(ftl, open)) * ftl->geometry.units_per_page;
}

bool recovery_plane_goes_on(struct ftl* ftl, uint32_t plane)
{
    uint32_t blank = 0;
    if (ftl->boot->recover != ORDERLY)
        return false;
    for (uint32_t i = 0; i < ftl->geometry.blocks_per_plane; ++i)
        blank += is_blank(ftl, plane, i);
    const uint32_t spares = recovery_spares(ftl, plane);
    struct first_page* open[STREAMS];
    for (uint32_t stream = 0; stream < STREAMS; ++stream)
        open[stream] = open_block(ftl, plane, (enum stream)stream);
    if (blank < spares || (blank == spares && !can_collect(ftl, plane, open[STREAM_MOVE])))
        return false;
    for (uint32_t i = 0; i < ftl->geometry.blocks_per_plane; ++i) { /* spares are the last ones */
        if (is_blank(ftl, plane, i))
            first_page_of(ftl, plane, i)->goes_on = blank-- <= spares ? GOES_ON_SPARE : GOES_ON_FREE;
    }
    for (uint32_t stream = 0; stream < STREAMS; ++stream) {
        if (open[stream] != NULL)
            open[stream]->goes_on = (uint8_t)(GOES_ON_OPEN + stream);
    }
    return true;
}

void recovery_collection_goes_on(struct ftl* ftl)
{
    for (uint32_t plane = 0; plane < ftl->geometry.planes; ++plane) {
        const struct plane* p = &ftl->blocks.plane[plane];
        if (p->free == 0 && p->open[STREAM_MOVE] != NONE)
            collector_go_on(ftl, plane, victim_greedy(&ftl->blocks, plane));
    }
}

void recovery_block_goes_on(struct ftl* ftl, uint32_t block)
{
    const struct first_page* first = &ftl->recovery->first[block];
    if (first->goes_on == GOES_ON_FREE)
        blocks_add_free(&ftl->blocks, block);
    else if (first->goes_on == GOES_ON_SPARE)
        blocks_add_spare(&ftl->blocks, block);
    else
        blocks_open_again(&ftl->blocks, block, (enum stream)(first->goes_on - GOES_ON_OPEN),
                          (uint16_t)taken_of(ftl, first));
}
