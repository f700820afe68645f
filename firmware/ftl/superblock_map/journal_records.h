/* SPDX-License-Identifier: Apache-2.0
 *
 * Records that wait for the log: remaps of logical superblocks, and replaced blocks. A superblock that a remap replaces
 * is freed when the record is in the log, because until then a power loss restores the old map.
 */
#ifndef STROBE_SUPERBLOCK_MAP_JOURNAL_RECORDS_H
#define STROBE_SUPERBLOCK_MAP_JOURNAL_RECORDS_H

#include "firmware/ftl/superblock_map/state.h"

static inline uint32_t journal_pending(const struct journal_records* records)
{
    return records->put - records->taken;
}
static inline struct record* journal_record(const struct journal_records* records, uint32_t number)
{
    return &records->pending[number & records->mask];
}

void journal_records_init(struct journal_records* records, struct arena* arena, uint32_t most);

/* Whether there is space for all records of one more job of a background unit. */
bool journal_has_room(const struct superblock_map* sbm);
/* `target` (NONE: nothing) is now mapped to the logical superblock and contains all its entries up to that stamp;
 * `leaving` (or NONE) is free when the record is in the log. */
void journal_remap(struct journal_records* records, uint32_t logical, uint32_t target, uint32_t stamp,
                   uint32_t leaving);
/* Replaces a failed block (superblocks_replace()) and records the replacement. */
bool journal_replace_block(struct superblock_map* sbm, uint32_t superblock, uint32_t chip);
/* Whether a remap of a logical superblock first .. last, by an entry with a stamp up to this one, is not in the log. */
bool journal_has_unwritten_remap(const struct journal_records* records, uint32_t first, uint32_t last, uint32_t stamp);

/* The records that the write in progress covered are in the log: frees their superblocks. */
void journal_records_written(struct superblock_map* sbm);

#endif
