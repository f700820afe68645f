/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/drivers/boot.h"

#include "firmware/hal/text.h"

static bool is_order(uint32_t order)
{
    uint32_t seen = 0;
    for (uint32_t i = 0; i < 4; ++i)
        seen |= 1u << (order >> 4 * i & 0xFu);
    return seen == 0xFu && order >> 16 == 0;
}

static bool too_many_pages(const struct boot_block* boot)
{
    /* Multiplied step by step: each factor fits 32 bits and each product is checked before the next. */
    const uint32_t factors[] = {boot->ways, boot->luns, boot->planes, boot->blocks_per_plane, boot->pages_per_block};
    uint64_t pages = boot->channels;
    for (uint32_t i = 0; i < sizeof factors / sizeof factors[0]; ++i) {
        pages *= factors[i];
        if (pages >= 0xFFFFFF00u)
            return true;
    }
    return false;
}

const char* boot_problem(const struct boot_block* boot)
{
    if (boot->magic != BOOT_MAGIC)
        return "boot block: wrong magic";
    if (boot->version != BOOT_VERSION)
        return "boot block: layout version is not 1";
    if (boot->channels == 0 || boot->ways == 0 || boot->luns == 0 || boot->planes == 0)
        return "boot block: channels, ways, LUNs and planes are at least 1";
    if (boot->blocks_per_plane == 0 || boot->pages_per_block < 2 || boot->pages_per_block > 0xFFFFu)
        return "boot block: at least 1 block per plane and 2 to 65535 pages per block";
    if (boot->page_bytes == 0 || boot->page_bytes % SECTOR_BYTES != 0 ||
        boot->page_bytes > MAX_SECTORS_PER_PAGE * SECTOR_BYTES)
        return "boot block: a page is 1 to 32 sectors of 512 bytes";
    if (too_many_pages(boot))
        return "boot block: more than 2^32 pages";
    if (boot->units == 0)
        return "boot block: at least one flash unit is needed";
    if (boot->cores == 0 || boot->cores > HAL_CORES)
        return "boot block: 1 or 2 cores";
    if (boot->host_slots == 0 || boot->host_slots > 0xFFFFu)
        return "boot block: 1 to 65535 host command slots";
    if (boot->overprovision_permille >= 1000)
        return "boot block: over-provisioning is below 1000/1000";
    if (!is_order(boot->allocation_order))
        return "boot block: allocation order names each of the four dimensions once";
    if (boot->gc_policy > 1)
        return "boot block: victim choice is 0 (greedy) or 1 (cost-benefit)";
    if (boot->completion > 1)
        return "boot block: completion is 0 (write-back) or 1 (write-through)";
    if (boot->command_placement > 1)
        return "boot block: command placement is 0 (striped) or 1 (one channel)";
    if (boot->channel_scan_steps > MAX_CHANNEL_SCAN_STEPS)
        return "boot block: at most 1000 steps per channel to look at";
    if (boot->serial_writes > 1)
        return "boot block: serial writes are 0 (no) or 1 (yes)";
    if (boot->serial_writes != 0 && boot->completion != COMPLETE_IN_FLASH)
        return "boot block: serial writes need write-through";
    if (boot->buffer_base % SECTOR_BYTES != 0)
        return "boot block: the data buffer starts at a multiple of 512";
    return NULL;
}

const struct boot_block* boot_read(void)
{
    const struct boot_block* boot = hal_memory(BOOT_BLOCK_BASE, sizeof *boot);
    const char* problem = boot_problem(boot);
    if (problem != NULL)
        hal_panic(problem);
    return boot;
}
