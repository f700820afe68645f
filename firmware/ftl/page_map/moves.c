/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/moves.h"

#include "firmware/ftl/page_map/bad_blocks.h"
#include "firmware/ftl/page_map/ftl.h"
#include "firmware/ftl/page_map/page_program.h"

static struct collector* collector_of(struct ftl* ftl, uint32_t plane)
{
    return &ftl->collection.planes[plane];
}

static struct slot* slot_at(struct ftl* ftl, uint32_t number)
{
    return buffer_slot(&ftl->buffer, number);
}

static void examine_again(struct ftl* ftl, uint32_t plane)
{
    plane_set_add(&ftl->collection.pending, plane);
}

static uint32_t plane_of_unit(const struct ftl* ftl, uint32_t unit)
{
    return ftl->blocks.block[block_of_unit(&ftl->geometry, unit)].plane;
}

/* --- operations without a slot ------------------------------------------------------------------------------------ */

uint32_t moves_take_op(struct ftl* ftl, uint32_t plane)
{
    const uint32_t number = ftl->collection.plain_free;
    ftl->collection.plain_free = ftl->collection.plain[number].next;
    ftl->collection.plain[number].plane = plane;
    return number;
}

void moves_give_op(struct ftl* ftl, uint32_t number)
{
    ftl->collection.plain[number].next = ftl->collection.plain_free;
    ftl->collection.plain_free = number;
}

/* --- the end of a move -------------------------------------------------------------------------------------------- */

static void moved(struct ftl* ftl, uint32_t source, uint32_t units)
{
    const uint32_t plane = plane_of_unit(ftl, source);
    collector_of(ftl, plane)->moving -= units;
    pacing_space_changed(&ftl->pacing, plane);
    examine_again(ftl, plane);
}

static void serve_waiting_plane(struct ftl* ftl)
{
    const uint32_t plane = plane_set_take(&ftl->collection.no_slot, ftl->collection.turn);
    ftl->collection.turn = plane + 1;
    examine_again(ftl, plane);
}

bool moves_serve_waiting_plane(struct ftl* ftl)
{
    if (buffer_left(&ftl->buffer, USE_MOVE) < ftl->geometry.units_per_page)
        return false;
    serve_waiting_plane(ftl);
    return true;
}

static void end_move(struct ftl* ftl, uint32_t number)
{
    const uint32_t source = slot_at(ftl, number)->source;
    buffer_give(&ftl->buffer, number);
    if (ftl->collection.no_slot.count != 0)
        serve_waiting_plane(ftl);
    moved(ftl, source, 1);
}

static void lose(struct ftl* ftl, uint32_t logical)
{
    journal_forget(ftl, RECORD_LOST, logical);
    map_forget(&ftl->map, logical, MAP_LOST);
}

/* --- programs ----------------------------------------------------------------------------------------------------- */

/* The stream that takes the data of the plane's victim. */
static enum stream stream_of_victim(const struct ftl* ftl, uint32_t plane)
{
    if (!ftl->placement.is_persistent)
        return STREAM_MOVE;
    return stream_of_moves(ftl->blocks.block[ftl->collection.planes[plane].victim].handle);
}

/* A page for moved data: of the plane itself or, if failed blocks have left it without one, of any other, or at last
 * one of another placement handle. */
static uint32_t page_for_move(struct ftl* ftl, uint32_t plane)
{
    const enum stream stream = stream_of_victim(ftl, plane);
    uint32_t page = blocks_take_page(&ftl->blocks, plane, stream, 0);
    for (uint32_t other = 0; page == NONE && other < ftl->geometry.planes; ++other) {
        page = blocks_take_page(&ftl->blocks, other, stream, GC_RESERVE);
        if (page != NONE)
            examine_again(ftl, other);
    }
    for (uint32_t handle = 0; page == NONE && ftl->placement.is_persistent && handle < ftl->placement.handles; ++handle)
        page = blocks_take_page(&ftl->blocks, plane, stream_of_moves(handle), 0);
    return page;
}

/* Takes up to a page of gathered units that are still valid; returns the first slot, NONE: there is none. */
static uint32_t take_page(struct ftl* ftl, struct slot_queue* gathered)
{
    struct slot_chain page = {NONE, NONE};
    for (uint32_t units = 0; units < ftl->geometry.units_per_page && gathered->head != NONE;) {
        const uint32_t number = gathered->head;
        struct slot* slot = slot_at(ftl, number);
        slot_queue_remove(&ftl->buffer, gathered, number);
        slot->logical = ftl->map.logical[slot->source];
        if (slot->logical == NONE) { /* overwritten or trimmed in the meantime */
            end_move(ftl, number);
            continue;
        }
        slot_chain_append(&ftl->buffer, &page, number);
        ++units;
    }
    return page.first;
}

