/* SPDX-License-Identifier: Apache-2.0
 *
 * How much control memory Start-Gap allocates (drivers/footprint.h).
 */
#ifndef STROBE_START_GAP_FOOTPRINT_H
#define STROBE_START_GAP_FOOTPRINT_H

#include "firmware/drivers/footprint.h"

enum {
    FOOTPRINT_GAP_PIECE = 36,
    FOOTPRINT_GAP_COMMAND = 32,
};
#define FOOTPRINT_GAP_PIECES 64u

static inline uint64_t start_gap_footprint(const struct boot_block* boot)
{
    const uint32_t lines = footprint_dies(boot) * boot->planes * boot->blocks_per_plane * boot->pages_per_block;
    const uint32_t pages = boot->buffer_size / boot->page_bytes;
    const uint32_t pieces = pages <= FOOTPRINT_GAP_PIECES ? pages : FOOTPRINT_GAP_PIECES;
    struct footprint f = {0};
    footprint_bitmap(&f, lines);
    footprint_bitmap(&f, lines);
    footprint_array(&f, pieces, FOOTPRINT_GAP_PIECE);
    footprint_array(&f, boot->host_slots, FOOTPRINT_GAP_COMMAND);
    footprint_flash(&f, boot, pieces);
    footprint_host_if(&f, boot, boot->host_slots + pieces);
    return f.bytes;
}

#endif
