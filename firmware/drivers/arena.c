/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/drivers/arena.h"

#include "firmware/hal/text.h"

#include <string.h>

void arena_init(struct arena* arena, bus_address base, uint32_t size)
{
    arena->base = base;
    arena->size = size;
    arena->used = 0;
}

static _Noreturn void too_small(const struct arena* arena, uint64_t end, const char* what)
{
    struct text text;
    text_start(&text, "control memory too small: up to and including ");
    text_add(&text, what);
    text_add(&text, ", firmware needs ");
    text_number(&text, end);
    text_add(&text, " bytes; available: ");
    text_number(&text, arena->size);
    hal_panic(text.chars);
}

bus_address arena_take(struct arena* arena, uint64_t count, uint32_t size, uint32_t alignment, const char* what)
{
    const uint64_t first = (arena->base + arena->used + alignment - 1) & ~(uint64_t)(alignment - 1);
    const uint64_t bytes = count * size;
    const uint64_t end = first + bytes - arena->base;
    if (end > arena->size)
        too_small(arena, end, what);
    arena->used = end;
    if (bytes != 0)
        memset(hal_memory((bus_address)first, (uint32_t)bytes), 0, (size_t)bytes);
    return (bus_address)first;
}

void* arena_array(struct arena* arena, uint64_t count, uint32_t size, const char* what)
{
    if (count == 0)
        count = 1;
    const bus_address address = arena_take(arena, count, size, 16, what);
    return hal_memory(address, (uint32_t)(count * size));
}
