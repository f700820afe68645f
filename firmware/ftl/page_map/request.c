/* SPDX-License-Identifier: Apache-2.0
 *
 * The entry points of the image (app/request.h), and what arrives from the host port and from the layer below.
 */
#include "firmware/app/request.h"

#include "firmware/drivers/statistics.h"
#include "firmware/ftl/page_map/channel_polls.h"
#include "firmware/ftl/page_map/request_fill.h"
#include "firmware/ftl/page_map/request_read.h"
#include "firmware/ftl/page_map/request_state.h"
#include "firmware/ftl/page_map/request_write.h"

static struct app instance; /* the host port's events carry no context; only the functions that need it name it */

struct app* request_app(void)
{
    return &instance;
}

/* --- polls of the channels ---------------------------------------------------------------------------------------- */

static void begin(struct app* app, uint32_t slot)
{
    if (app->requests[slot].kind == HOST_READ)
        read_begin(app, slot);
    else
        write_begin(app, slot);
}

/* For the first command in line; true: there was a command. */
static bool continue_polls(struct app* app)
{
    if (app->polls.head == NONE)
        return false;
    const uint32_t slot = channel_polls_continue(app);
    if (slot != NONE)
        begin(app, slot);
    return true;
}

/* --- trim and flush ----------------------------------------------------------------------------------------------- */

static void start_trim(struct app* app, uint32_t slot)
{
    struct request* request = &app->requests[slot];
    request->cursor = request->first_unit + (request->first_column != 0);
    line_join(app, &app->trims, slot);
}

static void trim_unit(struct app* app, uint32_t unit)
{
    ftl_trim(&app->ftl, unit);
    if (app->ahead.streams != 0)
        read_ahead_forget(&app->ahead, unit);
}

/* Continues the first trim in line; true: there is more to do. */
static bool continue_trim(struct app* app)
{
    if (app->trims.head == NONE)
        return false;
    const uint32_t slot = app->trims.head;
    struct request* request = &app->requests[slot];
    const uint32_t end_unit = unit_of_lba(app, request->lba + request->sectors);
    for (uint32_t i = 0; i < TRIM_BATCH && request->cursor < end_unit && journal_has_room(&app->ftl); ++i)
        trim_unit(app, request->cursor++);
    if (request->cursor < end_unit)
        return journal_has_room(&app->ftl); /* else an operation has to end */
    line_leave(app, &app->trims);
    request_complete(app, slot, HOST_OK);
    return true;
}

static bool is_protected(const struct app* app)
{
    return app->ftl.boot->write_cache == WRITE_CACHE_PROTECTED;
}

static void start_flush(struct app* app, uint32_t slot)
{
    if (app->ftl.read_only) {
        request_complete(app, slot, app->ftl.unsettled == 0 ? HOST_OK : HOST_DEVICE_FAULT);
        return;
    }
    if (is_protected(app)) {
        request_complete(app, slot, HOST_OK);
        return;
    }
    app->requests[slot].ticket = ftl_flush(&app->ftl);
    line_join(app, &app->for_flush, slot);
    app->raised |= RAISED_FLUSH; /* perhaps there was nothing to wait for */
}

static void end_flushes(struct app* app)
{
    while (app->for_flush.head != NONE && epochs_is_over(&app->ftl.epochs, app->requests[app->for_flush.head].ticket))
        request_complete(app, line_leave(app, &app->for_flush), HOST_OK);
}

/* --- commands ----------------------------------------------------------------------------------------------------- */

static void command_arrived(uint32_t slot, const struct host_command* command)
{
    struct app* app = &instance;
    HAL_COST(host_command);
    struct request* request = &app->requests[slot];
    const uint64_t lba = request_lba(command);
    const enum host_status status = request_check(command, app->ftl.capacity, app->ftl.read_only);
    if (request->active)
        hal_panic("host interface: a command arrived in a slot whose previous command is still in progress");
    ++app->active;
    *request = (struct request){.lba = lba, .sectors = command->sectors, .active = true};
    request->kind = command->kind & HOST_COMMAND_KIND_KIND_MASK;
    request->handle = (uint8_t)(command->kind >> HOST_COMMAND_KIND_PLACEMENT_SHIFT);
    if (request->kind == HOST_PLACEMENT_UPDATE) {
        request_complete(app, slot, placement_update(&app->ftl, request->handle) ? HOST_OK : HOST_NOT_SUPPORTED);
        return;
    }
    if (status != HOST_OK || (command->sectors == 0 && request->kind != HOST_FLUSH)) {
        request_complete(app, slot, status);
        return;
    }
    const bool is_forced = (command->kind & HOST_COMMAND_KIND_FUA_MASK) != 0 && !is_protected(app);
    request->through = app->ftl.boot->completion == COMPLETION_WRITE_THROUGH || is_forced;
    request->first_unit = unit_of_lba(app, lba);
    request->first_column = (uint32_t)lba - request->first_unit * app->ftl.geometry.sectors_per_unit;
    if (HAL_CAN_STORE && request->kind == HOST_WRITE && fill_takes(app, slot))
        return;
    if (fill_is_waiting(app))
        fill_give_way(app);
    switch (request->kind) {
    case HOST_READ: read_start(app, slot); break;
    case HOST_WRITE: write_start(app, slot); break;
    case HOST_FLUSH: start_flush(app, slot); break;
    default: start_trim(app, slot); break;
    }
}

