/* SPDX-License-Identifier: Apache-2.0
 *
 * The optimised flush: buffered sectors are written one after the other into superblocks of their own, without merging,
 * and stay in the buffer too. When they have been merged later on, the parked copies are worth nothing; after a loss of
 * power those that are still worth something are brought back (recovery.c).
 *
 * A batch is some rows of sectors and then, in a row of its own, an index page that says what they are: runs of sectors
 * of a logical superblock, with the stamp of their entry. A parked run counts as long as no remap in the log has that
 * stamp: an entry is merged as a whole. The index is written when the sectors are in flash, so a batch with an index is
 * complete.
 */
#ifndef STROBE_PARKING_H
#define STROBE_PARKING_H

#include "firmware/drivers/arena.h"
#include "firmware/ftl/superblock_map/jobs.h"

#define PARKING_RUN_WORDS 4u
#define PARKING_RUNS 30u /* of a batch: what one sector holds behind four words and before the check word */
#define PARKING_MOST 32u /* superblocks of the area */

struct parked_run {
    uint32_t logical, sector, sectors, stamp;
};

struct parking_index { /* one sector */
    uint32_t magic, batch, runs, sectors;
    struct parked_run run[PARKING_RUNS];
    uint32_t reserved[3];
    uint32_t check;
};

struct parking {
    uint32_t member[PARKING_MOST];
    uint32_t last_stamp[PARKING_MOST]; /* of what is parked there */
    uint32_t members;
    uint32_t current, row;       /* where the next batch goes; NONE: nowhere yet */
    uint32_t batch;              /* number of the last one */
    uint32_t position;           /* of the circle: everything before is parked or merged */
    uint32_t stamp;              /* everything up to it is */
    uint32_t until, until_stamp; /* of the round under way */
    bool parking, wanted;
    bus_address table_at, index_at;
    uint32_t* table;
    struct parking_index* index;
    uint32_t batch_sectors; /* of the batch that is being written */
};

/* Reserves the area; 0 superblocks: flushes always merge. */
void parking_init(struct arena* arena, uint32_t superblocks);
/* Everything placed so far is to be parked, if there is room. */
void parking_request(void);
/* A round is under way or about to begin. */
bool parking_is_on(void);
void parking_run(void);
/* Whether everything up to that stamp has been parked, but for trimmed sectors. */
bool parking_covers(uint32_t stamp);

#endif
