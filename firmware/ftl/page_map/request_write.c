/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/drivers/bitmap.h"
#include "firmware/drivers/statistics.h"
#include "firmware/ftl/page_map/request_state.h"

static void leave_turn(uint32_t slot);

static void end_write_if_done(uint32_t slot)
{
    const struct request* request = &app.requests[slot];
    if (request->cursor != request->sectors || request->pieces != 0 || request->unsettled != 0)
        return;
    if (!request->begun) /* others have written all of it, but its turn has not come */
        return;
    request_complete(slot, request->status);
    if (app.turns != NULL)
        leave_turn(slot);
}

static bool waits_for(uint32_t slot, uint32_t version)
{
    return (app.waiters[version * app.waiter_words + slot / 32] >> slot % 32 & 1u) != 0;
}

static void wait_for_version(uint32_t slot, uint32_t version)
{
    uint32_t* word = &app.waiters[version * app.waiter_words + slot / 32];
    const uint32_t bit = 1u << slot % 32;
    if ((*word & bit) == 0)
        ++app.requests[slot].unsettled;
    *word |= bit;
}

/* Neighbouring whole pages that stand in neighbouring slots are ordered as one transfer. */
struct run {
    uint32_t first; /* sector within the command */
    uint32_t version, column, sectors, pages;
};

static void order_run(uint32_t slot, const struct run* run)
{
    if (run->pages == 0)
        return;
    const uint32_t cookie = run->pages == 1 ? cookie_of(COOKIE_WRITE, run->version, run->column, run->sectors)
                                            : cookie_of(COOKIE_RUN, run->version, 0, run->pages);
    host_transfer(slot, false, run->first, run->sectors,
                  buffer_address(&app.ftl.buffer, run->version) + run->column * SECTOR_BYTES, cookie, false);
}

static bool joins(const struct run* run, uint32_t version, struct piece piece)
{
    return run->pages != 0 && version == run->version + run->pages &&
           piece.sectors == app.ftl.geometry.sectors_per_page &&
           run->sectors == run->pages * app.ftl.geometry.sectors_per_page &&
           run->sectors + piece.sectors <= RUN_SECTORS;
}

static void add_to_run(uint32_t slot, struct run* run, uint32_t version, struct piece piece)
{
    if (joins(run, version, piece)) {
        ++run->pages;
        run->sectors += piece.sectors;
        return;
    }
    order_run(slot, run);
    *run = (struct run){app.requests[slot].cursor, version, piece.column, piece.sectors, 1};
}

/* A write whose turn has not come leaves room for those whose turn it is. */
static uint32_t place(const struct request* request, uint32_t page, uint32_t mask)
{
    const struct buffer* buffer = &app.ftl.buffer;
    if (request->begun)
        return ftl_place(&app.ftl, page, mask, request->group, request->through);
    if (buffer->used[USE_WRITE] + MAX_PIECES > buffer->limit[USE_WRITE])
        return NONE;
    return ftl_place_held(&app.ftl, page, mask, request->group);
}

static void wait_for_slot(uint32_t slot)
{
    struct request* request = &app.requests[slot];
    line_join(&app.for_write_slot, slot);
    if (!request->waits)
        request->waits_since = statistics_wait_begun();
    request->waits = true;
}

static void end_wait_for_slot(struct request* request)
{
    if (request->waits)
        statistics_wait_ended(request->waits_since);
    request->waits = false;
}

/* False: no write slot is free, and the request stands in line or waits for its turn. */
bool write_continue(uint32_t slot)
{
    struct request* request = &app.requests[slot];
    struct run run = {0};
    bool placed_all = true;
    while (request->cursor != request->sectors && request->pieces < MAX_PIECES) {
        const struct piece piece = piece_at(request, request->cursor);
        const uint32_t version = place(request, piece.page, sector_mask(piece.column, piece.sectors));
        if (version == NONE) {
            if (request->begun)
                wait_for_slot(slot);
            placed_all = false;
            break;
        }
        end_wait_for_slot(request);
        if (request->through)
            wait_for_version(slot, version);
        add_to_run(slot, &run, version, piece);
        ++request->pieces;
        request->cursor += piece.sectors;
    }
    order_run(slot, &run);
    return placed_all;
}

static void start_or_wait_for_slot(uint32_t slot)
{
    if (app.requests[slot].begun && app.for_write_slot.head != NONE)
        wait_for_slot(slot);
    else
        write_continue(slot);
}

