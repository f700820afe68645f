/* SPDX-License-Identifier: Apache-2.0
 *
 * Size of the ring of sectors that a sector buffer needs. C and C++, without state: the platform uses the same function
 * to check a drive before it starts it.
 */
#ifndef STROBE_SUPERBLOCK_MAP_BUFFER_RING_H
#define STROBE_SUPERBLOCK_MAP_BUFFER_RING_H

#include "firmware/ftl/superblock_map/policy.h"

#include <stdint.h>

/* Sectors of the ring for a buffer of `most` sectors: the next power of two. */
static inline uint32_t buffer_ring_sectors(uint32_t most)
{
    uint32_t sectors = FEED_PIECE_MOST;
    while (sectors < most)
        sectors *= 2;
    return sectors;
}

#endif
