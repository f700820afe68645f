/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/collector.h"

#include "firmware/ftl/page_map/bad_blocks.h"
#include "firmware/ftl/page_map/ftl.h"
#include "firmware/ftl/page_map/spare.h"

static struct collector* collector_of(struct ftl* ftl, uint32_t plane)
{
    return &ftl->collection.planes[plane];
}

static void examine_again(struct ftl* ftl, uint32_t plane)
{
    plane_set_add(&ftl->collection.pending, plane);
}

static void begin(struct collector* collector, uint32_t victim, enum collect_reason reason)
{
    collector->victim = victim;
    collector->cursor = 0;
    collector->moving = 0;
    collector->phase = COLLECT_MOVING;
    collector->reason = (uint8_t)reason;
}

static bool begin_something(struct ftl* ftl, uint32_t plane)
{
    struct collector* collector = collector_of(ftl, plane);
    const struct collect_choice choice =
        collect_choose(&ftl->collection.policy, &ftl->blocks, plane, &collector->wear_due);
    if (choice.victim != NONE)
        begin(collector, choice.victim, choice.reason);
    return choice.victim != NONE;
}

void collector_go_on(struct ftl* ftl, uint32_t plane, uint32_t victim)
{
    blocks_collect(&ftl->blocks, victim);
    begin(collector_of(ftl, plane), victim, COLLECT_FOR_SPACE);
}

static bool begin_while_idle(struct ftl* ftl, uint32_t plane)
{
    const uint32_t victim = collect_idle_victim(&ftl->collection.policy, &ftl->blocks, plane);
    if (victim != NONE)
        begin(collector_of(ftl, plane), victim, COLLECT_WHILE_IDLE);
    return victim != NONE;
}

static enum flash_purpose purpose_of(const struct ftl* ftl, uint32_t plane)
{
    static const enum flash_purpose purposes[] = {
        [COLLECT_FOR_SPACE] = FLASH_FOR_COLLECTION,
        [COLLECT_WHILE_IDLE] = FLASH_FOR_COLLECTION,
        [COLLECT_FOR_WEAR] = FLASH_FOR_WEAR,
        [COLLECT_FAILED] = FLASH_FOR_REPLACEMENT,
    };
    return purposes[ftl->collection.planes[plane].reason];
}

/* --- moving ------------------------------------------------------------------------------------------------------- */

static uint32_t window_of(const struct ftl* ftl, uint32_t plane)
{
    return collect_window(&ftl->collection.policy, &ftl->blocks, plane,
                          (enum collect_reason)ftl->collection.planes[plane].reason);
}

static bool must_wait_for_idle(const struct ftl* ftl, uint32_t plane)
{
    return ftl->collection.planes[plane].reason == COLLECT_WHILE_IDLE &&
           !collect_needs_space(&ftl->collection.policy, &ftl->blocks, plane) &&
           !flash_die_is_idle(&ftl->flash, die_of_plane(&ftl->geometry, plane));
}

static uint32_t take_plain(struct ftl* ftl, uint32_t plane)
{
    const uint32_t number = ftl->collection.plain_free;
    ftl->collection.plain_free = ftl->collection.plain[number].next;
    ftl->collection.plain[number].plane = plane;
    return number;
}

static void give_plain(struct ftl* ftl, uint32_t number)
{
    ftl->collection.plain[number].next = ftl->collection.plain_free;
    ftl->collection.plain_free = number;
}

static void submit_copyback(struct ftl* ftl, uint32_t number)
{
    const struct plain_op* op = &ftl->collection.plain[number];
    const struct flash_place from = place_of_page(&ftl->geometry, op->source, 0);
    flash_copyback(&ftl->flash, ftl->buffer.slots + number, place_of_page(&ftl->geometry, op->target, 0), from.block,
                   from.sector, ftl->geometry.sectors_per_page, purpose_of(ftl, op->plane));
}

