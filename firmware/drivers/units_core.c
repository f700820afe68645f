/* SPDX-License-Identifier: Apache-2.0
 *
 * Core 1 behind units.h: takes slots whose descriptors core 0 has filled in, gives them to their units, keeps the
 * background units that are firmware, and tells core 0 how operations ended.
 */
#include "firmware/drivers/units.h"

static struct units units;
static struct peer* host;

static void ended(uint32_t slot, struct units_result result)
{
    HAL_COST(peer_tell);
    peer_send(host, (uint32_t)result.status | result.chip << FLASH_EVENT_STATUS_CHIP_SHIFT, slot, 0);
}

static bool host_calls(void)
{
    return ring_has_entry(&host->in);
}

void flash_core_init(const struct boot_block* boot, struct arena* arena, struct peer* peer)
{
    host = peer;
    units_init_behind(&units, boot, arena, peer->block->messages, peer->block->descriptors, ended);
    units.is_urgent = host_calls;
}

bool flash_core_serve(void)
{
    uint32_t message[PEER_MESSAGE_WORDS];
    HAL_COST(peer_round);
    uint32_t work = units_poll(&units);
    for (; peer_take(host, message); ++work) {
        HAL_COST(peer_take);
        if (message[1] == UNITS_FOREGROUND)
            units_submit_foreground(&units, message[0] & ~RING_PHASE);
        else
            units_submit(&units, message[0] & ~RING_PHASE, message[1]);
    }
    return work != 0;
}