static void transfer_done(uint32_t slot, uint32_t cookie)
{
    struct app* app = &instance;
    if (cookie_kind(cookie) >= COOKIE_WRITE)
        write_transfer_done(app, slot, cookie);
    else
        read_transfer_done(app, slot, cookie);
}

/* --- the supply fails --------------------------------------------------------------------------------------------- */

static void ignore_unit(void* context, uint32_t slot, bool ok)
{
    (void)context, (void)slot, (void)ok;
}

static void ignore_command(uint32_t slot, const struct host_command* command)
{
    (void)slot, (void)command;
}

static void ignore_transfer(uint32_t slot, uint32_t cookie)
{
    (void)slot, (void)cookie;
}

/* The host is gone. Commands that are in progress end here, and those that were on their way do not begin: their data
 * would never arrive, and the versions that they join would never be saved; what has been acknowledged is in the buffer
 * or in the journal's records. */
static void supply_fails(void)
{
    struct app* app = &instance;
    app->supply = SUPPLY_FAILS;
    app->host.on_command = ignore_command;
    app->host.on_transfer = ignore_transfer;
    app->ftl.client.unit_read = ignore_unit;
    app->save_ticket = ftl_supply_fails(&app->ftl);
}

/* False: there is nothing to do before the next interrupt. */
static bool serve_saving(struct app* app)
{
    flash_poll(&app->ftl.flash);
    HAL_COST(loop_round);
    ftl_run(&app->ftl);
    if (app->supply == SUPPLY_FAILS && epochs_is_over(&app->ftl.epochs, app->save_ticket)) {
        app->supply = SUPPLY_SAVED;
        host_if_saved();
    }
    return ftl_has_work(&app->ftl) || flash_has_event(&app->ftl.flash) || ftl_idle_work(&app->ftl, false);
}

/* --- serving ------------------------------------------------------------------------------------------------------ */

static void slot_free(void* context, enum slot_use use)
{
    struct app* app = context;
    if (use == USE_WRITE)
        app->raised |= RAISED_WRITE_SLOT;
}

static void flushed(void* context)
{
    struct app* app = context;
    app->raised |= RAISED_FLUSH;
}

static void read_only(void* context)
{
    struct app* app = context;
    app->raised |= RAISED_READ_ONLY;
}

/* Continues the requests of a line in order, until one has to wait again; that one keeps its place. */
static void serve_line(struct app* app, struct line* line, bool (*go_on)(struct app* app, uint32_t slot))
{
    struct line waiting = *line;
    line->head = line->tail = NONE;
    while (waiting.head != NONE) {
        const uint32_t slot = line_leave(app, &waiting);
        if (!go_on(app, slot) && line->head == slot) {
            app->requests[slot].next = waiting.head;
            if (waiting.head != NONE)
                line->tail = waiting.tail;
            return;
        }
    }
}

static bool take_raised(struct app* app, enum raised what)
{
    const bool is_raised = (app->raised & (uint32_t)what) != 0;
    app->raised &= ~(uint32_t)what;
    return is_raised;
}

static void serve_lines(struct app* app)
{
    if (take_raised(app, RAISED_READ_ONLY)) {
        if (fill_is_waiting(app))
            fill_give_way(app);
        write_fail_all(app);
        while (app->for_flush.head != NONE)
            request_complete(app, line_leave(app, &app->for_flush), HOST_DEVICE_FAULT);
    }
    if (take_raised(app, RAISED_TURN))
        write_serve_turns(app);
    if (take_raised(app, RAISED_READ_SLOT))
        serve_line(app, &app->for_read_slot, read_continue);
    if (take_raised(app, RAISED_WRITE_SLOT))
        serve_line(app, &app->for_write_slot, write_continue);
    if (take_raised(app, RAISED_FLUSH))
        end_flushes(app);
}

bool request_serve(void)
{
    struct app* app = &instance;
    host_if_poll(&app->host);
    if (app->supply != SUPPLY_GOOD)
        return serve_saving(app);
    flash_poll(&app->ftl.flash);
    HAL_COST(loop_round);
    const bool busy = continue_trim(app) | continue_polls(app);
    if (app->raised != 0)
        serve_lines(app);
    const bool filling = fill_is_waiting(app) && fill_serve(app);
    ftl_run(&app->ftl);
    return busy || filling || app->polls.head != NONE || app->raised != 0 || ftl_has_work(&app->ftl) ||
           host_if_has_event(&app->host) || flash_has_event(&app->ftl.flash) ||
           ftl_idle_work(&app->ftl, app->active == 0);
}

void request_sleep(void)
{
    flash_sleep(&instance.ftl.flash);
}

/* --- start -------------------------------------------------------------------------------------------------------- */

void request_init(const struct boot_block* boot, struct arena* arena)
{
    struct app* app = &instance;
    const struct ftl_client client = {app, read_unit_done, write_version_settled, slot_free, flushed, read_only};
    app_init(app, boot);
    ftl_init(&app->ftl, boot, arena, &client);
    statistics_start(boot->statistics, app->ftl.buffer.limit[USE_WRITE]);
    app_allocate(app, arena);
    fill_init(app);
    read_ahead_init(&app->ahead, arena, boot, app->ftl.geometry.units_per_flash_page, read_ahead_dropped, app);
    host_if_init(&app->host, arena, app->slots, app->slots * (MAX_PIECES + 1), command_arrived, transfer_done);
    host_if_watch_supply(&app->host, supply_fails);
    host_if_enable(app->ftl.capacity);
}