static bool move_by_copyback(struct ftl* ftl, uint32_t plane, uint32_t source)
{
    if (ftl->collection.planes[plane].moving >= GC_WINDOW_COPYBACK)
        return false;
    const uint32_t target = blocks_take_page(&ftl->blocks, plane, STREAM_MOVE, 0);
    if (target == NONE)
        return false;
    const uint32_t number = take_plain(ftl, plane);
    ftl->collection.plain[number].source = source;
    ftl->collection.plain[number].target = target;
    submit_copyback(ftl, number);
    return true;
}

static bool move_by_buffer(struct ftl* ftl, uint32_t plane, uint32_t source)
{
    const uint32_t number = buffer_take(&ftl->buffer, USE_MOVE);
    if (number == NONE) {
        plane_set_add(&ftl->collection.no_slot, plane);
        return false;
    }
    struct slot* slot = &ftl->buffer.slot[number];
    slot->state = SLOT_READING;
    slot->logical = NONE;
    slot->source = source;
    flash_read(&ftl->flash, number, place_of_page(&ftl->geometry, source, 0), ftl->geometry.sectors_per_page,
               buffer_address(&ftl->buffer, number), purpose_of(ftl, plane));
    return true;
}

/* Not into the first page of a block: its spare record has to be the block's own. */
static bool copyback_is_possible(const struct ftl* ftl, uint32_t plane)
{
    return ftl->boot->gc_copyback != 0 && ftl->blocks.plane[plane].open[STREAM_MOVE] != NONE;
}

/* Starts moving pages of the victim; true: all of them were examined. */
static bool move_pages(struct ftl* ftl, uint32_t plane)
{
    struct collector* collector = collector_of(ftl, plane);
    const uint32_t first = collector->victim * ftl->geometry.pages_per_block;
    for (; collector->cursor < ftl->geometry.pages_per_block; ++collector->cursor) {
        const uint32_t source = first + collector->cursor;
        if (ftl->map.logical[source] == NONE)
            continue;
        if (collector->moving >= window_of(ftl, plane) || must_wait_for_idle(ftl, plane))
            return false;
        HAL_COST(gc_page);
        const bool begun = copyback_is_possible(ftl, plane) ? move_by_copyback(ftl, plane, source)
                                                            : move_by_buffer(ftl, plane, source);
        if (!begun)
            return false;
        ++collector->moving;
    }
    return true;
}

static void nothing_left(struct ftl* ftl, uint32_t plane)
{
    struct collector* collector = collector_of(ftl, plane);
    collector->phase = COLLECT_NOTHING;
    collector->victim = NONE;
    examine_again(ftl, plane);
}

/* With erase on idle dies, an emptied block waits while its die is busy and host data has other space. */
static bool erase_has_to_wait(const struct ftl* ftl, uint32_t plane)
{
    return ftl->boot->gc_erase == GC_ERASE_WHEN_IDLE && ftl->blocks.plane[plane].free > GC_RESERVE &&
           !flash_die_is_idle(&ftl->flash, die_of_plane(&ftl->geometry, plane));
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
    const uint32_t number = take_plain(ftl, plane);
    const uint32_t die = die_of_block(&ftl->geometry, victim);
    ftl->collection.plain[number].target = NONE;
    collector->phase = COLLECT_ERASING;
    flash_erase(&ftl->flash, ftl->buffer.slots + number, die, victim - die * ftl->geometry.blocks_per_die,
                purpose_of(ftl, plane));
}

static void step(struct ftl* ftl, uint32_t plane)
{
    struct collector* collector = collector_of(ftl, plane);
    if (collector->phase == COLLECT_NOTHING && !begin_something(ftl, plane))
        return;
    const bool emptied = collector->phase == COLLECT_EMPTIED ||
                         (collector->phase == COLLECT_MOVING && move_pages(ftl, plane) && collector->moving == 0);
    if (emptied)
        finish(ftl, plane);
}

static void moved(struct ftl* ftl, uint32_t source)
{
    const uint32_t plane = ftl->blocks.block[block_of_page(&ftl->geometry, source)].plane;
    --ftl->collection.planes[plane].moving;
    examine_again(ftl, plane);
}

/* --- ends of operations ------------------------------------------------------------------------------------------- */

