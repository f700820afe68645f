/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/drivers/peer.h"

#define BLOCK_ALIGNMENT 64u

static bus_address own(bus_address reg, uint32_t core)
{
    return reg + core * HAL_CORE_STEP;
}

static bus_address block_at(const struct boot_block* boot)
{
    return (boot->memory_base + BLOCK_ALIGNMENT - 1) & ~(BLOCK_ALIGNMENT - 1);
}

static void open_rings(struct peer* peer, uint32_t core)
{
    const struct peer_block* block = peer->block;
    const uint32_t bytes = block->entries * RING_ENTRY_BYTES;
    peer->core = core;
    ring_init(&peer->in, hal_memory(block->rings[core], bytes), block->entries);
    ring_writer_init(&peer->out, hal_memory(block->rings[1 - core], bytes), block->entries);
}

static void ring_bell(uint32_t core)
{
    reg_write(own(INTC_SOFTWARE, core), INTC_SOFTWARE_SET_MASK);
}

/* The read comes back when the write has arrived. */
static void silence(uint32_t core)
{
    reg_write(own(INTC_SOFTWARE, core), 0);
    (void)reg_read(own(INTC_PENDING, core));
}

/* --- start -------------------------------------------------------------------------------------------------------- */

struct arena peer_arena(const struct boot_block* boot)
{
    struct arena arena;
    arena_init(&arena, boot->memory_base, boot->memory_size);
    if (boot->cores > 1)
        arena_take(&arena, 1, sizeof(struct peer_block), BLOCK_ALIGNMENT, "what the cores share");
    return arena;
}

void peer_start(struct peer* peer, const struct boot_block* boot, struct arena* arena, uint32_t messages,
                bus_address descriptors)
{
    struct peer_block* block = peer->block = hal_memory(block_at(boot), sizeof *block);
    block->entries = ring_size(messages);
    for (uint32_t core = 0; core < HAL_CORES; ++core)
        block->rings[core] = arena_take(arena, block->entries, RING_ENTRY_BYTES, 64, "the rings between the cores");
    block->messages = messages;
    block->descriptors = descriptors;
    block->arena_used_lo = (uint32_t)arena->used;
    block->arena_used_hi = (uint32_t)(arena->used >> 32);
    open_rings(peer, 0);
    block->ready = 1;
    hal_fence();
    ring_bell(1);
    while (block->ready != HAL_CORES) {
        hal_wait_for_interrupt();
        silence(0);
    }
    arena->used = (uint64_t)block->arena_used_hi << 32 | block->arena_used_lo;
}

void peer_await(struct peer* peer, const struct boot_block* boot, struct arena* arena)
{
    reg_write(own(INTC_ENABLE, 1), 1u << HAL_LINE_SOFTWARE);
    hal_wait_for_interrupt(); /* memory belongs to core 0 until it interrupts */
    silence(1);
    reg_write(own(INTC_ENABLE, 1), 1u << HAL_LINE_SOFTWARE | 1u << HAL_LINE_FLASH);
    const struct peer_block* block = peer->block = hal_memory(block_at(boot), sizeof *block);
    arena_init(arena, boot->memory_base, boot->memory_size);
    arena->used = (uint64_t)block->arena_used_hi << 32 | block->arena_used_lo;
    open_rings(peer, 1);
}

void peer_ready(struct peer* peer, const struct arena* arena)
{
    peer->block->arena_used_lo = (uint32_t)arena->used;
    peer->block->arena_used_hi = (uint32_t)(arena->used >> 32);
    hal_fence();
    peer->block->ready = HAL_CORES;
    ring_bell(0);
}

/* --- messages ----------------------------------------------------------------------------------------------------- */

void peer_send(struct peer* peer, uint32_t first, uint32_t second, uint32_t third)
{
    ring_put(&peer->out, first, second, third);
    hal_fence();
    if (peer->block->sleeps[1 - peer->core] != 0)
        ring_bell(1 - peer->core);
}

bool peer_take(struct peer* peer, uint32_t message[PEER_MESSAGE_WORDS])
{
    if (!ring_has_entry(&peer->in))
        return false;
    hal_fence();
    const volatile uint32_t* words = ring_take(&peer->in);
    for (uint32_t i = 0; i < PEER_MESSAGE_WORDS; ++i)
        message[i] = words[i];
    return true;
}

void peer_sleep(struct peer* peer)
{
    peer->block->sleeps[peer->core] = 1;
    hal_fence();
    if (!ring_has_entry(&peer->in))
        hal_wait_for_interrupt();
    peer->block->sleeps[peer->core] = 0;
    if ((reg_read(own(INTC_PENDING, peer->core)) & 1u << HAL_LINE_SOFTWARE) != 0) {
        HAL_COST(peer_wake);
        silence(peer->core);
    }
}
