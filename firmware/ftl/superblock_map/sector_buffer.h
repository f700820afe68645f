/* SPDX-License-Identifier: Apache-2.0
 *
 * The circular sector buffer, and what is known of the sectors in it. The inbound feeder appends sectors; sector number
 * n (free-running) lies at n % sectors. It is freed from the oldest sector on, up to the first that is still needed.
 *
 * Sectors are kept per logical superblock in entries. An entry has a sector table, which the hardware reads: a word per
 * sector of the superblock, the address of the buffered sector or 0. Trimmed sectors are buffered sectors full of
 * zeros: they share one, outside the circle. A superblock has at most one open entry, which takes writes, and behind it
 * at most one that is being merged, whose table does not change any more.
 *
 * Stamps order what the host does: each piece that is placed, and each trim, gets the next one. The stamp of an entry
 * is that of its first write, so the entries of a superblock are merged in the order of their stamps.
 */
#ifndef STROBE_SECTOR_BUFFER_H
#define STROBE_SECTOR_BUFFER_H

#include "firmware/drivers/arena.h"
#include "firmware/ftl/superblock_map/layout.h"
#include "firmware/ftl/superblock_map/policy.h"
#include "firmware/ftl/superblock_map/reads.h"

enum entry_state { ENTRY_FREE, ENTRY_OPEN, ENTRY_MERGING };

struct entry {
    uint32_t logical;
    uint32_t stamp, last; /* of the first and of the last write */
    uint32_t sectors;     /* buffered, trimmed ones included */
    uint32_t trimmed;     /* of these */
    uint32_t first;       /* number before which no sector of the circle is of this entry */
    uint32_t older;       /* the entry of the same superblock that is being merged, or NONE */
    struct fence fence;   /* free: reads that may still look at its table */
    uint8_t state;
    bool must;        /* somebody waits for it to be in flash */
    bool was_trimmed; /* in part: what is parked of it is not all that counts */
    bool starved;     /* there is no free superblock for it now */
};

struct sector_buffer {
    const struct layout* layout;
    bus_address base, zeros;
    uint32_t sectors;      /* of the circle, a power of two */
    uint32_t most;         /* of these that may be in use, once as many have been */
    uint32_t head;         /* behind the youngest sector that has arrived */
    uint32_t placed;       /* everything before has an owner */
    uint32_t tail;         /* everything before is not needed any more */
    uint32_t told;         /* everything before is given back to the feeder … */
    uint32_t published;    /* … which knows so much of it */
    uint32_t hold;         /* not to be given back, for it is being parked; as long as `holding` */
    bool holding, closing; /* closing: `closing_at` is given back when the reads of `closing_fence` have ended */
    uint32_t closing_at;
    struct fence closing_fence;
    uint32_t* owner; /* per place: entry and sector, or one of the two below */
    struct entry* entry;
    uint32_t entries, open; /* all; those that are open */
    bus_address tables_at;
    uint32_t* tables;
    uint8_t* newest;       /* per logical superblock: entry + 1, 0: none */
    bus_address* buffered; /* per logical superblock, for the synthesizer; null: there is none */
    uint32_t stamp;        /* the last one given */
};
#define OWNER_NOT_ARRIVED 0xFFFFFFFFu
#define OWNER_NOBODY 0xFFFFFFFEu
#define BUFFERED_TWICE 0xFFFFFFFFu /* for the synthesizer: left to firmware */

/* The circle of at least `most` sectors, a power of two, and behind it the sector of zeros lie at `base`. */
void sector_buffer_init(struct sector_buffer* buffer, const struct layout* layout, struct arena* arena,
                        bus_address base, uint32_t most, uint32_t entries, uint32_t logicals, bool synthesizer);

/* Empty again, as the feeder finds it. REQUIRES: no entry. */
void sector_buffer_reset(struct sector_buffer* buffer);

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
/* Sectors that may be written before something has to be given back. */
static inline uint32_t buffer_free(const struct sector_buffer* buffer)
{
    const uint32_t used = buffer->head - buffer->tail;
    return used < buffer->most ? buffer->most - used : 0;
}
static inline uint32_t buffer_circle(uint32_t most)
{
    uint32_t sectors = FEED_PIECE_MOST;
    while (sectors < most)
        sectors *= 2;
    return sectors;
}

/* --- entries ------------------------------------------------------------------------------------------------------ */

/* The open entry of a logical superblock, a new one if there is none; NONE: no entry is free. */
uint32_t entry_open(struct sector_buffer* buffer, uint32_t logical);
void entry_freeze(struct sector_buffer* buffer, uint32_t entry);  /* REQUIRES: none older */
void entry_release(struct sector_buffer* buffer, uint32_t entry); /* its sectors are in flash */

/* --- sectors ------------------------------------------------------------------------------------------------------ */

/* The feeder has brought these sectors; they have no owner yet. */
void buffer_arrived(struct sector_buffer* buffer, uint32_t number, uint32_t sectors);
/* Sectors of the circle from `number` on are those of the entry from `sector` on. */
void buffer_put(struct sector_buffer* buffer, uint32_t entry, uint32_t sector, uint32_t number, uint32_t sectors);
void buffer_discard(struct sector_buffer* buffer, uint32_t number); /* arrived in vain */
void buffer_trim(struct sector_buffer* buffer, uint32_t entry, uint32_t sector);

/* The entry that needs a sector of the circle, or NONE; and if there is one, which sector of its superblock it is. */
uint32_t buffer_owner(const struct sector_buffer* buffer, uint32_t number);
/* The same as if nothing had been written since `until` was the next number: sectors overwritten since then count. */
uint32_t buffer_owner_before(const struct sector_buffer* buffer, uint32_t number, uint32_t until);
uint32_t buffer_sector(const struct sector_buffer* buffer, uint32_t number);

/* The youngest sector that arrived in vain, or NONE; and a sector that is needed takes the place of such a one. */
uint32_t buffer_vain(const struct sector_buffer* buffer);
void buffer_move(struct sector_buffer* buffer, uint32_t number, uint32_t to);

/* Gives back to the feeder what nobody needs any more. */
void buffer_run(struct sector_buffer* buffer);

#endif
