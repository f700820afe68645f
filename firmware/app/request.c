/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/app/request.h"

#include "firmware/drivers/host_if.h"

#define MAX_PIECES 64u  /* pages of a command under way at a time; bounds the host event ring */
#define RUN_SECTORS 16u /* neighbouring pages of a write are ordered as one transfer up to 8 KiB, a SATA data frame */
#define TRIM_BATCH 64u  /* pages unmapped before other work gets its turn */

struct request {
    uint64_t lba;
    uint32_t kind;
    uint32_t sectors;
    uint32_t first_page, first_column; /* lba as logical page and sector within it */
    uint32_t cursor;                   /* sectors that have been dealt with; trim: the next page */
    uint32_t unordered;                /* read: sectors whose transfer is not ordered yet */
    uint32_t pieces;                   /* pages under way between host and buffer, or flash and buffer */
    uint32_t unsettled;                /* write: versions that it waits for to be in flash */
    uint32_t ticket;                   /* flush */
    uint32_t group;                    /* write: allocation group */
    uint32_t next;                     /* in a line */
    enum host_status status;
    bool active, through, in_line;
};

struct line { /* of requests that wait for the same thing, first come first served */
    uint32_t head, tail;
};

static struct {
    struct ftl ftl;
    struct host_if host;
    struct request* requests;
    uint32_t slots;
    uint32_t active;
    uint32_t* waiters; /* per buffer slot: bitmap of write requests that wait for it to be in flash */
    uint32_t waiter_words;
    struct line for_read_slot, for_write_slot, for_flush, trims;
    bool read_slot_free, write_slot_free, flush_ended, turned_read_only;
} app;