static void drop_gathered(struct ftl* ftl, uint32_t plane)
{
    struct slot_queue* gathered = &collector_of(ftl, plane)->gathered;
    while (gathered->head != NONE) {
        const uint32_t number = gathered->head;
        slot_queue_remove(&ftl->buffer, gathered, number);
        end_move(ftl, number);
    }
}

/* The units stay where they are, and so do the others of their block: it is not emptied. */
static void give_up(struct ftl* ftl, uint32_t first, uint32_t plane)
{
    collector_of(ftl, plane)->phase = COLLECT_STUCK;
    for (uint32_t number = first, next; number != NONE; number = next) {
        next = slot_at(ftl, number)->next;
        end_move(ftl, number);
    }
    drop_gathered(ftl, plane);
}

static void program_page(struct ftl* ftl, uint32_t first, uint32_t plane, enum flash_purpose purpose)
{
    const uint32_t unit = page_for_move(ftl, plane);
    if (unit == NONE)
        give_up(ftl, first, plane);
    else
        page_program(ftl, first, unit, SPARE_MOVED, purpose);
}

/* Units that were overwritten while they waited leave the queue, so it may hold less than it seems to. */
static void drop_outdated(struct ftl* ftl, struct slot_queue* gathered)
{
    for (uint32_t number = gathered->head, next; number != NONE; number = next) {
        next = slot_at(ftl, number)->next;
        if (ftl->map.logical[slot_at(ftl, number)->source] != NONE)
            continue;
        slot_queue_remove(&ftl->buffer, gathered, number);
        end_move(ftl, number);
    }
}

static void program_full_pages(struct ftl* ftl, uint32_t plane, enum flash_purpose purpose)
{
    struct slot_queue* gathered = &collector_of(ftl, plane)->gathered;
    if (gathered->count < ftl->geometry.units_per_page)
        return;
    if (ftl->geometry.units_per_page != 1)
        drop_outdated(ftl, gathered);
    while (gathered->count >= ftl->geometry.units_per_page) {
        const uint32_t first = take_page(ftl, gathered);
        if (first != NONE)
            program_page(ftl, first, plane, purpose);
    }
}

void moves_program_rest(struct ftl* ftl, uint32_t plane, enum flash_purpose purpose)
{
    const uint32_t first = take_page(ftl, &collector_of(ftl, plane)->gathered);
    if (first != NONE)
        program_page(ftl, first, plane, purpose);
}

static enum flash_purpose purpose_of_op(const struct ftl* ftl, uint32_t op)
{
    return (enum flash_purpose)((ftl->flash.descriptors[op].control & FLASH_DESCRIPTOR_CONTROL_PURPOSE_MASK) >>
                                FLASH_DESCRIPTOR_CONTROL_PURPOSE_SHIFT);
}

void moves_programmed(struct ftl* ftl, uint32_t first, enum flash_status status)
{
    const uint32_t block = block_of_unit(&ftl->geometry, slot_at(ftl, first)->physical);
    const uint32_t plane = plane_of_unit(ftl, slot_at(ftl, first)->source);
    if (status != FLASH_OK)
        bad_blocks_program_failed(ftl, block);
    for (uint32_t number = first; number != NONE && status == FLASH_OK; number = slot_at(ftl, number)->next)
        map_move(&ftl->map, slot_at(ftl, number)->source, slot_at(ftl, number)->physical);
    blocks_program_ended(&ftl->blocks, block);
    for (uint32_t number = first, next; number != NONE; number = next) {
        next = slot_at(ftl, number)->next;
        if (status == FLASH_OK)
            end_move(ftl, number);
        else
            slot_queue_push(&ftl->buffer, &collector_of(ftl, plane)->gathered, number);
    }
    if (status != FLASH_OK)
        moves_program_rest(ftl, plane, purpose_of_op(ftl, first));
}

/* --- reads -------------------------------------------------------------------------------------------------------- */

static void read_one(struct ftl* ftl, uint32_t number, enum flash_purpose purpose)
{
    struct slot* slot = slot_at(ftl, number);
    slot->next = NONE;
    flash_read(&ftl->flash, number, blocks_place(&ftl->blocks, slot->source, 0), ftl->geometry.sectors_per_unit,
               buffer_address(&ftl->buffer, number), purpose);
}

