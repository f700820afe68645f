/* SPDX-License-Identifier: Apache-2.0
 *
 * The other core of a drive whose firmware runs on two (boot_block.cores; docs/firmware/hal_and_drivers.md): core 0 has
 * the host and the flash translation layer, core 1 the flash controller. They communicate by two rings of messages in
 * control memory, one per direction, and wake each other by the software interrupt of each core's interrupt controller.
 *
 * A message is three words, defined by the driver (bit 31 of the first is used by the ring); the data that they refer
 * to is stored before the message is sent, and belongs to the receiver until it answers. The number of messages in
 * progress never exceeds the limit named at the start.
 *
 * Sleep: a core sets its sleep flag in memory, checks its ring once more, and waits for an interrupt; the other core
 * interrupts it only if the flag is set. The woken core clears the interrupt, and reads it back so that it is cleared
 * before the next one.
 *
 * Start: core 1 sleeps until core 0 has filled in the block at the beginning of control memory and interrupts it; core
 * 0 waits until core 1 has taken its memory from the same arena.
 */
#ifndef STROBE_PEER_H
#define STROBE_PEER_H

#include "firmware/drivers/arena.h"
#include "firmware/drivers/boot.h"
#include "firmware/drivers/ring.h"

#define PEER_MESSAGE_WORDS 3u

struct peer_block { /* at the beginning of control memory */
    volatile uint32_t sleeps[HAL_CORES];
    volatile uint32_t ready;   /* cores that have laid out their part */
    uint32_t entries;          /* of each ring */
    uint32_t rings[HAL_CORES]; /* bus addresses, by reader */
    uint32_t messages;         /* in progress in one direction, at most; of the driver: number of operations … */
    uint32_t descriptors;      /* … and the address of their descriptors */
    uint32_t arena_used_lo, arena_used_hi;
};

struct peer {
    struct peer_block* block; /* null: this is the only core */
    struct ring in;
    struct ring_writer out;
    uint32_t core; /* this one */
};

static inline bool peer_is_there(const struct peer* peer)
{
    return peer->block != NULL;
}

/* Control memory without the part that the cores share. Core 0, before anything else. */
struct arena peer_arena(const struct boot_block* boot);

/* Core 0: wakes core 1 and waits until it is ready. */
void peer_start(struct peer* peer, const struct boot_block* boot, struct arena* arena, uint32_t messages,
                bus_address descriptors);
/* Core 1: sleeps until core 0 starts it; the arena is the remaining memory. */
void peer_await(struct peer* peer, const struct boot_block* boot, struct arena* arena);
void peer_ready(struct peer* peer, const struct arena* arena);

void peer_send(struct peer* peer, uint32_t first, uint32_t second, uint32_t third);
bool peer_take(struct peer* peer, uint32_t message[PEER_MESSAGE_WORDS]);

/* Sleeps until an interrupt or a message. */
void peer_sleep(struct peer* peer);

/* The part that runs on core 1, provided by each flash driver: the flash side of flash.h or units.h. */
void flash_core_init(const struct boot_block* boot, struct arena* arena, struct peer* host);
bool flash_core_serve(void); /* false: nothing to do before the next interrupt or message */

#endif
