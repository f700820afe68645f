/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/collector.h"

#include "firmware/ftl/page_map/bad_blocks.h"
#include "firmware/ftl/page_map/ftl.h"
#include "firmware/ftl/page_map/moves.h"

static struct collector* collector_of(struct ftl* ftl, uint32_t plane)
{
    return &ftl->collection.planes[plane];
}

static void examine_again(struct ftl* ftl, uint32_t plane)
{
    plane_set_add(&ftl->collection.pending, plane);
}

static inline void begin(struct ftl* ftl, uint32_t plane, uint32_t victim, enum collect_reason reason)
{
    struct collector* collector = collector_of(ftl, plane);
    collector->victim = victim;
    collector->cursor = 0;
    collector->moving = collector->reading = 0;
    collector->phase = COLLECT_MOVING;
    collector->reason = (uint8_t)reason;
    pacing_begin_victim(&ftl->pacing, plane, victim);
    if (ftl->placement.handles != 0)
        placement_collects(ftl, victim);
}

static bool begin_to_fold(struct ftl* ftl, uint32_t plane)
{
    const uint32_t victim = collect_fold_victim(&ftl->blocks, plane);
    if (victim != NONE)
        begin(ftl, plane, victim, COLLECT_TO_FOLD);
    return victim != NONE;
}

static bool begin_due(struct ftl* ftl, uint32_t plane)
{
    if (ftl->is_saving || ftl->read_only)
        return false;
    const bool needs_space = collect_needs_space(&ftl->collection.policy, &ftl->blocks, plane);
    const uint32_t victim = refresh_choose(&ftl->refresh, &ftl->blocks, plane, needs_space);
    placement_refreshed(ftl);
    if (victim != NONE)
        begin(ftl, plane, victim, COLLECT_DUE);
    return victim != NONE;
}

static bool begin_something(struct ftl* ftl, uint32_t plane)
{
    if (ftl->refresh.is_on && begin_due(ftl, plane))
        return true;
    const struct collect_choice choice =
        collect_choose(&ftl->collection.policy, &ftl->blocks, plane, &collector_of(ftl, plane)->wear_due);
    if (choice.victim != NONE)
        begin(ftl, plane, choice.victim, choice.reason);
    return choice.victim != NONE || (pslc_cache_must_fold(&ftl->room.cache) && begin_to_fold(ftl, plane));
}

void collector_go_on(struct ftl* ftl, uint32_t plane, uint32_t victim)
{
    blocks_collect(&ftl->blocks, victim);
    begin(ftl, plane, victim, COLLECT_FOR_SPACE);
}

static bool begin_while_idle(struct ftl* ftl, uint32_t plane)
{
    const uint32_t victim = collect_idle_victim(&ftl->collection.policy, &ftl->blocks, plane);
    if (victim != NONE)
        begin(ftl, plane, victim, COLLECT_WHILE_IDLE);
    return victim != NONE;
}

/* Work that waits for idle dies. */
static bool is_background(const struct ftl* ftl, const struct collector* collector)
{
    return collector->reason == COLLECT_WHILE_IDLE ||
           (collector->reason == COLLECT_TO_FOLD && !pslc_cache_must_fold(&ftl->room.cache));
}

static enum flash_purpose purpose_of(const struct ftl* ftl, uint32_t plane)
{
    static const enum flash_purpose purposes[] = {
        [COLLECT_FOR_SPACE] = FLASH_FOR_COLLECTION, [COLLECT_WHILE_IDLE] = FLASH_FOR_COLLECTION,
        [COLLECT_FOR_WEAR] = FLASH_FOR_WEAR,        [COLLECT_FAILED] = FLASH_FOR_REPLACEMENT,
        [COLLECT_TO_FOLD] = FLASH_FOR_COLLECTION,   [COLLECT_DUE] = FLASH_FOR_REFRESH,
    };
    return purposes[ftl->collection.planes[plane].reason];
}

