/* SPDX-License-Identifier: Apache-2.0
 *
 * Moves of the gap: every psi writes, one at a time, before the pieces that wait. A line that holds nothing moves in
 * the registers alone. Writes wait when a second move falls due before the first is made. One that cannot be read is
 * lost, and is said to be until it is written again. If the gap itself cannot be programmed it stays where it is from
 * then on.
 */
#include "firmware/drivers/bitmap.h"
#include "firmware/ftl/start_gap/state.h"

void moves_count_write(void)
{
    if (sgd.interval == 0 || ++sgd.writes < sgd.interval)
        return;
    sgd.writes = 0;
    ++sgd.moves_due;
}

bool moves_lag(void)
{
    return sgd.moves_due > 1 && !sgd.stuck;
}

static void moved(void)
{
    start_gap_moved(&sgd.levelling);
    --sgd.moves_due;
}

bool moves_begin(void)
{
    if (sgd.moves_due == 0 || sgd.moving || sgd.stuck)
        return false;
    HAL_COST(map_update);
    const uint32_t line = start_gap_moving(&sgd.levelling);
    if (line_is_busy(line, true))
        return false;
    if (!bitmap_has(sgd.written, line) || bitmap_has(sgd.lost, line)) {
        moved();
        return true;
    }
    if (sgd.free_piece == NONE)
        return false;
    sgd.moving = true;
    const uint32_t number = piece_take(PIECE_MOVE, line);
    flash_read(&sgd.flash, number, place_of(sgd.piece[number].physical, 0), sgd.sectors_per_line, piece_buffer(number),
               FLASH_FOR_WEAR);
    return true;
}

static void end(uint32_t number)
{
    sgd.moving = false;
    piece_give(number);
}

void moves_read(uint32_t number, enum flash_status status)
{
    struct piece* piece = &sgd.piece[number];
    if (status != FLASH_OK) {
        bitmap_add(sgd.lost, piece->line);
        moved();
        end(number);
        return;
    }
    piece->programs = true;
    flash_program(&sgd.flash, number, place_of(sgd.levelling.gap, 0), sgd.sectors_per_line, piece_buffer(number),
                  spare_of(piece->line), FLASH_FOR_WEAR);
}

void moves_programmed(uint32_t number, enum flash_status status)
{
    if (status == FLASH_OK) {
        moved();
    } else {
        sgd.stuck = true;
        hal_log("start-gap: the gap cannot be programmed, wear levelling ends");
    }
    end(number);
}
