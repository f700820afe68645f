/* SPDX-License-Identifier: Apache-2.0
 *
 * The block table. Per block: state, erase count, valid units. Per plane: free blocks (a heap by erase count), full
 * blocks (lists by number of valid units, so that the block with the fewest is found without a search), spares, and
 * failed blocks that are to be emptied and retired.
 *
 *   free -> open -> full -> collecting -> free        a failed block is collected too and ends as bad
 *   free -> tables -> full, without a valid unit      journal, checkpoints
 *
 * A block is full, and may become a victim, when all its pages are taken and no program of it is in progress.
 *
 * Owner of: the state of every block and plane, and the sets of planes that changed. This file adds planes to the sets;
 * it calls none of the parts that drain them.
 *   to_collect   for the collector: a free block was taken for host data or tables, a block was erased, a block failed,
 *                a block that is due (refresh.h) became full, or a plane that had nothing to collect (`dry`) has a
 * block that may be a victim. A block opened for moved data is not a reason: that plane is being collected.
 *   parity_due   for parity.h: a stripe was ended before it was full.
 *   room_changed for write-out: blocks_have_page() or blocks_next_die() of the plane may have changed for a stream of
 *                host data.
 *
 * Invariants: plane.free, plane.full and plane.spares count the blocks in those states; no full block of a plane has
 * fewer than plane.fewest valid units; block.valid <= the units of block.taken pages; block.flying is 0 in every full
 * block.
 */
#ifndef STROBE_PAGE_MAP_BLOCKS_H
#define STROBE_PAGE_MAP_BLOCKS_H

#include "firmware/drivers/arena.h"
#include "firmware/ftl/page_map/geometry.h"
#include "firmware/ftl/page_map/plane_set.h"
#include "firmware/ftl/page_map/policy.h"

enum block_state {
    BLOCK_FREE,
    BLOCK_OPEN,
    BLOCK_CLOSING,
    BLOCK_FULL,
    BLOCK_COLLECTING,
    BLOCK_SPARE,
    BLOCK_TABLES,
    BLOCK_BAD
};

/* Source of the data: host data and data moved by garbage collection go to different blocks. Host data that is cached
 * goes to blocks in pSLC mode (pslc_cache.h), hot host data to blocks of its own (heat.h). With data placement
 * (placement.h) host data has a stream for each placement handle: STREAM_HOST, STREAM_HOT and those after it; so has
 * moved data if it stays with its handle: STREAM_MOVE and those after it. */
enum stream {
    STREAM_HOST,
    STREAM_SLC,
    STREAM_HOT,
    STREAM_MOVE = STREAM_HOT + BOOT_BLOCK_PLACEMENT_HANDLES_MAX - 1,
    STREAMS = STREAM_MOVE + BOOT_BLOCK_PLACEMENT_HANDLES_MAX
};

static inline bool stream_is_moved(enum stream stream)
{
    return stream >= STREAM_MOVE;
}
/* Number `index` of the streams of host data, 0 being `first`: of hot and cold data, or of placement handles. */
static inline enum stream stream_of_host(uint32_t index, enum stream first)
{
    return index == 0 ? first : (enum stream)(STREAM_HOT + index - 1);
}
static inline enum stream stream_of_moves(uint32_t handle)
{
    return (enum stream)(STREAM_MOVE + handle);
}
/* The placement handle that the stream is of; hot data: 1. */
static inline uint32_t stream_handle(enum stream stream)
{
    if (stream_is_moved(stream))
        return (uint32_t)stream - STREAM_MOVE;
    return stream >= STREAM_HOT ? (uint32_t)stream - STREAM_HOT + 1 : 0;
}

