/* SPDX-License-Identifier: Apache-2.0
 *
 * How many mapping units the layer can offer, computed from numbers alone: no state, no hardware. The platform calls
 * the same functions before it starts a drive, so this header is C and C++ and includes only the policy of the
 * firmware.
 */
#ifndef STROBE_PAGE_MAP_CAPACITY_H
#define STROBE_PAGE_MAP_CAPACITY_H

#include "firmware/ftl/page_map/policy.h"
#include "firmware/regs/strobe_regs.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Numbering: geometry.h. "Plane" and "block" are those of the layer, unless the flash is named. */
struct geometry {
    uint32_t channels, ways, luns;
    uint32_t planes_per_die; /* of the flash */
    uint32_t row_planes;     /* planes of the flash that a page spans: 1, or all planes of the die */
    uint32_t width;          /* dies that a block spans */
    bool has_parity;         /* the last page of each stripe, of `width` pages, is the parity of the others */
    uint32_t groups;         /* of `width` dies */
    uint32_t planes_per_group;
    uint32_t blocks_per_plane, blocks_per_group;
    uint32_t pages_per_block;
    uint32_t sectors_per_page;
    uint32_t page_bytes;
    uint32_t unit_bytes; /* of a mapping unit: a page of the flash, or a part of it */
    uint32_t sectors_per_unit, units_per_page, units_per_block;
    uint32_t data_units_per_block; /* without those of parity */
    uint32_t flash_pages; /* that one program writes: the pages of a word line; a page has as many in each plane */
    uint32_t sectors_per_strip, units_per_strip; /* strip: the part of a page in one plane of the flash */
    uint32_t flash_pages_per_page;
    uint32_t sectors_per_flash_page, units_per_flash_page;
    uint32_t full_unit;                   /* mask: one bit for each sector of a unit */
    uint32_t dies, planes, blocks, units; /* of the whole drive */
    uint32_t slc_pages;                   /* of a block in pSLC mode; 0: the flash has no such mode */
    uint32_t streams;                     /* that may have an open block in each plane */
    const uint16_t* members;              /* blocks of the flash that make up those of the layer; NULL: the same ones */
};

#define PAGE_MAP_SECTOR_BYTES 512u

static inline struct geometry geometry_of(const struct boot_block* boot)
{
    struct geometry g;
    memset(&g, 0, sizeof g);
    g.channels = boot->channels;
    g.ways = boot->ways;
    g.luns = boot->luns;
    g.dies = boot->channels * boot->ways * boot->luns;
    g.planes_per_die = boot->planes;
    g.row_planes = boot->row_planes;
    g.width = boot->superblock_dies;
    g.groups = g.dies / g.width;
    g.planes_per_group = g.planes_per_die / g.row_planes;
    g.blocks_per_plane = boot->blocks_per_plane;
    g.blocks_per_group = g.planes_per_group * boot->blocks_per_plane;
    g.flash_pages = boot->program_pages;
    g.flash_pages_per_page = g.flash_pages * g.row_planes;
    g.pages_per_block = boot->pages_per_block / g.flash_pages * g.width;
    g.page_bytes = boot->page_bytes * g.flash_pages_per_page;
    g.sectors_per_page = g.page_bytes / PAGE_MAP_SECTOR_BYTES;
    g.sectors_per_strip = g.sectors_per_page / g.row_planes;
    g.sectors_per_flash_page = boot->page_bytes / PAGE_MAP_SECTOR_BYTES;
    g.unit_bytes = boot->mapping_unit;
    g.sectors_per_unit = g.unit_bytes / PAGE_MAP_SECTOR_BYTES;
    g.units_per_page = g.page_bytes / g.unit_bytes;
    g.units_per_strip = g.units_per_page / g.row_planes;
    g.units_per_flash_page = g.units_per_page / g.flash_pages_per_page;
    g.units_per_block = g.pages_per_block * g.units_per_page;
    g.has_parity = boot->superblock_parity != 0;
    g.data_units_per_block = g.units_per_block - (g.has_parity ? g.units_per_block / g.width : 0);
    g.full_unit = 0xFFFFFFFFu >> (32 - g.sectors_per_unit);
    g.planes = g.groups * g.planes_per_group;
    g.blocks = g.groups * g.blocks_per_group;
    g.units = g.blocks * g.units_per_block;
    g.slc_pages = boot->pslc_pages * g.width;
    g.streams = boot->placement_handles == 0 ? 4 : 2 * boot->placement_handles;
    return g;
}

