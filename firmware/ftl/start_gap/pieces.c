/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/start_gap/state.h"

bool line_is_busy(const struct start_gap_drive* drive, uint32_t line, bool exclusively)
{
    for (uint32_t i = 0; i < drive->pieces; ++i) {
        const struct piece* piece = &drive->piece[i];
        if (piece->kind != PIECE_FREE && piece->line == line && (exclusively || piece->kind != PIECE_READ))
            return true;
    }
    return false;
}

uint32_t piece_take(struct start_gap_drive* drive, enum piece_kind kind, uint32_t line)
{
    const uint32_t number = drive->free_piece;
    struct piece* piece = &drive->piece[number];
    drive->free_piece = piece->next;
    piece->kind = kind;
    piece->programs = false;
    piece->slot = NONE;
    piece->line = line;
    piece->physical = start_gap_physical(&drive->levelling, line);
    piece->first = piece->column = 0;
    piece->sectors = drive->sectors_per_line;
    return number;
}

void piece_give(struct start_gap_drive* drive, uint32_t number)
{
    drive->piece[number].kind = PIECE_FREE;
    drive->piece[number].next = drive->free_piece;
    drive->free_piece = number;
}

/* Page 0 of the buffer is never written: it holds zeros. */
bus_address piece_buffer(const struct start_gap_drive* drive, uint32_t number)
{
    return drive->buffer + (number + 1) * drive->line_bytes;
}

/* Neighbouring lines are on different dies. */
struct flash_place place_of(const struct start_gap_drive* drive, uint32_t physical, uint32_t column)
{
    const uint32_t page = physical / drive->dies;
    const struct flash_place place = {physical % drive->dies, page / drive->boot->pages_per_block,
                                      page % drive->boot->pages_per_block * drive->sectors_per_line + column, false};
    return place;
}

struct flash_spare spare_of(uint32_t line)
{
    return (struct flash_spare){{line + 1, 0, 0, 0}};
}