void write_version_settled(uint32_t version, enum host_status status)
{
    uint32_t* words = &app.waiters[version * app.waiter_words];
    if (!app.ftl.buffer.slot[version].hurry)
        return;
    for (uint32_t word = 0; word < app.waiter_words; ++word) {
        while (words[word] != 0) {
            const uint32_t slot = word * 32 + bitmap_lowest(words[word]);
            words[word] &= words[word] - 1;
            --app.requests[slot].unsettled;
            if (status != HOST_OK)
                app.requests[slot].status = status;
            end_write_if_done(slot);
        }
    }
}

void write_transfer_done(uint32_t slot, uint32_t cookie)
{
    struct request* request = &app.requests[slot];
    const uint32_t version = cookie_slot(cookie);
    const uint32_t count = cookie_count(cookie);
    if (cookie_kind(cookie) == COOKIE_RUN) {
        for (uint32_t page = 0; page < count; ++page)
            ftl_arrived(&app.ftl, version + page, app.ftl.geometry.full_page);
        request->pieces -= count;
    } else {
        ftl_arrived(&app.ftl, version, sector_mask(cookie_column(cookie), count));
        --request->pieces;
    }
    if (request->cursor != request->sectors && !request->in_line)
        start_or_wait_for_slot(slot);
    end_write_if_done(slot);
}

/* --- turns -------------------------------------------------------------------------------------------------------- */

/* The turn of a write, whose data may have come already: the versions that it waits for are programmed now. */
void write_begin(uint32_t slot)
{
    struct request* request = &app.requests[slot];
    HAL_COST_EXTRA(write_command_overhead);
    request->begun = true;
    for (uint32_t cursor = 0; cursor != request->cursor;) {
        const struct piece piece = piece_at(request, cursor);
        uint32_t version = buffer_find(&app.ftl.buffer, piece.page);
        for (; version != NONE; version = app.ftl.buffer.slot[version].older) {
            if (waits_for(slot, version))
                ftl_release(&app.ftl, version);
        }
        cursor += piece.sectors;
    }
    if (request->cursor != request->sectors && request->pieces == 0)
        start_or_wait_for_slot(slot);
    else
        end_write_if_done(slot);
}

static void join_turn(uint32_t slot)
{
    struct line* turns = &app.turns[app.requests[slot].group];
    app.requests[slot].after = NONE;
    if (turns->head == NONE) {
        turns->head = turns->tail = slot;
        scan_channels(slot);
    } else {
        app.requests[turns->tail].after = slot;
        turns->tail = slot;
    }
}

/* A write is complete: it was its turn, unless the drive has turned read-only and turns are no more. */
static void leave_turn(uint32_t slot)
{
    struct line* turns = &app.turns[app.requests[slot].group];
    if (turns->head != slot)
        return;
    turns->head = app.requests[slot].after;
    app.raised |= RAISED_TURN; /* the loop goes on with the next: it may be complete too, and so on */
}

void write_serve_turns(void)
{
    for (uint32_t group = 0; group < app.ftl.allocation.groups; ++group) {
        const uint32_t slot = app.turns[group].head;
        if (slot != NONE && !app.requests[slot].begun && !app.requests[slot].in_line)
            scan_channels(slot);
    }
}

void write_start(uint32_t slot)
{
    app.requests[slot].group = allocation_group(&app.ftl.allocation);
    if (app.turns == NULL) {
        scan_channels(slot);
        return;
    }
    join_turn(slot);
    if (!app.requests[slot].begun)
        start_or_wait_for_slot(slot); /* its data may come before its turn */
}

/* Writes leave the line of those that look at the other channels; reads stay. */
static void leave_scans(void)
{
    struct line reads = {NONE, NONE};
    while (app.scans.head != NONE) {
        const uint32_t slot = line_leave(&app.scans);
        if (app.requests[slot].kind == HOST_READ)
            line_join(&reads, slot);
    }
    app.scans = reads;
}

/* No spare block is left: what waits for flash fails now; data already acknowledged stays readable in the buffer. */
void write_fail_all(void)
{
    while (app.for_write_slot.head != NONE)
        end_wait_for_slot(&app.requests[line_leave(&app.for_write_slot)]);
    leave_scans();
    for (uint32_t group = 0; app.turns != NULL && group < app.ftl.allocation.groups; ++group)
        app.turns[group].head = NONE;
    for (uint32_t i = 0; i < app.ftl.buffer.slots * app.waiter_words; ++i)
        app.waiters[i] = 0;
    for (uint32_t slot = 0; slot < app.slots; ++slot) {
        struct request* request = &app.requests[slot];
        if (!request->active || request->kind != HOST_WRITE)
            continue;
        request->status = HOST_DEVICE_FAULT;
        request->cursor = request->sectors;
        request->unsettled = 0;
        request->begun = true;
        end_write_if_done(slot);
    }
}