/* The slots linked from `first` hold units of one page, in order; those between them are not stored. */
static void read_several(struct ftl* ftl, uint32_t first, uint32_t units, enum flash_purpose purpose)
{
    const struct flash_spare none = {{0, 0, 0, 0}};
    const struct flash_units table = flash_units_of(&ftl->flash, first, units);
    const uint32_t from = slot_at(ftl, first)->source;
    for (uint32_t i = 0, number = first; i < units; ++i) {
        const bool is_wanted = slot_at(ftl, number)->source == from + i;
        flash_set_unit(&table, i, is_wanted ? buffer_address(&ftl->buffer, number) : 0, none);
        HAL_COST(table_unit);
        if (is_wanted)
            number = slot_at(ftl, number)->next;
    }
    flash_read_units(&ftl->flash, first, blocks_place(&ftl->blocks, from, 0), units * ftl->geometry.sectors_per_unit,
                     purpose);
}

/* The slots for the units of a page; returns the first. REQUIRES: there are enough. */
static uint32_t take_slots(struct ftl* ftl, uint32_t source, uint32_t valid)
{
    struct slot_chain slots = {NONE, NONE};
    for (; valid != 0; valid &= valid - 1) {
        const uint32_t number = buffer_take(&ftl->buffer, USE_MOVE);
        struct slot* slot = slot_at(ftl, number);
        slot->state = SLOT_READING;
        slot->logical = NONE;
        slot->source = source + (uint32_t)__builtin_ctz(valid);
        slot_chain_append(&ftl->buffer, &slots, number);
    }
    return slots.first;
}

static bool move_several(struct ftl* ftl, uint32_t plane, uint32_t source, uint32_t valid, enum flash_purpose purpose)
{
    const uint32_t units = (uint32_t)__builtin_popcount(valid);
    struct collector* collector = collector_of(ftl, plane);
    if (buffer_left(&ftl->buffer, USE_MOVE) < units) {
        plane_set_add(&ftl->collection.no_slot, plane);
        return false;
    }
    const uint32_t first = take_slots(ftl, source, valid);
    collector->moving += units;
    ++collector->reading;
    read_several(ftl, first, 32 - (uint32_t)__builtin_clz(valid) - (uint32_t)__builtin_ctz(valid), purpose);
    return true;
}

static bool move_one(struct ftl* ftl, uint32_t plane, uint32_t source, enum flash_purpose purpose)
{
    const uint32_t number = buffer_take(&ftl->buffer, USE_MOVE);
    struct collector* collector = collector_of(ftl, plane);
    if (number == NONE) {
        plane_set_add(&ftl->collection.no_slot, plane);
        return false;
    }
    struct slot* slot = slot_at(ftl, number);
    slot->state = SLOT_READING;
    slot->logical = NONE;
    slot->source = source;
    ++collector->moving;
    ++collector->reading;
    read_one(ftl, number, purpose);
    return true;
}

static bool move_by_buffer(struct ftl* ftl, uint32_t plane, uint32_t source, uint32_t valid, enum flash_purpose purpose)
{
    if ((valid & (valid - 1)) != 0)
        return move_several(ftl, plane, source, valid, purpose);
    return move_one(ftl, plane, valid == 1 ? source : source + (uint32_t)__builtin_ctz(valid), purpose);
}

/* A unit was read, or cannot be read. The copy is no newer than its source. */
static void gather(struct ftl* ftl, uint32_t number, struct flash_spare spare, enum flash_status status)
{
    struct slot* slot = slot_at(ftl, number);
    const uint32_t logical = ftl->map.logical[slot->source];
    if (status != FLASH_OK && logical != NONE)
        lose(ftl, logical);
    slot->sequence = spare.word[1];
    slot_queue_push(&ftl->buffer, &collector_of(ftl, plane_of_unit(ftl, slot->source))->gathered, number);
}

/* What cannot be read together may be readable one by one. */
static void read_each(struct ftl* ftl, struct collector* collector, uint32_t first, enum flash_purpose purpose)
{
    for (uint32_t number = first, next; number != NONE; number = next) {
        next = slot_at(ftl, number)->next;
        ++collector->reading;
        read_one(ftl, number, purpose);
    }
}

