/* SPDX-License-Identifier: Apache-2.0
 *
 * How the superblock-mapping layer numbers the flash. A superchip is b x c chips (docs/controller.md); a superblock is
 * a block of each. Physical superblocks are numbered over all superchips: superchip * per_superchip + block, where
 * `block` is the number of its blocks in their dies before any of them was replaced.
 *
 * A group is what a logical superblock stays in: a superchip and, because copy-back works inside a plane, a plane of
 * its dies. The group is the remainder of the logical number, so neighbours lie on different superchips.
 */
#ifndef STROBE_LAYOUT_H
#define STROBE_LAYOUT_H

#include "firmware/drivers/boot.h"
#include "firmware/drivers/superchip.h"

#define NONE 0xFFFFFFFFu

struct layout {
    uint32_t bus, chip, chips; /* b, c, b * c */
    uint32_t positions;        /* dies of a channel */
    uint32_t dies, superchips; /* of the drive */
    uint32_t planes;           /* of a die */
    uint32_t groups;           /* superchips * planes */
    uint32_t blocks_per_die;   /* spares included */
    uint32_t per_superchip;    /* physical superblocks */
    uint32_t superblocks;      /* physical, of the drive */
    uint32_t pages;            /* of a block */
    uint32_t page_sectors;     /* of a page */
    uint32_t row_sectors;      /* of the pages of b chips */
    uint32_t sectors;          /* of a superblock */
};

static inline struct layout layout_of(const struct boot_block* boot)
{
    struct layout l = {0};
    l.bus = boot->superchip_bus;
    l.chip = boot->superchip_chip;
    l.chips = l.bus * l.chip;
    l.positions = boot->ways * boot->luns;
    l.dies = boot->channels * l.positions;
    l.superchips = l.dies / l.chips;
    l.planes = boot->planes;
    l.groups = l.superchips * l.planes;
    l.blocks_per_die = boot->planes * boot->blocks_per_plane;
    l.per_superchip = (boot->blocks_per_plane - (boot->spare_blocks + boot->planes - 1) / boot->planes) * boot->planes;
    l.superblocks = l.superchips * l.per_superchip;
    l.pages = boot->pages_per_block;
    l.page_sectors = boot->page_bytes / SECTOR_BYTES;
    l.row_sectors = l.page_sectors * l.bus;
    l.sectors = l.row_sectors * l.chip * l.pages;
    return l;
}

/* The flat number of a chip's die. */
static inline uint32_t layout_die(const struct layout* l, uint32_t superchip, uint32_t chip)
{
    const struct superchip_degrees degrees = {l->bus, l->chip, l->positions};
    return superchip_die(&degrees, superchip, chip);
}

static inline uint32_t superchip_of(const struct layout* l, uint32_t superblock)
{
    return superblock / l->per_superchip;
}

static inline uint32_t group_of(const struct layout* l, uint32_t superblock)
{
    return superblock % l->per_superchip % l->planes * l->superchips + superchip_of(l, superblock);
}

static inline uint32_t superchip_of_group(const struct layout* l, uint32_t group)
{
    return group % l->superchips;
}

/* The superblocks of a group: member_of_group(group, 0 .. per_superchip / planes - 1), ascending. */
static inline uint32_t member_of_group(const struct layout* l, uint32_t group, uint32_t index)
{
    return group % l->superchips * l->per_superchip + index * l->planes + group / l->superchips;
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
