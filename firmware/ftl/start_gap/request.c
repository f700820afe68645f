/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands and their pieces. A write of part of a line reads the rest of it first, or zeros if it was never written.
 */
#include "firmware/drivers/bitmap.h"
#include "firmware/drivers/statistics.h"
#include "firmware/ftl/start_gap/state.h"

static struct start_gap_drive instance; /* the host port's events carry no context */

struct start_gap_drive* start_gap_instance(void)
{
    return &instance;
}

/* --- ends --------------------------------------------------------------------------------------------------------- */

static void end_command_if_done(const struct start_gap_drive* drive, uint32_t slot)
{
    const struct command* command = &drive->command[slot];
    if (command->open == 0 && command->cursor == command->sectors)
        host_complete(slot, command->status);
}

static void end_piece(struct start_gap_drive* drive, uint32_t number, enum host_status status)
{
    const uint32_t slot = drive->piece[number].slot;
    struct command* command = &drive->command[slot];
    if (status != HOST_OK)
        command->status = status;
    --command->open;
    piece_give(drive, number);
    end_command_if_done(drive, slot);
}

/* --- pieces of reads and writes ------------------------------------------------------------------------------------
 */

static bus_address at_column(const struct piece* piece, bus_address line)
{
    return line + piece->column * SECTOR_BYTES;
}

static void fetch(const struct start_gap_drive* drive, uint32_t number)
{
    const struct piece* piece = &drive->piece[number];
    host_transfer(piece->slot, false, piece->first, piece->sectors, at_column(piece, piece_buffer(drive, number)),
                  number, false);
}

static void send(const struct start_gap_drive* drive, uint32_t number, bus_address from)
{
    const struct piece* piece = &drive->piece[number];
    host_transfer(piece->slot, true, piece->first, piece->sectors, at_column(piece, from), number, false);
}

static void begin_read(struct start_gap_drive* drive, uint32_t number)
{
    const struct piece* piece = &drive->piece[number];
    HAL_COST(host_read_page);
    if (bitmap_has(drive->lost, piece->line))
        end_piece(drive, number, HOST_UNCORRECTABLE);
    else if (!bitmap_has(drive->written, piece->line))
        send(drive, number, drive->buffer);
    else
        flash_read(&drive->flash, number, place_of(drive, piece->physical, piece->column), piece->sectors,
                   at_column(piece, piece_buffer(drive, number)), FLASH_FOR_HOST);
}

static void begin_write(struct start_gap_drive* drive, uint32_t number)
{
    const struct piece* piece = &drive->piece[number];
    HAL_COST(host_write_page);
    if (piece->sectors == drive->sectors_per_line) {
        fetch(drive, number);
        return;
    }
    if (bitmap_has(drive->lost, piece->line)) {
        end_piece(drive, number, HOST_UNCORRECTABLE);
        return;
    }
    const uint32_t from = bitmap_has(drive->written, piece->line) ? piece->physical : drive->zero_line;
    if (from == NONE) {
        end_piece(drive, number, HOST_DEVICE_FAULT);
        return;
    }
    flash_read(&drive->flash, number, place_of(drive, from, 0), drive->sectors_per_line, piece_buffer(drive, number),
               FLASH_FOR_MERGE);
}

static void program(struct start_gap_drive* drive, uint32_t number)
{
    struct piece* piece = &drive->piece[number];
    piece->programs = true;
    flash_program(&drive->flash, number, place_of(drive, piece->physical, 0), drive->sectors_per_line,
                  piece_buffer(drive, number), spare_of(piece->line), FLASH_FOR_HOST);
}

static void programmed(struct start_gap_drive* drive, uint32_t number, enum flash_status status)
{
    const struct piece* piece = &drive->piece[number];
    if (status != FLASH_OK) {
        bitmap_add(drive->lost, piece->line); /* its old data is lost */
        end_piece(drive, number, HOST_DEVICE_FAULT);
        return;
    }
    bitmap_add(drive->written, piece->line);
    bitmap_remove(drive->lost, piece->line);
    moves_count_write(drive);
    end_piece(drive, number, HOST_OK);
}