struct block {
    uint32_t erases;
    uint32_t stamp;      /* clock of the last change of its contents: its age is clock - stamp */
    uint32_t prev, next; /* in a list of its plane */
    uint32_t valid;      /* units */
    uint16_t plane;
    uint16_t taken;     /* pages handed out since the last erase */
    uint16_t flying;    /* programs in progress: one for each strip of a page */
    uint8_t state;      /* enum block_state */
    bool failed : 1;    /* a program failed: to be emptied and retired */
    bool slc : 1;       /* in pSLC mode, since it was opened for cached data */
    uint8_t due : 2;    /* its data is to be moved: enum refresh_reason (refresh.h) */
    bool moved : 1;     /* holds data that collection has moved there */
    uint8_t handle : 3; /* of its data: stream_handle() */
};

struct plane {
    uint32_t free;          /* blocks in the heap */
    uint32_t good;          /* factory good blocks */
    uint32_t spares;        /* blocks in the spare list */
    uint32_t owed;          /* spares that are still among the other blocks: none was empty when they were set aside */
    uint32_t spare_list;    /* linked by block.next */
    uint32_t failed_list;   /* linked by block.next: closed, failed, waiting to be emptied */
    uint32_t fewest;        /* no full block has fewer valid units than this */
    uint32_t full;          /* blocks in the lists */
    uint32_t most_erases;   /* of any block of the plane */
    uint32_t slc;           /* blocks in pSLC mode */
    bool dry;               /* needs collection, but no full block may be a victim */
    uint8_t behind;         /* stripes whose pages are all taken and whose parity is not in flash (parity.h) */
    uint32_t open[STREAMS]; /* block or NONE */
};

struct block_table {
    struct geometry geometry;
    struct block* block;
    struct plane* plane;
    uint32_t* heap;        /* blocks_per_plane entries per plane */
    uint32_t* lists;       /* units_per_block + 1 heads per plane, by valid units */
    uint32_t clock;        /* counts page writes */
    uint32_t* opened;      /* per block: clock when it was opened; NULL: host data has one stream (heat.h) */
    uint32_t slc_reserved; /* blocks of a plane that only cached data takes */
    struct plane_set to_collect, room_changed, parity_due;
};

static inline uint32_t blocks_pages_of(const struct block_table* table, uint32_t block)
{
    return table->block[block].slc ? table->geometry.slc_pages : table->geometry.pages_per_block;
}
static inline uint32_t blocks_units_of_strip(const struct block_table* table, uint32_t block)
{
    return table->block[block].slc ? table->geometry.units_per_flash_page : table->geometry.units_per_strip;
}
static inline uint32_t blocks_units_of_page(const struct block_table* table, enum stream stream)
{
    const struct geometry* g = &table->geometry;
    return stream == STREAM_SLC ? g->row_planes * g->units_per_flash_page : g->units_per_page;
}
/* Place of sector `sector` of a physical unit, as the flash controller numbers it. */
static inline struct flash_place blocks_place(const struct block_table* table, uint32_t unit, uint32_t sector)
{
    const struct geometry* g = &table->geometry;
    if (g->slc_pages != 0 && table->block[block_of_unit(g, unit)].slc)
        return geometry_slc_place(g, unit, sector);
    return place_of_unit(g, unit, sector);
}
/* A full block that is in the list of its valid units, so that it may be a victim. Not those of a reserved cache:
 * emptying one gains no room for other data. */
static inline bool blocks_is_listed(const struct block_table* table, const struct block* block)
{
    return block->state == BLOCK_FULL && !block->failed && !(block->slc && table->slc_reserved != 0);
}
/* Free blocks of a plane that are not reserved for cached data. Moved data takes those, too: emptying its source gives
 * one back. */
static inline uint32_t blocks_free(const struct block_table* table, uint32_t plane)
{
    const struct plane* p = &table->plane[plane];
    const uint32_t reserved = table->slc_reserved > p->slc ? table->slc_reserved - p->slc : 0;
    return p->free > reserved ? p->free - reserved : 0;
}

void blocks_init(struct block_table* table, struct arena* arena, const struct geometry* geometry);

/* Adds every plane to to_collect: there is another reason to collect. */
void blocks_collect_all(struct block_table* table);
/* Adds every plane to both sets: the table was rebuilt. */
void blocks_all_changed(struct block_table* table);

