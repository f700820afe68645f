/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/request_fill.h"

#include "firmware/ftl/page_map/request_write.h"

void fill_init(struct app* app)
{
    app->can_fill = HAL_CAN_STORE && page_fill_is_possible(&app->ftl);
}

static uint32_t units_left(const struct app* app, const struct request* request)
{
    return (request->sectors - request->cursor) / app->ftl.geometry.sectors_per_unit;
}

/* Whole units, at least a page of the flash: so that the pages of the layer have few pieces. */
bool fill_takes(struct app* app, uint32_t slot)
{
    const struct geometry* g = &app->ftl.geometry;
    const struct request* request = &app->requests[slot];
    if (!hal_can_store() || !app->can_fill || request->first_column != 0 ||
        request->sectors < g->sectors_per_flash_page || request->sectors % g->sectors_per_unit != 0)
        return false;
    if (app->fills.head == NONE && !page_fill_may_begin(&app->ftl))
        return false;
    app->fill_units += units_left(app, request);
    line_join(app, &app->fills, slot);
    return true;
}

void fill_give_way(struct app* app)
{
    app->fill_units = 0;
    while (app->fills.head != NONE)
        write_start(app, line_leave(app, &app->fills));
}

/* --- a page ------------------------------------------------------------------------------------------------------- */

/* The next units of the line, as many as a page has, as runs; returns their number. */
static uint32_t runs_of_page(const struct app* app, struct fill_run runs[FILL_PIECES])
{
    const struct geometry* g = &app->ftl.geometry;
    uint32_t count = 0;
    uint32_t left = g->units_per_page;
    uint32_t slot = app->fills.head;
    do {
        const struct request* request = &app->requests[slot];
        const uint32_t all = units_left(app, request);
        const uint32_t units = all < left ? all : left;
        runs[count++] = (struct fill_run){{slot, request->cursor, units * g->sectors_per_unit},
                                          request->first_unit + request->cursor / g->sectors_per_unit,
                                          units};
        left -= units;
        slot = request->next;
    } while (left != 0);
    return count;
}

/* The units of strips whose program has failed take their way through the buffer. */
static void write_failed(struct app* app, const struct fill_run* runs, uint32_t failed)
{
    const struct geometry* g = &app->ftl.geometry;
    struct fill_cursor at = {runs, 0};
    for (uint32_t index = 0; index < g->units_per_page;) {
        uint32_t first;
        const uint32_t units = fill_take(&at, units_to_next_strip(g, index), &first);
        if ((failed >> strip_of_unit(g, index) & 1u) != 0)
            write_units(app, at.run->piece.command, at.run->piece.first + first * g->sectors_per_unit, units);
        index += units;
    }
}

/* The units are in flash, or on their way through the buffer. */
static void end_run(struct app* app, const struct fill_run* run)
{
    const uint32_t slot = run->piece.command;
    struct request* request = &app->requests[slot];
    for (uint32_t unit = 0; app->ahead.streams != 0 && unit < run->units; ++unit)
        read_ahead_forget(&app->ahead, run->logical + unit);
    app->fill_units -= run->units;
    request->cursor += run->piece.sectors;
    if (request->cursor != request->sectors)
        return;
    line_leave(app, &app->fills);
    if (request->pieces == 0 && request->unsettled == 0)
        request_complete(app, slot, HOST_OK);
}

/* False: there is no room in this round. */
static bool fill_page(struct app* app)
{
    struct fill_run runs[FILL_PIECES];
    uint32_t failed = 0;
    const uint32_t count = runs_of_page(app, runs);
    if (!page_fill(&app->ftl, runs, &failed))
        return false;
    if (failed != 0)
        write_failed(app, runs, failed);
    for (uint32_t run = 0; run < count; ++run)
        end_run(app, &runs[run]);
    return true;
}

/* --- a round ------------------------------------------------------------------------------------------------------ */

bool fill_serve(struct app* app)
{
    const uint32_t page = app->ftl.geometry.units_per_page;
    if (!page_fill_may_begin(&app->ftl)) {
        fill_give_way(app);
        return true;
    }
    if (!flash_is_idle(&app->ftl.flash))
        return false; /* until an operation has ended */
    uint32_t pages = 0;
    while (app->fill_units >= page && app->ftl.buffer.used[USE_WRITE] == 0 && fill_page(app))
        ++pages;
    page_fill_end_round(&app->ftl);
    const bool waits_for_more = app->fill_units < page && hal_arrive();
    if (app->fills.head != NONE && pages == 0 && !waits_for_more)
        fill_give_way(app);
    return true;
}