/* A block of the layer has several blocks of the flash. */
static inline bool geometry_is_joined(const struct geometry* g)
{
    return g->row_planes * g->width != 1;
}

/* The dies of a group, 0 .. width - 1: neighbours are on different channels, if there are several. */
static inline uint32_t die_in_group(const struct geometry* g, uint32_t group, uint32_t index)
{
    if (g->width == 1)
        return group;
    const uint32_t at = group * g->width + index;
    const uint32_t chip = at / g->channels;
    return (at % g->channels * g->ways + chip % g->ways) * g->luns + chip / g->ways;
}

struct checkpoint_block { /* of the block table */
    uint32_t erases;
    uint16_t covered;
    uint16_t bad;
};

struct checkpoint_layout { /* the same at each power-on */
    uint32_t blocks_per_page, entries_per_page;
    uint32_t block_pages, map_pages, pages; /* the commit page is the last one */
    uint32_t blocks;                        /* that it takes */
};

static inline struct checkpoint_layout checkpoint_layout_of(const struct geometry* g, uint32_t logical_units)
{
    const uint32_t block_bytes = sizeof(struct checkpoint_block);
    const uint32_t entry_bytes = sizeof(uint32_t);
    struct checkpoint_layout layout;
    layout.blocks_per_page = g->page_bytes / block_bytes;
    layout.entries_per_page = g->page_bytes / entry_bytes;
    layout.block_pages = (g->blocks + layout.blocks_per_page - 1) / layout.blocks_per_page;
    layout.map_pages = (logical_units + layout.entries_per_page - 1) / layout.entries_per_page;
    layout.pages = layout.block_pages + layout.map_pages + 1;
    layout.blocks = (layout.pages + g->pages_per_block - 1) / g->pages_per_block;
    return layout;
}

/* Share of the plane in `blocks` per die: of each of its planes of the flash. */
static inline uint32_t share_of_plane(const struct geometry* g, uint32_t plane, uint32_t blocks)
{
    return (blocks + g->planes_per_die - 1 - plane % g->planes_per_group) / g->planes_per_die;
}

/* Blocks of the plane that the pSLC cache may take; those that are reserved for it. */
static inline uint32_t capacity_slc_blocks(const struct boot_block* boot, const struct geometry* g, uint32_t plane)
{
    return boot->pslc_cache == PSLC_CACHE_MODE_NONE ? 0 : share_of_plane(g, plane, boot->pslc_cache_blocks);
}
static inline uint32_t capacity_reserved_slc_blocks(const struct boot_block* boot, const struct geometry* g,
                                                    uint32_t plane)
{
    return boot->pslc_cache == PSLC_CACHE_MODE_STATIC ? capacity_slc_blocks(boot, g, plane) : 0;
}

static inline uint32_t capacity_zero_units(const struct geometry* g)
{
    return g->dies < ZERO_UNITS ? g->dies : ZERO_UNITS;
}

/* Streams of host data with open blocks of their own. */
static inline uint32_t capacity_host_streams(const struct boot_block* boot)
{
    if (boot->placement_handles != 0)
        return boot->placement_handles;
    return boot->host_streams == HOST_STREAMS_HOT_COLD ? 2 : 1;
}

/* The same of data that collection moves. */
static inline uint32_t capacity_move_streams(const struct boot_block* boot)
{
    const bool is_persistent = boot->placement_isolation == PLACEMENT_ISOLATION_PERSISTENTLY;
    return boot->placement_handles != 0 && is_persistent ? boot->placement_handles : 1;
}

/* Stripes whose parity is not in flash, at most: of each plane one that is not full for each stream, those
 * that may be behind, and those of moves that were in progress then. The XOR engine has an accumulator for each of
 * their strips in a plane of the flash (row_planes). */
#define CAPACITY_ACCUMULATORS 4096u /* that the engine has: a descriptor names them with 12 bits */
static inline uint32_t capacity_stripes(const struct geometry* g)
{
    return g->has_parity ? g->planes * (g->streams + PARITY_BEHIND + GC_WINDOW_BLOCKED * g->width / (g->width - 1) + 2)
                         : 0;
}

