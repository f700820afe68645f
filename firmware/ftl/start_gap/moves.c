/* SPDX-License-Identifier: Apache-2.0
 *
 * Moves of the gap: every psi writes, one at a time, before the pieces that wait. A line without data moves in the
 * registers alone. Writes wait when a second move falls due before the first is done. A line that cannot be read is
 * lost: reads of it fail until it is written again. If the gap itself cannot be programmed, it stays where it is, and
 * levelling ends.
 */
#include "firmware/drivers/bitmap.h"
#include "firmware/ftl/start_gap/state.h"

void moves_count_write(struct start_gap_drive* drive)
{
    if (drive->interval == 0 || ++drive->writes < drive->interval)
        return;
    drive->writes = 0;
    ++drive->moves_due;
}

bool moves_lag(const struct start_gap_drive* drive)
{
    return drive->moves_due > 1 && !drive->stuck;
}

static void moved(struct start_gap_drive* drive)
{
    start_gap_moved(&drive->levelling);
    --drive->moves_due;
}

bool moves_begin(struct start_gap_drive* drive)
{
    if (drive->moves_due == 0 || drive->moving || drive->stuck)
        return false;
    HAL_COST(map_update);
    const uint32_t line = start_gap_moving(&drive->levelling);
    if (line_is_busy(drive, line, true))
        return false;
    if (!bitmap_has(drive->written, line) || bitmap_has(drive->lost, line)) {
        moved(drive);
        return true;
    }
    if (drive->free_piece == NONE)
        return false;
    drive->moving = true;
    const uint32_t number = piece_take(drive, PIECE_MOVE, line);
    flash_read(&drive->flash, number, place_of(drive, drive->piece[number].physical, 0), drive->sectors_per_line,
               piece_buffer(drive, number), FLASH_FOR_WEAR);
    return true;
}

static void end(struct start_gap_drive* drive, uint32_t number)
{
    drive->moving = false;
    piece_give(drive, number);
}

void moves_read(struct start_gap_drive* drive, uint32_t number, enum flash_status status)
{
    struct piece* piece = &drive->piece[number];
    if (status != FLASH_OK) {
        bitmap_add(drive->lost, piece->line);
        moved(drive);
        end(drive, number);
        return;
    }
    piece->programs = true;
    flash_program(&drive->flash, number, place_of(drive, drive->levelling.gap, 0), drive->sectors_per_line,
                  piece_buffer(drive, number), spare_of(piece->line), FLASH_FOR_WEAR);
}

void moves_programmed(struct start_gap_drive* drive, uint32_t number, enum flash_status status)
{
    if (status == FLASH_OK) {
        moved(drive);
    } else {
        drive->stuck = true;
        hal_log("start-gap: the gap cannot be programmed, wear levelling ends");
    }
    end(drive, number);
}