static void gather_all(struct ftl* ftl, uint32_t first)
{
    const uint32_t from = slot_at(ftl, first)->source;
    const uint32_t sectors = ftl->flash.descriptors[first].sectors;
    const struct flash_units table = flash_units_of(&ftl->flash, first, sectors / ftl->geometry.sectors_per_unit);
    for (uint32_t number = first, next; number != NONE; number = next) {
        next = slot_at(ftl, number)->next;
        gather(ftl, number, flash_unit_spare(&table, slot_at(ftl, number)->source - from), FLASH_OK);
    }
}

void moves_read_done(struct ftl* ftl, uint32_t first, enum flash_status status)
{
    const uint32_t plane = plane_of_unit(ftl, slot_at(ftl, first)->source);
    const enum flash_purpose purpose = purpose_of_op(ftl, first);
    struct collector* collector = collector_of(ftl, plane);
    --collector->reading;
    if (slot_at(ftl, first)->next == NONE)
        gather(ftl, first, flash_spare_of(&ftl->flash, first), status);
    else if (status == FLASH_OK)
        gather_all(ftl, first);
    else
        read_each(ftl, collector, first, purpose);
    program_full_pages(ftl, plane, purpose);
    if (collector->phase == COLLECT_STUCK)
        drop_gathered(ftl, plane);
    if (ftl->geometry.units_per_page != 1)
        examine_again(ftl, plane); /* perhaps this was the last read of the victim */
}

/* --- copy-back ---------------------------------------------------------------------------------------------------- */

/* Whole pages; not if their errors have to be corrected; not into the first page of a block: its spare record has to be
 * the block's own. */
static bool copyback_is_possible(const struct ftl* ftl, uint32_t plane, uint32_t valid)
{
    const struct collector* collector = &ftl->collection.planes[plane];
    return ftl->boot->gc_copyback != 0 && collector->reason != COLLECT_DUE &&
           ftl->blocks.plane[plane].open[stream_of_victim(ftl, plane)] != NONE && !geometry_is_joined(&ftl->geometry) &&
           !ftl->blocks.block[collector->victim].slc && valid == 0xFFFFFFFFu >> (32 - ftl->geometry.units_per_page);
}

static bool move_by_copyback(struct ftl* ftl, uint32_t plane, uint32_t source, enum flash_purpose purpose)
{
    struct collector* collector = collector_of(ftl, plane);
    const struct geometry* g = &ftl->geometry;
    if (collector->moving >= GC_WINDOW_COPYBACK * g->units_per_page)
        return false;
    const uint32_t target = blocks_take_page(&ftl->blocks, plane, stream_of_victim(ftl, plane), 0);
    if (target == NONE)
        return false;
    const uint32_t number = moves_take_op(ftl, plane);
    const struct flash_place from = place_of_unit(g, source, 0);
    ftl->collection.plain[number].source = source;
    ftl->collection.plain[number].target = target;
    collector->moving += g->units_per_page;
    flash_copyback(&ftl->flash, ftl->buffer.slots + number, place_of_unit(g, target, 0), from.block, from.sector,
                   g->sectors_per_page, purpose);
    return true;
}

void moves_copied(struct ftl* ftl, uint32_t number, enum flash_status status)
{
    const struct plain_op op = ftl->collection.plain[number];
    const uint32_t units = ftl->geometry.units_per_page;
    const uint32_t block = block_of_unit(&ftl->geometry, op.target);
    moves_give_op(ftl, number);
    if (status == FLASH_PROGRAM_FAILED)
        bad_blocks_program_failed(ftl, block);
    for (uint32_t i = 0; i < units; ++i) {
        if (status == FLASH_OK)
            map_move(&ftl->map, op.source + i, op.target + i);
        else if (status == FLASH_UNCORRECTABLE && ftl->map.logical[op.source + i] != NONE)
            lose(ftl, ftl->map.logical[op.source + i]);
    }
    blocks_program_ended(&ftl->blocks, block);
    if (status == FLASH_PROGRAM_FAILED && moves_valid_units(ftl->map.logical, op.source, units) != 0)
        collector_of(ftl, op.plane)->cursor = 0; /* the page is examined again */
    moved(ftl, op.source, units);
}

/* --- a page of the victim ----------------------------------------------------------------------------------------- */

bool moves_begin(struct ftl* ftl, uint32_t plane, uint32_t source, uint32_t valid, enum flash_purpose purpose)
{
    return copyback_is_possible(ftl, plane, valid) ? move_by_copyback(ftl, plane, source, purpose)
                                                   : move_by_buffer(ftl, plane, source, valid, purpose);
}
