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

/* The sectors of a page are bits of one word. */
_Static_assert(BOOT_BLOCK_PAGE_BYTES_MAX / SECTOR_BYTES <= 32, "a page has at most 32 sectors");
_Static_assert(BOOT_BLOCK_CORES_MAX == HAL_CORES, "cores of the hardware");

/* Larger pages belong to layers that do not map units. */
static bool is_mapping_unit(const struct boot_block* boot)
{
    const uint32_t unit = boot->mapping_unit;
    return unit == boot->page_bytes || (unit != 0 && unit % 4096 == 0 && unit <= 16384 && boot->page_bytes % unit == 0);
}

const char* boot_problem(const struct boot_block* boot)
{
    static const struct boot_block initial = {
#define WORD(member, value) .member = (value),
        BOOT_BLOCK_WORDS(WORD)
#undef WORD
    };
    if (boot->magic != initial.magic)
        return "boot block: wrong magic";
    if (boot->version != initial.version)
        return "boot block: the layout version is not that of this firmware";
#define BOUND(member, least, most, divisor, problem)                                                                   \
    if (boot->member - (least) > (most) - (least) || boot->member % (divisor) != 0)                                    \
        return problem;
    BOOT_BLOCK_BOUNDS(BOUND)
#undef BOUND
    if (!is_mapping_unit(boot))
        return "boot block: MAPPING_UNIT must be PAGE_BYTES, or divide it and be a multiple of 4096, up to 16384";
    if (boot->pages_per_block % boot->program_pages != 0)
        return "boot block: PROGRAM_PAGES must divide PAGES_PER_BLOCK";
    if (boot->pslc_pages > boot->pages_per_block)
        return "boot block: PSLC_PAGES must be at most PAGES_PER_BLOCK";
    if (too_many_pages(boot))
        return "boot block: more than 2^32 pages";
    if (!is_order(boot->allocation_order))
        return "boot block: ALLOCATION_ORDER must name each of the four dimensions once";
    if (boot->serial_writes != 0 && boot->completion != COMPLETION_WRITE_THROUGH)
        return "boot block: SERIAL_WRITES requires completion write-through";
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