static void serve_waiting_plane(struct ftl* ftl)
{
    const uint32_t plane = plane_set_take(&ftl->collection.no_slot, ftl->collection.turn);
    ftl->collection.turn = plane + 1;
    examine_again(ftl, plane);
}

static void end_move(struct ftl* ftl, uint32_t number)
{
    const uint32_t source = ftl->buffer.slot[number].source;
    buffer_give(&ftl->buffer, number);
    if (ftl->collection.no_slot.count != 0)
        serve_waiting_plane(ftl);
    moved(ftl, source);
}

/* The page stays where it is, and so do the others of its block: it is not emptied. */
static void give_up(struct ftl* ftl, uint32_t number, uint32_t plane)
{
    ftl->collection.planes[plane].phase = COLLECT_STUCK;
    end_move(ftl, number);
}

/* A page for moved data: of the plane itself or, if failed blocks have left it without one, of any other. */
static uint32_t page_for_move(struct ftl* ftl, uint32_t plane)
{
    uint32_t page = blocks_take_page(&ftl->blocks, plane, STREAM_MOVE, 0);
    for (uint32_t other = 0; page == NONE && other < ftl->geometry.planes; ++other) {
        page = blocks_take_page(&ftl->blocks, other, STREAM_MOVE, GC_RESERVE);
        if (page != NONE)
            examine_again(ftl, other);
    }
    return page;
}

static void program_move(struct ftl* ftl, uint32_t number)
{
    struct slot* slot = &ftl->buffer.slot[number];
    const uint32_t logical = ftl->map.logical[slot->source];
    if (logical == NONE) { /* overwritten or trimmed in the meantime */
        end_move(ftl, number);
        return;
    }
    const uint32_t plane = ftl->blocks.block[block_of_page(&ftl->geometry, slot->source)].plane;
    slot->physical = page_for_move(ftl, plane);
    if (slot->physical == NONE) {
        give_up(ftl, number, plane);
        return;
    }
    slot->state = SLOT_PROGRAMMING;
    const uint32_t erases = ftl->blocks.block[block_of_page(&ftl->geometry, slot->physical)].erases;
    flash_program(&ftl->flash, number, place_of_page(&ftl->geometry, slot->physical, 0), ftl->geometry.sectors_per_page,
                  buffer_address(&ftl->buffer, number), spare_record(logical, slot->sequence, SPARE_MOVED, erases),
                  purpose_of(ftl, plane));
}

static void lose(struct ftl* ftl, uint32_t logical)
{
    journal_forget(ftl, RECORD_LOST, logical);
    map_forget(&ftl->map, logical, MAP_LOST);
}

void collector_moved_read(struct ftl* ftl, uint32_t number, enum flash_status status)
{
    struct slot* slot = &ftl->buffer.slot[number];
    const uint32_t logical = ftl->map.logical[slot->source];
    if (status != FLASH_OK && logical != NONE)
        lose(ftl, logical);
    slot->sequence = flash_spare_of(&ftl->flash, number).word[1]; /* a copy is no newer than its source */
    program_move(ftl, number);
}

/* The copy is in `target`, or its program failed; true: the page needs no other copy. */
static bool copied(struct ftl* ftl, uint32_t source, uint32_t target, enum flash_status status)
{
    const uint32_t block = block_of_page(&ftl->geometry, target);
    if (status == FLASH_OK)
        map_move(&ftl->map, source, target);
    else if (status == FLASH_UNCORRECTABLE && ftl->map.logical[source] != NONE)
        lose(ftl, ftl->map.logical[source]);
    else if (status == FLASH_PROGRAM_FAILED)
        bad_blocks_program_failed(ftl, block);
    blocks_program_ended(&ftl->blocks, block);
    return status != FLASH_PROGRAM_FAILED;
}

void collector_moved_program(struct ftl* ftl, uint32_t number, enum flash_status status)
{
    const struct slot* slot = &ftl->buffer.slot[number];
    if (copied(ftl, slot->source, slot->physical, status))
        end_move(ftl, number);
    else
        program_move(ftl, number);
}

