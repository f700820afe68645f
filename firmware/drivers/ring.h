/* SPDX-License-Identifier: Apache-2.0
 *
 * Rings in control memory with one writer and one reader: entries of four words, the phase bit in bit 31 of the first,
 * which is 1 in the first round. The hardware writes event rings; the writer here is for messages between cores
 * (peer.h). Reading costs no register access; the count taken from an event ring is given back once per batch by the
 * driver that owns it. A writer has no more unread entries than the ring holds.
 */
#ifndef STROBE_RING_H
#define STROBE_RING_H

#include "firmware/drivers/ring_size.h"
#include "firmware/hal/hal.h"

#define RING_PHASE 0x80000000u

struct ring {
    volatile uint32_t* next; /* entry */
    uint32_t phase;          /* its value in a new entry */
    uint32_t taken;          /* free-running */
    uint32_t mask;           /* entries - 1 */
    volatile uint32_t* entries;
};

struct ring_writer {
    volatile uint32_t (*entries)[4];
    uint32_t mask;
    uint32_t put;
    uint32_t phase; /* of this round */
};

static inline void ring_init(struct ring* ring, void* memory, uint32_t entries)
{
    ring->entries = ring->next = (volatile uint32_t*)memory;
    ring->mask = entries - 1;
    ring->taken = 0;
    ring->phase = RING_PHASE;
}

static inline bool ring_has_entry(const struct ring* ring)
{
    return (ring->next[0] & RING_PHASE) == ring->phase;
}

/* Takes the next entry; NULL: there is none. Its words are valid until the entry is given back. */
static inline const volatile uint32_t* ring_take(struct ring* ring)
{
    if (!ring_has_entry(ring))
        return NULL;
    const volatile uint32_t* words = ring->next;
    ring->next += RING_ENTRY_BYTES / sizeof(uint32_t);
    if ((++ring->taken & ring->mask) == 0) {
        ring->next = ring->entries;
        ring->phase ^= RING_PHASE;
    }
    return words;
}

/* `memory` is zeroed. */
static inline void ring_writer_init(struct ring_writer* ring, void* memory, uint32_t entries)
{
    ring->entries = (volatile uint32_t(*)[4])memory;
    ring->mask = entries - 1;
    ring->put = 0;
    ring->phase = RING_PHASE;
}

/* Bit 31 of `first` is used by the ring. Earlier stores are visible to the core that takes the entry. */
static inline void ring_put(struct ring_writer* ring, uint32_t first, uint32_t second, uint32_t third)
{
    volatile uint32_t* words = ring->entries[ring->put & ring->mask];
    words[1] = second;
    words[2] = third;
    hal_fence();
    words[0] = (first & ~RING_PHASE) | ring->phase;
    if ((++ring->put & ring->mask) == 0)
        ring->phase ^= RING_PHASE;
}

#endif
