/* SPDX-License-Identifier: Apache-2.0
 *
 * How much control memory superblock mapping allocates (drivers/footprint.h). Bad blocks are not counted: they make
 * the tables smaller.
 */
#ifndef STROBE_SUPERBLOCK_MAP_FOOTPRINT_H
#define STROBE_SUPERBLOCK_MAP_FOOTPRINT_H

#include "firmware/drivers/footprint.h"
#include "firmware/ftl/superblock_map/buffer_ring.h"
#include "firmware/ftl/superblock_map/capacity.h"

enum {
    FOOTPRINT_JOB = 48,
    FOOTPRINT_SUPERBLOCK = 32,
    FOOTPRINT_FREE_GROUP = 24,
    FOOTPRINT_REPLACED = 8,
    FOOTPRINT_RECORD = 16,
    FOOTPRINT_ENTRY = 40,
    FOOTPRINT_COMMAND = 40,
    FOOTPRINT_PIECE = 16,
    FOOTPRINT_BATCH = 16,
    FOOTPRINT_SPARE = 16,
};

static inline void superblock_tables_footprint(struct footprint* f, const struct boot_block* boot,
                                               const struct layout* l)
{
    const uint32_t members = l->per_superchip / l->planes; /* of a group */
    const uint32_t batches = boot->parking_superblocks * (l->chip * l->pages / 2);
    footprint_array(f, boot->units, FOOTPRINT_JOB);           /* jobs.c */
    footprint_array(f, l->superblocks, FOOTPRINT_SUPERBLOCK); /* superblocks.c */
    footprint_take(f, footprint_product(l->superblocks, l->chips), 4, 64);
    footprint_array(f, l->groups, FOOTPRINT_FREE_GROUP);
    footprint_array(f, l->groups, sizeof(uint32_t));
    for (uint32_t group = 0; group < l->groups; ++group) {
        footprint_array(f, members, sizeof(uint32_t));
        footprint_array(f, members, sizeof(uint32_t));
    }
    footprint_array(f, capacity_replacements(l), FOOTPRINT_REPLACED);
    footprint_bitmap(f, l->dies * l->blocks_per_die);
    footprint_array(f, ring_size(capacity_pending(boot->units)), FOOTPRINT_RECORD); /* journal.c */
    footprint_take(f, 1, JOURNAL_SECTOR_BYTES, JOURNAL_SECTOR_BYTES);
    footprint_take(f, capacity_table_sectors(l, boot->units), JOURNAL_SECTOR_BYTES, JOURNAL_SECTOR_BYTES);
    footprint_take(f, footprint_product(l->chips, l->pages), FOOTPRINT_SPARE, 64);
    footprint_take(f, 1, JOURNAL_SECTOR_BYTES, JOURNAL_SECTOR_BYTES); /* parking.c */
    footprint_take(f, l->sectors / 4, 4, 64);
    footprint_array(f, batches, FOOTPRINT_BATCH); /* recovery.c */
    footprint_array(f, MOST_ENTRIES + capacity_pending(boot->units), sizeof(uint32_t));
    footprint_take(f, 1, 4, 64); /* rescue.c */
}

static inline uint64_t superblock_map_footprint(const struct boot_block* boot)
{
    const struct layout l = layout_of(boot);
    const uint32_t reads = boot->unit_depth + 1;
    const uint64_t logicals = capacity_logicals(l.per_superchip / l.planes, boot->overprovision_permille) * l.groups;
    const uint32_t pieces = ring_size(boot->sector_buffer / FEED_PIECE_MOST + 2 * boot->host_slots + 2);
    const uint32_t entries = capacity_entries(boot->superblock_limit, boot->units);
    struct footprint f = {0};
    footprint_units(&f, boot, boot->units + reads);
    superblock_tables_footprint(&f, boot, &l);
    footprint_take(&f, logicals, 4, 64);                                             /* request.c: the map */
    footprint_array(&f, buffer_ring_sectors(boot->sector_buffer), sizeof(uint32_t)); /* sector_buffer.c */
    footprint_array(&f, entries, FOOTPRINT_ENTRY);
    footprint_take(&f, footprint_product(entries, l.sectors), 4, 64);
    footprint_array(&f, logicals, 1);
    if (boot->synthesizer != 0)
        footprint_take(&f, logicals, 4, 64);
    footprint_array(&f, reads, sizeof(uint32_t)); /* reads.c */
    footprint_take(&f, footprint_product(reads, READ_MOST), 4, 64);
    footprint_take(&f, l.sectors, 4, 64);
    footprint_array(&f, boot->host_slots, FOOTPRINT_COMMAND); /* commands.c, writes.c, feed.c */
    footprint_array(&f, pieces, FOOTPRINT_PIECE);
    footprint_array(&f, pieces, FOOTPRINT_PIECE);
    footprint_host_if(&f, boot, pieces + boot->host_slots);
    return f.bytes;
}

#endif
