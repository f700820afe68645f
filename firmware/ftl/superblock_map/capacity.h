/* SPDX-License-Identifier: Apache-2.0
 *
 * How the superblock-mapping layer numbers the flash and what it reserves for itself, computed from numbers alone: no
 * state, no hardware. The platform calls the same functions before it starts a drive, so this header is C and C++ and
 * includes only the policy of the firmware.
 *
 * A superchip is b x c chips (docs/controller.md); a superblock is a block of each. Physical superblocks are numbered
 * over all superchips: superchip * per_superchip + block, where `block` is the number of its blocks in their dies
 * before any of them was replaced.
 *
 * A group contains a logical superblock permanently: a superchip and, because copy-back works inside a plane, a plane
 * of its dies. The group is the remainder of the logical number, so neighbours lie on different superchips.
 */
#ifndef STROBE_SUPERBLOCK_MAP_CAPACITY_H
#define STROBE_SUPERBLOCK_MAP_CAPACITY_H

#include "firmware/drivers/superchip.h"
#include "firmware/ftl/superblock_map/policy.h"
#include "firmware/regs/strobe_regs.h"

#include <stdint.h>

#define JOURNAL_SECTOR_BYTES 512u

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

/* REQUIRES: bus, chip, positions, dies, planes, pages, page_sectors are set. */
static inline void layout_complete(struct layout* l, uint32_t blocks_per_plane, uint32_t spare_blocks)
{
    l->chips = l->bus * l->chip;
    l->superchips = l->dies / l->chips;
    l->groups = l->superchips * l->planes;
    l->blocks_per_die = l->planes * blocks_per_plane;
    const uint32_t spares = (spare_blocks + l->planes - 1) / l->planes;
    l->per_superchip = blocks_per_plane > spares ? (blocks_per_plane - spares) * l->planes : 0;
    l->superblocks = l->superchips * l->per_superchip;
    l->row_sectors = l->page_sectors * l->bus;
    l->sectors = l->row_sectors * l->chip * l->pages;
}

static inline struct layout layout_of(const struct boot_block* boot)
{
    struct layout l;
    l.bus = boot->superchip_bus;
    l.chip = boot->superchip_chip;
    l.positions = boot->ways * boot->luns;
    l.dies = boot->channels * l.positions;
    l.planes = boot->planes;
    l.pages = boot->pages_per_block;
    l.page_sectors = boot->page_bytes / JOURNAL_SECTOR_BYTES;
    layout_complete(&l, boot->blocks_per_plane, boot->spare_blocks);
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

/* --- what the layer reserves ------------------------------------------------------------------------------ */

#define JOURNAL_HEADER_BYTES 64u /* in front of a copy of the tables */

/* Replaced blocks that can be recorded: every spare, and superblocks that became unusable for lack of one. */
static inline uint32_t capacity_replacements(const struct layout* l)
{
    return l->dies * (l->blocks_per_die - l->per_superchip) + DROPPED_AT_MOST;
}

/* Records that may wait for the log: of every background unit four, and four of the host. */
static inline uint32_t capacity_pending(uint32_t units)
{
    const uint32_t needed = 4 * units + 8;
    return needed < LEAST_PENDING_RECORDS ? LEAST_PENDING_RECORDS : needed;
}

/* Sectors of a copy of the tables: map, erase counts, replaced blocks, stamps of the buffer's entries. */
static inline uint64_t capacity_table_sectors(const struct layout* l, uint32_t units)
{
    const uint64_t superblocks = l->superblocks;
    const uint64_t words = superblocks * 2 + capacity_replacements(l) * 2 + MOST_ENTRIES + capacity_pending(units);
    return (JOURNAL_HEADER_BYTES + words * 4 + JOURNAL_SECTOR_BYTES - 1) / JOURNAL_SECTOR_BYTES;
}

/* Superblocks of such a copy. */
static inline uint64_t capacity_table_parts(const struct layout* l, uint32_t units)
{
    return (capacity_table_sectors(l, units) + l->sectors - 1) / l->sectors;
}

/* Superblocks of the ring of the tables; AREA_MOST at most. */
static inline uint64_t capacity_table_area(const struct layout* l, uint32_t units)
{
    return 2 * capacity_table_parts(l, units) + TABLE_SUPERBLOCKS_MORE;
}

/* Superblocks that may have sectors in the buffer. */
static inline uint32_t capacity_entries(uint32_t superblock_limit, uint32_t units)
{
    const uint32_t entries = superblock_limit + units + ENTRIES_MORE;
    return entries < MOST_ENTRIES ? entries : MOST_ENTRIES;
}

/* The superchip that contains a copy of log and tables, or a superblock of the parking area. */
static inline uint32_t capacity_home(const struct layout* l, uint32_t number)
{
    return number % l->superchips;
}

/* Logical superblocks of a group with so many physical ones that are neither unusable nor reserved. */
static inline uint64_t capacity_logicals(uint32_t usable, uint32_t overprovision_permille)
{
    const uint64_t all = usable;
    const uint64_t share = all * overprovision_permille / 1000;
    const uint64_t kept = share < LEAST_FREE ? LEAST_FREE : share;
    return all > kept ? all - kept : 0;
}

#endif
