/* SPDX-License-Identifier: Apache-2.0
 *
 * Physical superblocks: which blocks they are made of, how often they were erased, which are free, and the spare blocks
 * that replace those that fail.
 *
 * The block list of every superblock stands in control memory, where the hardware reads it. A superblock that is freed
 * may still be read by commands that were given to the hardware before: it is taken again only when those have ended
 * (a fence of reads.h).
 */
#ifndef STROBE_SUPERBLOCKS_H
#define STROBE_SUPERBLOCKS_H

#include "firmware/drivers/arena.h"
#include "firmware/ftl/superblock_map/layout.h"
#include "firmware/ftl/superblock_map/reads.h"

enum superblock_state {
    SUPERBLOCK_UNUSABLE, /* a block of it is bad and there was no spare */
    SUPERBLOCK_RESERVED, /* journal or parking area */
    SUPERBLOCK_FREE,
    SUPERBLOCK_TARGET, /* being written; nothing refers to it */
    SUPERBLOCK_MAPPED,
    SUPERBLOCK_LEAVING /* replaced in the map, but not yet in the log */
};

struct superblock {
    uint32_t erases;
    uint32_t logical;  /* mapped: of which */
    uint32_t freed_at; /* counts releases: the order in which free ones are taken without implicit wear levelling */
    struct fence fence;
    uint32_t member, heap; /* free: where it stands in its group's free_list */
    uint8_t state;
};

/* A block that was replaced; `block` SUPERBLOCK_DROPPED: there was no spare, and the superblock is unusable. */
struct replacement {
    uint32_t superblock;
    uint32_t chip_and_block; /* chip in bits 31:24 */
};
#define SUPERBLOCK_DROPPED 0xFFFFFFu

struct free_list {
    uint32_t* member; /* in no order */
    uint32_t* heap;   /* the same, the next to be taken first */
    uint32_t count;
};

struct superblocks {
    const struct layout* layout;
    struct superblock* superblock;
    bus_address blocks_at; /* chips words per superblock */
    uint32_t* blocks;
    struct free_list* free; /* per group */
    uint32_t* spares;       /* bitmap over all blocks of all dies */
    uint32_t* usable;       /* per group: neither unusable nor reserved */
    struct replacement* replaced;
    uint32_t replacements, most_replacements;
    uint32_t releases;
    bool least_worn_first; /* implicit wear levelling */
    bool erased;           /* since explicit wear levelling looked */
};

/* Everything that is good is free. `boot->bad_block_table` says what is good. */
void superblocks_init(struct superblocks* all, const struct layout* layout, const struct boot_block* boot,
                      struct arena* arena);

static inline bus_address superblock_blocks(const struct superblocks* all, uint32_t number)
{
    return all->blocks_at + number * all->layout->chips * 4;
}

/* The superblock whose block list stands at that address. */
static inline uint32_t superblock_at(const struct superblocks* all, bus_address list)
{
    return (list - all->blocks_at) / (all->layout->chips * 4);
}

/* Takes a free superblock out of the pool: for areas of their own. NONE: none of the superchip is left. */
uint32_t superblocks_reserve(struct superblocks* all, uint32_t superchip);

/* The next destination in a group, now a target; NONE: no free one that nobody reads. */
uint32_t superblocks_take(struct superblocks* all, uint32_t group);
/* The same for a certain one. */
void superblocks_take_this(struct superblocks* all, uint32_t number);
void superblocks_map(struct superblocks* all, uint32_t number, uint32_t logical);
/* A target, or one that is out of map and log, is free. */
void superblocks_release(struct superblocks* all, uint32_t number);

/* A block has failed: its place is taken by a spare of the same plane, and true is returned, or the superblock becomes
 * unusable. What has happened is kept in `replaced`. */
bool superblocks_replace(struct superblocks* all, uint32_t number, uint32_t chip);

/* Recovery: the same again, as it was recorded; and the pool anew, when the mapped ones are marked. */
void superblocks_replace_again(struct superblocks* all, struct replacement replacement);
void superblocks_rebuild_pool(struct superblocks* all);

#endif
