/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/collector.h"

#include "firmware/drivers/bitmap.h"
#include "firmware/ftl/page_map/bad_blocks.h"
#include "firmware/ftl/page_map/journal.h"
#include "firmware/ftl/page_map/spare.h"
#include "firmware/ftl/page_map/writeout.h"

static void add_plane(struct plane_set* set, uint32_t plane)
{
    if (bitmap_has(set->planes, plane))
        return;
    bitmap_add(set->planes, plane);
    ++set->count;
}

/* The next one at or after `from`, going round. REQUIRES: there is one. */
static uint32_t take_plane(struct plane_set* set, const struct geometry* geometry, uint32_t from)
{
    const uint32_t plane = bitmap_next(set->planes, geometry->planes, from);
    bitmap_remove(set->planes, plane);
    --set->count;
    return plane;
}

void collector_look_at(struct ftl* ftl, uint32_t plane)
{
    add_plane(&ftl->pending, plane);
}

/* --- choosing ----------------------------------------------------------------------------------------------------- */

static bool wants_space(const struct ftl* ftl, uint32_t plane)
{
    return ftl->blocks.plane[plane].free < ftl->gc_low;
}

static void begin(struct ftl* ftl, uint32_t plane, uint32_t victim, enum collect_reason reason)
{
    struct collector* collector = &ftl->collectors[plane];
    if (reason != COLLECT_FAILED)
        blocks_collect(&ftl->blocks, victim);
    collector->victim = victim;
    collector->cursor = 0;
    collector->moving = 0;
    collector->phase = COLLECT_MOVING;
    collector->reason = (uint8_t)reason;
}

static bool begin_failed(struct ftl* ftl, uint32_t plane)
{
    const uint32_t victim = blocks_take_failed(&ftl->blocks, plane);
    if (victim != NONE)
        begin(ftl, plane, victim, COLLECT_FAILED);
    return victim != NONE;
}

static bool begin_for_space(struct ftl* ftl, uint32_t plane)
{
    HAL_COST(gc_choose);
    const uint32_t victim = ftl->choose_victim(&ftl->blocks, plane);
    ftl->blocks.plane[plane].dry = victim == NONE;
    if (victim != NONE)
        begin(ftl, plane, victim, COLLECT_FOR_SPACE);
    return victim != NONE;
}

/* Looked at after each block that was erased for space, while host data still has room. */
static bool begin_for_wear(struct ftl* ftl, uint32_t plane)
{
    struct collector* collector = &ftl->collectors[plane];
    if (!collector->wear_due || ftl->blocks.plane[plane].free <= GC_RESERVE)
        return false;
    collector->wear_due = false;
    const uint32_t victim = victim_coldest(&ftl->blocks, plane, ftl->boot->wear_threshold);
    if (victim != NONE)
        begin(ftl, plane, victim, COLLECT_FOR_WEAR);
    return victim != NONE;
}

/* In the background a victim must be worth it: enough of its pages are invalid. The emptiest block tells at
 * once whether there is any, before a policy looks at all of them. */
static bool is_worth_it(const struct ftl* ftl, uint32_t victim)
{
    const uint32_t pages = ftl->geometry.pages_per_block;
    return victim != NONE && (pages - ftl->blocks.block[victim].valid) * GC_WORTH_PART >= pages;
}

static bool begin_while_idle(struct ftl* ftl, uint32_t plane)
{
    HAL_COST(gc_choose);
    if (!is_worth_it(ftl, victim_greedy(&ftl->blocks, plane)))
        return false;
    const uint32_t victim = ftl->choose_victim(&ftl->blocks, plane);
    if (!is_worth_it(ftl, victim))
        return false;
    begin(ftl, plane, victim, COLLECT_WHILE_IDLE);
    return true;
}

static bool begin_something(struct ftl* ftl, uint32_t plane)
{
    return begin_failed(ftl, plane) || begin_for_wear(ftl, plane) ||
           (wants_space(ftl, plane) && begin_for_space(ftl, plane));
}

