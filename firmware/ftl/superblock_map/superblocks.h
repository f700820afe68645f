/* SPDX-License-Identifier: Apache-2.0
 *
 * The pool of physical superblocks: their blocks, their erase counts, which of them are free, and the spare blocks that
 * replace failed ones.
 *
 * The block list of every superblock is in control memory, where the hardware reads it. Reads that began before a
 * superblock was freed may still use it, so it is taken again only after they have ended (a fence, read_progress.h).
 *
 * Invariants: a superblock is in its group's free list (`member` and `heap`) exactly if its state is SUPERBLOCK_FREE;
 * heap[rank] and member[place] of it are its number; no block belongs to two superblocks that are usable.
 */
#ifndef STROBE_SUPERBLOCK_MAP_SUPERBLOCKS_H
#define STROBE_SUPERBLOCK_MAP_SUPERBLOCKS_H

#include "firmware/drivers/arena.h"
#include "firmware/ftl/superblock_map/layout.h"
#include "firmware/ftl/superblock_map/read_progress.h"

enum superblock_state {
    SUPERBLOCK_UNUSABLE, /* a block of it is bad and there was no spare */
    SUPERBLOCK_RESERVED, /* journal or parking area */
    SUPERBLOCK_FREE,
    SUPERBLOCK_TARGET, /* being written, not in the map */
    SUPERBLOCK_MAPPED,
    SUPERBLOCK_LEAVING /* replaced in the map, but not yet in the log */
};

struct superblock {
    uint32_t erases;
    uint32_t logical;  /* mapped: its logical superblock */
    uint32_t place;    /* free: its index in the group's list … */
    uint32_t rank;     /* … and in the heap */
    uint32_t freed_at; /* number of the release; without implicit wear levelling free ones are taken in this order */
    struct fence fence;
    uint8_t state;
};

/* A replaced block; block SUPERBLOCK_DROPPED: no spare was left, and the superblock is unusable. */
struct replacement {
    uint32_t superblock;
    uint32_t chip_and_block; /* chip in bits 31:24, block in bits 23:0 */
};
#define SUPERBLOCK_DROPPED 0xFFFFFFu

struct free_list {
    uint32_t* member; /* in no order */
    uint32_t* heap;   /* the same superblocks; the next one to be taken is on top */
    uint32_t count;
};

struct superblocks {
    const struct layout* layout;
    struct read_progress* reads;
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
    bool erased;           /* a superblock was erased since explicit wear levelling found nothing to do */
};

/* All good superblocks are free; `boot->bad_block_table` names the bad blocks. */
void superblocks_init(struct superblocks* all, const struct layout* layout, struct read_progress* reads,
                      const struct boot_block* boot, struct arena* arena);

static inline bus_address superblock_blocks(const struct superblocks* all, uint32_t number)
{
    return all->blocks_at + number * all->layout->chips * 4;
}

/* The superblock that has its block list at that address. */
static inline uint32_t superblock_at(const struct superblocks* all, bus_address list)
{
    return (list - all->blocks_at) / (all->layout->chips * 4);
}

/* Removes a free superblock permanently from the pool, for the journal or the parking area. NONE: the superchip has
 * none.
 */
uint32_t superblocks_reserve(struct superblocks* all, uint32_t superchip);

/* The next destination in a group, which becomes a target; NONE: every free one may still be read. */
uint32_t superblocks_take(struct superblocks* all, uint32_t group);
/* The same for a given free superblock. */
void superblocks_take_this(struct superblocks* all, uint32_t number);
void superblocks_map(struct superblocks* all, uint32_t number, uint32_t logical);
/* Frees a target, or a superblock that neither the map nor the log refers to. */
void superblocks_release(struct superblocks* all, uint32_t number);

/* Replaces a failed block by a spare of the same plane and returns true; without a spare the superblock becomes
 * unusable, and false is returned. Either is recorded at the end of `replaced`. */
bool superblocks_replace(struct superblocks* all, uint32_t number, uint32_t chip);

/* For recovery: repeats a recorded replacement; builds the pool again after the mapped superblocks were marked. */
void superblocks_replace_again(struct superblocks* all, struct replacement replacement);
void superblocks_rebuild_pool(struct superblocks* all);

#endif
