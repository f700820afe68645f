/* SPDX-License-Identifier: Apache-2.0
 *
 * What survives a loss of power: copies of the tables, and a log of what has changed since the last copy.
 *
 * A generation is a copy of the tables (map, erase counts, replaced blocks) in the table area and the log that follows
 * it in the log area, one page per write. When the log's superblock is full, or after `checkpoint_records` records, the
 * next generation begins: a new copy, then an empty log. The last generation stays until the new one is complete. While
 * the copy is being written nothing is logged; what changes meanwhile goes to the new log. With replication both areas
 * stand in two superchips and everything is written twice.
 *
 * Every page carries what it is in its spare record, and a check word over its contents, so a page that power cut short
 * is not taken for one. Superblocks of these areas that fail are left out from then on; nobody has to remember which.
 */
#ifndef STROBE_JOURNAL_H
#define STROBE_JOURNAL_H

#include "firmware/drivers/arena.h"
#include "firmware/ftl/superblock_map/jobs.h"
#include "firmware/ftl/superblock_map/policy.h"
#include "firmware/ftl/superblock_map/superblocks.h"

#define COPIES_MOST 2u
#define LOG_PAGE_WORDS (SECTOR_BYTES / 4u)
#define LOG_HEADER_WORDS 4u
#define LOG_RECORD_WORDS 3u
#define LOG_PAGE_RECORDS ((LOG_PAGE_WORDS - LOG_HEADER_WORDS - 1u) / LOG_RECORD_WORDS)

enum page_kind {
    PAGE_DATA = 0x53424400,
    PAGE_LOG = 0x53424C01,
    PAGE_TABLE = 0x53425402,
    PAGE_PARKED = 0x53425003,
    PAGE_INDEX = 0x53424904
};

enum record_kind { RECORD_REMAP = 1, RECORD_REPLACE = 2 };

struct record {
    uint32_t word[LOG_RECORD_WORDS]; /* kind and logical or physical superblock, what it becomes, stamp */
    uint32_t leaving;                /* superblock that is free when the record is in the log, or NONE */
};
#define RECORD_KIND_SHIFT 28u

struct area { /* superblocks that are used in turn */
    uint32_t member[AREA_MOST];
    uint32_t generation[AREA_MOST]; /* that it belongs to, 0: none */
    bool failed[AREA_MOST];
    uint32_t members, last;
};

struct table_header { /* in front of the tables; the check word is over everything behind it and the words before it */
    uint32_t magic, generation, bytes;
    uint32_t logicals, superblocks, replacements, stamps;
    uint32_t stamp; /* the last one given */
    uint32_t check;
    uint32_t reserved[7];
};

struct journal {
    uint32_t copies, table_parts; /* a copy of the tables takes so many superblocks */
    struct area log[COPIES_MOST], table[COPIES_MOST];
    uint32_t generation;
    uint32_t log_at[COPIES_MOST]; /* member of the log area in use */
    uint32_t page;                /* of the log, the next one */
    uint32_t records;             /* in this log */
    uint32_t most_records;
    struct record* pending; /* ring of a power of two */
    uint32_t pending_mask, most_pending;
    uint32_t put, taken;
    uint32_t covered; /* of those that are pending: by what is being written */
    bool writing, copying, wants_copy;
    bus_address page_at, image_at, spares_at;
    uint32_t* log_page;
    uint32_t* image;
    struct flash_spare* spares; /* of the pages of a superblock, for recovery */
    uint32_t image_bytes;       /* that there is room for */
};

void journal_init(const struct boot_block* boot, struct arena* arena);

/* Whether another merge may be begun: what it will have to say finds room. */
bool journal_has_room(void);
/* `target` is now what a logical superblock is mapped to (NONE: nothing), up to and including an entry with that stamp.
 */
void journal_remap(uint32_t logical, uint32_t target, uint32_t stamp, uint32_t leaving);
void journal_replacement(struct replacement replacement);
/* Whether a remap of one of these logical superblocks by an entry not younger than the stamp is not in the log yet. */
bool journal_owes(uint32_t first, uint32_t last, uint32_t stamp);
void journal_run(void);
/* The next generation, now; returns when it is complete. For power-on. */
void journal_copy_now(void);

/* --- what recovery shares ----------------------------------------------------------------------------------------- */

uint32_t journal_check(uint32_t check, const uint32_t* words, uint32_t count);
#define JOURNAL_CHECK_START 0x811C9DC5u
uint32_t* journal_body(void); /* of the image, behind its header */

#endif