static void copyback_done(struct ftl* ftl, uint32_t number, enum flash_status status)
{
    const struct plain_op op = ftl->collection.plain[number];
    give_plain(ftl, number);
    if (!copied(ftl, op.source, op.target, status) && ftl->map.logical[op.source] != NONE)
        ftl->collection.planes[op.plane].cursor = 0; /* the page is examined again */
    moved(ftl, op.source);
}

static void erase_done(struct ftl* ftl, uint32_t number, enum flash_status status)
{
    const uint32_t plane = ftl->collection.plain[number].plane;
    const uint32_t victim = ftl->collection.planes[plane].victim;
    give_plain(ftl, number);
    if (status == FLASH_OK) {
        blocks_erased(&ftl->blocks, victim);
        checkpoint_block_erased(&ftl->checkpoint, victim);
        journal_note(ftl, RECORD_ERASED, victim, ftl->blocks.block[victim].erases);
    } else {
        bad_blocks_erase_failed(ftl, victim);
    }
    ftl->collection.planes[plane].wear_due =
        ftl->boot->wear_threshold != 0 && ftl->collection.planes[plane].reason != COLLECT_FOR_WEAR;
    nothing_left(ftl, plane);
}

void collector_plain_done(struct ftl* ftl, uint32_t op, enum flash_status status)
{
    const uint32_t number = op - ftl->buffer.slots;
    if (ftl->collection.plain[number].target == NONE)
        erase_done(ftl, number, status);
    else
        copyback_done(ftl, number, status);
}

void collector_journal_written(struct ftl* ftl)
{
    plane_set_drain(&ftl->collection.unwritten, &ftl->collection.pending);
}

/* --- when --------------------------------------------------------------------------------------------------------- */

void collector_die_idle(struct ftl* ftl, uint32_t die)
{
    const uint32_t first = die * ftl->geometry.planes_per_die;
    for (uint32_t plane = first; plane < first + ftl->geometry.planes_per_die; ++plane) {
        const struct collector* collector = collector_of(ftl, plane);
        const bool waits = collector->phase == COLLECT_EMPTIED ||
                           (collector->phase == COLLECT_MOVING && collector->reason == COLLECT_WHILE_IDLE);
        const bool may_begin =
            collector->phase == COLLECT_NOTHING && ftl->blocks.plane[plane].free < ftl->collection.policy.idle;
        if (waits || may_begin)
            plane_set_add(&ftl->collection.idle, plane);
    }
}

void collector_run(struct ftl* ftl)
{
    struct collection* collection = &ftl->collection;
    for (;;) {
        plane_set_drain(&ftl->blocks.to_collect, &collection->pending);
        if (collection->pending.count == 0)
            return;
        step(ftl, plane_set_take(&collection->pending, collection->turn));
    }
}

bool collector_run_idle(struct ftl* ftl)
{
    bool started = false;
    while (ftl->collection.idle.count != 0) {
        const uint32_t plane = plane_set_take(&ftl->collection.idle, 0);
        if (!flash_die_is_idle(&ftl->flash, die_of_plane(&ftl->geometry, plane)))
            continue;
        if (collector_of(ftl, plane)->phase == COLLECT_NOTHING && !begin_while_idle(ftl, plane))
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
    const uint32_t ops = planes * PLAIN_OPS;
    static const char what[] = "collectors";
    collection->policy = collect_policy_of(ftl->boot, &ftl->geometry);
    collection->works_while_idle = collection->policy.idle != 0 || ftl->boot->gc_erase == GC_ERASE_WHEN_IDLE;
    collection->planes = arena_array(arena, planes, sizeof *collection->planes, what);
    plane_set_init(&collection->pending, arena, planes, what);
    plane_set_init(&collection->no_slot, arena, planes, what);
    plane_set_init(&collection->idle, arena, planes, what);
    plane_set_init(&collection->unwritten, arena, planes, what);
    collection->plain = arena_array(arena, ops, sizeof *collection->plain, what);
    collection->plain_free = NONE;
    for (uint32_t number = ops; number > 0; --number)
        give_plain(ftl, number - 1);
    for (uint32_t plane = 0; plane < planes; ++plane)
        collection->planes[plane].victim = NONE;
}
