/* SPDX-License-Identifier: Apache-2.0
 *
 * The circular sector buffer and the tables of the sectors in it. The inbound feeder appends sectors; sector number n
 * (free-running) is at place n % sectors of the ring. Space is freed from the oldest sector on, up to the first sector
 * that is still needed.
 *
 * Sectors are kept per logical superblock in entries. An entry has a sector table, which the hardware reads: a word per
 * sector of the superblock, the address of the buffered sector or 0. Trimmed sectors are buffered sectors that contain
 * zeros: they share one sector outside the ring. A superblock has at most one open entry, which takes writes, and at
 * most one older entry, which is being merged and no longer changes.
 *
 * Stamps order the writes of the host: each piece that is placed, and each trim, gets the next stamp. The stamp of an
 * entry is that of its first write, so the entries of a superblock are merged in the order of their stamps.
 *
 * Invariants: given_back <= tail <= placed <= head (free-running); sectors of the ring before `tail` have no owner; an
 * entry's `sectors` and `trimmed` count the words of its table; `open` counts the entries in state ENTRY_OPEN.
 */
#ifndef STROBE_SUPERBLOCK_MAP_SECTOR_BUFFER_H
#define STROBE_SUPERBLOCK_MAP_SECTOR_BUFFER_H

#include "firmware/drivers/arena.h"
#include "firmware/ftl/superblock_map/buffer_ring.h"
#include "firmware/ftl/superblock_map/layout.h"
#include "firmware/ftl/superblock_map/policy.h"
#include "firmware/ftl/superblock_map/read_progress.h"

enum entry_state { ENTRY_FREE, ENTRY_OPEN, ENTRY_MERGING };

struct entry {
    uint32_t logical;
    uint32_t stamp, last; /* of the first and of the last write */
    uint32_t sectors;     /* buffered, trimmed ones included */
    uint32_t trimmed;     /* of these */
    uint32_t first;       /* no sector of the ring with a smaller number is of this entry */
    uint32_t older;       /* the entry of the same superblock that is being merged, or NONE */
    struct fence fence;   /* free: reads that may still use its table */
    uint8_t state;
    bool must;        /* a flush or a write-through command waits until it is in flash */
    bool was_trimmed; /* in part: not all its valid sectors are parked */
    bool starved;     /* there is no free superblock for it now */
};

struct sector_buffer {
    const struct layout* layout;
    struct read_progress* reads;
    bus_address base, zeros;
    uint32_t sectors;      /* of the ring, a power of two */
    uint32_t most;         /* of these that may be in use, after the first round */
    uint32_t head;         /* number after the youngest sector that has arrived */
    uint32_t placed;       /* all sectors before it have an owner */
    uint32_t tail;         /* no sector before it is needed */
    uint32_t given_back;   /* all sectors before it are given back to the feeder … */
    uint32_t published;    /* … whose register has this value */
    uint32_t hold;         /* while `holding`: sectors from here on are being parked and are not given back */
    bool holding, closing; /* closing: `closing_at` is given back when the reads of `closing_fence` have ended */
    uint32_t closing_at;
    struct fence closing_fence;
    uint32_t* owner; /* per place: entry and sector, or one of the two values below */
    struct entry* entry;
    uint32_t entries, open; /* all; those that are open */
    bus_address tables_at;
    uint32_t* tables;
    uint8_t* newest;       /* per logical superblock: entry + 1, 0: none */
    bus_address* buffered; /* per logical superblock, for the synthesizer; null: there is none */
    uint32_t stamp;        /* the last one that was assigned */
};
#define OWNER_NOT_ARRIVED 0xFFFFFFFFu
#define OWNER_NONE 0xFFFFFFFEu
#define BUFFERED_TWICE 0xFFFFFFFFu /* for the synthesizer: firmware makes these reads */

struct sector_buffer_size {
    bus_address base;  /* of the ring, which the sector of zeros follows */
    uint32_t sectors;  /* that may be in use; the ring is the next power of two */
    uint32_t entries;  /* at most MOST_ENTRIES */
    uint32_t logicals; /* logical superblocks */
};

