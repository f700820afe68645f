/* SPDX-License-Identifier: Apache-2.0
 *
 * Host data that is programmed at once, without the data buffer (hal_store() in hal.h): all pages that one program
 * writes. Plain numbers, for both sides of native.h.
 */
#ifndef STROBE_HAL_STRIP_H
#define STROBE_HAL_STRIP_H

#include <stdint.h>

#define HAL_RECORD_WORDS 4u /* of a spare record */

struct hal_piece {    /* sectors of a host write */
    uint32_t command; /* its slot */
    uint32_t first;   /* sector within the command */
    uint32_t sectors;
};

/* If the program fails, the sectors of the strip count as not taken from the host. */
struct hal_strip {
    uint32_t die, block, sector, sectors; /* as in a descriptor: whole pages of one die */
    const struct hal_piece* pieces;       /* of its sectors, in order; the last one may be longer than the strip */
    const uint32_t* records;              /* HAL_RECORD_WORDS each */
    uint32_t records_per_page;            /* 1: of the first sector; else one for each 4 KiB of a page */
};

#endif
