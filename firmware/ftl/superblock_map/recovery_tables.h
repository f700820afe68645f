/* SPDX-License-Identifier: Apache-2.0
 *
 * Recovery steps for the tables: what the areas of the journal contain, the newest copy of the tables that is complete,
 * and the pool of superblocks that follows from it.
 */
#ifndef STROBE_SUPERBLOCK_MAP_RECOVERY_TABLES_H
#define STROBE_SUPERBLOCK_MAP_RECOVERY_TABLES_H

#include "firmware/ftl/superblock_map/journal_tables.h"

/* Generations and stamps are free-running. */
static inline bool recovery_is_newer(uint32_t a, uint32_t b)
{
    return (int32_t)(a - b) > 0;
}

/* The first pages of all members of the areas. */
void recovery_scan_areas(struct superblock_map* sbm);
/* Loads the newest complete copy of the tables into the state; none: recovery.tables.generation is 0. */
void recovery_load_tables(struct superblock_map* sbm);
/* Marks mapped superblocks and builds the pool of free ones again. */
void recovery_rebuild_pool(struct superblock_map* sbm);
/* The members of the areas that were loaded are not erased before the next generation is complete. */
void recovery_keep_loaded(struct superblock_map* sbm);

/* The first member of an area, from member `from` on, whose first page was of that generation and part, or NONE. */
uint32_t recovery_find(const struct area_contents* contents, uint32_t from, uint32_t members, uint32_t generation,
                       uint32_t part);

/* Per logical superblock: stamp of the last entry that was merged according to the log, 0: none. The words of the map
 * in the image are used for it after the tables were loaded. */
static inline uint32_t* recovery_merged(const struct journal* journal)
{
    return journal_tables(journal);
}
/* Whether the contents of an entry with that stamp were in the buffer, but neither in the tables nor in the log. */
bool recovery_is_live(const struct superblock_map* sbm, uint32_t logical, uint32_t stamp);

#endif