void sector_buffer_init(struct sector_buffer* buffer, const struct layout* layout, struct read_progress* reads,
                        struct arena* arena, const struct sector_buffer_size* size, bool synthesizer);

/* Empties the ring, as required when the feeder starts. REQUIRES: no entry is in use. */
void sector_buffer_reset(struct sector_buffer* buffer);
/* Keeps the sectors of a drive that becomes read-only during recovery readable, and moves the ring to other memory: the
 * unused rest of the ring, or the `room` sectors at `room_at`, whichever is larger. Returns false if there is neither.
 * REQUIRES: the ring has not wrapped around. */
bool sector_buffer_keep(struct sector_buffer* buffer, bus_address room_at, uint32_t room);

static inline bus_address buffer_address(const struct sector_buffer* buffer, uint32_t number)
{
    return buffer->base + number % buffer->sectors * SECTOR_BYTES;
}
static inline bus_address entry_table_at(const struct sector_buffer* buffer, uint32_t entry)
{
    return buffer->tables_at + entry * buffer->layout->sectors * 4;
}
static inline uint32_t* entry_table(const struct sector_buffer* buffer, uint32_t entry)
{
    return buffer->tables + entry * buffer->layout->sectors;
}
/* The newest entry of a logical superblock, or NONE. */
static inline uint32_t entry_of(const struct sector_buffer* buffer, uint32_t logical)
{
    return buffer->newest[logical] == 0 ? NONE : buffer->newest[logical] - 1u;
}
/* Sectors that may be written before space has to be freed. */
static inline uint32_t buffer_free(const struct sector_buffer* buffer)
{
    const uint32_t used = buffer->head - buffer->tail;
    return used < buffer->most ? buffer->most - used : 0;
}

/* --- entries ------------------------------------------------------------------------------------------------------ */

/* The open entry of a logical superblock, a new one if there is none; NONE: no entry is free. */
uint32_t entry_open(struct sector_buffer* buffer, uint32_t logical);
void entry_freeze(struct sector_buffer* buffer, uint32_t entry);  /* REQUIRES: the superblock has no older entry */
void entry_release(struct sector_buffer* buffer, uint32_t entry); /* its sectors are in flash */

/* --- sectors ------------------------------------------------------------------------------------------------------ */

/* The feeder has stored these sectors; they have no owner yet. */
void buffer_arrived(struct sector_buffer* buffer, uint32_t number, uint32_t sectors);
/* Sectors of the ring from `number` on become those of the entry from `sector` on. */
void buffer_put(struct sector_buffer* buffer, uint32_t entry, uint32_t sector, uint32_t number, uint32_t sectors);
void buffer_discard(struct sector_buffer* buffer, uint32_t number); /* the sector is not needed */
void buffer_trim(struct sector_buffer* buffer, uint32_t entry, uint32_t sector);

/* The entry that needs a sector of the ring, or NONE; and the sector of its superblock that it is. */
uint32_t buffer_owner(const struct sector_buffer* buffer, uint32_t number);
/* The owner as if no sector from number `until` on had been written: sectors overwritten since then are included.
 */
uint32_t buffer_owner_before(const struct sector_buffer* buffer, uint32_t number, uint32_t until);
uint32_t buffer_sector(const struct sector_buffer* buffer, uint32_t number);

/* The youngest discarded sector, or NONE; a needed sector is assigned to such a place after it was copied there. */
uint32_t buffer_unneeded(const struct sector_buffer* buffer);
void buffer_move(struct sector_buffer* buffer, uint32_t number, uint32_t to);
/* The same to a place outside the ring; false: it has no owner. */
bool buffer_move_out(struct sector_buffer* buffer, uint32_t number, bus_address to);

/* Returns sectors that are no longer needed to the feeder, a limited number in each call; true: more may be free. */
bool buffer_run(struct sector_buffer* buffer);

#endif