static bool dies_are_idle(const struct ftl* ftl, uint32_t plane)
{
    const struct geometry* g = &ftl->geometry;
    for (uint32_t i = 0; i < g->width; ++i) {
        if (!flash_die_is_idle(&ftl->flash, die_in_group(g, group_of_plane(g, plane), i)))
            return false;
    }
    return true;
}

/* --- moving ------------------------------------------------------------------------------------------------------- */

static uint32_t window_of(const struct ftl* ftl, uint32_t plane)
{
    return collect_window(&ftl->collection.policy, &ftl->blocks, plane,
                          (enum collect_reason)ftl->collection.planes[plane].reason) *
           ftl->geometry.width * ftl->geometry.units_per_page;
}

/* Until the buffer is saved, nothing is moved for a plane that has room for it and for tables. */
static bool must_wait_for_saving(const struct ftl* ftl, uint32_t plane)
{
    return ftl->is_saving && blocks_free(&ftl->blocks, plane) > GC_RESERVE;
}

static bool must_wait_for_idle(const struct ftl* ftl, uint32_t plane)
{
    return is_background(ftl, &ftl->collection.planes[plane]) &&
           !collect_needs_space(&ftl->collection.policy, &ftl->blocks, plane) && !dies_are_idle(ftl, plane);
}

/* Starts moving pages of the victim; true: all of them were examined. */
static bool move_pages(struct ftl* ftl, uint32_t plane)
{
    struct collector* collector = collector_of(ftl, plane);
    const struct geometry* g = &ftl->geometry;
    const uint32_t first = unit_of_page(g, collector->victim, 0);
    const uint32_t* logical = &ftl->map.logical[first];
    const uint32_t units = g->units_per_flash_page;
    const uint32_t pages = g->pages_per_block * g->flash_pages_per_page;
    for (uint32_t page = collector->cursor; page < pages; ++page) {
        const uint32_t valid = moves_valid_units(logical, page * units, units);
        if (valid == 0)
            continue;
        collector->cursor = page;
        if (collector->moving >= window_of(ftl, plane) || must_wait_for_idle(ftl, plane) ||
            must_wait_for_saving(ftl, plane) || blocks_are_behind(&ftl->blocks, plane))
            return false;
        HAL_COST(gc_page);
        if (!moves_begin(ftl, plane, first + page * units, valid, purpose_of(ftl, plane)))
            return false;
    }
    collector->cursor = pages;
    return true;
}

/* The units that are left do not fill a page: no more follow, as the block is erased when all are moved. Not if there
 * is no page to move them to: then the block keeps them. */
static bool is_emptied(struct ftl* ftl, uint32_t plane)
{
    const struct collector* collector = collector_of(ftl, plane);
    if (collector->gathered.count != 0 && collector->reading == 0)
        moves_program_rest(ftl, plane, purpose_of(ftl, plane));
    return collector->moving == 0 && collector->phase == COLLECT_MOVING;
}

static void nothing_left(struct ftl* ftl, uint32_t plane)
{
    struct collector* collector = collector_of(ftl, plane);
    collector->phase = COLLECT_NOTHING;
    collector->victim = NONE;
    pacing_end_victim(&ftl->pacing, plane);
    examine_again(ftl, plane);
}

/* With erase on idle dies, an emptied block waits while its die is busy and host data has other space. */
static bool erase_has_to_wait(const struct ftl* ftl, uint32_t plane)
{
    const bool has_space = ftl->blocks.plane[plane].free > GC_RESERVE &&
                           !(pacing_is_on(&ftl->pacing) && pacing_holds_host(&ftl->pacing, plane));
    return ftl->boot->gc_erase == GC_ERASE_WHEN_IDLE && has_space && !dies_are_idle(ftl, plane);
}

