/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/drivers/read_retry.h"

#include "firmware/drivers/flash.h"

void read_retry_init(struct read_retry* retry, const struct boot_block* boot, struct arena* arena, uint32_t operations)
{
    *retry = (struct read_retry){.options = boot->retry_options, .senses = boot->soft_senses};
    if (retry->options == 0 && retry->senses == 0)
        return;
    retry->blocks = boot->planes * boot->blocks_per_plane;
    retry->good = arena_array(arena, boot->channels * boot->ways * boot->luns * retry->blocks, 1, "read options");
    retry->retries = arena_array(arena, operations, 1, "read retries");
}

static uint8_t* option_of(const struct read_retry* retry, const struct flash_descriptor* descriptor)
{
    return &retry->good[descriptor->superchip * retry->blocks + descriptor->blocks];
}

static void set_option(struct flash_descriptor* descriptor, uint32_t option, uint32_t senses, uint32_t retries)
{
    descriptor->control |= FLASH_DESCRIPTOR_CONTROL_READ_OPTION_MASK;
    descriptor->source_blocks = option | senses << 8 | retries << 12;
}

void read_retry_prepare(struct read_retry* retry, struct flash_descriptor* descriptor)
{
    if (!flash_is_read(descriptor))
        return;
    const uint32_t option = *option_of(retry, descriptor);
    if (option != 0)
        set_option(descriptor, option, 1, 0);
}

bool read_retry_again(struct read_retry* retry, uint32_t op, struct flash_descriptor* descriptor, bool is_corrected)
{
    uint8_t* good = option_of(retry, descriptor);
    if (flash_is_erase(descriptor))
        *good = 0;
    if (!flash_is_read(descriptor))
        return false;
    const uint32_t before = retry->retries[op];
    retry->retries[op] = 0;
    if (is_corrected) {
        if (before != 0 && before <= retry->options)
            *good = (uint8_t)(descriptor->source_blocks & 0xFFu);
        return false;
    }
    const uint32_t now = before + 1;
    if (now <= retry->options)
        set_option(descriptor, (*good + now) % (retry->options + 1), 1, now);
    else if (now == retry->options + 1 && retry->senses > 1)
        set_option(descriptor, *good != 0 ? *good : (retry->options + 1) / 2, retry->senses, now);
    else
        return false;
    retry->retries[op] = (uint8_t)now;
    return true;
}
