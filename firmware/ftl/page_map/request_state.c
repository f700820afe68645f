/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/request_state.h"

static const struct line empty = {NONE, NONE};

/* --- lines -------------------------------------------------------------------------------------------------------- */

void line_join(struct app* app, struct line* line, uint32_t slot)
{
    struct request* request = &app->requests[slot];
    if (request->in_line)
        return;
    request->in_line = true;
    request->next = NONE;
    if (line->head == NONE)
        line->head = slot;
    else
        app->requests[line->tail].next = slot;
    line->tail = slot;
}

/* --- completion --------------------------------------------------------------------------------------------------- */

void request_end(struct app* app, uint32_t slot)
{
    app->requests[slot].active = false;
    --app->active;
}

void request_complete(struct app* app, uint32_t slot, enum host_status status)
{
    request_end(app, slot);
    host_complete(slot, status);
}

/* --- start -------------------------------------------------------------------------------------------------------- */

void app_init(struct app* app, const struct boot_block* boot)
{
    app->slots = boot->host_slots;
    app->active = 0;
    app->for_read_slot = app->for_write_slot = app->for_flush = app->trims = app->polls = app->fills = empty;
    app->fill_units = 0;
    app->can_fill = false;
    app->raised = 0;
    app->supply = SUPPLY_GOOD;
    app->to_read.units = 0;
}

void app_allocate(struct app* app, struct arena* arena)
{
    static const char what[] = "host requests";
    const struct ftl* ftl = &app->ftl;
    app->requests = arena_array(arena, app->slots, sizeof *app->requests, what);
    /* By halves, so that neighbours in a flash page are still read together. */
    app->read_refill = ftl->geometry.units_per_flash_page > 1 ? MAX_PIECES / 2 : MAX_PIECES - 1;
    app->waiter_words = (app->slots + 31) / 32;
    app->waiters = arena_array(arena, (uint64_t)ftl->buffer.slots * app->waiter_words, sizeof(uint32_t), what);
    app->turns = NULL;
    if (ftl->boot->serial_writes == 0)
        return;
    app->turns = arena_array(arena, ftl->allocation.groups, sizeof *app->turns, what);
    for (uint32_t group = 0; group < ftl->allocation.groups; ++group)
        app->turns[group] = empty;
}
