/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/request_read.h"

#include "firmware/drivers/statistics.h"
#include "firmware/ftl/page_map/channel_polls.h"

/* A read without errors was completed by its last transfer. */
static void end_read_if_done(struct app* app, uint32_t slot)
{
    const struct request* request = &app->requests[slot];
    if (request->unordered != 0 || request->pieces != 0)
        return;
    if (request->status == HOST_OK)
        request_end(app, slot);
    else
        request_complete(app, slot, request->status);
}

static void send(struct app* app, uint32_t slot, uint32_t first, uint32_t sectors, bus_address from, uint32_t cookie)
{
    struct request* request = &app->requests[slot];
    request->unordered -= sectors;
    const bool last = request->unordered == 0 && request->status == HOST_OK;
    host_transfer(slot, true, first, sectors, from, cookie, last);
}

static void read_failed(struct app* app, uint32_t slot, uint32_t sectors)
{
    app->requests[slot].unordered -= sectors;
    app->requests[slot].status = HOST_UNCORRECTABLE;
}

static void send_version(struct app* app, uint32_t slot, uint32_t version, struct piece piece)
{
    struct request* request = &app->requests[slot];
    ++app->ftl.buffer.slot[version].pins;
    ++request->pieces;
    send(app, slot, request->cursor, piece.sectors,
         buffer_address(&app->ftl.buffer, version) + piece.column * SECTOR_BYTES,
         cookie_of(COOKIE_PINNED, version, 0, 1));
}

static void send_zeros(struct app* app, uint32_t slot, struct piece piece)
{
    struct request* request = &app->requests[slot];
    ++request->pieces;
    send(app, slot, request->cursor, piece.sectors, buffer_address(&app->ftl.buffer, 0),
         cookie_of(COOKIE_ZEROS, 0, 0, 1));
}

static void order_read(struct app* app)
{
    struct units_to_read* run = &app->to_read;
    if (run->units == 1)
        ftl_read(&app->ftl, run->first, run->end - 1, 0, app->ftl.geometry.sectors_per_unit);
    else if (run->units > 1)
        ftl_read_units(&app->ftl, run->first, run->units);
    run->units = 0;
}

static void add_to_run(struct app* app, uint32_t number, uint32_t logical, uint32_t physical)
{
    struct units_to_read* run = &app->to_read;
    struct slot* slots = app->ftl.buffer.slot;
    if (run->units != 0 && (physical != run->end || physical % app->ftl.geometry.units_per_flash_page == 0))
        order_read(app);
    if (run->units == 0)
        run->first = number;
    else
        slots[run->last].next = number;
    slots[number].next = NONE;
    slots[number].logical = logical;
    slots[number].physical = physical;
    run->last = number;
    run->end = physical + 1;
    ++run->units;
}

/* Reads a whole unit. */
static void read_unit(struct app* app, uint32_t number, uint32_t logical, uint32_t physical)
{
    if (app->ftl.geometry.units_per_page != 1) {
        add_to_run(app, number, logical, physical);
        return;
    }
    app->ftl.buffer.slot[number].logical = logical;
    ftl_read(&app->ftl, number, physical, 0, app->ftl.geometry.sectors_per_unit);
}

/* --- read-ahead --------------------------------------------------------------------------------------------------- */

#define NO_COMMAND 0xFFFFu /* slot.command of a unit that no command waits for */

void read_ahead_dropped(void* context, uint32_t number)
{
    struct app* app = context;
    struct slot* slot = &app->ftl.buffer.slot[number];
    slot->stale = true;
    if (slot->state != SLOT_CACHED || slot->pins != 0)
        return;
    buffer_give(&app->ftl.buffer, number);
    app->raised |= RAISED_READ_SLOT;
}

static void send_ahead(struct app* app, uint32_t command, uint32_t first, struct piece piece, uint32_t number)
{
    struct slot* slot = &app->ftl.buffer.slot[number];
    ++slot->pins;
    send(app, command, first, piece.sectors, buffer_address(&app->ftl.buffer, number) + piece.column * SECTOR_BYTES,
         cookie_of(COOKIE_AHEAD, number, 0, 1));
    if (!slot->stale)
        read_ahead_used(&app->ahead, piece.unit, piece.column + piece.sectors == app->ftl.geometry.sectors_per_unit);
}