static void operation_done(void* context, uint32_t number, enum flash_status status)
{
    struct start_gap_drive* drive = context;
    const struct piece* piece = &drive->piece[number];
    if (piece->kind == PIECE_FREE) { /* the line of zeros, at start-up */
        drive->has_zeros = status == FLASH_OK;
        return;
    }
    if (piece->kind == PIECE_MOVE)
        piece->programs ? moves_programmed(drive, number, status) : moves_read(drive, number, status);
    else if (piece->programs)
        programmed(drive, number, status);
    else if (status != FLASH_OK)
        end_piece(drive, number, HOST_UNCORRECTABLE);
    else if (piece->kind == PIECE_READ)
        send(drive, number, piece_buffer(drive, number));
    else
        fetch(drive, number);
}

static void transfer_done(uint32_t slot, uint32_t number)
{
    struct start_gap_drive* drive = &instance;
    (void)slot;
    if (drive->piece[number].kind == PIECE_READ)
        end_piece(drive, number, HOST_OK);
    else
        program(drive, number);
}

/* --- commands ------------------------------------------------------------------------------------------------------
 */

static void command_arrived(uint32_t slot, const struct host_command* received)
{
    struct start_gap_drive* drive = &instance;
    HAL_COST(host_command);
    const enum host_status status = request_check(received, drive->capacity, false);
    const uint32_t kind = received->kind & HOST_COMMAND_KIND_KIND_MASK;
    if (status != HOST_OK || kind == HOST_FLUSH) { /* completed writes are in memory already */
        host_complete(slot, status);
        return;
    }
    struct command* command = &drive->command[slot];
    const uint64_t lba = request_lba(received);
    command->status = HOST_OK;
    command->kind = kind;
    command->line = (uint32_t)(lba / drive->sectors_per_line);
    command->column = (uint32_t)(lba % drive->sectors_per_line);
    command->sectors = received->sectors;
    command->cursor = command->open = 0;
    command->next = NONE;
    if (drive->waiting_head == NONE)
        drive->waiting_head = slot;
    else
        drive->command[drive->waiting_tail].next = slot;
    drive->waiting_tail = slot;
}

/* A line that is trimmed in part keeps all of its data. */
static void trim(struct start_gap_drive* drive, uint32_t line, uint32_t sectors)
{
    HAL_COST(host_trim_page);
    if (sectors != drive->sectors_per_line)
        return;
    bitmap_remove(drive->written, line);
    bitmap_remove(drive->lost, line);
}

/* Begins the next piece of the command; false: its line is busy, or no piece is free. */
static bool begin_piece(struct start_gap_drive* drive, uint32_t slot)
{
    struct command* command = &drive->command[slot];
    const uint32_t sector = command->column + command->cursor;
    const uint32_t line = command->line + sector / drive->sectors_per_line;
    const uint32_t column = sector % drive->sectors_per_line;
    uint32_t sectors = drive->sectors_per_line - column;
    if (sectors > command->sectors - command->cursor)
        sectors = command->sectors - command->cursor;
    if (line_is_busy(drive, line, command->kind != HOST_READ))
        return false;
    if (command->kind == HOST_TRIM) {
        command->cursor += sectors;
        trim(drive, line, sectors);
        return true;
    }
    if (drive->free_piece == NONE || (command->kind == HOST_WRITE && moves_lag(drive)))
        return false;
    const uint32_t number = piece_take(drive, command->kind == HOST_READ ? PIECE_READ : PIECE_WRITE, line);
    struct piece* piece = &drive->piece[number];
    piece->slot = slot;
    piece->first = command->cursor;
    piece->column = column;
    piece->sectors = sectors;
    command->cursor += sectors;
    ++command->open;
    if (command->kind == HOST_READ)
        begin_read(drive, number);
    else
        begin_write(drive, number);
    return true;
}

/* In order of arrival: a command that waits for a line blocks all later ones. */
static void begin_pieces(struct start_gap_drive* drive)
{
    while (moves_begin(drive)) {
    }
    while (drive->waiting_head != NONE) {
        const uint32_t slot = drive->waiting_head;
        struct command* command = &drive->command[slot];
        ++command->open; /* so that the end of a piece inside this loop does not complete it */
        while (command->cursor < command->sectors && begin_piece(drive, slot)) {
        }
        --command->open;
        if (command->cursor < command->sectors)
            return;
        drive->waiting_head = command->next;
        end_command_if_done(drive, slot);
    }
}

