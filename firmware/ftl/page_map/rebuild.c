/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/rebuild.h"

#include "firmware/drivers/statistics.h"
#include "firmware/ftl/page_map/ftl.h"
#include "firmware/ftl/page_map/parity.h"
#include "firmware/ftl/page_map/refresh.h"

static struct slot* slot_at(const struct ftl* ftl, uint32_t number)
{
    return buffer_slot(&ftl->buffer, number);
}

static const struct flash_descriptor* read_of(const struct ftl* ftl, uint32_t number)
{
    return &ftl->flash.descriptors[number];
}

static void push(struct ftl* ftl, struct slot_queue* queue, uint32_t number)
{
    slot_queue_push(&ftl->buffer, queue, number);
}

static uint32_t take(struct ftl* ftl, struct slot_queue* queue)
{
    const uint32_t number = queue->head;
    if (number == NONE)
        return NONE;
    slot_queue_remove(&ftl->buffer, queue, number);
    slot_at(ftl, number)->next = NONE;
    return number;
}

static void end(struct ftl* ftl, uint32_t number, enum rebuild_end how)
{
    if (how == REBUILD_FAILED)
        statistics_count(STATISTIC_PARITY_LOST, 1);
    push(ftl, &ftl->rebuild.ended[how], number);
}

uint32_t rebuild_take_ended(struct ftl* ftl, enum rebuild_end how)
{
    return take(ftl, &ftl->rebuild.ended[how]);
}

/* --- what was read ------------------------------------------------------------------------------------------------ */

static bool is_place(const struct flash_descriptor* read, struct flash_place place)
{
    return read->superchip == place.die && read->blocks == place.block && read->start_sector == place.sector;
}

/* Where a logical unit is, if that is the place of the read; else NONE. */
static uint32_t unit_at(const struct ftl* ftl, uint32_t logical, const struct flash_descriptor* read)
{
    const uint32_t physical = map_find(&ftl->map, logical);
    const uint32_t column = read->start_sector % ftl->geometry.sectors_per_unit;
    return map_is_mapped(physical) && is_place(read, blocks_place(&ftl->blocks, physical, column)) ? physical : NONE;
}

/* The unit that the slot was read from, if it is still there; else NONE. Its block was not erased then. A merge of a
 * unit that was never written reads a unit of zeros. */
static uint32_t unit_of(const struct ftl* ftl, uint32_t number)
{
    const struct slot* slot = slot_at(ftl, number);
    const struct flash_descriptor* read = read_of(ftl, number);
    if (slot->use == USE_MOVE)
        return ftl->map.logical[slot->source] == NONE ? NONE : slot->source;
    uint32_t physical = unit_at(ftl, slot->logical, read);
    for (uint32_t i = 0; slot->use == USE_WRITE && physical == NONE && i < ftl->completing.zero_units; ++i)
        physical = unit_at(ftl, ftl->exported + i, read);
    return physical;
}

/* --- jobs --------------------------------------------------------------------------------------------------------- */

static uint32_t free_job(const struct ftl* ftl)
{
    for (uint32_t job = 0; job < REBUILD_JOBS; ++job) {
        if (ftl->rebuild.jobs[job].slot == NONE)
            return job;
    }
    return NONE;
}

/* All reads are queued at once: an erase of the block, if there is one, comes after them on each die. */
static void start(struct ftl* ftl, uint32_t number, uint32_t physical, uint32_t index)
{
    const struct geometry* g = &ftl->geometry;
    struct rebuild_job* job = &ftl->rebuild.jobs[index];
    const struct flash_descriptor read = *read_of(ftl, number);
    const uint32_t block = block_of_unit(g, physical);
    const uint32_t strip = strip_of_unit(g, physical % g->units_per_page);
    const uint32_t own = page_of_unit(g, physical) % g->width;
    const enum flash_purpose purpose = (enum flash_purpose)((read.control & FLASH_DESCRIPTOR_CONTROL_PURPOSE_MASK) >>
                                                            FLASH_DESCRIPTOR_CONTROL_PURPOSE_SHIFT);
    *job = (struct rebuild_job){number, ftl->map.logical[physical], g->width - 1, job->set + 1, false, {{0, 0, 0, 0}}};
    const uint32_t order = flash_parity_order(parity_ops(g) + index, job->set, g->width - 1);
    uint32_t op = ftl->rebuild.first_op + index * (g->width - 1);
    for (uint32_t die = 0; die < g->width; ++die) {
        if (die == own)
            continue;
        struct flash_place place = geometry_member(g, block, die * g->row_planes + strip);
        place.sector = read.start_sector;
        place.pslc = ftl->blocks.block[block].slc;
        flash_read_parity(&ftl->flash, op++, place, read.sectors, read.buffer, order, purpose);
    }
}

/* False: the read has to wait for the parity of its stripe. One that is not full is ended, unless moved data might then
 * have too little room. */