/* True: the unit has been read ahead, or it is being read ahead and no other command waits for it. */
static bool read_from_ahead(struct app* app, uint32_t command, struct piece piece)
{
    struct request* request = &app->requests[command];
    const uint32_t number = read_ahead_find(&app->ahead, piece.unit);
    struct slot* slot = number == NONE ? NULL : &app->ftl.buffer.slot[number];
    if (slot == NULL || (slot->state == SLOT_AHEAD && slot->command != NO_COMMAND)) {
        statistics_count(STATISTIC_AHEAD_MISSED, 1);
        return false;
    }
    ++request->pieces;
    statistics_count(STATISTIC_AHEAD_HIT, 1);
    if (slot->state == SLOT_CACHED) {
        send_ahead(app, command, request->cursor, piece, number);
        return true;
    }
    read_ahead_used(&app->ahead, piece.unit, false);
    slot->command = (uint16_t)command;
    slot->first = request->cursor;
    slot->column = (uint16_t)piece.column;
    slot->sectors = (uint16_t)piece.sectors;
    return true;
}

/* A unit has been read ahead, and nothing has failed. */
static void ahead_arrived(struct app* app, uint32_t number)
{
    struct slot* slot = &app->ftl.buffer.slot[number];
    const struct piece piece = {slot->logical, slot->column, slot->sectors};
    slot->state = SLOT_CACHED;
    if (slot->command != NO_COMMAND)
        send_ahead(app, slot->command, slot->first, piece, number);
    else if (slot->stale)
        read_ahead_dropped(app, number);
}

/* Half of the read slots are left to commands. A unit in the write buffer will have another place in flash, and one
 * that another stream holds is not held twice. */
static void order_ahead(struct app* app, uint32_t stream)
{
    struct buffer* buffer = &app->ftl.buffer;
    uint32_t unit;
    while ((unit = read_ahead_next(&app->ahead, stream, app->ftl.exported)) != NONE) {
        if (buffer_left(buffer, USE_READ) <= buffer->limit[USE_READ] / 2) {
            if (read_ahead_give_way(&app->ahead, stream))
                continue;
            break;
        }
        const uint32_t physical = map_find(&app->ftl.map, unit);
        HAL_COST(host_read_page);
        if (!map_is_mapped(physical) || buffer_find(buffer, unit) != NONE ||
            read_ahead_find(&app->ahead, unit) != NONE) {
            read_ahead_ordered(&app->ahead, stream, NONE);
            continue;
        }
        const uint32_t number = buffer_take(buffer, USE_READ);
        buffer->slot[number].state = SLOT_AHEAD;
        buffer->slot[number].command = NO_COMMAND;
        read_unit(app, number, unit, physical);
        read_ahead_ordered(&app->ahead, stream, number);
    }
    if (app->to_read.units != 0)
        order_read(app);
}

static void read_ahead_of(struct app* app, const struct request* request)
{
    const uint32_t end = unit_of_lba(app, request->lba + request->sectors - 1) + 1;
    const uint32_t stream = read_ahead_observe(&app->ahead, request->first_unit, end, request->first_column != 0);
    if (stream != NONE)
        order_ahead(app, stream);
}

/* --- flash -------------------------------------------------------------------------------------------------------- */

/* Sectors that are in flash. False: there is no slot to read them into. */
static bool read_flash(struct app* app, uint32_t slot, struct piece piece, uint32_t physical)
{
    struct request* request = &app->requests[slot];
    const uint32_t number = buffer_take(&app->ftl.buffer, USE_READ);
    if (number == NONE) {
        line_join(app, &app->for_read_slot, slot);
        return false;
    }
    struct slot* buffer = &app->ftl.buffer.slot[number];
    buffer->state = SLOT_READING;
    buffer->command = (uint16_t)slot;
    buffer->first = request->cursor;
    buffer->sectors = (uint16_t)piece.sectors;
    buffer->logical = piece.unit;
    ++request->pieces;
    if (piece.sectors == app->ftl.geometry.sectors_per_unit)
        read_unit(app, number, piece.unit, physical);
    else
        ftl_read(&app->ftl, number, physical, piece.column, piece.sectors);
    return true;
}

/* The newest version that holds the sector, or NONE: it is in flash, or was never written. */
static uint32_t version_of_sector(const struct app* app, uint32_t newest, uint32_t sector)
{
    while (newest != NONE && (app->ftl.buffer.slot[newest].valid >> sector & 1u) == 0)
        newest = app->ftl.buffer.slot[newest].older;
    return newest;
}

/* Cuts the piece down to the sectors that are in the same place as its first; returns the version that holds them. */
static uint32_t cut_piece(const struct app* app, struct piece* piece)
{
    const uint32_t newest = buffer_find(&app->ftl.buffer, piece->unit);
    if (newest == NONE)
        return NONE;
    const uint32_t version = version_of_sector(app, newest, piece->column);
    uint32_t sectors = 1;
    while (sectors < piece->sectors && version_of_sector(app, newest, piece->column + sectors) == version)
        ++sectors;
    piece->sectors = sectors;
    return version;
}

