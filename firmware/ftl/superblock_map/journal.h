/* SPDX-License-Identifier: Apache-2.0
 *
 * The data that survives a power loss: copies of the tables, and a log of the changes since the last copy.
 *
 * A generation is a copy of the tables (map, erase counts, replaced blocks) in the table area and the log that follows
 * it in the log area, one page per write. When the log's superblock is full, or after `checkpoint_records` records, the
 * next generation begins: a new copy, then an empty log. The last generation is kept until the new one is complete.
 * While the tables are being copied nothing is logged; changes go to the new log. With replication both areas exist in
 * two superchips, and everything is written twice.
 */
#ifndef STROBE_SUPERBLOCK_MAP_JOURNAL_H
#define STROBE_SUPERBLOCK_MAP_JOURNAL_H

#include "firmware/ftl/superblock_map/state.h"

void journal_init(struct superblock_map* sbm, struct arena* arena);

/* Writes pending records to the log, or begins the next generation. */
void journal_run(struct superblock_map* sbm);

/* Begins the next generation and returns when it is complete. For power-on. */
void journal_copy_now(struct superblock_map* sbm);

/* Composes the next page of the log in `log_page`; returns the number of records in it. */
uint32_t journal_compose_page(struct journal* journal);

#endif
