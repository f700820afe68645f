/* SPDX-License-Identifier: Apache-2.0
 *
 * Core 1 of the flash driver: receives the numbers of operations whose descriptors core 0 has filled in, and sends back
 * their status. The queues of the dies, the units and the event ring are on this core.
 */
#include "firmware/drivers/flash.h"

static struct flash flash;
static struct peer* host;

static void ended(void* context, uint32_t op, enum flash_status status)
{
    (void)context;
    HAL_COST(peer_tell);
    peer_send(host, (uint32_t)status, op, 0);
}

void flash_core_init(const struct boot_block* boot, struct arena* arena, struct peer* peer)
{
    host = peer;
    flash_init_on_second_core(&flash, boot, arena, peer->block->messages, peer->block->descriptors, NULL, ended);
}

bool flash_core_serve(void)
{
    uint32_t message[PEER_MESSAGE_WORDS];
    HAL_COST(peer_round);
    if (flash.turns.governor.is_on)
        flash_govern(&flash);
    uint32_t work = flash_poll(&flash);
    for (; peer_take(host, message); ++work) {
        HAL_COST(peer_take);
        flash_accept(&flash, message[0] & ~RING_PHASE);
    }
    return work != 0;
}