static void erase(struct ftl* ftl, uint32_t plane)
{
    struct collector* collector = collector_of(ftl, plane);
    const uint32_t victim = collector->victim;
    collector->phase = COLLECT_ERASING;
    collector->erasing = geometry_members(&ftl->geometry);
    collector->erase_failed = false;
    for (uint32_t member = 0; member < geometry_members(&ftl->geometry); ++member) {
        const uint32_t number = moves_take_op(ftl, plane);
        struct flash_place at = geometry_member(&ftl->geometry, victim, member);
        at.pslc = ftl->blocks.block[victim].slc;
        ftl->collection.plain[number].target = NONE;
        flash_erase(&ftl->flash, ftl->buffer.slots + number, at, purpose_of(ftl, plane));
    }
}

static void finish(struct ftl* ftl, uint32_t plane)
{
    struct collector* collector = collector_of(ftl, plane);
    const uint32_t victim = collector->victim;
    if (ftl->blocks.block[victim].failed) {
        blocks_retire(&ftl->blocks, victim);
        nothing_left(ftl, plane);
        return;
    }
    if (erase_has_to_wait(ftl, plane)) {
        collector->phase = COLLECT_EMPTIED;
        return;
    }
    if (!journal_allows_erase(ftl)) {
        plane_set_add(&ftl->collection.unwritten, plane);
        return;
    }
    erase(ftl, plane);
}

static void step(struct ftl* ftl, uint32_t plane)
{
    struct collector* collector = collector_of(ftl, plane);
    if (collector->phase == COLLECT_NOTHING && !begin_something(ftl, plane))
        return;
    const bool emptied = collector->phase == COLLECT_EMPTIED ||
                         (collector->phase == COLLECT_MOVING && move_pages(ftl, plane) && is_emptied(ftl, plane));
    if (emptied)
        finish(ftl, plane);
}

/* --- ends of operations ------------------------------------------------------------------------------------------- */

static void refresh_for_next(struct ftl* ftl, uint32_t plane, uint32_t victim)
{
    refresh_erased(&ftl->refresh, &ftl->geometry, victim);
    if (collector_of(ftl, plane)->reason == COLLECT_DUE)
        refresh_moved(&ftl->refresh, &ftl->blocks);
    else
        refresh_collected_other(&ftl->refresh, plane);
}

static void erase_done(struct ftl* ftl, uint32_t number, enum flash_status status)
{
    const uint32_t plane = ftl->collection.plain[number].plane;
    struct collector* collector = collector_of(ftl, plane);
    const uint32_t victim = collector->victim;
    moves_give_op(ftl, number);
    collector->erase_failed |= status != FLASH_OK;
    if (--collector->erasing != 0)
        return;
    if (!collector->erase_failed) {
        blocks_erased(&ftl->blocks, victim);
        checkpoint_block_erased(&ftl->checkpoint, victim);
        journal_note(ftl, RECORD_ERASED, victim, ftl->blocks.block[victim].erases);
    } else {
        bad_blocks_erase_failed(ftl, victim);
    }
    if (ftl->refresh.is_on)
        refresh_for_next(ftl, plane, victim);
    collector->wear_due = ftl->boot->wear_threshold != 0 && collector->reason != COLLECT_FOR_WEAR;
    nothing_left(ftl, plane);
}

void collector_plain_done(struct ftl* ftl, uint32_t op, enum flash_status status)
{
    const uint32_t number = op - ftl->buffer.slots;
    if (ftl->collection.plain[number].target == NONE)
        erase_done(ftl, number, status);
    else
        moves_copied(ftl, number, status);
}

void collector_journal_written(struct ftl* ftl)
{
    plane_set_drain(&ftl->collection.unwritten, &ftl->collection.pending);
}

/* --- when --------------------------------------------------------------------------------------------------------- */

