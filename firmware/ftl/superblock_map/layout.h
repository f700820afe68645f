/* SPDX-License-Identifier: Apache-2.0
 *
 * The numbering of flash (capacity.h) for the drive that the boot block describes.
 */
#ifndef STROBE_SUPERBLOCK_MAP_LAYOUT_H
#define STROBE_SUPERBLOCK_MAP_LAYOUT_H

#include "firmware/drivers/boot.h"
#include "firmware/ftl/superblock_map/capacity.h"

#define NONE 0xFFFFFFFFu

static inline struct layout layout_of(const struct boot_block* boot)
{
    struct layout l = {0};
    l.bus = boot->superchip_bus;
    l.chip = boot->superchip_chip;
    l.positions = boot->ways * boot->luns;
    l.dies = boot->channels * l.positions;
    l.planes = boot->planes;
    l.pages = boot->pages_per_block;
    l.page_sectors = boot->page_bytes / SECTOR_BYTES;
    layout_complete(&l, boot->blocks_per_plane, boot->spare_blocks);
    return l;
}

/* The n-th single page of a superblock, in the order in which its pages may be programmed, as a sector number. */
static inline uint32_t sector_of_page(const struct layout* l, uint32_t n)
{
    return n / l->bus * l->row_sectors + n % l->bus;
}

static inline uint32_t pages_of_superblock(const struct layout* l)
{
    return l->chips * l->pages;
}

#endif