struct capacity_blocks { /* counted plane by plane */
    uint32_t good;
    uint32_t usable; /* that can hold data while garbage collection can still gain a block in every plane */
};

static inline void capacity_add_plane(struct capacity_blocks* blocks, const struct geometry* g,
                                      const struct boot_block* boot, uint32_t plane, uint32_t good)
{
    const uint32_t kept = share_of_plane(g, plane, boot->spare_blocks) + capacity_reserved_slc_blocks(boot, g, plane) +
                          PLANE_OVERHEAD + capacity_host_streams(boot) - 1 + capacity_move_streams(boot) - 1 +
                          (boot->gc_pacing != GC_PACING_NONE ? PACED_OVERHEAD : 0);
    blocks->good += good;
    blocks->usable += good > kept ? good - kept : 0;
}

/* A block with more valid units is not a victim: its units would fill as many pages again. */
static inline uint32_t capacity_most_valid(const struct geometry* g)
{
    return g->data_units_per_block - g->units_per_page;
}

/* Beside two checkpoints, and a journal that is full. Every block may have nearly a page of invalid units and still be
 * no victim, so these do not count. */
static inline uint64_t capacity_most_units(const struct capacity_blocks* blocks, const struct geometry* g)
{
    const uint32_t per_block = capacity_most_valid(g) + 1;
    const uint32_t units = blocks->usable * per_block;
    const uint64_t tables = 2 * checkpoint_layout_of(g, units).blocks + JOURNAL_BLOCKS + 2;
    const uint64_t kept = capacity_zero_units(g) + tables * g->data_units_per_block;
    return units > kept ? units - kept : 0;
}

/* The units that remain after over-provisioning, whether they can be offered or not. */
static inline uint64_t capacity_share(const struct capacity_blocks* blocks, const struct geometry* g,
                                      uint32_t overprovision_permille)
{
    const uint64_t good = blocks->good;
    return good * g->data_units_per_block * (1000 - overprovision_permille) / 1000;
}

/* Slots of the data buffer that each use needs at least, so that it cannot come to a stop: units that wait for others
 * to fill a page with never take all of them. */
static inline uint32_t capacity_least_writes(const struct geometry* g, uint32_t lanes)
{
    return 2 * (lanes * (g->units_per_page - 1) + g->units_per_page); /* half of them may be partial units */
}
static inline uint32_t capacity_least_moves(const struct geometry* g)
{
    const uint32_t least = g->planes * (g->units_per_page - 1) + g->units_per_page;
    return least < MIN_MOVE_SLOTS ? MIN_MOVE_SLOTS : least;
}
/* Of `slots` besides slot 0, those for moves: so many per die, at most their part of the buffer, but what they need. */
static inline uint32_t capacity_move_slots(const struct geometry* g, uint32_t slots)
{
    const uint32_t least = capacity_least_moves(g);
    const uint32_t part = slots / MOVE_SLOTS_PART;
    const uint32_t most = MOVE_SLOTS_PER_DIE * g->dies * g->units_per_page;
    const uint32_t moves = most < part ? most : part;
    return moves < least ? least : moves;
}
/* Those for writes if the boot block names no limit: half of them, but no more than two thirds of what moves leave. */
static inline uint32_t capacity_usual_writes(const struct geometry* g, uint32_t slots)
{
    const uint32_t moves = capacity_move_slots(g, slots);
    return moves <= slots / MOVE_SLOTS_PART || moves >= slots ? slots / 2 : (slots - moves) * 2 / 3;
}
static inline uint32_t capacity_allocation_groups(const struct boot_block* boot)
{
    return boot->command_placement == COMMAND_PLACEMENT_CHANNEL ? boot->channels : 1;
}
/* A lane is a stream of an allocation group. */
static inline uint32_t capacity_lanes(const struct boot_block* boot)
{
    return capacity_allocation_groups(boot) * capacity_host_streams(boot);
}
/* With slot 0. */
static inline uint32_t capacity_least_slots(const struct boot_block* boot, const struct geometry* g)
{
    return 1 + MIN_READ_SLOTS + capacity_least_writes(g, capacity_lanes(boot)) + capacity_least_moves(g);
}

#endif
