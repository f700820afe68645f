/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/writeout.h"

#include "firmware/drivers/statistics.h"
#include "firmware/ftl/page_map/bad_blocks.h"
#include "firmware/ftl/page_map/collector.h"

/* --- queues ------------------------------------------------------------------------------------------------------- */

static struct slot* slot_at(struct ftl* ftl, uint32_t slot)
{
    return &ftl->buffer.slot[slot];
}

static void make_ready(struct ftl* ftl, uint32_t number)
{
    struct slot* slot = slot_at(ftl, number);
    if (slot->held) {
        slot->state = SLOT_HELD;
        slot_queue_push(&ftl->buffer, &ftl->held, number);
        return;
    }
    slot->state = SLOT_READY;
    ++ftl->ready_slots;
    slot_queue_push(&ftl->buffer, &ftl->ready[slot->group], number);
}

/* What has been begun goes on before what has not. */
static void make_ready_first(struct ftl* ftl, uint32_t number)
{
    struct slot* slot = slot_at(ftl, number);
    slot->state = SLOT_READY;
    ++ftl->ready_slots;
    slot_queue_push_front(&ftl->buffer, &ftl->ready[slot->group], number);
}

static void take_ready(struct ftl* ftl, uint32_t number)
{
    --ftl->ready_slots;
    slot_queue_remove(&ftl->buffer, &ftl->ready[slot_at(ftl, number)->group], number);
}

static void leave_partial(struct ftl* ftl, uint32_t number)
{
    slot_queue_remove(&ftl->buffer, &ftl->partial, number);
    make_ready(ftl, number);
}

void ftl_release(struct ftl* ftl, uint32_t number)
{
    struct slot* slot = slot_at(ftl, number);
    slot->held = false;
    if (slot->state == SLOT_HELD) {
        slot_queue_remove(&ftl->buffer, &ftl->held, number);
        make_ready(ftl, number);
    }
}

/* --- epochs ------------------------------------------------------------------------------------------------------- */

static void enter_epoch(struct ftl* ftl, struct slot* slot)
{
    slot->epoch = ftl->epoch;
    ++ftl->epoch_slots[ftl->epoch & ftl->epoch_mask];
}

static bool advance_epochs(struct ftl* ftl)
{
    const uint32_t before = ftl->oldest_epoch;
    while (ftl->oldest_epoch != ftl->epoch && ftl->epoch_slots[ftl->oldest_epoch & ftl->epoch_mask] == 0)
        ++ftl->oldest_epoch;
    return before != ftl->oldest_epoch;
}

static void leave_epoch(struct ftl* ftl, const struct slot* slot)
{
    --ftl->epoch_slots[slot->epoch & ftl->epoch_mask];
    if (advance_epochs(ftl))
        ftl->client.flushed();
}

uint32_t ftl_flush(struct ftl* ftl)
{
    const uint32_t ticket = ftl->epoch++;
    advance_epochs(ftl);
    while (ftl->partial.head != NONE)
        leave_partial(ftl, ftl->partial.head);
    return ticket;
}

/* --- settling ----------------------------------------------------------------------------------------------------- */

static void zeros_written(struct ftl* ftl)
{
    slot_at(ftl, 0)->state = SLOT_FREE;
    while (ftl->zeroing.head != NONE) {
        const uint32_t waiter = ftl->zeroing.head;
        slot_queue_remove(&ftl->buffer, &ftl->zeroing, waiter);
        make_ready(ftl, waiter);
    }
}

static void give_back(struct ftl* ftl, uint32_t number)
{
    buffer_give(&ftl->buffer, number);
    statistics_slot_given();
    ftl->client.slot_free(USE_WRITE);
}

/* The version is done with: in flash, dropped as stale, or lost. */
static void settle(struct ftl* ftl, uint32_t number, enum host_status status)
{
    struct slot* slot = slot_at(ftl, number);
    const uint32_t newer = slot->newer;
    if (number == 0) {
        zeros_written(ftl);
        return;
    }
    --ftl->unsettled;
    buffer_settle(&ftl->buffer, number);
    if (newer != NONE && slot_at(ftl, newer)->state == SLOT_WAITING)
        make_ready_first(ftl, newer);
    ftl->client.version_settled(number, status);
    leave_epoch(ftl, slot);
    if (slot->pins != 0)
        slot->state = SLOT_PINNED;
    else
        give_back(ftl, number);
}

void ftl_unpin(struct ftl* ftl, uint32_t number)
{
    struct slot* slot = slot_at(ftl, number);
    if (--slot->pins == 0 && slot->state == SLOT_PINNED)
        give_back(ftl, number);
}