static bool has_parity(struct ftl* ftl, uint32_t physical, bool* can_get_it)
{
    const uint32_t block = block_of_unit(&ftl->geometry, physical);
    const uint32_t stripe = parity_find(ftl, block, page_of_unit(&ftl->geometry, physical));
    const struct block* b = &ftl->blocks.block[block];
    *can_get_it = true;
    if (stripe == NONE)
        return true;
    if (b->taken > ftl->parity.stripes[stripe].page)
        return false;
    const struct plane* plane = &ftl->blocks.plane[b->plane];
    *can_get_it = !b->moved || b->state != BLOCK_OPEN || plane->free != 0;
    if (*can_get_it)
        blocks_end_stripe(&ftl->blocks, block);
    return false;
}

static void advance(struct ftl* ftl)
{
    for (uint32_t job; ftl->rebuild.waiting.head != NONE && (job = free_job(ftl)) != NONE;) {
        const uint32_t number = take(ftl, &ftl->rebuild.waiting);
        const uint32_t physical = unit_of(ftl, number);
        bool can_get_it;
        if (physical == NONE)
            end(ftl, number, REBUILD_MOVED);
        else if (has_parity(ftl, physical, &can_get_it))
            start(ftl, number, physical, job);
        else if (can_get_it)
            push(ftl, &ftl->rebuild.unsafe, number);
        else
            end(ftl, number, REBUILD_FAILED);
    }
}

bool rebuild_begin(struct ftl* ftl, uint32_t number)
{
    const struct slot* slot = slot_at(ftl, number);
    if (!flash_is_read(read_of(ftl, number)) || slot->state == SLOT_SCRUBBING ||
        (read_of(ftl, number)->control & FLASH_DESCRIPTOR_CONTROL_UNIT_TABLE_MASK) != 0)
        return false;
    push(ftl, &ftl->rebuild.waiting, number);
    advance(ftl);
    return true;
}

void rebuild_parity_ended(struct ftl* ftl)
{
    for (uint32_t number; (number = take(ftl, &ftl->rebuild.unsafe)) != NONE;)
        push(ftl, &ftl->rebuild.waiting, number);
    advance(ftl);
}

/* --- ends of reads ------------------------------------------------------------------------------------------------ */

static void add(struct flash_spare* sum, struct flash_spare spare)
{
    for (uint32_t word = 0; word < 4; ++word)
        sum->word[word] ^= spare.word[word];
}

static void end_job(struct ftl* ftl, struct rebuild_job* job)
{
    const uint32_t number = job->slot;
    struct flash_descriptor* read = &ftl->flash.descriptors[number];
    const bool is_unit = spare_is_record(&job->spare) && spare_subject(&job->spare) == job->logical;
    job->slot = NONE;
    if (job->failed || !is_unit) {
        end(ftl, number, REBUILD_FAILED);
        return;
    }
    flash_fill_spare(read, job->spare);
    read->status = FLASH_OK;
    statistics_count(STATISTIC_PARITY_REBUILT, 1);
    refresh_rebuilt(&ftl->refresh, &ftl->blocks, geometry_block_at(&ftl->geometry, read->superchip, read->blocks));
    end(ftl, number, REBUILD_DONE);
}

void rebuild_read_ended(struct ftl* ftl, uint32_t op, enum flash_status status)
{
    const struct geometry* g = &ftl->geometry;
    const uint32_t index = op - ftl->rebuild.first_op;
    struct rebuild_job* job = &ftl->rebuild.jobs[index / (g->width - 1)];
    const bool is_blank = flash_was_blank(&ftl->flash, op);
    const bool is_parity = index % (g->width - 1) == g->width - 2;
    if (status != FLASH_OK || (is_blank && is_parity))
        job->failed = true;
    else if (!is_blank)
        add(&job->spare, flash_spare_of(&ftl->flash, op));
    if (--job->left != 0)
        return;
    end_job(ftl, job);
    advance(ftl);
}

/* --- start -------------------------------------------------------------------------------------------------------- */

void rebuild_init(struct ftl* ftl, struct arena* arena, uint32_t first_op)
{
    const struct geometry* g = &ftl->geometry;
    struct rebuild* rebuild = &ftl->rebuild;
    *rebuild = (struct rebuild){.first_op = first_op};
    slot_queue_init(&rebuild->waiting);
    slot_queue_init(&rebuild->unsafe);
    for (uint32_t how = 0; how < REBUILD_ENDS; ++how)
        slot_queue_init(&rebuild->ended[how]);
    if (!g->has_parity)
        return;
    if (parity_ops(g) + REBUILD_JOBS > FLASH_ACCUMULATORS)
        hal_panic("page mapping: stripes with parity need more accumulators than the XOR engine has");
    rebuild->jobs = arena_array(arena, REBUILD_JOBS, sizeof *rebuild->jobs, "reconstruction");
    for (uint32_t job = 0; job < REBUILD_JOBS; ++job)
        rebuild->jobs[job].slot = NONE;
}
