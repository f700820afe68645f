/* SPDX-License-Identifier: Apache-2.0
 *
 * Control memory, handed out once while starting and never taken back. Running out is a mistake in the scenario and
 * ends in a panic that says what did not fit.
 */
#ifndef STROBE_ARENA_H
#define STROBE_ARENA_H

#include "firmware/hal/hal.h"

struct arena {
    bus_address base;
    uint32_t size;
    uint64_t used;
};

void arena_init(struct arena* arena, bus_address base, uint32_t size);

/* Zeroed memory for `count` elements of `size` bytes, at a multiple of `alignment` (a power of two). */
bus_address arena_take(struct arena* arena, uint64_t count, uint32_t size, uint32_t alignment, const char* what);

/* The same as a pointer, for what the hardware never sees. */
void* arena_array(struct arena* arena, uint64_t count, uint32_t size, const char* what);

#endif
