/* SPDX-License-Identifier: Apache-2.0
 *
 * The numbering of flash (capacity.h) for the drive that the boot block describes.
 */
#ifndef STROBE_SUPERBLOCK_MAP_LAYOUT_H
#define STROBE_SUPERBLOCK_MAP_LAYOUT_H

#include "firmware/drivers/boot.h"
#include "firmware/ftl/superblock_map/capacity.h"

#define NONE 0xFFFFFFFFu

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
