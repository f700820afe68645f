/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/request_write.h"

#include "firmware/drivers/bitmap.h"
#include "firmware/drivers/statistics.h"
#include "firmware/ftl/page_map/channel_polls.h"

static void leave_turn(struct app* app, uint32_t slot);

static void end_write_if_done(struct app* app, uint32_t slot)
{
    const struct request* request = &app->requests[slot];
    if (request->cursor != request->sectors || request->pieces != 0 || request->unsettled != 0)
        return;
    if (!request->begun) /* all of its data has arrived, but its turn has not begun */
        return;
    request_complete(app, slot, request->status);
    if (app->turns != NULL)
        leave_turn(app, slot);
}

static bool waits_for(const struct app* app, uint32_t slot, uint32_t version)
{
    return (app->waiters[version * app->waiter_words + slot / 32] >> slot % 32 & 1u) != 0;
}

static void wait_for_version(struct app* app, uint32_t slot, uint32_t version)
{
    uint32_t* word = &app->waiters[version * app->waiter_words + slot / 32];
    const uint32_t bit = 1u << slot % 32;
    if ((*word & bit) == 0)
        ++app->requests[slot].unsettled;
    *word |= bit;
}

/* Neighbouring whole units in neighbouring slots are ordered as one transfer. */
struct run {
    uint32_t first; /* sector within the command */
    uint32_t version, column, sectors, units;
};

static void order_run(const struct app* app, uint32_t slot, const struct run* run)
{
    if (run->units == 0)
        return;
    const uint32_t cookie = run->units == 1 ? cookie_of(COOKIE_WRITE, run->version, run->column, run->sectors)
                                            : cookie_of(COOKIE_RUN, run->version, 0, run->units);
    host_transfer(slot, false, run->first, run->sectors,
                  buffer_address(&app->ftl.buffer, run->version) + run->column * SECTOR_BYTES, cookie, false);
}

static bool joins(const struct app* app, const struct run* run, uint32_t version, struct piece piece)
{
    return run->units != 0 && version == run->version + run->units &&
           piece.sectors == app->ftl.geometry.sectors_per_unit &&
           run->sectors == run->units * app->ftl.geometry.sectors_per_unit &&
           run->sectors + piece.sectors <= RUN_SECTORS;
}

static void add_to_run(const struct app* app, uint32_t slot, struct run* run, uint32_t version, struct piece piece)
{
    if (joins(app, run, version, piece)) {
        ++run->units;
        run->sectors += piece.sectors;
        return;
    }
    order_run(app, slot, run);
    *run = (struct run){app->requests[slot].cursor, version, piece.column, piece.sectors, 1};
}

/* A write before its turn leaves slots for the writes whose turn it is. */
static uint32_t place(struct app* app, const struct request* request, uint32_t unit, uint32_t mask)
{
    const struct buffer* buffer = &app->ftl.buffer;
    if (request->begun)
        return ftl_place(&app->ftl, unit, mask, request->group, request->through);
    if (buffer->used[USE_WRITE] + MAX_PIECES > buffer->limit[USE_WRITE])
        return NONE;
    return ftl_place_held(&app->ftl, unit, mask, request->group);
}