void blocks_add_free(struct block_table* table, uint32_t block);       /* erased, good */
void blocks_add_spare(struct block_table* table, uint32_t block);      /* erased, good, kept back */
uint32_t blocks_take_spare(struct block_table* table, uint32_t plane); /* or NONE */
/* Takes a free block: the least worn for host data, the most worn for moved (cold) data. NONE: there is none. */
uint32_t blocks_take_free(struct block_table* table, uint32_t plane, enum stream stream);

/* Takes a free block, the least worn, for tables. REQUIRES: there is one. */
uint32_t blocks_take_for_tables(struct block_table* table, uint32_t plane);
/* A block that is not free is in pSLC mode from now on, until it is erased. */
void blocks_enter_slc(struct block_table* table, uint32_t block);
/* A block that takes no more pages: it held tables, or was found after a power loss. */
void blocks_add_full(struct block_table* table, uint32_t block);
/* A plane without an open block of the stream goes on with this one, of which `taken` pages are taken. */
void blocks_open_again(struct block_table* table, uint32_t block, enum stream stream, uint16_t taken);

/* The next page of the stream's open block, by its first unit, opening a free block where needed; counts the programs
 * of its strips as in progress. With the last page of data of a stripe that of its parity is taken, too. `keep`: free
 * blocks that must remain. NONE: there is no page. */
uint32_t blocks_take_page(struct block_table* table, uint32_t plane, enum stream stream, uint32_t keep);
static inline bool blocks_have_page(const struct block_table* table, uint32_t plane, enum stream stream, uint32_t keep)
{
    const bool is_host = stream != STREAM_SLC && !stream_is_moved(stream);
    const uint32_t free = is_host ? blocks_free(table, plane) : table->plane[plane].free;
    return table->plane[plane].open[stream] != NONE || free > keep;
}
/* The die of the page that blocks_take_page() returns next, if there is one. */
static inline uint32_t blocks_next_die(const struct block_table* table, uint32_t plane, enum stream stream)
{
    const uint32_t open = table->plane[plane].open[stream];
    return die_of_page(&table->geometry, plane, open == NONE ? 0 : table->block[open].taken);
}
/* Parity must catch up before more pages of the plane are taken for host data, or victims are read. */
static inline bool blocks_are_behind(const struct block_table* table, uint32_t plane)
{
    return table->plane[plane].behind >= PARITY_BEHIND;
}
/* The parity of a stripe of the block is in flash, or its program has failed. */
void blocks_parity_ended(struct block_table* table, uint32_t block);
/* The program of a strip of the block has ended. */
void blocks_program_ended(struct block_table* table, uint32_t block);
/* A program of the block has failed: no more pages are taken from it. False: an earlier program had failed already. */
bool blocks_fail(struct block_table* table, uint32_t block);

/* With parity, an open block whose last stripe is not full: the rest of the stripe stays blank, and its parity page is
 * taken. */
void blocks_end_stripe(struct block_table* table, uint32_t block);

/* An open block takes no more pages. With parity its last stripe is ended. */
void blocks_close(struct block_table* table, uint32_t block);

void blocks_unit_valid(struct block_table* table, uint32_t block);
void blocks_units_valid(struct block_table* table, uint32_t block, uint32_t units);
void blocks_unit_invalid(struct block_table* table, uint32_t block);

/* Removes a full block from its list, to be emptied. */
void blocks_collect(struct block_table* table, uint32_t block);
/* The plane's next failed block, to be emptied and retired, or NONE. */
uint32_t blocks_take_failed(struct block_table* table, uint32_t plane);
/* The emptied block was erased: free again. */
void blocks_erased(struct block_table* table, uint32_t block);
void blocks_retire(struct block_table* table, uint32_t block);

static inline uint32_t* blocks_list(const struct block_table* table, uint32_t plane, uint32_t valid)
{
    return &table->lists[plane * (table->geometry.units_per_block + 1) + valid];
}

#endif
