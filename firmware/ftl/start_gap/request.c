/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands and their pieces. A write of part of a line reads the rest of it first, or zeros where there is nothing.
 */
#include "firmware/drivers/bitmap.h"
#include "firmware/drivers/statistics.h"
#include "firmware/ftl/start_gap/state.h"

/* --- ends --------------------------------------------------------------------------------------------------------- */

static void end_command_if_done(uint32_t slot)
{
    const struct command* command = &sgd.command[slot];
    if (command->open == 0 && command->cursor == command->sectors)
        host_complete(slot, command->status);
}

static void end_piece(uint32_t number, enum host_status status)
{
    const uint32_t slot = sgd.piece[number].slot;
    struct command* command = &sgd.command[slot];
    if (status != HOST_OK)
        command->status = status;
    --command->open;
    piece_give(number);
    end_command_if_done(slot);
}

/* --- pieces of reads and writes ------------------------------------------------------------------------------------
 */

static bus_address at_column(const struct piece* piece, bus_address line)
{
    return line + piece->column * SECTOR_BYTES;
}

static void fetch(uint32_t number)
{
    const struct piece* piece = &sgd.piece[number];
    host_transfer(piece->slot, false, piece->first, piece->sectors, at_column(piece, piece_buffer(number)), number,
                  false);
}

static void send(uint32_t number, bus_address from)
{
    const struct piece* piece = &sgd.piece[number];
    host_transfer(piece->slot, true, piece->first, piece->sectors, at_column(piece, from), number, false);
}

static void begin_read(uint32_t number)
{
    const struct piece* piece = &sgd.piece[number];
    HAL_COST(host_read_page);
    if (bitmap_has(sgd.lost, piece->line))
        end_piece(number, HOST_UNCORRECTABLE);
    else if (!bitmap_has(sgd.written, piece->line))
        send(number, sgd.buffer);
    else
        flash_read(&sgd.flash, number, place_of(piece->physical, piece->column), piece->sectors,
                   at_column(piece, piece_buffer(number)), FLASH_FOR_HOST);
}

static void begin_write(uint32_t number)
{
    const struct piece* piece = &sgd.piece[number];
    HAL_COST(host_write_page);
    if (piece->sectors == sgd.sectors_per_line) {
        fetch(number);
        return;
    }
    if (bitmap_has(sgd.lost, piece->line)) {
        end_piece(number, HOST_UNCORRECTABLE);
        return;
    }
    const uint32_t from = bitmap_has(sgd.written, piece->line) ? piece->physical : sgd.zero_line;
    flash_read(&sgd.flash, number, place_of(from, 0), sgd.sectors_per_line, piece_buffer(number), FLASH_FOR_MERGE);
}

static void program(uint32_t number)
{
    struct piece* piece = &sgd.piece[number];
    piece->programs = true;
    flash_program(&sgd.flash, number, place_of(piece->physical, 0), sgd.sectors_per_line, piece_buffer(number),
                  spare_of(piece->line), FLASH_FOR_HOST);
}

static void programmed(uint32_t number, enum flash_status status)
{
    const struct piece* piece = &sgd.piece[number];
    if (status != FLASH_OK) {
        bitmap_add(sgd.lost, piece->line); /* what it held is gone */
        end_piece(number, HOST_DEVICE_FAULT);
        return;
    }
    bitmap_add(sgd.written, piece->line);
    bitmap_remove(sgd.lost, piece->line);
    moves_count_write();
    end_piece(number, HOST_OK);
}

static void operation_done(uint32_t number, enum flash_status status)
{
    const struct piece* piece = &sgd.piece[number];
    if (piece->kind == PIECE_FREE) { /* the zeros of the start */
        if (status != FLASH_OK)
            hal_panic("start-gap: the last page, for the zeros of lines never written, cannot be written");
        return;
    }
    if (piece->kind == PIECE_MOVE)
        piece->programs ? moves_programmed(number, status) : moves_read(number, status);
    else if (piece->programs)
        programmed(number, status);
    else if (status != FLASH_OK)
        end_piece(number, HOST_UNCORRECTABLE);
    else if (piece->kind == PIECE_READ)
        send(number, piece_buffer(number));
    else
        fetch(number);
}

static void transfer_done(uint32_t slot, uint32_t number)
{
    (void)slot;
    if (sgd.piece[number].kind == PIECE_READ)
        end_piece(number, HOST_OK);
    else
        program(number);
}

/* --- commands ------------------------------------------------------------------------------------------------------
 */

static void command_arrived(uint32_t slot, const struct host_command* received)
{
    HAL_COST(host_command);
    const enum host_status status = request_check(received, sgd.capacity, false);
    const uint32_t kind = received->kind & HOST_COMMAND_KIND_KIND_MASK;
    if (status != HOST_OK || kind == HOST_FLUSH) { /* what is complete is in memory already */
        host_complete(slot, status);
        return;
    }
    struct command* command = &sgd.command[slot];
    const uint64_t lba = request_lba(received);
    command->status = HOST_OK;
    command->kind = kind;
    command->line = (uint32_t)(lba / sgd.sectors_per_line);
    command->column = (uint32_t)(lba % sgd.sectors_per_line);
    command->sectors = received->sectors;
    command->cursor = command->open = 0;
    command->next = NONE;
    if (sgd.waiting_head == NONE)
        sgd.waiting_head = slot;
    else
        sgd.command[sgd.waiting_tail].next = slot;
    sgd.waiting_tail = slot;
}