/* --- placing ------------------------------------------------------------------------------------------------------ */

static bool may_still_be_written(const struct slot* slot, uint32_t mask)
{
    if (slot->state == SLOT_FILLING)
        return (slot->filling & mask) == 0;
    return slot->state != SLOT_PROGRAMMING && !slot->stale;
}

static uint32_t new_version(struct ftl* ftl, uint32_t logical, uint32_t group)
{
    const uint32_t number = buffer_take(&ftl->buffer, USE_WRITE);
    if (number == NONE)
        return NONE;
    statistics_slot_taken();
    struct slot* slot = slot_at(ftl, number);
    slot->logical = logical;
    slot->group = (uint16_t)group;
    slot->state = SLOT_RECEIVING;
    ++ftl->unsettled;
    enter_epoch(ftl, slot);
    buffer_publish(&ftl->buffer, number);
    return number;
}

static uint32_t place(struct ftl* ftl, uint32_t logical, uint32_t mask, uint32_t group, bool held)
{
    HAL_COST(host_write_page);
    uint32_t number = buffer_find(&ftl->buffer, logical);
    if (number == NONE || !may_still_be_written(slot_at(ftl, number), mask)) {
        number = new_version(ftl, logical, group);
        if (number == NONE)
            return NONE;
        slot_at(ftl, number)->held = held;
    }
    ++slot_at(ftl, number)->transfers;
    return number;
}

uint32_t ftl_place(struct ftl* ftl, uint32_t logical, uint32_t mask, uint32_t group, bool hurry)
{
    const uint32_t number = place(ftl, logical, mask, group, false);
    if (number == NONE)
        return NONE;
    struct slot* slot = slot_at(ftl, number);
    slot->hurry = slot->hurry || hurry;
    ftl_release(ftl, number);
    return number;
}

uint32_t ftl_place_held(struct ftl* ftl, uint32_t logical, uint32_t mask, uint32_t group)
{
    const uint32_t number = place(ftl, logical, mask, group, true);
    if (number != NONE)
        slot_at(ftl, number)->hurry = true;
    return number;
}

static bool is_urgent(const struct ftl* ftl, const struct slot* slot)
{
    return slot->valid == ftl->geometry.full_page || slot->hurry || slot->stale || slot->epoch != ftl->epoch;
}

void ftl_arrived(struct ftl* ftl, uint32_t number, uint32_t mask)
{
    struct slot* slot = slot_at(ftl, number);
    slot->valid |= mask;
    if (--slot->transfers != 0)
        return;
    if (slot->state == SLOT_PARTIAL && is_urgent(ftl, slot)) {
        leave_partial(ftl, number);
    } else if (slot->state == SLOT_RECEIVING) {
        if (is_urgent(ftl, slot)) {
            make_ready(ftl, number);
        } else {
            slot->state = SLOT_PARTIAL;
            slot_queue_push(&ftl->buffer, &ftl->partial, number);
        }
    }
}

void ftl_trim(struct ftl* ftl, uint32_t logical)
{
    HAL_COST(host_trim_page);
    uint32_t number = buffer_find(&ftl->buffer, logical);
    while (number != NONE) { /* versions that nothing would end are dropped through the ready queue */
        const struct slot* slot = slot_at(ftl, number);
        if (slot->held)
            ftl_release(ftl, number);
        if (slot->state == SLOT_PARTIAL)
            leave_partial(ftl, number);
        else if (slot->state == SLOT_WAITING)
            make_ready(ftl, number);
        number = slot->older;
    }
    buffer_forget(&ftl->buffer, logical);
    map_forget(&ftl->map, logical, MAP_UNMAPPED);
}

bool writeout_partial(struct ftl* ftl)
{
    if (ftl->partial.head == NONE)
        return false;
    while (ftl->partial.head != NONE)
        leave_partial(ftl, ftl->partial.head);
    return true;
}

/* --- completing a partial page ------------------------------------------------------------------------------------ */

/* The sectors that are missing cannot be had: the page is lost, and this version of it is dropped through the queue. */
static void lose(struct ftl* ftl, uint32_t number)
{
    struct slot* slot = slot_at(ftl, number);
    map_forget(&ftl->map, slot->logical, MAP_LOST);
    slot->stale = slot->lost = true;
    make_ready_first(ftl, number);
}

/* A hidden page of zeros in flash, or MAP_UNMAPPED while the first one is being written (from slot 0). They are made
 * one by one as they are asked for and used in turn, so that no die becomes the one that supplies zeros. */