/* False: there is no slot to read into, and the request is in line. */
static bool read_piece(struct app* app, uint32_t slot, struct piece* piece)
{
    HAL_COST(host_read_page);
    const uint32_t version = cut_piece(app, piece);
    if (version != NONE) {
        send_version(app, slot, version, *piece);
        return true;
    }
    const uint32_t physical = map_find(&app->ftl.map, piece->unit);
    if (map_is_mapped(physical) && app->ahead.streams != 0 && read_from_ahead(app, slot, *piece))
        return true;
    if (map_is_mapped(physical))
        return read_flash(app, slot, *piece, physical);
    if (physical == MAP_UNMAPPED)
        send_zeros(app, slot, *piece);
    else
        read_failed(app, slot, piece->sectors);
    return true;
}

bool read_continue(struct app* app, uint32_t slot)
{
    struct request* request = &app->requests[slot];
    bool has_slots = true;
    while (has_slots && request->cursor != request->sectors && request->pieces < MAX_PIECES) {
        struct piece piece = piece_at(app, request, request->cursor);
        has_slots = read_piece(app, slot, &piece);
        if (has_slots)
            request->cursor += piece.sectors;
    }
    if (app->to_read.units != 0)
        order_read(app);
    if (has_slots)
        end_read_if_done(app, slot);
    return has_slots;
}

static void piece_ended(struct app* app, uint32_t slot)
{
    struct request* request = &app->requests[slot];
    if (--request->pieces <= app->read_refill && !request->in_line)
        read_continue(app, slot);
}

/* With parity, a unit that was trimmed while its read failed has not been reconstructed: it is zeros. */
static bool was_trimmed(const struct app* app, const struct slot* slot)
{
    return app->ftl.geometry.has_parity && map_find(&app->ftl.map, slot->logical) == MAP_UNMAPPED;
}

void read_unit_done(void* context, uint32_t number, bool ok)
{
    struct app* app = context;
    struct slot* buffer = &app->ftl.buffer.slot[number];
    if (buffer->state == SLOT_AHEAD && ok) {
        ahead_arrived(app, number);
        return;
    }
    if (buffer->state == SLOT_AHEAD && !buffer->stale)
        read_ahead_forget(&app->ahead, buffer->logical);
    if (buffer->state == SLOT_AHEAD && buffer->command == NO_COMMAND) {
        buffer_give(&app->ftl.buffer, number);
        app->raised |= RAISED_READ_SLOT;
        return;
    }
    const bool is_trimmed = !ok && was_trimmed(app, buffer);
    if (ok || is_trimmed) {
        buffer->state = SLOT_SENDING;
        send(app, buffer->command, buffer->first, buffer->sectors,
             buffer_address(&app->ftl.buffer, is_trimmed ? 0 : number), cookie_of(COOKIE_READ, number, 0, 1));
        return;
    }
    const uint32_t slot = buffer->command;
    read_failed(app, slot, buffer->sectors);
    buffer_give(&app->ftl.buffer, number);
    app->raised |= RAISED_READ_SLOT;
    piece_ended(app, slot);
}

void read_start(struct app* app, uint32_t slot)
{
    if (channel_polls_start(app, slot))
        read_begin(app, slot);
}

void read_begin(struct app* app, uint32_t slot)
{
    struct request* request = &app->requests[slot];
    HAL_COST_EXTRA(read_command_overhead);
    const struct request command = *request; /* it may be complete before its stream is looked at */
    request->unordered = request->sectors;
    read_continue(app, slot);
    if (app->ahead.streams != 0)
        read_ahead_of(app, &command);
}

void read_transfer_done(struct app* app, uint32_t slot, uint32_t cookie)
{
    if (cookie_kind(cookie) == COOKIE_PINNED) {
        ftl_unpin(&app->ftl, cookie_slot(cookie));
    } else if (cookie_kind(cookie) == COOKIE_AHEAD) {
        --app->ftl.buffer.slot[cookie_slot(cookie)].pins;
        if (app->ftl.buffer.slot[cookie_slot(cookie)].stale)
            read_ahead_dropped(app, cookie_slot(cookie));
    } else if (cookie_kind(cookie) == COOKIE_READ) {
        buffer_give(&app->ftl.buffer, cookie_slot(cookie));
        app->raised |= RAISED_READ_SLOT;
    }
    piece_ended(app, slot);
}