static enum flash_purpose purpose_of(const struct ftl* ftl, uint32_t plane)
{
    static const enum flash_purpose purposes[] = {
        [COLLECT_FOR_SPACE] = FLASH_FOR_COLLECTION,
        [COLLECT_WHILE_IDLE] = FLASH_FOR_COLLECTION,
        [COLLECT_FOR_WEAR] = FLASH_FOR_WEAR,
        [COLLECT_FAILED] = FLASH_FOR_REPLACEMENT,
    };
    return purposes[ftl->collectors[plane].reason];
}

/* --- moving ------------------------------------------------------------------------------------------------------- */

static uint32_t window_of(const struct ftl* ftl, uint32_t plane)
{
    if (ftl->collectors[plane].reason == COLLECT_WHILE_IDLE && !wants_space(ftl, plane))
        return GC_WINDOW_IDLE;
    return ftl->plane_takes[plane] != TAKES_NOTHING ? GC_WINDOW_NORMAL : GC_WINDOW_BLOCKED;
}

static bool has_to_rest(const struct ftl* ftl, uint32_t plane)
{
    return ftl->collectors[plane].reason == COLLECT_WHILE_IDLE && !wants_space(ftl, plane) &&
           !flash_die_is_idle(&ftl->flash, die_of_plane(&ftl->geometry, plane));
}

static uint32_t take_plain(struct ftl* ftl, uint32_t plane)
{
    const uint32_t number = ftl->plain_free;
    ftl->plain_free = ftl->plain[number].next;
    ftl->plain[number].plane = plane;
    return number;
}

static void give_plain(struct ftl* ftl, uint32_t number)
{
    ftl->plain[number].next = ftl->plain_free;
    ftl->plain_free = number;
}

static void submit_copyback(struct ftl* ftl, uint32_t number)
{
    const struct plain_op* op = &ftl->plain[number];
    const struct flash_place from = place_of_page(&ftl->geometry, op->source, 0);
    flash_copyback(&ftl->flash, ftl->buffer.slots + number, place_of_page(&ftl->geometry, op->target, 0), from.block,
                   from.sector, ftl->geometry.sectors_per_page, purpose_of(ftl, op->plane));
}

static bool move_by_copyback(struct ftl* ftl, uint32_t plane, uint32_t source)
{
    if (ftl->collectors[plane].moving >= GC_WINDOW_COPYBACK)
        return false;
    const uint32_t target = blocks_take_page(&ftl->blocks, plane, STREAM_MOVE, 0);
    if (target == NONE)
        return false;
    const uint32_t number = take_plain(ftl, plane);
    ftl->plain[number].source = source;
    ftl->plain[number].target = target;
    submit_copyback(ftl, number);
    writeout_refresh(ftl, die_of_plane(&ftl->geometry, plane));
    return true;
}