static uint32_t page_of_zeros(struct ftl* ftl)
{
    const uint32_t logical = ftl->exported + ftl->next_zero;
    struct slot* zeros = slot_at(ftl, 0);
    ftl->next_zero = ftl->next_zero + 1 == ftl->zero_pages ? 0 : ftl->next_zero + 1;
    const uint32_t physical = map_find(&ftl->map, logical);
    if (map_is_mapped(physical))
        return physical;
    if (zeros->state == SLOT_FREE) {
        *zeros = (struct slot){.logical = logical, .valid = ftl->geometry.full_page, .older = NONE, .newer = NONE};
        zeros->use = USE_WRITE;
        zeros->group = (uint16_t)allocation_group(&ftl->allocation);
        make_ready_first(ftl, 0);
    }
    for (uint32_t i = 0; i < ftl->zero_pages; ++i) {
        const uint32_t other = map_find(&ftl->map, ftl->exported + i);
        if (map_is_mapped(other))
            return other;
    }
    return MAP_UNMAPPED;
}

static void fill(struct ftl* ftl, uint32_t number)
{
    struct slot* slot = slot_at(ftl, number);
    if (slot->older != NONE) { /* its missing sectors are on their way to flash */
        slot->state = SLOT_WAITING;
        return;
    }
    uint32_t physical = map_find(&ftl->map, slot->logical);
    if (physical == MAP_LOST) {
        lose(ftl, number);
        return;
    }
    if (physical == MAP_UNMAPPED)
        physical = page_of_zeros(ftl);
    if (physical == MAP_UNMAPPED) {
        slot->state = SLOT_ZEROING;
        slot_queue_push(&ftl->buffer, &ftl->zeroing, number);
        return;
    }
    const uint32_t missing = ftl->geometry.full_page & ~slot->valid;
    const uint32_t first = (uint32_t)__builtin_ctz(missing);
    const uint32_t sectors = (uint32_t)__builtin_ctzll(~((uint64_t)missing >> first));
    slot->filling = (uint32_t)((1ull << sectors) - 1) << first;
    slot->state = SLOT_FILLING;
    flash_read(&ftl->flash, number, place_of_page(&ftl->geometry, physical, first), sectors,
               buffer_address(&ftl->buffer, number) + first * SECTOR_BYTES, FLASH_FOR_MERGE);
}

void writeout_filled(struct ftl* ftl, uint32_t number, enum flash_status status)
{
    struct slot* slot = slot_at(ftl, number);
    if (status != FLASH_OK && !slot->stale) {
        lose(ftl, number);
        return;
    }
    slot->valid |= slot->filling;
    slot->filling = 0;
    make_ready_first(ftl, number);
}

/* --- programming -------------------------------------------------------------------------------------------------- */

void writeout_refresh(struct ftl* ftl, uint32_t die)
{
    const uint32_t first = die * ftl->geometry.planes_per_die;
    const bool has_time = ftl->die_programs[die] < ftl->flash.die_depth;
    for (uint32_t plane = first; plane < first + ftl->geometry.planes_per_die; ++plane) {
        const bool room = blocks_have_page(&ftl->blocks, plane, STREAM_HOST, GC_RESERVE);
        if (room != ftl->plane_room[plane]) {
            const uint32_t group = ftl->allocation.place_of[plane] / ftl->allocation.group_size;
            ftl->plane_room[plane] = room;
            ftl->group_room[group] += room ? 1u : 0xFFFFFFFFu;
        }
        allocation_set_ready(&ftl->allocation, plane, room && has_time);
    }
}

struct flash_spare spare_record(uint32_t logical, uint32_t sequence, enum spare_kind kind)
{
    struct flash_spare spare;
    spare.word[0] = logical + 1; /* never 0, which marks a factory bad block */
    spare.word[1] = sequence;
    spare.word[2] = (uint32_t)kind | SPARE_VERSION << 8;
    spare.word[3] = (spare.word[0] * 0x9E3779B1u ^ spare.word[1]) * 0x85EBCA6Bu ^ spare.word[2];
    return spare;
}

static void program(struct ftl* ftl, uint32_t number, uint32_t plane)
{
    HAL_COST(allocate_page);
    struct slot* slot = slot_at(ftl, number);
    const uint32_t die = die_of_plane(&ftl->geometry, plane);
    const enum flash_purpose purpose = number == 0      ? FLASH_FOR_METADATA
                                       : slot->numbered ? FLASH_FOR_REPLACEMENT
                                                        : FLASH_FOR_HOST;
    if (!slot->numbered) {
        slot->sequence = ftl->sequence++;
        slot->numbered = true;
    }
    const uint32_t free_before = ftl->blocks.plane[plane].free;
    slot->physical = blocks_take_page(&ftl->blocks, plane, STREAM_HOST, GC_RESERVE);
    slot->state = SLOT_PROGRAMMING;
    ++ftl->die_programs[die];
    writeout_refresh(ftl, die);
    if (ftl->blocks.plane[plane].free != free_before)
        collector_look_at(ftl, plane);
    flash_program(&ftl->flash, number, place_of_page(&ftl->geometry, slot->physical, 0), ftl->geometry.sectors_per_page,
                  buffer_address(&ftl->buffer, number), spare_record(slot->logical, slot->sequence, SPARE_HOST),
                  purpose);
}

