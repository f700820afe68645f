/* SPDX-License-Identifier: Apache-2.0
 *
 * The translation layer for memory that is overwritten in place: a line is a page, Start-Gap says where it lies, and
 * there is nothing to collect. A command is cut into pieces of one line each. A piece works in a page of the data
 * buffer; pieces of one line exclude each other unless they read, and so does a move of the gap. Writes complete in
 * memory. What was never written, or trimmed, reads as zeros without a look at the memory.
 * Not there: recovery (the registers live in control memory alone), bad blocks, regions with gaps of their own, and the
 * static scattering of addresses that the authors add for writes that stay on neighbouring lines.
 */
#ifndef STROBE_START_GAP_STATE_H
#define STROBE_START_GAP_STATE_H

#include "firmware/app/request.h"
#include "firmware/drivers/flash.h"
#include "firmware/ftl/start_gap/levelling.h"

#define NONE 0xFFFFFFFFu
#define MAX_PIECES 64u

enum piece_kind { PIECE_FREE, PIECE_READ, PIECE_WRITE, PIECE_MOVE };

struct piece { /* its number is that of its flash operation, and of its page of the buffer */
    enum piece_kind kind;
    bool programs; /* of the two flash operations of a write or move: the second */
    uint32_t slot;
    uint32_t line; /* logical */
    uint32_t physical;
    uint32_t first;  /* sector of the command */
    uint32_t column; /* sector of the line */
    uint32_t sectors;
    uint32_t next; /* free ones */
};

struct command { /* of a slot of the host port */
    enum host_status status;
    uint32_t kind;
    uint32_t line;   /* of its first sector */
    uint32_t column; /* of that in its line */
    uint32_t sectors;
    uint32_t cursor; /* sectors whose pieces have begun */
    uint32_t open;   /* pieces */
    uint32_t next;   /* waiting commands */
};

struct start_gap_drive {
    const struct boot_block* boot;
    struct host_if host;
    struct flash flash;
    struct start_gap levelling;
    uint32_t dies, sectors_per_line;
    uint32_t zero_line; /* physical, holds zeros for ever */
    uint64_t capacity;
    uint32_t* written; /* logical lines, a bit each */
    uint32_t* lost;    /* of these, those that a move could not read */

    struct piece* piece;
    uint32_t pieces, free_piece;
    bus_address buffer;
    uint32_t line_bytes;

    struct command* command;
    uint32_t waiting_head, waiting_tail;

    uint32_t interval; /* psi: writes between two moves; 0: the gap stays */
    uint32_t writes;   /* since the last move fell due */
    uint32_t moves_due;
    bool moving, stuck;
};

/* For tests: the instance of the image (request.c). */
struct start_gap_drive* start_gap_instance(void);

/* moves.c: the gap. */
void moves_count_write(struct start_gap_drive* drive);
bool moves_lag(const struct start_gap_drive* drive); /* writes wait until the gap has come after */
bool moves_begin(struct start_gap_drive* drive);     /* true: one began, or was made without the memory */
void moves_read(struct start_gap_drive* drive, uint32_t number, enum flash_status status);
void moves_programmed(struct start_gap_drive* drive, uint32_t number, enum flash_status status);

/* pieces.c */
bool line_is_busy(const struct start_gap_drive* drive, uint32_t line, bool exclusively);
uint32_t piece_take(struct start_gap_drive* drive, enum piece_kind kind,
                    uint32_t line); /* REQUIRES: there is a free one */
void piece_give(struct start_gap_drive* drive, uint32_t number);
bus_address piece_buffer(const struct start_gap_drive* drive, uint32_t number);
struct flash_place place_of(const struct start_gap_drive* drive, uint32_t physical, uint32_t column);
struct flash_spare spare_of(uint32_t line);

#endif