struct ftl* request_ftl(void)
{
    return &app.ftl;
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

static void line_join(struct line* line, uint32_t slot)
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

static uint32_t line_leave(struct line* line)
{
    const uint32_t slot = line->head;
    line->head = app.requests[slot].next;
    app.requests[slot].in_line = false;
    return slot;
}

/* --- completion --------------------------------------------------------------------------------------------------- */

static void end(uint32_t slot)
{
    app.requests[slot].active = false;
    --app.active;
}

static void complete(uint32_t slot, enum host_status status)
{
    end(slot);
    host_complete(slot, status);
}

static void end_write_if_done(uint32_t slot)
{
    const struct request* request = &app.requests[slot];
    if (request->cursor == request->sectors && request->pieces == 0 && request->unsettled == 0)
        complete(slot, request->status);
}

/* A read without errors was completed by its last transfer. */
static void end_read_if_done(uint32_t slot)
{
    const struct request* request = &app.requests[slot];
    if (request->unordered != 0 || request->pieces != 0)
        return;
    if (request->status == HOST_OK)
        end(slot);
    else
        complete(slot, request->status);
}

/* --- pages and transfers ------------------------------------------------------------------------------------------ */

struct piece { /* the part of a command that lies in one logical page */
    uint32_t page;
    uint32_t column; /* first sector within the page */
    uint32_t sectors;
    uint32_t mask;
};

static struct piece piece_at(const struct request* request, uint32_t cursor)
{
    const uint32_t per_page = app.ftl.geometry.sectors_per_page;
    const uint32_t at = request->first_column + cursor;
    struct piece piece;
    piece.page = request->first_page + at / per_page;
    piece.column = at % per_page;
    piece.sectors = per_page - piece.column;
    if (piece.sectors > request->sectors - cursor)
        piece.sectors = request->sectors - cursor;
    piece.mask = (0xFFFFFFFFu >> (32 - piece.sectors)) << piece.column;
    return piece;
}

/* What a transfer's event says about it. */
enum cookie_kind { COOKIE_ZEROS, COOKIE_READ, COOKIE_PINNED, COOKIE_WRITE, COOKIE_RUN };

static uint32_t cookie_of(enum cookie_kind kind, uint32_t slot, uint32_t column, uint32_t count)
{
    return slot | column << 16 | (count - 1) << 21 | (uint32_t)kind << 29;
}
static uint32_t cookie_slot(uint32_t cookie)
{
    return cookie & 0xFFFFu;
}
static uint32_t cookie_column(uint32_t cookie)
{
    return cookie >> 16 & 0x1Fu;
}
static uint32_t cookie_count(uint32_t cookie)
{
    return (cookie >> 21 & 0x1Fu) + 1;
}

/* --- reads -------------------------------------------------------------------------------------------------------- */

static void send(uint32_t slot, uint32_t first, uint32_t sectors, bus_address from, uint32_t cookie)
{
    struct request* request = &app.requests[slot];
    request->unordered -= sectors;
    const bool last = request->unordered == 0 && request->status == HOST_OK;
    host_transfer(slot, true, first, sectors, from, cookie, last);
}

static void read_failed(uint32_t slot, uint32_t sectors)
{
    app.requests[slot].unordered -= sectors;
    app.requests[slot].status = HOST_UNCORRECTABLE;
}

static void send_version(uint32_t slot, uint32_t version, struct piece piece)
{
    struct request* request = &app.requests[slot];
    ++app.ftl.buffer.slot[version].pins;
    ++request->pieces;
    send(slot, request->cursor, piece.sectors, buffer_address(&app.ftl.buffer, version) + piece.column * SECTOR_BYTES,
         cookie_of(COOKIE_PINNED, version, 0, 1));
}

static void send_zeros(uint32_t slot, struct piece piece)
{
    struct request* request = &app.requests[slot];
    ++request->pieces;
    send(slot, request->cursor, piece.sectors, buffer_address(&app.ftl.buffer, 0), cookie_of(COOKIE_ZEROS, 0, 0, 1));
}

/* Sectors that stand in flash. False: no slot to read them into. */
static bool read_flash(uint32_t slot, struct piece piece, uint32_t physical)
{
    struct request* request = &app.requests[slot];
    const uint32_t number = buffer_take(&app.ftl.buffer, USE_READ);
    if (number == NONE) {
        line_join(&app.for_read_slot, slot);
        return false;
    }
    struct slot* buffer = &app.ftl.buffer.slot[number];
    buffer->state = SLOT_READING;
    buffer->command = (uint16_t)slot;
    buffer->first = request->cursor;
    buffer->column = (uint16_t)piece.column;
    buffer->sectors = (uint16_t)piece.sectors;
    ++request->pieces;
    ftl_read(&app.ftl, number, physical, piece.column, piece.sectors);
    return true;
}

/* The newest version that holds the sector, or NONE: it stands in flash, or nowhere. */
static uint32_t version_of_sector(uint32_t newest, uint32_t sector)
{
    while (newest != NONE && (app.ftl.buffer.slot[newest].valid >> sector & 1u) == 0)
        newest = app.ftl.buffer.slot[newest].older;
    return newest;
}

/* Cuts the piece down to the sectors that stand in the same place as its first; returns the version that holds them. */
static uint32_t cut_piece(struct piece* piece)
{
    const uint32_t newest = buffer_find(&app.ftl.buffer, piece->page);
    if (newest == NONE)
        return NONE;
    const uint32_t version = version_of_sector(newest, piece->column);
    uint32_t sectors = 1;
    while (sectors < piece->sectors && version_of_sector(newest, piece->column + sectors) == version)
        ++sectors;
    piece->sectors = sectors;
    return version;
}

/* False: there is no slot to read into, and the request stands in line. */
static bool read_piece(uint32_t slot, struct piece* piece)
{
    HAL_COST(host_read_page);
    const uint32_t version = cut_piece(piece);
    if (version != NONE) {
        send_version(slot, version, *piece);
        return true;
    }
    const uint32_t physical = map_find(&app.ftl.map, piece->page);
    if (map_is_mapped(physical))
        return read_flash(slot, *piece, physical);
    if (physical == MAP_UNMAPPED)
        send_zeros(slot, *piece);
    else
        read_failed(slot, piece->sectors);
    return true;
}

static bool continue_read(uint32_t slot)
{
    struct request* request = &app.requests[slot];
    while (request->cursor != request->sectors && request->pieces < MAX_PIECES) {
        struct piece piece = piece_at(request, request->cursor);
        if (!read_piece(slot, &piece))
            return false;
        request->cursor += piece.sectors;
    }
    end_read_if_done(slot);
    return true;
}

static void page_read(uint32_t number, bool ok)
{
    struct slot* buffer = &app.ftl.buffer.slot[number];
    if (ok) {
        buffer->state = SLOT_SENDING;
        send(buffer->command, buffer->first, buffer->sectors, buffer_address(&app.ftl.buffer, number),
             cookie_of(COOKIE_READ, number, 0, 1));
        return;
    }
    const uint32_t slot = buffer->command;
    read_failed(slot, buffer->sectors);
    --app.requests[slot].pieces;
    buffer_give(&app.ftl.buffer, number);
    app.read_slot_free = true;
    if (!app.requests[slot].in_line)
        continue_read(slot);
}

/* --- writes ------------------------------------------------------------------------------------------------------- */

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
    return run->pages != 0 && version == run->version + run->pages && piece.mask == app.ftl.geometry.full_page &&
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

/* False: no write slot is free, and the request stands in line. */
static bool continue_write(uint32_t slot)
{
    struct request* request = &app.requests[slot];
    struct run run = {0};
    bool placed_all = true;
    while (request->cursor != request->sectors && request->pieces < MAX_PIECES) {
        const struct piece piece = piece_at(request, request->cursor);
        const uint32_t version = ftl_place(&app.ftl, piece.page, piece.mask, request->group, request->through);
        if (version == NONE) {
            line_join(&app.for_write_slot, slot);
            placed_all = false;
            break;
        }
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
    if (app.for_write_slot.head != NONE)
        line_join(&app.for_write_slot, slot);
    else
        continue_write(slot);
}

static void version_settled(uint32_t version, enum host_status status)
{
    uint32_t* words = &app.waiters[version * app.waiter_words];
    for (uint32_t word = 0; word < app.waiter_words; ++word) {
        while (words[word] != 0) {
            const uint32_t slot = word * 32 + (uint32_t)__builtin_ctz(words[word]);
            words[word] &= words[word] - 1;
            --app.requests[slot].unsettled;
            if (status != HOST_OK)
                app.requests[slot].status = status;
            end_write_if_done(slot);
        }
    }
}

static void pages_arrived(uint32_t slot, uint32_t cookie)
{
    struct request* request = &app.requests[slot];
    const uint32_t version = cookie_slot(cookie);
    const uint32_t count = cookie_count(cookie);
    if (cookie >> 29 == COOKIE_RUN) {
        for (uint32_t page = 0; page < count; ++page)
            ftl_arrived(&app.ftl, version + page, app.ftl.geometry.full_page);
        request->pieces -= count;
    } else {
        ftl_arrived(&app.ftl, version, (0xFFFFFFFFu >> (32 - count)) << cookie_column(cookie));
        --request->pieces;
    }
    if (request->cursor != request->sectors && !request->in_line)
        start_or_wait_for_slot(slot);
    end_write_if_done(slot);
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
    const uint32_t end_page = (uint32_t)((request->lba + request->sectors) / app.ftl.geometry.sectors_per_page);
    for (uint32_t i = 0; i < TRIM_BATCH && request->cursor < end_page; ++i)
        ftl_trim(&app.ftl, request->cursor++);
    if (request->cursor >= end_page) {
        line_leave(&app.trims);
        complete(slot, HOST_OK);
    }
    return true;
}

static void start_flush(uint32_t slot)
{
    if (app.ftl.read_only) {
        complete(slot, app.ftl.unsettled == 0 ? HOST_OK : HOST_DEVICE_FAULT);
        return;
    }
    app.requests[slot].ticket = ftl_flush(&app.ftl);
    line_join(&app.for_flush, slot);
    app.flush_ended = true; /* perhaps there was nothing to wait for */
}

static void end_flushes(void)
{
    while (app.for_flush.head != NONE && ftl_is_flushed(&app.ftl, app.requests[app.for_flush.head].ticket))
        complete(line_leave(&app.for_flush), HOST_OK);
}

/* No spare block is left: what waits for flash fails now; data already acknowledged stays readable in the buffer. */
static void fail_writes(void)
{
    while (app.for_write_slot.head != NONE)
        line_leave(&app.for_write_slot);
    while (app.for_flush.head != NONE)
        complete(line_leave(&app.for_flush), HOST_DEVICE_FAULT);
    for (uint32_t i = 0; i < app.ftl.buffer.slots * app.waiter_words; ++i)
        app.waiters[i] = 0;
    for (uint32_t slot = 0; slot < app.slots; ++slot) {
        struct request* request = &app.requests[slot];
        if (!request->active || request->kind != HOST_WRITE)
            continue;
        request->status = HOST_DEVICE_FAULT;
        request->cursor = request->sectors;
        request->unsettled = 0;
        end_write_if_done(slot);
    }
}

/* --- commands ----------------------------------------------------------------------------------------------------- */

static enum host_status check(const struct host_command* command, uint64_t lba)
{
    const uint32_t kind = command->kind & HOST_COMMAND_KIND_KIND_MASK;
    if (kind < HOST_READ || kind > HOST_TRIM)
        return HOST_NOT_SUPPORTED;
    if (kind != HOST_FLUSH && (lba > app.ftl.capacity || command->sectors > app.ftl.capacity - lba))
        return HOST_OUT_OF_RANGE;
    if (app.ftl.read_only && (kind == HOST_WRITE || kind == HOST_TRIM))
        return HOST_DEVICE_FAULT;
    return HOST_OK;
}

static void start_write(uint32_t slot)
{
    struct request* request = &app.requests[slot];
    HAL_COST(write_command_overhead);
    request->group = allocation_group(&app.ftl.allocation);
    start_or_wait_for_slot(slot);
}

static void start_read(uint32_t slot)
{
    struct request* request = &app.requests[slot];
    HAL_COST(read_command_overhead);
    request->unordered = request->sectors;
    continue_read(slot);
}

static void command_arrived(uint32_t slot, const struct host_command* command)
{
    HAL_COST(host_command);
    struct request* request = &app.requests[slot];
    const uint64_t lba = (uint64_t)command->lba_hi << 32 | command->lba_lo;
    const enum host_status status = check(command, lba);
    if (request->active)
        hal_panic("a command has arrived in a slot whose command is not completed");
    ++app.active;
    *request = (struct request){.lba = lba, .sectors = command->sectors, .active = true};
    request->kind = command->kind & HOST_COMMAND_KIND_KIND_MASK;
    if (status != HOST_OK || (command->sectors == 0 && request->kind != HOST_FLUSH)) {
        complete(slot, status);
        return;
    }
    request->through =
        app.ftl.boot->completion == COMPLETE_IN_FLASH || (command->kind & HOST_COMMAND_KIND_FUA_MASK) != 0;
    request->first_page = (uint32_t)(lba / app.ftl.geometry.sectors_per_page);
    request->first_column = (uint32_t)(lba % app.ftl.geometry.sectors_per_page);
    switch (request->kind) {
    case HOST_READ: start_read(slot); break;
    case HOST_WRITE: start_write(slot); break;
    case HOST_FLUSH: start_flush(slot); break;
    default: start_trim(slot); break;
    }
}

static void transfer_done(uint32_t slot, uint32_t cookie)
{
    const enum cookie_kind kind = (enum cookie_kind)(cookie >> 29);
    if (kind >= COOKIE_WRITE) {
        pages_arrived(slot, cookie);
        return;
    }
    if (kind == COOKIE_PINNED) {
        ftl_unpin(&app.ftl, cookie_slot(cookie));
    } else if (kind == COOKIE_READ) {
        buffer_give(&app.ftl.buffer, cookie_slot(cookie));
        app.read_slot_free = true;
    }
    --app.requests[slot].pieces;
    if (!app.requests[slot].in_line)
        continue_read(slot);
}

/* --- serving ------------------------------------------------------------------------------------------------------ */

static void slot_free(enum slot_use use)
{
    if (use == USE_WRITE)
        app.write_slot_free = true;
}

static void flushed(void)
{
    app.flush_ended = true;
}

static void read_only(void)
{
    app.turned_read_only = true;
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

static void serve_lines(void)
{
    if (app.turned_read_only) {
        app.turned_read_only = false;
        fail_writes();
    }
    if (app.read_slot_free) {
        app.read_slot_free = false;
        serve_line(&app.for_read_slot, continue_read);
    }
    if (app.write_slot_free) {
        app.write_slot_free = false;
        serve_line(&app.for_write_slot, continue_write);
    }
    if (app.flush_ended) {
        app.flush_ended = false;
        end_flushes();
    }
}

bool request_serve(void)
{
    const uint32_t events = host_if_poll(&app.host) + ftl_poll(&app.ftl);
    const bool trimming = continue_trim();
    serve_lines();
    ftl_run(&app.ftl);
    return events != 0 || trimming || ftl_idle_work(&app.ftl, app.active == 0);
}

/* --- start -------------------------------------------------------------------------------------------------------- */

void request_init(const struct boot_block* boot, struct arena* arena)
{
    static const struct line empty = {NONE, NONE};
    static const struct ftl_client client = {page_read, version_settled, slot_free, flushed, read_only};
    app.slots = boot->host_slots;
    app.active = 0;
    app.for_read_slot = app.for_write_slot = app.for_flush = app.trims = empty;
    app.read_slot_free = app.write_slot_free = app.flush_ended = app.turned_read_only = false;
    ftl_init(&app.ftl, boot, arena, &client);
    app.requests = arena_array(arena, app.slots, sizeof *app.requests, "host requests");
    app.waiter_words = (app.slots + 31) / 32;
    app.waiters =
        arena_array(arena, (uint64_t)app.ftl.buffer.slots * app.waiter_words, sizeof(uint32_t), "host requests");
    host_if_init(&app.host, arena, app.slots, app.slots * (MAX_PIECES + 1), command_arrived, transfer_done);
    host_if_enable(app.ftl.capacity);
}