void collector_die_idle(struct ftl* ftl, uint32_t die)
{
    const uint32_t first = group_of_die(&ftl->geometry, die) * ftl->geometry.planes_per_group;
    for (uint32_t plane = first; plane < first + ftl->geometry.planes_per_group; ++plane) {
        const struct collector* collector = collector_of(ftl, plane);
        const bool waits = collector->phase == COLLECT_EMPTIED ||
                           (collector->phase == COLLECT_MOVING && is_background(ftl, collector));
        const bool may_begin =
            collector->phase == COLLECT_NOTHING && (ftl->blocks.plane[plane].free < ftl->collection.policy.idle ||
                                                    (ftl->room.cache.folds && ftl->blocks.plane[plane].slc != 0));
        if (waits || may_begin)
            plane_set_add(&ftl->collection.idle, plane);
    }
}

bool collector_is_busy(const struct ftl* ftl)
{
    for (uint32_t plane = 0; plane < ftl->geometry.planes; ++plane) {
        if (ftl->collection.planes[plane].phase != COLLECT_NOTHING)
            return true;
    }
    return false;
}

void collector_run(struct ftl* ftl)
{
    struct collection* collection = &ftl->collection;
    for (;;) {
        plane_set_drain(&ftl->blocks.to_collect, &collection->pending);
        if (collection->pending.count == 0 && (collection->no_slot.count == 0 || !moves_serve_waiting_plane(ftl)))
            return;
        step(ftl, plane_set_take(&collection->pending, collection->turn));
    }
}

static bool begin_in_background(struct ftl* ftl, uint32_t plane, bool host_is_idle)
{
    return (ftl->blocks.plane[plane].free < ftl->collection.policy.idle && begin_while_idle(ftl, plane)) ||
           (host_is_idle && ftl->room.cache.folds && begin_to_fold(ftl, plane));
}

bool collector_run_idle(struct ftl* ftl, bool host_is_idle)
{
    bool started = false;
    while (ftl->collection.idle.count != 0) {
        const uint32_t plane = plane_set_take(&ftl->collection.idle, 0);
        if (!dies_are_idle(ftl, plane))
            continue;
        if (collector_of(ftl, plane)->phase == COLLECT_NOTHING && !begin_in_background(ftl, plane, host_is_idle))
            continue;
        step(ftl, plane);
        started = true;
    }
    return started;
}

/* --- start -------------------------------------------------------------------------------------------------------- */

void collector_init(struct ftl* ftl, struct arena* arena)
{
    struct collection* collection = &ftl->collection;
    const uint32_t planes = ftl->geometry.planes;
    const uint32_t ops = planes * plain_ops(&ftl->geometry);
    static const char what[] = "collectors";
    collection->policy = collect_policy_of(ftl->boot, &ftl->geometry);
    pacing_init(&ftl->pacing, arena, ftl->boot, &ftl->blocks, collection->policy.low);
    collection->policy.pacing = pacing_is_on(&ftl->pacing) ? &ftl->pacing : NULL;
    collection->works_while_idle = collection->policy.idle != 0 || ftl->boot->gc_erase == GC_ERASE_WHEN_IDLE ||
                                   (ftl->boot->pslc_cache != PSLC_CACHE_MODE_NONE && ftl->boot->pslc_cache_fold != 0);
    collection->planes = arena_array(arena, planes, sizeof *collection->planes, what);
    plane_set_init(&collection->pending, arena, planes, what);
    plane_set_init(&collection->no_slot, arena, planes, what);
    plane_set_init(&collection->idle, arena, planes, what);
    plane_set_init(&collection->unwritten, arena, planes, what);
    collection->plain = arena_array(arena, ops, sizeof *collection->plain, what);
    collection->plain_free = NONE;
    for (uint32_t number = ops; number > 0; --number)
        moves_give_op(ftl, number - 1);
    for (uint32_t plane = 0; plane < planes; ++plane) {
        collection->planes[plane].victim = NONE;
        slot_queue_init(&collection->planes[plane].gathered);
    }
}
