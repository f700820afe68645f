/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/start_gap/state.h"

struct start_gap_drive sgd;

bool line_is_busy(uint32_t line, bool exclusively)
{
    for (uint32_t i = 0; i < sgd.pieces; ++i) {
        const struct piece* piece = &sgd.piece[i];
        if (piece->kind != PIECE_FREE && piece->line == line && (exclusively || piece->kind != PIECE_READ))
            return true;
    }
    return false;
}

uint32_t piece_take(enum piece_kind kind, uint32_t line)
{
    const uint32_t number = sgd.free_piece;
    struct piece* piece = &sgd.piece[number];
    sgd.free_piece = piece->next;
    piece->kind = kind;
    piece->programs = false;
    piece->slot = NONE;
    piece->line = line;
    piece->physical = start_gap_physical(&sgd.levelling, line);
    piece->first = piece->column = 0;
    piece->sectors = sgd.sectors_per_line;
    return number;
}

void piece_give(uint32_t number)
{
    sgd.piece[number].kind = PIECE_FREE;
    sgd.piece[number].next = sgd.free_piece;
    sgd.free_piece = number;
}

/* Page 0 of the buffer stays as it came, zeros. */
bus_address piece_buffer(uint32_t number)
{
    return sgd.buffer + (number + 1) * sgd.line_bytes;
}

/* Neighbouring lines lie on different dies. */
struct flash_place place_of(uint32_t physical, uint32_t column)
{
    const uint32_t page = physical / sgd.dies;
    const struct flash_place place = {physical % sgd.dies, page / sgd.boot->pages_per_block,
                                      page % sgd.boot->pages_per_block * sgd.sectors_per_line + column};
    return place;
}

struct flash_spare spare_of(uint32_t line)
{
    return (struct flash_spare){{line + 1, 0, 0, 0}};
}