void writeout_programmed(struct ftl* ftl, uint32_t number, enum flash_status status)
{
    struct slot* slot = slot_at(ftl, number);
    const uint32_t block = block_of_page(&ftl->geometry, slot->physical);
    const uint32_t die = die_of_block(&ftl->geometry, block);
    --ftl->die_programs[die];
    if (status != FLASH_OK)
        bad_blocks_program_failed(ftl, block);
    else if (!slot->stale)
        map_write(&ftl->map, slot->logical, slot->physical);
    blocks_program_ended(&ftl->blocks, block);
    writeout_refresh(ftl, die);
    if (status == FLASH_OK || slot->stale)
        settle(ftl, number, HOST_OK);
    else
        make_ready_first(ftl, number);
}

/* A channel without room passes its pages on to one that has some. */
static bool pass_on(struct ftl* ftl, uint32_t group)
{
    if (ftl->group_room[group] != 0)
        return false;
    for (uint32_t other = 0; other < ftl->allocation.groups; ++other) {
        if (ftl->group_room[other] != 0) {
            const uint32_t number = ftl->ready[group].head;
            take_ready(ftl, number);
            slot_at(ftl, number)->group = (uint16_t)other;
            make_ready(ftl, number);
            ftl->passed_on = true;
            return true;
        }
    }
    return false;
}

/* Brings the first version of a group's queue a step further; false: it has to wait. */
static bool advance(struct ftl* ftl, uint32_t group)
{
    const uint32_t number = ftl->ready[group].head;
    struct slot* slot = slot_at(ftl, number);
    if (slot->transfers != 0) {
        take_ready(ftl, number);
        slot->state = SLOT_RECEIVING;
    } else if (slot->stale) {
        take_ready(ftl, number);
        settle(ftl, number, slot->lost ? HOST_UNCORRECTABLE : HOST_OK);
    } else if (slot->valid != ftl->geometry.full_page) {
        take_ready(ftl, number);
        fill(ftl, number);
    } else {
        const uint32_t plane = allocation_next(&ftl->allocation, group);
        if (plane == NONE)
            return pass_on(ftl, group);
        take_ready(ftl, number);
        program(ftl, number, plane);
    }
    return true;
}

void writeout_run(struct ftl* ftl)
{
    while (ftl->partial.head != NONE && ftl->buffer.used[USE_WRITE] > ftl->partial_limit)
        leave_partial(ftl, ftl->partial.head);
    do {
        ftl->passed_on = false;
        for (uint32_t group = 0; ftl->ready_slots != 0 && group < ftl->allocation.groups; ++group) {
            while (ftl->ready[group].head != NONE && advance(ftl, group))
                continue;
        }
    } while (ftl->passed_on);
}

/* --- start -------------------------------------------------------------------------------------------------------- */

void writeout_init(struct ftl* ftl, struct arena* arena)
{
    const struct geometry* g = &ftl->geometry;
    const uint32_t groups = ftl->allocation.groups;
    ftl->ready = arena_array(arena, groups, sizeof *ftl->ready, "write queues");
    ftl->group_room = arena_array(arena, groups, sizeof *ftl->group_room, "write queues");
    ftl->plane_room = arena_array(arena, g->planes, sizeof *ftl->plane_room, "write queues");
    ftl->die_programs = arena_array(arena, g->dies, sizeof *ftl->die_programs, "write queues");
    uint32_t epochs = 4; /* at most one per outstanding flush, and the current one */
    while (epochs < ftl->boot->host_slots + 2)
        epochs *= 2;
    ftl->epoch_slots = arena_array(arena, epochs, sizeof *ftl->epoch_slots, "write queues");
    ftl->epoch_mask = epochs - 1;
    for (uint32_t group = 0; group < groups; ++group)
        slot_queue_init(&ftl->ready[group]);
    slot_queue_init(&ftl->partial);
    slot_queue_init(&ftl->zeroing);
    slot_queue_init(&ftl->held);
    ftl->partial_limit = ftl->buffer.limit[USE_WRITE] / 2;
    ftl->sequence = 1;
    for (uint32_t die = 0; die < g->dies; ++die)
        writeout_refresh(ftl, die);
}
