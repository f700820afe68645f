/* SPDX-License-Identifier: Apache-2.0
 *
 * The layer's metadata in flash: pages of the log, copies of the tables, parked sectors and their
 * index pages. Each page has its kind in its spare record, and a check word over its contents, so a page that was cut
 * short by a power loss is not treated as complete.
 */
#ifndef STROBE_SUPERBLOCK_MAP_FLASH_FORMAT_H
#define STROBE_SUPERBLOCK_MAP_FLASH_FORMAT_H

#include "firmware/regs/strobe_regs.h"

#include <stdint.h>

enum page_kind { /* word 0 of the spare record */
                 PAGE_DATA = 0x53424400,
                 PAGE_LOG = 0x53424C01,
                 PAGE_TABLE = 0x53425402,
                 PAGE_PARKED = 0x53425003,
                 PAGE_INDEX = 0x53424904
};

/* --- the log: one page per write; header words, records, check word ---------------------------------------------- */

#define LOG_PAGE_WORDS (SECTOR_BYTES / 4u)
#define LOG_HEADER_WORDS 4u /* kind, generation, page, records */
#define LOG_RECORD_WORDS 3u /* kind and logical or physical superblock, new value, stamp */
#define LOG_PAGE_RECORDS ((LOG_PAGE_WORDS - LOG_HEADER_WORDS - 1u) / LOG_RECORD_WORDS)

enum record_kind { RECORD_REMAP = 1, RECORD_REPLACE = 2 };
#define RECORD_KIND_SHIFT 28u

static inline uint32_t record_kind_of(const uint32_t* record)
{
    return record[0] >> RECORD_KIND_SHIFT;
}
static inline uint32_t record_subject(const uint32_t* record)
{
    return record[0] & ((1u << RECORD_KIND_SHIFT) - 1);
}

/* --- a copy of the tables: this header; map, erase counts, replaced blocks, stamps ------------------------------- */

struct table_header {
    uint32_t magic, generation, bytes;
    uint32_t logicals, superblocks, replacements, stamps;
    uint32_t stamp; /* the last one that was assigned */
    uint32_t check; /* over the words before it and everything after the header */
    uint32_t reserved[7];
};
#define TABLE_HEADER_CHECKED_WORDS 8u

/* --- the parking area: batches of sectors, each with an index of one sector --------------------------------------- */

#define PARKING_RUNS 30u /* of a batch: as many as fit between four words and the check word */

struct parked_run {
    uint32_t logical, sector, sectors, stamp;
};

struct parking_index {
    uint32_t magic, batch, runs, sectors;
    struct parked_run run[PARKING_RUNS];
    uint32_t reserved[3];
    uint32_t check;
};

/* --- check words -------------------------------------------------------------------------------------------------- */

#define CHECK_START 0x811C9DC5u

/* Continues a check word (FNV-1a, by words). */
static inline uint32_t check_words(uint32_t check, const uint32_t* words, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
        check = (check ^ words[i]) * 0x01000193u;
    return check;
}

static inline uint32_t check_index(const struct parking_index* index)
{
    return check_words(CHECK_START, (const uint32_t*)index, SECTOR_BYTES / 4 - 1);
}

#endif