static bool move_by_buffer(struct ftl* ftl, uint32_t plane, uint32_t source)
{
    const uint32_t number = buffer_take(&ftl->buffer, USE_MOVE);
    if (number == NONE) {
        add_plane(&ftl->thirsty, plane);
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

/* Starts moving pages of the victim; returns true when it has seen all of them. */
static bool move_pages(struct ftl* ftl, uint32_t plane)
{
    struct collector* collector = &ftl->collectors[plane];
    const uint32_t first = collector->victim * ftl->geometry.pages_per_block;
    for (; collector->cursor < ftl->geometry.pages_per_block; ++collector->cursor) {
        const uint32_t source = first + collector->cursor;
        if (ftl->map.logical[source] == NONE)
            continue;
        if (collector->moving >= window_of(ftl, plane) || has_to_rest(ftl, plane))
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
    struct collector* collector = &ftl->collectors[plane];
    collector->phase = COLLECT_NOTHING;
    collector->victim = NONE;
    collector_look_at(ftl, plane);
}

/* Where blocks are erased on idle dies, an emptied one is left alone while its die is busy and host data has other
 * room. */
static bool erase_has_to_wait(const struct ftl* ftl, uint32_t plane)
{
    return ftl->boot->gc_erase_idle != 0 && ftl->blocks.plane[plane].free > GC_RESERVE &&
           !flash_die_is_idle(&ftl->flash, die_of_plane(&ftl->geometry, plane));
}

static void finish(struct ftl* ftl, uint32_t plane)
{
    struct collector* collector = &ftl->collectors[plane];
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
    if (!journal_allows_erase(ftl, plane))
        return;
    const uint32_t number = take_plain(ftl, plane);
    const uint32_t die = die_of_block(&ftl->geometry, victim);
    ftl->plain[number].target = NONE;
    collector->phase = COLLECT_ERASING;
    flash_erase(&ftl->flash, ftl->buffer.slots + number, die, victim - die * ftl->geometry.blocks_per_die,
                purpose_of(ftl, plane));
}

static void step(struct ftl* ftl, uint32_t plane)
{
    struct collector* collector = &ftl->collectors[plane];
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
    --ftl->collectors[plane].moving;
    collector_look_at(ftl, plane);
}

/* --- ends of operations ------------------------------------------------------------------------------------------- */

static void quench(struct ftl* ftl)
{
    const uint32_t plane = take_plane(&ftl->thirsty, &ftl->geometry, ftl->turn);
    ftl->turn = plane + 1;
    collector_look_at(ftl, plane);
}

static void end_move(struct ftl* ftl, uint32_t number)
{
    const uint32_t source = ftl->buffer.slot[number].source;
    buffer_give(&ftl->buffer, number);
    if (ftl->thirsty.count != 0)
        quench(ftl);
    moved(ftl, source);
}

/* The page stays where it is, and so do the others of its block: it is not emptied. */
static void give_up(struct ftl* ftl, uint32_t number, uint32_t plane)
{
    ftl->collectors[plane].phase = COLLECT_STUCK;
    end_move(ftl, number);
}

/* A page for moved data: of the plane itself or, if failed blocks have left it without one, of any other. */
static uint32_t page_for_move(struct ftl* ftl, uint32_t plane)
{
    uint32_t page = blocks_take_page(&ftl->blocks, plane, STREAM_MOVE, 0);
    for (uint32_t other = 0; page == NONE && other < ftl->geometry.planes; ++other) {
        page = blocks_take_page(&ftl->blocks, other, STREAM_MOVE, GC_RESERVE);
        if (page != NONE)
            collector_look_at(ftl, other);
    }
    return page;
}

static void program_move(struct ftl* ftl, uint32_t number)
{
    struct slot* slot = &ftl->buffer.slot[number];
    const uint32_t logical = ftl->map.logical[slot->source];
    if (logical == NONE) { /* overwritten or trimmed meanwhile */
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
    writeout_refresh(ftl, die_of_block(&ftl->geometry, block_of_page(&ftl->geometry, slot->physical)));
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
    slot->sequence = flash_spare_of(&ftl->flash, number).word[1]; /* a copy is no newer than what it copies */
    program_move(ftl, number);
}

/* The copy stands in `target`, or its program failed; true: done with it. */
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
    if (status == FLASH_PROGRAM_FAILED)
        writeout_refresh(ftl, die_of_block(&ftl->geometry, block));
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
    const struct plain_op op = ftl->plain[number];
    give_plain(ftl, number);
    if (!copied(ftl, op.source, op.target, status) && ftl->map.logical[op.source] != NONE)
        ftl->collectors[op.plane].cursor = 0; /* look at the page again */
    moved(ftl, op.source);
}

static void erase_done(struct ftl* ftl, uint32_t number, enum flash_status status)
{
    const uint32_t plane = ftl->plain[number].plane;
    const uint32_t victim = ftl->collectors[plane].victim;
    give_plain(ftl, number);
    if (status == FLASH_OK) {
        blocks_erased(&ftl->blocks, victim);
        ftl->checkpoint.covered[victim] = 0; /* of the checkpoint that is being written */
        journal_note(ftl, RECORD_ERASED, victim, ftl->blocks.block[victim].erases);
    } else {
        bad_blocks_erase_failed(ftl, victim);
    }
    ftl->collectors[plane].wear_due =
        ftl->boot->wear_threshold != 0 && ftl->collectors[plane].reason != COLLECT_FOR_WEAR;
    nothing_left(ftl, plane);
    writeout_refresh(ftl, die_of_plane(&ftl->geometry, plane));
}

void collector_plain_done(struct ftl* ftl, uint32_t op, enum flash_status status)
{
    const uint32_t number = op - ftl->buffer.slots;
    if (ftl->plain[number].target == NONE)
        erase_done(ftl, number, status);
    else
        copyback_done(ftl, number, status);
}

/* --- when ----------------------------------------------------------------------------------------------------------
 */

void collector_die_idle(struct ftl* ftl, uint32_t die)
{
    const uint32_t first = die * ftl->geometry.planes_per_die;
    for (uint32_t plane = first; plane < first + ftl->geometry.planes_per_die; ++plane) {
        const struct collector* collector = &ftl->collectors[plane];
        const bool rests = collector->phase == COLLECT_EMPTIED ||
                           (collector->phase == COLLECT_MOVING && collector->reason == COLLECT_WHILE_IDLE);
        const bool may_begin = collector->phase == COLLECT_NOTHING && ftl->blocks.plane[plane].free < ftl->gc_idle;
        if (rests || may_begin)
            add_plane(&ftl->resting, plane);
    }
}

void collector_run(struct ftl* ftl)
{
    while (ftl->pending.count != 0)
        step(ftl, take_plane(&ftl->pending, &ftl->geometry, ftl->turn));
}

bool collector_rest(struct ftl* ftl)
{
    bool started = false;
    while (ftl->resting.count != 0) {
        const uint32_t plane = take_plane(&ftl->resting, &ftl->geometry, 0);
        if (!flash_die_is_idle(&ftl->flash, die_of_plane(&ftl->geometry, plane)))
            continue;
        if (ftl->collectors[plane].phase == COLLECT_NOTHING && !begin_while_idle(ftl, plane))
            continue;
        step(ftl, plane);
        started = true;
    }
    return started;
}

/* --- start -------------------------------------------------------------------------------------------------------- */

static void init_set(struct plane_set* set, struct arena* arena, uint32_t planes)
{
    set->planes = arena_array(arena, bitmap_words(planes), sizeof(uint32_t), "collectors");
    set->count = 0;
}

void collector_init(struct ftl* ftl, struct arena* arena)
{
    const struct boot_block* boot = ftl->boot;
    const uint32_t planes = ftl->geometry.planes;
    const uint32_t ops = planes * PLAIN_OPS;
    ftl->choose_victim = victim_policy_of(boot->gc_policy);
    ftl->gc_low = share_of_plane(&ftl->geometry, 0, boot->gc_low_blocks);
    ftl->gc_idle = share_of_plane(&ftl->geometry, 0, boot->gc_idle_blocks);
    ftl->works_while_idle = ftl->gc_idle != 0 || boot->gc_erase_idle != 0;
    if (ftl->gc_low < GC_RESERVE + 1)
        ftl->gc_low = GC_RESERVE + 1;
    ftl->collectors = arena_array(arena, planes, sizeof *ftl->collectors, "collectors");
    init_set(&ftl->pending, arena, planes);
    init_set(&ftl->thirsty, arena, planes);
    init_set(&ftl->resting, arena, planes);
    ftl->plain = arena_array(arena, ops, sizeof *ftl->plain, "collectors");
    ftl->plain_free = NONE;
    for (uint32_t number = ops; number > 0; --number)
        give_plain(ftl, number - 1);
    for (uint32_t plane = 0; plane < planes; ++plane)
        ftl->collectors[plane].victim = NONE;
}
