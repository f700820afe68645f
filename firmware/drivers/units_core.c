/* SPDX-License-Identifier: Apache-2.0
 *
 * Core 1 of a drive that uses units.h: takes slots whose descriptors core 0 has filled in, gives them to their units,
 * runs the background units that are firmware, and sends core 0 the results.
 */
#include "firmware/drivers/units.h"

/* The one instance of core 1, whose loop (app/main.c) calls without a context. */
static struct units_core {
    struct units units;
    struct peer* host;
} core;

static void ended(void* context, uint32_t slot, struct units_result result)
{
    const struct units_core* self = context;
    HAL_COST(peer_tell);
    peer_send(self->host, (uint32_t)result.status | result.chip << FLASH_EVENT_STATUS_CHIP_SHIFT, slot, 0);
}

static bool has_message(void* context)
{
    const struct units_core* self = context;
    return ring_has_entry(&self->host->in);
}

void flash_core_init(const struct boot_block* boot, struct arena* arena, struct peer* peer)
{
    const struct units_client client = {ended, has_message, &core};
    core.host = peer;
    units_init_second_core(&core.units, boot, arena, peer->block->messages, peer->block->descriptors, client);
}

bool flash_core_serve(void)
{
    uint32_t message[PEER_MESSAGE_WORDS];
    HAL_COST(peer_round);
    uint32_t work = units_poll(&core.units);
    for (; peer_take(core.host, message); ++work) {
        HAL_COST(peer_take);
        if (message[1] == UNITS_FOREGROUND)
            units_submit_foreground(&core.units, message[0] & ~RING_PHASE);
        else
            units_submit(&core.units, message[0] & ~RING_PHASE, message[1]);
    }
    return work != 0;
}