bool request_serve(void)
{
    struct start_gap_drive* drive = &instance;
    const uint32_t events = host_if_poll(&drive->host) + flash_poll(&drive->flash);
    if (events == 0)
        return false;
    HAL_COST(loop_round);
    begin_pieces(drive);
    return true;
}

void request_sleep(void)
{
    flash_sleep(&instance.flash);
}

/* --- start ---------------------------------------------------------------------------------------------------------
 */

static void try_zeros(struct start_gap_drive* drive)
{
    bool done = false;
    flash_program(&drive->flash, 0, place_of(drive, drive->zero_line, 0), drive->sectors_per_line, drive->buffer,
                  spare_of(NONE - 1), FLASH_FOR_METADATA);
    while (!done) {
        done = flash_poll(&drive->flash) != 0;
        if (!done)
            flash_sleep(&drive->flash);
    }
}

static void write_zeros(struct start_gap_drive* drive)
{
    drive->has_zeros = false;
    for (uint32_t tries = 0; tries < ZERO_LINE_TRIES && !drive->has_zeros; ++tries)
        try_zeros(drive);
    if (drive->has_zeros)
        return;
    hal_log("start-gap: the last page cannot be programmed: writes of part of an unwritten line are refused");
    drive->zero_line = NONE;
}

static void choose_lines(struct start_gap_drive* drive)
{
    const struct boot_block* boot = drive->boot;
    const uint32_t pages = drive->dies * boot->planes * boot->blocks_per_plane * boot->pages_per_block;
    uint32_t lines = pages - 2; /* the gap, and the zeros */
    const uint64_t wanted = ((uint64_t)boot->capacity_hi << 32 | boot->capacity_lo) / drive->sectors_per_line;
    if (wanted > lines)
        hal_panic("start-gap: the capacity is too large; it can be all pages except two");
    if (wanted != 0)
        lines = (uint32_t)wanted;
    start_gap_init(&drive->levelling, lines);
    drive->zero_line = pages - 1;
    drive->capacity = (uint64_t)lines * drive->sectors_per_line;
}

void request_init(const struct boot_block* boot, struct arena* arena)
{
    struct start_gap_drive* drive = &instance;
    *drive = (struct start_gap_drive){.boot = boot, .interval = boot->start_gap_interval, .buffer = boot->buffer_base};
    if (boot->recover != 0)
        hal_panic("start-gap: recovery from a power loss is not supported");
    drive->dies = boot->channels * boot->ways * boot->luns;
    drive->line_bytes = boot->page_bytes;
    drive->sectors_per_line = boot->page_bytes / SECTOR_BYTES;
    choose_lines(drive);
    const uint32_t words = bitmap_words(drive->levelling.lines);
    drive->written = arena_array(arena, words, sizeof *drive->written, "written lines");
    drive->lost = arena_array(arena, words, sizeof *drive->lost, "lost lines");

    const uint32_t pages = boot->buffer_size / boot->page_bytes;
    if (pages < 2)
        hal_panic("start-gap: the data buffer is too small; it must hold two pages");
    drive->pieces = pages - 1 < MAX_PIECES ? pages - 1 : MAX_PIECES;
    drive->piece = arena_array(arena, drive->pieces, sizeof *drive->piece, "pieces");
    drive->free_piece = NONE;
    for (uint32_t i = drive->pieces; i != 0; --i)
        piece_give(drive, i - 1);
    drive->command = arena_array(arena, boot->host_slots, sizeof *drive->command, "commands");
    drive->waiting_head = NONE;

    statistics_start(boot->statistics, 0);
    if (boot->cores > 1)
        flash_init_on_first_core(&drive->flash, boot, arena, drive->dies, drive->pieces, drive, operation_done);
    else
        flash_init(&drive->flash, arena, drive->dies, boot->units, boot->unit_depth, drive->pieces, drive,
                   operation_done);
    flash_init_governor(&drive->flash, boot);
    write_zeros(drive);
    host_if_init(&drive->host, arena, boot->host_slots, boot->host_slots + drive->pieces, command_arrived,
                 transfer_done);
    host_if_enable(drive->capacity);
}
