/* SPDX-License-Identifier: Apache-2.0
 *
 * Sizes of the rings of ring.h, from numbers alone: C and C++ (footprint.h).
 */
#ifndef STROBE_RING_SIZE_H
#define STROBE_RING_SIZE_H

#include <stdint.h>

#define RING_ENTRY_BYTES 16u

static inline uint32_t ring_size(uint32_t at_least)
{
    uint32_t entries = 16;
    while (entries < at_least)
        entries *= 2;
    return entries;
}

#endif
