/* SPDX-License-Identifier: Apache-2.0
 *
 * The translation layer for memory that is overwritten in place: a line is a page, Start-Gap determines its place, and
 * there is no garbage collection. A command is cut into pieces of one line each. A piece uses one page of the data
 * buffer. Pieces of the same line run one at a time, except reads; a move of the gap excludes all pieces of its line.
 * Writes complete in memory. Lines that were never written, or were trimmed, read as zeros without an operation of the
 * memory.
 * Not modelled: recovery (the registers are in control memory only), bad blocks, regions with separate gaps, and the
 * static scattering of addresses that the authors add for writes concentrated on neighbouring lines.
 *
 * Owner of: struct start_gap_drive, passed to every function; the one instance of an image is in request.c. Invariants:
 * a piece is free, or of one command, or the move; bit `line` of `written` is set exactly if the line holds data, bit
 * `line` of `lost` only if that data cannot be read; commands wait in order of arrival.
 */
#ifndef STROBE_START_GAP_STATE_H
#define STROBE_START_GAP_STATE_H

#include "firmware/app/request.h"
#include "firmware/drivers/flash.h"
#include "firmware/ftl/start_gap/levelling.h"

#define NONE 0xFFFFFFFFu
#define MAX_PIECES 64u
#define ZERO_LINE_TRIES 3u /* programs of the line of zeros */

enum piece_kind { PIECE_FREE, PIECE_READ, PIECE_WRITE, PIECE_MOVE };

struct piece { /* its number is also that of its flash operation and of its buffer page */
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
    uint32_t zero_line; /* physical, always holds zeros; NONE: its programs failed */
    bool has_zeros;     /* its last program has succeeded */
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
bool moves_lag(const struct start_gap_drive* drive); /* writes wait until the gap has moved */
bool moves_begin(struct start_gap_drive* drive);     /* true: one began, or was completed without the memory */
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
