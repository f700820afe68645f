/* SPDX-License-Identifier: Apache-2.0
 *
 * The reader's end of an event ring in control memory: entries of four words, the phase bit in bit 31 of the first. The
 * hardware writes phase 1 in the first round. Reading costs no register access; the count taken is given back once per
 * batch by the driver that owns the ring.
 */
#ifndef STROBE_RING_H
#define STROBE_RING_H

#include <stdbool.h>
#include <stdint.h>

#define RING_ENTRY_BYTES 16u
#define RING_PHASE 0x80000000u

struct ring {
    volatile uint32_t (*entries)[4];
    uint32_t mask;  /* entries - 1 */
    uint32_t taken; /* free-running */
    uint32_t phase; /* that a new entry has */
};

static inline uint32_t ring_size(uint32_t at_least)
{
    uint32_t entries = 16;
    while (entries < at_least)
        entries *= 2;
    return entries;
}

static inline void ring_init(struct ring* ring, void* memory, uint32_t entries)
{
    ring->entries = (volatile uint32_t(*)[4])memory;
    ring->mask = entries - 1;
    ring->taken = 0;
    ring->phase = RING_PHASE;
}

static inline bool ring_has_entry(const struct ring* ring)
{
    return (ring->entries[ring->taken & ring->mask][0] & RING_PHASE) == ring->phase;
}

/* Takes the next entry, if there is one. */
static inline bool ring_take(struct ring* ring, uint32_t entry[4])
{
    volatile uint32_t* words = ring->entries[ring->taken & ring->mask];
    entry[0] = words[0];
    if ((entry[0] & RING_PHASE) != ring->phase)
        return false;
    entry[1] = words[1];
    entry[2] = words[2];
    entry[3] = words[3];
    if ((++ring->taken & ring->mask) == 0)
        ring->phase ^= RING_PHASE;
    return true;
}

#endif
