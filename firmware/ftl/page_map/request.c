/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/app/request.h"

#include "firmware/drivers/statistics.h"
#include "firmware/ftl/page_map/journal.h"
#include "firmware/ftl/page_map/request_state.h"

struct app app;

struct ftl* request_ftl(void)
{
    return &app.ftl;
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

void line_join(struct line* line, uint32_t slot)
{
    struct request* request = &app.requests[slot];
    if (request->in_line)
        return;
    request->in_line = true;
    request->next = NONE;
    if (line->head == NONE)
        line->head = slot;
    else
        app.requests[line->tail].next = slot;
    line->tail = slot;
}

uint32_t line_leave(struct line* line)
{
    const uint32_t slot = line->head;
    line->head = app.requests[slot].next;
    app.requests[slot].in_line = false;
    return slot;
}

/* --- completion --------------------------------------------------------------------------------------------------- */

void request_end(uint32_t slot)
{
    app.requests[slot].active = false;
    --app.active;
}

void request_complete(uint32_t slot, enum host_status status)
{
    request_end(slot);
    host_complete(slot, status);
}

/* --- looking at the other channels -------------------------------------------------------------------------------- */

static void begin(uint32_t slot)
{
    if (app.requests[slot].kind == HOST_READ)
        read_begin(slot);
    else
        write_begin(slot);
}

void scan_channels(uint32_t slot)
{
    app.requests[slot].scans = app.ftl.boot->channel_scan_steps * (app.ftl.geometry.channels - 1);
    if (app.requests[slot].scans == 0)
        begin(slot);
    else
        line_join(&app.scans, slot);
}

/* One step for the first command in line; true: there was one. */
static bool continue_scan(void)
{
    if (app.scans.head == NONE)
        return false;
    const uint32_t slot = app.scans.head;
    if (app.requests[slot].kind == HOST_READ)
        HAL_COST_EXTRA(read_channel_scan);
    else
        HAL_COST_EXTRA(write_channel_scan);
    if (--app.requests[slot].scans == 0)
        begin(line_leave(&app.scans));
    return true;
}

/* --- trim and flush ----------------------------------------------------------------------------------------------- */

static void start_trim(uint32_t slot)
{
    struct request* request = &app.requests[slot];
    request->cursor = request->first_page + (request->first_column != 0);
    line_join(&app.trims, slot);
}

/* The first trim in line goes on; true: there is more to do. */
static bool continue_trim(void)
{
    if (app.trims.head == NONE)
        return false;
    const uint32_t slot = app.trims.head;
    struct request* request = &app.requests[slot];
    const uint32_t end_page = page_of_lba(request->lba + request->sectors);
    for (uint32_t i = 0; i < TRIM_BATCH && request->cursor < end_page && journal_has_room(&app.ftl); ++i)
        ftl_trim(&app.ftl, request->cursor++);
    if (request->cursor < end_page)
        return journal_has_room(&app.ftl); /* else an operation has to end */
    line_leave(&app.trims);
    request_complete(slot, HOST_OK);
    return true;
}

static void start_flush(uint32_t slot)
{
    if (app.ftl.read_only) {
        request_complete(slot, app.ftl.unsettled == 0 ? HOST_OK : HOST_DEVICE_FAULT);
        return;
    }
    app.requests[slot].ticket = ftl_flush(&app.ftl);
    line_join(&app.for_flush, slot);
    app.raised |= RAISED_FLUSH; /* perhaps there was nothing to wait for */
}

static void end_flushes(void)
{
    while (app.for_flush.head != NONE && ftl_is_flushed(&app.ftl, app.requests[app.for_flush.head].ticket))
        request_complete(line_leave(&app.for_flush), HOST_OK);
}

/* --- commands ----------------------------------------------------------------------------------------------------- */

static void command_arrived(uint32_t slot, const struct host_command* command)
{
    HAL_COST(host_command);
    struct request* request = &app.requests[slot];
    const uint64_t lba = request_lba(command);
    const enum host_status status = request_check(command, app.ftl.capacity, app.ftl.read_only);
    if (request->active)
        hal_panic("a command has arrived in a slot whose command is not completed");
    ++app.active;
    *request = (struct request){.lba = lba, .sectors = command->sectors, .active = true};
    request->kind = command->kind & HOST_COMMAND_KIND_KIND_MASK;
    if (status != HOST_OK || (command->sectors == 0 && request->kind != HOST_FLUSH)) {
        request_complete(slot, status);
        return;
    }
    request->through =
        app.ftl.boot->completion == COMPLETE_IN_FLASH || (command->kind & HOST_COMMAND_KIND_FUA_MASK) != 0;
    request->first_page = page_of_lba(lba);
    request->first_column = (uint32_t)lba - request->first_page * app.ftl.geometry.sectors_per_page;
    switch (request->kind) {
    case HOST_READ: read_start(slot); break;
    case HOST_WRITE: write_start(slot); break;
    case HOST_FLUSH: start_flush(slot); break;
    default: start_trim(slot); break;
    }
}

static void transfer_done(uint32_t slot, uint32_t cookie)
{
    if (cookie_kind(cookie) >= COOKIE_WRITE)
        write_transfer_done(slot, cookie);
    else
        read_transfer_done(slot, cookie);
}

/* --- serving ------------------------------------------------------------------------------------------------------ */

static void slot_free(enum slot_use use)
{
    if (use == USE_WRITE)
        app.raised |= RAISED_WRITE_SLOT;
}

static void flushed(void)
{
    app.raised |= RAISED_FLUSH;
}

static void read_only(void)
{
    app.raised |= RAISED_READ_ONLY;
}

/* Lets the requests of a line go on in order, until one has to wait again; that one keeps its place. */
static void serve_line(struct line* line, bool (*go_on)(uint32_t slot))
{
    struct line waiting = *line;
    line->head = line->tail = NONE;
    while (waiting.head != NONE) {
        const uint32_t slot = line_leave(&waiting);
        if (!go_on(slot) && line->head == slot) {
            app.requests[slot].next = waiting.head;
            if (waiting.head != NONE)
                line->tail = waiting.tail;
            return;
        }
    }
}

static bool take_raised(enum raised what)
{
    const bool is_raised = (app.raised & (uint32_t)what) != 0;
    app.raised &= ~(uint32_t)what;
    return is_raised;
}

static void serve_lines(void)
{
    if (take_raised(RAISED_READ_ONLY)) {
        write_fail_all();
        while (app.for_flush.head != NONE)
            request_complete(line_leave(&app.for_flush), HOST_DEVICE_FAULT);
    }
    if (take_raised(RAISED_TURN))
        write_serve_turns();
    if (take_raised(RAISED_READ_SLOT))
        serve_line(&app.for_read_slot, read_continue);
    if (take_raised(RAISED_WRITE_SLOT))
        serve_line(&app.for_write_slot, write_continue);
    if (take_raised(RAISED_FLUSH))
        end_flushes();
}

bool request_serve(void)
{
    host_if_poll(&app.host);
    flash_poll(&app.ftl.flash);
    HAL_COST(loop_round);
    const bool busy = continue_trim() | continue_scan();
    if (app.raised != 0)
        serve_lines();
    ftl_run(&app.ftl);
    return busy || app.scans.head != NONE || app.raised != 0 || ftl_has_work(&app.ftl) ||
           host_if_has_event(&app.host) || flash_has_event(&app.ftl.flash) || ftl_idle_work(&app.ftl, app.active == 0);
}

void request_sleep(void)
{
    flash_sleep(&app.ftl.flash);
}

/* --- start -------------------------------------------------------------------------------------------------------- */

void request_init(const struct boot_block* boot, struct arena* arena)
{
    static const struct line empty = {NONE, NONE};
    static const struct ftl_client client = {read_page_done, write_version_settled, slot_free, flushed, read_only};
    app.slots = boot->host_slots;
    app.active = 0;
    app.for_read_slot = app.for_write_slot = app.for_flush = app.trims = app.scans = empty;
    app.raised = 0;
    ftl_init(&app.ftl, boot, arena, &client);
    statistics_start(boot->statistics, app.ftl.buffer.limit[USE_WRITE]);
    app.requests = arena_array(arena, app.slots, sizeof *app.requests, "host requests");
    app.waiter_words = (app.slots + 31) / 32;
    app.waiters =
        arena_array(arena, (uint64_t)app.ftl.buffer.slots * app.waiter_words, sizeof(uint32_t), "host requests");
    app.turns = NULL;
    if (boot->serial_writes != 0) {
        app.turns = arena_array(arena, app.ftl.allocation.groups, sizeof *app.turns, "host requests");
        for (uint32_t group = 0; group < app.ftl.allocation.groups; ++group)
            app.turns[group] = empty;
    }
    host_if_init(&app.host, arena, app.slots, app.slots * (MAX_PIECES + 1), command_arrived, transfer_done);
    host_if_enable(app.ftl.capacity);
}
