/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ftl/page_map/epochs.h"

static bool advance(struct epochs* epochs)
{
    const uint32_t before = epochs->oldest;
    while (epochs->oldest != epochs->current && epochs->members[epochs->oldest & epochs->mask] == 0)
        ++epochs->oldest;
    return before != epochs->oldest;
}

void epochs_leave(struct epochs* epochs, uint32_t epoch)
{
    --epochs->members[epoch & epochs->mask];
    if (advance(epochs))
        epochs->on_over(epochs->context);
}

uint32_t epochs_end(struct epochs* epochs)
{
    const uint32_t ended = epochs->current++;
    advance(epochs);
    return ended;
}

void epochs_init(struct epochs* epochs, struct arena* arena, uint32_t flushes, epochs_handler on_over, void* context)
{
    uint32_t entries = 4; /* at most one per outstanding flush, and the current one */
    while (entries < flushes + 2)
        entries *= 2;
    epochs->current = epochs->oldest = 0;
    epochs->members = arena_array(arena, entries, sizeof *epochs->members, "write queues");
    epochs->mask = entries - 1;
    epochs->on_over = on_over;
    epochs->context = context;
}
