/* SPDX-License-Identifier: Apache-2.0
 *
 * Flush epochs. A flush ends the current epoch and begins the next one. Everything that a later flush has to wait for
 * (a write version, a journal page with records) enters the current epoch and leaves it when it is in flash. A flush is
 * complete when its epoch and all earlier ones have no members left.
 *
 * Owner of: the epoch numbers and the count of members per epoch. Invariants: oldest <= current (modulo 2^32); every
 * epoch before `oldest` is empty; at most mask + 1 epochs are open at a time. Not kept here: the waiters of a flush.
 */
#ifndef STROBE_PAGE_MAP_EPOCHS_H
#define STROBE_PAGE_MAP_EPOCHS_H

#include "firmware/drivers/arena.h"

typedef void (*epochs_handler)(void* context);

struct epochs {
    uint32_t current, oldest;
    uint32_t* members; /* per epoch, a ring: number that entered and have not left */
    uint32_t mask;     /* entries of the ring - 1 */
    epochs_handler on_over;
    void* context;
};

/* `flushes`: the most that are outstanding at a time. on_over(context): `oldest` has advanced because a member left. */
void epochs_init(struct epochs* epochs, struct arena* arena, uint32_t flushes, epochs_handler on_over, void* context);

/* Enters the current epoch; returns the epoch to leave later. */
static inline uint32_t epochs_enter(struct epochs* epochs)
{
    ++epochs->members[epochs->current & epochs->mask];
    return epochs->current;
}
void epochs_leave(struct epochs* epochs, uint32_t epoch);

/* A flush: ends the current epoch and returns it, the ticket for epochs_is_over(). Does not call on_over. */
uint32_t epochs_end(struct epochs* epochs);
static inline bool epochs_is_over(const struct epochs* epochs, uint32_t epoch)
{
    return (int32_t)(epochs->oldest - epoch) > 0;
}

#endif
