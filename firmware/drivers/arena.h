/* SPDX-License-Identifier: Apache-2.0
 *
 * Control memory, handed out in ascending order while the firmware starts. Memory that is needed only for a part of the
 * start is released as a whole: everything taken since a mark. Running out of memory is a mistake in the scenario and
 * ends in a panic that names the allocation that did not fit.
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

/* The same as a pointer, for memory that the hardware never accesses. */
void* arena_array(struct arena* arena, uint64_t count, uint32_t size, const char* what);

/* arena_release(arena, mark) gives back everything taken since arena_mark() returned `mark`. */
static inline uint64_t arena_mark(const struct arena* arena)
{
    return arena->used;
}
static inline void arena_release(struct arena* arena, uint64_t mark)
{
    arena->used = mark;
}

#endif