static void wait_for_slot(struct app* app, uint32_t slot)
{
    struct request* request = &app->requests[slot];
    line_join(app, &app->for_write_slot, slot);
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

/* False: no write slot is free, and the request is in line or waits for its turn. */
bool write_continue(struct app* app, uint32_t slot)
{
    struct request* request = &app->requests[slot];
    struct run run = {0};
    bool placed_all = true;
    while (request->cursor != request->sectors && request->pieces < MAX_PIECES) {
        const struct piece piece = piece_at(app, request, request->cursor);
        const uint32_t version = place(app, request, piece.unit, sector_mask(piece.column, piece.sectors));
        if (version == NONE) {
            if (request->begun)
                wait_for_slot(app, slot);
            placed_all = false;
            break;
        }
        end_wait_for_slot(request);
        if (app->ahead.streams != 0)
            read_ahead_forget(&app->ahead, piece.unit);
        if (request->through)
            wait_for_version(app, slot, version);
        add_to_run(app, slot, &run, version, piece);
        ++request->pieces;
        request->cursor += piece.sectors;
    }
    order_run(app, slot, &run);
    return placed_all;
}

#if HAL_CAN_STORE /* firmware for the core is compiled as if this were not here */
void write_units(struct app* app, uint32_t slot, uint32_t first, uint32_t units)
{
    struct request* request = &app->requests[slot];
    const uint32_t cursor = request->cursor;
    struct run run = {0};
    request->begun = true;
    request->cursor = first;
    for (; units != 0; --units) {
        const struct piece piece = piece_at(app, request, request->cursor);
        const uint32_t version = place(app, request, piece.unit, app->ftl.geometry.full_unit);
        if (version == NONE)
            hal_panic("page mapping: the write buffer is too small for the units of a page");
        if (request->through)
            wait_for_version(app, slot, version);
        add_to_run(app, slot, &run, version, piece);
        ++request->pieces;
        request->cursor += piece.sectors;
    }
    order_run(app, slot, &run);
    request->cursor = cursor;
}
#endif

static void start_or_wait_for_slot(struct app* app, uint32_t slot)
{
    if (app->requests[slot].begun && app->for_write_slot.head != NONE)
        wait_for_slot(app, slot);
    else
        write_continue(app, slot);
}

void write_version_settled(void* context, uint32_t version, enum host_status status)
{
    struct app* app = context;
    uint32_t* words = &app->waiters[version * app->waiter_words];
    if (!app->ftl.buffer.slot[version].urgent)
        return;
    for (uint32_t word = 0; word < app->waiter_words; ++word) {
        while (words[word] != 0) {
            const uint32_t slot = word * 32 + bitmap_lowest(words[word]);
            words[word] &= words[word] - 1;
            --app->requests[slot].unsettled;
            if (status != HOST_OK)
                app->requests[slot].status = status;
            end_write_if_done(app, slot);
        }
    }
}

void write_transfer_done(struct app* app, uint32_t slot, uint32_t cookie)
{
    struct request* request = &app->requests[slot];
    const uint32_t version = cookie_slot(cookie);
    const uint32_t count = cookie_count(cookie);
    if (cookie_kind(cookie) == COOKIE_RUN) {
        for (uint32_t unit = 0; unit < count; ++unit)
            ftl_arrived(&app->ftl, version + unit, app->ftl.geometry.full_unit);
        request->pieces -= count;
    } else {
        ftl_arrived(&app->ftl, version, sector_mask(cookie_column(cookie), count));
        --request->pieces;
    }
    if (request->cursor != request->sectors && !request->in_line)
        start_or_wait_for_slot(app, slot);
    end_write_if_done(app, slot);
}

/* --- turns -------------------------------------------------------------------------------------------------------- */

/* The turn of a write begins. Its data may have arrived already: the versions that it waits for are programmed now. */
void write_begin(struct app* app, uint32_t slot)
{
    struct request* request = &app->requests[slot];
    HAL_COST_EXTRA(write_command_overhead);
    request->begun = true;
    for (uint32_t cursor = 0; cursor != request->cursor;) {
        const struct piece piece = piece_at(app, request, cursor);
        uint32_t version = buffer_find(&app->ftl.buffer, piece.unit);
        for (; version != NONE; version = app->ftl.buffer.slot[version].older) {
            if (waits_for(app, slot, version))
                queues_release(&app->ftl.queues, version);
        }
        cursor += piece.sectors;
    }
    if (request->cursor != request->sectors && request->pieces == 0)
        start_or_wait_for_slot(app, slot);
    else
        end_write_if_done(app, slot);
}

static void start(struct app* app, uint32_t slot)
{
    if (channel_polls_start(app, slot))
        write_begin(app, slot);
}

static void join_turn(struct app* app, uint32_t slot)
{
    struct line* turns = &app->turns[app->requests[slot].group];
    app->requests[slot].after = NONE;
    if (turns->head == NONE) {
        turns->head = turns->tail = slot;
        start(app, slot);
    } else {
        app->requests[turns->tail].after = slot;
        turns->tail = slot;
    }
}

/* A write is complete and ends its turn, unless the drive has become read-only and there are no more turns. */
static void leave_turn(struct app* app, uint32_t slot)
{
    struct line* turns = &app->turns[app->requests[slot].group];
    if (turns->head != slot)
        return;
    turns->head = app->requests[slot].after;
    app->raised |= RAISED_TURN; /* the main loop begins the next one: it may be complete too, and so on */
}

void write_serve_turns(struct app* app)
{
    for (uint32_t group = 0; group < app->ftl.allocation.groups; ++group) {
        const uint32_t slot = app->turns[group].head;
        if (slot != NONE && !app->requests[slot].begun && !app->requests[slot].in_line)
            start(app, slot);
    }
}

void write_start(struct app* app, uint32_t slot)
{
    struct request* request = &app->requests[slot];
    const struct placement* placement = &app->ftl.placement;
    request->group =
        placement->handles == 0 ? allocation_group(&app->ftl.allocation) : placement_lane(placement, request->handle);
    if (app->turns == NULL) {
        start(app, slot);
        return;
    }
    join_turn(app, slot);
    if (!app->requests[slot].begun)
        start_or_wait_for_slot(app, slot); /* its data may arrive before its turn */
}

/* Writes leave the line of those that the channels are polled for; reads stay. */
static void leave_polls(struct app* app)
{
    struct line reads = {NONE, NONE};
    while (app->polls.head != NONE) {
        const uint32_t slot = line_leave(app, &app->polls);
        if (app->requests[slot].kind == HOST_READ)
            line_join(app, &reads, slot);
    }
    app->polls = reads;
}

/* No spare block is left: writes that wait for flash fail now; acknowledged data stays readable in the buffer. */
void write_fail_all(struct app* app)
{
    while (app->for_write_slot.head != NONE)
        end_wait_for_slot(&app->requests[line_leave(app, &app->for_write_slot)]);
    leave_polls(app);
    for (uint32_t group = 0; app->turns != NULL && group < app->ftl.allocation.groups; ++group)
        app->turns[group].head = NONE;
    for (uint32_t i = 0; i < app->ftl.buffer.slots * app->waiter_words; ++i)
        app->waiters[i] = 0;
    for (uint32_t slot = 0; slot < app->slots; ++slot) {
        struct request* request = &app->requests[slot];
        if (!request->active || request->kind != HOST_WRITE)
            continue;
        request->status = HOST_DEVICE_FAULT;
        request->cursor = request->sectors;
        request->unsettled = 0;
        request->begun = true;
        end_write_if_done(app, slot);
    }
}
