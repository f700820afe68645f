/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies of the tables. A copy begins a generation of the journal: all its parts are written to the table area, then
 * the first superblock of its log is erased. With replication the same is done in a second superchip.
 */
#ifndef STROBE_SUPERBLOCK_MAP_JOURNAL_TABLES_H
#define STROBE_SUPERBLOCK_MAP_JOURNAL_TABLES_H

#include "firmware/ftl/superblock_map/state.h"

/* Begins a copy, if a background unit is idle. */
void journal_copy_tables(struct superblock_map* sbm);

/* The spare record of a page of the journal. */
void journal_set_spare(struct flash_descriptor* descriptor, enum page_kind kind, uint32_t generation, uint32_t part,
                       uint32_t check);

/* The tables in the image, after its header. */
static inline uint32_t* journal_tables(const struct journal* journal)
{
    return journal->image + sizeof(struct table_header) / 4;
}

/* The check word of the image; `words`: after the header. */
static inline uint32_t journal_tables_check(const struct journal* journal, uint32_t words)
{
    const uint32_t header = check_words(CHECK_START, journal->image, TABLE_HEADER_CHECKED_WORDS);
    return check_words(header, journal_tables(journal), words);
}

#endif