/* Of a line that is trimmed in part all stays. */
static void trim(uint32_t line, uint32_t sectors)
{
    HAL_COST(host_trim_page);
    if (sectors != sgd.sectors_per_line)
        return;
    bitmap_remove(sgd.written, line);
    bitmap_remove(sgd.lost, line);
}

/* The next piece of the command; false: its line is taken, or no place is free. */
static bool begin_piece(uint32_t slot)
{
    struct command* command = &sgd.command[slot];
    const uint32_t sector = command->column + command->cursor;
    const uint32_t line = command->line + sector / sgd.sectors_per_line;
    const uint32_t column = sector % sgd.sectors_per_line;
    uint32_t sectors = sgd.sectors_per_line - column;
    if (sectors > command->sectors - command->cursor)
        sectors = command->sectors - command->cursor;
    if (line_is_busy(line, command->kind != HOST_READ))
        return false;
    if (command->kind == HOST_TRIM) {
        command->cursor += sectors;
        trim(line, sectors);
        return true;
    }
    if (sgd.free_piece == NONE || (command->kind == HOST_WRITE && moves_lag()))
        return false;
    const uint32_t number = piece_take(command->kind == HOST_READ ? PIECE_READ : PIECE_WRITE, line);
    struct piece* piece = &sgd.piece[number];
    piece->slot = slot;
    piece->first = command->cursor;
    piece->column = column;
    piece->sectors = sectors;
    command->cursor += sectors;
    ++command->open;
    if (command->kind == HOST_READ)
        begin_read(number);
    else
        begin_write(number);
    return true;
}

/* In order of arrival: who waits for a line lets nobody pass. */
static void begin_pieces(void)
{
    while (moves_begin()) {
    }
    while (sgd.waiting_head != NONE) {
        const uint32_t slot = sgd.waiting_head;
        struct command* command = &sgd.command[slot];
        ++command->open; /* so that its last piece does not complete it from here */
        while (command->cursor < command->sectors && begin_piece(slot)) {
        }
        --command->open;
        if (command->cursor < command->sectors)
            return;
        sgd.waiting_head = command->next;
        end_command_if_done(slot);
    }
}

bool request_serve(void)
{
    const uint32_t events = host_if_poll(&sgd.host) + flash_poll(&sgd.flash);
    if (events == 0)
        return false;
    HAL_COST(loop_round);
    begin_pieces();
    return true;
}

void request_sleep(void)
{
    flash_sleep(&sgd.flash);
}

/* --- start ---------------------------------------------------------------------------------------------------------
 */

static void write_zeros(void)
{
    bool done = false;
    flash_program(&sgd.flash, 0, place_of(sgd.zero_line, 0), sgd.sectors_per_line, sgd.buffer, spare_of(NONE - 1),
                  FLASH_FOR_METADATA);
    while (!done) {
        done = flash_poll(&sgd.flash) != 0;
        if (!done)
            flash_sleep(&sgd.flash);
    }
}

static void choose_lines(void)
{
    const struct boot_block* boot = sgd.boot;
    const uint32_t pages = sgd.dies * boot->planes * boot->blocks_per_plane * boot->pages_per_block;
    uint32_t lines = pages - 2; /* the gap, and the zeros */
    const uint64_t asked = ((uint64_t)boot->capacity_hi << 32 | boot->capacity_lo) / sgd.sectors_per_line;
    if (asked > lines)
        hal_panic("start-gap: the capacity is more than the memory less two pages");
    if (asked != 0)
        lines = (uint32_t)asked;
    start_gap_init(&sgd.levelling, lines);
    sgd.zero_line = pages - 1;
    sgd.capacity = (uint64_t)lines * sgd.sectors_per_line;
}

void request_init(const struct boot_block* boot, struct arena* arena)
{
    sgd = (struct start_gap_drive){.boot = boot, .interval = boot->wear_threshold, .buffer = boot->buffer_base};
    if (boot->recover != 0)
        hal_panic("start-gap: the registers were lost with the power");
    sgd.dies = boot->channels * boot->ways * boot->luns;
    sgd.line_bytes = boot->page_bytes;
    sgd.sectors_per_line = boot->page_bytes / SECTOR_BYTES;
    choose_lines();
    const uint32_t words = bitmap_words(sgd.levelling.lines);
    sgd.written = arena_array(arena, words, sizeof *sgd.written, "written lines");
    sgd.lost = arena_array(arena, words, sizeof *sgd.lost, "lost lines");

    const uint32_t pages = boot->buffer_size / boot->page_bytes;
    if (pages < 2)
        hal_panic("start-gap: the data buffer needs two pages");
    sgd.pieces = pages - 1 < MAX_PIECES ? pages - 1 : MAX_PIECES;
    sgd.piece = arena_array(arena, sgd.pieces, sizeof *sgd.piece, "pieces");
    sgd.free_piece = NONE;
    for (uint32_t i = sgd.pieces; i != 0; --i)
        piece_give(i - 1);
    sgd.command = arena_array(arena, boot->host_slots, sizeof *sgd.command, "commands");
    sgd.waiting_head = NONE;

    statistics_start(boot->statistics, 0);
    if (boot->cores > 1)
        flash_init_apart(&sgd.flash, boot, arena, sgd.dies, sgd.pieces, operation_done);
    else
        flash_init(&sgd.flash, arena, sgd.dies, boot->units, boot->unit_depth, sgd.pieces, operation_done);
    write_zeros();
    host_if_init(&sgd.host, arena, boot->host_slots, boot->host_slots + sgd.pieces, command_arrived, transfer_done);
    host_if_enable(sgd.capacity);
}
